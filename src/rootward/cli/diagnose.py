"""``rootward diagnose``: from a failure to its cause, from nothing but a study file."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import Lab, split_names, with_options
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.explanation.diagnosis import Diagnosis
    from rootward.study import Study


@with_options
def diagnose(
    file: Annotated[Path, typer.Argument(metavar="STUDY.toml", help="The study: what is run, and what may change.")],
    lab: Lab,
    explain_plan: Annotated[
        bool, typer.Option("--explain-plan", help="Say which steps will be taken, and why; run nothing.")
    ] = False,
    skip: Annotated[
        list[str] | None, typer.Option(metavar="STEPS", help="Leave these steps out, such as order,others.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Of earlier runs, believe those up to this date.")
    ] = None,
) -> None:
    """Why it fails: every step from a failure to its cause, and one report.

    rootward diagnose study.toml

    It checks that the failure reproduces and how flaky it is, looks for a failing input if none is given, removes what
    does not matter, finds the fields that do, learns the exact condition, looks for further causes and tries its claim
    on fresh runs. It is saved in a folder, STUDY.diagnosis unless --out says otherwise: a page, the text of an issue,
    an input that fails with the command to run it, and a test that fails until the fault is mended.
    """
    from rootward.cli.session import answer
    from rootward.diagnosis.diagnose import NO_REPEAT
    from rootward.diagnosis.diagnose import diagnose as verb
    from rootward.diagnosis.plan import Plan
    from rootward.report.folder import PAGE, check_folder
    from rootward.study import load_study

    study = load_study(file, as_of=until)
    unwanted = split_names(skip)
    if lab.repeat is not None:
        raise InputError(f"{NO_REPEAT}: leave --repeat out")
    if explain_plan or lab.dry_run:
        plan = Plan.of(study, skip=unwanted)
        print(json.dumps(plan.to_dict(), indent=2) if lab.json else plan)
        return
    folder = lab.out or Path(f"{file.stem}.diagnosis")
    check_folder(folder)

    def diagnosed(_: Any, **options: Any) -> Any:
        with _workers(study, options) as executor:
            return verb(study, skip=unwanted, **{**options, "executor": executor})

    def handed_over(found: Diagnosis) -> str:
        # Who has pressed Ctrl-C does not want anything to be run.
        return f"The report is {found.save(folder, check=found.stopped != 'interrupted') / PAGE}."

    told = replace(lab, out=None)  # it is saved in any case
    answer(diagnosed, study.subject, told, study.lab, closing=handed_over, showing=_showing(study))


def _workers(study: Study, options: dict[str, Any]) -> AbstractContextManager[Any]:
    """Where it is done, if not where the lab would do it: recordings are examined in processes."""
    if study.traces is None or options["executor"] is not None or options["jobs"] == 1:
        return nullcontext(options["executor"])
    from rootward.cli.triage import processes

    return processes(options["jobs"])


def _showing(study: Study) -> Callable[[], AbstractContextManager[Any]]:
    """What shows how it goes."""
    if study.traces is None:
        from rootward.report.progress import shown

        return shown
    from rootward.cli.triage_progress import shown as shown_by_trace

    return partial(shown_by_trace, len(study.traces), False)
