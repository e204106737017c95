"""Runs as a report document has them, made by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from rootward.report.trials import pack_column


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
        "columns": {"verdict": pack_column(verdicts), **{name: pack_column([None] * len(verdicts)) for name in names}},
        "fields": {name: pack_column(values) for name, values in (columns or {}).items()},
        "fixed": {},
        "left_out": 0,
        "kept": None if kept is None else pack_column(kept),
        "of": finding.get("of"),
    }
    reproduce = dict.fromkeys(("command", "seed", "repeat", "subject"))
    told = {"status": "complete", "started": None, "seconds": None, "reproduce": reproduce}
    known = {"id": "run-1", "name": "a run", "run": None, "store": None, **told}
    return {**known, "finding": finding, "trials": trials if verdicts else None}
