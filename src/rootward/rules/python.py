"""Rules as Python expressions that hold for exactly the same plain values.

Python's own comparisons take True for 1 and refuse to order None, so a comparison with a number first asks for the
type. ``-0.0`` and NaN are asked for by name. A function brings along what its expression calls.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Any

from rootward.keys import canonical
from rootward.rules import arithmetic
from rootward.rules.atoms import Atom, is_nan, is_negative_zero, kind
from rootward.rules.constants import number_source
from rootward.rules.quantity import Quantity, is_comparison, python_source
from rootward.rules.terms import Literal, Term

WIDE = 100
"""A line of a function that would be longer is written as several."""
_IS_NUMBER = "type({0}) in (int, float)"


def python_expression(terms: Sequence[Term], argument: str) -> str:
    if not terms:
        return "False"
    if not all(terms):
        return "True"
    several = len(terms) > 1
    return " or ".join(_grouped(_term(term, argument), several) for term in terms)


def python_function(terms: Sequence[Term], name: str, argument: str = "c") -> str:
    """A function that runs as it stands: the imports that it needs stand before it."""
    expression = python_expression(terms, argument)
    line = f"    return {expression}"
    body = line if len(line) <= WIDE else f"    return (\n{_laid_out(terms, argument)}\n    )"
    return f"{_imports(expression)}def {name}({argument}):\n{body}\n"


def _imports(expression: str) -> str:
    named = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
    called = sorted(name for name in named & arithmetic.NAMES.keys() if hasattr(arithmetic, name))  # abs is Python's
    own = ["from rootward.keys import canonical"] if "canonical" in named else []
    own += [f"from rootward.rules.arithmetic import {', '.join(called)}"] if called else []
    blocks = [*(["import math"] if "math" in named else []), *(["\n".join(own)] if own else [])]
    return "\n\n".join(blocks) + "\n\n\n" if blocks else ""


def _laid_out(terms: Sequence[Term], argument: str) -> str:
    """A line for each term; where one is too long, for each of its literals."""
    if len(terms) == 1:
        return _joined("and", _literals(terms[0], argument), 8)
    return _joined("or", [_group(_literals(term, argument)) for term in terms], 8)


def _group(literals: Sequence[str]) -> str:
    line = _grouped(" and ".join(literals), True)
    short = len(line) <= WIDE - len("        or ") or len(literals) == 1
    return line if short else f"(\n{_joined('and', literals, 12)}\n        )"


def _joined(word: str, parts: Sequence[str], indent: int) -> str:
    return "\n".join(f"{' ' * indent}{f'{word} ' if place else ''}{part}" for place, part in enumerate(parts))


def _term(term: Term, argument: str) -> str:
    return " and ".join(_literals(term, argument))


def _literals(term: Term, argument: str) -> list[str]:
    return [_literal(literal, _name(literal.field, argument)) for literal in term]


def _name(field: str, argument: str) -> str:
    if isinstance(field, Quantity):
        return python_source(field, {name: _name(name, argument) for name in field.fields})
    return f"{argument}[{_text(field)}]"


def _literal(literal: Literal, name: str) -> str:
    if isinstance(literal.field, Quantity):
        return _of_quantity(literal, name)
    values = [one.atoms[0].value for one in literal.alternatives] if literal.listed else []
    kinds = {_simple_kind(value) for value in values}
    if len(values) > 1 and kinds in ({"number"}, {"text"}):
        among = f"{name} in ({', '.join(map(_constant, values))})"
        return f"{_IS_NUMBER.format(name)} and {among}" if kinds == {"number"} else among
    choices = [" and ".join(_atom(atom, name) for atom in one) for one in literal.alternatives]
    return choices[0] if len(choices) == 1 else "(" + " or ".join(_grouped(choice, True) for choice in choices) + ")"


def _of_quantity(literal: Literal, source: str) -> str:
    """What is said about a quantity: its value is a number (or a bool) already, so its type needs no asking."""
    atoms = [[_compared(atom, source) for atom in one] for one in literal.alternatives]
    choices = [" and ".join(one) for one in atoms]
    return choices[0] if len(choices) == 1 else "(" + " or ".join(_grouped(choice, True) for choice in choices) + ")"


def _compared(atom: Atom, source: str) -> str:
    if is_comparison(atom.field):
        return source if atom.value is (atom.op == "=") else f"not ({source})"
    if is_nan(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}undefined({source})"
    if is_negative_zero(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}is_minus_zero({source})"
    return f"{source} {'==' if atom.op == '=' else atom.op} {_constant(atom.value)}"


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
    return number_source(value)


def _grouped(text: str, wanted: bool) -> str:
    return f"({text})" if wanted and (" and " in text or " or " in text) else text
