"""A report as data: one versioned JSON document, from which every other form is made.

``schema.json`` beside this file describes it. The page embeds it, so whoever has the page has the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rootward.evidence import Evidence
from rootward.finding import Finding
from rootward.formats.paths import for_reading
from rootward.report.cells import cut
from rootward.report.steps import named
from rootward.report.trials import packed
from rootward.store import RunRecord, Store

FORMAT, VERSION = "rootward-report", 1
LONG = 20_000
"""Longer texts are cut: a page must stay one that can be opened."""


def document(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One report of these runs."""
    numbered = [{**run, "id": f"run-{place}"} for place, run in enumerate(runs, 1)]
    return {"format": FORMAT, "version": VERSION, "rootward": version("rootward"), "runs": numbered}


def run_of(finding: Finding) -> dict[str, Any]:
    """The run that made a finding, with all that is known of it."""
    status = "complete" if finding.complete else finding.stopped or "unfinished"
    return _run(finding.evidence or Evidence(), status, finding.to_dict())


def stored_run(store: Store, record: RunRecord) -> dict[str, Any]:
    """A run as the store knows it; its finding is None if it has none yet."""
    evidence = Evidence(
        record.name,
        record.settings,
        store=str(store),
        run=record.id,
        started=record.started,
        seconds=record.seconds,
        trials=lambda: store.evidence(record),
    )
    return _run(evidence, record.status, store.finding(record.id))


def _run(evidence: Evidence, status: str, finding: dict[str, Any] | None) -> dict[str, Any]:
    signature = finding["signature"] if finding else None
    trials = packed(evidence.trials(), run=evidence.run, signature=signature, named=named(finding or {}))
    return {
        "id": "run-1",
        "name": evidence.name,
        "run": evidence.run,
        "store": evidence.store and _near(evidence.store),
        "status": status,
        "started": evidence.started,
        "seconds": evidence.seconds,
        "reproduce": {name: evidence.settings.get(name) for name in ("command", "subject", "seed", "repeat")},
        "finding": None if finding is None else _cut(finding),
        "trials": trials if trials["total"] else None,
    }


def _near(store: str) -> str:
    """As the user would write it here: who gets the page need not know where home is. A URL stays as it is."""
    path = Path(store)
    return for_reading(path) if path.is_absolute() else store


def _cut(value: Any) -> Any:
    """Without texts of unreasonable length; pictures are texts, too, but not to be read."""
    if isinstance(value, str):
        return value if value.startswith("data:image/") else cut(value, LONG)
    if isinstance(value, list):
        return [_cut(item) for item in value]
    return {_cut(name): _cut(item) for name, item in value.items()} if isinstance(value, dict) else value
