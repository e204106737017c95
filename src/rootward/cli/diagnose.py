"""``rootward diagnose``: explain a failure, from a study file alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import LabFlags, check_date, split_names, with_options
from rootward.errors import InputError, NotReproduced

if TYPE_CHECKING:
    from rootward.explanation.diagnosis import Diagnosis
    from rootward.study import Study


@with_options
def diagnose(
    file: Annotated[
        Path, typer.Argument(metavar="STUDY.toml", help="The study file: what is run, and what may change.")
    ],
    lab: LabFlags,
    explain_plan: Annotated[
        bool, typer.Option("--explain-plan", help="Print which steps would be taken, and why; run nothing.")
    ] = False,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="STEPS", help="Skip these steps, such as order,others; --explain-plan lists them."),
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Ignore earlier runs made after this date.")] = None,
) -> None:
    """Explain a failure: run all steps, and write one report.

    rootward diagnose study.toml

    It checks that the failure reproduces and how flaky it is, looks for a failing input if none is given, removes what
    does not matter, finds the fields that do, learns the exact condition, looks for further causes and checks its
    explanation on fresh runs. The result is saved in a folder, STUDY.diagnosis unless --out names another: a page, the
    text of an issue, a failing input with the command to run it, and a test that fails until the fault is fixed.
    """
    from rootward.cli.session import answer
    from rootward.diagnosis.diagnose import NO_REPEAT, make_writable
    from rootward.diagnosis.diagnose import diagnose as verb
    from rootward.diagnosis.handover.earlier import describe_mended, find_earlier_files
    from rootward.diagnosis.plan import Plan
    from rootward.report.folder import PAGE, check_folder
    from rootward.report.sentences.diagnosis import sentences
    from rootward.study.reader import read

    with check_date(until):
        study = read(file, until, runs=not (explain_plan or lab.dry_run))
    skipped = split_names(skip)
    if lab.repeat is not None:
        raise InputError(f"{NO_REPEAT}: remove --repeat")
    if explain_plan or lab.dry_run:
        plan = Plan.of(study, skip=skipped)
        print(json.dumps(plan.to_dict(), indent=2) if lab.json else plan)
        return
    folder = lab.out or Path(f"{file.stem}.diagnosis")
    check_folder(folder)

    def run_diagnosis(_: Any, **options: Any) -> Any:
        with _open_workers(study, options) as executor:
            try:
                return verb(study, skip=skipped, **{**options, "executor": executor})
            except NotReproduced as error:
                mended = describe_mended(study, folder, error.passes) if error.passes else None
                if mended is None:
                    raise
                return make_writable(mended, study)

    def save_diagnosis(found: Diagnosis) -> str:
        gone = sentences(find_earlier_files(found, folder).facts)
        # After Ctrl-C, nothing more is run.
        saved = found.save(folder, check=found.stopped != "interrupted")
        return "\n".join([*gone, f"The report is {saved / PAGE}."])

    others = replace(lab, out=None)  # save_diagnosis has saved it already
    answer(run_diagnosis, study.subject, others, study.lab, closing=save_diagnosis, showing=_choose_display(study))


def _open_workers(study: Study, options: dict[str, Any]) -> AbstractContextManager[Any]:
    """Return the executor to use: processes for recordings, otherwise the one that the user chose."""
    if study.traces is None or options["executor"] is not None or options["jobs"] == 1:
        return nullcontext(options["executor"])
    from rootward.cli.triage import open_processes

    return open_processes(options["jobs"])


def _choose_display(study: Study) -> Callable[[], AbstractContextManager[Any]]:
    """Return the progress display: by trace for recordings, by trial otherwise."""
    if study.traces is None:
        from rootward.report.progress import show_progress

        return show_progress
    from rootward.cli.triage_progress import show_progress as shown_by_trace

    return partial(shown_by_trace, len(study.traces), False)
