"""Which changes of the model explain all groups of faults: a few, the most specific ones and those that explain most.

Of the changes that explain a group, only the most specific ones count. What two of them explain equally well belongs to
neither: it is a class of its own, "this, or that". If several were chosen that do the same at different places, one
that does it at all of them is a better guess: "as if no identifier were echoed" instead of one cause for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rootward.traces.event import Trace
from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.mutation.mutant import WIDER, Mutant

Examples = Sequence[tuple[Trace, Fault]]
"""Traces of a group, each with its fault."""
Names = tuple[str, ...]


def cover(examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> dict[int, Names]:
    """The names of the changes that explain each group, by its number; ``sizes``: how many faults each has."""
    return _Cover(examiner, groups, sizes).chosen()


class _Cover:
    def __init__(self, examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> None:
        self._examiner, self._groups, self._sizes = examiner, groups, sizes
        self._tried: dict[tuple[str, int], bool] = {}
        self._known: dict[str, Mutant] = {}
        self._candidates = [self._changes(examples) for examples in groups]

    def chosen(self) -> dict[int, Names]:
        found = self._specific()
        self._widen(found)
        return found

    def _changes(self, examples: Examples) -> set[str]:
        """The names of all that might explain a group; of two with the same name, the more specific one is kept."""
        found: set[str] = set()
        for trace, fault in examples:
            for one in self._examiner.mutants(fault, self._examiner.witness(trace, fault)):
                old = self._known.get(one.name, one)
                wider = tuple(sorted({*old.wider, *one.wider}))
                self._known[one.name] = replace(old, rank=min(old.rank, one.rank), wider=wider)
                found.add(one.name)
        return found

    def _explains(self, name: str, place: int) -> bool:
        """Whether all traces of a group conform to a change that was made up for it."""
        if name not in self._candidates[place]:
            return False
        if (name, place) not in self._tried:
            conforms, mutant = self._examiner.conforms, self._known[name]
            self._tried[name, place] = all(conforms(mutant, trace) for trace, _ in self._groups[place])
        return self._tried[name, place]

    def _specific(self) -> dict[int, Names]:
        """The most specific changes that explain each group; of these, as few as are needed."""
        chosen: dict[int, Names] = {}
        for rank in sorted({one.rank for one in self._known.values()}):
            left: dict[str, set[int]] = defaultdict(set)
            for place in range(len(self._groups)):
                for name in self._candidates[place] if place not in chosen else ():
                    if self._known[name].rank == rank and self._explains(name, place):
                        left[name].add(place)
            needed = self._needed(left)
            for place in set().union(*left.values()):
                chosen[place] = tuple(sorted(name for name in needed if place in left[name]))
        return chosen

    def _needed(self, explained: dict[str, set[int]]) -> list[str]:
        """What explains most faults first, until all are explained."""
        needed = []
        while any(explained.values()):
            best = max(explained, key=lambda name: (self._count(explained[name]), -self._known[name].size, name))
            needed.append(best)
            explained = {name: places - explained[best] for name, places in explained.items()}
        return needed

    def _count(self, places: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in places)

    def _widen(self, chosen: dict[int, Names]) -> None:
        """Two that do the same at different places are one that does it at more of them. What is rough explains
        too much to be taken for this reason alone: something has to need it."""
        wide = {name for one in self._known.values() for name in one.wider}
        for name in sorted(wide, key=lambda one: (-len(self._above(one)), one)):
            if self._known[name].rank <= WIDER or (name,) in chosen.values():
                self._join(name, {one for one in self._known if name in self._above(one)}, chosen)

    def _join(self, name: str, some: set[str], chosen: dict[int, Names]) -> None:
        """Classes of which one change explains all groups are one, if they are of its kind."""
        parts: dict[Names, list[int]] = defaultdict(list)
        for place, names in chosen.items():
            parts[names].append(place)
        alike = [names for names in parts if some | {name} >= set(names)]
        if len(alike) > 1:
            alike = [names for names in alike if all(self._explains(name, place) for place in parts[names])]
            if len(alike) > 1:
                chosen.update({place: (name,) for names in alike for place in parts[names]})

    def _above(self, name: str) -> set[str]:
        """All that is wider."""
        found: set[str] = set()
        new = [name]
        while new:
            more = set(self._known[new.pop()].wider) - found
            found |= more
            new += more
        return found
