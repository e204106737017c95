"""kill -9 at any moment loses at most the trials in flight: none that was acknowledged, and no finding changes."""

from __future__ import annotations

import json
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw

DRIVER = str(Path(__file__).with_name("driver.py"))
JOBS = 4


class Sessions:
    """The same run, started again and again; what its commands wrote and what it acknowledged."""

    def __init__(self, folder: Path, store: str, drive: Callable[..., Any], **settings: Any) -> None:
        self.log, self.acknowledgements = folder / "log", folder / "acknowledgements"
        self.log.touch()
        self.acknowledgements.touch()
        self._drive, self.store = drive, store
        paths = {"log": str(self.log), "acknowledgements": str(self.acknowledgements), "store": store}
        self._settings = json.dumps({"jobs": JOBS, "work": ":", **paths, **settings})

    def start(self) -> Any:
        return self._drive(DRIVER, self._settings)

    def started(self) -> list[str]:
        return [line[6:] for line in self.log.read_text().splitlines() if line.startswith("start ")]

    def ended(self) -> list[str]:
        return [line[4:] for line in self.log.read_text().splitlines() if line.startswith("end ")]

    def acknowledged(self) -> dict[str, str]:
        """Key of each acknowledged trial -> its candidate; a line that the kill cut short was not acknowledged."""
        complete = self.acknowledgements.read_text().rpartition("\n")[0]
        return dict(line.split(" ", 1) for line in complete.splitlines())

    def acknowledgement_count(self) -> int:
        return self.acknowledgements.read_bytes().count(b"\n")

    def stored(self) -> set[str]:
        store = rw.Store(self.store)
        try:
            return {trial["key"] for run in store.runs() for trial in store.trials(run.id)}
        finally:
            store.close()


def killed_often(sessions: Sessions, kills: int, draw: random.Random, wait_until: Any, most: int) -> dict[str, Any]:
    """Kill the run that often, check what must hold after each kill, and let it end."""
    in_flight: Counter[str] = Counter()
    for number in range(kills):
        driver = sessions.start()
        before, acknowledged = len(sessions.started()), sessions.acknowledgement_count()
        known = set(sessions.acknowledged().values())
        if number % 5 == 4:  # at any moment of its beginning
            time.sleep(draw.uniform(0.0, 1.0))
        else:
            wanted = acknowledged + draw.randint(1, most)
            wait_until(
                lambda wanted=wanted: sessions.acknowledgement_count() >= wanted, 60, f"{wanted} acknowledgements"
            )
            time.sleep(draw.uniform(0.0, 0.01))
        assert driver.process.poll() is None, "the run ended before it could be killed: make it longer"
        driver.kill()

        now = sessions.started()[before:]
        assert not set(now) & known, "acknowledged trials ran again"
        cut = Counter(now) - Counter(list(sessions.acknowledged().values())[len(known) :])
        assert sum(cut.values()) <= JOBS, f"more than {JOBS} in flight: {cut}"
        in_flight += cut
        assert set(sessions.acknowledged()) <= sessions.stored(), "an acknowledged trial is not in the store"

    found: dict[str, Any] = sessions.start().finding()
    runs = Counter(sessions.started())
    again = Counter({label: count - 1 for label, count in runs.items() if count > 1})
    assert all(count <= in_flight[label] for label, count in again.items()), "a trial ran twice without a kill"
    assert set(sessions.acknowledged()) <= sessions.stored()
    total, repeated, cut_short = (sum(counts.values()) for counts in (runs, again, in_flight))
    print(f"{kills} kills, {total} runs, {repeated} repeated of {cut_short} in flight")
    return found


def same(found: dict[str, Any], uninterrupted: dict[str, Any]) -> bool:
    volatile = {"trials", "asked", "explanation"}
    return {k: v for k, v in found.items() if k not in volatile} == {
        k: v for k, v in uninterrupted.items() if k not in volatile
    }


EXPECTED = [n for n in range(2000) if str(n).count("7") >= 2]


@pytest.mark.slow
def test_twenty_kills_lose_nothing_in_sqlite(tmp_path: Path, drive: Any, wait_until: Any) -> None:
    sessions = Sessions(tmp_path, str(tmp_path / "store.db"), drive, search="numbers", total=2000)
    found = killed_often(sessions, 20, random.Random(1), wait_until, most=100)
    assert found["numbers"] == EXPECTED
    assert found["complete"]
    assert len(sessions.stored()) == 2000


@pytest.mark.rest
@pytest.mark.slow
def test_kills_do_not_change_a_reduction(tmp_path: Path, drive: Any, wait_until: Any) -> None:
    for name in ("straight", "killed"):
        (tmp_path / name).mkdir()
    straight = Sessions(tmp_path / "straight", str(tmp_path / "a.db"), drive, search="lines", total=120)
    uninterrupted = straight.start().finding()
    sessions = Sessions(
        tmp_path / "killed", str(tmp_path / "b.db"), drive, search="lines", total=120, work="sleep 0.02"
    )
    found = killed_often(sessions, 6, random.Random(2), wait_until, most=10)
    assert same(found, uninterrupted)
    assert [kept["position"] for kept in found["kept"]] == [17, 42, 80]


@pytest.mark.rest
@pytest.mark.slow
def test_kills_lose_nothing_in_postgresql(tmp_path: Path, drive: Any, wait_until: Any, postgres: str) -> None:
    sessions = Sessions(tmp_path, postgres, drive, search="numbers", total=2000)
    found = killed_often(sessions, 20, random.Random(3), wait_until, most=100)
    assert found["numbers"] == EXPECTED
    assert len(sessions.stored()) == 2000


@pytest.mark.rest
@pytest.mark.slow
def test_a_killed_database_server_is_waited_for(
    tmp_path: Path, drive: Any, wait_until: Any, postgres: str, postgres_server: Any
) -> None:
    sessions = Sessions(tmp_path, postgres, drive, search="numbers", total=1000)
    driver = sessions.start()
    wait_until(lambda: sessions.acknowledgement_count() >= 200, 60, "200 acknowledgements")
    assert postgres_server.kill() > 1
    time.sleep(1.0)
    at_rest = sessions.acknowledgement_count()
    time.sleep(0.5)
    assert sessions.acknowledgement_count() == at_rest, "something was acknowledged without a database"
    assert driver.process.poll() is None
    postgres_server.start()
    found = driver.finding()
    assert found["numbers"] == [n for n in EXPECTED if n < 1000]
    assert set(sessions.acknowledged()) == sessions.stored()
    assert max(Counter(sessions.started()).values()) == 1, "a trial ran twice"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_dead_driver_leaves_no_process(tmp_path: Path, drive: Any, wait_until: Any, number: int) -> None:
    """Not even one that has left its session, nor the child of one that has."""
    work = "setsid sh -c 'setsid sleep 1000 & sleep 1000' & sleep 1000"
    sessions = Sessions(tmp_path, str(tmp_path / "store.db"), drive, search="numbers", total=8, work=work)
    driver = sessions.start()
    wait_until(lambda: len(sessions.started()) == JOBS, 30, "four commands are running")
    time.sleep(0.2)
    driver.process.send_signal(number)
    driver.result(30)
    driver.check_nothing_left()
