"""``rootward serve`` as a process: it says where, is not in the way, and ends when told to."""

import contextlib
import re
import signal
import socket
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from rootward.cli import main
from tests.waiting import PATIENCE


@contextlib.contextmanager
def serve(bench, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A server that is killed at the end of the block: if an assertion fails in it, nothing else would end it."""
    with bench.start("serve", "--port", "0", *options) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_says_where_it_is_and_ends_at_once(bench):
    with serve(bench) as process:
        line = process.stdout.readline()
        there = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert there is not None
        url = there[0]
        assert line.startswith(
            f"{bench.folder}/.rootward/rootward.db is shown at {url} until Ctrl-C. There is no store yet"
        )
        assert "There is no store yet" in httpx.get(url, timeout=PATIENCE).text
        with httpx.stream("GET", f"{url}events", timeout=PATIENCE) as stream:
            assert next(stream.iter_lines()) == "retry: 1000"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)  # while somebody listens
    assert (process.returncode, out, err) == (0, "", "")
    assert list(bench.folder.iterdir()) == []


def test_elsewhere_it_has_a_token(bench):
    with serve(bench, "--host", "0.0.0.0") as process:
        found = re.search(r"http://[^:/]+:(\d+)/(\?token=[\w-]{32})", process.stdout.readline())
        assert found is not None
        url = f"http://127.0.0.1:{found[1]}/"
        assert httpx.get(url, timeout=PATIENCE).status_code == 401
        assert httpx.get(url + found[2], timeout=PATIENCE).status_code == 303
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_mistakes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("no database at all " * 100)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        cases = {
            ("--port", port): f"port {port} of 127.0.0.1 is in use: choose another with --port (0 takes any free one)",
            ("--host", "no.such.host.invalid"): "--host no.such.host.invalid: ",
            ("--host", "192.0.2.1"): "cannot listen on port ",
            ("--token", "ab c"): "--token may contain only letters, digits, - and _",
            ("notes.txt",): "is not a store of Rootward: move it away, or choose another store",
        }
        for arguments, complaint in cases.items():
            with pytest.raises(SystemExit) as end:
                main(["serve", *arguments])
            assert end.value.code in (1, 2)
            assert complaint in capsys.readouterr().err
    assert not (tmp_path / ".rootward").exists()
