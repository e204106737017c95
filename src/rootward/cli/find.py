"""``rootward find``: inputs that fail, where none is known."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rootward.cli.options import Lab, Runs, with_options
from rootward.cli.studies import study_of

EXAMPLE = "rootward find usual.json -- ./run.sh {config}"


@with_options
def find(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="An input that should work (JSON), or a study file (TOML).")
    ],
    lab: Lab,
    runs: Runs,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- CMD ...]", help="The command to break, with {config} for the changed input."),
    ] = None,
    most: Annotated[int | None, typer.Option(metavar="N", help="Inputs that are run at most.  [default: 2000]")] = None,
    enough: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Inputs that are run after the first failure, to see others.  [default: as many as it took, 12 to 60]",
        ),
    ] = None,
) -> None:
    """Inputs that fail, where none is known.

    rootward find usual.json -- ./run.sh {config}

    Every number, text and truth value of the JSON document is a field, named by its path: speed, wheels[0].on. A study
    file can say more: which values there are, what works ([nominal]) and what must not be run ([constraints]). The
    fields get exceptional values, many at once and then fewer, pairs of values, and values all over their ranges.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview

    study = study_of(file, command, runs, EXAMPLE)
    assert study.space is not None
    nominal = study.nominal or ([] if study.failing is None else [study.failing])
    options: dict[str, Any] = {"nominal": nominal, "never": study.constraints, "most": most, "enough": enough}
    verb = partial(verbs.find, study.space, name=study.name, **options)
    if lab.dry_run:
        preview(verb, study.subject, lab, study.lab, _estimate(len(study.space), most), fails=False)
        return
    answer(verb, study.subject, lab, study.lab)


def _estimate(fields: int, most: int | None) -> dict[str, Any]:
    """How long it may take: that depends on where failures are, which nobody knows."""
    from rootward.searches.exploration.tuning import TUNING
    from rootward.words import count

    limit = TUNING.max_runs if most is None else most
    words = f"{count(fields, 'field')}. At most {count(limit, 'trial')}; it ends soon after the first failure."
    return {"fields": fields, "trials": {"most": limit}, "words": words}
