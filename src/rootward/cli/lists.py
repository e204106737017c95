"""Lists that ``rootward reduce`` reduces instead of a file: the words of a command, and the environment variables."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.cli.options import words_after_dashes
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

ARGS_EXAMPLE = 'rootward reduce --args "-O2 -Wall" -- gcc {args} -c t.c'
ENV_EXAMPLE = "rootward reduce --env -- ./run.sh"


def split_file(file: Path | None, command: list[str] | None) -> tuple[Path | None, list[str] | None]:
    """Return FILE and the command. Without FILE, the first word after ``--`` was taken for it."""
    after = words_after_dashes()
    if file is not None and after and len(after) == len(command or []) + 1:
        return None, after
    return file, command


def study_of_list(
    file: Path | None,
    args: str | None,
    command: list[str] | None,
    runs: Mapping[str, Any],
    unusable: Mapping[str, object],
) -> Study:
    """Build a study of the words in ``args``, or of environment variables if it is None.

    :param runs: the options of ``rootward.Command``
    :param unusable: the options that make sense for files only
    """
    option = "--env" if args is None else "--args"
    for name, value in unusable.items():
        if value is not None:
            raise InputError(f"use either {option} or {name}, not both: {name} is for files only")
    if not command:
        example = ENV_EXAMPLE if args is None else ARGS_EXAMPLE
        raise InputError(f"there is no command: after --, give the command that fails, as in {example}")
    if args is None:
        return _study_of_variables(file, command, runs)
    if file is not None:
        raise InputError(f"--args reduces the words of a command, so remove {file}, or write it after --")
    return _study_of_words(args, command, runs)


def _study_of_words(args: str, command: list[str], runs: Mapping[str, Any]) -> Study:
    from rootward.space.candidate import Elements
    from rootward.study import Study
    from rootward.subjects.command import Command

    try:
        words = shlex.split(args)
    except ValueError as error:
        raise InputError(f"--args cannot be split into words: {error}") from None
    if not words:
        raise InputError("--args has no words: there is nothing to reduce")
    if not any("{args}" in word for word in command):
        raise InputError(f"the command does not use the words: write {{args}} where they belong, as in {ARGS_EXAMPLE}")
    if command[0] == "{args}":
        raise InputError(f"{{args}} cannot be the program itself: write it behind the program, as in {ARGS_EXAMPLE}")
    subject = Command(command, **runs)
    return Study(Path(command[0]).name, Path(), subject, elements=Elements(words, "word"))  # type: ignore[arg-type]


def _study_of_variables(file: Path | None, command: list[str], runs: Mapping[str, Any]) -> Study:
    from rootward.formats.environment import list_variables, read_variables
    from rootward.space.candidate import Elements
    from rootward.study import Study
    from rootward.subjects import process
    from rootward.subjects.command import Command

    variables = list_variables(os.environ, without=[process.MARK]) if file is None else read_variables(file)
    if not variables:
        raise InputError(f"{file or 'the environment'} has no variables: there is nothing to reduce")
    subject = Command(command, takes_variables=True, **runs)
    elements: Any = Elements(variables, "variable")
    return Study(Path(command[0]).name, Path(), subject, elements=elements)


def describe_command(subject: Any) -> Callable[[Any], str]:
    """Return a function that describes a finding: a line with the command that has only the kept elements."""
    noun = "variables" if subject.takes_variables else "words"
    return lambda finding: f"With only these {noun}: {subject.show_with(finding.kept)}" if finding.kept else ""
