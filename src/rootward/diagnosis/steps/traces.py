"""Find the causes for which recordings depart from a model. Nothing is run.

Each fault class is a separate failure, and its cause is the explanation. That a recording departs from the model is
proved. That it behaves "as if" the model were changed in one place is certain only if this change was tried on every
recording of the class, and if no other change explains as much.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

from rootward.diagnosis.plan import Plan
from rootward.errors import InputError
from rootward.explanation.diagnosis import Departure, Diagnosis, Explanation, Step
from rootward.explanation.facts import CutShort, Gap, Result, TriageNotes, TriedOnSome, Unproved
from rootward.facts import Fact
from rootward.study import Study
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.output.words import fault_headline
from rootward.traces.triage import Listener, Triage, triage


def examine(
    study: Study, plan: Plan, *, jobs: int = 1, executor: Executor | None = None, on_event: Listener | None = None
) -> Diagnosis:
    """Explain why recordings depart from the model of the study."""
    assert study.traces is not None
    found = triage(study.traces.model, study.traces, jobs=jobs, executor=executor, on_event=on_event)
    if found.blind:
        raise InputError(f"no trace could be judged; the first: {found.unjudged[0].reason}")
    return Diagnosis(
        study=study.name,
        explanations=tuple(_explain_class(one, found) for one in found.classes),
        steps=(Step("triage", plan.why("triage"), (Result.FOUND,), found, found.complete),),
        notes=(TriageNotes(found),),
        complete=found.complete,
        stopped=found.stopped,
    )


def _explain_class(one: FaultClass, found: Triage) -> Explanation:
    unknown = [] if found.complete else [CutShort("triage")]
    return Explanation(
        f"{fault_headline(one.representative)} [{one.id}]",
        details=(Departure(fault=one),),
        unknown=(*unknown, *_find_unknown(one)),
    )


def _find_unknown(one: FaultClass) -> Iterator[Fact]:
    """Yield facts about what the evidence leaves open."""
    if unproved := sum(not fault.checked for fault in one.faults):
        yield Unproved(unproved)
    if not one.causes:
        yield Gap.NO_CHANGE
    elif len(one.causes) > 1:
        yield Gap.SEVERAL_CHANGES
    if one.untried:
        yield TriedOnSome(one.traces - one.untried, one.traces)
