"""The plan of a diagnosis: the steps that a study allows, in order, each with its reason and its share of the budget.

A plan is made from the parts of the study (elements, fields, earlier runs, tables, a model) before anything is run.
Each step has the reason why it is taken or left out.
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
    from rootward.study.sections import DataVersions, PipelineGraph, Recordings

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
    "simplify": 0.2,
    "rows": 0.8,
    "verify": 1.0,
}
"""The share of the remaining budget that each step may use when it begins."""
REQUIRED = ("reproduce", "triage")


@dataclass(frozen=True)
class PlannedStep:
    """A step that is taken or left out, with the reason."""

    name: str
    why: Fact
    taken: bool = True


@dataclass(frozen=True)
class Plan:
    """The steps of a diagnosis, in order."""

    steps: tuple[PlannedStep, ...]

    @classmethod
    def of(cls, study: Study, *, skip: Collection[str] = ()) -> Plan:
        """Make the plan for a study. ``skip``: steps that the user does not want.

        Only this method looks at ``skip``. All other code asks the plan if a step is taken.
        """
        if unknown := sorted(set(skip) - set(SHARES)):
            raise InputError(f"there is no step {unknown[0]!r}: the steps are {', '.join(SHARES)}")
        if needed := [name for name in REQUIRED if name in skip]:
            raise InputError(f"the step {needed[0]} cannot be skipped: all other steps depend on it")
        steps = list(_plan_study(study))
        if not any(step.taken for step in steps if step.name not in ("reproduce", "verify")):
            raise InputError(
                f"{study.path} has nothing that can be varied: add [fields], [interface], [elements], [history] or "
                "[data]; or [traces], which are examined without running anything"
            )
        if "find" in skip and steps[0].name == "find" and study.history is None:
            raise InputError("the step find cannot be skipped: the study has no failing configuration")
        return cls(tuple(_apply_skip(step, skip) for step in steps))

    def __contains__(self, name: object) -> bool:
        return any(step.name == name and step.taken for step in self.steps)

    def why(self, name: str, *, after: str = "") -> Fact | None:
        """Return the reason for the step with this name.

        If there are several, the first is meant. With ``after``, it is the first one that comes after the step
        ``after``.
        """
        names = [step.name for step in self.steps]
        first = names.index(after) if after in names else 0
        return next((step.why for step in self.steps[first:] if step.name == name), None)

    def share(self, name: str) -> float:
        """Return the share of the remaining budget that the step may use; the last step may use all of it."""
        last = next((step.name for step in reversed(self.steps) if step.taken), name)
        return 1.0 if name == last else SHARES[name]

    def to_dict(self) -> dict[str, Any]:
        steps = [{"name": one.name, "why": sentences.reason(one.why), "taken": one.taken} for one in self.steps]
        return {"steps": steps}

    def __str__(self) -> str:
        shares = (self.share(step.name) if step.taken else None for step in self.steps)
        return sentences.plan([(step.name, share, step.why) for step, share in zip(self.steps, shares, strict=True)])


def _apply_skip(step: PlannedStep, skip: Collection[str]) -> PlannedStep:
    return PlannedStep(step.name, Reason.NOT_WANTED, taken=False) if step.name in skip and step.taken else step


def _plan_study(study: Study) -> Iterator[PlannedStep]:
    fields = 0 if study.space is None else len(study.space)
    if study.traces is not None:
        yield from _plan_traces(study.traces)
    elif study.elements is not None:
        yield from _plan_elements(study)
    elif study.history is not None:
        if study.pipeline is not None:
            yield _plan_check(study.pipeline)
        yield from _plan_settings(fields)
    elif study.space is not None:
        yield from _plan_fields(study, fields)
    elif study.data is not None:
        yield from _plan_rows(study.data)
        return
    if study.data is not None:
        yield from _plan_named_table(study, study.data)


def _plan_elements(study: Study) -> Iterator[PlannedStep]:
    assert study.elements is not None
    noun = getattr(study.elements, "noun", "element")
    yield PlannedStep("reproduce", Reason.FAILS)
    yield PlannedStep("reduce", reasons.Needed(len(study.elements), noun))
    inner = parameters(study.elements, range(len(study.elements)))
    if inner is not None and study.space is not None:
        inner.match_fields(study.space)  # an unknown name is reported before anything is run
    if inner is None:
        yield PlannedStep("rule", reasons.NoValues(noun), taken=False)
        return
    yield PlannedStep("order", reasons.InOrder(noun))
    yield PlannedStep("triggers", reasons.ValuesMatter(noun, TUNING.few_fields))
    yield PlannedStep("rule", reasons.ValuesFail(noun))
    yield PlannedStep("others", Reason.OTHER_REASON)
    yield PlannedStep("verify", Reason.UNSEEN_RUNS)


def _plan_check(pipeline: PipelineGraph) -> PlannedStep:
    return PlannedStep("instrument", reasons.WhereToCheck(len(pipeline.graph.nodes), bool(pipeline.checks)))


def _plan_settings(fields: int) -> Iterator[PlannedStep]:
    yield PlannedStep("find", Reason.NO_FAILURE_BEFORE)
    yield PlannedStep("reproduce", Reason.FAILS_AGAIN)
    yield PlannedStep("causes", reasons.Combinations(fields))
    yield PlannedStep("verify", Reason.UNSEEN_RUNS)


def _plan_fields(study: Study, fields: int) -> Iterator[PlannedStep]:
    if study.failing is None:
        yield PlannedStep("find", Reason.NO_FAILURE_GIVEN)
    yield PlannedStep("reproduce", Reason.FAILS)
    few = fields <= TUNING.few_fields
    yield PlannedStep("triggers", reasons.FieldsMatter(fields, few=few), taken=not few)
    yield PlannedStep("rule", Reason.CONDITION)
    yield PlannedStep("others", Reason.ELSEWHERE)
    yield PlannedStep("simplify", Reason.SIMPLEST)
    yield PlannedStep("verify", Reason.UNSEEN_FIELDS)


def _plan_rows(data: DataVersions) -> Iterator[PlannedStep]:
    yield PlannedStep("reproduce", reasons.FailsWith(data.bad))
    yield PlannedStep("rows", reasons.RowsMatter(data.good[0]))
    yield PlannedStep("verify", reasons.BothWays(data.good[0]))


def _plan_named_table(study: Study, data: DataVersions) -> Iterator[PlannedStep]:
    """Plan the search for rows of a table that settings name."""
    if study.elements is not None:
        yield PlannedStep("rows", Reason.ELEMENTS_FIRST, taken=False)
        return
    names = data.fields(study.space) if study.space is not None else ()
    if not names:
        yield PlannedStep("rows", reasons.NotNamed(data.bad), taken=False)
        return
    yield PlannedStep("rows", reasons.RowsMatter(data.good[0], data.bad))
    yield PlannedStep("verify", reasons.BothWays(data.good[0]))


def _plan_traces(traces: Recordings) -> Iterator[PlannedStep]:
    yield PlannedStep("triage", reasons.Departures(len(traces)))
