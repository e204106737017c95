"""The budget of a run, and the account of its spending.

The budget counts the trials that the search would need if it ran them one after another. Trials that idle workers run
in advance are stored and remembered, but are charged only when their turn comes: otherwise a lab with more workers
would give a poorer answer for the same budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.store.trial import Name


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits on a run. What earlier sessions of the same run spent counts as well.

    ``trials`` limits the trials that the search needs one after another. ``seconds`` limits the wall-clock time: after
    it, no new trial is started.
    """

    trials: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        given: list[tuple[str, Any, Any, str]] = [
            ("trials", self.trials, int, "a whole number"),
            ("seconds", self.seconds, int | float, "a number"),
        ]
        for name, value, kind, what in given:
            if value is not None and not (isinstance(value, kind) and value >= 0):
                raise InputError(f"{name} must be {what}, 0 or more, not {value!r}")

    @classmethod
    def of(cls, value: int | Budget | None, trials: int | None = None, seconds: float | None = None) -> Budget:
        """Build a budget from the options of a verb.

        ``value`` is a number of trials or a Budget; ``trials`` and ``seconds`` are its parts. If all are None, there is
        no limit.
        """
        if value is None:
            return cls(trials, seconds)
        if trials is not None or seconds is not None:
            raise InputError("use either budget= or trials= and seconds=, not both")
        if isinstance(value, Budget):
            return value
        given: Any = value
        if not isinstance(given, int) or given < 0:
            raise InputError(f"budget must be a number of trials, 0 or more, or a rootward.Budget, not {given!r}")
        return cls(trials=given)


class Account:
    """The trials charged to the budget. Each trial is charged once.

    ``free``: trials that another run has paid for.
    """

    def __init__(self, limit: int | None, free: set[Name]) -> None:
        self._limit, self.free = limit, free
        self._charged: set[Name] = set()
        self._reserved: set[Name] = set()
        self.total = 0

    @property
    def is_spent(self) -> bool:
        return self._limit is not None and self.total >= self._limit

    def has_charged(self, name: Name) -> bool:
        """Return True if the trial has been charged."""
        return name in self._charged

    def charge(self, name: Name) -> bool:
        """Charge a trial when its turn comes; return False if the budget is spent."""
        if name not in self.free:
            if self.is_spent:
                return False
            self.total += 1
        self._charged.add(name)
        self._reserved.discard(name)
        return True

    def reserve(self, name: Name) -> None:
        """Note that a trial was started, so that the budget keeps room for it."""
        self._reserved.add(name)

    def release(self) -> None:
        """Drop all reservations. The search has moved on, so the reserved trials will not be charged."""
        self._reserved.clear()

    @property
    def can_start_more(self) -> bool:
        """True if the budget allows one more trial, even if all trials started so far have to be charged."""
        return self._limit is None or self.total + len(self._reserved) < self._limit
