"""The events that the lab sends to the screen, the web page and the log.

``on_event`` is called with each event as it happens, in the thread that runs the search. An event carries what happened
and the progress of the run at that moment; listeners keep what they need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rootward.search.finding import Finding
from rootward.store.trial import Trial


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run, in numbers."""

    executed: int
    running: int
    remembered: int
    charged: int
    asked: int
    budget_trials: int | None
    budget_seconds: float | None
    seconds: float
    """Wall-clock time, including earlier sessions of the same run."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    name: str
    run: int | None
    """The number of the run in the store; None without a store."""
    recalled: int
    """Trials that the store already holds for this subject."""
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialStarted:
    trial: Trial
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialRetried:
    """The worker died; the trial is started again."""

    trial: Trial
    reason: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialKilled:
    """A signal ended the trial, perhaps from outside; the trial is started again."""

    trial: Trial
    progress: Progress


@dataclass(frozen=True, slots=True)
class Paused:
    """The machine could not run the trial; it is started again after a pause, and no other before."""

    trial: Trial
    reason: str
    seconds: float
    """Duration of the pause."""
    progress: Progress


@dataclass(frozen=True, slots=True)
class TrialFinished:
    """The trial has ended. If there is a store, the trial is already saved there, so it cannot be lost."""

    trial: Trial
    progress: Progress


@dataclass(frozen=True, slots=True)
class BestChanged:
    """The search has asked a new question. ``best``: its best finding so far. ``note``: what the search is doing."""

    best: Any
    note: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Draining:
    """The run is stopping: no new trial is started, and the running ones are awaited."""

    reason: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class RunFinished:
    finding: Finding
    progress: Progress


Event = (
    RunStarted
    | TrialStarted
    | TrialRetried
    | TrialKilled
    | Paused
    | TrialFinished
    | BestChanged
    | Draining
    | RunFinished
)
