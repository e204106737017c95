"""Find the fields that matter, before a condition is learnt on them.

One search tries the values of all fields together (`columns`), so its cost depends on the longest list of values. The
condition that is learnt afterwards does not depend on these lists, so they can be short: a field with many values gets
the exceptional ones that most faults are about (the ends, zero and its neighbours, NaN and the infinities), and some of
the others, evenly spread.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from rootward.search.ask import Search
from rootward.searches.products.columns import columns
from rootward.searches.products.product_set import ProductSet
from rootward.space.candidate import Configuration
from rootward.space.space import Choice, Field, Float, Int, Space, Text

MAX_VALUES = 20
"""Maximum number of values tried per field."""
MAX_TEXT = 40
"""Maximum length of the texts tried."""


def search_fields(
    space: Space, failing: Mapping[str, Any], *, fixed: Collection[str] = (), rate: float = 1.0, seed: int = 0
) -> Search[Configuration, ProductSet]:
    """Return the search for the fields that matter around a failing configuration.

    ``fixed``: fields that keep their value in ``failing``. ``rate``: how often the failure shows.
    """
    around = shorten_lists(space, {name: failing[name] for name in fixed})
    return columns(around, failing, rate=rate, seed=seed)


def shorten_lists(space: Space, fixed: Mapping[str, Any]) -> Space:
    """Return the same fields with few values each.

    ``fixed``: values of some fields. Such a field has no other value in the result.
    """
    made: dict[Field, Field] = {}
    fields: list[tuple[str, Field]] = []
    for name, field in space.items():
        if name in fixed:
            fields.append((name, Choice([fixed[name]])))
        else:
            many = len(field.values) > MAX_VALUES
            fields.append((name, made.setdefault(field, _shorten(field)) if many else field))
    return Space(fields)


def _shorten(field: Field) -> Field:
    if isinstance(field, Text):
        short = [text for text in field.values if len(text) <= MAX_TEXT]
        return Text(_pick_evenly(short, MAX_VALUES))
    if not isinstance(field, Int | Float):
        return field
    special = [value for value in field.values if value in (-1, 0, 1) or not math.isfinite(value)]
    special += [field.values[0], field.values[-1]]
    others = _pick_evenly([value for value in field.values if math.isfinite(value)], MAX_VALUES - len(special))
    values = {repr(value): value for value in (*special, *others)}.values()
    if isinstance(field, Int):
        return Int(field.lo, field.hi, field.bits, field.signed, values)
    return Float(field.lo, field.hi, field.bits, values)


def _pick_evenly(values: list[Any], wanted: int) -> list[Any]:
    """Return ``wanted`` of the values, evenly spread, including the first and the last."""
    last = len(values) - 1
    return [values[i] for i in sorted({round(place * last / (wanted - 1)) for place in range(wanted)})]
