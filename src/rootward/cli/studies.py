"""What is to be run: a file and a command on the command line, or a study file that says both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rootward.cli.options import Runs
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The failing input (JSON), or a study file (TOML).")]
CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[-- CMD ...]", help="The command that fails, with {config} for the changed input."),
]


def study_of(file: Path, command: list[str] | None, runs: Runs, example: str) -> Study:
    """A study with fields; only a study file may leave open what fails."""
    return _from_command(file, command, runs, example) if command else _from_study(file, runs, example)


def _from_command(file: Path, command: list[str], runs: Runs, example: str) -> Study:
    from rootward.formats.files import read_json
    from rootward.formats.interfaces import flatten, from_document
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


def check_placeholder(command: list[str], placeholder: str, what: str, file: Path, example: str) -> None:
    """InputError unless the command says where it gets its candidate."""
    if not any(placeholder in word for word in command):
        place = f" instead of {file}" if str(file) in command else ""
        raise InputError(f"the command never sees the {what}: write {placeholder}{place}, as in {example}")


def study_in(file: Path, example: str) -> Study:
    """The study of a verb that was given no command."""
    from rootward.study import load_study

    if file.suffix != ".toml":
        raise InputError(f"which command fails with {file}? Give it after --, as in {example}")
    return load_study(file)
