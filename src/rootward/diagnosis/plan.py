"""The plan of a diagnosis: which steps a study allows, in which order, why, and with which share of the budget.

A plan is made from what the study has (elements, fields, earlier runs, tables, a model) before anything is run. Each
step says why it is taken, in words for the person who will read the report; a step that is left out says why, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rootward.diagnosis.tuning import TUNING
from rootward.errors import InputError
from rootward.formats.parameters import parameters
from rootward.words import count

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
REPAIRED = "Does it pass every time with these repaired, and does {} fail with them alone?"


@dataclass(frozen=True)
class Planned:
    """A step that will be taken, or not, and why."""

    name: str
    why: str
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

    def why(self, name: str, *, after: str = "") -> str:
        """Why that step is taken; of several, the first one after another step."""
        names = [step.name for step in self.steps]
        first = names.index(after) if after in names else 0
        return next((step.why for step in self.steps[first:] if step.name == name), "")

    def share(self, name: str) -> float:
        """Which part of what is left of the budget the step may use: nothing is kept after the last one."""
        last = next((step.name for step in reversed(self.steps) if step.taken), name)
        return 1.0 if name == last else SHARES[name]

    def __str__(self) -> str:
        width = max(len(step.name) for step in self.steps)
        lines = [f"  {step.name:<{width}}  {self._part(step)}  {step.why}" for step in self.steps]
        return "\n".join(["The steps, and how much of what is then left of the budget each may use:", *lines])

    def _part(self, step: Planned) -> str:
        return f"{self.share(step.name):>4.0%}" if step.taken else " out"


def _unless(step: Planned, skip: Collection[str]) -> Planned:
    return Planned(step.name, "You do not want it.", taken=False) if step.name in skip and step.taken else step


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
    total = count(len(study.elements), noun)
    yield Planned("reproduce", "Does it fail, and every time?")
    yield Planned("reduce", f"There are {total}: which of them are needed to fail?")
    inner = parameters(study.elements, range(len(study.elements)))
    if inner is not None and study.space is not None:
        inner.meant(study.space)  # a name that no element has is told before anything is run
    if inner is None:
        yield Planned("rule", f"The {noun}s hold no values that could be varied.", taken=False)
        return
    yield Planned("order", f"Of the {noun}s that are left, does their order matter?")
    few = TUNING.few_fields
    yield Planned("triggers", f"If the {noun}s that are left hold more than {few} values: which of these matter?")
    yield Planned("rule", f"For which values inside of the {noun}s that are left does it fail?")
    yield Planned("others", "Does it also fail for another reason?")
    yield Planned("verify", "Is that true of runs that have not been seen?")


def _of_pipeline(pipeline: PipelineGraph) -> Planned:
    nodes = count(len(pipeline.graph.nodes), "node")
    why = f"The graph of the pipeline is known: after which of its {nodes} does a check tell most?"
    then = "The subject has checks, so the causes before one and behind it are searched for one after the other."
    return Planned("instrument", f"{why} {then}" if pipeline.checks else f"{why} Nothing is run for it.")


def _of_settings(fields: int) -> Iterator[Planned]:
    yield Planned("find", "If none of the earlier runs failed: with which settings does it fail?")
    yield Planned("reproduce", "Does a run that failed fail again, and every time?")
    yield Planned("causes", f"There are earlier runs with {count(fields, 'setting')}: which combinations always fail?")
    yield Planned("verify", "Is that true of runs that have not been seen?")


def _of_fields(study: Study, fields: int) -> Iterator[Planned]:
    if study.failing is None:
        yield Planned("find", "No failing configuration is given: one is looked for.")
    yield Planned("reproduce", "Does it fail, and every time?")
    if fields > TUNING.few_fields:
        yield Planned("triggers", f"There are {count(fields, 'field')}: which of them matter, and with which values?")
    else:
        yield Planned(
            "triggers", f"There are only {count(fields, 'field')}: all can be looked at at once.", taken=False
        )
    yield Planned("rule", "Under which exact condition on the fields that matter does it fail?")
    yield Planned("others", "Does it also fail elsewhere, for another reason?")
    yield Planned("verify", "Is that true of runs that have not been seen, whatever the fields that do not matter?")


def _of_rows(data: Data) -> Iterator[Planned]:
    yield Planned("reproduce", f"Does it fail with {data.bad}, and every time?")
    good = data.good[0]
    yield Planned("rows", f"{good} is a good version: which rows and cells have to be as in there for it to pass?")
    yield Planned("verify", REPAIRED.format(good))


def _of_named(study: Study, data: Data) -> Iterator[Planned]:
    """The rows of a table that settings name."""
    if study.elements is not None:
        yield Planned("rows", "There are elements, and these come first: the table is not looked into.", taken=False)
        return
    names = data.fields(study.space) if study.space is not None else ()
    if not names:
        yield Planned("rows", f"No field has {data.bad} among its values: the table is not looked into.", taken=False)
        return
    good = data.good[0]
    which = "which of its rows and cells have to be as in there for it to pass?"
    yield Planned("rows", f"{good} is a good version of {data.bad}: with settings with which it fails, {which}")
    yield Planned("verify", REPAIRED.format(good))


def _of_traces(traces: Recordings) -> Iterator[Planned]:
    many = count(len(traces), "recording")
    why = f"There is a model, and {many}: where do they depart from it, and for which few causes? Nothing is run."
    yield Planned("triage", why)
