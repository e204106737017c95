"""A chain of steps with a condition before each, and whether it holds.

It holds if the model begins in the first condition, each step leads from a condition into the next, and nothing is left
after the last: then no run of the model has these messages at these times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from rootward.errors import InputError
from rootward.traces.check import Checker
from rootward.traces.claim import NEVER, At, Condition, mentioned, shifted
from rootward.traces.event import Event, Step

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


Chain = tuple[Link, ...]


def first_wrong(checker: Checker, chain: Chain, assumed: bool) -> int | None:
    """The number of the first step that does not hold, from 1; 0: the beginning. None: all hold.

    ``assumed``: the first condition is taken for granted.
    """
    if not chain:
        return 0
    then = [*(link.before for link in chain[1:]), NEVER]
    first = chain[0]
    if isinstance(first.step, Gap) and not assumed:  # the beginning may say more than the first condition
        start, end = first.step
        if checker.begins(shifted(then[0], start - end), start):
            return _false_from(checker, chain, then, 1)
    begun = assumed or checker.begins(first.before, _start(first.step))
    return _false_from(checker, chain, then, 0) if begun else 0


def _false_from(checker: Checker, links: Chain, then: Sequence[Condition], begin: int) -> int | None:
    for number in range(begin, len(links)):
        before, step = links[number]
        if number and _start(step) != _end(links[number - 1].step):
            return number + 1
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
    components = mentioned(before | then)[0]
    if not isinstance(step, Gap):
        components = {*checker.needed(before | then, step)[0]}
    sizes = {part.name: len(part.locations) for part in checker.model.components if part.name in components}
    for case in before:
        fixed = {claim.component for claim in case if isinstance(claim, At)}
        if prod(size for name, size in sizes.items() if name not in fixed) > MOST:
            raise InputError("the certificate says too little of where the components are to be checked")


def _start(step: Step | Gap) -> int:
    return step.time if isinstance(step, Event) else step.start


def _end(step: Step | Gap) -> int:
    return step.time if isinstance(step, Event) else step.end
