"""The plan of a diagnosis: which steps a study allows, in which order, why, and with which share of the budget.

A plan is made from what the study has (elements, fields, earlier runs, tables, a model) before anything is run. Each
step has the reason why it is taken; a step that is left out has one, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rootward.diagnosis.tuning import TUNING
from rootward.errors import InputError
from rootward.explanation import reasons
from rootward.explanation.reasons import Reason
from rootward.facts import Fact
from rootward.formats.parameters import parameters
from rootward.report.sentences import plan as sentences

if TYPE_CHECKING:
    from rootward.study import Study
    from rootward.study.sections import Data, PipelineGraph, Recordings

SHARES = {
    "triage": 0.0,
    "instrument": 0.0,
    "reproduce": 1.0,
    "find": 0.4,
    "reduce": 0.5,
    "order": 0.2,
    "triggers": 0.5,
    "rule": 0.6,
    "causes": 0.6,
    "others": 0.4,
    "rows": 0.8,
    "verify": 1.0,
}
"""The share of what is left of the budget when a step begins that it may use."""
REQUIRED = ("reproduce", "triage")


@dataclass(frozen=True)
class Planned:
    """A step that will be taken, or not, and why."""

    name: str
    why: Fact
    taken: bool = True


@dataclass(frozen=True)
class Plan:
    """The steps of a diagnosis, in order."""

    steps: tuple[Planned, ...]

    @classmethod
    def of(cls, study: Study, *, skip: Collection[str] = ()) -> Plan:
        """The plan for a study. ``skip``: steps that the user does not want.

        Only this looks at ``skip``: whoever wants to know later whether a step is taken asks the plan.
        """
        if unknown := sorted(set(skip) - set(SHARES)):
            raise InputError(f"there is no step {unknown[0]!r}: the steps are {', '.join(SHARES)}")
        if needed := [name for name in REQUIRED if name in skip]:
            raise InputError(f"the step {needed[0]} cannot be left out: everything rests on it")
        steps = list(_steps(study))
        if not any(step.taken for step in steps if step.name not in ("reproduce", "verify")):
            raise InputError(
                f"{study.path} has nothing that could be varied: a diagnosis needs [fields] or [interface], "
                "[elements], [history] or [data]; or [traces], which are only looked at"
            )
        if "find" in skip and steps[0].name == "find" and study.history is None:
            raise InputError("the step find cannot be left out: no failing configuration is given")
        return cls(tuple(_unless(step, skip) for step in steps))

    def __contains__(self, name: object) -> bool:
        return any(step.name == name and step.taken for step in self.steps)

    def why(self, name: str, *, after: str = "") -> Fact | None:
        """Why that step is taken; of several, the first one after another step."""
        names = [step.name for step in self.steps]
        first = names.index(after) if after in names else 0
        return next((step.why for step in self.steps[first:] if step.name == name), None)

    def share(self, name: str) -> float:
        """Which part of what is left of the budget the step may use: nothing is kept after the last one."""
        last = next((step.name for step in reversed(self.steps) if step.taken), name)
        return 1.0 if name == last else SHARES[name]

    def to_dict(self) -> dict[str, Any]:
        steps = [{"name": one.name, "why": sentences.reason(one.why), "taken": one.taken} for one in self.steps]
        return {"steps": steps}

    def __str__(self) -> str:
        shares = (self.share(step.name) if step.taken else None for step in self.steps)
        return sentences.plan([(step.name, share, step.why) for step, share in zip(self.steps, shares, strict=True)])


def _unless(step: Planned, skip: Collection[str]) -> Planned:
    return Planned(step.name, Reason.NOT_WANTED, taken=False) if step.name in skip and step.taken else step


def _steps(study: Study) -> Iterator[Planned]:
    fields = 0 if study.space is None else len(study.space)
    if study.traces is not None:
        yield from _of_traces(study.traces)
    elif study.elements is not None:
        yield from _of_elements(study)
    elif study.history is not None:
        if study.pipeline is not None:
            yield _of_pipeline(study.pipeline)
        yield from _of_settings(fields)
    elif study.space is not None:
        yield from _of_fields(study, fields)
    elif study.data is not None:
        yield from _of_rows(study.data)
        return
    if study.data is not None:
        yield from _of_named(study, study.data)


def _of_elements(study: Study) -> Iterator[Planned]:
    assert study.elements is not None
    noun = getattr(study.elements, "noun", "element")
    yield Planned("reproduce", Reason.FAILS)
    yield Planned("reduce", reasons.Needed(len(study.elements), noun))
    inner = parameters(study.elements, range(len(study.elements)))
    if inner is not None and study.space is not None:
        inner.meant(study.space)  # a name that no element has is told before anything is run
    if inner is None:
        yield Planned("rule", reasons.NoValues(noun), taken=False)
        return
    yield Planned("order", reasons.InOrder(noun))
    yield Planned("triggers", reasons.ValuesMatter(noun, TUNING.few_fields))
    yield Planned("rule", reasons.ValuesFail(noun))
    yield Planned("others", Reason.OTHER_REASON)
    yield Planned("verify", Reason.UNSEEN_RUNS)


def _of_pipeline(pipeline: PipelineGraph) -> Planned:
    return Planned("instrument", reasons.WhereToCheck(len(pipeline.graph.nodes), bool(pipeline.checks)))


def _of_settings(fields: int) -> Iterator[Planned]:
    yield Planned("find", Reason.NO_FAILURE_BEFORE)
    yield Planned("reproduce", Reason.FAILS_AGAIN)
    yield Planned("causes", reasons.Combinations(fields))
    yield Planned("verify", Reason.UNSEEN_RUNS)


def _of_fields(study: Study, fields: int) -> Iterator[Planned]:
    if study.failing is None:
        yield Planned("find", Reason.NO_FAILURE_GIVEN)
    yield Planned("reproduce", Reason.FAILS)
    few = fields <= TUNING.few_fields
    yield Planned("triggers", reasons.FieldsMatter(fields, few=few), taken=not few)
    yield Planned("rule", Reason.CONDITION)
    yield Planned("others", Reason.ELSEWHERE)
    yield Planned("verify", Reason.UNSEEN_FIELDS)


def _of_rows(data: Data) -> Iterator[Planned]:
    yield Planned("reproduce", reasons.FailsWith(data.bad))
    yield Planned("rows", reasons.RowsMatter(data.good[0]))
    yield Planned("verify", reasons.BothWays(data.good[0]))


def _of_named(study: Study, data: Data) -> Iterator[Planned]:
    """The rows of a table that settings name."""
    if study.elements is not None:
        yield Planned("rows", Reason.ELEMENTS_FIRST, taken=False)
        return
    names = data.fields(study.space) if study.space is not None else ()
    if not names:
        yield Planned("rows", reasons.NotNamed(data.bad), taken=False)
        return
    yield Planned("rows", reasons.RowsMatter(data.good[0], data.bad))
    yield Planned("verify", reasons.BothWays(data.good[0]))


def _of_traces(traces: Recordings) -> Iterator[Planned]:
    yield Planned("triage", reasons.Departures(len(traces)))
