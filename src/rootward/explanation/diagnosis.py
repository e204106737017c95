"""The diagnosis: for each failure its causes, the evidence for them, and the contribution of each step.

A diagnosis is a finding made of findings. It reads like a bug report: what fails, under which exact condition, an
example, the certainty and the cost. Whatever was not found out is stated next to what was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.explanation.facts import Check, FoundWith
from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.search.finding import Finding, presenter_of
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.rows.patch import PatchedSettings
from rootward.space.values import to_json

if TYPE_CHECKING:
    from rootward.traces.grouping.classify import FaultClass

REPRODUCER, TEST = "reproducer", "test"
UNMEASURED = Estimate(math.nan, 0.0, 1.0)


def presenter() -> Any:
    """Return the presenter that turns a diagnosis, and each part of it, into words."""
    return presenter_of("diagnosis")


@dataclass(frozen=True)
class Step:
    """One step: the reason for it, its result, and its cost."""

    name: str
    why: Fact | None
    results: tuple[Fact, ...] = ()
    """The results; empty while the step is running."""
    finding: Finding | None = None
    complete: bool = True
    """False if the step was ended early, for example by its share of the budget."""
    trials: int = field(default=0, compare=False)
    """Number of trials that this step was the first to need."""
    seconds: float | None = field(default=None, compare=False)
    """Total duration of the trials counted for this step."""
    keys: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The keys of the candidates that this step was the first to ask for."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "why": presenter().step_reason(self),
            "said": presenter().step_result(self),
            "condition": presenter().step_condition(self),
            "complete": self.complete,
            "trials": self.trials,
            "seconds": self.seconds,
            "finding": None if self.finding is None else self.finding.to_dict(),
        }


@dataclass(frozen=True)
class FailureCause:
    """One condition under which the failure occurs, independently of the other causes."""

    rule: Rule
    example: Mapping[str, Any]
    """A configuration that failed for this cause."""
    fails: int = field(default=0, compare=False)
    """Number of trials inside of the condition that failed."""
    runs: int = field(default=0, compare=False)
    """Number of trials inside of the condition, including fresh ones."""
    border: tuple[EdgePair, ...] = field(default=(), compare=False)
    """Runs on either side of the border, which differ from the example in one field."""
    open: tuple[Fact, ...] = ()
    """Facts about what is not known about this cause."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": str(self.rule),
            "rule": self.rule.to_dict(),
            "python": self.rule.to_python_function(),
            "example": {name: to_json(value) for name, value in self.example.items()},
            "fails": self.fails,
            "runs": self.runs,
            "open": presenter().sentences(self.open),
        }


def claim_of(causes: Iterable[FailureCause]) -> Rule:
    """Return the rule that holds where at least one of the causes holds."""
    return Rule.of_terms(term for cause in causes for term in cause.rule.terms)


@dataclass(frozen=True)
class Explanation:
    """The explanation of one failure."""

    signature: str | None = None
    error: str = field(default="", compare=False, kw_only=True)
    """The last lines of the error text of a run with this failure; empty if it has none."""
    rate: Estimate = field(default=UNMEASURED, compare=False)
    """The share of runs in which a failing candidate fails, measured on repeated runs."""
    failing: Any = None
    """The smallest candidate that was found to fail."""
    show: Callable[[Mapping[str, Any]], Any] = field(default=dict, compare=False, repr=False)
    """Converts a configuration that the causes are about into a candidate: itself, or elements with these values."""
    reduction: Reduction[Any] | None = None
    """The elements that are needed to fail."""
    names: tuple[str, ...] = ()
    """The names that the causes use for the needed elements, if they are about values inside of them."""
    order: tuple[Fact, ...] = ()
    """Facts about the order of the needed elements."""
    causes: tuple[FailureCause, ...] = ()
    relevant: tuple[str, ...] = ()
    """The fields that matter."""
    of: int = 0
    """The number of all fields."""
    check: Check | None = None
    approximate: bool = False
    """True if no simple condition was found, and the causes only approximate it."""
    hidden: int = field(default=0, compare=False)
    """Number of runs where the causes hold that failed in another way, which hides this failure."""
    details: tuple[Finding, ...] = ()
    """Findings that are not conditions: rows, fault classes."""
    settings: Mapping[str, Any] | None = None
    """The settings used to search for rows, if some of them name the table."""
    seen: tuple[Fact, ...] = field(default=(), compare=False)
    """Facts that fresh runs showed."""
    unknown: tuple[Fact, ...] = ()
    """Facts about what is not known."""

    @property
    def rule(self) -> Rule:
        return claim_of(self.causes)

    @property
    def certain(self) -> bool:
        """True if the explanation was tested and nothing is known to be open.

        With causes: fresh runs that could have refuted the causes did not, or the whole space was run and agrees with
        them. Without causes: there is another result.
        """
        if self.approximate:
            return False
        if self.check is None:
            return bool(self.details or self.reduction) and not self.causes and not self.unknown
        held = self.check.whole or (self.check.runs and not self.check.refuting)
        return bool(self.causes and held and not self.unknown)

    @property
    def because(self) -> FoundWith | None:
        """The finding about the table that the failing settings name; None if there is no such finding."""
        if not self.details or self.settings is None:
            return None
        return FoundWith(self.settings, self.relevant, self.details[0])

    def headline(self) -> str:
        """Return one sentence that says under which condition the system fails."""
        return str(presenter().headline(self))

    def __str__(self) -> str:
        return str(presenter().explanation_text(self))

    def to_dict(self, study: str = "") -> dict[str, Any]:
        """Return the explanation as plain data; ``study``: the name of the study."""
        sentences = presenter().sentences
        return {
            "signature": self.signature,
            "error": self.error,
            "rate": _estimate(self.rate),
            "headline": self.headline(),
            "named": presenter().headline(self, study),
            "certain": self.certain,
            "approximate": self.approximate,
            "hidden": self.hidden,
            "failing": _configuration_data(self.failing),
            "kept": None if self.reduction is None else self.reduction.answer()["kept"],
            "noun": None if self.reduction is None else self.reduction.selection.elements.noun,
            "elements": None if self.reduction is None else len(self.reduction.selection.elements),
            "names": list(self.names),
            "order": sentences(self.order),
            "causes": [cause.to_dict() for cause in self.causes],
            "rule": self.rule.to_dict(),
            "python": self.rule.to_python_function(),
            "relevant": list(self.relevant),
            "of": self.of,
            "check": None if self.check is None else _check(self.check),
            "because": presenter().reason_text(self),
            "details": presenter().detail_lines(self),
            "seen": sentences(self.seen),
            "unknown": sentences(self.unknown),
        }


@dataclass(frozen=True, kw_only=True)
class Departure(Finding):
    """One fault class: a reason why recordings depart from a model."""

    fault: FaultClass = field(repr=False)

    def answer(self) -> dict[str, Any]:
        return {"id": self.fault.id, "cause": presenter_of(self.kind).cause(self), "traces": self.fault.traces}


@dataclass(frozen=True)
class Artifact:
    """A file of a diagnosis, or a command without a file.

    The file is the smallest input that fails, or the regression test. A person must be able to use the artifact without
    asking. So it has the command to type, and the result of running this command. If the command was not run, the
    artifact says so.
    """

    kind: str
    """``reproducer`` or ``test``."""
    name: str = ""
    """The name of the file; empty if there is none."""
    content: bytes = field(default=b"", repr=False)
    command: str = ""
    """The command to type in the folder of the study."""
    tried: Fact | None = None
    """The result of running the command, or the reason why there is none."""
    failure: int = 1
    """The number of the failure that it shows, counted from 1; a test is about all of them. 0 for a kept file."""
    kept: tuple[str | None, ...] = ()
    """For a file of an earlier diagnosis: the signatures of its failures that did not show again, or changed."""
    conditions: tuple[str | None, ...] = ()
    """For each of them a text that differs if the condition does; None if the earlier diagnosis was not complete."""

    @property
    def checked(self) -> str:
        """The result of running the command, in words."""
        return "" if self.tried is None else str(presenter().artifact_result(self.tried))

    @property
    def text(self) -> str:
        """The content, if it is text; otherwise empty."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            return ""

    def to_dict(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in ("kind", "name", "text", "command", "checked", "failure")}
        earlier = {"kept": list(self.kept), "conditions": list(self.conditions)}
        return {**values, **earlier, "bytes": len(self.content)}


@dataclass(frozen=True, kw_only=True)
class Diagnosis(Finding):
    """The failures of a system, each with its causes."""

    study: str = ""
    explanations: tuple[Explanation, ...] = ()
    steps: tuple[Step, ...] = field(default=(), compare=False)
    notes: tuple[Fact, ...] = field(default=(), compare=False)
    """Further facts that a reader should know."""
    artifacts: tuple[Artifact, ...] = field(default=(), compare=False)
    """The reproducers of the failures, and the regression test."""
    write: Callable[[Diagnosis, Path, bool], object] | None = field(default=None, compare=False, repr=False)
    """Writes the diagnosis into a folder, with reproducers and a test; if the last argument is True, runs them, too."""

    @property
    def rule(self) -> Rule:
        """The rule that holds where at least one cause of any failure holds."""
        return Rule.of_terms(term for one in self.explanations for term in one.rule.terms)

    @property
    def certain(self) -> bool:
        return self.complete and bool(self.explanations) and all(one.certain for one in self.explanations)

    def save(self, folder: str | Path, *, check: bool = True) -> Path:
        """Write the diagnosis into a folder, and return the folder.

        Besides the files of every finding, the folder gets the text of an issue (``issue.md``), the smallest input that
        fails, and a test for pytest that fails until the fault is fixed. ``check``: also run the input and the test, to
        see that they fail.
        """
        if self.write is None:
            return super().save(folder)
        self.write(self, Path(folder), check)
        return Path(folder)

    def answer(self) -> dict[str, Any]:
        return {
            "study": self.study,
            "certain": self.certain,
            "explanations": [one.to_dict(self.study) for one in self.explanations],
            "rule": self.rule.to_dict(),
            "steps": [step.to_dict() for step in self._add_seconds(self.taken)],
            "notes": presenter().sentences(self.notes),
            "artifacts": [artifact.to_dict() for artifact in self.artifacts],
        }

    @property
    def taken(self) -> Sequence[Step]:
        """The steps that were taken.

        If the diagnosis was ended within a step, the last question of this step was never answered, and its trials were
        not counted. So all trials that no other step needed are counted for this step.
        """
        if not self.steps or self.steps[-1].results or self.complete:
            return self.steps
        *others, last = self.steps
        return [*others, replace(last, trials=max(last.trials, self.trials - sum(step.trials for step in others)))]

    def _add_seconds(self, steps: Sequence[Step]) -> Sequence[Step]:
        """Return the steps with the duration of their trials, if the lab has stored the trials.

        A step whose runs are stored under the name of another step has no duration.
        """
        if self.evidence is None or not any(step.keys for step in steps):
            return steps
        step_of = {key: i for i, step in reversed([*enumerate(steps)]) for key in step.keys}
        seconds: list[float | None] = [None if step.trials else 0.0 for step in steps]
        for row in self.evidence.trials():
            if (i := step_of.get(row["key"])) is not None:
                seconds[i] = (seconds[i] or 0.0) + row["seconds"]
        return [replace(step, seconds=took) for step, took in zip(steps, seconds, strict=True)]


def _estimate(estimate: Estimate) -> dict[str, Any]:
    value, low, high = estimate
    return {"value": None if math.isnan(value) else value, "low": low, "high": high}


def _check(check: Check) -> dict[str, Any]:
    return {
        "said": presenter().check_details(check),
        "runs": check.runs,
        **{name: {"fails": k, "runs": n} for name, (k, n) in (("inside", check.inside), ("outside", check.outside))},
        "border": {"right": check.border[0], "runs": check.border[1]},
        "directed": {"right": check.directed[0], "runs": check.directed[1]},
        "max_missed": check.max_missed,
        "precision": _estimate(check.score.precision),
        "recall": _estimate(check.score.recall),
        "whole": check.whole,
        "refuting": [{name: to_json(value) for name, value in one.items()} for one in check.refuting],
    }


def _configuration_data(candidate: Any) -> Any:
    """Return a configuration as plain data; None for other candidates.

    The elements or rows of other candidates are given elsewhere in the data.
    """
    candidate = candidate.settings if isinstance(candidate, PatchedSettings) else candidate
    if isinstance(candidate, Mapping):
        return {name: to_json(value) for name, value in candidate.items()}
    return None
