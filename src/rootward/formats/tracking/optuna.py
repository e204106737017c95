"""Optuna: the journal, and the code that it shares with the database (`databases`).

A pruned trial was stopped because it was not promising: it has no result, so it is not evidence about the failure. The
value of a study is called ``value``; those of a study with several objectives are ``values_0``, ``values_1``, as in
Optuna's tables.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.files import MAX_BYTES, open_file
from rootward.formats.tables import moments
from rootward.formats.tracking.run import Experiment, PastRun, RunState, choose
from rootward.space.fields import show

STATES = {
    "RUNNING": RunState.RUNNING,
    "COMPLETE": RunState.FINISHED,
    "PRUNED": RunState.STOPPED,
    "FAIL": RunState.FAILED,
    "WAITING": RunState.RUNNING,
}
"""Optuna's states, in the order of their numbers."""


@dataclass
class OptunaTrial:
    """A trial that is being built from several records."""

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


def runs(trials: Iterable[OptunaTrial]) -> tuple[PastRun, ...]:
    return tuple(trial.run for trial in sorted(trials, key=lambda trial: trial.number))


def decode_parameter(stored: Any, distribution: Any) -> Any:
    """Convert a stored parameter, which is a number, to its value.

    ``distribution`` is the one that the parameter was drawn from.
    """
    try:
        said = json.loads(distribution)
        kind = said.get("name") or said["type"]
        if kind.lower().startswith("categorical"):
            return dict(enumerate(said.get("attributes", said)["choices"]))[int(stored)]
        return int(stored) if kind.lower().startswith("int") else float(stored)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise InputError(f"the parameter {show(stored)} does not match its distribution {show(distribution)}") from None


def state_name(said: Any) -> str:
    """Return the name of a state. A journal stores a state as a number."""
    name = list(STATES)[said] if isinstance(said, int) and 0 <= said < len(STATES) else said
    if name not in STATES:
        raise InputError(f"a trial has the state {show(said)}: expected one of {', '.join(STATES)}")
    return str(name)


def keep_scalars(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user attributes of a trial that can be results: bools, numbers and text."""
    return {str(name): value for name, value in noted.items() if isinstance(value, bool | int | float | str)}


def numbers(values: Any) -> list[float]:
    """Return the values of the objectives as floats."""
    try:
        return [float(value) for value in values or ()]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"a trial has the values {show(values)}: expected numbers") from None


def _seconds(when: Any) -> float | None:
    try:
        found = moments.parse_moment(when)
    except ValueError:
        raise InputError(f"a trial has the time {show(when)}: {moments.EXPECTED}") from None
    return None if found is None else found.timestamp()


# The journal is a log of operations, one JSON object per line, which is read by replaying them. A line names an
# operation by its number. Changes to a trial that has ended are ignored, as Optuna does: they come from two processes
# that raced. A last line without a line end is still being written, and is skipped.


def read_journal(path: Path, study: str | None = None) -> Experiment:
    """Read the trials of one study."""
    journal = _Journal()
    for number, line in _lines(path):
        try:
            journal.apply(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{path}:{number}: not valid JSON: {error}") from error
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from error
        except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise InputError(f"{path}:{number}: not an Optuna operation: {show(error)}") from error
    known = {name: number for number, name in journal.studies.items()}
    name = choose("study", study, known, str(path))
    return Experiment(f"study {name} of {path}", runs(journal.of(known[name])))


def is_journal(path: Path) -> bool:
    """Return True if the first line of the file is an operation of an Optuna journal."""
    with open_file(path) as file:
        try:
            first = json.loads(file.readline(1_000_000))
        except (ValueError, RecursionError):
            return False
    return isinstance(first, dict) and "op_code" in first


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with TextIOWrapper(open_file(path, MAX_BYTES), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.endswith("\n"):
                    yield number, line
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error.reason}") from error


class _Journal:
    """The studies and trials that the operations applied so far have created.

    Studies and trials are numbered in order of creation.
    """

    def __init__(self) -> None:
        self.studies: dict[int, str] = {}
        self._created = 0
        self._trials: list[OptunaTrial] = []
        self._study_of: list[int] = []
        self._sizes: Counter[int] = Counter()

    def of(self, study: int) -> Iterator[OptunaTrial]:
        return (trial for trial, owner in zip(self._trials, self._study_of, strict=True) if owner == study)

    def apply(self, log: Mapping[str, Any]) -> None:
        code = log["op_code"]
        if not isinstance(code, int) or not 0 <= code < len(_OPERATIONS):
            raise InputError(f"unknown operation {show(code)}: the journal is of an unknown Optuna version")
        _OPERATIONS[code](self, log)

    def ignore(self, log: Mapping[str, Any]) -> None:
        """Do nothing. The entry is an attribute of a study, an intermediate value or an attribute set by Optuna."""

    def create_study(self, log: Mapping[str, Any]) -> None:
        if (name := str(log["study_name"])) not in self.studies.values():
            self.studies[self._created] = name
            self._created += 1

    def delete_study(self, log: Mapping[str, Any]) -> None:
        self.studies.pop(log["study_id"], None)

    def create_trial(self, log: Mapping[str, Any]) -> None:
        if (study := log["study_id"]) not in self.studies:
            return
        drawn, stored, value = log.get("distributions") or {}, log.get("params") or {}, log.get("value")
        trial = OptunaTrial(
            number=self._sizes[study],
            state=state_name(log.get("state", 0)),
            started=log.get("datetime_start"),
            ended=log.get("datetime_complete"),
            params={name: decode_parameter(number, drawn[name]) for name, number in stored.items()},
            values=numbers(log.get("values") or ([] if value is None else [value])),
            attributes=keep_scalars(log.get("user_attrs") or {}),
        )
        self._trials.append(trial)
        self._study_of.append(study)
        self._sizes[study] += 1

    def set_param(self, log: Mapping[str, Any]) -> None:
        if trial := self._find_unfinished(log):
            trial.params[str(log["param_name"])] = decode_parameter(log["param_value_internal"], log["distribution"])

    def set_state(self, log: Mapping[str, Any]) -> None:
        if trial := self._find_unfinished(log):
            trial.state = state_name(log["state"])
            trial.started = log.get("datetime_start", trial.started)
            trial.ended = log.get("datetime_complete", trial.ended)
            trial.values = numbers(log["values"]) or trial.values

    def set_attribute(self, log: Mapping[str, Any]) -> None:
        if trial := self._find_unfinished(log):
            trial.attributes.update(keep_scalars(log["user_attr"]))

    def _find_unfinished(self, log: Mapping[str, Any]) -> OptunaTrial | None:
        number = log["trial_id"]
        trial = self._trials[number] if 0 <= number < len(self._trials) else None
        return trial if trial is not None and STATES[trial.state] is RunState.RUNNING else None


_OPERATIONS = (
    _Journal.create_study,
    _Journal.delete_study,
    _Journal.ignore,  # a user attribute of a study
    _Journal.ignore,  # a system attribute of a study
    _Journal.create_trial,
    _Journal.set_param,
    _Journal.set_state,
    _Journal.ignore,  # an intermediate value
    _Journal.set_attribute,
    _Journal.ignore,  # a system attribute of a trial
    _Journal.ignore,  # trials are deleted only by other storages
)
