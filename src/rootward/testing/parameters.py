"""The parameters of a test as plain data, which can be compared, printed, and sent from one process to another.

Numbers, strings and short collections of them stay as they are. Any other object is replaced by a label: the id that
pytest gives it.
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
MAX_VALUE_LENGTH = 60
"""Values that take more characters to write are replaced by a label."""


class CallSpec(Protocol):
    """The parameters of one instance, as pytest stores them."""

    @property
    def params(self) -> Mapping[str, object]: ...
    @property
    def indices(self) -> Mapping[str, int]: ...
    @property
    def _idlist(self) -> Sequence[str]: ...


def plain_parameters(instances: Sequence[CallSpec]) -> list[Values]:
    """Return the parameters of all instances of one test as plain data."""
    names = [name for name in instances[0].params if all(name in one.params for one in instances)]
    columns = {name: _plain_column(name, instances) for name in names}
    return [{name: column[index] for name, column in columns.items()} for index in range(len(instances))]


def space_of(rows: Iterable[Values]) -> Space | None:
    """Return a space of the parameters that have several values among the rows; None if there are none."""
    columns: dict[str, dict[bytes, Any]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, {})[canonical(value)] = value
    fields = {name: _make_field(list(values.values())) for name, values in columns.items() if len(values) > 1}
    return Space(fields) if fields else None


def bound_parameters(space: Space, rows: Sequence[Values]) -> list[str]:
    """Return the parameters whose values do not occur with all combinations of the other parameters' values.

    Such parameters belong together, as an input and its expected result do in one ``parametrize``. Mixing their values
    would make tests that the author did not intend.
    """
    table = list({canonical(row): row for row in rows}.values())
    return [name for name in space if not _is_free(name, space, table)]


def missing_combinations(space: Space, rows: Sequence[Values], names: Sequence[str]) -> Rule:
    """Return a rule for the combinations of bound parameters that are in no row."""
    return Rule(_find_gaps(space, rows, names, []))


def _is_free(name: str, space: Space, table: Sequence[Values]) -> bool:
    """Return True if all values of the parameter ``name`` occur with all combinations of the other parameters."""
    others = {canonical({other: value for other, value in row.items() if other != name}) for row in table}
    return len(others) * len(space.values(name)) == len(table)


def _find_gaps(space: Space, table: Sequence[Values], names: Sequence[str], known: list[Atom]) -> list[Conjunction]:
    """Return the combinations of values of ``names`` that are in no row of the table.

    ``known``: values that all rows of the table have in common.
    """
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
        gaps += _find_gaps(space, part, rest, [*known, Atom(name, "=", value)])
    return gaps


def _make_field(values: list[Any]) -> Field:
    if all(isinstance(value, bool) for value in values):
        return Bool()
    if all(isinstance(value, int | float) and not isinstance(value, bool) and not is_nan(value) for value in values):
        return Ordinal(sorted(values))
    return Choice(values)


def _plain_column(name: str, instances: Sequence[CallSpec]) -> list[Any]:
    """Return the values of one parameter in all instances, as plain data.

    Values that are not plain data are replaced by labels. If some values could then be confused, all others are
    replaced by their ``repr``.
    """
    values = [scalar(one.params[name]) for one in instances]
    labels: dict[int, str] = {}
    for value, one in zip(values, instances, strict=True):
        if not _is_plain(value) and id(value) not in labels:
            labels[id(value)] = _make_label(name, value, one, set(labels.values()))
    if _are_distinct(values, set(labels.values())):
        return [labels.get(id(value), value) for value in values]
    return [labels.get(id(value)) or repr(value) for value in values]


def _make_label(name: str, value: object, one: CallSpec, taken: Container[str]) -> str:
    """Return a label for a value.

    It is the id that pytest would write, if that is short and not taken. Otherwise it is a numbered name.
    """
    if len(one._idlist) == len(one.params):  # one `parametrize` for each parameter
        said: object = dict(zip(one.params, one._idlist, strict=True))[name]
    else:
        said = str(value) if isinstance(value, enum.Enum) else getattr(value, "__name__", None)
    numbered = (f"{name}{number}" for number in count(one.indices[name]))
    own = [said] if isinstance(said, str) and len(said) <= MAX_VALUE_LENGTH else []
    return next(label for label in chain(own, numbered) if label not in taken)


def _is_plain(value: object) -> bool:
    if isinstance(value, enum.Enum):
        return False
    if value is None or isinstance(value, bool | float):
        return True
    if isinstance(value, int):
        return value.bit_length() < 3 * MAX_VALUE_LENGTH
    if isinstance(value, str | bytes):
        return len(value) <= MAX_VALUE_LENGTH
    if isinstance(value, list | tuple | set | frozenset):
        return len(value) <= MAX_VALUE_LENGTH and all(map(_is_plain, value)) and len(repr(value)) <= MAX_VALUE_LENGTH
    if isinstance(value, dict):
        return len(value) <= MAX_VALUE_LENGTH and _is_plain([*value.keys(), *value.values()])
    return False


def _are_distinct(values: Iterable[Any], labels: Container[str]) -> bool:
    """Return True if no two values compare equal, as 1 and True do, and no string equals a label."""
    own = {canonical(value): value for value in values if _is_plain(value)}.values()
    numbers = [value for value in own if isinstance(value, int | float) and not is_nan(value)]
    return len(set(numbers)) == len(numbers) and not any(type(value) is str and value in labels for value in own)
