"""Limits of the work on one trace, so that no single trace holds up all others."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rootward.errors import InputError


class LimitReached(Exception):
    """The work on a trace, or on a proof, is given up; the text says why."""


@dataclass(frozen=True)
class Limits:
    """Limits of the work on one trace. What is cut says so.

    ``states`` and ``proof_steps`` give the same answer on every machine; ``seconds`` does not.
    """

    states: int = 500
    """Maximum number of states that the model, or a changed model, may be in at once. Beyond it a trace is judged only
    up to that message, and a change of the model is not compared."""
    proof_steps: int = 300
    """Maximum number of steps of the proof of a fault that are checked by running the model. Beyond it the fault is
    located, but not explained."""
    seconds: float | None = None
    """Maximum time for one trace."""

    def __post_init__(self) -> None:
        for name in ("states", "proof_steps"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise InputError(f"{name} must be at least 1, not {value!r:.60}")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"seconds must be a positive number, not {self.seconds!r:.60}")


class Work:
    """Counts the work on a trace, and raises LimitReached."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._end: float | None = None
        self._proof_steps = 0

    def begin_trace(self) -> None:
        self._end = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds

    def begin_proof(self) -> None:
        self._proof_steps = 0

    def is_over(self) -> bool:
        """Return whether the time for the trace is over."""
        return self._end is not None and time.monotonic() > self._end

    def check_time(self) -> None:
        if self.is_over():
            raise LimitReached(f"it takes more than {self.limits.seconds:g} s")

    def count_proof_step(self) -> None:
        """Count a step of a proof that is checked by running the model."""
        self.check_time()
        self._proof_steps += 1
        if self._proof_steps > self.limits.proof_steps:
            raise LimitReached(f"its proof needs more than {self.limits.proof_steps} steps")
