"""Stores of trackers, made from what the trackers themselves wrote (tests/data/tracking), and a server of MLflow."""

import http.server
import json
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "data" / "tracking"


def database(name: str, folder: Path, script: str = "") -> Path:
    """A SQLite file with what was dumped, and what else is done to it."""
    path = folder / f"{name}.db"
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA synchronous = OFF;" + (DATA / f"{name}.sql").read_text() + script)
    connection.close()
    return path


@pytest.fixture
def mlflow_db(tmp_path) -> Path:
    return database("mlflow", tmp_path)


@pytest.fixture
def optuna_db(tmp_path) -> Path:
    return database("optuna", tmp_path)


@pytest.fixture
def multirun(tmp_path) -> Path:
    return Path(shutil.copytree(DATA / "multirun", tmp_path / "multirun"))


class Server(http.server.ThreadingHTTPServer):
    """It answers each question by ``answer``: a status and a body."""

    daemon_threads = True
    answer: Callable[[str, dict], tuple[int, bytes]]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.headers: list[dict[str, str]] = []

    def handle_error(self, *_: object) -> None:
        """Whoever asked did not wait for the answer."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.headers.append(dict(self.headers))
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, answer = self.server.answer(self.path, body)
        self.send_response(status)
        if status in (301, 302):
            self.send_header("Location", answer.decode())
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


def recorded(path: str, body: dict) -> tuple[int, bytes]:
    """What MLflow answered to the same question, in smaller pages."""
    for one in json.loads((DATA / "mlflow-rest.json").read_text()):
        if one["path"] == path and all(
            one["request"].get(key) == body.get(key) for key in ("experiment_ids", "page_token")
        ):
            return 200, json.dumps(one["answer"]).encode()
    return 404, b"not found"


@pytest.fixture
def server():
    """A server of MLflow that was recorded; a test may let it answer differently."""
    with Server() as running:
        running.answer = recorded
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()
