"""Which faults have the same cause (section 5, and beyond).

Faults are alike if the same component, where it was, did not allow the same kind of step, and the same edges of the
model had last written what that relies on. Groups of such faults have one cause if one change of the model explains all
of them. What no change explains stays as it is.

The groups are covered by a few changes (`cover`). Of those that explain a group, only the most specific count. What
two of them explain equally well belongs to neither: it is a class of its own, "this, or that". If several were chosen
that do the same at different places, one that does it at all of them is a better guess: "as if no identifier were
echoed" instead of one cause for each.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.mutant import WIDER, Cause, Mutant
from rootward.traces.grouping.timing import Timing
from rootward.traces.model.event import Trace

EXAMPLES = 3
"""So many traces of a group are kept, and have to conform to a change that is said to explain it."""
Examples = Sequence[tuple[Trace, Fault]]
"""Traces of a group, each with its fault."""
Names = tuple[str, ...]


@dataclass(frozen=True)
class FaultClass:
    """Faults with the same cause."""

    id: str
    faults: tuple[Fault, ...]
    representative: Fault
    """Of those whose traces are kept, the one with the shortest explanation, and ..."""
    example: Trace = field(repr=False, compare=False)
    """... its trace."""
    others: tuple[tuple[int, ...], ...]
    """What its other explanations keep."""
    causes: tuple[Cause, ...]
    """The changes of the model of which each explains them all; none if none was found."""
    groups: tuple[tuple[Fault, ...], ...] = ()
    """The same faults, those that are alike together, and ..."""
    exact: tuple[tuple[Fault, ...], ...] = ()
    """... those that are equal in the paper's sense."""

    @property
    def cause(self) -> str:
        """The changes as the model writes them: "as if ..., or as if ..."; empty if none was found."""
        return ", or ".join(map(str, self.causes))

    @property
    def traces(self) -> int:
        """How many traces have such a fault."""
        return len({(fault.trace, fault.path) for fault in self.faults})


@dataclass
class Group:
    """Faults that are alike."""

    key: tuple[object, ...]
    faults: list[Fault] = field(default_factory=list)
    kept: list[tuple[Trace, Fault]] = field(default_factory=list)

    @property
    def examples(self) -> list[Trace]:
        return [trace for trace, _ in self.kept]

    def add(self, fault: Fault, trace: Trace) -> None:
        """The shortest traces are kept, in whatever order they come."""
        self.faults.append(fault)
        if trace not in self.examples:
            some = [*self.kept, (trace, fault)]
            self.kept = sorted(some, key=lambda one: (len(one[0].events), one[0].name, one[0].path))[:EXAMPLES]


def classes(examiner: Examiner, groups: Iterable[Group], *, causes: bool = True) -> tuple[FaultClass, ...]:
    """The classes, the largest first; without causes, a class for each group."""
    some = list(groups)
    sizes = [len(group.faults) for group in some]
    chosen = cover(examiner, [group.kept for group in some], sizes) if causes else {}
    merged: dict[tuple[Cause, ...] | int, list[Group]] = defaultdict(list)
    for place, group in enumerate(some):
        merged[chosen.get(place) or place].append(group)
    found = [_class(key if isinstance(key, tuple) else (), parts, examiner) for key, parts in merged.items()]
    return tuple(sorted(found, key=lambda one: (-one.traces, one.id)))


def _class(causes: tuple[Cause, ...], groups: Sequence[Group], examiner: Examiner) -> FaultClass:
    faults = tuple(fault for group in groups for fault in group.faults)
    pairs = (pair for group in groups for pair in group.kept)
    trace, fault = min(pairs, key=lambda pair: (len(pair[1].kept), pair[1].index, pair[1].trace, pair[1].path))
    name = ", or ".join(map(str, causes)) or repr(groups[0].key)
    return FaultClass(
        hashlib.sha256(name.encode()).hexdigest()[:6],
        faults,
        fault,
        trace,
        examiner.others(trace, fault),
        causes,
        tuple(tuple(group.faults) for group in groups),
        tuple(_equal(faults, examiner.timing)),
    )


def _equal(faults: Sequence[Fault], timing: Timing) -> Iterator[tuple[Fault, ...]]:
    explained = [(fault, fault.occasion) for fault in faults if fault.occasion is not None]
    for numbers in timing.equal([one for _, one in explained]):
        yield tuple(explained[number][0] for number in numbers)


# Which changes of the model explain the groups


def cover(examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> dict[int, tuple[Cause, ...]]:
    """The changes that explain each group, by its number; ``sizes``: how many faults each has."""
    return _Cover(examiner, groups, sizes).chosen()


class _Cover:
    def __init__(self, examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> None:
        self._examiner, self._groups, self._sizes = examiner, groups, sizes
        self._tried: dict[tuple[str, int], bool] = {}
        self._known: dict[str, Mutant] = {}
        self._candidates = [self._changes(examples) for examples in groups]

    def chosen(self) -> dict[int, tuple[Cause, ...]]:
        found = self._specific()
        self._widen(found)
        return {place: tuple(self._known[name].cause for name in names) for place, names in found.items()}

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
