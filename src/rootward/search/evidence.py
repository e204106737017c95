"""The evidence behind a finding: the run that produced it, and its trials.

The lab attaches it to the finding, so that a report can say how the answer was obtained and how to obtain it again.
Trials are read on demand: there may be many, and most findings are only printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""One trial as plain data, in the form in which the store exports it."""


def _no_trials() -> Iterable[Row]:
    return ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One run: its settings, its place in the store, and its trials."""

    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The options of the run: ``subject``, ``seed``, ``repeat``, ``about`` and, from the command line, ``command``."""
    store: str | None = None
    run: int | None = None
    """The number of the run in the store."""
    started: float | None = None
    seconds: float | None = None
    trials: Callable[[], Iterable[Row]] = _no_trials
    """Returns all stored trials of the subject, oldest first, including those of earlier runs."""
