"""Damaged and foreign stores: what cannot be read is absent, with a warning, in every command and on the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import sqlite3
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import rootward as rw
from rootward.cli import BUG_EXIT_CODE, main
from rootward.lab.events import TrialFinished
from rootward.space.keys import key
from rootward.store.rows import MAX_CANDIDATE_BYTES, pack_candidate, seal, unpack_candidate
from rootward.store.store import Store
from rootward.verdict import FAIL, Outcome
from rootward.web.app import Live
from rootward.web.watch import StoreSource

ITEMS = ["a", "b", "c", "d", "e", "f"]
SPACE = rw.Space({f"field {i}": rw.Int(0, 9) for i in range(100)})
TABLES = ("rootward_runs", "rootward_trials", "rootward_findings", "rootward_meta")
GARBAGE: list[Any] = [None, "garbage", "", "[]", '{"verdict": "maybe"}', -1, 2**62, 1e300, b"\xff\x00\xfe"]


def reduce(store: Path, **options: Any) -> rw.Reduction[Any]:
    return rw.reduce(ITEMS, rw.fails_when(lambda kept: "b" in kept and "e" in kept), store=store, **options)


def count_runs(store: Path) -> int:
    """Return how many trials the same command runs now. It must find the same as ever."""
    events: list[Any] = []
    assert reduce(store, on_event=events.append).kept == ["b", "e"]
    return sum(isinstance(event, TrialFinished) for event in events)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a complete run, one of long candidates that used up its budget, and one that was killed."""
    path = tmp_path_factory.mktemp("made") / "rootward.db"
    reduce(path)
    failing = dict.fromkeys(SPACE.names, 7)
    rw.triggers(SPACE, rw.fails_when(lambda it: it["field 3"] == 7), failing, store=path, budget=8)
    with Store(path) as store:
        run = store.open_run(key=key("killed"), subject="s", name="killed", settings={"subject": "s"}, fresh=False)
        store.add_trials(run, "s", [rw.Trial({"x": i}, key(i), 0, 7, Outcome(FAIL), 0.25) for i in range(3)])
        stored = store.finding(1)
        assert stored is not None
        store.update(run.id, seconds=1.0, best="two", progress={"executed": 3, "note": "still"}, partial=stored)
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a copy of the store, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".rootward").mkdir()
    return Path(shutil.copy(made, tmp_path / ".rootward" / "rootward.db"))


def command(*arguments: str) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(SystemExit) as ended:
            main(arguments)
    code = ended.value.code or 0
    assert isinstance(code, int)
    assert code != BUG_EXIT_CODE, arguments
    return code


async def ask_page(store: Path) -> list[int]:
    """Return the status codes of every address of the page. An exception in the application is raised."""
    live = Live(StoreSource(str(store)), token=None, loopback=True)
    addresses = ["/", "/parts", *(f"/runs/{run}{part}" for run in (1, 2, 3) for part in PARTS)]
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=live.app), base_url="http://127.0.0.1:8000"
    ) as client:
        await live.watch.look()
        codes = [(await client.get(address)).status_code for address in addresses]
    live._source.close()
    return codes


PARTS = ("", "/parts", "/found", "/report.html")


def survive(store: Path) -> None:
    """Use the store in every way: no exception but StoreError, no exit code 70, no status 500, no wrong answer."""
    command("runs")
    for run in ("1", "2", "3"):
        command("runs", "show", run)
        command("runs", "export", run, "-o", f"trials-{run}.csv")
    command("report", str(store), "-o", "report.json")
    command("runs", "check")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert set(asyncio.run(ask_page(store))) <= {200, 404, 503}
        with contextlib.suppress(rw.StoreError):
            assert reduce(store).kept == ["b", "e"]


@contextlib.contextmanager
def edit(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def renew(path: Path, content: bytes) -> None:
    for file in path.parent.glob("rootward.db*"):
        file.unlink()
    path.write_bytes(content)


def loosen(connection: sqlite3.Connection, table: str) -> None:
    """Remove the constraints of a table, so that a column may hold anything."""
    connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
    connection.execute(f"DROP TABLE {table}")
    connection.execute(f"ALTER TABLE loose RENAME TO {table}")


def columns(path: Path, table: str) -> list[str]:
    with edit(path) as connection:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("table", TABLES)
def test_any_value_in_any_column(path: Path, table: str) -> None:
    """Replace one value at a time, a different kind of garbage in each column."""
    sound = path.read_bytes()
    for place, column in enumerate(columns(path, table)):
        renew(path, sound)
        with edit(path) as connection:
            loosen(connection, table)
            value = GARBAGE[place % len(GARBAGE)]
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid % 2 = 1", [value])
        survive(path)


@pytest.mark.rest
@pytest.mark.slow
@pytest.mark.parametrize("shift", [2, 5])
@pytest.mark.parametrize("table", TABLES)
def test_one_value_in_a_whole_column(path: Path, table: str, shift: int) -> None:
    """As above, with other values, and in every row. All combinations would take minutes: the benchmark `fuzz` draws
    from them."""
    sound = path.read_bytes()
    for place, column in enumerate(columns(path, table)):
        renew(path, sound)
        with edit(path) as connection:
            loosen(connection, table)
            connection.execute(f"UPDATE {table} SET {column} = ?", [GARBAGE[(place + shift) % len(GARBAGE)]])
        survive(path)


@pytest.mark.parametrize("change", ["DELETE FROM {}", "DROP TABLE {}", "ALTER TABLE {} RENAME TO other"])
@pytest.mark.parametrize("table", TABLES)
def test_lost_rows_and_tables(path: Path, table: str, change: str) -> None:
    with edit(path) as connection:
        connection.execute(change.format(table))
    survive(path)


@pytest.mark.parametrize("table", TABLES[:3])
def test_lost_columns(path: Path, table: str) -> None:
    with edit(path) as connection:
        loosen(connection, table)
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {columns(path, table)[-1]}")
    survive(path)
    with pytest.raises(rw.StoreError, match=r"no such column.*runs check --repair"):
        Store(path)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.99])
def test_a_file_that_was_cut(path: Path, share: float) -> None:
    os.truncate(path, int(path.stat().st_size * share))
    survive(path)


@pytest.mark.parametrize("seed", range(8))
def test_flipped_bytes(path: Path, seed: int) -> None:
    chance, data = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(1 + 4 * seed):
        data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    survive(path)


def test_a_damaged_schema(path: Path) -> None:
    """SQLite quotes the schema in its message, which then cannot be decoded."""
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE rootward_runs", b"CREATE TABL\xc5 rootward_runs"))
    survive(path)
    with pytest.raises(rw.StoreError, match="malformed"):
        Store(path)


@pytest.mark.parametrize("kind", ["text", "folder", "pipe", "database", "loop"])
def test_what_is_not_a_store(path: Path, kind: str) -> None:
    path.unlink()
    makers: dict[str, Callable[[], object]] = {
        "text": lambda: path.write_text("not a database " * 1000),
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "loop": lambda: path.symlink_to(path),
    }
    if kind == "database":
        with edit(path) as connection:
            connection.execute("CREATE TABLE rootward_runs (x)")
    else:
        makers[kind]()
    survive(path)


# What a damaged row does


def test_a_damaged_trial_is_run_again_and_replaced(path: Path) -> None:
    with edit(path) as connection:
        paid = connection.execute("SELECT count(*) FROM rootward_trials WHERE run = 1").fetchone()[0]
        connection.execute("UPDATE rootward_trials SET outcome = replace(outcome, 'pass', 'fail') WHERE run = 1")
    with pytest.warns(RuntimeWarning, match=r"damaged, in .*rootward\.db: \d+ trials \(see `rootward runs check`\)"):
        assert 0 < count_runs(path) < paid
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert count_runs(path) == 0, "the damaged rows were replaced"


def test_a_damaged_run_is_begun_again(path: Path) -> None:
    with edit(path) as connection:
        connection.execute("UPDATE rootward_runs SET settings = 'x' WHERE id = 1")
    with pytest.warns(RuntimeWarning, match="1 run "):
        assert count_runs(path) == 0
    with Store(path) as store:
        record = store.run(1)
        assert record is not None
        assert record.status == "complete"


def test_the_epoch_of_a_damaged_run_still_counts(path: Path) -> None:
    with Store(path) as store:
        options: Any = {"key": key("k"), "subject": "s", "name": "n", "settings": {}}
        assert store.open_run(**options, fresh=True).epoch == 1
        with edit(path) as connection:
            connection.execute("UPDATE rootward_runs SET name = 'other' WHERE epoch = 1")
        with pytest.warns(RuntimeWarning):
            assert store.open_run(**options, fresh=False).epoch == 1


def test_the_page_says_what_is_left_out(path: Path) -> None:
    with edit(path) as connection:
        connection.execute("UPDATE rootward_runs SET name = 'other' WHERE id = 2")

    async def read() -> str:
        live = Live(StoreSource(str(path)), token=None, loopback=True)
        transport = httpx.ASGITransport(app=live.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            return (await client.get("/")).text

    with pytest.warns(RuntimeWarning, match="1 run "):
        text = asyncio.run(read())
    assert "left out because it is damaged" in text
    assert 'href="/runs/1"' in text
    assert 'href="/runs/2"' not in text


@pytest.mark.parametrize("progress", ['{"executed": {}, "note": []}', '{"executed": 1' + "0" * 400 + "}"])
def test_progress_of_other_types_is_damage(path: Path, progress: str) -> None:
    """Though its checksum matches."""
    with edit(path) as connection:
        connection.execute("UPDATE rootward_runs SET progress = ?", [seal(progress)])
    with Store(path) as store, pytest.warns(RuntimeWarning, match="3 runs"):
        assert store.runs() == []
    survive(path)


def test_a_version_of_thousands_of_digits(path: Path) -> None:
    with edit(path) as connection:
        connection.execute("UPDATE rootward_meta SET value = ?", ["9" * 5000])
    with pytest.raises(rw.StoreError, match=r"another version of Rootward \(schema 99999999999999999999;"):
        Store(path)
    survive(path)


def test_a_rule_that_was_changed_is_said_on_the_page(path: Path) -> None:
    """Though its checksum matches."""
    with Store(path) as store:
        number, finding = next((run.id, found) for run in store.runs() if (found := store.finding(run.id)))
        finding = {**finding, "finding": "rule", "rule": [{"op": "and"}]}
        store.add_finding(number, finding)
    assert set(asyncio.run(ask_page(path))) <= {200, 404, 503}


# Limits


def test_a_small_row_cannot_fill_the_memory(path: Path) -> None:
    bomb = zlib.compress(b"[" + b"0," * (40 << 20) + b"0]", 9)
    assert len(bomb) < 1 << 20
    with edit(path) as connection:
        connection.execute("UPDATE rootward_trials SET candidate = ?", [bomb])
    with Store(path) as store, pytest.warns(RuntimeWarning):
        assert list(store.trials(1)) == []


def test_a_candidate_is_unpacked_up_to_the_limit() -> None:
    longest = "0" * MAX_CANDIDATE_BYTES
    assert unpack_candidate(pack_candidate(longest)) == longest.encode()
    assert unpack_candidate(pack_candidate(longest + "0")) == b'"(too long to be stored: 16,777,217 bytes)"'
    packed = zlib.compress((longest + "0").encode())
    for damaged in (packed, pack_candidate(longest)[:-5]):
        with pytest.raises(Exception, match="cut short, or too long"):
            unpack_candidate(damaged)
