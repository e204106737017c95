"""``rootward triggers``: find the fields of a failing input that matter, and the values for which it fails."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rootward.cli.options import FlakyOption, LabFlags, RunFlags, parse_flaky, with_options
from rootward.cli.studies import CommandArgument, FileArgument, build_study
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.space.space import Space

EXAMPLE = "rootward triggers failing.json -- ./run.sh {config}"


@with_options
def triggers(
    file: FileArgument,
    lab: LabFlags,
    runs: RunFlags,
    command: CommandArgument = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The search: auto, columns or hpsl.")] = "auto",
    flaky: FlakyOption = None,
    samples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Run N random members of the answer to measure its precision."),
    ] = None,
) -> None:
    """Find the fields and values that trigger a failure.

    rootward triggers failing.json -- ./run.sh {config}

    The answer is the set of fields that matter, and for each of them the values for which it fails. Every number,
    string and boolean of the JSON document is a field, named by its path: speed, wheels[0].on. A study file can say
    which values a field can have, or name a description of them (JSON Schema, Protobuf, ROS, CSV).
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview

    study = build_study(file, command, runs, EXAMPLE, dry_run=lab.dry_run)
    if study.failing is None:
        raise InputError(f"{file} does not say for which values it fails: add [failing]")
    options: dict[str, Any] = {"method": method, "samples": samples, "name": study.name}
    options["flaky"] = parse_flaky(flaky)
    assert study.space is not None
    verb = partial(verbs.triggers, study.space, failing=study.failing, **options)
    if lab.dry_run:
        preview(verb, study.subject, lab, study.lab, _estimate(study.space, method))
        return
    answer(verb, study.subject, lab, study.lab)


def _estimate(space: Space, method: str) -> dict[str, Any]:
    """Estimate the number of trials from the number of bits needed to state the answer.

    For the method ``hpsl``, it is the bound of Theorem 2 in its paper.
    """
    sizes = sorted(len(field.values) for _, field in space.items())
    count, usual, largest = len(sizes), sizes[len(sizes) // 2], sizes[-1]
    counts = [k for k in (1, 3, 10) if k <= count]
    bits = {k: 1.2 * math.log2(math.comb(count, k)) + k * (usual - 1) + largest / k for k in counts}
    bound = {k: 2 * k * (2 + math.log2(count)) * largest for k in counts}
    trials = {k: round((bound if method == "hpsl" else bits)[k]) for k in counts}
    guesses = ", ".join(
        f"{trials[k]}{' trials' * (k == 1)} if {k} field{' matters' if k == 1 else 's matter'}" for k in counts
    )
    values = f"{sizes[0]} to {largest}" if sizes[0] < largest else f"{largest}"
    about = "At most" if method == "hpsl" else "About"
    words = f"{count} fields with {values} values each. {about} {guesses}."
    return {"fields": count, "trials": trials, "words": words}
