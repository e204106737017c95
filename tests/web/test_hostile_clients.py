"""Whatever a client sends, the page answers with what is wrong, or hangs up; it never answers 500, and never waits."""

from __future__ import annotations

import contextlib
import logging
import select
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.web import server
from rootward.web.watch import StoreSource
from tests.properties import examples
from tests.waiting import PATIENCE

from .conftest import PLAIN, Served

TOKEN = "opensesame"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("web") / "store.db"
    rw.reduce("abcdef", rw.fails_when(lambda kept: "b" in kept), store=path)
    return path


@pytest.fixture(scope="module")
def pages(store: Path) -> Iterator[dict[str, Served]]:
    """The page for this machine, and the one for others, which needs a token."""
    started = {"here": Served(store), "elsewhere": Served(store, token=TOKEN, loopback=False)}
    yield started
    for one in started.values():
        one.stop()


def connect(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)


def first_line(served: Served, request: bytes) -> bytes:
    """Send a request, and return the first line of the answer; empty if the server hung up."""
    with connect(served) as client:
        try:
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while b"\r\n" not in answer and (part := client.recv(4096)):
                answer += part
        except (ConnectionError, BrokenPipeError):
            return b""  # it hung up before it had read all
    return answer.partition(b"\r\n")[0]


# Requests that are nearly right

digits = st.integers(0, 5000).map(lambda n: "9" * n) | st.sampled_from(["0", "1", "2", "-1", "1e3", "٣", "0x1", "1.0"])
escapes = st.binary(max_size=4).map(lambda data: "".join(f"%{byte:02x}" for byte in data))
segments = st.one_of(
    digits,
    escapes,
    st.sampled_from(
        ["runs", "1", "parts", "found", "events", "report.html", "stop", "static", "live.js", "..", "", "%", "%zz"]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), max_size=8),
)  # fmt: skip
paths = st.lists(segments, max_size=5).map(lambda parts: "/" + "/".join(parts)) | st.sampled_from(
    ["/", "*", "", "//evil.example/", "http://evil.example/", "/runs/1", "/runs/1/", "/runs/1/stop"]
)  # fmt: skip
garbage = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=20)
queries = st.sampled_from(["", "?", "?token=", f"?token={TOKEN}", f"?token={TOKEN}&x=%ff%00&x=1", "?%", "?a=b;c=d"])
headers = st.lists(
    st.tuples(
        st.sampled_from(
            ["Host", "Origin", "Cookie", "Range", "Content-Length", "Transfer-Encoding", "Sec-Fetch-Site", "Accept",
             "If-Range", "Upgrade", "Connection", "Expect", "X-Forwarded-For", "Referer"]
        ),
        garbage
        | st.sampled_from(
            ["http://[", "[::1", "[", "same-origin", "bytes=0-", "bytes=9-1,-", "chunked", "websocket", "-1",
             "100-continue", "9" * 5000, "localhost", "evil.example", 'rootward="', "close", "Upgrade"]
        ),
    ),
    max_size=4,
)  # fmt: skip
methods = st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X" * 300])


@examples(400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.sampled_from(["here", "elsewhere"]),
    method=methods,
    path=paths,
    query=queries,
    headers=headers,
    body=st.binary(max_size=20),
)
@example("here", "GET", "/runs/" + "9" * 5000, "", [], b"")
@example("here", "POST", "/runs/1/stop", "", [("Origin", "http://[")], b"")
@example("elsewhere", "GET", "/runs/1/parts", "", [("Host", "[")], b"")
@example("elsewhere", "GET", "/runs/1/", "", [("Host", "[")], b"")
@example("elsewhere", "GET", "/\0", f"?token={TOKEN}", [], b"")
def test_no_request_is_an_internal_error(
    pages: dict[str, Served],
    where: str,
    method: str,
    path: str,
    query: str,
    headers: list[tuple[str, str]],
    body: bytes,
) -> None:
    served = pages[where]
    given = {name.lower() for name, _ in headers}
    if "host" not in given:
        headers = [("Host", f"127.0.0.1:{served.port}"), *headers]
    if "cookie" not in given:
        headers = [("Cookie", f"rootward-{served.port}={TOKEN}"), *headers]
    lines = [f"{method} {path}{query} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    line = first_line(served, "\r\n".join(lines).encode("utf-8", "replace") + body)
    assert not line or line.split(b" ")[1] in (
        b"200", b"303", b"400", b"401", b"403", b"404", b"405", b"421", b"426", b"431", b"501",
    ), line  # fmt: skip


@examples(200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=200), st.sampled_from([b"", b"GET / HTTP/1.1\r\n", b"GET /", b"POST / HTTP/1.1\r\nHost: a\r\n"])
)
def test_garbage_is_no_internal_error(pages: dict[str, Served], garbage: bytes, start: bytes) -> None:
    line = first_line(pages["here"], start + garbage)
    assert b" 5" not in line[:12], line


def test_afterwards_the_pages_are_as_before(pages: dict[str, Served]) -> None:
    assert pages["here"].get("/runs/1").status_code == 200
    cookies = {f"rootward-{pages['elsewhere'].port}": TOKEN}
    assert httpx.get(pages["elsewhere"].url, cookies=cookies, **PLAIN).status_code == 200


def test_a_number_that_no_run_has_is_not_found(pages: dict[str, Served]) -> None:
    for number in ("9" * 5000, "9" * 18, "9" * 19, "0", "-1", "%31%00"):
        answer = pages["here"].get(f"/runs/{number}")
        assert answer.status_code == 404
        assert "Not found" in answer.text or not answer.text


@pytest.fixture
def complaints() -> Iterator[list[logging.LogRecord]]:
    """What the server logs as an error."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record)

    found: list[logging.LogRecord] = []
    handler = Handler(logging.ERROR)
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    yield found
    for logger in loggers:
        logger.removeHandler(handler)


@pytest.mark.parametrize("path", ["/runs/1/stop", "/events"])
def test_a_body_that_turns_out_to_be_broken_is_no_error_of_the_server(
    pages: dict[str, Served], complaints: list[logging.LogRecord], path: str
) -> None:
    """It is noticed when the application was called already, and may have begun to answer."""
    served = pages["here"]
    method = "GET" if path == "/events" else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(served) as client:
        if path == "/events":
            client.sendall(head.encode())
            assert client.recv(4096).startswith(b"HTTP/1.1 200")
            client.sendall(b"zz\r\n")
        else:
            client.sendall(head.encode() + b"zz\r\n")
        assert has_hung_up(client)
    assert served.get("/").status_code == 200
    assert complaints == []


# Clients that take their time


@pytest.fixture
def hurried(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(server, "MAX_CLIENT_SECONDS", 0.2)
    served = Served(store)
    yield served
    served.stop()


def has_hung_up(client: socket.socket) -> bool:
    """Wait until the server hangs up. What it still sends is read."""
    try:
        while client.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: local"])
def test_a_request_that_does_not_come_is_not_waited_for(hurried: Served, sent: bytes) -> None:
    with connect(hurried) as client:
        client.sendall(sent)
        assert has_hung_up(client)


def test_a_request_that_comes_byte_by_byte_does_not_gain_time(hurried: Served) -> None:
    with connect(hurried) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: ")
        try:
            while not select.select([client], [], [], 0.01)[0]:
                client.sendall(b"x")
        except ConnectionError:
            return
        assert has_hung_up(client)


def test_a_body_that_comes_byte_by_byte_does_not_gain_time(hurried: Served) -> None:
    with connect(hurried) as client:
        host = f"127.0.0.1:{hurried.port}"
        client.sendall(f"POST /runs/1/none HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\n".encode())
        try:
            while client.recv(1 << 16):
                client.sendall(b"x")
        except ConnectionError:
            pass


def test_who_does_not_read_the_answers_is_disconnected(hurried: Served) -> None:
    """Many requests at once, whose answers are more than what the system keeps for a client."""
    request = f"GET /static/report.js HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\n\r\n".encode()
    with socket.socket() as client:
        client.settimeout(PATIENCE)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", hurried.port))
        try:
            while True:  # until the server neither reads nor writes any more, and then hangs up
                client.sendall(request * 100)
        except ConnectionError:
            pass


def test_who_reads_what_happens_is_not_disconnected(hurried: Served) -> None:
    with httpx.stream("GET", f"{hurried.url}/events", **PLAIN) as stream:
        events = stream.iter_raw()
        assert next(events)
        for sent in (b"", b"GET /"):  # others are disconnected meanwhile
            with connect(hurried) as client:
                client.sendall(sent)
                assert has_hung_up(client)
        rw.reduce("abcd", rw.fails_when(lambda kept: "c" in kept), store=hurried.store)
        assert any(b"data: " in event for event in events)


@pytest.mark.parametrize("sent", [[b" " * 60_000], [b" \t" * 50] * 600], ids=["at once", "in pieces"])
def test_blanks_without_end_are_not_read(pages: dict[str, Served], sent: list[bytes]) -> None:
    with connect(pages["here"]) as client, contextlib.suppress(ConnectionError):
        client.sendall(b"GET / HTTP/1.1\r\nHost:")
        for part in sent:
            client.sendall(part)
        client.sendall(b"x\0\r\n\r\n")
        assert has_hung_up(client)
    assert pages["here"].get("/").status_code == 200


# Tokens


@pytest.mark.parametrize(
    "token",
    [
        *("a", "opensesame", "a" * 60, "0123456789" * 4, "deadbeefdeadbeef12345678901", "A-b_3" * 4),
        *("abcdefgh" * 4, "correct-horse-battery-staple"),
    ],
)
def test_a_weak_token_is_refused_for_other_machines(store: Path, token: str) -> None:
    with pytest.raises(
        InputError, match=r"too easy to guess.*22 random letters and digits are needed.*secrets\.token_urlsafe"
    ) as error:
        server.serve(StoreSource(str(store)), host="0.0.0.0", port=0, token=token, say=print)
    assert token not in str(error.value).partition("make one with")[0] or token == "a"


@pytest.mark.parametrize(
    "token",
    ["gGqzDq1GlGlB0Yxkq0fW9b", "9f86d081884c7d659a2feaa0c55ad015", "kMv-9qAYb4ejx2t0LhQyT7rWcZdV_5Ns"],
)
def test_a_strong_token_is_accepted(token: str) -> None:
    server._check_strength(token)
