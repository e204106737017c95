"""Pages of findings that are given as data."""

from pathlib import Path
from typing import Any

from rootward.report import page as report
from rootward.report.data import document

RUN: dict[str, Any] = {
    "id": "run-1",
    "name": "",
    "run": None,
    "store": None,
    "status": "complete",
    "started": None,
    "seconds": None,
    "reproduce": {"command": None, "subject": None, "seed": None, "repeat": None},
    "trials": None,
}


def page(finding: dict[str, Any], folder: Path | None = None) -> str:
    return report.page(document([{**RUN, "finding": finding}]), folder)


def fragment(finding: dict[str, Any]) -> str:
    return report.fragment({**RUN, "finding": finding})
