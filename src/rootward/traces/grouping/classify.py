"""Which faults have the same cause (section 5, and beyond).

Faults are alike if the same component, where it was, did not allow the same kind of step, and the same edges of the
model had last written what that relies on. Groups of such faults have one cause if one change of the model explains all
of them. What no change explains stays as it is.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rootward.traces.event import Trace
from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.cover import cover
from rootward.traces.grouping.equivalence.timing import Timing

EXAMPLES = 3
"""So many traces of a group are kept, and have to conform to a change that is said to explain it."""


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
    merged: dict[tuple[str, ...], list[Group]] = defaultdict(list)
    for place, group in enumerate(some):
        merged[chosen.get(place) or (f"\0{place}",)].append(group)
    found = [
        _class("" if names[0].startswith("\0") else ", or ".join(names), parts, examiner)
        for names, parts in merged.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.traces, one.id)))


def _class(cause: str, groups: Sequence[Group], examiner: Examiner) -> FaultClass:
    faults = tuple(fault for group in groups for fault in group.faults)
    pairs = (pair for group in groups for pair in group.kept)
    trace, fault = min(pairs, key=lambda pair: (len(pair[1].kept), pair[1].index, pair[1].trace, pair[1].path))
    name = cause or repr(groups[0].key)
    return FaultClass(
        hashlib.sha256(name.encode()).hexdigest()[:6],
        faults,
        fault,
        trace,
        examiner.others(trace, fault),
        cause,
        tuple(tuple(group.faults) for group in groups),
        tuple(_equal(faults, examiner.timing)),
    )


def _equal(faults: Sequence[Fault], timing: Timing) -> Iterator[tuple[Fault, ...]]:
    explained = [(fault, fault.occasion) for fault in faults if fault.occasion is not None]
    for numbers in timing.equal([one for _, one in explained]):
        yield tuple(explained[number][0] for number in numbers)
