"""A Dask cluster on the loopback interface: workers and schedulers that die cost time, never the answer."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.cli import main
from rootward.lab import execute
from rootward.lab.events import Event, TrialFinished, TrialRetried, TrialStarted
from tests.waiting import PATIENCE, until

distributed = pytest.importorskip("distributed", reason='the Dask tests need "rootward[dask]"')
pytestmark = pytest.mark.slow


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        where = folder / "scheduler.json"
        local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(where)]
        self.scheduler = self._start("scheduler", *local, "--port", "0", "--dashboard-address", ":0")
        worker = ["worker", *local, "--no-nanny", "--nthreads", "1"]
        self.workers = [self._start(*worker, "--name", f"w{i}") for i in range(2)]
        self.address: str = until(lambda: _address(where), "the scheduler listens", self.scheduler)

    def executor(self) -> Any:
        """With both workers there."""
        executor: Any = execute.connect_dask(self.address)
        until(lambda: len(executor._client.ncores()) == 2, "two workers have come")
        return executor

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        log = open(self._folder / f"{len(self.processes)}.log", "wb")  # noqa: SIM115
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
                env={**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"},
            )
        self.processes.append(process)
        return process


def _address(written: Path) -> Any:
    """Where the scheduler listens, as soon as it has said so."""
    with contextlib.suppress(OSError, json.JSONDecodeError):
        return json.loads(written.read_text())["address"]
    return None


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Callable[[], Cluster]]:
    numbers = itertools.count()
    with contextlib.ExitStack() as cleanup:

        def start() -> Cluster:
            folder = tmp_path / f"cluster-{next(numbers)}"
            folder.mkdir()
            made = Cluster(folder)
            cleanup.callback(made.close)
            return made

        yield start


@pytest.fixture(scope="module")
def standing_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all tests that leave it as it was."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("cluster"))) as made:
        yield made


def dying(flag: Path | None) -> Callable[[], None]:
    """A function after which its process lives no longer, for the first who calls it when the file is there."""

    def die() -> None:  # in here, so that it travels by value
        with contextlib.suppress(FileNotFoundError):
            if flag is not None:
                os.unlink(flag)
                os.kill(os.getpid(), signal.SIGKILL)

    return die


def reduce(executor: Any, dies: Path | None = None, **lab: Any) -> Any:
    """``dies``: once that file is there, the worker of one trial dies in the middle of it."""
    die = dying(dies)

    def slow_subject(kept: list[int]) -> rw.Verdict:  # in here, so that it travels by value
        time.sleep(0.02)
        die()
        return rw.Verdict.FAIL if {11, 23, 42} <= set(kept) else rw.Verdict.PASS

    return rw.reduce(range(64), slow_subject, method="ddmin", executor=executor, **lab)


EXPECTED = [11, 23, 42]


def test_the_same_finding_on_a_cluster(standing_cluster: Cluster) -> None:
    executor = standing_cluster.executor()
    try:
        found = reduce(executor)
    finally:
        executor.rootward_close()
    assert found.kept == EXPECTED
    assert found.complete


@pytest.mark.rest
def test_a_worker_that_dies_is_done_without_and_a_cluster_without_workers_given_up(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = cluster()
    executor = running.executor()
    events: list[Event] = []
    flag = tmp_path / "dies"

    def listen(event: Event) -> None:
        events.append(event)
        if isinstance(event, TrialStarted) and sum(isinstance(e, TrialStarted) for e in events) == 20:
            flag.touch()

    found = reduce(executor, flag, on_event=listen, store=tmp_path / "store.db")
    assert found.kept == EXPECTED
    assert found.complete
    retried = [event for event in events if isinstance(event, TrialRetried)]
    assert {event.reason for event in retried} == {"its process ended"}
    tries = [event.trial.tries for event in events if isinstance(event, TrialFinished)]
    assert tries.count(2) == len(retried) <= 2, "the worker had one trial, or the next one as well"
    assert set(tries) == {1, 2}

    monkeypatch.setattr(execute, "MAX_SECONDS_WITHOUT_WORKERS", 2.0)
    started = 0

    def kill(event: Event) -> None:
        nonlocal started
        started += isinstance(event, TrialStarted)
        if started == 20:
            for worker in running.workers:
                worker.kill()

    found = reduce(executor, on_event=kill)
    executor.rootward_close()
    assert (found.complete, found.stopped) == (False, "executor lost")


@pytest.mark.rest
def test_a_scheduler_that_dies_leaves_a_partial_finding_and_a_store_to_resume_from(
    cluster: Any, standing_cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        execute, "MAX_SECONDS_WITHOUT_WORKERS", 10 * PATIENCE
    )  # that it has died is noticed, not waited for
    first = cluster()
    executor = first.executor()
    events: list[Event] = []

    def listen(event: Event) -> None:
        events.append(event)
        if sum(isinstance(e, TrialFinished) for e in events) == 40:
            first.scheduler.kill()

    partial = reduce(executor, on_event=listen, store=tmp_path / "store.db")
    executor.rootward_close()
    assert first.scheduler.poll() is not None
    assert (partial.complete, partial.stopped) == (False, "executor lost")
    assert set(EXPECTED) <= set(partial.kept)
    assert len(partial.kept) < 64
    assert not any(
        event.trial.outcome is not None and event.trial.outcome.verdict is rw.Verdict.UNRESOLVED
        for event in events
        if isinstance(event, TrialFinished)
    ), "a lost cluster says nothing about a candidate"
    first.close()

    before = sum(isinstance(event, TrialFinished) for event in events)
    again: list[Event] = []
    executor = standing_cluster.executor()
    try:
        found = reduce(executor, on_event=again.append, store=tmp_path / "store.db")
    finally:
        executor.rootward_close()
    assert (found.kept, found.complete) == (EXPECTED, True)
    assert found.trials == before + sum(isinstance(event, TrialFinished) for event in again)
    ran = [event.trial.name for event in [*events, *again] if isinstance(event, TrialFinished)]
    assert len(ran) == len(set(ran)), "a stored trial ran again"


def elsewhere(kept: list[int]) -> None:
    """A function of a module that the cluster does not have."""


def test_a_subject_that_the_cluster_cannot_load_is_a_clear_error(standing_cluster: Cluster) -> None:
    executor = standing_cluster.executor()
    try:
        with pytest.raises(rw.SubjectError, match="install the modules that it imports there"):
            rw.reduce(range(4), elsewhere, executor=executor)
    finally:
        executor.rootward_close()


def test_no_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is waited for; here a twentieth of that time is enough."""

    def impatient(address: str, timeout: float) -> Any:
        assert 0 < timeout <= 20
        return real(address, timeout=timeout / 20)

    real = distributed.Client
    monkeypatch.setattr(distributed, "Client", impatient)
    with pytest.raises(rw.InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        execute.connect_dask("tcp://127.0.0.1:1")


@pytest.mark.rest
def test_a_local_cluster_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    executor: Any = execute.connect_dask(jobs=2)
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"rootward"}, "a kill leaves only ours"
    try:
        assert execute.width_of(executor, 1) == 2
        assert reduce(executor).kept == EXPECTED
    finally:
        executor.rootward_close()
    assert list(tmp_path.iterdir()) == []


ROOT = Path(__file__).parents[2]
TRIAGE = ["triage", "--model", str(ROOT / "examples" / "models" / "uds_basic.yaml")]
RECORDINGS = [str(ROOT / "tests" / "data" / "traces" / "*.asc"), "--param", "S3=500ms", "-q"]


def test_a_triage_on_a_cluster_says_the_same(standing_cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("can")
    standing_cluster.executor().rootward_close()  # both workers are there
    said = []
    for options in ([], ["--executor", "dask", "--address", standing_cluster.address]):
        capfd.readouterr()
        with pytest.raises(SystemExit) as end:
            main([*TRIAGE, *RECORDINGS, *options])
        said.append((end.value.code, *capfd.readouterr()))
    assert said[0] == said[1]
    code, out, err = said[0]
    assert (code, err) == (1, "")
    assert out.startswith("3 of 4 traces depart")


@pytest.mark.rest
def test_a_cluster_that_dies_leaves_what_a_triage_has_found(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("rootward.traces.triage"), "MAX_MESSAGES_AHEAD", 100)
    running = cluster()
    executor = running.executor()
    model = rw.load_model(ROOT / "examples" / "models" / "uds_basic.yaml")
    wrong = rw.Event(0, "res", "ECU", "ECUReset", "01")

    def traces() -> Iterator[rw.Trace]:
        for number in range(10**6):
            yield rw.Trace(str(number), (wrong,))

    def listen(event: Any) -> None:
        if event.done == 5:
            for process in running.processes:
                process.kill()

    try:
        found = rw.triage(model, traces(), executor=executor, on_event=listen)
    finally:
        executor.rootward_close()
    assert (found.complete, found.stopped) == (False, "executor lost")
    assert found.traces >= 5
    assert len(found.classes) == 1


STUDY = """\
[subject]
command = ["sh", "run.sh", "{file}"]

[elements]
file = "input.txt"
"""


@pytest.mark.rest
def test_a_study_says_the_same_in_process_with_jobs_and_on_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "input.txt").write_text("".join(f"step {n}\n" for n in range(1, 61)))
    (tmp_path / "run.sh").write_text('! { grep -q "step 17$" "$1" && grep -q "step 40$" "$1"; }\n')
    (tmp_path / "study.toml").write_text(STUDY)

    monkeypatch.chdir(tmp_path)

    def answer(*options: str) -> Any:
        with pytest.raises(SystemExit) as end:
            main(["reduce", "study.toml", "--json", "--quiet", "--fresh", *options])
        out, err = capfd.readouterr()
        assert (end.value.code, err) == (0, "")
        said = json.loads(out)
        return [kept["element"] for kept in said["kept"]], said["complete"], said["asked"]

    alone = answer()
    assert alone[:2] == (["step 17\n", "step 40\n"], True)
    assert answer("--jobs", "2") == alone
    assert answer("--jobs", "2", "--executor", "dask") == alone


@pytest.mark.rest
def test_a_worker_that_dies_costs_the_short_trials_that_it_had_which_run_again(cluster: Any, tmp_path: Path) -> None:
    executor = cluster().executor()
    events: list[Event] = []
    flag = tmp_path / "dies"
    die = dying(flag)

    def short(candidate: dict[str, int]) -> rw.Verdict:
        time.sleep(0.002)
        die()
        return rw.Verdict.FAIL if candidate["n"] % 3 == 0 else rw.Verdict.PASS

    def sweep() -> Any:
        outcomes = yield from rw.all_of([{"n": n} for n in range(2000)], best=Fails(count=0))
        return Fails(count=sum(outcome.verdict is rw.Verdict.FAIL for outcome in outcomes))

    def listen(event: Event) -> None:
        events.append(event)
        if len(events) == 2500:  # so hundreds of trials have not begun yet
            flag.touch()

    try:
        with rw.Lab(short, executor=executor, store=tmp_path / "store.db", on_event=listen) as lab:
            found = lab.run(sweep())
    finally:
        executor.rootward_close()
    assert (found.complete, found.count, found.trials) == (True, 667, 2000)
    finished = [event.trial.key for event in events if isinstance(event, TrialFinished)]
    assert len(finished) == len(set(finished)) == 2000
    assert any(isinstance(event, TrialRetried) for event in events)


@dataclass(frozen=True, kw_only=True)
class Fails(rw.Finding):
    count: int

    def answer(self) -> dict[str, Any]:
        return {"count": self.count}
