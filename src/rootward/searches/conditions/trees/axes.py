"""The fields that may change, as axes of symmetric-log space, and the trials so far as points in it.

Every sampler and every distance of ALO-Trees works on *places*: one number per axis, compressed by the field itself.
The tree works on *features*: numbers unchanged, and the place of values from a list. Special values (NaN and the
infinities) are the same in both; they have no position on an axis.

A *domain* is a part of the space in which the same fields have the same special values. Distances are meaningless for
special values, so within a domain the fields that have them are ignored and the rest is geometry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.space.space import Choice, Field, Float, Int, Space, Text

Rows = NDArray[np.float64]
"""One point per row, one axis per column."""
SPECIAL = (np.nan, np.inf, -np.inf)
Domain = tuple[int, ...]
"""Per axis: 0 for any finite place, else 1 + the position in SPECIAL."""


class Axes:
    """The ``fields`` of the space that may change; None means all. Other fields keep their value in ``failing``."""

    def __init__(self, space: Space, failing: Mapping[str, Any] | None, fields: Sequence[str] | None = None) -> None:
        if fields is not None and failing is None:
            raise InputError("fields needs a failing configuration: the other fields keep its values")
        self.origin = {} if failing is None else space.check(failing)
        kept = space if fields is None else space.restrict(fields)
        self.space, self.names = space, kept.names
        self.fields = [_axis(field, self.origin.get(name)) for name, field in kept.items()]
        self.specials = [tuple(value for value in SPECIAL if _is_special(field, value)) for field in self.fields]
        """Per axis, its possible special values."""
        self.numbers = np.array([isinstance(field, Int | Float) for field in self.fields])
        ends = [_ends(field) for field in self.fields]
        self.low, self.high = (np.array(side, dtype=float) for side in zip(*ends, strict=True))
        """Per axis, the range of places; a listed value owns half a unit on either side of its place."""

    def __len__(self) -> int:
        return len(self.names)

    def places(self, configuration: Mapping[str, Any]) -> Rows:
        """Return the point of a configuration."""
        pairs = zip(self.fields, self.names, strict=True)
        return np.array([field.compress(configuration[name]) for field, name in pairs], dtype=float)

    def features(self, places: Rows) -> Rows:
        """Return the features of each point, which the tree works on."""
        return np.column_stack([_features(field, column) for field, column in zip(self.fields, places.T, strict=True)])

    def features_of(self, configuration: Mapping[str, Any]) -> Rows:
        """Return the features of a configuration, computed from its values directly.

        Compressing the values to places first could change the last bit.
        """
        pairs = zip(self.fields, self.names, strict=True)
        values = [(field, configuration[name]) for field, name in pairs]
        return np.array([v if isinstance(f, Int | Float) else f.compress(v) for f, v in values], dtype=float)

    def snap(self, places: Rows) -> Rows:
        """Return the nearest points that are configurations."""
        columns = zip(self.fields, self.features(places).T, strict=True)
        return np.column_stack([field.compress_many(c) if _is_numeric(field) else c for field, c in columns])

    def configuration(self, place: Rows) -> dict[str, Any]:
        """Return the configuration nearest to a point, with the fixed values of the other fields."""
        chosen = {
            name: field.decompress(float(at)) for name, field, at in zip(self.names, self.fields, place, strict=True)
        }
        return {name: chosen[name] if name in chosen else self.origin[name] for name in self.space}


def _axis(field: Field, own: Any) -> Field:
    """Return the field. A Text becomes a choice of the texts that it lists and of ``own``: no other text has a place.

    ``own`` is the value in the failing configuration.
    """
    if isinstance(field, Text):
        return Choice(field.values if own is None or own in field.values else [*field.values, own])
    return field


def _is_numeric(field: Field) -> bool:
    return isinstance(field, Int | Float)


def _is_special(field: Field, value: float) -> bool:
    return isinstance(field, Float) and field.contains(value)


def _ends(field: Field) -> tuple[float, float]:
    low, high = field.span
    return (low, high) if _is_numeric(field) else (low - 0.5, high + 0.5)


def _features(field: Field, column: Rows) -> Rows:
    if isinstance(field, Int | Float):
        return np.asarray(field.decompress_many(column), dtype=float)
    return np.clip(np.rint(column), *field.span) + 0.0  # + 0.0 turns negative zeros into zeros


# Domains


def domain_of(place: Rows) -> Domain:
    """Return the domain of a point."""
    return tuple(map(int, codes(place)))


def codes(places: Rows) -> NDArray[np.int64]:
    """Return a code for each entry: 0 for a finite place, otherwise 1 + the index of the entry in SPECIAL."""
    found = np.zeros(places.shape, dtype=np.int64)
    found[np.isnan(places)] = 1
    found[places == np.inf] = 2
    found[places == -np.inf] = 3
    return found


def special_values(domain: Domain) -> Rows:
    """Return a point with the special values of the domain, and 0 elsewhere."""
    return np.array([SPECIAL[code - 1] if code else 0.0 for code in domain])


# Trials


class TrialData:
    """The trials so far: places for distances, features for the tree, and one label each.

    ``unjudged_places`` are points that were run but could not be judged; they have no label.
    """

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self._places: list[Rows] = []
        self._features: list[Rows] = []
        self._labels: list[bool] = []
        self._unjudged: list[Rows] = []

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, place: Rows, features: Rows, fails: bool) -> None:
        self._places.append(place)
        self._features.append(features)
        self._labels.append(fails)

    def add_unjudged(self, place: Rows) -> None:
        """Record a point that was run but could not be judged."""
        self._unjudged.append(place)

    @property
    def places(self) -> Rows:
        return np.array(self._places).reshape(-1, len(self.axes))

    @property
    def unjudged_places(self) -> Rows:
        return np.array(self._unjudged).reshape(-1, len(self.axes))

    @property
    def features(self) -> Rows:
        return np.array(self._features).reshape(-1, len(self.axes))

    @property
    def fails(self) -> NDArray[np.bool_]:
        return np.array(self._labels, dtype=bool)
