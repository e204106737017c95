"""MLflow: the folder ``mlruns``, the server, and the code that these share with the database (`databases`).

A run that is the parent of others (``mlflow.parentRunId``) only groups them and is not a run of the subject. Parameters
are text. Of each metric, the latest value counts.
"""

from __future__ import annotations

import base64
import http.client
import json
import math
import os
import sys
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rootward.errors import InputError
from rootward.formats.files import read_text
from rootward.formats.tracking import yaml_file
from rootward.formats.tracking.run import Experiment, PastRun, RunState, choose, read_values
from rootward.space.fields import show

STATES = {
    "FINISHED": RunState.FINISHED,
    "FAILED": RunState.FAILED,
    "KILLED": RunState.STOPPED,
    "RUNNING": RunState.RUNNING,
    "SCHEDULED": RunState.RUNNING,
}
PARENT = "mlflow.parentRunId"
GROUPS = "only grouping other runs"
UNKNOWN = "UNKNOWN"
"""The status of a run without one."""
OWN = "mlflow."
"""Prefix of the tags that MLflow sets."""


@dataclass(frozen=True)
class Entry:
    """A run in a form that all stores share. Times are in milliseconds; parameters and tags are text."""

    id: str
    status: str
    started: int | None
    ended: int | None
    params: Mapping[str, str]
    metrics: Mapping[str, float]
    tags: Mapping[str, str]


def build_tracked(title: str, entries: Iterable[Entry]) -> Experiment:
    """Convert entries to runs, earliest first."""
    entries = sorted(entries, key=lambda entry: (entry.started or 0, entry.id))
    parents = {entry.tags.get(PARENT) for entry in entries}
    runs = [entry for entry in entries if entry.id not in parents]
    settings = read_values(entry.params for entry in runs)
    tags = read_values({key: tag for key, tag in entry.tags.items() if not key.startswith(OWN)} for entry in runs)
    found = (_run(*each) for each in zip(runs, settings, tags, strict=True))
    aside = len(entries) - len(runs)
    return Experiment(title, tuple(found), Counter({GROUPS: aside} if aside else {}))


def number(value: Any) -> float:
    """Convert a metric to a number. MLflow stores infinity as the largest float; servers send NaN as text."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise InputError(f"an MLflow metric has the value {show(value)}: expected a number") from None
    return math.copysign(math.inf, found) if abs(found) == sys.float_info.max else found


def milliseconds(value: Any) -> int | None:
    """Convert a time in milliseconds, which may be text. Returns None if it is 0 or not a number."""
    text = str(value)
    return int(text) or None if text.isdecimal() and len(text) < 16 else None


def _run(entry: Entry, settings: Mapping[str, Any], tags: Mapping[str, Any]) -> PastRun:
    when = entry.started if entry.ended is None else entry.ended
    return PastRun(
        id=entry.id,
        status=entry.status,
        state=STATES.get(entry.status, RunState.RUNNING),
        finished=None if when is None else when / 1000,
        settings=settings,
        results={**tags, **entry.metrics},
    )


# The folder mlruns, where MLflow stores runs without a database: a folder for each run, a file for each value


META = "meta.yaml"
STATUSES = {"1": "RUNNING", "2": "SCHEDULED", "3": "FINISHED", "4": "FAILED", "5": "KILLED"}


def read_folder(folder: Path, experiment: str | None = None) -> Experiment:
    """Read the runs of one experiment, except deleted ones."""
    known = {}
    for path in sorted(folder.glob(f"*/{META}")):
        meta = yaml_file.read(path, dict)
        if meta.get("lifecycle_stage") == "active" and (experiment or any(path.parent.glob(f"*/{META}"))):
            known[str(meta.get("name"))] = path.parent
    name = choose("experiment", experiment, known, str(folder))
    return build_tracked(f"experiment {name} of {folder}", _folder_entries(known[name]))


def _folder_entries(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.glob(f"*/{META}")):
        meta, run = yaml_file.read(path, dict), path.parent
        if "run_id" in meta and meta.get("lifecycle_stage") == "active":
            yield Entry(
                id=str(meta["run_id"]),
                status=STATUSES.get(str(meta.get("status")), UNKNOWN),
                started=milliseconds(meta.get("start_time")),
                ended=milliseconds(meta.get("end_time")),
                params=dict(_read_values(run / "params")),
                metrics={
                    name: _latest_value(text, run / "metrics" / name) for name, text in _read_values(run / "metrics")
                },
                tags=dict(_read_values(run / "tags")),
            )


def _read_values(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value. A name may contain slashes."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), read_text(path)


def _latest_value(text: str, path: Path) -> float:
    """Return the value of the last step. Each line has a time, a value and a step; the oldest files have no steps."""
    try:
        lines = [line.split() for line in text.splitlines() if line.strip()]
        found = [(int(rest[0]) if rest else 0, int(time), number(value)) for time, value, *rest in lines]
        return max(found, key=lambda each: each[:2])[2]
    except ValueError:
        raise InputError(f"{path}: every line must have a time, a value and a step") from None


# An MLflow server, queried over HTTP: first for its experiments, then page by page for the runs of one


PATIENCE = 30.0
"""Seconds to wait for an answer of the server."""
PAGE = 1000
"""Number of runs requested per page."""
API = "/api/2.0/mlflow/"


def read_server(address: str, experiment: str | None = None, *, patience: float = PATIENCE) -> Experiment:
    """Read the runs of one experiment, except deleted ones."""
    server = _MlflowServer(address, patience)
    found = server.pages("experiments/search", "experiments", view_type="ACTIVE_ONLY")
    known = {server.text(one, "name"): server.text(one, "experiment_id") for one in found}
    if experiment is None:
        known = {name: number for name, number in known.items() if any(server.entries(number))}
    name = choose("experiment", experiment, known, server.title)
    return build_tracked(f"experiment {name} of {server.title}", server.entries(known[name]))


class _MlflowServer:
    """A connection to an MLflow server.

    If they are set, ``MLFLOW_TRACKING_TOKEN``, or ``MLFLOW_TRACKING_USERNAME`` and ``MLFLOW_TRACKING_PASSWORD``, are
    sent as MLflow sends them. They are sent only to the given address.
    """

    def __init__(self, address: str, patience: float) -> None:
        try:
            parts = urlsplit(address)
            port = f":{parts.port}" if parts.port else ""
        except ValueError as error:
            raise InputError(f"not a valid server address: {error}") from None
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        self.title = (
            f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"  # without the password and the page of the UI
        )
        self._patience, self._authorization = patience, _authorization(parts.username, parts.password)

    def entries(self, experiment: str) -> Iterator[Entry]:
        for run in self.pages("runs/search", "runs", experiment_ids=[experiment], run_view_type="ACTIVE_ONLY"):
            info, data = self.part(run, "info"), run.get("data") or {}
            yield Entry(
                id=self.text(info, "run_id"),
                status=str(info.get("status") or UNKNOWN),
                started=milliseconds(info.get("start_time")),
                ended=milliseconds(info.get("end_time")),
                params={key: str(value) for key, value in self.pairs(data, "params").items()},
                metrics={key: number(value) for key, value in self.pairs(data, "metrics").items()},
                tags={key: str(value) for key, value in self.pairs(data, "tags").items()},
            )

    def pages(self, path: str, of: str, **question: Any) -> Iterator[dict[str, Any]]:
        """Yield all members of the list ``of``, which the server sends page by page."""
        tokens = set()
        question["max_results"] = PAGE
        while True:
            answer = self._ask(path, question)
            members = answer.get(of, [])
            if not isinstance(members, list):
                raise self._unexpected_answer(f"{of} = {show(members)}")
            yield from members
            token = str(answer.get("next_page_token") or "")
            if not token:
                return
            if token in tokens:
                raise self._unexpected_answer("the same page again")
            tokens.add(token)
            question["page_token"] = token

    def text(self, of: Any, name: str) -> str:
        return str(self._value(of, name))

    def part(self, of: Any, name: str) -> dict[str, Any]:
        value = self._value(of, name)
        return value if isinstance(value, dict) else self._refuse(f"{name} = {show(value)}")

    def pairs(self, of: Any, name: str) -> dict[str, Any]:
        """Return the list of keys and values at ``name`` as a mapping. A missing value becomes an empty text."""
        members = of.get(name) or [] if isinstance(of, dict) else of
        if not isinstance(members, list):
            raise self._unexpected_answer(f"{name} = {show(members)}")
        return {self.text(one, "key"): one.get("value", "") for one in members}

    def _value(self, of: Any, name: str) -> Any:
        return of[name] if isinstance(of, dict) and name in of else self._refuse(f"{show(of)} without {name!r}")

    def _ask(self, path: str, question: Mapping[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(self.title + API + path, json.dumps(question).encode(), method="POST")
        request.add_header("Content-Type", "application/json")
        if self._authorization:
            request.add_unredirected_header("Authorization", self._authorization)
        try:
            with urllib.request.urlopen(request, timeout=self._patience) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise InputError(f"{self.title} answered {error.code} {error.reason}{_advice(error.code)}") from error
        except TimeoutError as error:
            raise InputError(f"{self.title} did not answer within {self._patience:g} seconds") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise InputError(f"{self.title} did not answer within {self._patience:g} seconds") from error
            raise InputError(f"{self.title} cannot be reached: {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise InputError(f"{self.title} closed the connection: {type(error).__name__}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.title} is not an MLflow server: its answer is not JSON") from error
        return answer if isinstance(answer, dict) else self._refuse(show(answer))

    def _refuse(self, got: str) -> Any:
        raise self._unexpected_answer(got)

    def _unexpected_answer(self, got: str) -> InputError:
        return InputError(f"{self.title} does not answer like an MLflow server: it sent {got}")


def _advice(code: int) -> str:
    if code in (401, 403):
        return ": set MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD"
    return ": is this the address of an MLflow server?" if code in (404, 405) else ""


def _authorization(user: str | None, password: str | None) -> str:
    if token := os.environ.get("MLFLOW_TRACKING_TOKEN"):
        return f"Bearer {token}"
    user = unquote(user or "") or os.environ.get("MLFLOW_TRACKING_USERNAME")
    if not user:
        return ""
    password = unquote(password or "") or os.environ.get("MLFLOW_TRACKING_PASSWORD", "")
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
