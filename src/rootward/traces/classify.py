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


@dataclass
class Group:
    """Faults that are alike."""

    key: tuple[object, ...]
    faults: list[Fault] = field(default_factory=list)
    examples: list[Trace] = field(default_factory=list)

    def add(self, fault: Fault, trace: Trace) -> None:
        self.faults.append(fault)
        if len(self.examples) < EXAMPLES:
            self.examples.append(trace)


def classes(examiner: Examiner, groups: Iterable[Group]) -> tuple[FaultClass, ...]:
    """The classes, the largest first."""
    some = list(groups)
    explained = _explained(examiner, some)
    chosen = _cover(some, explained)
    merged: dict[str, list[Group]] = defaultdict(list)
    for place, group in enumerate(some):
        merged[chosen[place].name if place in chosen else f"\0{place}"].append(group)
    found = [_class("" if name.startswith("\0") else name, parts) for name, parts in merged.items()]
    return tuple(sorted(found, key=lambda one: (-len(one.faults), one.id)))


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


def _cover(groups: Sequence[Group], explained: Mapping[Mutant, set[int]]) -> dict[int, Mutant]:
    """A few changes that explain all that can be explained: the most specific first, then what explains most faults."""
    chosen: dict[int, Mutant] = {}
    for rank in sorted({mutant.rank for mutant in explained}):
        left = {one: set(places) - chosen.keys() for one, places in explained.items() if one.rank == rank}
        while any(left.values()):
            best = max(left, key=lambda one: (sum(len(groups[place].faults) for place in left[one]), one.name))
            chosen.update(dict.fromkeys(left[best], best))
            left = {one: places - chosen.keys() for one, places in left.items()}
    return chosen


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
