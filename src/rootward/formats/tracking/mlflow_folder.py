"""The folder ``mlruns``, where MLflow keeps runs without a database: a folder for each run, a file for each value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.tracking import yaml_file
from rootward.formats.tracking.mlflow import UNKNOWN, Entry, milliseconds, number, tracked
from rootward.formats.tracking.run import Tracked, chosen

META = "meta.yaml"
STATUSES = {"1": "RUNNING", "2": "SCHEDULED", "3": "FINISHED", "4": "FAILED", "5": "KILLED"}


def read(folder: Path, experiment: str | None = None) -> Tracked:
    """The runs of one experiment, without those that were deleted."""
    known = {}
    for path in sorted(folder.glob(f"*/{META}")):
        meta = yaml_file.read(path, dict)
        if meta.get("lifecycle_stage") == "active" and (experiment or any(path.parent.glob(f"*/{META}"))):
            known[str(meta.get("name"))] = path.parent
    name = chosen("experiment", experiment, known, str(folder))
    return tracked(f"experiment {name} of {folder}", _entries(known[name]))


def _entries(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.glob(f"*/{META}")):
        meta, run = yaml_file.read(path, dict), path.parent
        if "run_id" in meta and meta.get("lifecycle_stage") == "active":
            yield Entry(
                id=str(meta["run_id"]),
                status=STATUSES.get(str(meta.get("status")), UNKNOWN),
                started=milliseconds(meta.get("start_time")),
                ended=milliseconds(meta.get("end_time")),
                params=dict(_texts(run / "params")),
                metrics={name: _latest(text, run / "metrics" / name) for name, text in _texts(run / "metrics")},
                tags=dict(_texts(run / "tags")),
            )


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each value, which may have slashes, and its text."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{path} cannot be read: {error}") from error


def _latest(text: str, path: Path) -> float:
    """The value of the last step, of lines with a time, a value and a step; the oldest files have no steps."""
    try:
        lines = [line.split() for line in text.splitlines() if line.strip()]
        found = [(int(rest[0]) if rest else 0, int(time), number(value)) for time, value, *rest in lines]
        return max(found, key=lambda each: each[:2])[2]
    except ValueError:
        raise InputError(f"{path}: expected lines with a time, a value and a step") from None
