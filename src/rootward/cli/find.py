"""``rootward find``: find failing inputs where none is known."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rootward.cli.options import LabFlags, RunFlags, with_options
from rootward.cli.studies import build_study

EXAMPLE = "rootward find usual.json -- ./run.sh {config}"


@with_options
def find(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="An input that should work (JSON), or a study file (TOML).")
    ],
    lab: LabFlags,
    runs: RunFlags,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD ...]", help="The command to run, with {config} for the path of the changed input."
        ),
    ] = None,
    most: Annotated[int | None, typer.Option(metavar="N", help="Run at most N inputs.  [default: 2000]")] = None,
    enough: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="After the first failure, run N more inputs to find different failures.  [default: as many as the "
            "first failure took, but at least 12 and at most 60]",
        ),
    ] = None,
) -> None:
    """Find inputs that fail, where none is known.

    rootward find usual.json -- ./run.sh {config}

    Every number, string and boolean of the JSON document is a field, named by its path: speed, wheels[0].on. A study
    file can say more: which values a field can have, which inputs should pass ([nominal]) and which must not be run
    ([constraints]). The search tries exceptional values in many fields at once, then in fewer, then pairs of values,
    and then values from the whole range of each field.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview

    study = build_study(file, command, runs, EXAMPLE, dry_run=lab.dry_run)
    assert study.space is not None
    nominal = study.nominal or ([study.failing] if command and study.failing is not None else [])
    options: dict[str, Any] = {"nominal": nominal, "never": study.constraints, "most": most, "enough": enough}
    verb = partial(verbs.find, study.space, name=study.name, **options)
    if lab.dry_run:
        preview(verb, study.subject, lab, study.lab, _estimate(len(study.space), most), fails=False)
        return
    answer(verb, study.subject, lab, study.lab)


def _estimate(fields: int, most: int | None) -> dict[str, Any]:
    """Return the maximum number of trials.

    The number that is needed is not estimated, because it depends on where the failures are.
    """
    from rootward.searches.exploration.tuning import TUNING
    from rootward.words import count

    limit = TUNING.max_runs if most is None else most
    words = f"{count(fields, 'field')}. At most {count(limit, 'trial')}; the search ends soon after the first failure."
    return {"fields": fields, "trials": {"most": limit}, "words": words}
