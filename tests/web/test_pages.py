"""What the live page says, as a program sees it: the right words, for whom they are meant, and nothing that acts."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import rootward as rw
from rootward.space.keys import key
from rootward.store.rows import RunRecord
from rootward.store.store import Store
from rootward.verdict import FAIL, Outcome
from rootward.web import state
from rootward.web.app import Live
from rootward.web.watch import StoreSource

from .conftest import PLAIN

Serve = Callable[..., Any]
HOSTILE = (
    "<script>window.hacked = 1</script></script><img src=x onerror='window.hacked=1'>{{ 7 * 7 }}{% raw %} \u202egnp.exe"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def begin(store: Store, name: str = "reduce crash.txt", **standing: Any) -> RunRecord:
    run = store.open_run(key=key(name), subject="s", name=name, settings={}, fresh=False)
    if standing:
        store.update(run.id, **standing)
    return run


def finding(text: str = "two of ten are enough") -> dict[str, Any]:
    return {
        "finding": "other",
        "explanation": text,
        "complete": False,
        "stopped": None,
        "signature": text,
        "trials": 3,
        "asked": 3,
    }


# What it says


def test_before_there_is_a_store_it_says_so_and_makes_none(serve: Serve, path: Path) -> None:
    served = serve(path)
    assert "There is no store yet" in served.get().text
    assert served.get("/runs/1").status_code == 404
    assert not path.exists()
    rw.reduce("abc", rw.fails_when(lambda kept: "b" in kept), store=path)
    assert "1 of 3 elements is enough" in served.get().text


def test_a_store_that_was_replaced_is_looked_at(serve: Serve, path: Path) -> None:
    rw.reduce("abc", rw.fails_when(lambda kept: "b" in kept), store=path)
    served = serve(path)
    assert "complete" in served.get().text
    for file in path.parent.glob("store.db*"):
        file.unlink()
    assert "There is no store yet" in served.get().text


def test_what_is_no_store_is_said(serve: Serve, path: Path) -> None:
    path.write_text("not a database " * 1000)
    served = serve(path)
    assert "The store cannot be read." in served.get().text
    assert served.get("/runs/1").status_code == 503


def test_runs_are_listed_newest_first_with_their_state(serve: Serve, path: Path, store: Store) -> None:
    begin(store, "one", status="complete", best="found it\nwith more")
    begin(store, "two", status="budget")
    begin(store, "three")
    text = serve(path).get().text.partition("<tbody>")[2]
    words = ["three", "running", "two", "budget used up", "one", "complete", "found it"]
    assert [text.index(word) for word in words] == sorted(text.index(word) for word in words)
    assert "with more" not in text


def test_a_run_that_goes_on(serve: Serve, path: Path, store: Store) -> None:
    standing = {"executed": 12, "running": 2, "remembered": 5, "charged": 12, "budget_trials": 40, "note": "halves"}
    run = begin(store, seconds=61.0, progress={**standing, "budget_seconds": 100.0}, partial=finding())
    store.add_trials(run, "s", [rw.Trial({"speed": 3}, "k", 0, 1, Outcome(FAIL, "boom"), 0.25)])
    text = serve(path).get("/runs/1").text
    for said in ("running", "12 trials", "2 running now", "5 from the store", "1:01 so far", "halves", "Stop"):
        assert said in text
    for said in ("28 trials of 40 left", "0:39 of 1:40 left", "speed=3", "boom", "two of ten are enough"):
        assert said in text


def test_a_run_that_has_ended(serve: Serve, path: Path, store: Store) -> None:
    ends = {
        "complete": ("complete", ""),
        "asked to stop": ("stopped", "Repeat the command to continue from here."),
        "budget": ("budget used up", "with a larger budget"),
        "not reproduced": ("not reproduced", "passed when it was run"),
        "something new": ("something new", "to continue from here"),
    }
    served = serve(path)
    for status, (word, sentence) in ends.items():
        run = begin(store, status, status=status)
        store.add_finding(run.id, finding())
        text = served.get(f"/runs/{run.id}").text
        assert f">{word}<" in text
        assert sentence in text
        assert "<button" not in text
        assert "two of ten are enough</h1>" in text
        assert 'class="rootward-document"' in text


def test_a_killed_run_is_not_said_to_go_on(
    serve: Serve, path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "MAX_SILENCE", 20.0)
    now = time.time
    with monkeypatch.context() as past:
        past.setattr(time, "time", lambda: now() - 100)
        begin(store, partial=finding())
    text = serve(path).get("/runs/1").text
    assert "no sign of life" in text
    assert "probably killed" in text
    assert "two of ten are enough" in text
    assert "<button" not in text


def test_the_report_can_be_kept(serve: Serve, path: Path, store: Store) -> None:
    begin(store)
    served = serve(path)
    assert served.get("/runs/1/report.html").status_code == 404
    store.add_finding(1, finding())
    answer = served.get("/runs/1/report.html")
    assert answer.headers["content-disposition"] == 'attachment; filename="run-1.html"'
    assert "two of ten are enough" in answer.text


def test_a_stop_is_passed_on(serve: Serve, path: Path, store: Store) -> None:
    run, served = begin(store), serve(path)
    assert served.post("/runs/1/stop", origin=served.url).status_code == 303
    assert store.stop_asked(run.id)
    text = served.get("/runs/1").text
    assert "stopping" in text
    assert "<button" not in text
    for nothing in (9, 10**30):
        refused = served.post(f"/runs/{nothing}/stop", origin=served.url)
        assert (refused.status_code, refused.text) == (404, f"There is no run {nothing} in {path}.")


def test_a_stream_tells_when_something_changes(serve: Serve, path: Path, store: Store) -> None:
    run, other = begin(store), begin(store, "other")
    served = serve(path)
    with httpx.stream("GET", f"{served.url}/runs/{run.id}/events", **PLAIN) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = (line for line in stream.iter_lines() if line.startswith("data:"))
        first = next(lines)
        store.update(other.id)
        store.ask_to_stop(run.id)
        assert any(line != first for line in lines)
    served.stop()


def test_parts_are_what_the_page_has(serve: Serve, path: Path, store: Store) -> None:
    begin(store, partial=finding())
    served = serve(path)
    for page, parts in (("/", "/parts"), ("/runs/1", "/runs/1/parts"), ("/runs/1", "/runs/1/found")):
        assert served.get(parts).text.strip() in served.get(page).text


def test_asking_for_what_is_not_there_leaves_nothing_behind(store: Store, path: Path) -> None:
    run, live = begin(store), Live(StoreSource(str(path)), token=None, loopback=False)

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(live.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            numbers = [*range(run.id, run.id + 200), run.id]
            return [(await client.get(f"/runs/{number}/parts")).status_code for number in numbers]

    said = asyncio.run(ask())
    assert (said[0], said[-1], set(said[1:-1])) == (200, 200, {404})
    assert len(live._making) < 100


# Whom it says it to


def test_every_answer_has_the_headers(serve: Serve, path: Path, store: Store) -> None:
    begin(store)
    served = serve(path)
    answers = [served.get(page) for page in ("/", "/runs/1", "/runs/9", "/none", "/static/live.js", "/static/none")]
    for answer in [*answers, served.post("/runs/1/stop"), served.get(headers={"host": "evil.example"})]:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "unsafe-eval" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_only_names_that_cannot_lead_elsewhere_are_answered(serve: Serve, path: Path) -> None:
    served = serve(path)
    for host in ("localhost", "localhost:9000", "127.0.0.1:1", "[::1]:80"):  # a tunnel may have any port
        assert served.get(headers={"host": host}).status_code == 200
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "a@localhost:80", "0.0.0.0"):
        assert served.get(headers={"host": host}).status_code in (400, 421)


def test_other_sites_cannot_stop_a_run(serve: Serve, path: Path, store: Store) -> None:
    run, served = begin(store), serve(path)
    requests: list[dict[str, str]] = [
        {},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site", "origin": served.url},
        {"sec_fetch_site": "none"},
    ]
    for headers in requests:
        assert served.post("/runs/1/stop", **headers).status_code == 403
    assert served.get("/runs/1/stop").status_code == 405
    assert not store.stop_asked(run.id)


def test_a_token_is_asked_for_once(serve: Serve, path: Path, store: Store) -> None:
    begin(store)
    served = serve(path, token="opensesame", loopback=False)
    for page in ("/", "/runs/1", "/events", "/static/live.js", "/?token=wrong", "/?token="):
        answer = served.get(page)
        assert answer.status_code == 401
        assert "open the address" in answer.text
    with httpx.Client(base_url=served.url, **PLAIN) as client:
        entered = client.get("/runs/1?token=opensesame&x=1")
        assert (entered.status_code, entered.headers["location"]) == (303, "/runs/1?x=1")
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert client.get("/runs/1").status_code == 200
        assert client.get("//evil.example/?token=opensesame").headers.get("location", "/")[:2] != "//"
        assert client.post("/runs/1/stop").status_code == 403
    assert served.get(cookies={f"rootward-{served.port}": "wrong"}).status_code == 401
    assert served.post("/runs/1/stop", origin=served.url).status_code == 401


# What a subject says is only ever text


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE + "x" * 1_000_000], ids=["odd", "long"])
def test_hostile_text_is_inert(text: str, serve: Serve, path: Path, store: Store) -> None:
    run = begin(store, text, best=text, progress={"note": text}, partial=finding(text))
    store.add_trials(run, "s", [rw.Trial({text: text}, "k", 0, 1, Outcome(FAIL, text, detail=text), 0.25)])
    served = serve(path)
    for page in ("/", "/runs/1", "/parts", "/runs/1/parts", "/runs/1/found"):
        said = served.get(page).text
        assert "<script>window" not in said
        assert "<img src=x" not in said
        assert "{{ 7 * 7 }}" in said
    assert len(served.get("/").text) < 20_000


def test_json_of_any_kind_is_a_candidate(serve: Serve, path: Path, store: Store) -> None:
    run = begin(store)
    candidates: list[Any] = [None, 3, "text", [1, 2], {"a": None, "b": [1]}, {}, "\ud800"]
    trials = [rw.Trial(one, str(i), 0, 1, Outcome(FAIL), 0.25) for i, one in enumerate(candidates)]
    for one in trials:
        store.add_trials(run, "s", [one])
    text = serve(path).get("/runs/1").text
    assert json.dumps([1, 2]) in text
