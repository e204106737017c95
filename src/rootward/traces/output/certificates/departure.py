"""What a certificate is about, found anew: the recording is replayed from its beginning, as if nothing were known.

Earlier faults are found on the way, so where the model may be after them follows; it is not taken for granted. Then the
conditions of the proof and of the explanation are checked, which together show why the last step is not allowed.

Both are chains of steps with a condition before each. A chain holds if all states that it begins with are in the first
condition, each step leads from a condition into the next, and nothing is left after the last: then no run of the model
has these messages at these times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from rootward.errors import InputError
from rootward.traces.model.event import Event, Step, Wait
from rootward.traces.model.guard import duration
from rootward.traces.output.certificates.certificate import KEPT, LEFT_OUT, TIME, Certificate
from rootward.traces.proving.check import Checker, included
from rootward.traces.proving.claim import NEVER, At, Condition, mentioned
from rootward.traces.proving.infix import moment
from rootward.traces.running.engine import Engine, Restless, States
from rootward.traces.running.replay import Witness, witnesses

MOST = 20_000
"""So many configurations are looked at for one step."""


@dataclass(frozen=True)
class Departure:
    """The last step of a recording that the model does not allow, and those before it."""

    steps: list[Step]
    witness: Witness
    """From the last earlier fault, or the beginning."""
    earlier: list[Step]
    """What was not allowed before."""


class Wrong(Exception):
    """Why a certificate does not hold, in a sentence."""


class Examination:
    """Examines certificates about one model."""

    def __init__(self, engine: Engine, checker: Checker) -> None:
        self._engine, self._checker = engine, checker

    def departure(self, one: Certificate) -> Departure:
        """What was verified. Wrong if the certificate does not hold."""
        found = self._replayed(one)
        self._check("the recording", _recording(one, found.witness), found.witness)
        explanation = list(_explanation(one, found.witness))
        self._check("the explanation", explanation, found.witness)
        if not leads_to_the_end(self._engine, found.witness.reached[0], explanation):
            raise Wrong("The explanation keeps a step that is not allowed before it comes to the last one.")
        return found

    def _replayed(self, one: Certificate) -> Departure:
        steps = one.steps(self._engine.patience)
        earlier: list[Step] = []
        for witness in witnesses(self._engine, one.recording):
            end = witness.first + len(witness.steps)
            if end == len(steps):
                return Departure(steps, witness, earlier)
            if end > len(steps):
                break
            earlier.append(witness.steps[-1])
        raise Wrong("The model allows the recording, or departs from it elsewhere.")

    def _check(self, what: str, chain: Chain, witness: Witness) -> None:
        number = first_wrong(self._engine, self._checker, witness.reached[0], chain)
        if number == 0:
            raise Wrong(f"Where {what} begins, the model may be where the first condition does not hold.")
        if number is not None:
            raise Wrong(f"Step {number:,} of {what} does not hold: {_said(chain[number - 1].step)}.")


def _recording(one: Certificate, witness: Witness) -> Chain:
    if len(one.proof) != len(witness.steps):
        raise Wrong(f"The proof has {len(one.proof):,} conditions for {len(witness.steps):,} steps.")
    return list(map(Link, one.proof, witness.steps))


def _explanation(one: Certificate, witness: Witness) -> Iterator[Link]:
    """The steps of the recording with what is left out; so its messages and times are those of the recording."""
    last = witness.end
    at = witness.first
    for before, how, until in one.explanation:
        if not _in_line(at, how, until, last):
            raise Wrong(f"The explanation cannot go from step {at:,} to step {until:,} ({how}).")
        start, end = (witness.steps[place - witness.first] for place in (at, min(until, last)))
        if how == KEPT:
            yield Link(before, start)
        else:
            yield Link(before, (Gap if how == LEFT_OUT else Wait)(moment(start), moment(end)))
        at = until
    if at != last + 1:
        raise Wrong("The explanation does not end with the step that is not allowed.")


def _in_line(at: int, how: str, until: int, last: int) -> bool:
    """Whether a part of an explanation is as it is written: one step is kept, several are passed in time."""
    if how == KEPT:
        return until == at + 1 <= last + 1
    return at + (how == TIME) < until <= last


def _said(step: Step | Gap) -> str:
    if isinstance(step, Event):
        return step.text[:200]
    what = "left out" if isinstance(step, Gap) else "time passes"
    return f"{what}, {duration(step.end - step.start)}"


# A chain of steps with a condition before each


class Gap(NamedTuple):
    """Something is left out, with the time that passed in it."""

    start: int
    end: int


class Link(NamedTuple):
    """A condition, and the step that leads from it into the next one."""

    before: Condition
    step: Step | Gap


Chain = Sequence[Link]


def first_wrong(engine: Engine, checker: Checker, states: States, chain: Chain) -> int | None:
    """The number of the first step that does not hold, from 1; 0: the beginning. None: all hold."""
    if not chain:
        return 0
    then = [*(link.before for link in chain[1:]), NEVER]
    first = chain[0]
    # the states may say more than the first condition
    if isinstance(first.step, Gap) and _are_in(engine, later(states, first.step), then[0]):
        return _false_from(checker, chain, then, 1)
    return _false_from(checker, chain, then, 0) if _are_in(engine, states, first.before) else 0


def leads_to_the_end(engine: Engine, states: States, chain: Chain) -> bool:
    """Whether the model can take all steps but the last: if not, the last is not what it does not allow."""
    for _, step in chain[:-1]:
        states = later(states, step) if isinstance(step, Gap) else engine.take(states, step)
    return bool(states)


def later(states: States, gap: Gap) -> States:
    """The same if everything happened after a gap."""
    return tuple(state.later(gap.end - gap.start) for state in states)


def _are_in(engine: Engine, states: States, condition: Condition) -> bool:
    try:
        return included(engine, states, condition)
    except Restless:
        return False  # perhaps they are, but that is not shown


def _false_from(checker: Checker, chain: Chain, then: Sequence[Condition], begin: int) -> int | None:
    for number in range(begin, len(chain)):
        before, step = chain[number]
        _check_size(checker, before, step, then[number])
        if isinstance(step, Gap):
            holds = checker.implies(before, then[number], step.end - step.start)
        else:
            holds = checker.follows(before, step, then[number])
        if not holds:
            return number + 1
    return None


def _check_size(checker: Checker, before: Condition, step: Step | Gap, then: Condition) -> None:
    """InputError if there would be too much to look at: a proof that is found claims where each component is."""
    components = set(mentioned(before | then)[0])
    if not isinstance(step, Gap):
        components = {*checker.needed(before | then, step)[0]}
    sizes = {part.name: len(part.locations) for part in checker.model.components if part.name in components}
    for case in before:
        fixed = {claim.component for claim in case if isinstance(claim, At)}
        if prod(size for name, size in sizes.items() if name not in fixed) > MOST:
            raise InputError("the certificate says too little of where the components are to be checked")
