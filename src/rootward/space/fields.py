"""Fields: the values that a field can have, those worth trying, and the place of each on the compressed axis.

Every kind of field has the same interface, so that a search need not know which kind it has: ``values`` (the finite
list to try), ``contains`` and ``coerce`` (membership by type and value: ``True`` is not an integer), ``ordered``,
``compress``, ``decompress`` and ``span`` (places on the axis, and its finite ends), ``sample`` (a random member),
``at`` (the member at a share of the axis) and ``size``. Two fields are equal if they have the same values in the sense
of `rootward.space.keys`. This file has the kinds that list their values; `rootward.space.numeric_fields` has the
numbers.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from reprlib import Repr
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rootward.errors import InputError
from rootward.space.exceptional_values import TEXTS, outside_of
from rootward.space.keys import canonical, key
from rootward.space.values import scalar, to_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISFIT: Any = object()
"""Returned by ``fit`` for a value that does not belong to the field."""
MAX_SHOWN_VALUES = 8  # maximum number of values named in a message
Scale = Literal["even", "human", "broad"]
"""The distribution over a long interval: uniform, mostly the magnitudes that people use, or uniform in magnitude."""


class Kind:
    """The base class of all fields.

    A subclass defines an axis, and ``fit``, which returns the member that a value stands for, or MISFIT.
    """

    values: tuple[Any, ...]
    ordered: ClassVar[bool] = False
    whole: ClassVar[bool] = False
    """True if the members are exactly the integers between two bounds."""

    @property
    def size(self) -> float:
        """The number of members, or infinity."""
        raise NotImplementedError

    def fit(self, value: object) -> Any:
        raise NotImplementedError

    def compress(self, member: Any) -> float:
        raise NotImplementedError

    def decompress(self, place: float) -> Any:
        raise NotImplementedError

    def sample(self, rng: np.random.Generator) -> Any:
        raise NotImplementedError

    def at(self, share: float, *, scale: Scale) -> Any:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def contains(self, value: object) -> bool:
        """Return True if ``coerce`` accepts the value."""
        return self.fit(value) is not MISFIT

    def coerce(self, value: object, name: str = "value") -> Any:
        """Return the member that ``value`` stands for, as a plain Python value. Raises InputError if there is none."""
        if (member := self.fit(value)) is MISFIT:
            raise InputError(self.refusal(value, name))
        return member

    def refusal(self, value: object, name: str) -> str:
        """Return the message for a value that is not accepted."""
        return f"{name} = {show(value)} ({type(value).__name__}): expected {self}"

    def compress_many(self, members: Any) -> NDArray[np.float64]:
        """Compress each member: return its place on the axis."""
        import numpy as np

        return np.array([self.compress(member) for member in members], dtype=np.float64)

    def decompress_many(self, places: Any) -> NDArray[Any]:
        """Decompress each place: return the member at it."""
        import numpy as np

        members = np.empty(len(places), dtype=object)
        for index, place in enumerate(places):
            members[index] = self.decompress(place)
        return members

    @cached_property
    def _key(self) -> str:
        return key(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kind) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


class _Listed(Kind):
    """A field whose members are its ``values``; their places on the axis are 0, 1, 2, ..."""

    _places: dict[bytes, int]

    def _list(self, members: Iterable[object]) -> None:
        listed = tuple(map(scalar, members))
        self.__dict__.update(values=listed, _places=_places(listed))

    def fit(self, value: object) -> Any:
        place = self._places.get(canonical(value))
        return MISFIT if place is None else self.values[place]

    @property
    def size(self) -> float:
        return len(self.values)

    @property
    def span(self) -> tuple[float, float]:
        return 0.0, len(self.values) - 1.0

    def compress(self, member: object) -> float:
        """Return the place of a member. Raises InputError if it is not listed."""
        place = self._places.get(canonical(member))
        if place is None:
            raise InputError(f"{show(member)} is not one of the values: expected one of {join(self.values)}")
        return float(place)

    def decompress(self, place: float) -> Any:
        """Return the member nearest to ``place``."""
        if math.isnan(place):
            raise InputError(f"NaN is not a place on the axis of {self}")
        return self.values[round(min(max(place, 0.0), self.span[1]))]

    def sample(self, rng: np.random.Generator) -> Any:
        """Return a random member, all equally likely."""
        return self.values[int(rng.integers(len(self.values)))]

    def at(self, share: float, *, scale: Scale) -> Any:
        """Return the member at the fraction ``share`` of the list.

        ``scale`` is ignored, because a list has only one scale.
        """
        return self.values[int(len(self.values) * share)]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": type(self).__name__, "values": [to_json(member) for member in self.values]}


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Bool(_Listed):
    """False or True."""

    values: tuple[bool, ...]

    def __init__(self) -> None:
        self.__dict__.update(values=(False, True), _places=_BOOLS)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "Bool"}

    def __str__(self) -> str:
        return "False or True"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Choice(_Listed):
    """One of several values without an order. An enumeration class may be given instead of its members."""

    values: tuple[Any, ...]

    def __init__(self, values: Iterable[object]) -> None:
        # The order of a set differs between processes, and a seeded search would depend on it.
        self._list(sorted(values, key=canonical) if isinstance(values, set | frozenset) else values)

    @classmethod
    def of_enum(cls, members: type[enum.Enum], *, outside: bool = False) -> Choice:
        """Return a field of the members of an enumeration.

        With ``outside``, the field also has integers that a system expecting the enumeration should reject.
        """
        return cls([*members, *(outside_of(members) if outside else ())])

    def __str__(self) -> str:
        return f"one of {join(self.values)}"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Ordinal(_Listed):
    """One of several values in the order given."""

    values: tuple[Any, ...]
    ordered: ClassVar[bool] = True

    def __init__(self, values: Iterable[object]) -> None:
        if isinstance(values, set | frozenset):
            raise InputError("the values of an Ordinal need an order: give a list, not a set")
        self._list(values)

    def __str__(self) -> str:
        return f"one of {join(self.values, ' < ')}"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Text(_Listed):
    """Any text.

    ``values`` are the texts worth trying; only they are sampled, and only they have a place on the axis.
    """

    values: tuple[str, ...]

    def __init__(self, values: Iterable[str] | None = None) -> None:
        if values is None:
            self.__dict__.update(values=TEXTS, _places=_text_places())
        else:
            self._list([self.coerce(value, "values") for value in values])

    def fit(self, value: object) -> Any:
        return str.__str__(value) if isinstance(value, str) else MISFIT

    @property
    def size(self) -> float:
        return math.inf

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "Text", "values": None if self.values is TEXTS else list(self.values)}

    def __str__(self) -> str:
        return "text"


def _places(members: tuple[object, ...]) -> dict[bytes, int]:
    """Return the place of each member, by the canonical encoding of the member.

    The encoding can be a key even if the member is a list or a mapping.
    """
    if not members:
        raise InputError("a field needs at least one value, but none is given")
    places = {canonical(member): place for place, member in enumerate(members)}
    if len(places) < len(members):
        again = next(member for place, member in enumerate(members) if places[canonical(member)] != place)
        raise InputError(f"the value {show(again)} is given twice")
    return places


_BOOLS = _places((False, True))


@lru_cache(maxsize=1)
def _text_places() -> dict[bytes, int]:
    return _places(TEXTS)


def join(members: tuple[object, ...], separator: str = ", ") -> str:
    """List the first few members, for a person to read."""
    plain = all(isinstance(member, str) for member in members[:MAX_SHOWN_VALUES])
    shown = separator.join(_names(islice(members, MAX_SHOWN_VALUES), plain))
    return shown if len(members) <= MAX_SHOWN_VALUES else f"{shown}{separator}... ({len(members)} values)"


def _names(members: Iterable[object], plain: bool) -> Iterator[str]:
    for member in members:
        if isinstance(member, enum.Enum):
            yield str(member.name)
        else:
            yield (
                member
                if plain and isinstance(member, str) and member.isprintable() and 0 < len(member) <= 40
                else show(member)
            )


def show(value: object) -> str:
    """Return a ``repr`` that is short enough for one line."""
    try:
        return _REPR.repr(value)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "a value too long to write"


_REPR = Repr()
_REPR.maxstring, _REPR.maxlong, _REPR.maxother = 40, 40, 60
