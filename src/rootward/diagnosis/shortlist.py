"""A shorter list of values for each field: enough to see whether it matters.

Which fields matter is asked of all values of all fields at once, so the longest list sets the price. The condition that
is learnt afterwards does not rest on these values; so a field with many of them gets the exceptional ones that most
faults are about (the ends, zero and its neighbours, NaN and the infinities), and some of the others, evenly spread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rootward.space import Choice, Field, Float, Int, Space, Text

MOST = 20
"""So many values of a field are tried."""
PLAIN = 40
"""Longer texts than this are left out."""


def shortlisted(space: Space, fixed: Mapping[str, Any]) -> Space:
    """The same fields with few values each; those that are ``fixed`` have only that one."""
    made: dict[Field, Field] = {}
    fields: list[tuple[str, Field]] = []
    for name, field in space.items():
        if name in fixed:
            fields.append((name, Choice([fixed[name]])))
        else:
            fields.append((name, made.setdefault(field, _few(field)) if len(field.values) > MOST else field))
    return Space(fields)


def _few(field: Field) -> Field:
    if isinstance(field, Text):
        return Text(_spread([text for text in field.values if len(text) <= PLAIN], MOST))
    if not isinstance(field, Int | Float):
        return field
    special = [value for value in field.values if value in (-1, 0, 1) or not math.isfinite(value)]
    special += [field.values[0], field.values[-1]]
    others = _spread([value for value in field.values if math.isfinite(value)], MOST - len(special))
    values = {repr(value): value for value in (*special, *others)}.values()
    if isinstance(field, Int):
        return Int(field.lo, field.hi, field.bits, field.signed, values)
    return Float(field.lo, field.hi, field.bits, values)


def _spread(values: list[Any], wanted: int) -> list[Any]:
    """So many of them, the first and the last among them, evenly spread."""
    last = len(values) - 1
    return [values[i] for i in sorted({round(place * last / (wanted - 1)) for place in range(wanted)})]
