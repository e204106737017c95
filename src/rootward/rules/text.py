"""Rules as an engineer would say them: ``0 <= speed < 10 and gear in {N, R}``.

Text stands bare where it cannot be taken for anything else, and quoted elsewhere; long sets are cut short, here only.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Sequence
from typing import Any

from rootward.rules.atoms import ORDERINGS, Atom, Conjunction, is_nan, kind
from rootward.rules.constants import constant_text, number_text
from rootward.rules.quantity import COMPARISONS, INTEGRAL, Quantity, is_comparison
from rootward.rules.terms import Literal, Term

SHOWN = 8
"""A set with more values than this is cut short to its first few."""

_BARE = re.compile(r"[^\W\d][\w.\-]*")
_FIELD = re.compile(r"[^\W\d][\w.\-\[\]/:]*")
_CONSTANTS = ("true", "false", "none", "null", "nan", "inf", "infinity")
_RESERVED = frozenset([*_CONSTANTS, "and", "or", "not", "in", "is", "always", "never"])
_LEVELS = (COMPARISONS, ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_BINDING = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_TIGHT = 9
_MIRRORED = {">": "<", ">=": "<="}


def rule_text(terms: Sequence[Term]) -> str:
    """The whole rule: ``never`` without a term, ``always`` with an empty one."""
    if not terms:
        return "never"
    if not all(terms):
        return "always"
    return " or ".join(_term_text(term, alone=len(terms) == 1) for term in terms)


def _term_text(term: Term, *, alone: bool) -> str:
    # Ranges read best first: they say where, the rest says which.
    ordered = sorted(term, key=lambda literal: not _is_range(literal))
    if len(ordered) == 1 and alone:
        return literal_text(ordered[0].field, ordered[0].alternatives)
    text = " and ".join(_inner(literal) for literal in ordered)
    return text if alone or " and " not in text else f"({text})"


def _inner(literal: Literal) -> str:
    text = literal_text(literal.field, literal.alternatives)
    return text if literal.listed or len(literal.alternatives) == 1 else f"({text})"


def _is_range(literal: Literal) -> bool:
    return any(atom.op in ORDERINGS for one in literal.alternatives for atom in one)


def literal_text(field: str, alternatives: Sequence[Conjunction]) -> str:
    """What is said about one field: the values it may equal in one set, then the ranges."""
    if is_comparison(field):
        return " or ".join(" and ".join(_comparison_text(atom) for atom in one) for one in alternatives)
    singles = [one.atoms[0] for one in alternatives if len(one) == 1 and one.atoms[0].op == "="]
    others = [one for one in alternatives if not (len(one) == 1 and one.atoms[0].op == "=")]
    name = field_text(field)
    listed = [_listed_text(name, [atom.value for atom in singles], "=", "is", "in")] if singles else []
    ranges = [_conjunction_text(name, one) for one in others]
    several = len(listed) + len(ranges) > 1
    return " or ".join([f"({text})" if several and " and " in text else text for text in ranges] + listed)


def _comparison_text(atom: Atom) -> str:
    return f"{atom.field}" if atom.value is (atom.op == "=") else f"not ({atom.field})"


def _conjunction_text(name: str, atoms: Conjunction) -> str:
    by_op: dict[str, list[Atom]] = {}
    for atom in atoms:
        by_op.setdefault(atom.op, []).append(atom)
    lower = [*by_op.get(">", ()), *by_op.get(">=", ())]
    upper = [*by_op.get("<", ()), *by_op.get("<=", ())]
    parts = [f"{name} = {value_text(atom.value)}" for atom in by_op.get("=", ())]
    if len(lower) == len(upper) == 1:
        low, high = lower[0], upper[0]
        parts.append(f"{_bound(low)} {_MIRRORED[low.op]} {name} {high.op} {_bound(high)}")
    else:
        parts += [f"{name} {atom.op} {_bound(atom)}" for atom in (*lower, *upper)]
    if excluded := [atom.value for atom in by_op.get("!=", ())]:
        parts.append(_listed_text(name, excluded, "!=", "is not", "not in"))
    return " and ".join(parts)


def _bound(atom: Atom) -> str:
    return constant_text(atom.value) if kind(atom.value) == "number" else value_text(atom.value)


def _listed_text(name: str, values: Sequence[Any], single: str, special: str, several: str) -> str:
    if len(values) > 1:
        return f"{name} {several} {set_text(values)}"
    word = special if values[0] is None or is_nan(values[0]) else single
    return f"{name} {word} {value_text(values[0])}"


def set_text(values: Sequence[Any]) -> str:
    """``{1, 2, 3}``, or the first few and how many there are."""
    if len(values) <= SHOWN:
        return "{" + ", ".join(map(value_text, values)) + "}"
    return "{" + ", ".join(map(value_text, values[: SHOWN - 2])) + f", ... {len(values)} values" + "}"


def field_text(field: str) -> str:
    """The name of a field, or a quantity, as it stands before an operator."""
    if isinstance(field, Quantity):
        # C and Python disagree on what ``flags & 4 == 0`` means.
        return f"({field})" if field.op in INTEGRAL or field.is_comparison else str(field)
    return field if _FIELD.fullmatch(field) and field.lower() not in _RESERVED else _quoted(field)


def quantity_text(op: str, parts: Sequence[Any]) -> str:
    """An expression with as few parentheses as a reader of code needs."""
    if op == "wrap":
        inner, bits, signed = parts
        return f"{'' if signed else 'u'}int{bits}({_part_text(inner)})"
    if op not in _BINDING:
        return f"{op}({', '.join(map(_part_text, parts))})"
    left, right = parts
    if op == "+" and not isinstance(right, str) and right < 0:
        op, right = "-", -right
    return f"{_operand_text(op, left, 0)} {op} {_operand_text(op, right, 1)}"


def _operand_text(op: str, part: Any, place: int) -> str:
    """Equal operators stand without parentheses on the left only: floats are not associative."""
    text = _part_text(part)
    mixed = isinstance(part, Quantity) and part.op in _BINDING and (op in INTEGRAL or part.op in INTEGRAL)
    return f"({text})" if mixed or _binding(part, text, place) < _BINDING[op] + place else text


def _part_text(part: Any) -> str:
    if isinstance(part, Quantity):
        return str(part)
    return field_text(part) if isinstance(part, str) else constant_text(part)


def _binding(part: Any, text: str, place: int) -> int:
    """How tightly a part holds together."""
    if isinstance(part, Quantity):
        return _BINDING.get(part.op, _TIGHT)
    if isinstance(part, str):
        return _TIGHT
    sums, products = re.search(r" [+-] ", text), re.search(r" [*/] ", text)
    return _BINDING["+"] if sums or (place and text[0] == "-") else _BINDING["*"] if products else _TIGHT


def value_text(value: Any) -> str:
    """One constant."""
    if value is None:
        return "none"
    match kind(value):
        case "bool":
            return "true" if value else "false"
        case "number":
            return "NaN" if is_nan(value) else number_text(value)
        case "text":
            return value if _BARE.fullmatch(value) and value.lower() not in _RESERVED else _quoted(value)
    return _nested_text(value)


def _nested_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(value_text, value))) + "}"
    return str(value) if isinstance(value, enum.Enum) else repr(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
