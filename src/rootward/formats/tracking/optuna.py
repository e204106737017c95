"""Optuna: its journal, and what this has in common with its database (`databases`).

A pruned trial was stopped because it was not promising: it has no result, and says nothing about the failure. The value
of a study is called ``value``, those of one with several objectives ``values_0``, ``values_1``, as in Optuna's tables.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.tables import moments
from rootward.formats.tracking.run import PastRun, State, Tracked, chosen
from rootward.space.fields import show

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


# The journal: a log of operations, a JSON object in each line, which is read by doing them again. A line names an
# operation by its number. What changes a trial that has ended is left undone, as Optuna does: it comes of two processes
# that wanted the same. A last line without an end is still being written.


def read_journal(path: Path, study: str | None = None) -> Tracked:
    """The trials of one study."""
    journal = _Journal()
    for number, line in _lines(path):
        try:
            journal.apply(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{path}:{number}: this is not JSON: {error}") from error
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from error
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise InputError(f"{path}:{number}: this is no operation of Optuna's: {show(error)}") from error
    known = {name: number for number, name in journal.studies.items()}
    name = chosen("study", study, known, str(path))
    return Tracked(f"study {name} of {path}", runs(journal.of(known[name])))


def is_journal(path: Path) -> bool:
    """Whether the first line is an operation."""
    with open(path, "rb") as file:
        try:
            first = json.loads(file.readline(1_000_000))
        except (ValueError, RecursionError):
            return False
    return isinstance(first, dict) and "op_code" in first


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.endswith("\n"):
                    yield number, line
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error.reason}") from error


class _Journal:
    """Studies and trials as they are after the operations so far. Their numbers are given out in turn."""

    def __init__(self) -> None:
        self.studies: dict[int, str] = {}
        self._made = 0
        self._trials: list[Trial] = []
        self._study_of: list[int] = []
        self._sizes: Counter[int] = Counter()

    def of(self, study: int) -> Iterator[Trial]:
        return (trial for trial, owner in zip(self._trials, self._study_of, strict=True) if owner == study)

    def apply(self, log: Mapping[str, Any]) -> None:
        code = log["op_code"]
        if not isinstance(code, int) or not 0 <= code < len(_OPERATIONS):
            raise InputError(f"there is no operation {show(code)}: this journal is of an Optuna that is not known")
        _OPERATIONS[code](self, log)

    def nothing(self, log: Mapping[str, Any]) -> None:
        """Notes on studies, values on the way and Optuna's own notes do not matter here."""

    def create_study(self, log: Mapping[str, Any]) -> None:
        if (name := str(log["study_name"])) not in self.studies.values():
            self.studies[self._made] = name
            self._made += 1

    def delete_study(self, log: Mapping[str, Any]) -> None:
        self.studies.pop(log["study_id"], None)

    def create_trial(self, log: Mapping[str, Any]) -> None:
        if (study := log["study_id"]) not in self.studies:
            return
        drawn, stored, value = log.get("distributions") or {}, log.get("params") or {}, log.get("value")
        trial = Trial(
            number=self._sizes[study],
            state=state(log.get("state", 0)),
            started=log.get("datetime_start"),
            ended=log.get("datetime_complete"),
            params={name: external(number, drawn[name]) for name, number in stored.items()},
            values=numbers(log.get("values") or ([] if value is None else [value])),
            attributes=plain(log.get("user_attrs") or {}),
        )
        self._trials.append(trial)
        self._study_of.append(study)
        self._sizes[study] += 1

    def set_param(self, log: Mapping[str, Any]) -> None:
        if trial := self._open(log):
            trial.params[str(log["param_name"])] = external(log["param_value_internal"], log["distribution"])

    def set_state(self, log: Mapping[str, Any]) -> None:
        if trial := self._open(log):
            trial.state = state(log["state"])
            trial.started = log.get("datetime_start", trial.started)
            trial.ended = log.get("datetime_complete", trial.ended)
            trial.values = numbers(log["values"]) or trial.values

    def set_attribute(self, log: Mapping[str, Any]) -> None:
        if trial := self._open(log):
            trial.attributes.update(plain(log["user_attr"]))

    def _open(self, log: Mapping[str, Any]) -> Trial | None:
        number = log["trial_id"]
        trial = self._trials[number] if 0 <= number < len(self._trials) else None
        return trial if trial is not None and STATES[trial.state] is State.RUNNING else None


_OPERATIONS = (
    _Journal.create_study,
    _Journal.delete_study,
    _Journal.nothing,  # a note on a study
    _Journal.nothing,  # ... of Optuna's own
    _Journal.create_trial,
    _Journal.set_param,
    _Journal.set_state,
    _Journal.nothing,  # a value on the way
    _Journal.set_attribute,
    _Journal.nothing,  # a note of Optuna's own
    _Journal.nothing,  # trials are forgotten by other storages
)
