"""Rules as Python expressions that hold for exactly the same plain values.

Python's own comparisons take True for 1 and refuse to order None, so a comparison with a number first asks for the
type. ``-0.0`` and NaN are asked for by name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from rootward.keys import canonical
from rootward.rules.atoms import Atom, is_nan, is_negative_zero, kind
from rootward.rules.terms import Literal, Term
from rootward.rules.text import number_text

_IS_NUMBER = "type({0}) in (int, float)"


def python_expression(terms: Sequence[Term], argument: str) -> str:
    if not terms:
        return "False"
    if not all(terms):
        return "True"
    several = len(terms) > 1
    return " or ".join(_grouped(_term(term, argument), several) for term in terms)


def _term(term: Term, argument: str) -> str:
    parts = [_literal(literal, f"{argument}[{_text(literal.field)}]") for literal in term]
    return " and ".join(parts)


def _literal(literal: Literal, name: str) -> str:
    values = [one.atoms[0].value for one in literal.alternatives] if literal.listed else []
    kinds = {_simple_kind(value) for value in values}
    if len(values) > 1 and kinds in ({"number"}, {"text"}):
        among = f"{name} in ({', '.join(map(_constant, values))})"
        return f"{_IS_NUMBER.format(name)} and {among}" if kinds == {"number"} else among
    choices = [" and ".join(_atom(atom, name) for atom in one) for one in literal.alternatives]
    return choices[0] if len(choices) == 1 else "(" + " or ".join(_grouped(choice, True) for choice in choices) + ")"


def _simple_kind(value: Any) -> str:
    """The kind of values that ``in`` treats as a rule does."""
    return "other" if is_nan(value) or is_negative_zero(value) else kind(value)


def _atom(atom: Atom, name: str) -> str:
    if atom.op == "=":
        return _equal(atom.value, name)
    if atom.op == "!=":
        return _unequal(atom.value, name)
    of_kind = _IS_NUMBER.format(name) if kind(atom.value) == "number" else f"type({name}) is str"
    return f"{of_kind} and {name} {atom.op} {_constant(atom.value)}"


def _equal(value: Any, name: str) -> str:
    if value is None or isinstance(value, bool):
        return f"{name} is {value}"
    if is_nan(value):
        return f"type({name}) is float and math.isnan({name})"
    if is_negative_zero(value):
        return f"type({name}) is float and {name} == 0 and math.copysign(1, {name}) < 0"
    match kind(value):
        case "text":
            return f"{name} == {_text(value)}"
        case "number":
            return f"{_IS_NUMBER.format(name)} and {name} == {_constant(value)}"
    return f"canonical({name}) == {canonical(value)!r}"


def _unequal(value: Any, name: str) -> str:
    if value is None or isinstance(value, bool):
        return f"{name} is not {value}"
    if kind(value) == "text":
        return f"{name} != {_text(value)}"
    return f"not ({_equal(value, name)})"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(str(value))


def _constant(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return number_text(value)


def _grouped(text: str, wanted: bool) -> str:
    return f"({text})" if wanted and (" and " in text or " or " in text) else text
