"""The fields that may change, as the axes of symmetric-log space.

Every sampler and every distance of ALO-Trees works on *places*: one number per axis, compressed by the field itself.
The tree works on *features*: the value of a number as it is, the place of anything that is listed. Special values (NaN
and the infinities) are the same in both and are no place on any axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.space import Choice, Field, Float, Int, Space, Text

Rows = NDArray[np.float64]
"""One point per row, one axis per column."""
SPECIAL = (np.nan, np.inf, -np.inf)


class Axes:
    """``fields`` of the space (all of them, if None); the others keep the value of ``failing``."""

    def __init__(self, space: Space, failing: Mapping[str, Any] | None, fields: Sequence[str] | None = None) -> None:
        if fields is not None and failing is None:
            raise InputError("fields that may not change keep their failing value: give a failing configuration, too")
        self.origin = {} if failing is None else space.check(failing)
        kept = space if fields is None else space.restrict(fields)
        self.space, self.names = space, kept.names
        self.fields = [_axis(field, self.origin.get(name)) for name, field in kept.items()]
        self.specials = [tuple(value for value in SPECIAL if _special(field, value)) for field in self.fields]
        """Per axis, which special values it may have."""
        self.numbers = np.array([isinstance(field, Int | Float) for field in self.fields])
        ends = [_ends(field) for field in self.fields]
        self.low, self.high = (np.array(side, dtype=float) for side in zip(*ends, strict=True))
        """Where places lie; a listed value owns the half unit on either side of its place."""

    def __len__(self) -> int:
        return len(self.names)

    def places(self, configuration: Mapping[str, Any]) -> Rows:
        """The point of a configuration."""
        pairs = zip(self.fields, self.names, strict=True)
        return np.array([field.compress(configuration[name]) for field, name in pairs], dtype=float)

    def features(self, places: Rows) -> Rows:
        """What the tree looks at, for each point."""
        return np.column_stack([_features(field, column) for field, column in zip(self.fields, places.T, strict=True)])

    def features_of(self, configuration: Mapping[str, Any]) -> Rows:
        """The same for a configuration, exactly: its values may not survive compression to the last bit."""
        pairs = zip(self.fields, self.names, strict=True)
        values = [(field, configuration[name]) for field, name in pairs]
        return np.array([v if isinstance(f, Int | Float) else f.compress(v) for f, v in values], dtype=float)

    def snapped(self, places: Rows) -> Rows:
        """The nearest points that are configurations."""
        columns = zip(self.fields, self.features(places).T, strict=True)
        return np.column_stack([field.compress_many(c) if _numeric(field) else c for field, c in columns])

    def configuration(self, place: Rows) -> dict[str, Any]:
        """The configuration nearest to a point, with the values that may not change."""
        chosen = {
            name: field.decompress(float(at)) for name, field, at in zip(self.names, self.fields, place, strict=True)
        }
        return {name: chosen[name] if name in chosen else self.origin[name] for name in self.space}


def _axis(field: Field, own: Any) -> Field:
    """A text that is not listed is a value like the others, once a configuration has it."""
    if isinstance(field, Text) and own is not None and own not in field.values:
        return Choice([*field.values, own])
    return field


def _numeric(field: Field) -> bool:
    return isinstance(field, Int | Float)


def _special(field: Field, value: float) -> bool:
    return isinstance(field, Float) and field.contains(value)


def _ends(field: Field) -> tuple[float, float]:
    low, high = field.span
    return (low, high) if _numeric(field) else (low - 0.5, high + 0.5)


def _features(field: Field, column: Rows) -> Rows:
    if isinstance(field, Int | Float):
        return np.asarray(field.decompress_many(column), dtype=float)
    return np.clip(np.rint(column), *field.span) + 0.0  # no place is a negative zero
