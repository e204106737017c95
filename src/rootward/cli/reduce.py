"""``rootward reduce``: a failing input file, or the elements of a study, reduced to what is needed to fail."""

from __future__ import annotations

import math
import os
import shlex
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rootward.cli.options import DEFAULT_STORE, FlakyOption, Lab, Runs, flaky_of, given, share_of, with_options
from rootward.cli.studies import check_placeholder, study_in
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.study import Study

EXAMPLE = "rootward reduce crash.json -- ./run.sh {file}"
By = Literal["lines", "chars", "tokens", "json", "yaml", "xml", "rows", "models", "messages"]


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
    run: Annotated[str | None, typer.Option(metavar="CMD", help="The same command, as one argument.")] = None,
    by: Annotated[
        By | None,
        typer.Option(help="The pieces of FILE.  [default: models, messages or values, as it ends; else lines]"),
    ] = None,
    timing: Annotated[
        Literal["keep", "close"] | None,
        typer.Option(help="Times of messages: keep the gaps that others leave, or close them.  [default: keep]"),
    ] = None,
    reduced: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The reduced file.  [default: crash.reduced.json for crash.json]"),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="What must stay: a name or a pattern; may be repeated.")
    ] = None,
    stop_at: Annotated[
        str | None, typer.Option(metavar="PART", help="End when so much is removed, such as 90%.")
    ] = None,
    flaky: FlakyOption = None,
    share: Annotated[
        str | None,
        typer.Option(
            "--share", metavar="PART", help="How often the result must fail, of the original's rate.  [default: 50%]"
        ),
    ] = None,
    confidence: Annotated[
        str | None, typer.Option(metavar="PART", help="How sure that must be.  [default: 95%]")
    ] = None,
    trajectory: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The way of the failing run: CSV (t,x,y,z), JSON or a ROS bag.")
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The search; auto is the best there is.")] = "auto",
    partition: Annotated[str | None, typer.Option(metavar="NAME", help="ddenv: how elements are grouped.")] = None,
    priority: Annotated[str | None, typer.Option(metavar="NAME", help="ddenv: which group comes first.")] = None,
) -> None:
    """The smallest part of a failing input that still fails.

    rootward reduce crash.json -- ./run.sh {file}

    rootward reduce arena.sdf --run "./drive.sh {file} {seed}" --keep robot

    Exit code 0 of the command means that it passes, 125 that it cannot tell, any other that it fails. FILE is never
    changed: the smallest failing file so far is always in the reduced one.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview
    from rootward.formats.scenes.trajectory import read

    command = _command(command, run)
    study = _from_command(file, command, by, timing, runs) if command else _from_study(file, by, timing, runs)
    elements: Any = study.elements
    options: dict[str, Any] = {
        "keep": keep or study.keep,
        "flaky": flaky_of(flaky),
        "stop_at": _share("--stop-at", stop_at),
        "share": _share("--share", share),
        "confidence": _share("--confidence", confidence),
        "trajectory": None if trajectory is None else read(trajectory),
        "partition": partition,
        "priority": priority,
    }
    verb = partial(verbs.reduce, elements, method=method, name=study.name, **given(options))
    if lab.dry_run:
        estimate = _estimate(len(elements), getattr(elements, "noun", "element"), method)
        preview(verb, study.subject, lab, study.lab, estimate)
        return
    kept = _Kept(elements, reduced, study.subject.identity)
    answer(verb, study.subject, lab, study.lab, keep=kept, closing=kept.where)


def _command(after: list[str] | None, run: str | None) -> list[str] | None:
    """The command, whichever way it was given."""
    if run is None:
        return after
    if after:
        raise InputError("the command was given twice: with --run and after --")
    try:
        return shlex.split(run)
    except ValueError as error:
        raise InputError(f"--run cannot be read as a command: {error}") from None


def _share(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    if (found := share_of(text)) is None:
        raise InputError(f"{option} is a share such as 90%, not {text!r}")
    return found


def _from_command(file: Path, command: list[str], by: str | None, timing: str | None, runs: Runs) -> Study:
    from rootward.formats.documents.registry import framed, open_document
    from rootward.study import Study
    from rootward.subjects.command import Command

    check_placeholder(command, "{file}", "reduced file", file, EXAMPLE)
    document: Any = open_document(file, by, timing=timing or "keep")
    subject = Command(command, file_name=file.name, document=framed(document), **runs.options)
    return Study(file.name, file, subject, elements=document)


def _from_study(file: Path, by: str | None, timing: str | None, runs: Runs) -> Study:
    from rootward.formats.documents.registry import framed, open_document

    study = study_in(file, EXAMPLE)
    if study.elements is None:
        raise InputError(f"{file} has no [elements], which say what to reduce")
    if by is not None or timing is not None:
        path = getattr(study.elements, "path", None)
        if path is None:
            raise InputError("--by and --timing are for the pieces of a file, but this study lists its elements")
        document: Any = open_document(path, by, timing=timing or "keep")
        subject: Any = study.subject
        if hasattr(subject, "document"):
            subject = replace(subject, document=framed(document))
        study = replace(study, elements=document, subject=subject)
    return replace(study, subject=runs.change(study.subject))


class _Kept:
    """The reduced file on disk: at every moment the smallest one that is known to fail; and those before it."""

    def __init__(self, elements: Any, reduced: Path | None, subject: str) -> None:
        from rootward.formats.files import check_target
        from rootward.space.keys import key

        self._document = elements
        self._written: Any = None
        self.path: Path | None = None
        if hasattr(elements, "render"):
            self.path = check_target(reduced or elements.reduced)
            if self.path.exists() and os.path.samefile(self.path, elements.path):
                raise InputError(f"{self.path} is the input, which is never changed: choose another --reduced")
            run = key([str(elements.path.absolute()), str(self.path.absolute()), subject])[:8]
            self.steps = Path(DEFAULT_STORE).parent / "steps" / f"{elements.path.name}-{run}"
        elif reduced is not None:
            raise InputError("--reduced is for the pieces of a file, but this study lists its elements")

    def __call__(self, best: Any) -> None:
        """Write a finding; not the whole input before the search has ended, since nobody may have seen it fail."""
        from rootward.formats.files import replacing

        news = best.selection != self._written and (best.complete or len(best.selection) < len(best.selection.elements))
        if self.path is None or not news:
            return
        content = self._document.render(best.kept)
        if self._written is None:
            shutil.rmtree(self.steps, ignore_errors=True)
        self.steps.mkdir(parents=True, exist_ok=True)
        for path in (self.steps / f"{len(best.selection):05}-left{self.path.suffix}", self.path):
            with replacing(path) as file:
                file.write(content)
        self._written = best.selection

    def where(self, finding: Any) -> str:
        if self._written is None:
            return ""
        return f"The reduced file is {self.path}. What was left on the way is in {self.steps.parent}."


def _estimate(n: int, noun: str, method: str) -> dict[str, Any]:
    """The number of trials that our search needs; of the others, what can be said of all."""
    if method not in ("auto", "sieve"):
        worst = n * n + 3 * n
        words = (
            f"There are {n:,} {noun}s: at worst it takes {worst:,} trials (n^2 + 3n), if the failure shows every time."
        )
        return {"elements": n, "worst": worst, "words": words}
    one, three = (math.ceil(1.2 * (math.log2(max(1, math.comb(n, k))) + k)) + 3 for k in (1, min(3, n)))
    words = (
        f"There are {n:,} {noun}s: if one of them is the cause, about {one:,} trials find it; if three are, "
        f"about {three:,}. A failure that shows only sometimes takes at least twice as many."
    )
    return {"elements": n, "one": one, "three": three, "words": words}
