"""The layout of a graph in rows, so that no part covers another.

In an automaton, locations are in the even rows and the texts of arrows in the odd rows between them. An arrow that
passes a row has a place of its own there, so lines bend only in the gaps between rows, where nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SWEEPS = 10
SPACE = 16.0
"""The space between neighbours in a row."""


@dataclass(eq=False)
class LayerItem:
    """A part of a row: a node, the text of an arrow, or the place where an arrow passes."""

    row: int
    left: float = 3.0
    """Distance from its middle to its left edge."""
    right: float = 3.0
    high: float = 0.0
    x: float = 0.0
    above: list[LayerItem] = field(default_factory=list)
    """The items in the row above that it is joined with."""
    below: list[LayerItem] = field(default_factory=list)


def join(chain: Sequence[LayerItem]) -> None:
    """Join each item with the next one, as an arrow that leads down through all of them."""
    for upper, lower in pairwise(chain):
        upper.below.append(lower)
        lower.above.append(upper)


def ranks(names: Iterable[str], arrows: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return the number of the row of each name.

    A name is below all names from which an arrow leads to it, except for the few arrows that lead back up. Names that
    an arrow joins are never in the same row. The first name is in the top row.
    """
    ahead: dict[str, list[str]] = {name: [] for name in names}
    for source, target in arrows:
        if source != target:
            ahead[source].append(target)
    order = {name: place for place, name in enumerate(_order_downwards(ahead))}
    found = dict.fromkeys(order, 0)
    joined = [sorted((source, target), key=order.__getitem__) for source, all_ in ahead.items() for target in all_]
    for upper, lower in sorted(joined, key=lambda pair: order[pair[0]]):
        found[lower] = max(found[lower], found[upper] + 1)
    return found


def _order_downwards(ahead: dict[str, list[str]]) -> list[str]:
    """Order the names so that few arrows lead back to an earlier name.

    Walks depth first from each name that was not yet seen, and appends the names of the walk in reverse postorder.
    """
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


def arrange(rows: Sequence[list[LayerItem]]) -> None:
    """Place all items of all rows.

    Joined items are near each other, few lines cross, and nothing is to the left of 0.
    """
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


def _order(row: list[LayerItem], *, downwards: bool) -> None:
    """Sort a row by the mean place of the items to which each item is joined.

    If ``downwards``, these are the items in the row above, otherwise those in the row below. At this stage, ``x`` is
    the number of an item in its row, not yet a length.
    """
    row.sort(key=lambda item: _middle(item.above if downwards else item.below, item.x))
    for place, item in enumerate(row):
        item.x = place


def _middle(items: Sequence[LayerItem], otherwise: float) -> float:
    return sum(item.x for item in items) / len(items) if items else otherwise


def _spread(row: Sequence[LayerItem], wanted: Sequence[float]) -> None:
    """Place the items of a row as near to the wanted places as their order and spacing allow (least squares).

    After the required spacing is subtracted, places only have to be non-decreasing. Where they are not, neighbours are
    pooled and share their mean (isotonic regression).
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
