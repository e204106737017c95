"""What a diagnosis says: for each failure its causes, what supports them, and what each step contributed.

A diagnosis is a finding made of findings. It reads like a bug report: what fails, when exactly, what shows it, how sure
that is and what it cost. What was not found out is said in the same breath as what was.
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
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.rows.patch import PatchedSettings
from rootward.space.values import to_json

if TYPE_CHECKING:
    from rootward.traces.grouping.classify import FaultClass

REPRODUCER, TEST = "reproducer", "test"
UNMEASURED = Estimate(math.nan, 0.0, 1.0)


def presenter() -> Any:
    """What turns a diagnosis, and each part of it, into words."""
    return presenter_of("diagnosis")


@dataclass(frozen=True)
class Step:
    """One step: why it was taken, what came out of it, and what it cost."""

    name: str
    why: Fact | None
    came_out: tuple[Fact, ...] = ()
    """What came out; nothing as yet while it goes on."""
    finding: Finding | None = None
    complete: bool = True
    """Whether it came to its end: a share of the budget may end it earlier."""
    trials: int = field(default=0, compare=False)
    """How many trials it was the first to need."""
    seconds: float | None = field(default=None, compare=False)
    """How long these took."""
    keys: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The candidates that it was the first to ask for."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "why": presenter().why(self),
            "said": presenter().came_out(self),
            "condition": presenter().condition_of(self),
            "complete": self.complete,
            "trials": self.trials,
            "seconds": self.seconds,
            "finding": None if self.finding is None else self.finding.to_dict(),
        }


@dataclass(frozen=True)
class Cause:
    """One condition under which it fails, independent of the others."""

    rule: Rule
    example: Mapping[str, Any]
    """A configuration that failed because of it."""
    fails: int = field(default=0, compare=False)
    """How many of the trials inside of it failed ..."""
    runs: int = field(default=0, compare=False)
    """... of so many; fresh ones included."""
    open: tuple[Fact, ...] = ()
    """What is not known about it."""

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


def claim_of(causes: Iterable[Cause]) -> Rule:
    """It fails where one of the causes holds."""
    return Rule.of_terms(term for cause in causes for term in cause.rule.terms)


@dataclass(frozen=True)
class Explanation:
    """Why one failure happens."""

    signature: str | None = None
    rate: Estimate = field(default=UNMEASURED, compare=False)
    """How often what fails does so, on runs that were repeated."""
    failing: Any = None
    """The smallest candidate that was found to fail."""
    show: Callable[[Mapping[str, Any]], Any] = field(default=dict, compare=False, repr=False)
    """The candidate that a configuration of the causes stands for: itself, or elements with these values."""
    reduction: Reduction[Any] | None = None
    """What is left of its elements."""
    names: tuple[str, ...] = ()
    """What the causes call each of these, if they speak of values inside of them."""
    order: tuple[Fact, ...] = ()
    """What is known about the order of what is left."""
    causes: tuple[Cause, ...] = ()
    relevant: tuple[str, ...] = ()
    """The fields that matter, of ..."""
    of: int = 0
    """... so many."""
    check: Check | None = None
    details: tuple[Finding, ...] = ()
    """What was found in another form than a condition: rows, fault classes."""
    settings: Mapping[str, Any] | None = None
    """With which rows were looked for, if there are settings that name the table."""
    seen: tuple[Fact, ...] = field(default=(), compare=False)
    """What fresh runs showed of that."""
    unknown: tuple[Fact, ...] = ()
    """What is not known."""

    @property
    def rule(self) -> Rule:
        return claim_of(self.causes)

    @property
    def certain(self) -> bool:
        """Whether there is a claim, fresh runs could have refuted it, none did, and nothing is known to be open; or
        everything was run, and did what it says."""
        if self.check is None:
            return bool(self.details or self.reduction) and not self.causes and not self.unknown
        tried = self.check.whole or (self.check.runs and not self.check.refuting)
        return bool(self.causes and tried and not self.unknown)

    @property
    def because(self) -> FoundWith | None:
        """What is behind the settings that fail, if that is known."""
        if not self.details or self.settings is None:
            return None
        return FoundWith(self.settings, self.relevant, self.details[0])

    def headline(self) -> str:
        """When it fails, in one sentence."""
        return str(presenter().headline(self))

    def __str__(self) -> str:
        return str(presenter().explanation(self))

    def to_dict(self, study: str = "") -> dict[str, Any]:
        """As plain data; ``study``: the name of what was diagnosed."""
        sentences = presenter().sentences
        return {
            "signature": self.signature,
            "rate": _estimate(self.rate),
            "headline": self.headline(),
            "named": presenter().headline(self, study),
            "certain": self.certain,
            "failing": _shown(self.failing),
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
            "because": presenter().because(self),
            "details": presenter().details(self),
            "seen": sentences(self.seen),
            "unknown": sentences(self.unknown),
        }


@dataclass(frozen=True, kw_only=True)
class Departure(Finding):
    """One cause for which recordings depart from a model."""

    fault: FaultClass = field(repr=False)

    def answer(self) -> dict[str, Any]:
        return {"id": self.fault.id, "cause": presenter_of(self.kind).cause(self), "traces": self.fault.traces}


@dataclass(frozen=True)
class Artifact:
    """A file that goes with a diagnosis: the smallest input that fails, or the test for the fault; or a command alone.

    Whoever gets it must be able to use it without asking. So it comes with the command that a person types, and with
    what came of typing it: an artifact that nobody has tried says so.
    """

    kind: str
    """``reproducer`` or ``test``."""
    name: str = ""
    """The name of the file; empty if there is none."""
    content: bytes = field(default=b"", repr=False)
    command: str = ""
    """What a person types in the folder of the study."""
    tried: Fact | None = None
    """What came of that, or why there is nothing to type."""
    failure: int = 1
    """Which of the failures it shows, counted from 1; a test is about all of them."""

    @property
    def checked(self) -> str:
        """What came of typing the command, in words."""
        return "" if self.tried is None else str(presenter().tried(self.tried))

    @property
    def text(self) -> str:
        """What it holds, if that is text."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            return ""

    def to_dict(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in ("kind", "name", "text", "command", "checked", "failure")}
        return {**told, "bytes": len(self.content)}


@dataclass(frozen=True, kw_only=True)
class Diagnosis(Finding):
    """Why a system fails: each failure with its causes."""

    study: str = ""
    explanations: tuple[Explanation, ...] = ()
    steps: tuple[Step, ...] = field(default=(), compare=False)
    notes: tuple[Fact, ...] = field(default=(), compare=False)
    """What else a person should know."""
    artifacts: tuple[Artifact, ...] = field(default=(), compare=False)
    """What reproduces the failures, and the test for them."""
    write: Callable[[Diagnosis, Path, bool], object] | None = field(default=None, compare=False, repr=False)
    """Writes it into a folder, with what is made of its study: a reproducer and a test. True: run these as well."""

    @property
    def rule(self) -> Rule:
        """It fails where one of the causes of any failure holds."""
        return Rule.of_terms(term for one in self.explanations for term in one.rule.terms)

    @property
    def certain(self) -> bool:
        return self.complete and bool(self.explanations) and all(one.certain for one in self.explanations)

    def save(self, folder: str | Path, *, check: bool = True) -> Path:
        """Write the diagnosis into a folder: what every finding saves, the text of an issue (``issue.md``), the
        smallest input that fails, and a test for pytest that fails until the fault is mended. ``check``: run these two
        as well, to see that they fail. Returns the folder."""
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
            "steps": [step.to_dict() for step in self._timed(self.taken)],
            "notes": presenter().sentences(self.notes),
            "artifacts": [artifact.to_dict() for artifact in self.artifacts],
        }

    @property
    def taken(self) -> Sequence[Step]:
        """The steps. To the one in which it was ended belongs what no other has needed: no answer came to count it."""
        if not self.steps or self.steps[-1].came_out or self.complete:
            return self.steps
        *others, last = self.steps
        return [*others, replace(last, trials=max(last.trials, self.trials - sum(step.trials for step in others)))]

    def _timed(self, steps: Sequence[Step]) -> Sequence[Step]:
        """The same, with how long their trials took as far as the lab has told."""
        if self.evidence is None or not any(step.keys for step in steps):
            return steps
        step_of = {key: i for i, step in reversed([*enumerate(steps)]) for key in step.keys}
        seconds = [0.0] * len(steps)
        for row in self.evidence.trials():
            if (i := step_of.get(row["key"])) is not None:
                seconds[i] += row["seconds"]
        return [replace(step, seconds=took) for step, took in zip(steps, seconds, strict=True)]


def _estimate(estimate: Estimate) -> dict[str, Any]:
    value, low, high = estimate
    return {"value": None if math.isnan(value) else value, "low": low, "high": high}


def _check(check: Check) -> dict[str, Any]:
    return {
        "said": presenter().checked(check),
        "runs": check.runs,
        **{name: {"fails": k, "runs": n} for name, (k, n) in (("inside", check.inside), ("outside", check.outside))},
        "border": {"right": check.border[0], "runs": check.border[1]},
        "precision": _estimate(check.score.precision),
        "recall": _estimate(check.score.recall),
        "whole": check.whole,
        "refuting": [{name: to_json(value) for name, value in one.items()} for one in check.refuting],
    }


def _shown(candidate: Any) -> Any:
    """A candidate as plain data; what is no configuration is told by its elements, or by its rows."""
    candidate = candidate.settings if isinstance(candidate, PatchedSettings) else candidate
    if isinstance(candidate, Mapping):
        return {name: to_json(value) for name, value in candidate.items()}
    return None
