"""Choose runs that could refute a claim.

A claim is made from runs, and it agrees with them; that says little. What counts is whether it predicts runs that it
was not made from. They must be new, and they must lie on both sides of it: where it says that it fails, a pass shows it
to be too wide, and where it says that it passes, a failure shows it to be too narrow. Random runs alone lie nearly all
on one side, for failures are rare; so a search draws from places where both sides are met, such as mixtures of runs
that it knows, and takes as many from each side as it can find. How it draws is its own affair, and given as a stream;
the outcomes of the runs are a measure of the claim only if nothing else was chosen by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import TypeVar

C = TypeVar("C")


def both_sides(
    drawn: Iterable[C],
    claim: Callable[[C], bool],
    wanted: int,
    *,
    key: Callable[[C], Hashable],
    known: Collection[Hashable] = (),
    fill: bool = True,
) -> list[C]:
    """Return new candidates, half of them where the claim says that it fails, as far as they are met.

    ``drawn``: where they are taken from, until there are enough, so it must end. ``key``: what makes two of them the
    same; ``known``: the keys of those that were run. ``fill``: if one side is not met often enough, take more of the
    other. A search that repairs its claim and tests again does without: runs on one side alone do not measure it.
    """
    half = (wanted + 1) // 2
    sides: dict[bool, list[C]] = {True: [], False: []}
    taken = set(known)
    for one in drawn:
        if (name := key(one)) not in taken:
            taken.add(name)
            sides[claim(one)].append(one)
        if min(map(len, sides.values())) >= half:
            break
    if not fill:
        return [*sides[True][:half], *sides[False][:half]][:wanted]
    rarer, other = sorted(sides.values(), key=len)
    few = rarer[: wanted // 2]
    return [*few, *other[: wanted - len(few)]]
