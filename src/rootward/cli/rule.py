"""``rootward rule``: find the exact condition of a failure, as it would be written in code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rootward.cli.options import FlakyOption, LabFlags, RunFlags, parse_flaky, split_names, with_options
from rootward.cli.studies import CommandArgument, FileArgument, build_study
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.searches.conditions.rule_finding import RuleFinding
    from rootward.space.space import Space

WIDE_TRIALS = {"few": 300, "many": 450}
"""Maximum trials of ``rule`` with more than a dozen fields if one or two of them matter, and if three do.

Measured on 22 conditions with 15 to 60 fields: 75 to 287 trials in 66 runs where one or two fields mattered, and 77 to
453 in 64 of 66 runs where three did. Formulas such as ``a * b + c > 1`` were the most expensive. The other two runs
found only an approximation; they took about 700.
"""
NARROW_TRIALS = {"few": 250, "many": 300}
"""The same with fewer fields. Measured with 12 fields: 150 to 248 in 22 runs, and 187 to 300 in 20 of 22 runs."""
EXAMPLE = "rootward rule failing.json -- ./run.sh {config}"


@with_options
def rule(
    file: FileArgument,
    lab: LabFlags,
    runs: RunFlags,
    command: CommandArgument = None,
    fields: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Change only these fields, such as speed,gear; may be repeated."),
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The search: auto, boundaries or alo.")] = "auto",
    verify: Annotated[
        int | None, typer.Option(metavar="N", help="Measure the accuracy of the rule with N fresh runs at the end.")
    ] = None,
    flaky: FlakyOption = None,
    form: Annotated[
        Literal["python", "c", "smtlib"] | None,
        typer.Option("--as", help="Print only the rule, as an expression in this language."),
    ] = None,
) -> None:
    """Find the exact condition of a failure, as code would state it.

    rootward rule failing.json -- ./run.sh {config}

    Every number, string and boolean of the JSON document is a field, named by its path: speed, wheels[0].on. A number
    can have any 64-bit value, unless a study file limits it. If there are more than a dozen fields, those that matter
    are found first, as with `rootward triggers`.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview

    if form is not None and lab.json:
        raise InputError("use either --as or --json, not both")
    study = build_study(file, command, runs, EXAMPLE, dry_run=lab.dry_run)
    options: dict[str, Any] = {"method": method, "verify": verify, "name": study.name}
    if fields:
        options["fields"] = split_names(fields)
    options["flaky"] = parse_flaky(flaky)
    options["derived"] = study.derived
    assert study.space is not None
    verb = partial(verbs.rule, study.space, failing=study.failing, **options)
    if lab.dry_run:
        estimate = _estimate(len(options.get("fields", study.space)), method, flaky=flaky is not None)
        preview(verb, study.subject, lab, study.lab, estimate)
        return
    alone = None if form is None else partial(_export_rule, form, study.space)
    answer(verb, study.subject, lab, study.lab, closing=_suggest_diagnosis, alone=alone)


def _suggest_diagnosis(finding: RuleFinding) -> str:
    """Say how to make certain of the condition, if there is one that is not proved."""
    if not finding.found or not finding.complete or finding.whole:
        return ""
    return "`rootward diagnose` challenges the condition and says if it is certain."


def _export_rule(form: str, space: Space, finding: RuleFinding) -> str:
    if form == "python":
        return finding.rule.to_python()
    return finding.rule.to_c(space) if form == "c" else finding.rule.to_smtlib(space)


def _estimate(count: int, method: str, *, flaky: bool) -> dict[str, Any]:
    """Estimate the number of trials from what was measured on planted bugs."""
    from rootward.searches.conditions.narrowing import MAX_FIELDS

    fields = "1 field" if count == 1 else f"{count} fields"
    again = " Passing runs are repeated, because the failure is flaky." if flaky else ""
    if method == "alo":
        trials, words = {"usual": 200}, "200 trials, plus those of --verify."
    elif count > MAX_FIELDS:
        trials, words = (
            WIDE_TRIALS,
            "Those that matter are found first, as with `rootward triggers`. Usually 75 to "
            f"{WIDE_TRIALS['few']} trials in all if one or two of them matter, and up to {WIDE_TRIALS['many']} "
            "if three do.",
        )
    else:
        trials, words = (
            NARROW_TRIALS,
            f"Usually 60 to {NARROW_TRIALS['few']} trials if one or two of them matter, about {NARROW_TRIALS['many']} "
            "if more do.",
        )
    return {"fields": count, "trials": trials, "words": f"{fields}. {words}{again}"}
