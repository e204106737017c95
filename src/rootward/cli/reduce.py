"""``rootward reduce``: a failing input file, or the elements of a study, reduced to what is needed to fail."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rootward.cli.options import Lab, Runs, check_placeholder, study_in, with_options
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

EXAMPLE = "rootward reduce crash.json -- ./run.sh {file}"


@with_options
def reduce(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The failing input, or a study file (TOML).")],
    lab: Lab,
    runs: Runs,
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
) -> None:
    """The smallest part of a failing input that still fails.

    rootward reduce crash.json -- ./run.sh {file}

    Exit code 0 of the command means that it passes, 125 that it cannot tell, any other that it fails. FILE is never
    changed: the smallest failing file so far is always in OUT.
    """
    from rootward import verbs
    from rootward.candidate import Elements
    from rootward.cli.session import answer, preview

    study = _from_command(file, command, by, runs) if command else _from_study(file, by, runs)
    elements: Any = study.elements
    noun = getattr(elements, "noun", "element")
    verb = partial(verbs.reduce, Elements(elements, noun), method=method, name=study.name)
    if lab.dry_run:
        preview(verb, study.subject, lab, study.lab, _estimate(len(elements), noun))
        return
    kept = _Kept(elements, out)
    answer(verb, study.subject, lab, study.lab, keep=kept, closing=kept.where)


def _from_command(file: Path, command: list[str], by: str | None, runs: Runs) -> Study:
    from rootward.formats.pieces import Pieces
    from rootward.study import Study
    from rootward.subjects.command import Command

    check_placeholder(command, "{file}", "reduced file", file, EXAMPLE)
    elements = Pieces(file, by or "lines")
    return Study(file.name, file, Command(command, file_name=file.name, **runs.options), elements=elements)


def _from_study(file: Path, by: str | None, runs: Runs) -> Study:
    from rootward.formats.pieces import Pieces

    study = study_in(file, EXAMPLE)
    if study.elements is None:
        raise InputError(f"{file} has no [elements], which say what to reduce")
    if by is not None:
        if not isinstance(study.elements, Pieces):
            raise InputError("--by cuts a file into pieces, but this study lists its elements")
        study = replace(study, elements=Pieces(study.elements.path, by))
    return replace(study, subject=runs.change(study.subject))


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
