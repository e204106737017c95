"""Which faults have the same cause (section 5, and beyond).

Faults are alike if the same component, where it was, did not allow the same kind of step, and the same edges of the
model had last written what that relies on. Groups of such faults have one cause if one change of the model explains all
of them: of all changes, a few that explain everything are chosen, the most specific ones and those that explain most
first. What no change explains stays as it is.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rootward.traces.event import Trace
from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.mutate import Mutant
from rootward.traces.replay import witnesses

EXAMPLES = 3
"""So many traces of a group are kept, and have to conform to a change that is said to explain it."""


@dataclass(frozen=True)
class FaultClass:
    """Faults with the same cause."""

    id: str
    faults: tuple[Fault, ...]
    representative: Fault
    """The one with the shortest explanation."""
    cause: str
    """The change of the model that explains them all: "as if ..."; empty if none was found."""
    groups: tuple[tuple[Fault, ...], ...] = ()
    """The same faults, those that are alike together, and ..."""
    exact: tuple[tuple[Fault, ...], ...] = ()
    """... those that are equal in the paper's sense."""

    @property
    def traces(self) -> int:
        """How many traces have such a fault."""
        return len({(fault.trace, fault.path) for fault in self.faults})


@dataclass
class Group:
    """Faults that are alike."""

    key: tuple[object, ...]
    faults: list[Fault] = field(default_factory=list)
    examples: list[Trace] = field(default_factory=list)

    def add(self, fault: Fault, trace: Trace) -> None:
        """The shortest traces are kept, in whatever order they come."""
        self.faults.append(fault)
        if trace not in self.examples:
            some = sorted([*self.examples, trace], key=lambda one: (len(one.events), one.name, one.path))
            self.examples = some[:EXAMPLES]


def classes(examiner: Examiner, groups: Iterable[Group]) -> tuple[FaultClass, ...]:
    """The classes, the largest first."""
    some = list(groups)
    explained = _explained(examiner, some)
    chosen = _cover(some, explained)
    merged: dict[tuple[str, ...], list[Group]] = defaultdict(list)
    for place, group in enumerate(some):
        merged[chosen.get(place) or (f"\0{place}",)].append(group)
    found = [_class("" if names[0].startswith("\0") else ", or ".join(names), parts) for names, parts in merged.items()]
    return tuple(sorted(found, key=lambda one: (-one.traces, one.id)))


def _explained(examiner: Examiner, groups: Sequence[Group]) -> dict[Mutant, set[int]]:
    """Which groups each change explains."""
    found: dict[Mutant, set[int]] = defaultdict(set)
    for place, group in enumerate(groups):
        candidates: dict[Mutant, None] = {}
        for trace in group.examples:
            for witness in witnesses(examiner.engine, trace):
                fault = examiner.fault(trace, witness, explained=False)[0]
                if fault.key == group.key:
                    candidates.update(dict.fromkeys(examiner.mutants(fault, witness)))
                    break
        for mutant in candidates:
            if all(examiner.conforms(mutant, trace) for trace in group.examples):
                found[mutant].add(place)
    return found


def _cover(groups: Sequence[Group], explained: Mapping[Mutant, set[int]]) -> dict[int, tuple[str, ...]]:
    """A few changes that explain all that can be explained: the most specific first, then what explains most faults.

    What two of them explain equally well belongs to neither: it is a class of its own, "this, or that".
    """
    chosen: dict[int, tuple[str, ...]] = {}
    for rank in sorted({mutant.rank for mutant in explained}):
        left = {one: set(places) - chosen.keys() for one, places in explained.items() if one.rank == rank}
        open_places = {place: set(places) for place, places in left.items()}
        needed: list[Mutant] = []
        while any(open_places.values()):
            best = max(open_places, key=lambda one: (_faults(groups, open_places[one]), one.name))
            needed.append(best)
            covered = open_places[best]
            open_places = {one: places - covered for one, places in open_places.items()}
        for place in set().union(*left.values()) if left else set():
            chosen[place] = tuple(sorted(one.name for one in needed if place in left[one]))
    return chosen


def _faults(groups: Sequence[Group], places: Iterable[int]) -> int:
    return sum(len(groups[place].faults) for place in places)


def _class(cause: str, groups: Sequence[Group]) -> FaultClass:
    faults = tuple(fault for group in groups for fault in group.faults)
    exact: dict[str, list[Fault]] = defaultdict(list)
    for fault in faults:
        exact[fault.exact].append(fault)
    name = cause or repr(groups[0].key)
    return FaultClass(
        hashlib.sha256(name.encode()).hexdigest()[:6],
        faults,
        min(faults, key=lambda one: (len(one.kept), one.index, one.trace)),
        cause,
        tuple(tuple(group.faults) for group in groups),
        tuple(map(tuple, exact.values())),
    )
