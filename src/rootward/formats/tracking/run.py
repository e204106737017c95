"""A past run as its tracker tells it: what it was given, what came out, and how it ended."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rootward.errors import InputError
from rootward.formats.tables.columns import values_of
from rootward.formats.tables.roles import near
from rootward.space.fields import join, show


class State(enum.Enum):
    """How a run ended. Each tracker has its own words for it, which a run keeps as its ``status``."""

    FINISHED = "it came to its end"
    FAILED = "it crashed"
    STOPPED = "it was stopped early, for a reason of somebody else's"
    RUNNING = "it has not ended, or not begun"


@dataclass(frozen=True)
class PastRun:
    id: str
    status: str
    state: State
    finished: float | None
    """When it ended, or began if only that is known, in seconds since 1970."""
    settings: Mapping[str, Any]
    results: Mapping[str, Any]


@dataclass(frozen=True)
class Tracked:
    """The runs of one experiment, in their order, and how many there are of those that are no runs of the subject."""

    title: str
    runs: tuple[PastRun, ...]
    aside: Counter[str] = field(default_factory=Counter)


def typed(rows: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Rows of text with the values that it stands for, as in a CSV file: the column decides, not the cell."""
    rows = list(rows)
    cells: dict[str, list[str]] = {}
    for row in rows:
        for name, cell in row.items():
            cells.setdefault(name, []).append(cell)
    values = {name: values_of(column) for name, column in cells.items()}
    return [{name: values[name][cell] for name, cell in row.items()} for row in rows]


def chosen(what: str, said: str | None, names: Iterable[str], title: str) -> str:
    """The experiment or study that is meant: the one that was named, or the only one."""
    known = sorted(names)
    if said is not None:
        if said not in known:
            raise InputError(f"{title} has no {what} {show(said)}{near(said, known)}")
        return said
    if not known:
        raise InputError(f"{title} has no {what} with runs")
    if len(known) > 1:
        raise InputError(f"which {what} is meant? {title} has {join(tuple(known))}")
    return known[0]
