"""The state of a run, in words for the live page."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from rootward.store.rows import RunRecord
from rootward.words import clock, count

MAX_SILENCE = 20.0
"""Seconds without an update after which a run counts as killed; a live one writes an update every 5 seconds."""
GOES_ON = "Repeat the command to continue from here."
ENDS = {
    "complete": ("complete", "good", ""),
    "budget": ("budget used up", "early", "Repeat the command with a larger budget to continue from here."),
    "interrupted": ("interrupted", "early", GOES_ON),
    "asked to stop": ("stopped", "early", GOES_ON),
    "unfinished": ("left unfinished", "early", GOES_ON),
    "executor lost": ("workers lost", "bad", GOES_ON),
    "store lost": ("store lost", "bad", GOES_ON),
    "machine trouble": ("machine in trouble", "bad", GOES_ON),
    "not reproduced": ("not reproduced", "bad", "The failing input passed when it was run."),
    "error": ("ended with an error", "bad", "Its trials are kept."),
}


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A run's state, as a word and a sentence. ``tone`` is its style: live, stopping, silent, good, early or bad."""

    word: str
    tone: str
    sentence: str = ""

    @property
    def is_going(self) -> bool:
        return self.tone in ("live", "stopping")


@dataclass(frozen=True, slots=True)
class Meter:
    """The used part of a budget."""

    label: str
    used: float
    of: float
    left: str


def is_silent(status: str, updated: float, now: float) -> bool:
    """Return True if a run has not ended but has had no update for too long."""
    return status == "running" and now - updated > MAX_SILENCE


def state_of(record: RunRecord) -> RunStatus:
    if record.status != "running":
        return RunStatus(*ENDS.get(record.status, (record.status, "early", GOES_ON)))
    if is_silent(record.status, record.updated, time.time()):
        return RunStatus("no sign of life", "silent", f"It was probably killed. Its trials are kept. {GOES_ON}")
    if record.stop is not None:
        return RunStatus("stopping", "stopping", "It ends when its running trials have ended; nothing is lost.")
    return RunStatus("running", "live")


def meters(record: RunRecord) -> list[Meter]:
    """Return the budgets of a run, with what is left of each.

    The list is empty unless the run is running, or has stopped because a budget is used up.
    """
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
    """Return the progress of a run as short phrases."""
    progress = _Figures(record.progress)
    going = state_of(record).is_going
    said = [
        count(max(record.trials, progress.executed), "trial"),
        f"{progress.running:,} running now" if going and progress.running else "",
        f"{progress.remembered:,} from the store" if progress.remembered else "",
        f"{clock(record.seconds)} so far" if going else f"took {clock(record.seconds)}",
    ]
    return [one for one in said if one]


class _Figures:
    """The figures of a run's last update. A figure that is not known yet is 0 or None."""

    def __init__(self, written: dict[str, Any]) -> None:
        self.executed: int = written.get("executed", 0)
        self.running: int = written.get("running", 0)
        self.remembered: int = written.get("remembered", 0)
        self.charged: int = written.get("charged", 0)
        self.budget_trials: int | None = written.get("budget_trials")
        self.budget_seconds: float | None = written.get("budget_seconds")
