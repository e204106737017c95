"""A chain of steps with a condition before each, and whether it holds.

It holds if all states that it begins with are in the first condition, each step leads from a condition into the next,
and nothing is left after the last: then no run of the model has these messages at these times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from rootward.errors import InputError
from rootward.traces.event import Step
from rootward.traces.proving.check import Checker, included
from rootward.traces.proving.claim import NEVER, At, Condition, mentioned
from rootward.traces.running.engine import Engine, Restless, States

MOST = 20_000
"""So many configurations are looked at for one step."""


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
