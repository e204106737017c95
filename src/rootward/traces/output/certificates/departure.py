"""Check a certificate from scratch: replay its recording from the beginning, without believing any claim in it.

The replay finds earlier faults again, so the states of the model after them are derived, not assumed. Then the
conditions of the proof and of the explanation are checked, which together show why the last step is not allowed.

Both are chains of steps with a condition before each. A chain is valid if all its initial states satisfy the first
condition, if each step leads from its condition only into the next one, and if no state is left after the last step:
then no run of the model has these messages at these times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import format_duration
from rootward.traces.output.certificates.certificate import KEPT, LEFT_OUT, TIME, Certificate
from rootward.traces.proving.check import Checker, is_covered
from rootward.traces.proving.claim import NEVER, Condition
from rootward.traces.proving.infix import start_of
from rootward.traces.running.engine import Engine, States, TooManyStates
from rootward.traces.running.replay import Witness, find_witnesses


@dataclass(frozen=True)
class ReplayedDeparture:
    """A step of a recording that the model does not allow, with the steps before it."""

    steps: list[Step]
    witness: Witness
    """The steps from the last earlier fault, or from the beginning."""
    earlier: list[Step]
    """The earlier steps that were not allowed."""


class InvalidCertificate(Exception):
    """A certificate is not valid; the message is a sentence that says why."""


class Examination:
    """Examines certificates about one model."""

    def __init__(self, engine: Engine, checker: Checker) -> None:
        self._engine, self._checker = engine, checker

    def departure(self, one: Certificate) -> ReplayedDeparture:
        """Check a certificate; return the departure that it proves. Raises InvalidCertificate if it is not valid."""
        found = self._replay(one)
        self._check("the recording", _recording(one, found.witness), found.witness)
        explanation = list(_explanation(one, found.witness))
        self._check("the explanation", explanation, found.witness)
        if not _leads_to_last_step(self._engine, found.witness.reached[0], explanation):
            raise InvalidCertificate("The explanation keeps a step before the last one that the model does not allow.")
        return found

    def _replay(self, one: Certificate) -> ReplayedDeparture:
        steps = one.steps(self._engine.patience)
        earlier: list[Step] = []
        for witness in find_witnesses(self._engine, one.recording):
            end = witness.first + len(witness.steps)
            if end == len(steps):
                return ReplayedDeparture(steps, witness, earlier)
            if end > len(steps):
                break
            earlier.append(witness.steps[-1])
        raise InvalidCertificate("The model allows the recording, or the recording departs from it at another step.")

    def _check(self, what: str, chain: Chain, witness: Witness) -> None:
        number = _find_wrong_step(self._engine, self._checker, witness.reached[0], chain)
        if number == 0:
            raise InvalidCertificate(
                f"The first condition of {what} does not cover all states in which the model may begin."
            )
        if number is not None:
            raise InvalidCertificate(f"Step {number:,} of {what} is not proved: {_step_text(chain[number - 1].step)}.")


def _recording(one: Certificate, witness: Witness) -> Chain:
    if len(one.proof) != len(witness.steps):
        raise InvalidCertificate(
            f"The proof has {len(one.proof):,} conditions, but there are {len(witness.steps):,} steps."
        )
    return list(map(Link, one.proof, witness.steps))


def _explanation(one: Certificate, witness: Witness) -> Iterator[Link]:
    """Yield the chain of links of an explanation.

    They are made from the steps of the recording, so an explanation cannot invent messages or times.
    """
    last = witness.end
    at = witness.first
    for before, how, until in one.explanation:
        if not _fits(at, how, until, last):
            raise InvalidCertificate(f"The explanation cannot go from step {at:,} to step {until:,} ({how}).")
        start, end = (witness.steps[place - witness.first] for place in (at, min(until, last)))
        if how == KEPT:
            yield Link(before, start)
        else:
            yield Link(before, (Omission if how == LEFT_OUT else Wait)(start_of(start), start_of(end)))
        at = until
    if at != last + 1:
        raise InvalidCertificate("The explanation does not end with the step that is not allowed.")


def _fits(at: int, how: str, until: int, last: int) -> bool:
    """Return True if a part of an explanation covers an allowed number of steps.

    A kept part covers one step. A part in which only time passes covers at least two. A part that is left out covers at
    least one.
    """
    if how == KEPT:
        return until == at + 1 <= last + 1
    return at + (how == TIME) < until <= last


def _step_text(step: Step | Omission) -> str:
    if isinstance(step, Event):
        return step.text[:200]
    what = "left out" if isinstance(step, Omission) else "time passes"
    return f"{what}, {format_duration(step.end - step.start)}"


# A chain of steps with a condition before each


class Omission(NamedTuple):
    """Messages that are left out, and the time in which they came."""

    start: int
    end: int


class Link(NamedTuple):
    """A condition, and the step that leads from it into the next one."""

    before: Condition
    step: Step | Omission


Chain = Sequence[Link]


def _find_wrong_step(engine: Engine, checker: Checker, states: States, chain: Chain) -> int | None:
    """Return the number of the first step that is not valid, counting from 1; None if all steps are valid.

    Returns 0 if the first condition does not cover the initial states.
    """
    if not chain:
        return 0
    then = [*(link.before for link in chain[1:]), NEVER]
    first = chain[0]
    # the states may be more precise than the first condition
    if isinstance(first.step, Omission) and _are_included(engine, _shift(states, first.step), then[0]):
        return _find_wrong_from(checker, chain, then, 1)
    return _find_wrong_from(checker, chain, then, 0) if _are_included(engine, states, first.before) else 0


def _leads_to_last_step(engine: Engine, states: States, chain: Chain) -> bool:
    """Return True if the model can take all steps before the last one.

    If it cannot, the fault is at an earlier step.
    """
    for _, step in chain[:-1]:
        states = _shift(states, step) if isinstance(step, Omission) else engine.take(states, step)
    return bool(states)


def _shift(states: States, gap: Omission) -> States:
    """Return the states after the steps in a gap are left out.

    All clock resets move later by the length of the gap, as if no time had passed in it.
    """
    return tuple(state.shift(gap.end - gap.start) for state in states)


def _are_included(engine: Engine, states: States, condition: Condition) -> bool:
    try:
        return is_covered(engine, states, condition)
    except TooManyStates:
        return False  # they may be included, but this is not shown


def _find_wrong_from(checker: Checker, chain: Chain, then: Sequence[Condition], begin: int) -> int | None:
    for number in range(begin, len(chain)):
        before, step = chain[number]
        if isinstance(step, Omission):
            holds = checker.implies(before, then[number], step.end - step.start)
        else:
            holds = checker.follows(before, step, then[number])
        if not holds:
            return number + 1
    return None
