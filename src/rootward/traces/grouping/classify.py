"""Classify: put faults with the same cause into one class (section 5, and beyond).

This takes two stages. First, faults that are *alike* form a group: the same component, in the same location, forbade
the same kind of step, and the same edges of the model had last written what the proof relies on (`Fault.key`). Second,
groups are joined if one change of the model explains all of them, that is, if their example traces conform to the
changed model. A group that no change explains stays a class of its own, without a cause.

Choosing the changes is a covering problem (`cover`). Ranks are tried from the most specific up, and a group
explained at one rank is not considered at the next. Within a rank, the change that explains most faults is chosen
first, then the one that explains most of the rest, until every group that can be explained is. A group that two chosen
changes explain equally well belongs to neither: it becomes a class "as if this, or as if that". Finally, if several
chosen changes do the same at different places, one that does it at all of them is a better guess: "as if no identifier
were echoed" rather than one cause for each identifier.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.mutant import WIDER, FaultCause, Mutant
from rootward.traces.grouping.timing import Timing
from rootward.traces.model.event import Trace

MAX_EXAMPLES = 3
"""Maximum number of traces kept for each group. All of them must conform to a change that is said to explain the
group."""
Examples = Sequence[tuple[Trace, Fault]]
"""Traces of a group, each with its fault."""
Names = tuple[str, ...]


@dataclass(frozen=True)
class FaultClass:
    """Faults with the same cause."""

    id: str
    faults: tuple[Fault, ...]
    representative: Fault
    """The fault with the shortest explanation among those whose traces are kept."""
    example: Trace = field(repr=False, compare=False)
    """The trace of the representative."""
    others: tuple[tuple[int, ...], ...]
    """The events that each other explanation of the representative keeps."""
    causes: tuple[FaultCause, ...]
    """The changes of the model, each of which explains all faults of the class; empty if none was found."""
    groups: tuple[tuple[Fault, ...], ...] = ()
    """The faults of the class, grouped into those that are alike."""
    exact: tuple[tuple[Fault, ...], ...] = ()
    """The faults of the class, grouped into those that are equal in the paper's sense."""

    @property
    def cause(self) -> str:
        """The causes in the words of the model: "as if ..., or as if ..."; empty if none was found."""
        return ", or ".join(map(str, self.causes))

    @property
    def traces(self) -> int:
        """Number of traces that have such a fault."""
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
        """Add a fault. Only the shortest traces are kept, independent of the order in which they come."""
        self.faults.append(fault)
        if trace not in self.examples:
            some = [*self.kept, (trace, fault)]
            self.kept = sorted(some, key=lambda one: (len(one[0].events), one[0].name, one[0].path))[:MAX_EXAMPLES]


def classify_groups(examiner: Examiner, groups: Iterable[Group], *, causes: bool = True) -> tuple[FaultClass, ...]:
    """Return the classes, the largest first. Without ``causes``, each group is a class."""
    some = list(groups)
    sizes = [len(group.faults) for group in some]
    chosen = cover(examiner, [group.kept for group in some], sizes) if causes else {}
    merged: dict[tuple[FaultCause, ...] | int, list[Group]] = defaultdict(list)
    for place, group in enumerate(some):
        merged[chosen.get(place) or place].append(group)
    found = [_make_class(key if isinstance(key, tuple) else (), parts, examiner) for key, parts in merged.items()]
    return tuple(sorted(found, key=lambda one: (-one.traces, one.id)))


def _make_class(causes: tuple[FaultCause, ...], groups: Sequence[Group], examiner: Examiner) -> FaultClass:
    faults = tuple(fault for group in groups for fault in group.faults)
    pairs = (pair for group in groups for pair in group.kept)
    trace, fault = min(pairs, key=lambda pair: (len(pair[1].kept), pair[1].index, pair[1].trace, pair[1].path))
    name = ", or ".join(map(str, causes)) or repr(groups[0].key)
    return FaultClass(
        hashlib.sha256(name.encode()).hexdigest()[:6],
        faults,
        fault,
        trace,
        examiner.find_other_explanations(trace, fault),
        causes,
        tuple(tuple(group.faults) for group in groups),
        tuple(_split_equal(faults, examiner.timing)),
    )


def _split_equal(faults: Sequence[Fault], timing: Timing) -> Iterator[tuple[Fault, ...]]:
    explained = [(fault, fault.occasion) for fault in faults if fault.occasion is not None]
    for numbers in timing.group_equal([one for _, one in explained]):
        yield tuple(explained[number][0] for number in numbers)


# Choosing the changes of the model that explain the groups


def cover(examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> dict[int, tuple[FaultCause, ...]]:
    """Return the changes that explain each group, by its number. ``sizes``: the number of faults in each group."""
    return _Cover(examiner, groups, sizes).choose()


class _Cover:
    """Chooses the changes that explain the groups (see the top of this file)."""

    def __init__(self, examiner: Examiner, groups: Sequence[Examples], sizes: Sequence[int]) -> None:
        self._examiner, self._groups, self._sizes = examiner, groups, sizes
        self._tried: dict[tuple[str, int], bool] = {}
        self._changes_by_name: dict[str, Mutant] = {}
        self._candidates = [self._find_changes(examples) for examples in groups]

    def choose(self) -> dict[int, tuple[FaultCause, ...]]:
        found = self._choose_specific()
        self._widen(found)
        return {place: tuple(self._changes_by_name[name].cause for name in names) for place, names in found.items()}

    def _find_changes(self, examples: Examples) -> set[str]:
        """Return the names of all changes that might explain a group. Of two with the same name, the lower rank is
        kept."""
        found: set[str] = set()
        for trace, fault in examples:
            for one in self._examiner.mutants(fault, self._examiner.find_witness(trace, fault)):
                old = self._changes_by_name.get(one.name, one)
                wider = tuple(sorted({*old.wider, *one.wider}))
                self._changes_by_name[one.name] = replace(old, rank=min(old.rank, one.rank), wider=wider)
                found.add(one.name)
        return found

    def _explains(self, name: str, place: int) -> bool:
        """Return whether a change is a candidate for a group and all example traces of the group conform to it."""
        if name not in self._candidates[place]:
            return False
        if (name, place) not in self._tried:
            conforms, mutant = self._examiner.conforms, self._changes_by_name[name]
            self._tried[name, place] = all(conforms(mutant, trace) for trace, _ in self._groups[place])
        return self._tried[name, place]

    def _choose_specific(self) -> dict[int, Names]:
        """Return the most specific changes that explain each group, and as few different ones as are needed."""
        chosen: dict[int, Names] = {}
        for rank in sorted({one.rank for one in self._changes_by_name.values()}):
            left: dict[str, set[int]] = defaultdict(set)
            for place in range(len(self._groups)):
                for name in self._candidates[place] if place not in chosen else ():
                    if self._changes_by_name[name].rank == rank and self._explains(name, place):
                        left[name].add(place)
            needed = self._select_needed(left)
            for place in set().union(*left.values()):
                chosen[place] = tuple(sorted(name for name in needed if place in left[name]))
        return chosen

    def _select_needed(self, explained: dict[str, set[int]]) -> list[str]:
        """Choose changes until all groups are explained, always the one that explains most of the remaining faults."""
        needed = []
        while any(explained.values()):
            best = max(
                explained, key=lambda name: (self._count(explained[name]), -self._changes_by_name[name].size, name)
            )
            needed.append(best)
            explained = {name: places - explained[best] for name, places in explained.items()}
        return needed

    def _count(self, places: Iterable[int]) -> int:
        return sum(self._sizes[place] for place in places)

    def _widen(self, chosen: dict[int, Names]) -> None:
        """Replace changes that do the same at different places by one change that does it at all of them.

        A change above rank WIDER explains too much to be chosen only for this. It is used if it was already chosen for
        some group.
        """
        wide = {name for one in self._changes_by_name.values() for name in one.wider}
        for name in sorted(wide, key=lambda one: (-len(self._wider_names(one)), one)):
            if self._changes_by_name[name].rank <= WIDER or (name,) in chosen.values():
                self._join(name, {one for one in self._changes_by_name if name in self._wider_names(one)}, chosen)

    def _join(self, name: str, some: set[str], chosen: dict[int, Names]) -> None:
        """Join classes into one class that is explained by change ``name``.

        Joins the classes whose changes are all in ``some`` or equal to ``name``, provided that ``name`` explains all
        their groups.
        """
        parts: dict[Names, list[int]] = defaultdict(list)
        for place, names in chosen.items():
            parts[names].append(place)
        alike = [names for names in parts if some | {name} >= set(names)]
        if len(alike) > 1:
            alike = [names for names in alike if all(self._explains(name, place) for place in parts[names])]
            if len(alike) > 1:
                chosen.update({place: (name,) for names in alike for place in parts[names]})

    def _wider_names(self, name: str) -> set[str]:
        """Return the names of all changes that are wider than this one, directly or through others."""
        found: set[str] = set()
        new = [name]
        while new:
            more = set(self._changes_by_name[new.pop()].wider) - found
            found |= more
            new += more
        return found
