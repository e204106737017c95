"""Explanations: each piece is proved, and what is left of a trace is still no trace of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from rootward.traces.model.event import Event, Step, Trace, Wait
from rootward.traces.model.guard import Bound
from rootward.traces.model.model import Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern
from rootward.traces.proving.check import Checker, is_covered
from rootward.traces.proving.claim import NEVER, shift_condition
from rootward.traces.proving.explain import MAX_EXPLANATIONS, Explainer, FaultExplanation
from rootward.traces.proving.infix import start_of
from rootward.traces.proving.proof import Proof, Prover
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness, find_witnesses
from tests.properties import few

from .reference.brute import first_fault
from .reference.ctr import ACK, GET, MS, SET, TEST_1, TEST_2, TEST_3, ctr, trace
from .reference.networks import networks
from .reference.paper import Paper, steps

SEEDS = range(100, 160)
Explained = tuple[Witness, Proof, list[FaultExplanation]]


def explained(model: Model, traces: list[Trace]) -> Iterator[Explained]:
    engine = Engine(model)
    prover = Prover(engine)
    explainer = Explainer(engine, prover.checker)
    for witness in (witness for one in traces for witness in find_witnesses(engine, one)):
        proof = prover.prove(witness)
        if proof.checked:
            yield witness, proof, explainer.explain(proof, witness.reached)


BLOCKS = [range(first, first + 10) for first in SEEDS[::10]]


@cache
def some(seed: int) -> tuple[Model, list[Explained]]:
    model, traces = networks(seed, 3, 2)
    return model, list(explained(model, traces))


def each(seeds: range) -> Iterator[tuple[Model, Witness, Proof, list[FaultExplanation]]]:
    for model, faults in map(some, seeds):
        yield from ((model, *one) for one in faults)


def left(one: FaultExplanation, witness: Witness) -> list[Step]:
    """The steps that are kept, without the time that is left out."""
    found: list[Step] = []
    lost = 0
    for piece in one.pieces:
        at, end = piece.places
        if piece.step is None:
            lost += start_of(witness.steps[end]) - start_of(witness.steps[at])
        elif isinstance(piece.step, Wait):
            found.append(Wait(piece.step.start - lost, piece.step.end - lost))
        else:
            found.append(replace(piece.step, time=piece.step.time - lost))
    return found


@pytest.mark.parametrize("seeds", few(2, BLOCKS))
def test_each_piece_is_proved(seeds: range) -> None:
    for model, witness, proof, explanations in each(seeds):
        engine, checker = Engine(model), Checker(model)
        for piece in (piece for one in explanations for piece in one.pieces):
            at, end = piece.places
            assert piece.first == proof.conditions[at]
            assert piece.then == (*proof.conditions, NEVER)[end]
            if piece.step is not None:
                assert checker.follows(piece.first, piece.step, piece.then)
            else:
                span = start_of(witness.steps[end]) - start_of(witness.steps[at])
                begun = at == 0 and is_covered(engine, witness.reached[0], shift_condition(piece.then, -span))
                assert begun or checker.implies(piece.first, piece.then, span)


@pytest.mark.parametrize("seeds", few(2, BLOCKS))
def test_the_pieces_are_the_whole_trace_up_to_the_fault(seeds: range) -> None:
    for _, witness, _, explanations in each(seeds):
        assert 1 <= len(explanations) <= MAX_EXPLANATIONS
        for one in explanations:
            places = [piece.places for piece in one.pieces]
            assert [at for at, _ in places] == [0, *(end for _, end in places[:-1])]
            assert places[-1] == (len(witness.steps) - 1, len(witness.steps))
            assert one.pieces[-1].step == witness.steps[-1]
            assert one.pieces[-1].then == NEVER
            assert [witness.steps[k] for k in one.kept] == list(one.events)


@pytest.mark.parametrize("seeds", few(2, BLOCKS))
def test_no_explanation_is_a_part_of_another(seeds: range) -> None:
    for _, _, _, explanations in each(seeds):
        kept = [set(one.kept) for one in explanations]
        assert not any(one <= other for one in kept for other in kept if one is not other)
        assert kept == sorted(kept, key=len)


@pytest.mark.parametrize("seeds", few(2, BLOCKS))
def test_what_is_left_is_still_not_allowed(seeds: range) -> None:
    for model, witness, _, explanations in each(seeds):
        engine = Engine(model)
        for one in explanations:
            states = witness.reached[0]
            for step in left(one, witness):
                states = (
                    engine.wait(states, step.start, step.end) if isinstance(step, Wait) else engine.step(states, step)
                )
            assert not states


@pytest.mark.parametrize("seeds", few(2, BLOCKS))
def test_brute_force_does_not_allow_what_is_left(seeds: range) -> None:
    for model, witness, _, explanations in each(seeds):
        for one in explanations if witness.first == 0 else ():
            steps = left(one, witness)
            events = tuple(step for step in steps if isinstance(step, Event))
            end = steps[-1].end if isinstance(steps[-1], Wait) else None
            assert first_fault(model, Trace("left", events, end)) is not None


def test_something_is_left_out() -> None:
    every = [one for seed in SEEDS[:20] for one in some(seed)[1]]
    shorter = [len(found[0].kept) < sum(isinstance(s, Event) for s in witness.steps) for witness, _, found in every]
    without_time = [any(piece.step is None for piece in found[0].pieces) for _, _, found in every]
    assert len(every) > 20
    assert sum(shorter) > len(every) / 4
    assert sum(without_time) > len(every) / 4


# The counter of the paper


def only(one: Trace) -> FaultExplanation:
    [(_, _, [explanation])] = explained(ctr(), [one])
    return explanation


def read(one: FaultExplanation) -> list[str | int]:
    """The messages that matter, and in milliseconds the waits that matter."""
    steps = [piece.step for piece in one.pieces if piece.step is not None]
    return [step.text if isinstance(step, Event) else (step.end - step.start) // MS for step in steps]


@pytest.mark.parametrize("one", [TEST_1, TEST_2], ids=lambda one: one.name)
def test_example_4_set_and_get_are_left_without_the_log_and_without_time(one: Trace) -> None:
    assert read(only(one)) == [SET, ACK, GET, "res CTR ret 0"]


def test_the_time_that_passed_is_left_where_it_is_the_fault() -> None:
    """Whatever was set before: who waits for so long must get 0."""
    assert read(only(TEST_3)) == [60, GET, "res CTR ret 5"]


def test_what_comes_before_the_last_set_is_left_out() -> None:
    before = [step for _ in range(5) for step in ((3, "req CTR set 7"), (2, "res CTR ack 7"))]
    again = trace("long", *before, (3, SET), (2, ACK), (15, GET), (2, "res CTR ret 0"))
    assert only(again).kept == (21, 23, 25, 27)


# A lamp that each press turns on or off. It must not say that it is dark when it is on, or only within 5 ms.

PRESS, DARK = "req LAMP press", "res LAMP dark"


def lamp(patient: bool) -> Model:
    edges = [
        Edge("off", "on", Pattern(PRESS)),
        Edge("on", "off", Pattern(PRESS)),
        Edge("off", "off", Pattern(DARK)),
    ]
    if patient:
        edges.append(Edge("on", "on", Pattern(DARK), when=((Bound("clk", "<", 5 * MS),),)))
    return Model(
        "lamp", (Component("lamp", (Location("off"), Location("on")), ("off",), tuple(edges)),), {}, {"clk": 0}
    )


@pytest.mark.parametrize(
    ("patient", "wanted"),
    [(False, [[PRESS, DARK], [PRESS, DARK]]), (True, [[PRESS, 6, DARK], [6, PRESS, DARK]])],
    ids=["at once", "after a time"],
)
def test_irrelevant_parts_that_overlap_give_two_explanations(patient: bool, wanted: list[list[str | int]]) -> None:
    """Without the first two presses, or without the last two, it is on; without all three it is not."""
    pressed = trace("thrice", (0, PRESS), (3, PRESS), (3, PRESS), (0, DARK))
    [(_, _, explanations)] = explained(lamp(patient), [pressed])
    assert len(explanations) == 2
    assert {one.kept for one in explanations} == {(1, 7), (5, 7)}
    assert sorted(map(read, explanations), key=repr) == sorted(wanted, key=repr)
    chain = Paper(lamp(patient))
    proof = chain.weakened(chain.run(steps(pressed)))
    messages = [tuple(k for k in kept if k % 2) for kept in chain.explanations(proof)]
    assert sorted(messages) == [(1, 7), (5, 7)]


def test_of_five_presses_each_that_turns_it_on_explains_it() -> None:
    pressed = trace("five", *[(1, PRESS)] * 5, (1, DARK))
    [(_, _, explanations)] = explained(lamp(False), [pressed])
    assert {one.kept for one in explanations} == {(1, 11), (5, 11), (9, 11)}
