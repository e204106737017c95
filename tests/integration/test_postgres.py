"""The store on a real PostgreSQL server; where it makes no difference, the same tests on SQLite."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

import rootward as rw
from rootward.space.candidate import key_of
from rootward.store.check import check_store, repair_store
from rootward.store.store import Store
from rootward.store.trial import Trial
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED
from tests.postgres import Proxy, Server
from tests.waiting import PATIENCE

HOSTILE = "NUL \0, lone \ud800, byte \udcff, quote ' \" ; -- DROP TABLE rootward_trials; %s %(x)s \\ 世界 🤖"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    url: str = request.getfixturevalue("postgres")
    return url


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with contextlib.closing(Store(where)) as opened:
        yield opened


def open_run(store: Store, name: str = "run", *, subject: str = "subject", fresh: bool = False) -> Any:
    return store.open_run(key=key_of(name), subject=subject, name=name, settings={"a": [1, HOSTILE]}, fresh=fresh)


def trial(candidate: Any, attempt: int = 0, **outcome: Any) -> Trial:
    said = rw.Outcome(**{"verdict": FAIL, **outcome})
    return Trial(candidate, key_of(candidate), attempt, 2**31 - 1, said, 0.25, 2)


def test_trials_come_back_as_they_were(store: Store) -> None:
    run = open_run(store)
    trials = [
        trial({"a": 1}),
        trial({"a": 1}, attempt=1, verdict=PASS),
        trial({"a": HOSTILE}, signature=HOSTILE, detail=HOSTILE, artifacts={HOSTILE: HOSTILE}),
        trial({"a": "x" * 100_000}, verdict=UNRESOLVED),
        trial({"a": 2}, verdict=OTHER, measures={"x": 1e300, "y": float("inf")}, votes=(FAIL, PASS)),
        trial(rw.Elements(range(3000)).pick(range(0, 3000, 7))),
    ]
    store.add_trials(run, "subject", trials)
    store.add_trials(run, "subject", trials)
    known = {recalled.name: (recalled, paid) for recalled, paid in store.read_known("subject", run.epoch)}
    assert len(known) == len(trials)
    for one in trials:
        recalled, paid = known[one.name]
        assert (recalled.outcome, recalled.seed, recalled.seconds, recalled.tries) == (one.outcome, 2**31 - 1, 0.25, 2)
        assert paid == run.id
    exported = list(store.trials(run.id))
    assert json.loads(json.dumps(exported)) == exported
    by_name = {(row["key"], row["attempt"]): row for row in exported}
    assert by_name[trials[2].name]["candidate"] == {"a": HOSTILE}
    assert by_name[trials[2].name]["signature"] == HOSTILE
    assert by_name[trials[3].name]["candidate"] == {"a": "x" * 100_000}
    assert [row.trials for row in store.runs()] == [len(trials)]


def test_whoever_watches_sees_how_a_run_stands_and_can_stop_it(store: Store) -> None:
    run = open_run(store)
    store.update(run.id, seconds=1.5, progress={"note": HOSTILE}, partial={"explanation": HOSTILE, "worst": 1e400})
    record = store.run(run.id)
    assert record is not None
    assert (record.seconds, record.progress, record.stop, record.trials) == (1.5, {"note": HOSTILE}, None, 0)
    assert store.finding(run.id) == {"explanation": HOSTILE, "worst": float("inf")}
    before = store.stamps()
    assert store.ask_to_stop(run.id)
    assert store.stop_asked(run.id)
    assert store.stamps().keys() == before.keys()
    assert store.stamps() != before
    store.add_trials(run, "subject", [trial({"a": 1})])
    store.add_trials(run, "subject", [trial({"a": 2})])
    assert [row["candidate"] for row in store.last_trials(run.id, 1)] == [{"a": 2}]
    assert open_run(store).stop is None
    store.update(run.id, status="complete", partial={})
    assert not store.ask_to_stop(run.id)
    assert store.finding(run.id) is None


def test_a_stored_trial_is_never_changed(store: Store) -> None:
    run = open_run(store)
    store.add_trials(run, "subject", [trial({"a": 1}, verdict=FAIL)])
    store.add_trials(run, "subject", [trial({"a": 1}, verdict=PASS)])
    ((recalled, _),) = store.read_known("subject", run.epoch)
    assert recalled.outcome is not None
    assert recalled.outcome.verdict is FAIL


def test_runs_go_on_and_epochs_begin(store: Store) -> None:
    first = open_run(store)
    assert open_run(store).id == first.id
    assert open_run(store, "another").id != first.id
    store.add_trials(first, "subject", [trial({"a": 1})])
    fresh = open_run(store, fresh=True)
    assert (fresh.epoch, fresh.id != first.id) == (first.epoch + 1, True)
    assert list(store.read_known("subject", fresh.epoch)) == []
    assert open_run(store).id == fresh.id
    assert len(list(store.read_known("subject", first.epoch))) == 1


def test_findings_and_progress(store: Store) -> None:
    run = open_run(store, HOSTILE)
    assert store.finding(run.id) is None
    for complete in (False, True):
        store.add_finding(run.id, {"complete": complete, "text": HOSTILE})
    assert store.finding(run.id) == {"complete": True, "text": HOSTILE}
    store.update(run.id, seconds=1.5, status="complete", best=HOSTILE)
    (record,) = store.runs()
    assert (record.seconds, record.status) == (1.5, "complete")
    assert "DROP TABLE" in record.best
    assert record.settings == {"a": [1, HOSTILE]}


WRITER = """
import sys
import rootward as rw
from rootward.space.candidate import key_of
from rootward.store.check import check_store, repair_store
from rootward.store.store import Store
from rootward.store.trial import Trial
store = Store(sys.argv[1])
run = store.open_run(key=key_of("shared"), subject="s", name="shared", settings={}, fresh=False)
for batch in range(10):
    trials = []
    for n in range(8):
        own = {"who": sys.argv[2], "n": batch * 8 + n}
        shared = {"who": "all", "n": (batch * 8 + n) if int(sys.argv[2]) % 2 else 79 - (batch * 8 + n)}
        for candidate in (own, shared):
            trials.append(Trial(candidate, key_of(candidate), 0, 0, rw.Outcome(rw.Verdict.PASS)))
    store.add_trials(run, "s", trials)
    store.update(run.id, seconds=1.0, best="x")
store.close()
print(run.id)
"""


@pytest.mark.rest
@pytest.mark.slow
def test_several_processes_write_at_once(where: str) -> None:
    """Into a database that none of them has set up, and partly the same trials, in another order."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, where, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    said = [writer.communicate(timeout=PATIENCE) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4, said
    assert len({out for out, _ in said}) == 1, "they opened different runs"
    with contextlib.closing(Store(where)) as store:
        (run,) = store.runs()
        assert run.trials == 4 * 80 + 80
        assert len(list(store.read_known("s", run.epoch))) == 400


def test_a_search_resumes(where: str, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    log.touch()

    def subject(kept: list[int]) -> None:
        with open(log, "a") as file:
            file.write(f"{kept}\n")
        assert not {3, 7} <= set(kept)

    def calls() -> list[str]:
        return log.read_text().splitlines()

    partial = rw.reduce(range(20), subject, method="ddmin", store=where, budget=10)
    assert (partial.complete, partial.stopped, len(calls())) == (False, "budget", 10)
    found = rw.reduce(range(20), subject, method="ddmin", store=where)
    assert (found.kept, found.trials) == ([3, 7], len(calls()))
    assert rw.reduce(range(20), subject, method="ddmin", store=where) == found
    assert len(calls()) == found.trials
    assert len(set(calls())) == len(calls())


# What can go wrong with a server


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert "\n" not in text
    assert "s3cret" not in text
    assert "s3cret" not in repr(error.__cause__)
    return text


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried again after a while."""
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"it waits for {seconds} s"))


@pytest.mark.usefixtures("at_once")
def test_a_wrong_password_is_an_error_at_once(postgres_server: Any) -> None:
    with pytest.raises(rw.StoreError) as caught:
        Store(postgres_server.url("s3cret-wrong"))
    assert "password authentication failed" in one_sentence(caught.value)
    assert "rootward:***@" in str(caught.value)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("url", ["postgresql://u:s3cret@127.0.0.1:{port}/x", "postgresql://u:s3cret@/x?host=/no/such"])
def test_no_server_is_an_error_at_once(url: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(rw.StoreError) as caught:
            Store(url.format(port=unused.getsockname()[1]))
    assert "cannot be used" in one_sentence(caught.value)


@pytest.mark.usefixtures("at_once")
def test_no_such_database_is_an_error_at_once(postgres_server: Any) -> None:
    with pytest.raises(rw.StoreError) as caught:
        Store(postgres_server.url().replace("/postgres?", "/nowhere?"))
    assert 'database "nowhere" does not exist' in one_sentence(caught.value)


@pytest.mark.parametrize("url", ["postgresql://u:s3cret@host:port/x", "mysql://u:s3cret@h/x", "nonsense://u:s3cret@h"])
def test_no_password_is_shown_for_a_wrong_url(url: str) -> None:
    with pytest.raises(rw.StoreError) as caught:
        Store(url)
    one_sentence(caught.value)


def test_a_database_that_goes_away_while_it_is_read(postgres: str, postgres_server: Any) -> None:
    import psycopg

    store = Store(postgres)
    name = make_url(postgres).database
    with psycopg.connect(postgres_server.url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        assert store.runs() == []  # a lost connection is made again
        other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            with pytest.raises(rw.StoreError, match="cannot be read"):
                store.runs()
        finally:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert store.runs() == []
    store.close()


def test_a_parted_network_is_noticed(postgres_server: Server) -> None:
    """If the network loses what was sent, the system ends the connection, and nothing waits for hours."""
    with (
        Proxy(postgres_server) as network,
        network.schema(f"s{uuid.uuid4().hex}") as url,
        contextlib.closing(Store(url)) as store,
        store.engine.connect() as connection,
    ):
        driver: Any = connection.connection.driver_connection
        with socket.socket(fileno=os.dup(driver.fileno())) as end:
            assert end.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000
            assert end.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10


@pytest.mark.slow
def test_a_store_that_stays_lost_ends_the_run_with_what_was_found(
    postgres: str, postgres_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    from rootward.store import store as store_module

    monkeypatch.setattr(store_module, "MAX_WAIT", 0.2)
    monkeypatch.setattr(Store._write, "__defaults__", (0.2,))
    name = make_url(postgres).database
    count = 0

    def subject(kept: list[int]) -> None:
        nonlocal count
        count += 1
        time.sleep(0.06)  # longer than what is gathered into one commit
        if count == 8:
            with psycopg.connect(postgres_server.url(), autocommit=True) as other:
                other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
                other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        assert not {3, 7} <= set(kept)

    try:
        with pytest.warns(RuntimeWarning, match="could not be saved"):
            found = rw.reduce(range(20), subject, method="ddmin", store=postgres)
    finally:
        with psycopg.connect(postgres_server.url(), autocommit=True) as other:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert (found.complete, found.stopped) == (False, "store lost")
    assert {3, 7} <= set(found.kept)


def test_who_may_only_read_can_look(postgres: str) -> None:
    import psycopg

    with Store(postgres) as store:
        store.add_trials(open_run(store), "subject", [trial({"a": 1})])
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'secret'")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    with Store(make_url(postgres).set(username="reader", password="secret").render_as_string(False)) as store:
        assert [(run.name, run.trials) for run in store.runs()] == [("run", 1)]
        with pytest.raises(rw.StoreError, match="permission denied"):
            store.ask_to_stop(1)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP OWNED BY reader")
        connection.execute("DROP ROLE reader")


@pytest.mark.parametrize("number", [-1, 0, 2, 2**31, 10**30])
def test_a_run_that_cannot_be_is_none(number: int, store: Store) -> None:
    open_run(store)
    assert store.run(number) is None


def test_damaged_rows_are_found_and_repaired(where: str) -> None:
    with contextlib.closing(Store(where)) as store:
        run, lost = open_run(store), open_run(store, "lost", subject="other")
        store.add_trials(run, "subject", [trial(i) for i in range(5)])
        store.add_trials(lost, "other", [trial(i) for i in range(5)])
        store.update(run.id, best=HOSTILE, progress={"note": HOSTILE}, partial={"explanation": HOSTILE})
        store.add_finding(run.id, {"complete": True, "explanation": HOSTILE})
        assert check_store(where).damage == []
        for change in (
            "UPDATE rootward_trials SET verdict = 'pass' WHERE subject = 'subject'",
            f"UPDATE rootward_runs SET name = 'x' WHERE id = {lost.id}",
        ):
            store._write(operator.methodcaller("exec_driver_sql", change))
    damage = check_store(where).damage
    assert "5 trials cannot be read: the row does not match its checksum." in damage
    assert "5 trials of runs that cannot be read." in damage
    assert repair_store(where)[0] == "5 trials that could not be read: removed."
    health = check_store(where)
    assert health.damage == []
    assert health.sound == {"run": 2, "trial": 5, "finding": 1}
