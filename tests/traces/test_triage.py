"""Triage of recordings: the same classes from every format, in every order, and with however many workers."""

from __future__ import annotations

import builtins
import errno
import importlib
import json
import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.traces.languages import Draft
from rootward.traces.model.guard import Bound, Const, Guard, Var
from rootward.traces.model.guard import Test as Comparison
from rootward.traces.model.model import Component, Edge, Location
from rootward.traces.model.pattern import Pattern
from rootward.traces.tally import UnjudgedTrace
from rootward.traces.triage import TraceExamined, Triage, open_processes
from tests.waiting import until

from .reference.ctr import TEST_1, TEST_2, TEST_3, ctr, trace
from .reference.networks import networks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "traces"
UDS = ROOT / "examples" / "uds"
CAUSES = {
    "bad_late": "as if ReadDataByIdentifier always took longer than 50 ms",
    "bad_s3": "as if timer S3 never ran out",
    "bad_noreset": "as if ECUReset did not set d0100 (",
}
SIMPLE = [TEST_1, TEST_2, TEST_3, trace("fine", (1, "req CTR get")), trace("more", (1, "res CTR done"))]


@cache
def model() -> rw.Model:
    return rw.load_model(ROOT / "examples" / "models" / "uds_basic.yaml", S3="500ms")


@cache
def recordings() -> tuple[rw.Trace, ...]:
    pytest.importorskip("can")
    return tuple(rw.read_traces([FOLDER / f"*.{suffix}" for suffix in ("asc", "blf", "log")]))


@cache
def found() -> Triage:
    return rw.triage(model(), recordings())


def sets(one: Triage) -> set[tuple[str, str, frozenset[tuple[str, int]]]]:
    """The classes, without any order."""
    return {(c.id, c.cause, frozenset((fault.trace, fault.index) for fault in c.faults)) for c in one.classes}


# Recordings


def test_good_recordings_conform() -> None:
    assert (found().traces, found().conforming) == (12, 3)
    assert not any(fault.trace.startswith("good") for fault in found().faults)
    assert found().problems == ()


def test_each_bad_recording_is_a_class_with_its_cause_in_all_formats() -> None:
    assert [one.traces for one in found().classes] == [3, 3, 3]
    for one in found().classes:
        [stem] = {fault.trace.rpartition(".")[0] for fault in one.faults}
        assert {fault.trace for fault in one.faults} == {f"{stem}.{suffix}" for suffix in ("asc", "blf", "log")}
        assert one.cause.startswith(CAUSES[stem])
        assert len({(fault.index, fault.kind, fault.kept, fault.observed) for fault in one.faults}) == 1
        assert all(fault.checked for fault in one.faults)


def test_the_late_answer_is_told_with_its_margin() -> None:
    [fault] = [one for one in found().faults if one.trace == "bad_late.asc" and not one.consequence]
    assert (fault.kind, fault.index, fault.limit) == ("late", 1, 50_000)
    assert 25_000 < (fault.margin or 0) < 35_000
    assert fault.event is not None
    assert fault.event.operation == "ReadDataByIdentifier"


def test_with_another_parameter_the_session_should_not_have_run_out() -> None:
    patient = rw.load_model(ROOT / "examples" / "models" / "uds_basic.yaml")
    departing = {fault.trace.partition(".")[0] for fault in rw.triage(patient, recordings()).faults}
    assert departing == {"bad_late", "bad_noreset", "good"}


# Workers


def test_jobs_change_nothing() -> None:
    assert rw.triage(model(), recordings(), jobs=2) == found()


def test_an_executor_changes_nothing() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert rw.triage(model(), recordings(), executor=pool) == found()


def test_traces_are_read_only_when_their_turn_comes() -> None:
    begun: list[str] = []

    def some() -> Iterator[rw.Trace]:
        for one in SIMPLE:
            begun.append(one.name)
            yield one

    seen: list[tuple[TraceExamined, int]] = []
    rw.triage(ctr(), some(), on_event=lambda one: seen.append((one, len(begun))))
    assert [(one.name, one.done, ahead) for one, ahead in seen] == [
        (one.name, number, number) for number, one in enumerate(SIMPLE, 1)
    ]
    assert [one.faults for one, _ in seen] == [1, 1, 1, 0, 1]


# Order


def test_the_order_of_recordings_does_not_matter() -> None:
    for seed in range(2):
        some = list(recordings())
        Random(seed).shuffle(some)
        assert sets(rw.triage(model(), some)) == sets(found())


@pytest.mark.parametrize("seed", range(300, 315))
def test_the_order_of_random_traces_does_not_matter(seed: int) -> None:
    net, traces = networks(seed, 3, 2)
    assert sets(rw.triage(net, reversed(traces))) == sets(rw.triage(net, traces))


@pytest.mark.parametrize("seed", range(300, 310))
def test_what_is_alike_does_not_depend_on_the_order(seed: int) -> None:
    net, traces = networks(seed, 6, 2)
    groups = [
        {frozenset((fault.trace, fault.index) for fault in some) for each in one.classes for some in each.groups}
        for one in (rw.triage(net, traces), rw.triage(net, reversed(traces)))
    ]
    assert groups[0] == groups[1]


# Odd traces


def test_a_trace_without_events_is_not_judged() -> None:
    nothing = rw.triage(ctr(), [rw.Trace("empty", ())])
    assert (nothing.traces, nothing.conforming, nothing.classes) == (1, 0, ())
    assert nothing.unjudged == (UnjudgedTrace("empty", "", "empty: it has no events", partly=False),)


def test_a_trace_of_another_system_is_not_judged() -> None:
    everyone = rw.Event(0, "req", "functional", "TesterPresent", "80")
    broken = rw.Event(0, "err", "ECU", "overlap")
    theirs = rw.Event(0, "req", "X", "ECUReset", "01")
    draft = Draft("mine", ecu="Body")
    draft.service(0x3E, sub={0: {}})
    mine = draft.model()
    for events in ((theirs,), (broken, theirs), (everyone, theirs)):
        found = rw.triage(mine, [rw.Trace("other", events)])
        assert (found.conforming, [one.partly for one in found.unjudged]) == (0, [False])
        assert "knows none of its messages: the model is about Body (" in found.problems[0]
    assert rw.triage(mine, [rw.Trace("mine", (everyone,))]).unjudged == ()


def test_workers_judge_alike() -> None:
    other = rw.Trace("other", (rw.Event(0, "req", "X", "Y"),))
    with ThreadPoolExecutor(2) as pool:
        assert rw.triage(ctr(), [other, *SIMPLE], executor=pool) == rw.triage(ctr(), [other, *SIMPLE])


@pytest.mark.parametrize(
    "events",
    [
        (rw.Event(5, "req", "CTR", "get"), rw.Event(4, "req", "CTR", "get")),
        (rw.Event(-1, "req", "CTR", "get"),),
        (rw.Event(2**70, "req", "CTR", "get"),),
        (rw.Event(0.5, "req", "CTR", "get"),),  # type: ignore[arg-type]
        ("req CTR get",),
    ],
)
def test_events_that_cannot_be_are_refused(events: tuple[rw.Event, ...]) -> None:
    with pytest.raises(InputError, match=r"^trace odd, event [01]: "):
        rw.triage(ctr(), [rw.Trace("odd", events)])


def test_a_wrong_question_is_refused() -> None:
    some: list[tuple[Any, Any, Any, str]] = [
        (ctr(), "x.asc", 1, "expected traces, such as rootward.read_traces returns, not 'x.asc'"),
        (ctr(), 5, 1, "expected traces"),
        (ctr(), ["x.asc"], 1, "expected a Trace, such as"),
        ("m.yaml", [], 1, "expected a model, such as rootward.load_model returns, not 'm.yaml'"),
        (ctr(), [], 0, "jobs must be at least 1, not 0"),
    ]
    for net, traces, jobs, said in some:
        with pytest.raises(InputError, match=said):
            rw.triage(net, traces, jobs=jobs)


def test_ctrl_c_gives_what_was_found_so_far() -> None:
    def some() -> Iterator[rw.Trace]:
        yield TEST_1
        raise KeyboardInterrupt

    found = rw.triage(ctr(), some())
    assert (found.complete, found.stopped, found.traces, len(found.classes)) == (False, "interrupted", 1, 1)


def test_workers_that_are_lost_leave_what_was_found() -> None:
    class Dying(Slow):
        def done(self, fn: Any, args: Any) -> Any:
            if args[1].name == "Test-3":
                raise BrokenExecutor
            return super().done(fn, args)

    found = rw.triage(ctr(), SIMPLE, executor=Dying())
    assert (found.complete, found.stopped, found.traces) == (False, "executor lost", 2)


class Slow(Executor):
    """Finishes nothing before it is asked for, and knows how much was handed to it by then."""

    def __init__(self) -> None:
        self.given, self.most = 0, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.given += 1
        self.most = max(self.most, self.given)
        future: Future[Any] = Future()
        future.result = lambda timeout=None: self.done(fn, args)  # type: ignore[method-assign]
        return future

    def done(self, fn: Any, args: Any) -> Any:
        self.given -= 1
        return fn(*args)


@pytest.mark.rest
def test_an_executor_is_kept_busy_and_memory_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, short = Slow(), trace("fine", (1, "req CTR get"), (1, "res CTR fail"))
    rw.triage(ctr(), [replace(short, name=str(number)) for number in range(300)], executor=pool)
    assert pool.most == 300
    monkeypatch.setattr("rootward.traces.triage.MAX_MESSAGES_AHEAD", 60)
    again = Slow()
    rw.triage(ctr(), [replace(short, name=str(number)) for number in range(300)], executor=again)
    assert again.most == 20


def test_a_trace_that_could_not_be_read_does_not_conform() -> None:
    nothing = rw.triage(ctr(), [rw.Trace("broken", (), problems=("broken: line 1 is no event",))])
    assert (nothing.traces, nothing.conforming, nothing.problems) == (1, 0, ("broken: line 1 is no event",))


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.EIO])
def test_trouble_of_the_machine_is_no_problem_of_a_trace(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file can be read at another time: without it, the answer would be complete and wrong."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("time,kind,ecu,operation,payload\n0,res,CTR,ack,5\n")
    real = open

    def open_file(path: Any, *args: Any, **options: Any) -> Any:
        if str(path).endswith("b.csv"):
            raise OSError(number, os.strerror(number))
        return real(path, *args, **options)

    monkeypatch.setattr(builtins, "open", open_file)
    with pytest.warns(RuntimeWarning, match=f"traces cannot be examined any more: {os.strerror(number)}"):
        found = rw.triage(ctr(), rw.read_traces(tmp_path))
    assert (found.complete, found.stopped, found.traces) == (False, "machine trouble", 1)


@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (os, "fork", BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))),
        (threading.Thread, "start", RuntimeError("can't start new thread")),
    ],
)
def test_workers_that_cannot_be_started_are_trouble_of_the_machine(
    owner: Any, name: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise error

    before = multiprocessing.active_children()
    monkeypatch.setattr(owner, name, fail)
    with pytest.warns(RuntimeWarning, match="traces cannot be examined any more"):
        found = rw.triage(ctr(), [TEST_1], jobs=2)
    monkeypatch.undo()
    assert (found.complete, found.stopped) == (False, "machine trouble")
    until(lambda: multiprocessing.active_children() == before, "its processes have gone")


def test_no_traces_are_no_classes() -> None:
    nothing = rw.triage(ctr(), [])
    assert (nothing.traces, nothing.conforming, nothing.faults, nothing.classes) == (0, 0, (), ())


def test_a_long_trace_of_faults_ends_after_some() -> None:
    found = rw.triage(ctr(), [trace("all wrong", *[(1, "res CTR done")] * 50)])
    assert [fault.index for fault in found.faults] == list(range(20))


# The finding


def test_nothing_of_a_pool_is_left_at_its_end() -> None:
    with open_processes(2) as pool:
        futures = [pool.submit(time.sleep, 1e6) for _ in range(2)]
        until(lambda: any(future.running() for future in futures), "a worker to be busy")
        mine = {pool._executor_manager_thread, *pool._processes.values()}  # type: ignore[attr-defined]
        futures[-1].cancel()
    assert len(mine) > 1
    assert not any(part.is_alive() for part in mine)


def test_a_finding_can_be_kept() -> None:
    for one in (found(), rw.triage(ctr(), SIMPLE)):
        again = pickle.loads(pickle.dumps(one))
        assert again == one
        assert str(again) == str(one)


def test_a_finding_is_plain_data() -> None:
    data = found().to_dict()
    assert json.loads(json.dumps(data)) == data
    assert [one["id"] for one in data["classes"]] == [one.id for one in found().classes]
    assert (data["traces"], data["conforming"], len(data["faults"])) == (12, 3, len(found().faults))


# The example


@pytest.fixture(scope="module")
def tester() -> Iterator[ModuleType]:
    for needed in ("can", "isotp", "udsoncan"):
        pytest.importorskip(needed)
    sys.path.insert(0, str(UDS))
    yield importlib.import_module("tester")
    sys.path.remove(str(UDS))
    for name in ("ecu", "bench", "tester"):
        del sys.modules[name]


RUNS = {
    "kept_over_reset": ("reset_clears_the_setting", "soft_reset_clears_the_setting"),
    "late_response": ("enter_extended_session", "read_unknown", "write_twice", "write_adaptation"),
    "session_timeout_ignored": ("session_ends_after_silence", "no_write_after_silence", "no_routine_after_silence"),
    "lost_write": ("reset_keeps_the_adaptation", "write_adaptation"),
}


def test_each_fault_of_the_unit_is_a_class_of_its_own(tester: ModuleType, tmp_path: Path) -> None:
    for fault, cases in RUNS.items():
        (tmp_path / fault).mkdir()
        assert all(tester.run(case, tmp_path / fault, faults=[fault], simulated=True).problem for case in cases)
    unit = rw.load_model(UDS / "model.yaml")
    classes = rw.triage(unit, rw.read_traces([tmp_path / fault / "*.blf" for fault in RUNS])).classes
    together = [{Path(one.path).parent.name for one in each.faults} for each in classes]
    assert sorted(together, key=str) == sorted(({fault} for fault in RUNS), key=str)
    causes = {next(iter(some)): each.cause for some, each in zip(together, classes, strict=True)}
    assert causes["kept_over_reset"].startswith("as if ECUReset did not set d0100 (")
    assert causes["late_response"] == "as if ReadDataByIdentifier always took longer than 50 ms while session = 03"
    assert causes["session_timeout_ignored"] == "as if timer S3 never ran out"
    assert causes["lost_write"].startswith("as if WriteDataByIdentifier did not set d0110 (")


def test_times_of_two_timers_that_both_count_are_told() -> None:
    """One of them says by when it runs out, the other only from when on it may."""
    timers = rw.Model(
        "Two timers",
        (
            Component("a", (Location("l", stay=((Bound("c", "<=", 55),),)), Location("k")), ("l",), (timed("c", "x"),)),
            Component("b", (Location("l", ((Bound("d", "<", 99),),)), Location("k")), ("l",), (timed("c", "y"),)),
            Component("m", (Location("l"),), ("l",), (Edge("l", "l", Pattern("res M bad"), one_of("x", "y")),)),
        ),
        {"x": 1, "y": 1},
        {"c": 0, "d": 0},
    )
    [fault] = rw.triage(timers, [rw.Trace("t", (rw.Event(100, "res", "M", "bad"),))]).faults
    assert {silence.limit for silence in fault.silences} == {50, 55}


def timed(clock: str, name: str) -> Edge:
    return Edge("l", "k", when=((Bound(clock, ">=", 50),),), set={name: Const(0)})


def one_of(*names: str) -> Guard:
    return tuple((Comparison(Var(name), "=", Const(1)),) for name in names)


def test_an_interruption_while_causes_are_looked_for_keeps_what_is_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rootward.traces.grouping.classify.cover", interrupted)
    found = rw.triage(model(), rw.read_traces([FOLDER / "bad_late.asc", FOLDER / "bad_s3.asc"]))
    assert (found.complete, found.stopped) == (False, "interrupted")
    assert [one.cause for one in found.classes] == ["", ""]


def test_a_deadline_may_be_an_invariant() -> None:
    lamp = Component(
        "L",
        (Location("off"), Location("on", invariant=((Bound("y", "<=", 10_000),),))),
        ("off",),
        (
            Edge("off", "on", Pattern("* * press ..."), reset=frozenset({"y"})),
            Edge("on", "off", Pattern("* * light ..."), ((Bound("y", ">=", 5_000),),)),
        ),
    )
    events = (rw.Event(0, "req", "X", "press"), rw.Event(17_000, "res", "X", "light"))
    found = rw.triage(rw.Model("Lamp", (lamp,), {}, {"y": 0}), [rw.Trace("late", events)])
    [fault] = found.faults
    assert (fault.kind, fault.limit, fault.margin) == ("late", 10_000, 7_000)
    assert [one.cause for one in found.classes] == ["as if L always took longer than 10 ms where 'on' is due"]
