"""``rootward reduce``: reduce a failing file, or the elements of a study, to the smallest part that still fails."""

from __future__ import annotations

import contextlib
import math
import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rootward.cli.lists import describe_command, split_file, study_of_list
from rootward.cli.options import (
    FlakyOption,
    LabFlags,
    RunFlags,
    drop_none,
    parse_flaky,
    parse_share,
    with_options,
)
from rootward.cli.studies import check_placeholder, read_study
from rootward.errors import InputError, NotReproduced
from rootward.words import plural

if TYPE_CHECKING:
    from rootward.study import Study

EXAMPLE = "rootward reduce crash.json -- ./run.sh {file}"
By = Literal["lines", "chars", "tokens", "json", "yaml", "xml", "rows", "models", "messages", "bytes"]
Level = Literal["parts", "tokens", "characters"]


@with_options
def reduce(
    lab: LabFlags,
    runs: RunFlags,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="The failing input, or a study file (TOML); with --env, a file with variables."
        ),
    ] = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD ...]", help="The failing command, with {file} for the path of the reduced copy."
        ),
    ] = None,
    run: Annotated[
        str | None, typer.Option(metavar="CMD", help="The failing command as one argument, instead of after --.")
    ] = None,
    args: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Reduce these words of the command, which has {args} in their place."),
    ] = None,
    env: Annotated[
        bool, typer.Option("--env", help="Reduce the environment variables: those of FILE, else the current ones.")
    ] = False,
    interesting: Annotated[
        int | None,
        typer.Option(
            metavar="CODE",
            help="The exit code that means that it fails: 0 for tests that were written for C-Vise or shrinkray. Any "
            "other, a signal and a time-out mean that it passes.",
        ),
    ] = None,
    by: Annotated[
        By | None,
        typer.Option(help="Cut FILE into these parts only.  [default: from large parts to single characters]"),
    ] = None,
    until_level: Annotated[
        Level | None,
        typer.Option(help="The finest level that is tried without --by.  [default: characters]"),
    ] = None,
    timing: Annotated[
        Literal["keep", "close"] | None,
        typer.Option(help="When messages are removed, keep the gaps in time or close them.  [default: keep]"),
    ] = None,
    reduced: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file to write.  [default: crash.reduced.json for crash.json]"),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Never remove this element (a name or a pattern); may be repeated."),
    ] = None,
    stop_at: Annotated[
        str | None, typer.Option(metavar="PART", help="Stop once this share of the elements is removed, such as 90%.")
    ] = None,
    flaky: FlakyOption = None,
    share: Annotated[
        str | None,
        typer.Option(
            "--share",
            metavar="PART",
            help="For flaky failures: the result must fail at least at this share of the original's rate.  "
            "[default: 50%]",
        ),
    ] = None,
    confidence: Annotated[
        str | None, typer.Option(metavar="PART", help="For --share: how sure that must be.  [default: 95%]")
    ] = None,
    trajectory: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The path of the robot in the failing run: CSV (t,x,y,z), JSON or a ROS bag."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="The search: auto, sieve, ddmin, probdd, hdd or ddenv.")
    ] = "auto",
    partition: Annotated[str | None, typer.Option(metavar="NAME", help="For ddenv: how elements are grouped.")] = None,
    priority: Annotated[str | None, typer.Option(metavar="NAME", help="For ddenv: which group comes first.")] = None,
) -> None:
    """Find the smallest part of a failing input that still fails.

    rootward reduce crash.json -- ./run.sh {file}

    rootward reduce arena.sdf --run "./drive.sh {file} {seed}" --keep robot

    rootward reduce --args "-O2 -Wall" -- gcc {args} -c t.c

    Exit code 0 of the command means that it passes, 125 that the run cannot be judged, any other that it fails. FILE is
    never changed. While the search runs, the reduced file is always the smallest one known to fail.
    """
    from rootward import verbs
    from rootward.cli.reduced_file import ReducedFile
    from rootward.cli.session import answer, preview
    from rootward.formats.scenes.trajectory import read
    from rootward.searches.reduction.files.coarse_to_fine import CoarseToFine
    from rootward.searches.reduction.files.plugins import load_passes

    file, command = split_file(file, command)
    command = _choose_command(command, run)
    judged = drop_none({"interesting": interesting})
    if args is not None or env:
        if args is not None and env:
            raise InputError("use either --args or --env, not both")
        others = {"--by": by, "--timing": timing, "--reduced": reduced, "--trajectory": trajectory}
        study = study_of_list(file, args, command, runs.options | judged, others)
    elif file is None:
        raise InputError(f"there is nothing to reduce: name the failing FILE, as in {EXAMPLE}, or use --args or --env")
    elif command:
        by_hand = any(one is not None for one in (by, timing, partition, priority)) or keep or method != "auto"
        whole = not by_hand or by == "bytes"
        study = _from_command(file, command, by, timing, runs.options | judged, whole=whole)
    else:
        study = _from_study(file, by, timing, runs, judged, dry_run=lab.dry_run)
    elements: Any = study.elements
    _check_not_empty(elements)
    if until_level is not None and not isinstance(elements, CoarseToFine):
        raise InputError(
            "--until-level is for files whose text is reduced: it cannot be combined with --by, --keep, --timing, "
            "--method, --args or --env, which leave out whole elements"
        )
    options: dict[str, Any] = {
        "keep": keep or study.keep,
        "flaky": parse_flaky(flaky),
        "stop_at": _parse_share("--stop-at", stop_at),
        "share": _parse_share("--share", share),
        "confidence": _parse_share("--confidence", confidence),
        "trajectory": None if trajectory is None else read(trajectory),
        "partition": partition,
        "priority": priority,
        "until": until_level,
    }
    if passes := load_passes() if isinstance(elements, CoarseToFine) else []:
        options["passes"] = passes
    verb = partial(verbs.reduce, elements, method=method, name=study.name, **drop_none(options))
    if lab.dry_run:
        estimate = _estimate(elements, method)
        preview(verb, study.subject, lab, study.lab, estimate)
        return
    target = ReducedFile(elements, reduced, study.subject.identity)
    closing = target.describe if args is None and not env else describe_command(study.subject)
    with target.cleanup, _explain_passes(study.subject):
        answer(verb, study.subject, lab, study.lab, keep=target, closing=closing)


@contextlib.contextmanager
def _explain_passes(subject: Any) -> Iterator[None]:
    """If the block finds that the input passes, say how exit codes are read: other reducers read them differently."""
    try:
        yield
    except NotReproduced as error:
        if not error.passes or getattr(subject, "verdict", "") is not None:  # not a command, or judged by its output
            raise
        if subject.interesting is None:
            hint = (
                "Exit code 0 means that it passes. A test written for C-Vise or shrinkray exits with 0 if its input is "
                "interesting: for such a test, add --interesting 0."
            )
        else:
            hint = (
                f"With --interesting {subject.interesting}, only exit code {subject.interesting} means that it fails."
            )
        raise NotReproduced(f"{error}\n{hint}", error.passes) from None


def _choose_command(after: list[str] | None, run: str | None) -> list[str] | None:
    """Return the command, which is given after ``--`` or with ``--run``."""
    if run is None:
        return after
    if after:
        raise InputError("use either --run or a command after --, not both")
    try:
        return shlex.split(run)
    except ValueError as error:
        raise InputError(f"--run is not a valid shell command: {error}") from None


def _parse_share(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    if (found := parse_share(text)) is None:
        raise InputError(f"{option} {text}: expected a share such as 90% or 0.9")
    return found


def _from_command(
    file: Path, command: list[str], by: str | None, timing: str | None, runs: dict[str, Any], *, whole: bool
) -> Study:
    from rootward.formats.documents.registry import document_to_render, is_bag, open_document, open_parts
    from rootward.formats.documents.whole_file import WholeFile
    from rootward.searches.reduction.files.coarse_to_fine import CoarseToFine
    from rootward.study import Study
    from rootward.subjects.command import Command

    if "interesting" in runs and not any(word == str(file) or "{file}" in word for word in command):
        # Tests for C-Vise know the name of their input, and run in its folder.
        command = [str(Path(word).absolute()) if Path(word).is_file() else word for word in command]
        runs = {**runs, "beside_file": True}
    else:
        check_placeholder(command, "{file}", "reduced file", file, EXAMPLE)
    options = {"file_name": Path(os.path.abspath(file)).name, **runs}  # of a link its own name, not that of its target
    elements: Any
    if whole and not is_bag(file):
        content = WholeFile(file, by)
        models = open_parts(file) if content.language == "xml" else None
        elements = CoarseToFine(content, models)
        bundle = content if content.bundle is not None else None
        subject = Command(command, document=models, bundle=bundle, **options)
    else:
        elements = open_document(file, by, timing=timing or "keep")
        subject = Command(command, document=document_to_render(elements), **options)
    return Study(file.name, file, subject, elements=elements)


def _from_study(
    file: Path, by: str | None, timing: str | None, runs: RunFlags, judged: dict[str, Any], *, dry_run: bool
) -> Study:
    from rootward.formats.documents.registry import document_to_render, open_document

    study = read_study(file, EXAMPLE, dry_run=dry_run)
    if study.elements is None:
        raise InputError(f"{file} does not say what to reduce: add [elements]")
    if by is not None or timing is not None:
        path = getattr(study.elements, "path", None)
        if path is None:
            raise InputError("--by and --timing are for files only, but this study lists its elements")
        document: Any = open_document(path, by, timing=timing or "keep")
        subject: Any = study.subject
        if hasattr(subject, "document"):
            subject = replace(subject, document=document_to_render(document))
        study = replace(study, elements=document, subject=subject)
    subject = runs.apply_to(study.subject)
    if judged and not hasattr(subject, "interesting"):
        raise InputError("--interesting is for commands only, and the subject of this study is not a command")
    return replace(study, subject=replace(subject, **judged) if judged else subject)


def _check_not_empty(elements: Any) -> None:
    if len(elements):
        return
    path: Path | None = getattr(elements, "path", None)
    if path is None:
        raise InputError("the study lists no elements: there is nothing to reduce")
    empty = path.is_file() and not path.stat().st_size
    why = "is empty" if empty else f"has no {plural(elements.noun)} that could be removed"
    raise InputError(f"{path} {why}: there is nothing to reduce")


def _estimate(elements: Any, method: str) -> dict[str, Any]:
    n, noun = len(elements), getattr(elements, "noun", "element")
    if noun == "byte":
        words = (
            f"The input has {n:,} bytes. The search goes on until no single character can be left out; --trials limits "
            "it, and --until-level parts ends it earlier."
        )
        return {"bytes": n, "words": words}
    return _estimate_list(n, noun, method)


def _estimate_list(n: int, noun: str, method: str) -> dict[str, Any]:
    """Estimate the number of trials that a reduction of ``n`` elements takes.

    For our own method, ``sieve``, there are two estimates: if one element is needed, and if three are. For any other
    method, it is the upper bound n^2 + 3n.
    """
    if method not in ("auto", "sieve"):
        worst = n * n + 3 * n
        words = f"There are {n:,} {plural(noun)}: at most {worst:,} trials (n^2 + 3n) if the failure occurs every time."
        return {"elements": n, "worst": worst, "words": words}
    one, three = (math.ceil(1.2 * (math.log2(max(1, math.comb(n, k))) + k)) + 3 for k in (1, min(3, n)))
    words = (
        f"There are {n:,} {plural(noun)}: about {one:,} trials if one of them is needed to fail, about {three:,} "
        f"if three are. A failure that does not occur every time takes at least twice as many."
    )
    return {"elements": n, "one": one, "three": three, "words": words}
