"""Choose runs that could refute a claim.

A claim was made to agree with the runs it was made from, so this agreement says little. A test of the claim is to
predict runs that it was not made from. These must be new, and they must lie on both sides of it: a pass where it
predicts a failure shows that it is too wide, a failure where it predicts a pass shows that it is too narrow. Failures
are rare, so nearly all random runs lie on one side. A search therefore draws from a source that reaches both sides,
such as mixtures of known runs, and takes the same number from each side as far as possible. It passes that source in as
a stream. The outcomes measure the claim only if the runs were not selected in any other way.
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
    """Return up to ``wanted`` new candidates. If possible, the claim predicts a failure for half of them.

    Candidates are read from ``drawn`` until both sides have enough, so ``drawn`` must be finite. ``key`` returns the
    identity of a candidate, and ``known`` holds the keys of candidates that were already run. With ``fill``, a side
    that has too few is made up for by more of the other. A search that repairs its claim and tests it again sets
    ``fill`` to False, because runs on one side alone do not measure a claim.
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
