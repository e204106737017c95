"""A diagnosis as the text of an issue: what a person pastes into a tracker, and nobody has to ask back about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rootward.report import bug
from rootward.report.answer import title
from rootward.report.cells import cut, duration
from rootward.report.inert import COMMAND, Code, code, escaped, marked, span
from rootward.words import count

SIGNATURE = 100
"""Longer signatures are cut in a title ..."""
CELL = 400
"""... and longer texts in the cells of tables."""
FILE = 60
"""So many lines of a reproducer are shown ..."""
TEST = 300
"""... and so many of what is to be run as it stands."""


def issue(run: dict[str, Any]) -> str:
    """The run of a diagnosis."""
    finding = run["finding"]
    several = len(finding["explanations"]) > 1
    parts = [f"# {marked(title(run))}", _state(finding)]
    for number, one in enumerate(finding["explanations"], 1):
        named = cut(one["signature"] or "without a name", SIGNATURE)
        parts += [f"# Failure {number}: {escaped(named)}"] if several else []
        parts += [marked(bug.parts(finding, one)), *map(escaped, one["order"]), *_details(one)]
        parts += [*_reproducer(finding, number), *_causes(one), *_checks(one), *_unknown(one)]
    parts += [*map(escaped, finding["notes"]), *_test(finding), *_steps(run)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _state(finding: dict[str, Any]) -> str:
    if finding["complete"]:
        return ""
    why = escaped(finding["stopped"] or "unfinished")
    return f"**Not final** ({why}): this is what is known so far."


def _details(one: dict[str, Any]) -> list[str]:
    return [code("\n".join(one["details"]), "text", COMMAND)] if one["details"] else []


def _reproducer(finding: dict[str, Any], number: int) -> list[str]:
    files = bug.artifacts(finding, "reproducer", number)
    if not files:
        return []
    shown = [_file(one, "json" if one["name"].endswith(".json") else "", FILE) for one in files]
    return ["## Make it fail", *_command(files[0]), *filter(None, shown)]


def _command(one: bug.Told) -> list[str]:
    checked = one["checked"] or "not run"
    said = f"Checked: {escaped(checked)}." if one["command"] else escaped(checked)
    typed = ["In the folder of the study:", code(one["command"], "sh", COMMAND)] if one["command"] else []
    return [*typed, said]


def _file(one: bug.Told, language: str, shown: int) -> str:
    if not one["name"]:
        return ""
    if not one["text"]:
        return f"{escaped(one['name'])}: {one['bytes']:,} bytes that are no text."
    body = code(one["text"].rstrip("\n"), language, COMMAND, shown)
    return f"<details><summary><code>{escaped(one['name'])}</code></summary>\n\n{body}\n\n</details>"


def _causes(one: dict[str, Any]) -> list[str]:
    if not one["causes"]:
        return []
    rows = [[Code(cut(cause["text"], CELL)), *_counts(cause)] for cause in one["causes"]]
    return [
        "## The cause" if len(rows) == 1 else "## The causes",
        _table(["it fails when", "runs there", "failed", "did not"], rows),
        code(one["python"].rstrip("\n"), "python", COMMAND, TEST),
    ]


def _counts(cause: bug.Told) -> list[str]:
    runs, fails = cause["runs"], cause["fails"]
    return [f"{number:,}" for number in (runs, fails, runs - fails)]


def _checks(one: dict[str, Any]) -> list[str]:
    rows = [[where, f"{did} {note}".strip()] for where, did, note in bug.checks(one)]
    if not rows:
        return []
    against = [f"- {span(text)}" for text in bug.refuting(one)]
    claim = ["Runs that did not do what is claimed:", "\n".join(against)] if against else []
    return [
        "## How sure is that?",
        _table([f"{count(one['check']['runs'], 'fresh run')}", "what they said"], rows),
        *claim,
    ]


def _unknown(one: dict[str, Any]) -> list[str]:
    return (
        ["## What is not known", "\n".join(f"- {escaped(text)}" for text in one["unknown"])] if one["unknown"] else []
    )


def _test(finding: dict[str, Any]) -> list[str]:
    return [
        part
        for one in bug.artifacts(finding, "test")
        for part in ("## A test for it", *_command(one), _file(one, "python", TEST))
    ]


def _steps(run: dict[str, Any]) -> list[str]:
    finding = run["finding"]
    rows = [
        [
            step["name"],
            [step["why"], " ", *bug.came_out(step), "" if step["complete"] else " (not final)"],
            f"{step['trials']:,}",
            "" if step["seconds"] is None else duration(step["seconds"]),
        ]
        for step in finding["steps"]
    ]
    took = "" if run["seconds"] is None else f" in {duration(run['seconds'])}"
    cost = f"{count(finding['trials'], 'trial')}{took}."
    again = [code(run["reproduce"]["command"], "sh", COMMAND)] if run["reproduce"]["command"] else []
    table = [_table(["step", "what came out", "trials", "time"], rows)] if rows else []
    return ["## How it was found", cost, *table, *again]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str | list[str]]]) -> str:
    """Of cells that are texts, or made of parts."""
    lines = [[_cell([cell] if isinstance(cell, str) else cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *lines])


def _cell(parts: Sequence[str]) -> str:
    return marked([part if isinstance(part, Code) else cut(part, CELL) for part in parts], cell=True)
