"""Write values, fields and comparisons for a person: ``0 <= speed < 10``, ``gear in {N, R}``.

Text is quoted only where it could be mistaken for something else. Long sets and texts are cut, here and nowhere else.
Atoms, terms and rules build their texts from these functions, so this module does not depend on them: it takes a
comparison as an operator and a constant.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from typing import Any

from rootward.rules.constants import RESERVED, constant_text, is_nan, kind, number_text, quote
from rootward.rules.quantity import INTEGRAL, Quantity, balanced_text, is_comparison, name_text, predicate_text

MAX_LISTED_VALUES = 8
"""Maximum number of values of a set that are all written; longer sets are cut to their first few."""
MAX_TEXT, KEPT_TEXT = 80, 40
"""A longer text is cut to its first characters, and its length is added. The data of a finding has the whole text."""
Comparison = tuple[str, Any]
"""An operator and a constant."""

_BARE = re.compile(r"[^\W\d][\w.\-]*")
_MIRRORED = {">": "<", ">=": "<="}


def literal_text(field: str, alternatives: Sequence[Sequence[Comparison]]) -> str:
    """Write the disjunction of the alternatives. Each alternative is a conjunction.

    The ranges come first, then all listed values as one set.
    """
    if is_comparison(field):
        return " or ".join(" and ".join(_truth_text(field, said) for said in one) for one in alternatives)
    if isinstance(field, Quantity) and len(alternatives) == 1 and len(alternatives[0]) == 1:
        [(op, value)] = alternatives[0]
        if kind(value) == "number" and (balanced := balanced_text(field, op, value)) is not None:
            return balanced
    name = field_text(field)
    values = [one[0][1] for one in alternatives if _is_value(one)]
    listed = [_listed_text(name, values, "=", "is", "in")] if values else []
    ranges = [_conjunction_text(name, one) for one in alternatives if not _is_value(one)]
    several = len(listed) + len(ranges) > 1
    return " or ".join([f"({text})" if several and " and " in text else text for text in ranges] + listed)


def _is_value(one: Sequence[Comparison]) -> bool:
    return len(one) == 1 and one[0][0] == "="


def _truth_text(field: Quantity, said: Comparison) -> str:
    op, value = said
    if field.is_predicate:
        return predicate_text(field.op, field.parts, wanted=value is (op == "="))
    return f"{field}" if value is (op == "=") else f"not ({field})"


def _conjunction_text(name: str, comparisons: Sequence[Comparison]) -> str:
    by_op: dict[str, list[Any]] = {}
    for op, value in comparisons:
        by_op.setdefault(op, []).append(value)
    lower = [(op, value) for op in (">", ">=") for value in by_op.get(op, ())]
    upper = [(op, value) for op in ("<", "<=") for value in by_op.get(op, ())]
    parts = [f"{name} = {value_text(value)}" for value in by_op.get("=", ())]
    if len(lower) == len(upper) == 1:
        [(above, low)], [(below, high)] = lower, upper
        parts.append(f"{_bound(low)} {_MIRRORED[above]} {name} {below} {_bound(high)}")
    else:
        parts += [f"{name} {op} {_bound(value)}" for op, value in (*lower, *upper)]
    if excluded := by_op.get("!="):
        parts.append(_listed_text(name, excluded, "!=", "is not", "not in"))
    return " and ".join(parts)


def _bound(value: Any) -> str:
    return constant_text(value) if kind(value) == "number" else value_text(value)


def _listed_text(name: str, values: Sequence[object], single: str, special: str, several: str) -> str:
    if len(values) > 1:
        return f"{name} {several} {set_text(values)}"
    word = special if values[0] is None or is_nan(values[0]) else single
    return f"{name} {word} {value_text(values[0])}"


def set_text(values: Sequence[object]) -> str:
    """Write a set as ``{1, 2, 3}``. Of a large set, write only the first few values and the number of values."""
    if len(values) <= MAX_LISTED_VALUES:
        return "{" + ", ".join(map(value_text, values)) + "}"
    return "{" + ", ".join(map(value_text, values[: MAX_LISTED_VALUES - 2])) + f", ... {len(values)} values" + "}"


def field_text(field: str) -> str:
    """Write the name of a field, or a quantity, as the left side of a comparison."""
    if isinstance(field, Quantity):
        # C and Python disagree on what ``flags & 4 == 0`` means.
        return f"({field})" if field.op in INTEGRAL or field.is_comparison else str(field)
    return name_text(field)


def value_text(value: Any) -> str:
    """Write one value."""
    if value is None:
        return "none"
    match kind(value):
        case "bool":
            return "true" if value else "false"
        case "number":
            return "NaN" if is_nan(value) else number_text(value)
        case "text":
            if len(value) > MAX_TEXT:
                return f"{quote(value[:KEPT_TEXT])}... ({len(value):,} characters)"
            return value if _BARE.fullmatch(value) and value.lower() not in RESERVED else quote(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(value_text, value))) + "}"
    return str(value) if isinstance(value, enum.Enum) else repr(value)
