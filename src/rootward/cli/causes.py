"""``rootward causes``: find the settings that always fail together, from earlier runs and a few new ones."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from rootward.cli.options import (
    DEFAULT_STORE,
    FlakyOption,
    IgnoreOption,
    LabFlags,
    RunFlags,
    check_date,
    parse_flaky,
    split_names,
    with_options,
)
from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.formats.tables.history import HistoryTable
    from rootward.rules import Rule
    from rootward.space.space import Space

EXAMPLE = "rootward causes runs.csv -- ./run.sh {config}"


@dataclass(frozen=True)
class _Question:
    """The arguments of the verb, from a table or from a study file."""

    name: str
    space: Space
    subject: Any
    """None: run nothing."""
    history: Iterable[Any]
    never: Rule | None = None
    lab: Mapping[str, Any] = field(default_factory=dict)


@with_options
def causes(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Earlier runs (CSV, Parquet, JSON lines), or a study file (TOML).")
    ],
    lab: LabFlags,
    runs: RunFlags,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD ...]",
            help="The command to run, with {config} for the path of a JSON file with the settings.",
        ),
    ] = None,
    ignore: IgnoreOption = None,
    time: Annotated[str | None, typer.Option(metavar="NAME", help="The column with the time of each run.")] = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            "--as-of",
            metavar="DATE",
            help="Ignore earlier runs after this date; needs --time unless Rootward wrote the table.",
        ),
    ] = None,
    goal: Annotated[Literal["one", "all"], typer.Option(help="Look for one cause, or for all of them.")] = "all",
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The search: auto, bayes; from the paper: shortcut, stacked_shortcut, ddt, bugdoc."
        ),
    ] = "auto",
    certify: Annotated[
        str | None,
        typer.Option(
            metavar="K",
            help="When to stop: statistical (after many runs without a new cause), or a number K (once every "
            "combination of K settings outside the causes was run).  [default: statistical]",
        ),
    ] = None,
    beyond: Annotated[
        bool,
        typer.Option(
            "--beyond", help="Also try numbers between those in the table, to find where exactly it begins to fail."
        ),
    ] = False,
    flaky: FlakyOption = None,
) -> None:
    """Find the combinations of settings that always fail.

    rootward causes runs.csv --verdict "score < 0.6" -- ./run.sh {config}

    Each column of the table is a setting. For a table, --verdict names the column that says whether a run failed, or
    gives the condition under which it failed, as above; new runs are judged by the exit code of the command. Without a
    command nothing is run, and the causes are guesses from the table alone. A study file can say all this, and can list
    combinations that must never be run.
    """
    from rootward import verbs
    from rootward.cli.session import answer, preview

    options: dict[str, Any] = {
        "goal": goal,
        "method": method,
        "certify": _certify(certify),
        "beyond": beyond,
        "flaky": parse_flaky(flaky),
    }
    table = {"ignore": split_names(ignore), "time": time, "as_of": until}
    with check_date(until):
        if file.suffix == ".toml":
            question = _from_study(file, lab, runs, command, table)
        else:
            question = _from_table(file, runs, command, table)
    verb = partial(_ask, verbs.causes, question, options)
    if lab.dry_run:
        estimate = _estimate(question.space, goal, question.subject is None)
        if question.subject is None:
            print(json.dumps({"commands": [], "estimate": estimate}, indent=2) if lab.json else estimate["words"])
        else:
            preview(verb, question.subject, lab, question.lab, estimate)
        return
    answer(verb, question.subject, lab, question.lab)


def _ask(verb: Any, question: _Question, options: dict[str, Any], subject: Any, **lab: Any) -> Any:
    return verb(question.space, subject, question.history, never=question.never, name=question.name, **options, **lab)


def _from_table(file: Path, runs: RunFlags, command: list[str] | None, table: dict[str, Any]) -> _Question:
    from rootward.formats.tables.history import read_history
    from rootward.subjects.command import Command

    history = read_history(file, verdict=runs.verdict, **table)
    subject = None
    if command:
        _check_placeholders(command, history)
        subject = Command(command, **replace(runs, verdict=None).options)
    return _Question(file.name, history.space, subject, history)


def _check_placeholders(command: list[str], history: HistoryTable) -> None:
    if not any(f"{{{name}}}" in word for word in command for name in ("config", *history.names)):
        raise InputError(
            f"the command does not use the settings: give it {{config}} (a JSON file with all of them) or "
            f"{{NAME}} (the value of one), as in {EXAMPLE}"
        )


def _from_study(
    file: Path, lab: LabFlags, runs: RunFlags, command: list[str] | None, table: dict[str, Any]
) -> _Question:
    from rootward.study import load_study
    from rootward.study.history import StoredRuns

    if said := next((name for name in ("ignore", "time") if table[name]), None):
        raise InputError(f"--{said} is for tables only; with a study file, set {said} in [history]")
    if command:
        raise InputError(f"{file} already says which command to run: remove the one after --")
    study = load_study(file, as_of=table["as_of"])
    if study.space is None:
        raise InputError(f"{file} does not say what the settings are: add [history], [fields] or [interface]")
    subject, history = runs.apply_to(study.subject), cast(Any, study.history) or ()
    if isinstance(history, StoredRuns):
        where = str(lab.store or study.lab.get("store") or DEFAULT_STORE)
        history = history.read_from(where, subject.identity, study.space)
    return _Question(study.name, study.space, subject, history, study.constraints, study.lab)


def _certify(said: str | None) -> str | int | None:
    if said is None or said == "statistical":
        return said
    if said.isdecimal() and int(said) > 0:
        return int(said)
    raise InputError(f"--certify {said}: expected statistical, or a number of settings such as 2")


def _estimate(space: Space, goal: str, passive: bool) -> dict[str, Any]:
    """Estimate the number of trials from the number of bits needed to tell one cause from all others."""
    sizes = sorted(len(field.values) for _, field in space.items())
    count, usual = len(sizes), sizes[len(sizes) // 2]
    sizes_of_causes = [k for k in (1, 2, 4) if k <= count]
    trials = {
        k: math.ceil(1.5 * (math.log2(math.comb(count, k)) + k * math.log2(max(2, usual))) + k) for k in sizes_of_causes
    }
    values = f"{sizes[0]} to {sizes[-1]}" if sizes[0] < sizes[-1] else f"{sizes[0]}"
    words = f"{count} settings with {values} values each. "
    if passive:
        return {"fields": count, "trials": {}, "words": f"{words}There is no command, so nothing is run."}
    guesses = ", ".join(
        f"{trials[k]}{' trials' * (k == 1)} if it has {k} setting{'s' if k > 1 else ''}" for k in sizes_of_causes
    )
    words += f"Finding a cause takes about {guesses}; checking it takes some more."
    if goal == "all":
        words += " Then about 20 trials look for other causes (6 more for each further cause)."
    return {"fields": count, "trials": trials, "words": words}
