"""Where a page finds the files that it speaks of: beside it, so that both can be moved together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote


def linked(run: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A run whose triage, if it is one, knows the way from the page's folder to the recordings of its faults."""
    finding = run["finding"]
    if finding is None or finding["finding"] != "triage":
        return run
    faults = [{**fault, "link": link(fault["path"], folder)} for fault in finding["faults"]]
    return {**run, "finding": {**finding, "faults": faults}}


def link(path: str, folder: Path) -> str:
    """Empty if there is no file, or no way to it."""
    if not path:
        return ""
    try:
        way = os.path.relpath(path, folder)
    except ValueError:  # another drive
        return ""
    return quote(Path(way).as_posix().encode("utf-8", "surrogateescape"))
