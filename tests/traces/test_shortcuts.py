"""Shortcuts say what the long way says: looking up what a state does, the plain rules of the checker, the quick no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.model import Model
from rootward.traces.proving import check
from rootward.traces.proving.check import Checker
from rootward.traces.proving.claim import NEVER, Condition
from rootward.traces.proving.infix import is_refuted
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.reflex import Reflexes
from rootward.traces.running.replay import find_witnesses, split_steps
from rootward.traces.running.state import SymbolicState

from .reference.networks import networks
from .test_proofs import every

SEEDS = range(40)
PROVED = range(20, 45)
"""Among their proofs are some of which a wait is refuted."""


def replayed(engine: Engine, todo: list[Step]) -> list[frozenset[SymbolicState]]:
    """The states after each step, until there are none."""
    states: States = engine.begin(0)
    found = []
    for step in todo:
        states = engine.take(states, step)
        found.append(frozenset(states))
        if not states:
            break
    return found


def forgetful(model: Model, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine that never looks anything up."""
    engine = Engine(model)
    monkeypatch.setattr(engine, "_reflexes", Slow(engine.names, engine.parts, engine.places))
    return engine


class Slow(Reflexes):
    def rests(self, *_: object) -> bool:
        return False

    def step(self, *_: object) -> None:
        return None

    def find_transitions(self, *_: object) -> None:
        return None


@pytest.mark.rest
def test_looking_up_changes_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = 0
    for seed in SEEDS:
        model, traces = networks(seed, 3, 2)
        quick, slow = Engine(model), forgetful(model, monkeypatch)
        for trace in traces:
            todo = split_steps(trace, quick.patience)
            assert replayed(quick, todo) == replayed(slow, todo), (seed, trace.name)
        plain += any(quick._reflexes._single_jumps)
    assert plain > len(SEEDS) / 2


def changes(model: Model, random: Random) -> Iterator[Model]:
    """The model with one edge less, and with one that asks for nothing."""
    place = random.randrange(len(model.components))
    part = model.components[place]
    if part.edges:
        edge = random.choice(part.edges)
        for edges in (tuple(e for e in part.edges if e is not edge), (*part.edges, replace(edge, when=((),)))):
            changed = replace(part, edges=edges)
            yield replace(model, components=(*model.components[:place], changed, *model.components[place + 1 :]))


@pytest.mark.rest
def test_what_is_shared_with_a_similar_engine_is_the_same() -> None:
    for seed in SEEDS:
        model, traces = networks(seed, 3, 2)
        engine = Engine(model)
        for trace in traces:
            replayed(engine, split_steps(trace, engine.patience))
        for changed in changes(model, Random(seed)):
            shared, alone = Engine(changed, engine), Engine(changed)
            for trace in traces:
                todo = split_steps(trace, alone.patience)
                assert replayed(shared, todo) == replayed(alone, todo), (seed, trace.name)
        for trace in traces:  # and the first one is not disturbed
            todo = split_steps(trace, engine.patience)
            assert replayed(engine, todo) == replayed(Engine(model), todo)


def triples() -> Iterator[tuple[Model, Condition, Step, Condition]]:
    """Steps of proofs, as they are and with claims left out."""
    random = Random(0)
    for model, _, proof in every(PROVED):
        for first, step, then in zip(proof.conditions, proof.steps, (*proof.conditions[1:], NEVER), strict=True):
            yield model, first, step, then
            for case in first:
                yield (
                    model,
                    frozenset([frozenset(one for one in sorted(case, key=repr) if random.random() < 0.8)]),
                    step,
                    then,
                )


def test_what_is_plain_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MAX_START_STATES", 100_000)
    monkeypatch.setattr(check, "MAX_PARTS", 100_000)
    plain = 0
    for model, first, step, then in triples():
        checker = Checker(model)
        for case in first:
            if checker.follows_directly(case, step, then):
                plain += isinstance(step, Event)
                assert checker._try_cases(case, step, then), (model.name, case, step, then)
    assert plain > 80


def waiting(engine: Engine, wait: Wait) -> Callable[[SymbolicState], States]:
    return lambda state: engine.wait((state,), *wait)


def test_what_is_refuted_is_not_proved() -> None:
    no = 0
    for model, witness, proof in every(PROVED):
        engine, checker = Engine(model), Checker(model)
        conditions = (*proof.conditions, NEVER)
        for at, step in enumerate(proof.steps):
            if isinstance(step, Wait):
                for then in conditions[at + 1 : at + 6 : 2]:
                    here, first = witness.reached[at], conditions[at]
                    if then and is_refuted(engine, here, step.start, first, then, waiting(engine, step)):
                        no += 1
                        assert not checker.follows(conditions[at], step, then)
    assert no > 10


@pytest.mark.rest
def test_the_first_fault_is_the_same_for_all_traces_of_a_model() -> None:
    """What was remembered of other traces does not matter."""
    for seed in SEEDS:
        model, traces = networks(seed, 3, 2)
        once = Engine(model)
        for trace in traces:
            [*found] = [(one.first, len(one.steps)) for one in find_witnesses(once, trace)]
            assert found == [(one.first, len(one.steps)) for one in find_witnesses(Engine(model), trace)]
