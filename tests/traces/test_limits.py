"""Tests of the limits of the work on one trace: what is cut says so, and is still located."""

from __future__ import annotations

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.traces.limits import Limits, Work
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import Bound, Const
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern

ASK, ANSWER = Pattern("req E Ask"), Pattern("res E Ask")
STOP = Event(30, "req", "E", "Stop")


def _chooser(number: int) -> Component:
    """A component that is in one of two places after a request; nothing tells which."""
    places = tuple(Location(name) for name in ("idle", "left", "right"))
    edges = tuple(Edge(source.name, target, ASK) for source in places for target in ("left", "right"))
    return Component(f"chooser {number}", places, ("idle",), edges)


def _timer(number: int) -> Component:
    """A timer that started at an unknown time and runs out once, or not at all."""
    ends = Edge("runs", "over", when=((Bound(f"t{number}", ">", 10),),), set={"late": Const(number)})
    return Component(f"timer {number}", (Location("runs"), Location("over")), ("runs",), (ends,))


def _asked() -> Component:
    """Takes no answer without a request, and no other request."""
    edges = (Edge("idle", "asked", ASK), Edge("asked", "idle", ANSWER))
    never = Edge("idle", "idle", Pattern("req E Stop"), when=())
    return Component("asked", (Location("idle"), Location("asked")), ("idle",), (*edges, never))


def _choosing(count: int) -> Model:
    return Model("choices", (_asked(), *map(_chooser, range(count))))


def _timed(count: int) -> Model:
    clocks = {f"t{number}": UNKNOWN for number in range(count)}
    return Model("timers", (_asked(), *map(_timer, range(count))), {"late": 0}, clocks)


def _trace(name: str, *events: Event) -> Trace:
    return Trace(name, events)


ASKED = Event(10, "req", "E", "Ask")
ANSWERED = Event(20, "res", "E", "Ask")
WRONG = _trace("wrong", Event(5, "res", "E", "Ask"), ASKED, ANSWERED, STOP)


def test_a_replay_in_too_many_states_is_judged_up_to_there() -> None:
    fine, wrong = _trace("fine", ASKED, ANSWERED), WRONG
    found = rw.triage(_choosing(5), [fine, wrong], limits=Limits(states=8))
    assert [(one.trace, one.index) for one in found.faults] == [("wrong", 0)]  # before the states are too many
    assert [(one.trace, one.partly) for one in found.unjudged] == [("fine", True)]
    assert found.conforming == 0
    assert "fine: judged only up to message 0 of 2" in found.problems[0]
    assert "wrong: judged only up to message 1 of 4" in found.problems[1]
    assert "more than 8 states" in str(found)


def test_enough_states_judge_all() -> None:
    found = rw.triage(_choosing(5), [_trace("fine", ASKED, ANSWERED), WRONG], limits=Limits(states=32))
    assert found.conforming == 1
    assert not found.problems
    assert [one.index for one in found.faults] == [0, 3]


@pytest.mark.parametrize("model", [_choosing(14), _timed(7)], ids=["choices", "timers"])
def test_the_limits_that_act_by_default_bound_the_work(model: Model) -> None:
    found = rw.triage(model, [_trace("first", ASKED, ANSWERED, STOP)])
    assert "more than 500 states" in found.problems[0] or "too many ways" in found.problems[0]
    assert [one.partly for one in found.unjudged] == [True]


def test_a_cut_proof_leaves_the_fault_located(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _timed(2)
    [whole] = rw.triage(model, [_trace("one", ASKED, ANSWERED, STOP)]).faults
    assert not whole.cut

    def count(self: Work, _count: object = Work.count_proof_step) -> None:
        self._proof_steps = 10**6
        _count(self)  # type: ignore[operator]

    monkeypatch.setattr(Work, "count_proof_step", count)
    monkeypatch.setattr("rootward.traces.proving.check.Checker.follows_directly", lambda *_: False)
    found = rw.triage(model, [_trace("one", ASKED, ANSWERED, STOP)])
    [cut] = found.faults
    assert (cut.index, cut.kind, cut.component) == (whole.index, whole.kind, whole.component)
    assert cut.kept == (0, 1, 2)
    assert "explanation cut: its proof needs more than 300 steps" in str(found)


def test_time_limits_a_trace() -> None:
    found = rw.triage(_choosing(2), [_trace("one", ASKED, ANSWERED, STOP)], limits=Limits(seconds=1e-9))
    assert "one: judged only up to message 0 of 3: it takes more than 1e-09 s" in found.problems[0]


def test_the_answer_does_not_depend_on_the_order_or_the_workers() -> None:
    traces = [WRONG, _trace("fine", ASKED, ANSWERED), _trace("stop", ASKED, ANSWERED, STOP)]
    limits = Limits(states=8)
    found = [
        rw.triage(_choosing(5), some, jobs=jobs, limits=limits)
        for some, jobs in ((traces, 1), (traces[::-1], 1), (traces, 2))
    ]
    assert len({tuple(sorted(one.problems)) for one in found}) == 1
    assert len({tuple(sorted((one.trace, one.index) for one in each.faults)) for each in found}) == 1


@pytest.mark.parametrize("wrong", [{"states": 0}, {"states": 1.5}, {"proof_steps": -1}, {"seconds": 0}])
def test_wrong_limits_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Limits(**wrong)  # type: ignore[arg-type]
