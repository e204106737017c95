"""The problem of every product-set search: a failing configuration, and the values that each field may take instead.

Searches work on numbers: field 0, 1, 2, ... and, for each, the places of its values. Fields that list the same values
share one domain, so 20,000 fields of three kinds need only three lists. The configuration for the subject is built only
when it is needed.
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
"""The fields that differ from the failing configuration: field -> place of its value."""


@dataclass(frozen=True, eq=False)
class FieldDomain:
    """The values that one field may have."""

    whole: tuple[Any, ...]
    """All values, in ascending order if they are ordered."""
    tried: tuple[int, ...]
    """The places in ``whole`` of the values that are tried: all of them if they are few."""
    ordered: bool

    def __len__(self) -> int:
        return len(self.tried)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The values that are tried."""
        return self.whole if not self.thinned else tuple(map(self.whole.__getitem__, self.tried))

    @cached_property
    def encoded(self) -> tuple[bytes, ...]:
        """The values that are tried, in canonical encoding."""
        return tuple(map(canonical, self.values))

    @cached_property
    def numbers(self) -> int:
        """Number of values tried that can be compared: all except NaN, which comes last."""
        last = self.values[-1]
        return len(self) - (isinstance(last, float) and math.isnan(last))

    @property
    def thinned(self) -> bool:
        return len(self.tried) < len(self.whole)


class Problem:
    """A space and a configuration in it that fails, as numbers."""

    def __init__(self, space: Space, failing: Mapping[str, Any], *, only: Container[int] | None = None) -> None:
        """``only``: the fields that may change; by default all."""
        self.space = space
        self.failing: dict[str, Any] = space.check(failing)
        self._origin = Origin(self.failing)
        self.names = space.names
        shared: dict[tuple[int, bytes], tuple[FieldDomain, int]] = {}
        found = []
        for i, (name, field) in enumerate(space.items()):
            own = self.failing[name]
            if only is not None and i not in only:
                found.append((FieldDomain((own,), (0,), field.ordered), 0))
                continue
            key = id(field.values), canonical(own)
            if key not in shared:
                shared[key] = _make_domain(field, own)
            found.append(shared[key])
        self.domains: list[FieldDomain] = [domain for domain, _ in found]
        self.own_places: list[int] = [place for _, place in found]
        """The place of each field's value in the failing configuration."""
        self.other_counts = np.array([len(domain) - 1 for domain in self.domains], dtype=np.int64)
        """Number of other values of each field to try."""

    def __len__(self) -> int:
        return len(self.names)

    def configuration(self, changes: Changes, whole: Mapping[int, int] | None = None) -> Variation:
        """Return the failing configuration with some values replaced.

        ``changes`` gives the places of new values among those that are tried, ``whole`` their places among all values.
        """
        domains = self.domains
        items = changes.items() if isinstance(changes, Mapping) else changes
        made = [(i, domains[i].values[place], domains[i].encoded[place]) for i, place in items]
        for i, place in (whole or {}).items():
            value = domains[i].whole[place]
            made.append((i, value, canonical(value)))
        return Variation(self._origin, made)


def _make_domain(field: Field, own: Any) -> tuple[FieldDomain, int]:
    """Return the domain of a field, and the place of ``own`` in it.

    ``own``: the field's value in the failing configuration.
    """
    values, place = _add_own(field, own)
    tried: Iterable[int] = range(len(values))
    if len(values) > (most := TUNING.max_values):
        tried = sorted({place, *(round(i * (len(values) - 1) / (most - 1)) for i in range(most))})
    tried = tuple(tried)
    return FieldDomain(values, tried, field.ordered), tried.index(place)


def _add_own(field: Field, own: Any) -> tuple[tuple[Any, ...], int]:
    """Return the values of a field, and the place of ``own`` among them.

    If ``own`` is a number or text that the field does not list, it is added.
    """
    values: tuple[Any, ...] = field.values
    if isinstance(field, Int | Float):
        place = bisect_left(values, order(own), key=order)
        if place < len(values) and order(values[place]) == order(own):
            return values, place
        return (*values[:place], own, *values[place:]), place
    if isinstance(field, Text) and own not in values:
        return (*values, own), len(values)
    return values, int(field.compress(own))
