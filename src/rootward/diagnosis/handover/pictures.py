"""Pictures of failing runs, before and after a reduction, from a subject that can draw: a person believes what it sees.

Such a subject has ``picture(candidate, seed=..., marked=...) -> str | None``: a picture of that run, as an address that
holds its content, with the marked elements made to stand out; None where nothing can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rootward.candidate import Selection, key_of
from rootward.diagnosis.diagnosis import Diagnosis, Step
from rootward.evidence import Row
from rootward.searches.reduction.reduction import Reduction
from rootward.verdict import FAIL, Outcome


def illustrated(diagnosis: Diagnosis, subject: Any) -> Diagnosis:
    """The same, with pictures in its reductions if the subject can draw."""
    if not hasattr(subject, "picture") or diagnosis.evidence is None:
        return diagnosis
    rows = list(diagnosis.evidence.trials())

    def step(one: Step) -> Step:
        return replace(one, finding=pictured(one.finding, subject, rows)) if isinstance(one.finding, Reduction) else one

    return replace(diagnosis, steps=tuple(map(step, diagnosis.steps)))


def pictured(found: Reduction[Any], subject: Any, rows: Iterable[Row]) -> Reduction[Any]:
    """The reduction with a picture of a run of everything that failed, and of a run of what is left that failed alike.

    ``rows``: the trials, among which these runs are.
    """
    rows, marked = list(rows), [found.selection.elements.items[i] for i in found.selection.free]
    before = next(_failing(rows, found.selection.elements.all), None)
    if before is None:
        return found
    alike = getattr(subject, "alike", lambda one, other: one.signature == other.signature)
    wanted = [(found.selection.elements.all, before)]
    wanted += [
        (found.selection, row) for row in _failing(rows, found.selection) if alike(_outcome(row), _outcome(before))
    ]
    drawn = (subject.picture(one.items, seed=row["seed"], marked=marked) for one, row in wanted[:2])
    return replace(found, pictures=tuple(picture for picture in drawn if picture is not None))


def _failing(rows: Iterable[Row], selection: Selection[Any]) -> Iterator[Row]:
    """The trials of a selection that failed."""
    key = key_of(selection)
    return (row for row in rows if row["key"] == key and row["verdict"] == FAIL.value)


def _outcome(row: Row) -> Outcome:
    return Outcome(FAIL, row["signature"], row["measures"])
