"""The store as a SQLite file: nothing lost, nothing twice, and whatever a subject says comes back as it was."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.space.keys import canonical, key
from rootward.store.rows import RunRecord
from rootward.store.schema import VERSION
from rootward.store.store import Store
from rootward.verdict import FAIL, PASS, Outcome, Verdict
from tests.properties import examples

HOSTILE = "NUL \0, lone \ud800 surrogate, 'quotes\"; DROP TABLE rootward_trials;-- \U0001f600 \r\n\t\x7f %s {x}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(Store(tmp_path / "store.db")) as opened:
        yield opened


def begin(store: Store, name: str = "run", **options: Any) -> RunRecord:
    row = {"key": key(name), "subject": "s", "name": name, "settings": {"about": name}, "fresh": False}
    return store.open_run(**{**row, **options})


def trial(candidate: Any, attempt: int = 0, outcome: Outcome | None = None, **fields: Any) -> rw.Trial:
    done = rw.Trial(candidate, key(candidate), attempt, 7, outcome or Outcome(FAIL), 0.25)
    return dataclasses.replace(done, **fields)


# Trials


def test_trials_come_back(store: Store) -> None:
    run = begin(store)
    trials = [trial({"x": i}, seed=2**31 - 1 - i, tries=1 + i) for i in range(5)]
    store.add_trials(run, "s", trials)
    known = {found.name: (found, paid) for found, paid in store.read_known("s", 0)}
    assert set(known) == {one.name for one in trials}
    for one in trials:
        found, paid = known[one.name]
        assert dataclasses.replace(found, candidate=one.candidate) == one
        assert paid == run.id


def test_a_trial_is_never_overwritten(store: Store) -> None:
    run, other = begin(store), begin(store, "other")
    store.add_trials(run, "s", [trial("a"), trial("a", attempt=1)])
    store.add_trials(other, "s", [trial("a", outcome=Outcome(PASS)), trial("b")])
    store.add_trials(run, "s", [trial("a", outcome=Outcome(PASS))])
    known = {found.name: (found.outcome, paid) for found, paid in store.read_known("s", 0)}
    assert known == {
        (key("a"), 0): (Outcome(FAIL), run.id),
        (key("a"), 1): (Outcome(FAIL), run.id),
        (key("b"), 0): (Outcome(FAIL), other.id),
    }


def test_subjects_and_epochs_do_not_mix(store: Store) -> None:
    old = begin(store)
    store.add_trials(old, "s", [trial("a")])
    store.add_trials(begin(store, "other subject", subject="t"), "t", [trial("a"), trial("b")])
    new = begin(store, fresh=True)
    assert (old.epoch, new.epoch) == (0, 1)
    assert new.id != old.id
    assert list(store.read_known("s", 1)) == []
    store.add_trials(new, "s", [trial("a", outcome=Outcome(PASS))])
    assert [found.outcome for found, _ in store.read_known("s", 0)] == [Outcome(FAIL)]
    assert [found.outcome for found, _ in store.read_known("s", 1)] == [Outcome(PASS)]
    assert len(list(store.read_known("t", 0))) == 2
    assert begin(store).id == new.id, "what is begun later goes on in the newest epoch"


def test_the_listing_of_trials(store: Store) -> None:
    run = begin(store)
    outcome = Outcome(FAIL, "boom", {"speed": 1.5}, {"log": "x.txt"}, "it broke", (PASS, FAIL))
    selection = rw.Elements("abcdef").pick([0, 1, 2, 5])
    store.add_trials(run, "s", [trial({"x": 1}, outcome=outcome)])
    store.add_trials(run, "s", [dataclasses.replace(trial("kept"), candidate=selection)])
    first, second = store.trials(run.id)
    assert first.pop("finished") <= second.pop("finished")
    assert first == {
        "run": run.id,
        "key": key({"x": 1}),
        "attempt": 0,
        "seed": 7,
        "candidate": {"x": 1},
        "verdict": "fail",
        "signature": "boom",
        "detail": "it broke",
        "measures": {"speed": 1.5},
        "artifacts": {"log": "x.txt"},
        "seconds": 0.25,
        "tries": 1,
    }
    assert second["candidate"] == {"kept": "0-2,5", "of": 6}
    assert list(store.trials(999)) == []


# Runs and findings


def test_the_same_run_goes_on(store: Store) -> None:
    run = begin(store)
    store.update(run.id, seconds=12.5, status="interrupted", best="two of ten")
    again = begin(store)
    assert (again.id, again.seconds, again.status, again.best) == (run.id, 12.5, "running", "two of ten")
    assert again.settings == {"about": "run"}
    assert again.started == run.started <= again.updated


def test_the_listing_of_runs(store: Store) -> None:
    assert store.runs() == []
    runs = [begin(store, name) for name in ("one", "two", "three")]
    store.add_trials(runs[0], "s", [trial(i) for i in range(3)])
    store.add_trials(runs[2], "s", [trial(i) for i in range(5)])
    assert [(run.name, run.trials) for run in store.runs()] == [("one", 3), ("two", 0), ("three", 2)]


def test_how_a_run_stands(store: Store) -> None:
    run = begin(store)
    assert (run.progress, run.stop, store.finding(run.id)) == ({}, None, None)
    store.update(run.id, seconds=2.0, progress={"running": 3}, partial={"worst": math.inf, "text": HOSTILE})
    store.update(run.id)
    found = store.run(run.id)
    assert found is not None
    assert (found.seconds, found.progress, found.status) == (2.0, {"running": 3}, "running")
    assert store.finding(run.id) == {"worst": math.inf, "text": HOSTILE}
    store.update(run.id, partial={})
    assert store.finding(run.id) is None
    assert store.finding(99) is store.run(99) is None


def test_a_stop_is_asked_of_what_is_running_only(store: Store) -> None:
    run, other = begin(store), begin(store, "other")
    assert not store.stop_asked(run.id)
    assert store.ask_to_stop(run.id)
    assert store.stop_asked(run.id)
    assert not store.stop_asked(other.id)
    assert begin(store).stop is None, "what was asked of an earlier session is forgotten"
    store.update(run.id, status="complete")
    assert not store.ask_to_stop(run.id)
    assert not store.ask_to_stop(99)


def test_stamps_change_with_their_run(store: Store) -> None:
    run, other = begin(store), begin(store, "other")
    seen = [store.stamps()]
    for change in (lambda: store.update(run.id), lambda: store.ask_to_stop(run.id), lambda: store.update(run.id)):
        change()
        seen.append(store.stamps())
    assert len({stamps[run.id] for stamps in seen}) == 4
    assert len({stamps[other.id] for stamps in seen}) == 1


def test_the_last_trials(store: Store) -> None:
    run = begin(store)
    for i in range(5):
        store.add_trials(run, "s", [trial(i)])
    assert [row["candidate"] for row in store.last_trials(run.id, 3)] == [4, 3, 2]
    assert store.last_trials(99, 3) == []


def test_the_newest_finding(store: Store) -> None:
    run = begin(store)
    assert store.finding(run.id) is None
    for trials in range(3):
        store.add_finding(run.id, {"complete": trials == 2, "trials": trials, "worst": math.inf})
    assert store.finding(run.id) == {"complete": True, "trials": 2, "worst": math.inf}
    assert store.finding(run.id + 1) is None


def test_the_newest_finding_is_shown_even_if_the_clock_went_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(store)
    for now, complete in ((2e9, False), (1.9e9, True)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        store.add_finding(run.id, {"complete": complete})
    assert store.finding(run.id) == {"complete": True}


def test_a_finding_is_stored_with_its_run(tmp_path: Path) -> None:
    found = rw.reduce("abcd", rw.fails_when(lambda kept: "c" in kept), store=tmp_path / "store.db")
    with contextlib.closing(Store(tmp_path / "store.db")) as store:
        (run,) = store.runs()
        stored = store.finding(run.id)
    assert stored == json.loads(json.dumps(found.to_dict()))
    assert (run.status, run.trials, run.name) == ("complete", found.trials, "reduce")
    assert "c" in run.best


# Hostile values


texts = st.text(st.characters(codec=None), max_size=20)
numbers = st.floats() | st.integers(-(2**70), 2**70)
outcome_strategy = st.builds(
    Outcome,
    verdict=st.sampled_from(Verdict),
    signature=st.none() | texts,
    measures=st.dictionaries(texts, numbers, max_size=3),
    artifacts=st.dictionaries(texts, texts, max_size=3),
    detail=texts,
    votes=st.lists(st.sampled_from(Verdict), max_size=4).map(tuple),
)
configurations = st.dictionaries(texts, st.none() | st.booleans() | numbers | texts | st.lists(numbers, max_size=3))


@examples(60, derandomize=True)
@given(st.lists(st.tuples(configurations, outcome_strategy), min_size=1, max_size=5))
def test_outcomes_and_configurations_round_trip(rows: list[tuple[Any, Outcome]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "runs.db")) as store:
        run = begin(store)
        wanted = {key(configuration): (configuration, outcome) for configuration, outcome in reversed(rows)}
        trials = [trial(configuration, outcome=outcome) for configuration, outcome in rows]
        store.add_trials(run, "s", trials)
        known = {found.key: found.outcome for found, _ in store.read_known("s", 0)}
        listed = {row["key"]: row["candidate"] for row in store.trials(run.id)}
    assert set(known) == set(listed) == set(wanted)
    for name, (configuration, outcome) in wanted.items():
        # by canonical encoding: it lets NaN equal itself and tells 1 from 1.0
        assert canonical(known[name]) == canonical(outcome)
        assert canonical(listed[name]) == canonical(configuration)


@pytest.mark.parametrize("text", [HOSTILE, "x" * 1_000_000, "", "\0" * 5000], ids=["odd", "long", "empty", "NULs"])
def test_hostile_text_everywhere(store: Store, text: str) -> None:
    run = begin(store, text, settings={"about": text})
    outcome = Outcome(FAIL, text, {text: math.nan}, {text: text}, text)
    store.add_trials(run, "s", [trial({text: text}, outcome=outcome)])
    store.update(run.id, seconds=1.0, best=text)
    store.add_finding(run.id, {"complete": True, "explanation": text})
    ((known, _),) = store.read_known("s", 0)
    assert canonical(known.outcome) == canonical(outcome)
    (row,) = store.trials(run.id)
    assert row["candidate"] == {text: text}
    assert store.finding(run.id) == {"complete": True, "explanation": text}
    (record,) = store.runs()
    assert record.settings == {"about": text}
    assert record.name == record.best
    assert "\0" not in record.name
    assert len(record.name) >= len(text)


def test_what_subjects_really_return(store: Store) -> None:
    run = begin(store)
    measures: dict[str, Any] = {"n": np.int64(3), "x": np.float32(0.5)}
    outcome = Outcome(FAIL, measures=measures, artifacts={"log": Path("/tmp/x")})
    store.add_trials(run, "s", [trial({"n": np.int64(3), "raw": b"\xff\x00"}, outcome=outcome)])
    ((known, _),) = store.read_known("s", 0)
    assert known.outcome == Outcome(FAIL, measures={"n": 3, "x": 0.5}, artifacts={"log": "/tmp/x"})
    (row,) = store.trials(run.id)
    assert row["candidate"] == {"n": 3, "raw": "\udcff\0"}


def test_a_thousand_fields(store: Store) -> None:
    run = begin(store)
    configuration = {f"field {i}": i * 0.5 for i in range(1000)}
    store.add_trials(run, "s", [trial(configuration)])
    (row,) = store.trials(run.id)
    assert row["candidate"] == configuration


# Places


@pytest.mark.parametrize(
    "name",
    [
        "plain.db",
        "with space.db",
        "ünï¢ödé 漢字.db",
        "per%20cent.db",
        "question?mark#.db",
        "no suffix",
        "a/b/c.db",
        "semi;colon&x=1.db",
    ],
)
def test_unusual_paths(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for _ in range(2):
        with contextlib.closing(Store(str(path))) as store:
            store.add_trials(begin(store), "s", [trial("a")])
            assert store.path == path
            assert str(store) == str(path)
    assert path.is_file()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM rootward_trials").fetchone() == (1,)


def test_a_relative_path_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(Store("store.db")) as store:
        monkeypatch.chdir("/")
        begin(store)
    assert (tmp_path / "store.db").is_file()


def test_a_sqlite_url(tmp_path: Path) -> None:
    with contextlib.closing(Store(f"sqlite:///{tmp_path}/store.db")) as store:
        assert store.path == tmp_path / "store.db"


@pytest.mark.parametrize("name", [":memory:", "", "sqlite://", "a\0b"])
def test_what_is_no_file_is_refused(name: str) -> None:
    with pytest.raises(rw.StoreError, match="a store must be a SQLite file or a postgresql:// URL, not"):
        Store(name)


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 1000)
    with pytest.raises(rw.StoreError, match=r"notes\.txt.*is not a store of Rootward: move it away"):
        Store(path)
    assert path.read_text() == "not a database " * 1000


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(rw.StoreError, match="not a regular file"):
        Store(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(rw.StoreError, match="folder"):
        Store(tmp_path / "file" / "store.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(rw.StoreError):
            Store(tmp_path / "store.db")
    finally:
        tmp_path.chmod(0o700)


def test_a_ready_store_is_opened_without_writing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store)
    monkeypatch.setattr(Store, "_write", lambda *_, **__: pytest.fail("it was written to"))
    with contextlib.closing(Store(str(store))) as again:
        assert [run.name for run in again.runs()] == ["run"]


def test_a_store_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a %3f?#.db"
    with contextlib.closing(Store(path)) as store:
        begin(store)
    monkeypatch.setattr(os, "access", lambda *_: False)  # permissions do not bite where tests are run by root
    with contextlib.closing(Store(path)) as store:
        assert [run.name for run in store.runs()] == ["run"]
        assert list(tmp_path.iterdir()) == [path]
        with pytest.raises(rw.StoreError, match="readonly"):
            begin(store, "other")


@pytest.mark.parametrize("url", ["mysql://host/name", "oracle://x", "://", "postgresql:/x://y"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(rw.StoreError):
        Store(url)


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (str(VERSION + 1), "another version .*: use a newer Rootward, or choose another store"),
        ("0", "an older version .*: move it away to start over, or choose another store"),
        ("new", "another version"),
    ],
)
def test_another_schema_is_refused(version: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with contextlib.closing(Store(path)) as store:
        store.add_trials(begin(store), "s", [trial("a")])
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE rootward_meta SET value = ?", [version])
    with pytest.raises(rw.StoreError, match=said) as refused:
        Store(path)
    assert f"(schema {version}; this version has schema {VERSION})" in str(refused.value)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM rootward_trials").fetchone() == (1,)


# Several at once

WRITER = """
import contextlib, sys
import rootward as rw
from rootward.space.keys import key
number, path = int(sys.argv[1]), sys.argv[2]
with contextlib.closing(rw.Store(path)) as store:
    run = store.open_run(key=key(f"run {number}"), subject="s", name=f"writer {number}", settings={}, fresh=False)
    for batch in range(50):  # 500 trials, half of them written by the neighbours, too
        first = number * 250 + batch * 10
        said = [rw.Outcome(rw.Verdict.FAIL, str(i)) for i in range(first, first + 10)]
        store.add_trials(run, "s", [rw.Trial({}, key(i), 0, i, outcome) for i, outcome in enumerate(said, first)])
        assert sum(1 for _ in store.read_known("s", run.epoch)) >= 10
    store.update(run.id, seconds=1.0, status="complete")
"""


@pytest.mark.rest
@pytest.mark.slow
def test_four_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    command = [sys.executable, "-W", "error", "-c", WRITER]
    writers = [
        subprocess.Popen([*command, str(number), str(path)], stderr=subprocess.PIPE, text=True) for number in range(4)
    ]
    for writer in writers:
        _, errors = writer.communicate()
        assert writer.returncode == 0, errors
    with contextlib.closing(Store(path)) as store:
        trials = [found for found, _ in store.read_known("s", 0)]
        runs = store.runs()
        assert sorted(int(found.seed) for found in trials) == list(range(1250))
        assert all(found.outcome == Outcome(FAIL, str(found.seed)) for found in trials)
        assert sorted(run.name for run in runs) == [f"writer {number}" for number in range(4)]
        assert sum(run.trials for run in runs) == 1250
        assert all(run.status == "complete" for run in runs)


def test_the_evidence_of_a_run_is_what_it_could_know(store: Store) -> None:
    for name in ("first", "second"):
        run = begin(store, name)
        store.add_trials(run, "s", [trial({"made by": name})])
        store.update(run.id, status="complete")
    first, second = sorted(store.runs(), key=lambda record: record.id)
    assert [row["run"] for row in store.evidence(second)] == [first.id, second.id]
    assert [row["run"] for row in store.evidence(first)] == [first.id]


def test_a_reader_does_not_wait_for_a_writer(store: Store, tmp_path: Path) -> None:
    store.add_trials(begin(store), "s", [trial("a")])
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert len(store.runs()) == len(list(store.read_known("s", 0))) == len(list(store.trials(1))) == 1


def test_a_writer_waits_for_another(store: Store, tmp_path: Path) -> None:
    run = begin(store)
    with contextlib.closing(
        sqlite3.connect(tmp_path / "store.db", isolation_level=None, check_same_thread=False)
    ) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, other.execute, ["COMMIT"])
        timer.start()
        store.add_trials(run, "s", [trial("a")])
        timer.join()
    assert len(list(store.trials(run.id))) == 1


def test_a_store_that_is_dropped_is_closed(tmp_path: Path) -> None:
    store, closed = Store(tmp_path / "store.db"), list[object]()
    sa.event.listen(store._engine, "close", lambda connection, _: closed.append(connection))
    assert store.runs() == []
    del store
    gc.collect()
    assert closed
