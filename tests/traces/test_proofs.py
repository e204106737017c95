"""Proofs of faults: each step is accepted, and each condition is true of all that is reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.model.guard import Const, Var
from rootward.traces.model.guard import Test as Comparison
from rootward.traces.model.model import Model
from rootward.traces.proving.check import Checker, is_covered
from rootward.traces.proving.claim import NEVER, Claim, InLocation, ResetDistance
from rootward.traces.proving.proof import Proof, Prover
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness, find_witnesses, split_steps
from rootward.traces.running.zone import less_than

from .reference.brute import Brute, States
from .reference.ctr import MS, TEST_1, TEST_3, ctr
from .reference.networks import networks
from .test_claims import GRAIN, fulfils

SEEDS, FINE = range(60), 6
"""Three traces each; and the ticks to a microsecond where two of them may be too few."""
BLOCKS = [range(first, first + 10) for first in SEEDS[::10]]
Proved = tuple[Trace, list[tuple[Witness, Proof]]]


@cache
def proved(seed: int) -> tuple[Model, list[Proved]]:
    """Every fault of every trace of a random network."""
    model, traces = networks(seed, 3, 2)
    engine = Engine(model)
    prover = Prover(engine)
    return model, [(one, [(w, prover.prove(w)) for w in find_witnesses(engine, one)]) for one in traces]


def each(seeds: range) -> Iterator[tuple[Model, Trace, list[tuple[Witness, Proof]]]]:
    for model, traces in map(proved, seeds):
        yield from ((model, *one) for one in traces)


def every(seeds: range = SEEDS) -> Iterator[tuple[Model, Witness, Proof]]:
    yield from ((model, *one) for model, _, faults in each(seeds) for one in faults)


def patient(engine: Engine, trace: Trace) -> Trace:
    """The trace with all the time that is waited for what may still come."""
    last = split_steps(trace, engine.patience)[-1:]
    return replace(trace, end=last[0].end) if last and isinstance(last[0], Wait) else trace


@pytest.mark.rest
def test_there_are_faults_of_all_kinds() -> None:
    faults = [(type(witness.steps[-1]), witness.first > 0) for _, witness, _ in every()]
    assert len(SEEDS) * 3 >= 150
    assert min(faults.count((kind, later)) for kind in (Event, Wait) for later in (False, True)) >= 3


def test_nearly_every_proof_is_accepted() -> None:
    checked = [proof.checked for _, _, proof in every()]
    assert sum(checked) >= 0.99 * len(checked)


def test_every_step_of_an_accepted_proof_is_accepted_anew() -> None:
    for model, witness, proof in every():
        assert proof.steps == witness.steps
        assert len(proof.conditions) == len(proof.steps)
        if proof.checked:
            checker = Checker(model)
            for first, step, then in zip(proof.conditions, proof.steps, (*proof.conditions[1:], NEVER), strict=True):
                assert checker.follows(first, step, then)


def test_what_is_reached_is_in_the_conditions() -> None:
    for model, witness, proof in every():
        engine = Engine(model)
        for states, condition in zip(witness.reached, proof.conditions, strict=True):
            assert is_covered(engine, states, condition)


def test_the_beginning_is_in_the_first_condition() -> None:
    for model, witness, proof in every():
        if witness.first == 0:
            assert Checker(model).holds_initially(proof.conditions[0], 0)


@pytest.mark.parametrize("seeds", BLOCKS)
def test_the_first_fault_is_where_brute_force_finds_it(seeds: range) -> None:
    for model, trace, faults in each(seeds):
        found = len(faults[0][0].steps) - 1 if faults else None
        whole = patient(Engine(model), trace)
        assert found == Brute(model).first_fault(whole) or found == Brute(model, FINE).first_fault(whole)


@pytest.mark.parametrize("seeds", BLOCKS)
def test_each_configuration_that_is_reached_is_in_the_condition(seeds: range) -> None:
    for model, _, faults in each(seeds):
        for witness, proof in faults[:1]:
            for condition, (now, reached) in zip(proof.conditions, along(model, witness), strict=True):
                assert all(fulfils(model, condition, one, now) for one in reached)


def along(model: Model, witness: Witness) -> Iterator[tuple[int, States]]:
    """What is reached before each step, with the instant; clocks go on for ever, so that resets can be told."""
    slow = Brute(model, GRAIN)
    now, states = 0, slow.begin(frozenset((0, 1, 2, "r", "s")))
    slow.top = 1 << 40
    for step in witness.steps:
        yield now, states
        states = slow.wait(states, step.end - step.start) if isinstance(step, Wait) else slow.step(states, step)
        now = step.end if isinstance(step, Wait) else step.time


# The counter of the paper


def condition_before(trace: Trace, index: int) -> set[frozenset[Claim]]:
    engine = Engine(ctr())
    [witness] = find_witnesses(engine, trace)
    proof = Prover(engine).prove(witness)
    assert proof.checked
    return set(proof.conditions[index])


def test_example_3_before_the_answer_the_value_is_another_one() -> None:
    other = Comparison(Var("ctx"), "!=", Const(0))
    assert condition_before(TEST_1, 7) == {frozenset([InLocation("operations", "p2"), other])}


def test_example_3_before_that_the_clock_is_low_enough() -> None:
    """At 20 ms the get comes; 2 ms later the clock has to be below 50 ms: it was restarted after -28 ms."""
    [case] = condition_before(TEST_1, 6)
    assert InLocation("expiry", "p4") in case
    assert ResetDistance(None, "clk", less_than(-22 * MS + 50 * MS)) in case


def test_example_3_before_the_acknowledgement_only_the_request_matters() -> None:
    for case in condition_before(TEST_1, 3):
        assert all(isinstance(claim, InLocation) for claim in case)


def test_when_the_value_had_to_be_lost_the_clock_does_not_matter() -> None:
    """In 60 ms it is lost, whatever the clock shows."""
    [case] = condition_before(TEST_3, 4)
    assert InLocation("expiry", "p4") in case
    assert all(isinstance(claim, InLocation) for claim in case)
    [case] = condition_before(TEST_3, 5)
    assert Comparison(Var("ctx"), "!=", Const(5)) in case
