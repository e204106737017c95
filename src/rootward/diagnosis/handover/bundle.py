"""A diagnosis as a folder to hand over: what every finding saves, the text of an issue, what reproduces the failure,
and the test for it.

A subject that can draw adds pictures of failing runs, before and after a reduction: a person believes what it sees.
Such a subject has ``picture(candidate, seed=..., marked=...) -> str | None``: a picture of that run, as an address that
holds its content, with the marked elements made to stand out; None where nothing can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover import regression
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.regression import cases
from rootward.diagnosis.handover.reproducer import Reproducer
from rootward.explanation.diagnosis import Artifact, Diagnosis, Step
from rootward.formats.files import replacing
from rootward.report.folder import claim, put, put_data
from rootward.search.evidence import Row
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Selection, key_of
from rootward.study import Study
from rootward.verdict import FAIL, Outcome


def write(diagnosis: Diagnosis, study: Study, folder: str | Path, *, check: bool = True) -> list[Path]:
    """Write all of it; the paths, the page first. InputError if the folder holds what is not ours.

    ``check``: whether what is written is run, too, to see whether it fails.
    """
    diagnosis, folder = illustrated(diagnosis, study.subject), Path(folder)
    reproducers, test = _made(diagnosis, Handover(study, folder))
    names = [artifact.name for artifact in _artifacts(reproducers, test) if artifact.name]
    before = claim(folder, names)
    put_data(replace(diagnosis, artifacts=_artifacts(reproducers, test)), folder)  # they say that the rest is ours
    for artifact in _artifacts(reproducers, test):
        _put(folder, artifact)
    if check:
        reproducers = [one.checked() for one in reproducers]
        test = test and regression.checked(test, folder)
    written = [*put(replace(diagnosis, artifacts=_artifacts(reproducers, test)), folder, issue=True), *names]
    for name in before.difference(written):
        (folder / name).unlink(missing_ok=True)
    return [folder / name for name in written]


def _made(diagnosis: Diagnosis, handover: Handover) -> tuple[list[Reproducer], Artifact | None]:
    seeds = _seeds(diagnosis)
    made = [
        Reproducer.of(one, handover, seed=seeds.get(key_of(one.failing), 0), failure=number)
        for number, one in enumerate(diagnosis.explanations, 1)
    ]
    test = regression.regression_test(diagnosis, handover, cases(diagnosis), seeds)
    return [one for one in made if one is not None], test


def _artifacts(reproducers: Sequence[Reproducer], test: Artifact | None) -> tuple[Artifact, ...]:
    made = [artifact for one in reproducers for artifact in one.artifacts]
    return (*made, *([test] if test else []))


def _put(folder: Path, artifact: Artifact) -> None:
    if artifact.name:
        with replacing(folder / artifact.name) as file:
            file.write(artifact.content)


def _seeds(diagnosis: Diagnosis) -> dict[str, int]:
    """With which seed each candidate failed first, by its key; with the failure in question, if it did."""
    wanted = {key_of(one.failing): one.signature for one in diagnosis.explanations}
    fails = [row for row in (diagnosis.evidence.trials() if diagnosis.evidence else ()) if row["verdict"] == "fail"]
    fails.reverse()  # of several, the last to be put in stays
    ordered = sorted(fails, key=lambda row: row["signature"] == wanted.get(row["key"], row["signature"]))
    return {row["key"]: row["seed"] for row in ordered}


# Pictures


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
