"""The runs that an answer about causes is based on, in one list, each with its origin.

They come from the given history, from the search itself, and from earlier runs in the store. These sources have
different columns. Here all runs have the same settings: one that is not known for every run is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.report.trials import read_value
from rootward.rules import Rule
from rootward.rules.constants import is_nan, kind, value_order
from rootward.rules.terms import Literal
from rootward.space.keys import canonical

HISTORY, NOW, BEFORE = "given history", "run now", "remembered from an earlier run"
ORIGINS = (HISTORY, NOW, BEFORE)


@dataclass(frozen=True)
class Setting:
    """One setting.

    Holds the distinct values in their natural order and, for each run, the position of its value among them.
    """

    name: str
    values: tuple[Any, ...]
    index: tuple[int, ...]

    def accepts(self, literal: Literal) -> list[bool]:
        """Return a list with True for each value of the setting that the literal of a cause allows."""
        return [any(all(atom.accepts(value) for atom in one) for one in literal.alternatives) for value in self.values]


@dataclass(frozen=True)
class Instances:
    """Runs that passed or failed. Runs that could not be judged are left out: they say nothing about causes."""

    settings: Mapping[str, Setting]
    failed: tuple[bool, ...]
    origin: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.failed)

    def inside(self, literals: Iterable[Literal]) -> list[bool]:
        """Return a list with True for each run that meets all literals of a cause.

        If the cause names an unknown setting, no run meets it.
        """
        held = [True] * len(self)
        for literal in literals:
            setting = self.settings.get(literal.field)
            if setting is None:
                return [False] * len(self)
            allowed = setting.accepts(literal)
            held = [was and allowed[at] for was, at in zip(held, setting.index, strict=True)]
        return held

    def counts(self) -> list[tuple[str, int, int]]:
        """Return the number of failing and of passing runs for each origin that occurs."""
        found = []
        for name in ORIGINS:
            own = [failed for failed, origin in zip(self.failed, self.origin, strict=True) if origin == name]
            found += [(name, sum(own), len(own) - sum(own))] if own else []
        return found


def literals(cause: Mapping[str, Any]) -> Sequence[Literal]:
    """Return the literals of a cause, one for each setting that it names."""
    [term] = Rule.from_dict(cause["rule"]).terms
    return tuple(term)


def instances(run: Mapping[str, Any]) -> Instances:
    """Return all instances of a run whose finding is about causes."""
    parts = [part for part in (_from_history(run["finding"].get("history")), _from_trials(run)) if part.failed]
    names = dict.fromkeys(name for part in parts for name in part.settings)
    shared = [name for name in names if all(name in part.settings for part in parts)]
    return Instances(
        {name: _merge(name, [part.settings[name] for part in parts]) for name in shared},
        tuple(failed for part in parts for failed in part.failed),
        tuple(origin for part in parts for origin in part.origin),
    )


def _from_history(history: Mapping[str, Any] | None) -> Instances:
    if not history:
        return Instances({}, (), ())
    settings = {name: _setting(name, column) for name, column in history["fields"].items()}
    return Instances(settings, tuple(map(bool, history["failed"])), (HISTORY,) * history["listed"])


def _from_trials(run: Mapping[str, Any]) -> Instances:
    trials = run.get("trials")
    if not trials or not trials["listed"]:
        return Instances({}, (), ())
    verdicts = list(_cells(trials["columns"]["verdict"]))
    judged = [place for place, verdict in enumerate(verdicts) if verdict not in (None, "UNRESOLVED")]
    made = list(_cells(trials["columns"].get("run") or {"values": [], "index": [-1] * len(verdicts)}))
    fixed = {name: {"values": [value], "index": [0] * len(verdicts)} for name, value in trials["fixed"].items()}
    now = run.get("run")
    return Instances(
        {name: _setting(name, column, judged) for name, column in {**trials["fields"], **fixed}.items()},
        tuple(verdicts[place] == "FAIL" for place in judged),
        tuple(NOW if made[place] in (None, now) or now is None else BEFORE for place in judged),
    )


def _cells(column: Mapping[str, Any]) -> Iterator[Any]:
    return (column["values"][place] if place >= 0 else None for place in column["index"])


def _setting(name: str, column: Mapping[str, Any], rows: Sequence[int] | None = None) -> Setting:
    """Make a setting from a column. A run without a value in the column has the value None in the setting."""
    index = column["index"] if rows is None else [column["index"][row] for row in rows]
    values = [read_value(value) for value in column["values"]] + ([None] if -1 in index else [])
    return Setting(name, tuple(values), tuple(at % len(values) for at in index))


def _merge(name: str, parts: Sequence[Setting]) -> Setting:
    """Merge the same setting of several lists of runs."""
    keyed = [list(map(_key, part.values)) for part in parts]
    values = {_key(value): value for part in parts for value in part.values}
    order = sorted(values, key=lambda key: value_order(values[key]))
    place = {key: number for number, key in enumerate(order)}
    index = [place[keys[at]] for part, keys in zip(parts, keyed, strict=True) for at in part.index]
    return Setting(name, tuple(values[key] for key in order), tuple(index))


def _key(value: Any) -> Any:
    """Return a key that is the same for equal values, so that 1 and 1.0 have the same place on an axis."""
    return value if kind(value) == "number" and not is_nan(value) else canonical(value)
