"""What is to be run, from a failing document and a command, or from a study file that says both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.cli.options import Runs, check_placeholder, study_in
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study


def study_of(file: Path, command: list[str] | None, runs: Runs, example: str) -> Study:
    """A study with fields; only a study file may leave open what fails."""
    return _from_command(file, command, runs, example) if command else _from_study(file, runs, example)


def _from_command(file: Path, command: list[str], runs: Runs, example: str) -> Study:
    from rootward.interfaces import flatten, from_document
    from rootward.interfaces.files import read_json
    from rootward.study import Study
    from rootward.subjects.command import Command

    check_placeholder(command, "{config}", "changed input", file, example)
    document = read_json(file)
    subject = Command(command, nested=True, **runs.options)
    return Study(file.name, file, subject, space=from_document(document), failing=flatten(document))


def _from_study(file: Path, runs: Runs, example: str) -> Study:
    study = study_in(file, example)
    if study.space is None:
        raise InputError(f"{file} has no [fields] and no [interface], which say what may change")
    return replace(study, subject=runs.change(study.subject))
