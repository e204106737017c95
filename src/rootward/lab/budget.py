"""How much a run may spend, and what it has spent.

The budget counts the trials that the search would need one after another. What free workers try ahead is kept and
remembered, but is not charged until its turn comes: otherwise a wider lab would give a poorer answer for the same
budget.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.store.trial import Name


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent on a run, what earlier sessions of the same run spent included.

    ``trials`` counts the trials that the search needs one after another; ``seconds`` is wall-clock time, after which
    nothing new is started.
    """

    trials: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        given: list[tuple[str, Any, Any]] = [("trials", self.trials, int), ("seconds", self.seconds, int | float)]
        for name, value, kind in given:
            if value is not None and not (isinstance(value, kind) and value >= 0):
                raise InputError(f"a budget is a number of {name}, 0 or more, not {value!r}")

    @classmethod
    def of(cls, value: int | Budget | None, trials: int | None = None, seconds: float | None = None) -> Budget:
        """A budget as the verbs take it: a number of trials, a Budget, or its parts; all None is no limit."""
        if value is None:
            return cls(trials, seconds)
        if trials is not None or seconds is not None:
            raise InputError("use either budget= or trials= and seconds=, not both")
        return value if isinstance(value, Budget) else cls(trials=value)


class Account:
    """What is charged for trials; each one once. ``free`` are those that another run has paid for."""

    def __init__(self, limit: int | None, free: Container[Name]) -> None:
        self._limit, self._free = limit, free
        self._charged: set[Name] = set()
        self._reserved: set[Name] = set()
        self.total = 0

    @property
    def spent(self) -> bool:
        return self._limit is not None and self.total >= self._limit

    def knows(self, name: Name) -> bool:
        """Whether the trial has been charged."""
        return name in self._charged

    def charge(self, name: Name) -> bool:
        """Pay for a trial when its turn comes; False if the budget does not reach that far."""
        if name not in self._free:
            if self.spent:
                return False
            self.total += 1
        self._charged.add(name)
        self._reserved.discard(name)
        return True

    def reserve(self, name: Name) -> None:
        """A trial was started ahead of its turn, or at it."""
        self._reserved.add(name)

    def release(self) -> None:
        """The turn of what was reserved will not come: the search has gone on."""
        self._reserved.clear()

    @property
    def ample(self) -> bool:
        """Whether there would be money for one more even if all that was started is needed."""
        return self._limit is None or self.total + len(self._reserved) < self._limit
