"""Classify: put faults with the same cause into one class (section 5, and beyond).

This takes two stages. First, faults that are *alike* form a group: the same component, in the same location, forbade
the same kind of step, and the same edges of the model had last written what the proof relies on (`Fault.key`). Second,
groups are joined if one change of the model explains all of them, that is, if their traces conform to the changed
model; and a group is split if different changes explain its traces. What no change explains stays a class of its own,
without a cause.

Which changes explain the groups with the fewest assumptions is chosen in `cover`. Faults that are alike in different
modes of the model, such as sessions, are separate there, because another change may explain each.
"""

from __future__ import annotations

import hashlib
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.cover import GroupCause, GroupPart, cover
from rootward.traces.grouping.deciding import Decision
from rootward.traces.grouping.mutant import FaultCause
from rootward.traces.grouping.timing import Timing
from rootward.traces.model.event import Trace

MAX_KEPT = 5000
"""Maximum number of traces kept for all groups together. All traces of a group that are kept must conform to a change
that is said to explain the group; the others are not compared."""


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
    contradicted: int = 0
    """Number of the conforming traces compared that do not conform to the model with the first change."""
    compared: int = 0
    """Number of conforming traces with which the changes were compared."""
    unrefuted: tuple[FaultCause, ...] = ()
    """The changes that explain all faults, too, and that no conforming trace refutes, if several refute the first."""
    decisions: tuple[Decision, ...] = ()
    """The recordings that would tell the causes apart."""
    untried: int = 0
    """Number of traces with which the first cause was not compared."""
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
    """Some of the traces, the shortest first, each with its first fault of the group."""
    untried: frozenset[tuple[str, str]] = frozenset()
    """The paths and names of the kept traces on which the cause of the group was not tried."""
    _last: Trace | None = None

    def add(self, fault: Fault, trace: Trace) -> None:
        """Add a fault, and keep its trace. The faults of a trace come one after another."""
        self.faults.append(fault)
        if trace is not self._last:
            self._last = trace
            insort(self.kept, (trace, fault), key=lambda pair: (len(pair[0].events), pair[0].name, pair[0].path))


class Groups:
    """Faults, grouped into those that are alike. The result does not depend on the order in which they come."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[object, ...], Group] = {}
        self._most = MAX_KEPT
        """Maximum number of traces kept for each group; it is halved when all together are too many."""
        self._kept = 0

    def __iter__(self) -> Iterator[Group]:
        return iter(self._by_key.values())

    def add(self, fault: Fault, trace: Trace) -> None:
        group = self._by_key.setdefault((fault.key, fault.modes), Group(fault.key))
        before = len(group.kept)
        group.add(fault, trace)
        del group.kept[self._most :]
        self._kept += len(group.kept) - before
        while self._kept > MAX_KEPT and self._most > 1:
            self._most //= 2
            for one in self:
                del one.kept[self._most :]
            self._kept = sum(len(one.kept) for one in self)


def classify_groups(
    examiner: Examiner, groups: Iterable[Group], conforming: Sequence[Trace] = (), *, causes: bool = True
) -> tuple[FaultClass, ...]:
    """Return the classes, the largest first. Without ``causes``, faults that are alike are a class.

    ``conforming``: some traces without faults, which speak against changes that they refute.
    """
    some = list(groups)
    if causes:
        parts = cover(examiner, [group.kept for group in some], conforming)
    else:
        parts = [GroupPart(number, group.kept, None) for number, group in enumerate(some)]
    merged: dict[object, list[Group]] = defaultdict(list)
    for part, group in _assign_faults(some, parts):
        merged[part.explanation or group.key].append(group)
    found = [
        _make_class(key if isinstance(key, GroupCause) else GroupCause(), parts, examiner, len(conforming))
        for key, parts in merged.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.traces, one.id)))


def _assign_faults(groups: Sequence[Group], parts: Sequence[GroupPart]) -> Iterator[tuple[GroupPart, Group]]:
    """Yield the parts of the groups, each with its faults. Faults of traces that were not kept are in the largest."""
    by_group: dict[int, list[GroupPart]] = defaultdict(list)
    for part in parts:
        by_group[part.group].append(part)
    for number, group in enumerate(groups):
        own = sorted(by_group[number], key=lambda part: -len(part.pairs))
        owners = {(trace.path, trace.name): place for place, part in enumerate(own) for trace, _ in part.pairs}
        faults: list[list[Fault]] = [[] for _ in own]
        for fault in group.faults:
            faults[owners.get((fault.path, fault.trace), 0)].append(fault)
        for part, some in zip(own, faults, strict=True):
            yield part, Group(group.key, some, list(part.pairs), part.untried)


def _make_class(explanation: GroupCause, groups: Sequence[Group], examiner: Examiner, compared: int) -> FaultClass:
    faults = tuple(fault for group in groups for fault in group.faults)
    pairs = [pair for group in groups for pair in group.kept]
    kept = {(trace.path, trace.name) for trace, _ in pairs}
    trace, fault = min(pairs, key=lambda pair: (len(pair[1].kept), pair[1].index, pair[1].trace, pair[1].path))
    name = ", or ".join(map(str, explanation.causes)) or repr(groups[0].key)
    alike: dict[tuple[object, ...], tuple[Fault, ...]] = {}
    for group in groups:
        alike[group.key] = (*alike.get(group.key, ()), *group.faults)
    return FaultClass(
        hashlib.sha256(name.encode()).hexdigest()[:6],
        faults,
        fault,
        trace,
        examiner.find_other_explanations(trace, fault),
        explanation.causes,
        explanation.contradicted,
        compared if explanation.causes else 0,
        explanation.unrefuted,
        explanation.decisions,
        len(({(fault.path, fault.trace) for fault in faults} - kept).union(*(group.untried for group in groups)))
        if explanation.causes
        else 0,
        tuple(alike.values()),
        tuple(_split_equal(faults, examiner.timing)),
    )


def _split_equal(faults: Sequence[Fault], timing: Timing) -> Iterator[tuple[Fault, ...]]:
    explained = [(fault, fault.occasion) for fault in faults if fault.occasion is not None]
    for numbers in timing.group_equal([one for _, one in explained]):
        yield tuple(explained[number][0] for number in numbers)
