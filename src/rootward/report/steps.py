"""A step of a diagnosis as a run of its own: what it found, and those of all trials that its figures can show.

The trials of a diagnosis are of several kinds: some keep elements, others give values to fields. A figure is about one
of these kinds, so the others are left out, whichever step ran them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rootward.report.cells import cut
from rootward.report.trials import LONG, Column
from rootward.rules import Rule


def step_run(run: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The step of this number, counted from 1."""
    finding = run["finding"]["steps"][number - 1]["finding"]
    trials = run["trials"] and _seen(_of_kind(run["trials"], finding), finding["signature"])
    return {**run, "id": f"{run['id']}-step-{number}", "finding": finding, "trials": trials}


def named(finding: Mapping[str, Any]) -> list[str]:
    """The fields that an answer speaks of, in its order; those of a diagnosis first."""
    own = [*(Rule.from_dict(finding["rule"]).fields if "rule" in finding else ())]
    sets = [row["field"] for row in finding.get("sets", ())]
    steps = [step["finding"] for step in finding.get("steps", ()) if step["finding"]]
    return list(dict.fromkeys([*sets, *own, *(name for step in steps for name in named(step))]))


def _of_kind(trials: dict[str, Any], finding: Mapping[str, Any]) -> dict[str, Any] | None:
    """Those that the finding is about; None if there are none."""
    kinds = trials.get("kinds")
    if kinds is None:
        return trials
    fields = set(named(finding))
    if finding["finding"] == "reduction":
        fits = [kind["of"] == finding["of"] for kind in kinds["told"]]
    else:
        fits = [kind["of"] is None and fields <= set(kind["fields"]) for kind in kinds["told"]]
    chosen = [i for i, kind in enumerate(kinds["index"]) if fits[kind]]
    there = {name for kind, fit in zip(kinds["told"], fits, strict=True) if fit for name in kind["fields"]}
    return _only(trials, chosen, there) if chosen else None


def _only(trials: dict[str, Any], chosen: Sequence[int], fields: set[str]) -> dict[str, Any]:
    """These trials, with the fields that they have."""

    def pick(column: Column) -> Column:
        return {**column, "index": [column["index"][i] for i in chosen]}

    return {
        **trials,
        "total": len(chosen),
        "listed": len(chosen),
        "columns": {name: pick(column) for name, column in trials["columns"].items()},
        "fields": {name: pick(column) for name, column in trials["fields"].items() if name in fields},
        "fixed": {name: value for name, value in trials["fixed"].items() if name in fields},
        "kept": None if fields else trials["kept"] and pick(trials["kept"]),
        "kinds": None,
    }


def _seen(trials: dict[str, Any] | None, signature: str | None) -> dict[str, Any] | None:
    """The same trials, judged by the failure that the step is about."""
    if trials is None or signature is None:
        return trials
    names, verdicts = trials["columns"]["signature"], trials["columns"]["verdict"]
    own = names["values"].index(cut(signature, LONG)) if cut(signature, LONG) in names["values"] else None
    order = ["FAIL", "OTHER", "PASS", "UNRESOLVED"]
    said = [verdicts["values"][i] for i in verdicts["index"]]
    judged = [
        ("FAIL" if name == own else "OTHER") if verdict in ("FAIL", "OTHER") else verdict
        for verdict, name in zip(said, names["index"], strict=True)
    ]
    column = {"values": order, "index": [order.index(verdict) for verdict in judged]}
    return {**trials, "columns": {**trials["columns"], "verdict": column}}
