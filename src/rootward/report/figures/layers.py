"""Where the parts of an automaton go, so that none covers another.

Everything lies in rows: locations in the even ones, the texts of the arrows in the odd ones between. An arrow that
passes a row has a column of its own there, so lines bend only in the gaps between rows, where nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SWEEPS = 10
SPACE = 16.0
"""Between neighbours in a row."""


@dataclass(eq=False)
class Item:
    """Something in a row: a location, the text of an arrow, or the place where an arrow passes."""

    row: int
    left: float = 3.0
    """How far it reaches to the left of its middle."""
    right: float = 3.0
    high: float = 0.0
    x: float = 0.0
    above: list[Item] = field(default_factory=list)
    """What it is joined with in the row above."""
    below: list[Item] = field(default_factory=list)


def join(chain: Sequence[Item]) -> None:
    """Let an arrow lead down this way."""
    for upper, lower in pairwise(chain):
        upper.below.append(lower)
        lower.above.append(upper)


def ranks(names: Iterable[str], arrows: Iterable[tuple[str, str]]) -> dict[str, int]:
    """How far down each one is: further than all from which an arrow leads to it, unless the arrow leads back.

    No two that an arrow joins are equally far down, and the first is at the top.
    """
    ahead: dict[str, list[str]] = {name: [] for name in names}
    for source, target in arrows:
        if source != target:
            ahead[source].append(target)
    order = {name: place for place, name in enumerate(_downwards(ahead))}
    found = dict.fromkeys(order, 0)
    joined = [sorted((source, target), key=order.__getitem__) for source, all_ in ahead.items() for target in all_]
    for upper, lower in sorted(joined, key=lambda pair: order[pair[0]]):
        found[lower] = max(found[lower], found[upper] + 1)
    return found


def _downwards(ahead: dict[str, list[str]]) -> list[str]:
    """All names, such that few arrows lead back: in each walk, the order in which it leaves them, turned around."""
    order: list[str] = []
    seen: set[str] = set()
    for first in ahead:
        path = [] if first in seen else [(first, iter(ahead[first]))]
        done: list[str] = []
        seen.add(first)
        while path:
            name, targets = path[-1]
            fresh = next((target for target in targets if target not in seen), None)
            if fresh is None:
                done.append(name)
                path.pop()
            else:
                seen.add(fresh)
                path.append((fresh, iter(ahead[fresh])))
        order += done[::-1]
    return order


def arrange(rows: Sequence[list[Item]]) -> None:
    """Give every item its place: joined ones near each other, few lines that cross, nothing to the left of 0."""
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            _order(row, downwards=sweep % 2 == 0)
    for row in rows:
        _spread(row, [0.0] * len(row))
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            _spread(row, [_middle([*item.above, *item.below], item.x) for item in row])
    edge = min(item.x - item.left for row in rows for item in row)
    for item in (item for row in rows for item in row):
        item.x -= edge


def _order(row: list[Item], *, downwards: bool) -> None:
    """Sort a row by where its items are joined. Until items have places, ``x`` is their place in the row."""
    row.sort(key=lambda item: _middle(item.above if downwards else item.below, item.x))
    for place, item in enumerate(row):
        item.x = place


def _middle(items: Sequence[Item], otherwise: float) -> float:
    return sum(item.x for item in items) / len(items) if items else otherwise


def _spread(row: Sequence[Item], wanted: Sequence[float]) -> None:
    """The places nearest to the wanted ones that keep the order and the space between (least squares).

    Without the space that has to be between them, places only have to rise; where they do not, neighbours are pooled
    and share their mean.
    """
    offset, offsets = 0.0, []
    for place, item in enumerate(row):
        offset += item.left + (row[place - 1].right + SPACE if place else 0.0)
        offsets.append(offset)
    pools: list[tuple[float, int]] = []
    for value in (want - off for want, off in zip(wanted, offsets, strict=True)):
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            total, count = total + pools[-1][0], count + pools.pop()[1]
        pools.append((total, count))
    means = (total / count for total, count in pools for _ in range(count))
    for item, mean, off in zip(row, means, offsets, strict=True):
        item.x = mean + off
