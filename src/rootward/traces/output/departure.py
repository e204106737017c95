"""What a certificate is about, found anew: the recording is replayed from its beginning, as if nothing were known.

Earlier faults are found on the way, so where the model may be after them follows; it is not taken for granted. Then the
conditions of the proof and of the explanation are checked, which together show why the last step is not allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rootward.traces.event import Event, Step, Wait
from rootward.traces.guard import duration
from rootward.traces.output.certificate import KEPT, LEFT_OUT, TIME, Certificate
from rootward.traces.output.chain import Chain, Gap, Link, first_wrong, leads_to_the_end
from rootward.traces.proving.check import Checker
from rootward.traces.proving.piece import moment
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness, witnesses


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
