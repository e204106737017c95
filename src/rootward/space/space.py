"""The space of configurations: named fields in a fixed order, and the check that a configuration fits them.

Names and values meet only in a space, so every mistake in a configuration is found and reported here, before it costs
a trial. A space can be read like a mapping from name to field, and is immutable.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.space.fields import MAX_SHOWN_VALUES, MISFIT, Bool, Choice, Kind, Ordinal, Text, show
from rootward.space.keys import key
from rootward.space.numeric_fields import Float, Int
from rootward.space.values import from_json

if TYPE_CHECKING:
    import numpy as np

    from rootward.space.candidate import Configuration

__all__ = ["Bool", "Choice", "Field", "Float", "Int", "Ordinal", "Space", "Text", "field_from_dict"]

Field = Bool | Int | Float | Choice | Ordinal | Text
_KINDS = {kind.__name__: kind for kind in (Bool, Int, Float, Choice, Ordinal, Text)}


class Space:
    """Fields by name. Every method raises InputError for an unknown name, and suggests the most similar one."""

    __slots__ = ("_fields",)
    _fields: dict[str, Field]

    def __init__(self, fields: Mapping[str, Kind] | Iterable[tuple[str, Kind]]) -> None:
        # A type checker infers dict[str, Kind] for a dict of several kinds of field.
        given = fields.items() if isinstance(fields, Mapping) else fields
        pairs = [_check_pair(name, field) for name, field in given]
        if not pairs:
            raise InputError("a space needs at least one field, but none is given")
        object.__setattr__(self, "_fields", dict(pairs))
        if len(self._fields) < len(pairs):
            (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
            raise InputError(f"the field {name!r} is given twice")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a space is immutable: create another one")

    def __reduce__(self) -> tuple[type[Space], tuple[list[tuple[str, Field]]]]:
        return Space, (list(self._fields.items()),)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._fields)

    @property
    def size(self) -> float:
        """The number of configurations: an integer of any size, or infinity."""
        sizes = [field.size for field in self._fields.values()]
        return math.inf if math.inf in sizes else math.prod(sizes)

    def __getitem__(self, name: str) -> Field:
        try:
            return self._fields[name]
        except KeyError:
            raise InputError(self._unknown([name])) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def items(self) -> Iterable[tuple[str, Field]]:
        return self._fields.items()

    def values(self, name: str) -> tuple[Any, ...]:
        """Return the values to try for this field. The list is finite even if the field has infinitely many members."""
        return self[name].values

    def check(self, configuration: Configuration) -> dict[str, Any]:
        """Return the configuration in the order of the space, with plain Python values. Raises InputError if a name or
        a value does not fit."""
        if not isinstance(configuration, Mapping):
            raise InputError(f"a configuration must be a mapping from names to values, got {show(configuration)}")
        if configuration.keys() != self._fields.keys():
            raise InputError(self._describe_names(configuration))
        fitted = {name: field.fit(configuration[name]) for name, field in self._fields.items()}
        if misfits := [name for name, value in fitted.items() if value is MISFIT]:
            raise InputError(self._misfit(configuration, misfits))
        return fitted

    def key(self, configuration: Configuration) -> str:
        """Return the identity of a configuration, computed by `rootward.space.keys.key`.

        The order of the names does not matter.
        """
        return key(dict(configuration))

    def restrict(self, names: Iterable[str]) -> Space:
        """Return a space with only the named fields. They keep the order that they have in this space."""
        kept = set(names)
        if unknown := [name for name in kept if name not in self._fields]:
            raise InputError(self._unknown(sorted(unknown, key=str)))
        return Space((name, field) for name, field in self._fields.items() if name in kept)

    def sample(self, rng: np.random.Generator) -> dict[str, Any]:
        """Return a random configuration, sampled field by field."""
        return {name: field.sample(rng) for name, field in self._fields.items()}

    def to_dict(self) -> dict[str, Any]:
        return {"fields": [{"name": name, **field.to_dict()} for name, field in self._fields.items()]}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Space:
        """Read a space that ``to_dict`` wrote."""
        try:
            return cls([_read_field(**entry) for entry in written["fields"]])
        except (KeyError, TypeError) as error:
            raise InputError(f"{show(dict(written))} is not a space: {error!r}") from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and list(self.items()) == list(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self._fields.items()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}: {field}" for name, field in list(self.items())[:MAX_SHOWN_VALUES])
        return f"<Space of {len(self)}: {shown}{', ...' if len(self) > MAX_SHOWN_VALUES else ''}>"

    def _describe_names(self, configuration: Mapping[Any, Any]) -> str:
        missing = [name for name in self._fields if name not in configuration]
        unknown = [name for name in configuration if name not in self._fields]
        parts = [f"missing {_plural('field', missing)} {_some(map(repr, missing), len(missing))}"] if missing else []
        return "; ".join(parts + ([self._unknown(unknown)] if unknown else []))

    def _unknown(self, names: Sequence[object]) -> str:
        return f"unknown {_plural('field', names)} {_some(map(self._suggest, names), len(names))}"

    def _suggest(self, name: object) -> str:
        near = get_close_matches(name, self._fields, n=1) if isinstance(name, str) else []
        return show(name) + (f" (did you mean {near[0]!r}?)" if near else "")

    def _misfit(self, configuration: Configuration, names: list[str]) -> str:
        more = f" (and {len(names) - 1} more values do not fit)" if len(names) > 1 else ""
        return self._fields[names[0]].refusal(configuration[names[0]], names[0]) + more


def field_from_dict(written: Mapping[str, Any]) -> Field:
    """Read a field that the ``to_dict`` of a field wrote."""
    options = {name: from_json(value) for name, value in written.items() if name != "kind"}
    try:
        return _KINDS[written["kind"]](**options)
    except (KeyError, TypeError) as error:
        raise InputError(f"{show(dict(written))} is not a field: {error!r}") from error


def _read_field(name: str, **written: Any) -> tuple[str, Field]:
    return name, field_from_dict(written)


def _check_pair(name: object, field: object) -> tuple[str, Field]:
    if not isinstance(name, str):
        raise InputError(f"the name of a field must be text, got {show(name)} ({type(name).__name__})")
    if not isinstance(field, Field):
        kinds = ", ".join(_KINDS)
        raise InputError(f"field {name!r} is {show(field)} ({type(field).__name__}): expected one of {kinds}")
    return name, field


def _plural(noun: str, members: Sequence[object]) -> str:
    return noun if len(members) == 1 else f"{noun}s"


def _some(shown: Iterable[str], count: int) -> str:
    """List the first few texts, and say how many more there are up to ``count``.

    The remaining texts are not computed.
    """
    first = ", ".join(islice(shown, MAX_SHOWN_VALUES))
    return first if count <= MAX_SHOWN_VALUES else f"{first} and {count - MAX_SHOWN_VALUES} more"
