"""The problem of every product-set search: a failing configuration, and for each field the values it may take instead.

Searches work on numbers: field 0, 1, 2, ... and, for each, the places of its values. Fields that list the same values
share one domain, so 20,000 fields of three kinds cost three lists. What a subject gets is made when it is asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rootward.searches.products.tuning import TUNING
from rootward.space.candidate import Origin, Variation
from rootward.space.exceptional_values import order
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Space, Text

Changes = Mapping[int, int] | Iterable[tuple[int, int]]
"""Which fields differ from the failing configuration: field -> place of its value."""


@dataclass(frozen=True, eq=False)
class Domain:
    """What one field may hold."""

    whole: tuple[Any, ...]
    """All values, ascending where they have an order."""
    tried: tuple[int, ...]
    """The places in ``whole`` of those that are tried: all, if they are few."""
    ordered: bool

    def __len__(self) -> int:
        return len(self.tried)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """Those that are tried."""
        return self.whole if not self.thinned else tuple(map(self.whole.__getitem__, self.tried))

    @cached_property
    def encoded(self) -> tuple[bytes, ...]:
        """The same, in canonical encoding."""
        return tuple(map(canonical, self.values))

    @cached_property
    def numbers(self) -> int:
        """How many of the values tried lie on the axis: NaN, which comes last, does not."""
        last = self.values[-1]
        return len(self) - (isinstance(last, float) and math.isnan(last))

    @property
    def thinned(self) -> bool:
        return len(self.tried) < len(self.whole)


class Problem:
    """``space`` and a configuration in it that fails, in numbers."""

    def __init__(self, space: Space, failing: Mapping[str, Any], *, only: Container[int] | None = None) -> None:
        """``only``: the fields that may change, if not all of them."""
        self.space = space
        self.failing: dict[str, Any] = space.check(failing)
        self._origin = Origin(self.failing)
        self.names = space.names
        shared: dict[tuple[int, bytes], tuple[Domain, int]] = {}
        found = []
        for i, (name, field) in enumerate(space.items()):
            own = self.failing[name]
            if only is not None and i not in only:
                found.append((Domain((own,), (0,), field.ordered), 0))
                continue
            key = id(field.values), canonical(own)
            if key not in shared:
                shared[key] = _domain(field, own)
            found.append(shared[key])
        self.domains: list[Domain] = [domain for domain, _ in found]
        self.seed: list[int] = [place for _, place in found]
        """The place of each field's own value, that of the failing configuration."""
        self.others = np.array([len(domain) - 1 for domain in self.domains], dtype=np.int64)
        """How many values of each field are tried instead of its own."""

    def __len__(self) -> int:
        return len(self.names)

    def configuration(self, changes: Changes, whole: Mapping[int, int] | None = None) -> Variation:
        """The failing configuration with some values replaced; ``whole``: by their places among all values."""
        domains = self.domains
        items = changes.items() if isinstance(changes, Mapping) else changes
        made = [(i, domains[i].values[place], domains[i].encoded[place]) for i, place in items]
        for i, place in (whole or {}).items():
            value = domains[i].whole[place]
            made.append((i, value, canonical(value)))
        return Variation(self._origin, made)


def _domain(field: Field, own: Any) -> tuple[Domain, int]:
    """The domain of a field whose own value is ``own``, and the place of that value in it."""
    values, place = _with_own(field, own)
    tried: Iterable[int] = range(len(values))
    if len(values) > (most := TUNING.max_values):
        tried = sorted({place, *(round(i * (len(values) - 1) / (most - 1)) for i in range(most))})
    tried = tuple(tried)
    return Domain(values, tried, field.ordered), tried.index(place)


def _with_own(field: Field, own: Any) -> tuple[tuple[Any, ...], int]:
    """The field's values with its own among them, and its place: a number or a text need not be listed."""
    values: tuple[Any, ...] = field.values
    if isinstance(field, Int | Float):
        place = bisect_left(values, order(own), key=order)
        if place < len(values) and order(values[place]) == order(own):
            return values, place
        return (*values[:place], own, *values[place:]), place
    if isinstance(field, Text) and own not in values:
        return (*values, own), len(values)
    return values, int(field.compress(own))
