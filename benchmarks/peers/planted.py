"""Problems with a known answer: a product set, or a relation between two fields, planted in a large space.

Fields of one kind share a list of values, as in robustness testing, where each type has its dictionary. A triggering
set is drawn uniformly among the sets that a search could have to find: those that contain the value of the failing
configuration and lack at least one other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rootward as rw
from rootward.space.keys import canonical
from rootward.verdict import FAIL, PASS

SHARES = {"bool": 0.5, "int": 0.2, "choice": 0.1, "float": 0.2}
NUMBERS_ONLY = {"int": 0.5, "float": 0.5}
_INTEGERS = (*rw.Int(bits=64).values, *range(1_000_001, 1_000_101))
_FLOATS = (*rw.Float().values, *(0.25 + i for i in range(100)))


@dataclass(frozen=True)
class Relation:
    """Two fields that trigger together; ``holds`` are the triggering pairs of values (by their canonical keys)."""

    one: str
    other: str
    kind: str
    holds: frozenset[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Faulty:
    """The subject: it fails if every relevant field has a triggering value, and only then."""

    sets: tuple[tuple[str, frozenset[bytes]], ...]
    relation: Relation | None = None

    def __call__(self, configuration: Mapping[str, Any]) -> rw.Verdict:
        return FAIL if self.triggered(configuration) else PASS

    def triggered(self, configuration: Mapping[str, Any]) -> bool:
        for name, triggering in self.sets:
            if canonical(configuration[name]) not in triggering:
                return False
        if (pair := self.relation) is None:
            return True
        return (canonical(configuration[pair.one]), canonical(configuration[pair.other])) in pair.holds


@dataclass(frozen=True)
class Flaky:
    """A flaky subject: it fails at this rate where the other always does, decided by the seed of the trial, and nowhere
    else."""

    faulty: Faulty
    rate: float

    def __call__(self, configuration: Mapping[str, Any], seed: int) -> rw.Verdict:
        shows = random.Random(seed).random() < self.rate
        return FAIL if shows and self.faulty.triggered(configuration) else PASS


@dataclass(frozen=True)
class Planted:
    """A space, a configuration that fails, and the reason: ``sets`` of triggering values and possibly a relation."""

    space: rw.Space
    failing: dict[str, Any]
    sets: dict[str, tuple[Any, ...]]
    relation: Relation | None = None

    @cached_property
    def keys(self) -> dict[str, frozenset[bytes]]:
        """The triggering sets by canonical keys, which distinguish -0.0 from 0.0 and treat NaN as equal to NaN."""
        return {name: frozenset(map(canonical, values)) for name, values in self.sets.items()}

    @cached_property
    def subject(self) -> Faulty:
        return Faulty(tuple(self.keys.items()), self.relation)

    def is_exactly(self, sets: Mapping[str, Iterable[Any]]) -> bool:
        """Return True if these are exactly the relevant fields with exactly their triggering values."""
        return {name: frozenset(map(canonical, values)) for name, values in sets.items()} == self.keys


class Coded:
    """A planted product set in numbers (places instead of values), so that thousands of configurations are judged at
    once."""

    def __init__(self, planted: Planted) -> None:
        assert planted.relation is None, "a relation is not a product set"
        self.names = planted.space.names
        self.index = {name: i for i, name in enumerate(self.names)}
        self.planted = planted
        places = {id(field): _places(field.values) for field in dict(planted.space.items()).values()}
        self._places = [places[id(field)] for _, field in planted.space.items()]
        self.sizes = np.array([len(place) for place in self._places], dtype=np.int64)
        """Number of values of each field."""
        own = zip(self._places, planted.failing.values(), strict=True)
        self.failing = np.array([place[canonical(value)] for place, value in own], dtype=np.int16)
        self.triggering = self.allowed(planted.sets)

    def allowed(self, sets: Mapping[str, Iterable[Any]]) -> dict[int, NDArray[np.bool_]]:
        """Return sets of values by field number, as one truth value for each place."""
        made = {}
        for name, values in sets.items():
            i = self.index[name]
            made[i] = np.zeros(self.sizes[i], dtype=bool)
            made[i][[self._places[i][canonical(value)] for value in values]] = True
        return made

    def fails(self, codes: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return the verdict of each row, a configuration in numbers."""
        failing = np.ones(len(codes), dtype=bool)
        for i, triggers in self.triggering.items():
            failing &= triggers[codes[:, i]]
        return failing


def _places(values: Sequence[Any]) -> dict[bytes, int]:
    return {canonical(value): place for place, value in enumerate(values)}


# Product sets


def product(
    rng: np.random.Generator,
    *,
    fields: int,
    relevant: int,
    middle: int = 15,
    large: int = 21,
    spread: int = 1,
    variety: int = 1,
    shares: Mapping[str, float] = SHARES,
    intervals: bool = False,
) -> Planted:
    """Return a random product set.

    Integers and choices have about ``middle`` values, floats about ``large``, plus or minus ``spread``; there are
    ``variety`` lists for each kind. With ``intervals``, the triggering values of an ordered field are contiguous.
    """
    space = _space(rng, fields, _palette(rng, middle, large, spread, variety), shares)
    failing = {name: _pick(rng, field.values) for name, field in space.items()}
    names = [space.names[i] for i in sorted(rng.choice(fields, size=relevant, replace=False))]
    sets = {name: _triggering(rng, space[name], failing[name], intervals) for name in names}
    return Planted(space, failing, sets)


def _palette(
    rng: np.random.Generator, middle: int, large: int, spread: int, variety: int
) -> dict[str, list[rw.space.Field]]:
    def size(about: int) -> int:
        return max(2, about + int(rng.integers(-spread, spread + 1)))

    return {
        "bool": [rw.Bool()],
        "int": [rw.Int(bits=64, values=_some(rng, _INTEGERS, size(middle))) for _ in range(variety)],
        "choice": [rw.Choice([f"v{i}" for i in range(size(middle))]) for _ in range(variety)],
        "float": [rw.Float(values=_some(rng, _FLOATS, size(large))) for _ in range(variety)],
    }


def _space(
    rng: np.random.Generator, fields: int, palette: Mapping[str, list[rw.space.Field]], shares: Mapping[str, float]
) -> rw.Space:
    kinds = list(shares)
    drawn = rng.choice(len(kinds), size=fields, p=list(shares.values()))
    which = rng.integers(2**31, size=fields)
    lists = [palette[kinds[kind]] for kind in drawn]
    return rw.Space((name_of(i), own[which[i] % len(own)]) for i, own in enumerate(lists))


def name_of(i: int) -> str:
    return f"M{i // 50}.f{i % 50}"


def _triggering(rng: np.random.Generator, field: rw.space.Field, own: Any, intervals: bool) -> tuple[Any, ...]:
    """Draw uniformly among the proper subsets (or intervals) of the field's values that contain its ``own``."""
    values, place = field.values, _places(field.values)[canonical(own)]
    draw = _interval if intervals and field.ordered else _subset
    while (kept := draw(rng, len(values), place)).all():
        pass
    return tuple(value for value, keeps in zip(values, kept, strict=True) if keeps)


def _subset(rng: np.random.Generator, size: int, place: int) -> NDArray[np.bool_]:
    kept = rng.random(size) < 0.5
    kept[place] = True
    return kept


def _interval(rng: np.random.Generator, size: int, place: int) -> NDArray[np.bool_]:
    kept = np.zeros(size, dtype=bool)
    kept[rng.integers(0, place + 1) : rng.integers(place, size) + 1] = True
    return kept


def _some(rng: np.random.Generator, pool: Sequence[Any], count: int) -> list[Any]:
    return [pool[i] for i in rng.choice(len(pool), size=count, replace=False)]


def _pick(rng: np.random.Generator, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


# Two fields that interact

RELATIONS: dict[str, Callable[[Any, Any, Any], bool]] = {
    "x < y": lambda x, y, c: x < y,
    "x == y": lambda x, y, c: x == y,
    "x != y": lambda x, y, c: x != y,
    "x + y > c": lambda x, y, c: x + y > c,
    "x * y > c": lambda x, y, c: x * y > c,
    "x > c or y > c": lambda x, y, c: x > c or y > c,
}
EITHER = {"x in A or y in B, one holds": 1, "x in A or y in B, both hold": 2}
"""Kinds with scattered sets of values, and how many of the two conditions the failing configuration meets."""
PAIRS = (*RELATIONS, *EITHER)


def pair(rng: np.random.Generator, kind: str, *, fields: int = 300, others: int = 0) -> Planted:
    """Return two ordered fields with the same values that trigger by a relation, and ``others`` that trigger by
    value."""
    base = product(rng, fields=fields, relevant=others)
    shared = rw.Int(values=_some(rng, range(-20, 101), int(rng.integers(8, 17))))
    free = [name for name in base.space.names if name not in base.sets]
    one, other = (free[i] for i in rng.choice(len(free), size=2, replace=False))
    holds = real_relation(rng, kind, shared.values)
    seed = _seed(rng, kind, holds)
    space = rw.Space((name, shared if name in (one, other) else field) for name, field in base.space.items())
    failing = {**base.failing, one: shared.values[seed[0]], other: shared.values[seed[1]]}
    keys = list(map(canonical, shared.values))
    pairs = frozenset((keys[i], keys[j]) for i, j in np.argwhere(holds))
    return Planted(space, failing, base.sets, Relation(one, other, kind, pairs))


def real_relation(rng: np.random.Generator, kind: str, values: Sequence[Any]) -> NDArray[np.bool_]:
    """Draw a table of the triggering pairs of values that cannot be written as a product of two sets."""
    while True:
        table = _either(rng, len(values)) if kind in EITHER else _compare_values(rng, kind, values)
        if not is_product(table):
            return table


def _compare_values(rng: np.random.Generator, kind: str, values: Sequence[Any]) -> NDArray[np.bool_]:
    x, y = _pick(rng, values), _pick(rng, values)
    threshold = {"x + y > c": x + y, "x * y > c": x * y, "x > c or y > c": x}.get(kind)
    return np.array([[RELATIONS[kind](x, y, threshold) for y in values] for x in values])


def _either(rng: np.random.Generator, size: int) -> NDArray[np.bool_]:
    """Return ``x in A or y in B``, for two sets that are neither empty nor complete."""
    one, other = (_subset(rng, size, int(rng.integers(size))) for _ in range(2))
    return one[:, None] | other[None, :]


def is_product(table: NDArray[np.bool_]) -> bool:
    """Return True if the table is a product of a set of rows and a set of columns: then the fields do not interact."""
    return bool((table == np.outer(table.any(axis=1), table.any(axis=0))).all())


def _seed(rng: np.random.Generator, kind: str, holds: NDArray[np.bool_]) -> tuple[int, int]:
    """Draw a triggering pair; ``kind`` may require that one of its values, or both, trigger alone."""
    by_itself = holds.all(axis=1)[:, None] * 1 + holds.all(axis=0)[None, :]
    fitting = np.argwhere(by_itself == EITHER[kind] if kind in EITHER else holds)
    i, j = fitting[rng.integers(len(fitting))]
    return int(i), int(j)
