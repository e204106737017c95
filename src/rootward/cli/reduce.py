"""``rootward reduce``: a failing input file, or the elements of a study, reduced to what is needed to fail."""

from __future__ import annotations

import math
import os
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rootward.cli.options import Lab, with_lab
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

EXAMPLE = "rootward reduce crash.json -- ./run.sh {file}"


@with_lab
def reduce(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The failing input, or a study file (TOML).")],
    lab: Lab,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD ...]", help="The command that fails, with {file} for the path of the reduced copy."
        ),
    ] = None,
    by: Annotated[Literal["lines", "chars"] | None, typer.Option(help="The pieces of FILE.  [default: lines]")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="OUT", help="The reduced file.  [default: crash.reduced.json for crash.json]"
        ),
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The search; auto is the best there is.")] = "auto",
    timeout: Annotated[float | None, typer.Option(metavar="S", help="A run that takes longer is a failure.")] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="The address space of a run, such as 512M.")
    ] = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="It fails where its output matches, or says fail at a path such as $.result.status.  "
            "[default: it fails if its exit code is not 0]",
        ),
    ] = None,
    signature: Annotated[
        str | None,
        typer.Option(metavar="PATTERN", help="What names the failure in the output: another one is another failure."),
    ] = None,
) -> None:
    """The smallest part of a failing input that still fails.

    rootward reduce crash.json -- ./run.sh {file}

    Exit code 0 of the command means that it passes, 125 that it cannot tell, any other that it fails. FILE is never
    changed: the smallest failing file so far is always in OUT.
    """
    from rootward import verbs
    from rootward.candidate import Elements
    from rootward.cli.session import answer, preview
    from rootward.formats.sizes import bytes_of

    limit = None if memory is None else bytes_of(memory)
    said = {"timeout": timeout, "memory": limit, "verdict": verdict, "signature": signature}
    options = {name: value for name, value in said.items() if value is not None}
    study = _from_command(file, command, by, options) if command else _from_study(file, by, options)
    elements: Any = study.elements
    noun = getattr(elements, "noun", "element")
    verb = partial(verbs.reduce, Elements(elements, noun), method=method, name=study.name)
    if lab.dry_run:
        preview(verb, study.subject, lab, study.lab, _estimate(len(elements), noun))
        return
    kept = _Kept(elements, out)
    answer(verb, study.subject, lab, study.lab, keep=kept, closing=kept.where)


def _from_command(file: Path, command: list[str], by: str | None, options: dict[str, Any]) -> Study:
    from rootward.formats.pieces import Pieces
    from rootward.study import Study
    from rootward.subjects.command import Command

    if not any("{file}" in word for word in command):
        place = f" instead of {file}" if str(file) in command else ""
        raise InputError(f"the command never sees the reduced file: write {{file}}{place}, as in {EXAMPLE}")
    elements = Pieces(file, by or "lines")
    return Study(file.name, file, Command(command, file_name=file.name, **options), elements=elements)


def _from_study(file: Path, by: str | None, options: dict[str, Any]) -> Study:
    from rootward.formats.pieces import Pieces
    from rootward.study import load

    if file.suffix != ".toml":
        raise InputError(f"which command fails with {file}? Give it after --, as in {EXAMPLE}")
    study = load(file)
    if study.elements is None:
        raise InputError(f"{file} has no [elements], which say what to reduce")
    if by is not None:
        if not isinstance(study.elements, Pieces):
            raise InputError("--by cuts a file into pieces, but this study lists its elements")
        study = replace(study, elements=Pieces(study.elements.path, by))
    return replace(study, subject=_changed(study.subject, options)) if options else study


def _changed(subject: Any, options: dict[str, Any]) -> Any:
    """The study's subject, with what the command line says otherwise."""
    for name in options.keys() - {f.name for f in fields(subject)}:
        raise InputError(f"--{name} is for commands, but the subject of this study is a function")
    return replace(subject, **options)


class _Kept:
    """The reduced file on disk: at every moment the smallest one that is known to fail."""

    def __init__(self, elements: Any, out: Path | None) -> None:
        from rootward.formats.files import check_target
        from rootward.formats.pieces import Pieces

        self._written: Any = None
        self.path: Path | None = None
        if isinstance(elements, Pieces):
            self.path = check_target(out or elements.reduced)
            if self.path.exists() and os.path.samefile(self.path, elements.path):
                raise InputError(f"{self.path} is the input, which is never changed: choose another --out")
        elif out is not None:
            raise InputError("--out is for the pieces of a file, but this study lists its elements")

    def __call__(self, best: Any) -> None:
        """Write a finding; not the whole input before the search has ended, since nobody may have seen it fail."""
        from rootward.formats.pieces import write

        news = best.selection != self._written and (best.complete or len(best.selection) < len(best.selection.elements))
        if self.path is not None and news:
            write(self.path, best.kept)
            self._written = best.selection

    def where(self, finding: Any) -> str:
        return f"The reduced file is {self.path}." if self._written is not None else ""


def _estimate(n: int, noun: str) -> dict[str, Any]:
    """The number of trials that ddmin needs."""
    best, worst = 2 * max(1, math.ceil(math.log2(max(2, n)))), n * n + 3 * n
    return {
        "elements": n,
        "best": best,
        "worst": worst,
        "words": f"There are {n:,} {noun}s: if one of them is the cause, about {best:,} trials (2 log2 n) find it; "
        f"at worst it takes {worst:,} (n^2 + 3n).",
    }
