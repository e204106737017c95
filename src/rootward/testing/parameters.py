"""The parameters of a test as plain data: what can be compared, printed, and sent from one process to another.

Numbers, texts and short collections of them stand for themselves. Any other object stands as a label, which is the id
that pytest gives it.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, Protocol

from rootward.rules import Atom, Conjunction, Rule
from rootward.rules.constants import is_nan
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Ordinal, Space
from rootward.space.values import scalar

Values = dict[str, Any]
"""The parameters of one instance of a test, by name."""
WIDE = 60
"""A value that takes more characters to write gets a label."""


class CallSpec(Protocol):
    """What pytest knows of the parameters of one instance."""

    @property
    def params(self) -> Mapping[str, object]: ...
    @property
    def indices(self) -> Mapping[str, int]: ...
    @property
    def _idlist(self) -> Sequence[str]: ...


def plain(instances: Sequence[CallSpec]) -> list[Values]:
    """The parameters of all instances of one test."""
    names = [name for name in instances[0].params if all(name in one.params for one in instances)]
    columns = {name: _column(name, instances) for name in names}
    return [{name: column[index] for name, column in columns.items()} for index in range(len(instances))]


def space_of(rows: Iterable[Values]) -> Space | None:
    """The fields that differ between instances, each with the values that it has there; None if there are none."""
    columns: dict[str, dict[bytes, Any]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, {})[canonical(value)] = value
    fields = {name: _field(list(values.values())) for name, values in columns.items() if len(values) > 1}
    return Space(fields) if fields else None


def bound(space: Space, rows: Sequence[Values]) -> list[str]:
    """The parameters whose values do not go with all values of the others.

    Those of one ``parametrize`` belong together, such as an input and what is expected of it: to mix their values would
    make tests that nobody meant.
    """
    table = list({canonical(row): row for row in rows}.values())
    return [name for name in space if not _free(name, space, table)]


def missing(space: Space, rows: Sequence[Values], names: Sequence[str]) -> Rule:
    """The combinations of bound parameters that are in no row."""
    return Rule(_gaps(space, rows, names, []))


def _free(name: str, space: Space, table: Sequence[Values]) -> bool:
    """Whether all values of a parameter go with all combinations of the others."""
    others = {canonical({other: value for other, value in row.items() if other != name}) for row in table}
    return len(others) * len(space.values(name)) == len(table)


def _gaps(space: Space, table: Sequence[Values], names: Sequence[str], known: list[Atom]) -> list[Conjunction]:
    """What is not in the table, given the values of the first few parameters."""
    if not names:
        return []
    name, *rest = names
    parts: dict[bytes, list[Values]] = {}
    for row in table:
        parts.setdefault(canonical(row[name]), []).append(row)
    values = [part[0][name] for part in parts.values()]
    absent = len(values) < len(space.values(name))
    gaps = [Conjunction([*known, *(Atom(name, "!=", value) for value in values)])] if absent else []
    for value, part in zip(values, parts.values(), strict=True):
        gaps += _gaps(space, part, rest, [*known, Atom(name, "=", value)])
    return gaps


def _field(values: list[Any]) -> Field:
    if all(isinstance(value, bool) for value in values):
        return Bool()
    if all(isinstance(value, int | float) and not isinstance(value, bool) and not is_nan(value) for value in values):
        return Ordinal(sorted(values))
    return Choice(values)


def _column(name: str, instances: Sequence[CallSpec]) -> list[Any]:
    """One parameter in all instances."""
    values = [scalar(one.params[name]) for one in instances]
    labels: dict[int, str] = {}
    for value, one in zip(values, instances, strict=True):
        if not _is_plain(value) and id(value) not in labels:
            labels[id(value)] = _label(name, value, one, set(labels.values()))
    if _told_apart(values, set(labels.values())):
        return [labels.get(id(value), value) for value in values]
    return [labels.get(id(value)) or repr(value) for value in values]


def _label(name: str, value: object, one: CallSpec, taken: Container[str]) -> str:
    """The id of a value as pytest would write it, if it is short and not taken."""
    if len(one._idlist) == len(one.params):  # one `parametrize` for each parameter
        said: object = dict(zip(one.params, one._idlist, strict=True))[name]
    else:
        said = str(value) if isinstance(value, enum.Enum) else getattr(value, "__name__", None)
    numbered = (f"{name}{number}" for number in count(one.indices[name]))
    own = [said] if isinstance(said, str) and len(said) <= WIDE else []
    return next(label for label in chain(own, numbered) if label not in taken)


def _is_plain(value: object) -> bool:
    if isinstance(value, enum.Enum):
        return False
    if value is None or isinstance(value, bool | float):
        return True
    if isinstance(value, int):
        return value.bit_length() < 3 * WIDE
    if isinstance(value, str | bytes):
        return len(value) <= WIDE
    if isinstance(value, list | tuple | set | frozenset):
        return len(value) <= WIDE and all(map(_is_plain, value)) and len(repr(value)) <= WIDE
    if isinstance(value, dict):
        return len(value) <= WIDE and _is_plain([*value.keys(), *value.values()])
    return False


def _told_apart(values: Iterable[Any], labels: Container[str]) -> bool:
    """Whether comparisons tell all of them apart: not so with 1 and True, nor with a text that is also a label."""
    own = {canonical(value): value for value in values if _is_plain(value)}.values()
    numbers = [value for value in own if isinstance(value, int | float) and not is_nan(value)]
    return len(set(numbers)) == len(numbers) and not any(type(value) is str and value in labels for value in own)
