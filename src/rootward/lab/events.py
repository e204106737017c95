"""What the lab tells the screen, the web page and the log.

``on_event`` gets each of these as it happens, in the thread that runs the search. An event is a fact with the state of
the run at that moment; whoever listens keeps what it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rootward.search.finding import Finding
from rootward.store.trial import Trial


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands."""

    executed: int
    running: int
    remembered: int
    charged: int
    asked: int
    budget_trials: int | None
    budget_seconds: float | None
    seconds: float
    """Wall-clock time, earlier sessions of the same run included."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    name: str
    run: int | None
    """Its number in the store, if there is one."""
    recalled: int
    """Trials that the store already holds for this subject."""
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialStarted:
    trial: Trial
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialRetried:
    """The worker died; the trial is started once more."""

    trial: Trial
    reason: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialFinished:
    """The trial is in the store, if there is one: nothing that this event reports can be lost."""

    trial: Trial
    progress: Progress


@dataclass(frozen=True, slots=True)
class BestChanged:
    """The search has a better answer, or says something new about what it does."""

    best: Any
    note: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Draining:
    """Nothing new is started; what is running is waited for."""

    reason: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class RunFinished:
    finding: Finding
    progress: Progress


Event = RunStarted | TrialStarted | TrialRetried | TrialFinished | BestChanged | Draining | RunFinished
