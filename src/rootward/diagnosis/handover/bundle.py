"""Write a diagnosis into a folder: the files of every finding, the text of an issue, reproducers and a regression test.

A subject that can draw adds pictures of failing runs, before and after a reduction. Such a subject has a method
``picture(candidate, seed=..., marked=...) -> str | None``. It returns a picture of that run as a data URL, with the
marked elements highlighted; None if nothing can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover import regression
from rootward.diagnosis.handover.earlier import EarlierFiles, find_earlier_files
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.regression import cases
from rootward.diagnosis.handover.reproducer import Reproducer
from rootward.explanation.diagnosis import TEST, Artifact, Diagnosis, Step
from rootward.formats.files import replace_file
from rootward.report.folder import claim_folder, write_data, write_files
from rootward.search.evidence import Row
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Selection, key_of
from rootward.study import Study
from rootward.verdict import FAIL, Outcome


def write(diagnosis: Diagnosis, study: Study, folder: str | Path, *, check: bool = True) -> list[Path]:
    """Write all files, and return their paths, the page first.

    The reproducers and the test of an earlier diagnosis stay if their failure did not show this time, or changed.
    Raises InputError if the folder holds files that Rootward did not write.
    ``check``: also run the reproducers and the test, to see if they fail.
    """
    diagnosis, folder = illustrate(diagnosis, study.subject), Path(folder)
    earlier = find_earlier_files(diagnosis, folder)
    diagnosis = replace(diagnosis, notes=(*diagnosis.notes, *earlier.facts))
    reproducers, test = _make_artifacts(diagnosis, Handover(study, folder), earlier)
    names = [artifact.name for artifact in _join(reproducers, test) if artifact.name]
    before = claim_folder(folder, names)
    artifacts = (*_join(reproducers, test), *earlier.artifacts)
    write_data(replace(diagnosis, artifacts=artifacts), folder)  # its list of artifacts marks the other files as ours
    for artifact in _join(reproducers, test):
        _write_artifact(folder, artifact)
    if check:
        reproducers = [one.run() for one in reproducers]
        test = test and regression.run_test(test, folder)
        kept = [regression.run_test(one, folder) if one.kind == TEST else one for one in earlier.artifacts]
        artifacts = (*_join(reproducers, test), *kept)
    written = [*write_files(replace(diagnosis, artifacts=artifacts), folder, issue=True), *names]
    for name in before.difference(written, earlier.names):
        (folder / name).unlink(missing_ok=True)
    return [folder / name for name in written]


def _make_artifacts(
    diagnosis: Diagnosis, handover: Handover, earlier: EarlierFiles
) -> tuple[list[Reproducer], Artifact | None]:
    seeds, free = _find_seeds(diagnosis), earlier.free_stems("reproducer", "-")
    stems = [next(free) for _ in diagnosis.explanations]
    made = [
        Reproducer.of(one, handover, seed=seeds.get(key_of(one.failing), 0), failure=number, stem=stem)
        for number, (one, stem) in enumerate(zip(diagnosis.explanations, stems, strict=True), 1)
    ]
    name = next(earlier.free_stems(f"test_{regression.slug(diagnosis.study)}", "_"))
    test = regression.regression_test(diagnosis, handover, cases(diagnosis), seeds, name, *stems[:1])
    return [one for one in made if one is not None], test


def _join(reproducers: Sequence[Reproducer], test: Artifact | None) -> tuple[Artifact, ...]:
    made = [artifact for one in reproducers for artifact in one.artifacts]
    return (*made, *([test] if test else []))


def _write_artifact(folder: Path, artifact: Artifact) -> None:
    if artifact.name:
        with replace_file(folder / artifact.name) as file:
            file.write(artifact.content)


def _find_seeds(diagnosis: Diagnosis) -> dict[str, int]:
    """Return, for the key of each candidate that failed, the seed of its first failing run.

    Runs that show the explained failure are preferred to earlier runs with another failure.
    """
    wanted = {key_of(one.failing): one.signature for one in diagnosis.explanations}
    fails = [row for row in (diagnosis.evidence.trials() if diagnosis.evidence else ()) if row["verdict"] == "fail"]
    fails.reverse()  # the dictionary keeps the last seed of each key
    ordered = sorted(fails, key=lambda row: row["signature"] == wanted.get(row["key"], row["signature"]))
    return {row["key"]: row["seed"] for row in ordered}


# Pictures


def illustrate(diagnosis: Diagnosis, subject: Any) -> Diagnosis:
    """Return the diagnosis, with pictures in its reductions if the subject can draw."""
    if not hasattr(subject, "picture") or diagnosis.evidence is None:
        return diagnosis
    rows = list(diagnosis.evidence.trials())

    def step(one: Step) -> Step:
        return (
            replace(one, finding=add_pictures(one.finding, subject, rows))
            if isinstance(one.finding, Reduction)
            else one
        )

    return replace(diagnosis, steps=tuple(map(step, diagnosis.steps)))


def add_pictures(found: Reduction[Any], subject: Any, rows: Iterable[Row]) -> Reduction[Any]:
    """Return the reduction with two pictures of failing runs: one of all elements, one of the remaining elements.

    The second run must show the same failure as the first. ``rows``: the trials in which to look for these runs.
    """
    rows, marked = list(rows), [found.selection.elements.items[i] for i in found.selection.free]
    before = next(_find_failing(rows, found.selection.elements.all), None)
    if before is None:
        return found
    alike = getattr(subject, "alike", lambda one, other: one.signature == other.signature)
    wanted = [(found.selection.elements.all, before)]
    wanted += [
        (found.selection, row) for row in _find_failing(rows, found.selection) if alike(_outcome(row), _outcome(before))
    ]
    drawn = (subject.picture(one.items, seed=row["seed"], marked=marked) for one, row in wanted[:2])
    return replace(found, pictures=tuple(picture for picture in drawn if picture is not None))


def _find_failing(rows: Iterable[Row], selection: Selection[Any]) -> Iterator[Row]:
    """Return the failing trials of a selection."""
    key = key_of(selection)
    return (row for row in rows if row["key"] == key and row["verdict"] == FAIL.value)


def _outcome(row: Row) -> Outcome:
    return Outcome(FAIL, row["signature"], row["measures"])
