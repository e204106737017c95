"""kill -9 at any moment loses at most the trials in flight: none that was acknowledged, and no finding changes."""

from __future__ import annotations

import json
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from tests.properties import few
from tests.waiting import PATIENCE, until

from .conftest import marked

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
        self._settings = {"jobs": JOBS, "work": ":", **paths, **settings}

    def start(self, at_most: int | None = None) -> Any:
        """``at_most``: after so many acknowledgements it only waits for its end."""
        return self._drive(DRIVER, json.dumps({**self._settings, "at_most": at_most}))

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

    def wait_for(self, acknowledgements: int, driver: Any) -> None:
        enough = f"{acknowledgements} acknowledgements"
        until(lambda: self.acknowledgement_count() >= acknowledgements, enough, driver.process)

    def stored(self, where: str | None = None) -> set[str]:
        store = rw.Store(where or self.store)
        try:
            return {trial["key"] for run in store.runs() for trial in store.trials(run.id)}
        finally:
            store.close()


def killed_often(sessions: Sessions, kills: int, draw: random.Random, most: int) -> dict[str, Any]:
    """Kill the run that often, check what must hold after each kill, and let it end."""
    in_flight: Counter[str] = Counter()
    for number in range(kills):
        wanted = 0 if number % 5 == 4 else draw.randint(1, most)
        driver = sessions.start(at_most=wanted + most // 5)  # so that the run cannot end before it is killed
        before, acknowledged = len(sessions.started()), sessions.acknowledgement_count()
        known = set(sessions.acknowledged().values())
        if wanted:
            sessions.wait_for(acknowledged + wanted, driver)
        time.sleep(draw.uniform(0.0, 0.01 if wanted else 1.0))  # at any moment, also of its beginning
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


EXPECTED = [n for n in range(1000) if str(n).count("7") >= 2]


@pytest.mark.slow
@pytest.mark.parametrize("kills", few(1, [2, 10]))
def test_kills_lose_nothing_in_sqlite(tmp_path: Path, drive: Any, kills: int) -> None:
    total = 100 * kills
    sessions = Sessions(tmp_path, str(tmp_path / "store.db"), drive, search="numbers", total=total)
    found = killed_often(sessions, kills, random.Random(1), most=80)
    assert found["numbers"] == [n for n in EXPECTED if n < total]
    assert found["complete"]
    assert len(sessions.stored()) == total


@pytest.mark.rest
@pytest.mark.slow
def test_kills_do_not_change_a_reduction(tmp_path: Path, drive: Any) -> None:
    for name in ("straight", "killed"):
        (tmp_path / name).mkdir()
    straight = Sessions(tmp_path / "straight", str(tmp_path / "a.db"), drive, search="lines", total=120)
    uninterrupted = straight.start().finding()
    sessions = Sessions(
        tmp_path / "killed", str(tmp_path / "b.db"), drive, search="lines", total=120, work="sleep 0.02"
    )
    found = killed_often(sessions, 5, random.Random(2), most=10)
    assert same(found, uninterrupted)
    assert [kept["position"] for kept in found["kept"]] == [17, 42, 80]


@pytest.mark.rest
@pytest.mark.slow
def test_kills_lose_nothing_in_postgresql(tmp_path: Path, drive: Any, postgres: str) -> None:
    sessions = Sessions(tmp_path, postgres, drive, search="numbers", total=800)
    found = killed_often(sessions, 10, random.Random(3), most=70)
    assert found["numbers"] == [n for n in EXPECTED if n < 800]
    assert len(sessions.stored()) == 800


@pytest.mark.rest
@pytest.mark.slow
def test_a_killed_database_server_is_waited_for(
    tmp_path: Path, drive: Any, postgres: str, postgres_server: Any
) -> None:
    go = tmp_path / "go"
    work = f'while [ "$1" -ge 300 ] && [ ! -e {go} ]; do sleep 0.05; done'  # or it could end before the server does
    sessions = Sessions(tmp_path, postgres, drive, search="numbers", total=400, work=work, patience=PATIENCE)
    driver = sessions.start()
    sessions.wait_for(100, driver)
    assert postgres_server.kill() > 1
    known = stored_in_secret(sessions, postgres_server)
    assert set(sessions.acknowledged()) <= known, "something was acknowledged without a database"
    assert driver.process.poll() is None
    postgres_server.start()
    go.touch()
    found = driver.finding()
    assert found["numbers"] == [n for n in EXPECTED if n < 400]
    assert set(sessions.acknowledged()) == sessions.stored()
    assert max(Counter(sessions.started()).values()) == 1, "a trial ran twice"


def stored_in_secret(sessions: Sessions, server: Any) -> set[str]:
    """What a killed server has kept: it is started where the run does not find it."""
    with tempfile.TemporaryDirectory(prefix="rw-pg-", dir="/tmp") as name:
        Path(name).chmod(0o777)  # the server may run as another user
        server.start(Path(name))
        try:
            return sessions.stored(sessions.store.replace(str(server.folder), name))
        finally:
            server.stop()


def asleep(marker: str) -> int:
    """How many processes do nothing but sleep, and are where they are to be."""
    return sum(words.split() == ["sleep", "1000"] for words in marked(marker).values())


@pytest.mark.parametrize("number", few(1, [signal.SIGKILL, signal.SIGSEGV]))
def test_a_dead_driver_leaves_no_process(tmp_path: Path, drive: Any, number: int) -> None:
    """Not even one that has left its session, nor the child of one that has."""
    work = "setsid sh -c 'setsid sleep 1000 & sleep 1000' & sleep 1000"
    sessions = Sessions(tmp_path, str(tmp_path / "store.db"), drive, search="numbers", total=8, work=work)
    driver = sessions.start()
    until(lambda: asleep(driver.marker) == 3 * JOBS, "four commands are running, with all their children")
    driver.process.send_signal(number)
    driver.result()
    driver.check_nothing_left()


TRIAGE = """\
import sys, threading
import rootward as rw
from rootward.cli.triage import open_processes

def traces():
    yield from (rw.Trace(str(number), ()) for number in range(100))
    threading.Event().wait()

if __name__ == "__main__":
    model = rw.load_model(sys.argv[1])
    if sys.argv[2] == "from Python":
        rw.triage(model, traces(), jobs=2)
    with open_processes(2) as pool:
        rw.triage(model, traces(), jobs=2, executor=pool)
"""
MODEL = str(Path(__file__).parents[2] / "examples" / "models" / "uds_basic.yaml")


@pytest.mark.parametrize("way", few(1, ["from the command line", "from Python"]))
def test_a_killed_triage_leaves_no_process(tmp_path: Path, drive: Any, way: str) -> None:
    """Its workers wait for the next trace, and have nobody who could tell them that there is none."""
    script = tmp_path / "triage.py"
    script.write_text(TRIAGE)
    driver = drive(str(script), MODEL, way)
    until(lambda: len(marked(driver.marker)) >= 3, "two workers are there", driver.process)
    driver.kill()


REGRESSION = """\
import sys
from pathlib import Path
from rootward.diagnosis.handover.regression import run_test
from rootward.explanation.diagnosis import TEST, Artifact
run_test(Artifact(TEST, "test_bug.py"), Path(sys.argv[1]))
"""


def test_a_killed_diagnosis_leaves_no_test_running(tmp_path: Path, drive: Any) -> None:
    (tmp_path / "test_bug.py").write_text(
        "import pathlib, time\n\ndef test_bug():\n    pathlib.Path('begun').touch()\n    time.sleep(1000)\n"
    )
    driver = drive("-c", REGRESSION, str(tmp_path))
    until((tmp_path / "begun").exists, "the test runs", driver.process)
    driver.kill()
