"""What both storages of Optuna have in common: what a stored number stands for, its states, the names of its results.

A pruned trial was stopped because it was not promising: it has no result, and says nothing about the failure. The value
of a study is called ``value``, those of one with several objectives ``values_0``, ``values_1``, as in Optuna's tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.formats import moments
from rootward.formats.tracking.run import PastRun, State

STATES = {
    "RUNNING": State.RUNNING,
    "COMPLETE": State.FINISHED,
    "PRUNED": State.STOPPED,
    "FAIL": State.FAILED,
    "WAITING": State.RUNNING,
}
"""In the order of their numbers."""


@dataclass
class Trial:
    """A trial while it is put together."""

    number: int
    state: str
    started: Any = None
    ended: Any = None
    params: dict[str, Any] = field(default_factory=dict)
    values: Sequence[float] = ()
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def run(self) -> PastRun:
        names = ["value"] if len(self.values) == 1 else [f"values_{at}" for at in range(len(self.values))]
        return PastRun(
            id=str(self.number),
            status=self.state,
            state=STATES[self.state],
            finished=_seconds(self.ended) or _seconds(self.started),
            settings=self.params,
            results={**self.attributes, **dict(zip(names, self.values, strict=True))},
        )


def runs(trials: Iterable[Trial]) -> tuple[PastRun, ...]:
    return tuple(trial.run for trial in sorted(trials, key=lambda trial: trial.number))


def external(stored: Any, distribution: Any) -> Any:
    """The value of a parameter, which is stored as a number, by the distribution that it was drawn from."""
    try:
        said = json.loads(distribution)
        kind = said.get("name") or said["type"]
        if kind.lower().startswith("categorical"):
            return dict(enumerate(said.get("attributes", said)["choices"]))[int(stored)]
        return int(stored) if kind.lower().startswith("int") else float(stored)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise InputError(f"{show(stored)} is no value of the distribution {show(distribution)}") from None


def state(said: Any) -> str:
    """The name of a state, which a journal has as a number."""
    name = list(STATES)[said] if isinstance(said, int) and 0 <= said < len(STATES) else said
    if name not in STATES:
        raise InputError(f"a trial has the state {show(said)}: expected one of {', '.join(STATES)}")
    return str(name)


def plain(noted: Mapping[str, Any]) -> dict[str, Any]:
    """What the user noted of a trial, as far as it can be a result."""
    return {str(name): value for name, value in noted.items() if isinstance(value, bool | int | float | str)}


def numbers(values: Any) -> list[float]:
    """The values of the objectives."""
    try:
        return [float(value) for value in values or ()]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"a trial has the values {show(values)}: expected numbers") from None


def _seconds(when: Any) -> float | None:
    try:
        found = moments.moment(when)
    except ValueError:
        raise InputError(f"a trial has the time {show(when)}: {moments.EXPECTED}") from None
    return None if found is None else found.timestamp()
