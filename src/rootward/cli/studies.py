"""Build a study from a file and a command on the command line, or from a study file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rootward.cli.options import RunFlags
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The failing input (JSON), or a study file (TOML).")]
CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[-- CMD ...]", help="The failing command, with {config} for the path of the changed input."
    ),
]


def build_study(file: Path, command: list[str] | None, runs: RunFlags, example: str, *, dry_run: bool) -> Study:
    """Build a study with fields from an input file and a command.

    Without a command, ``file`` is a study file and is read instead. An input file is itself the failing configuration;
    a study file need not name one.
    """
    if command:
        return _from_command(file, command, runs, example)
    return _from_study(file, runs, example, dry_run=dry_run)


def _from_command(file: Path, command: list[str], runs: RunFlags, example: str) -> Study:
    from rootward.formats.files import read_json
    from rootward.formats.interfaces import flatten, from_document
    from rootward.study import Study
    from rootward.subjects.command import Command

    check_placeholder(command, "{config}", "changed input", file, example)
    document = read_json(file)
    subject = Command(command, nested=True, **runs.options)
    return Study(file.name, file, subject, space=from_document(document), failing=flatten(document))


def _from_study(file: Path, runs: RunFlags, example: str, *, dry_run: bool) -> Study:
    study = read_study(file, example, dry_run=dry_run)
    if study.space is None:
        raise InputError(f"{file} does not say what may change: add [fields] or [interface]")
    return replace(study, subject=runs.apply_to(study.subject))


def check_placeholder(command: list[str], placeholder: str, what: str, file: Path, example: str) -> None:
    """Raise InputError unless the command contains the placeholder through which it gets its input."""
    if not any(placeholder in word for word in command):
        place = f" instead of {file}" if str(file) in command else ""
        raise InputError(f"the command does not use the {what}: write {placeholder}{place}, as in {example}")


def read_study(file: Path, example: str, *, dry_run: bool) -> Study:
    """Load the study file of a verb that was given no command."""
    from rootward.study.reader import read

    if file.suffix != ".toml":
        raise InputError(f"there is no command: after --, give the command that fails with {file}, as in {example}")
    return read(file, runs=not dry_run)
