"""Runs as a report document has them, made by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from rootward.keys import canonical
from rootward.plain import to_json
from rootward.rules.atoms import value_order


def column(values: Sequence[Any]) -> dict[str, Any]:
    known = sorted({canonical(value): value for value in values}.values(), key=value_order)
    places = {canonical(value): i for i, value in enumerate(known)}
    return {"values": [to_json(value) for value in known], "index": [places[canonical(value)] for value in values]}


def run(
    finding: dict[str, Any],
    columns: Mapping[str, Sequence[Any]] | None = None,
    verdicts: Sequence[str] = (),
    kept: Sequence[int] | None = None,
) -> dict[str, Any]:
    """With trials if there are columns or kept elements."""
    names = ("signature", "detail", "seconds", "attempt", "run")
    trials = {
        "total": len(verdicts),
        "listed": len(verdicts),
        "columns": {"verdict": column(verdicts), **{name: column([None] * len(verdicts)) for name in names}},
        "fields": {name: column(values) for name, values in (columns or {}).items()},
        "fixed": {},
        "left_out": 0,
        "kept": None if kept is None else column(kept),
        "of": finding.get("of"),
    }
    reproduce = dict.fromkeys(("command", "seed", "repeat", "subject"))
    told = {"status": "complete", "started": None, "seconds": None, "reproduce": reproduce}
    known = {"id": "run-1", "name": "a run", "run": None, "store": None, **told}
    return {**known, "finding": finding, "trials": trials if verdicts else None}
