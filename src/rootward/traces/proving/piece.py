"""What explanations are made of: steps that are kept, and what is left out between them."""

from __future__ import annotations

from typing import NamedTuple

from rootward.traces.event import Step, Wait
from rootward.traces.proving.claim import Condition


class Piece(NamedTuple):
    """A step of an explanation, with the conditions that hold before and after it."""

    step: Step | None
    """None: something was left out, and what held before holds after it, as if no time had passed."""
    first: Condition
    then: Condition
    places: tuple[int, int]
    """From where to where in the steps of the witness it goes."""


Leg = tuple[Piece, ...]
"""Something is left out, and the step after it is kept."""


def moment(step: Step) -> int:
    """When a step begins."""
    return step.start if isinstance(step, Wait) else step.time
