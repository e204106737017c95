"""From recordings and a model to the causes for which they depart from it: nothing is run.

Each class of faults is a failure of its own, and its cause is the explanation. That a recording departs from the model
is proved. That it behaves "as if" the model were changed in one place is certain only if every recording of the class
was held against that change, and if no other change explains as much.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from rootward.diagnosis.diagnosis import Diagnosis, Explanation, Step
from rootward.diagnosis.facts import Gap, Told, TriedOnSome, Unended, Unproved
from rootward.diagnosis.plan import Plan
from rootward.errors import InputError
from rootward.search.finding import Finding
from rootward.study import Study
from rootward.traces.grouping.classify import EXAMPLES, FaultClass
from rootward.traces.output.text import described, headline, notes
from rootward.traces.output.words import cause, fault_headline
from rootward.traces.triage import Listener, Triage, triage


@dataclass(frozen=True, kw_only=True)
class Departure(Finding):
    """One cause for which recordings depart from a model."""

    fault: FaultClass = field(repr=False)

    def answer(self) -> dict[str, Any]:
        return {"id": self.fault.id, "cause": cause(self.fault), "traces": self.fault.traces}

    def __str__(self) -> str:
        return "\n".join([f"{cause(self.fault)}.", *(f"  {line}" for line in described(self.fault))])


def examine(
    study: Study, plan: Plan, *, jobs: int = 1, executor: Executor | None = None, on_event: Listener | None = None
) -> Diagnosis:
    """Why recordings depart from the model of the study."""
    assert study.traces is not None
    found = triage(study.traces.model, study.traces, jobs=jobs, executor=executor, on_event=on_event)
    if found.blind:
        raise InputError(f"no trace could be judged; the first: {found.unjudged[0].reason}")
    said = headline(found).rstrip(":.") + "."
    return Diagnosis(
        study=study.name,
        explanations=tuple(_explained(one, found) for one in found.classes),
        steps=(Step("triage", plan.why("triage"), said, found, found.complete),),
        notes=tuple(notes(found)),
        complete=found.complete,
        stopped=found.stopped,
    )


def _explained(one: FaultClass, found: Triage) -> Explanation:
    unknown = [] if found.complete else [Unended("triage")]
    return Explanation(
        f"{fault_headline(one.representative)} [{one.id}]",
        details=(Departure(fault=one),),
        unknown=(*unknown, *_unknown(one)),
    )


def _unknown(one: FaultClass) -> Iterator[Told]:
    """What the evidence leaves open."""
    if unproved := sum(not fault.checked for fault in one.faults):
        yield Unproved(unproved)
    if not one.causes:
        yield Gap.NO_CHANGE
    elif len(one.causes) > 1:
        yield Gap.SEVERAL_CHANGES
    most = max((len({(fault.trace, fault.path) for fault in group}) for group in one.groups), default=0)
    if one.causes and most > EXAMPLES:
        yield TriedOnSome(EXAMPLES, most)
