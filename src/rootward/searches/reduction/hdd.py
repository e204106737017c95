"""hdd, hierarchical delta debugging, as Misherghi and Su describe it ("HDD: Hierarchical Delta Debugging", 2006).

Removing a few nodes near the root removes most of a tree. So ddmin is applied to the nodes of the first level, then to
what is left of the second, and so on; a node is removed with everything below it. Removals on a deeper level may make a
higher node superfluous, so this is repeated until nothing changes (the paper's HDD*). The result is 1-tree-minimal:
without any single node and everything below it, it no longer fails. A list is a tree of one level; there hdd is ddmin.
"""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from rootward.search.ask import Search
from rootward.searches.reduction.ddmin import reduce_units
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")


def hdd(elements: Elements[E]) -> Search[Selection[E], Reduction[E]]:
    """Reduce the failing tree to a 1-tree-minimal part."""
    depths = elements.depths
    kept, settled = elements.all, dict[int, Selection[E]]()
    levels = range(max(depths, default=-1) + 1)
    while any(settled.get(level) != kept for level in levels):
        for level in levels:
            if settled.get(level) != kept:  # otherwise ddmin has just found that none of its nodes can be removed
                kept = yield from reduce_units(kept, partial(_units_at, depths, level))
                settled[level] = kept
    return Reduction(selection=kept)


def _units_at(depths: list[int], level: int, kept: Selection[E]) -> list[int]:
    """Return the nodes of one level that may be removed."""
    return [i for i in kept.free if depths[i] == level]
