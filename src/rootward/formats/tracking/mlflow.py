"""What all stores of MLflow have in common: its words for how a run ended, numbers beyond all, runs of runs.

A run that is the parent of others (``mlflow.parentRunId``) groups them, and is no run of the subject. Parameters are
text. A metric counts with its latest value.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.formats.tracking.run import PastRun, State, Tracked, typed

STATES = {
    "FINISHED": State.FINISHED,
    "FAILED": State.FAILED,
    "KILLED": State.STOPPED,
    "RUNNING": State.RUNNING,
    "SCHEDULED": State.RUNNING,
}
PARENT = "mlflow.parentRunId"
GROUPS = "grouping others"
UNKNOWN = "UNKNOWN"
"""The status of a run that has none."""
OWN = "mlflow."
"""How the tags begin that MLflow sets itself."""


@dataclass(frozen=True)
class Entry:
    """A run as any of the stores has it: times in milliseconds, parameters and tags as text."""

    id: str
    status: str
    started: int | None
    ended: int | None
    params: Mapping[str, str]
    metrics: Mapping[str, float]
    tags: Mapping[str, str]


def tracked(title: str, entries: Iterable[Entry]) -> Tracked:
    """The runs, the earliest first."""
    entries = sorted(entries, key=lambda entry: (entry.started or 0, entry.id))
    parents = {entry.tags.get(PARENT) for entry in entries}
    runs = [entry for entry in entries if entry.id not in parents]
    settings = typed(entry.params for entry in runs)
    tags = typed({key: tag for key, tag in entry.tags.items() if not key.startswith(OWN)} for entry in runs)
    found = (_run(*each) for each in zip(runs, settings, tags, strict=True))
    aside = len(entries) - len(runs)
    return Tracked(title, tuple(found), Counter({GROUPS: aside} if aside else {}))


def number(value: Any) -> float:
    """A metric: the largest number there is stands for infinity, and the answers of a server have words for others."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise InputError(f"a metric of MLflow is {show(value)}: expected a number") from None
    return math.copysign(math.inf, found) if abs(found) == sys.float_info.max else found


def milliseconds(value: Any) -> int | None:
    """A moment, which JSON may have as text; 0 stands for none."""
    text = str(value)
    return int(text) or None if text.isdecimal() and len(text) < 16 else None


def _run(entry: Entry, settings: Mapping[str, Any], tags: Mapping[str, Any]) -> PastRun:
    when = entry.started if entry.ended is None else entry.ended
    return PastRun(
        id=entry.id,
        status=entry.status,
        state=STATES.get(entry.status, State.RUNNING),
        finished=None if when is None else when / 1000,
        settings=settings,
        results={**tags, **entry.metrics},
    )
