"""An MLflow server, asked over HTTP: which experiments there are, and page by page for the runs of one.

``MLFLOW_TRACKING_TOKEN``, or ``MLFLOW_TRACKING_USERNAME`` and ``MLFLOW_TRACKING_PASSWORD``, are sent if they are set,
as MLflow itself does, and only to the server that was named.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from rootward.errors import InputError
from rootward.fields import show
from rootward.formats.tracking.mlflow import UNKNOWN, Entry, milliseconds, number, tracked
from rootward.formats.tracking.run import Tracked, chosen

PATIENCE = 30.0
"""Seconds without a word after which a server is given up."""
PAGE = 1000
API = "/api/2.0/mlflow/"


def read(address: str, experiment: str | None = None, *, patience: float = PATIENCE) -> Tracked:
    """The runs of one experiment, without those that were deleted."""
    server = _Server(address, patience)
    found = server.pages("experiments/search", "experiments", view_type="ACTIVE_ONLY")
    known = {server.text(one, "name"): server.text(one, "experiment_id") for one in found}
    if experiment is None:
        known = {name: number for name, number in known.items() if any(server.entries(number))}
    name = chosen("experiment", experiment, known, server.title)
    return tracked(f"experiment {name} of {server.title}", server.entries(known[name]))


class _Server:
    def __init__(self, address: str, patience: float) -> None:
        try:
            parts = urlsplit(address)
            port = f":{parts.port}" if parts.port else ""
        except ValueError as error:
            raise InputError(f"this is no address of a server: {error}") from None
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        self.title = f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"  # neither a password nor a page of the UI
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
        """All members of a list that is told page by page."""
        told = set()
        question["max_results"] = PAGE
        while True:
            answer = self._ask(path, question)
            members = answer.get(of, [])
            if not isinstance(members, list):
                raise self._odd(f"{of} = {show(members)}")
            yield from members
            token = str(answer.get("next_page_token") or "")
            if not token:
                return
            if token in told:
                raise self._odd("the same page again and again")
            told.add(token)
            question["page_token"] = token

    def text(self, of: Any, name: str) -> str:
        return str(self._value(of, name))

    def part(self, of: Any, name: str) -> dict[str, Any]:
        value = self._value(of, name)
        return value if isinstance(value, dict) else self._refuse(f"{name} = {show(value)}")

    def pairs(self, of: Any, name: str) -> dict[str, Any]:
        """A list of keys and values; an empty text is left out of the answers of a server."""
        members = of.get(name) or [] if isinstance(of, dict) else of
        if not isinstance(members, list):
            raise self._odd(f"{name} = {show(members)}")
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
            raise InputError(f"{self.title} broke off: {type(error).__name__}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.title} is no MLflow server: its answer is not JSON") from error
        return answer if isinstance(answer, dict) else self._refuse(show(answer))

    def _refuse(self, got: str) -> Any:
        raise self._odd(got)

    def _odd(self, got: str) -> InputError:
        return InputError(f"{self.title} does not answer as MLflow does: it said {got}")


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
