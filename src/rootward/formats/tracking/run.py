"""A past run as its tracker stored it: its settings, its results, and how it ended."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.errors import InputError
from rootward.formats.tables.columns import values_of
from rootward.formats.tables.roles import suggest_name
from rootward.space.fields import join, show


class RunState(enum.Enum):
    """The final state of a run.

    Each tracker has other words for the states. A run keeps the tracker's word as its ``status``.
    """

    FINISHED = "it finished"
    FAILED = "it crashed"
    STOPPED = "it was stopped early from outside"
    RUNNING = "it has not ended, or not begun"


@dataclass(frozen=True)
class PastRun:
    id: str
    status: str
    state: RunState
    finished: float | None
    """The end time, or the start time if only that is known, in seconds since 1970."""
    settings: Mapping[str, Any]
    results: Mapping[str, Any]


@dataclass(frozen=True)
class Experiment:
    """The runs of one experiment, in order.

    ``left_out`` counts, by reason, the entries that are not runs of the subject.
    """

    title: str
    runs: tuple[PastRun, ...]
    left_out: Counter[str] = field(default_factory=Counter)


def read_values(rows: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Convert rows of text to values, as in a CSV file. The type is decided per column, not per cell."""
    rows = list(rows)
    cells: dict[str, list[str]] = {}
    for row in rows:
        for name, cell in row.items():
            cells.setdefault(name, []).append(cell)
    values = {name: values_of(column) for name, column in cells.items()}
    return [{name: values[name][cell] for name, cell in row.items()} for row in rows]


def choose(what: str, said: str | None, names: Iterable[str], title: str) -> str:
    """Return the name of the experiment or study.

    This is the name ``said``, if given, or else the only one in ``names``.
    """
    known = sorted(names)
    if said is not None:
        if said not in known:
            raise InputError(f"{title} has no {what} {show(said)}{suggest_name(said, known)}")
        return said
    if not known:
        raise InputError(f"{title} has no {what} with runs")
    if len(known) > 1:
        raise InputError(f"which {what}? {title} has {join(tuple(known))}: name one")
    return known[0]
