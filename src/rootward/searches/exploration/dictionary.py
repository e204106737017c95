"""The dictionary: the values worth trying for each field, and how many of them were tried.

Each field has a short list of values, and changes start from inputs that should work. A candidate is such an input with
some fields changed. It is stored as its changes, each a value with its encoding. The encodings of listed values are
computed only once. That makes thousands of fields affordable.

``Coverage`` is the share of the listed values, and of their pairs, that occurred in some run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Instance
from rootward.searches.exploration.tuning import TUNING
from rootward.space.candidate import Origin, Variation
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space

Change = tuple[Any, bytes]
"""A new value and its encoding."""
Changes = Mapping[int, Change]
"""Changes by the number of the field, from 0."""
ABSENT = -1
"""The place of a value that is not listed."""


class Dictionary:
    """The values to try in each field.

    The first one is the field's value in the first of ``bases``. Exceptional values follow. ``bases``: the inputs that
    are changed to make candidates.
    """

    def __init__(self, space: Space, bases: Sequence[Mapping[str, Any]]) -> None:
        self.names, self.fields = space.names, [field for _, field in space.items()]
        self.bases = [Origin(base) for base in bases]
        listed = [
            {canonical(value): value for value in (bases[0][name], *field.values)}
            for name, field in zip(self.names, self.fields, strict=True)
        ]
        self.values: list[tuple[Any, ...]] = [tuple(own.values()) for own in listed]
        self.sizes: NDArray[np.int64] = np.array([len(own) for own in listed], dtype=np.int64)
        self._entries = [[(value, encoded) for encoded, value in own.items()] for own in listed]
        self._places = [{encoded: place for place, encoded in enumerate(own)} for own in listed]
        self._unchanged = {id(base): [canonical(base.values[name]) for name in self.names] for base in self.bases}

    def __len__(self) -> int:
        return len(self.names)

    def changes_at(self, columns: Iterable[int], places: Iterable[int]) -> Changes:
        """Return the changes that give these fields the values at these places of their lists."""
        return {i: self._entries[i][place] for i, place in zip(columns, places, strict=True)}

    def candidate(self, base: Origin, changes: Changes) -> Variation:
        return Variation(base, [(i, *changes[i]) for i in sorted(changes)])

    def places(self, candidate: Variation) -> Instance:
        """Return, for each field, the place of the candidate's value in the field's list.

        The place is ABSENT if the value is not in the list.
        """
        encoded = self._unchanged[id(candidate.origin)].copy()
        for i, _, changed in candidate.changes:
            encoded[i] = changed
        return tuple(own.get(one, ABSENT) for own, one in zip(self._places, encoded, strict=True))

    def changed_fields(self, candidate: Variation) -> tuple[str, ...]:
        """Return the fields in which the candidate differs from its base."""
        before = self._unchanged[id(candidate.origin)]
        return tuple(self.names[i] for i, _, encoded in candidate.changes if encoded != before[i])


def encode_change(value: Any) -> Change:
    return value, canonical(value)


class LateChanges(Mapping[int, Change]):
    """Changes of many fields, each made when somebody looks at it.

    Most candidates for which a rule holds are given up after a look at the few fields that the rule names.
    """

    def __init__(self, fields: Iterable[int], value_of: Callable[[int], Any]) -> None:
        self._fields, self._value_of = dict.fromkeys(fields), value_of

    def __getitem__(self, field: int) -> Change:
        if field not in self._fields:
            raise KeyError(field)
        return encode_change(self._value_of(field))

    def __iter__(self) -> Iterator[int]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def natural_configuration(space: Space) -> dict[str, Any]:
    """Return a configuration that is probably not exceptional: zeros, and the first value of each list."""
    return {name: _choose_natural(field) for name, field in space.items()}


def _choose_natural(field: Field) -> Any:
    if not isinstance(field, Int | Float):
        return field.values[0]
    return field.coerce(0) if field.contains(0) else field.values[len(field.values) // 2]


# Coverage


@dataclass(frozen=True)
class CoveredShares:
    """The shares of values and of pairs of values that have occurred, from 0 to 1.

    ``pairs`` is None if there is only one field. If ``sampled``, it is an estimate from some pairs of fields.
    """

    values: float = 0.0
    pairs: float | None = None
    sampled: bool = False


class Coverage:
    """Keeps track of the listed values, and pairs of them, that have occurred.

    ``sizes``: the number of listed values of each field.
    """

    def __init__(self, sizes: NDArray[np.int64], seed: int) -> None:
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._values = np.zeros(int(sizes.sum()), dtype=bool)
        self._sampled = math.comb(len(sizes), 2) > TUNING.max_field_pairs
        self._one, self._two = _pairs(len(sizes), seed).T
        counts = sizes[self._one] * sizes[self._two]
        self._widths = sizes[self._two]
        self._offsets = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else counts
        self._pairs = np.zeros(int(counts.sum()), dtype=bool)

    def add(self, places: Instance) -> None:
        row = np.array(places, dtype=np.int64)
        listed = row >= 0
        self._values[(self._starts + row)[listed]] = True
        one, two = row[self._one], row[self._two]
        both = (one >= 0) & (two >= 0)
        self._pairs[(self._offsets + one * self._widths + two)[both]] = True

    @property
    def covered(self) -> CoveredShares:
        pairs = float(self._pairs.mean()) if len(self._pairs) else None
        return CoveredShares(float(self._values.mean()), pairs, self._sampled)


def _pairs(count: int, seed: int) -> NDArray[np.int64]:
    """Return all pairs of ``count`` fields, or a random sample if there are very many.

    In each pair, the smaller number comes first.
    """
    if math.comb(count, 2) <= TUNING.max_field_pairs:
        return np.array(list(combinations(range(count), 2)), dtype=np.int64).reshape(-1, 2)
    rng = np.random.default_rng([seed, count])
    drawn = np.sort(rng.integers(0, count, size=(4 * TUNING.max_field_pairs, 2)), axis=1)
    distinct = np.unique(drawn[drawn[:, 0] < drawn[:, 1]], axis=0)
    return rng.permutation(distinct)[: TUNING.max_field_pairs]
