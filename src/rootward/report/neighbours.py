"""What a cause needs, setting by setting: what it says of each, beside a run that differs there and passed."""

from __future__ import annotations

from typing import Any

from rootward.report.trials import read
from rootward.rules import Rule
from rootward.rules.text import field_text, literal_text, value_text

SHOWN = 12
"""So many settings of a run are listed, those that the cause names first."""


def neighbours(cause: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each setting that the cause names: what it ``says``, the value that ``passed``, the rest of that run.

    Without such a run, ``passed`` is empty.
    """
    runs = {needed["field"]: needed["configuration"] for needed in cause["needed"]}
    [term] = Rule.from_dict(cause["rule"]).terms
    named = [literal.field for literal in term]
    return [
        {"says": literal_text(literal.field, literal.alternatives), **_passed(literal.field, named, runs)}
        for literal in term
    ]


def _passed(field: str, named: list[str], runs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if field not in runs:
        return {"passed": "", "others": [], "more": 0}
    run = runs[field]
    others = [name for name in dict.fromkeys([*named, *run]) if name != field]
    return {
        "passed": _text(field, run[field]),
        "others": [_text(name, run[name]) for name in others[:SHOWN]],
        "more": max(0, len(others) - SHOWN),
    }


def _text(field: str, value: Any) -> str:
    return f"{field_text(field)} = {value_text(read(value))}"
