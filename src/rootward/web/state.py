"""What is to be said of a run, in words that a stranger understands."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from rootward.store.store import RunRecord
from rootward.words import clock, count

SILENCE = 20.0
"""Seconds after which a run that said nothing is no longer believed to go on; a living one says something every 5."""
GOES_ON = "The same command goes on from here."
ENDS = {
    "complete": ("complete", "good", ""),
    "budget": ("budget used up", "early", "The same command with a larger budget goes on from here."),
    "interrupted": ("interrupted", "early", GOES_ON),
    "asked to stop": ("stopped", "early", GOES_ON),
    "unfinished": ("left unfinished", "early", GOES_ON),
    "executor lost": ("workers lost", "bad", GOES_ON),
    "store lost": ("store lost", "bad", GOES_ON),
    "not reproduced": ("not reproduced", "bad", "What should fail did not fail when it was run."),
    "error": ("ended with an error", "bad", "What it had run is kept."),
}


@dataclass(frozen=True, slots=True)
class State:
    """``tone`` is how a page shows it: live, stopping, silent, good, early or bad."""

    word: str
    tone: str
    sentence: str = ""

    @property
    def going(self) -> bool:
        return self.tone in ("live", "stopping")


@dataclass(frozen=True, slots=True)
class Meter:
    """How much of a budget is used."""

    label: str
    used: float
    of: float
    left: str


def silent(status: str, updated: float, now: float) -> bool:
    """Whether a run that did not say that it ended has not been heard of for too long."""
    return status == "running" and now - updated > SILENCE


def state_of(record: RunRecord) -> State:
    if record.status != "running":
        return State(*ENDS.get(record.status, (record.status, "early", GOES_ON)))
    if silent(record.status, record.updated, time.time()):
        return State("not heard of", "silent", f"It was probably killed. What it had run is kept. {GOES_ON}")
    if record.stop is not None:
        return State("stopping", "stopping", "What is running is waited for; nothing is lost.")
    return State("running", "live")


def meters(record: RunRecord) -> list[Meter]:
    """What is left of the run's budget, as long as that matters."""
    if record.status not in ("running", "budget"):
        return []
    found, progress = [], _Figures(record.progress)
    if (trials := progress.budget_trials) is not None:
        left = count(max(0, trials - progress.charged), "trial")
        found.append(Meter("Budget of trials", min(progress.charged, trials), trials, f"{left} of {trials:,} left"))
    if (seconds := progress.budget_seconds) is not None:
        left = clock(max(0.0, seconds - record.seconds))
        found.append(Meter("Budget of time", min(record.seconds, seconds), seconds, f"{left} of {clock(seconds)} left"))
    return found


def figures(record: RunRecord) -> list[str]:
    """Where the run stands, in a few short phrases."""
    progress = _Figures(record.progress)
    going = state_of(record).going
    said = [
        count(max(record.trials, progress.executed), "trial"),
        f"{progress.running:,} running now" if going and progress.running else "",
        f"{progress.remembered:,} remembered" if progress.remembered else "",
        f"{clock(record.seconds)} so far" if going else f"took {clock(record.seconds)}",
    ]
    return [one for one in said if one]


class _Figures:
    """The figures that a run has written down, as far as it has."""

    def __init__(self, written: dict[str, Any]) -> None:
        self.executed: int = written.get("executed", 0)
        self.running: int = written.get("running", 0)
        self.remembered: int = written.get("remembered", 0)
        self.charged: int = written.get("charged", 0)
        self.budget_trials: int | None = written.get("budget_trials")
        self.budget_seconds: float | None = written.get("budget_seconds")
