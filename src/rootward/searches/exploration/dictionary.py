"""What there is to try: of each field a short list of values, and the inputs from which changes start.

A candidate is an input that should work with some fields changed. So it is kept as the changes: values and their
encodings, which are made once for all values of the lists. That is what makes thousands of fields affordable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.candidate import Origin, Variation
from rootward.design import Instance
from rootward.keys import canonical
from rootward.space import Field, Float, Int, Space

Change = tuple[Any, bytes]
"""A new value and its encoding."""
Changes = dict[int, Change]
"""By field, counted from 0."""
ABSENT = -1
"""The place of a value that is not in the list."""


class Dictionary:
    """The exceptional values of each field, with that of the first base in front; ``bases``: where changes start."""

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

    def listed(self, columns: Iterable[int], places: Iterable[int]) -> Changes:
        """The changes that give these fields the values at these places of their lists."""
        return {i: self._entries[i][place] for i, place in zip(columns, places, strict=True)}

    def candidate(self, base: Origin, changes: Changes) -> Variation:
        return Variation(base, [(i, value, encoded) for i, (value, encoded) in sorted(changes.items())])

    def places(self, candidate: Variation) -> Instance:
        """For each field, the place of the candidate's value in the list; ABSENT if it is not there."""
        encoded = self._unchanged[id(candidate.origin)].copy()
        for i, _, changed in candidate.changes:
            encoded[i] = changed
        return tuple(own.get(one, ABSENT) for own, one in zip(self._places, encoded, strict=True))

    def changed(self, candidate: Variation) -> tuple[str, ...]:
        """The fields in which it differs from its base."""
        before = self._unchanged[id(candidate.origin)]
        return tuple(self.names[i] for i, _, encoded in candidate.changes if encoded != before[i])


def change(value: Any) -> Change:
    return value, canonical(value)


def natural(space: Space) -> dict[str, Any]:
    """A configuration with nothing exceptional in it, as far as can be told: zeros, and the first of each list."""
    return {name: _natural(field) for name, field in space.items()}


def _natural(field: Field) -> Any:
    if not isinstance(field, Int | Float):
        return field.values[0]
    return field.coerce(0) if field.contains(0) else field.values[len(field.values) // 2]
