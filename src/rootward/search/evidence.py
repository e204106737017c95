"""What a finding rests on: the run that made it, and its trials.

The lab hands it over with the finding, so that a report can say how the answer was come by and how to come by it again.
Trials are read when they are asked for: they may be many, and most findings are only printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
"""One trial as plain data, as the store exports it."""


def _none() -> Iterable[Row]:
    return ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One run, told from outside."""

    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What was run, and how: ``subject``, ``seed``, ``repeat``, ``about`` and, from the command line, ``command``."""
    store: str | None = None
    run: int | None = None
    """Its number in the store."""
    started: float | None = None
    seconds: float | None = None
    trials: Callable[[], Iterable[Row]] = _none
    """All that is known of the subject, oldest first: trials of earlier runs, too."""
