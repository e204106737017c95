"""Rules as Python expressions that hold for exactly the same plain values.

Python's own comparisons take True for 1 and refuse to order None, so a comparison with a number first asks for the
type. ``-0.0`` and NaN are asked for by name. A function brings along what its expression calls.
"""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.rules import arithmetic
from rootward.rules.atoms import Atom
from rootward.rules.constants import is_nan, is_negative_zero, kind, number_source
from rootward.rules.quantity import Quantity, is_comparison, python_source
from rootward.rules.terms import Literal, Term
from rootward.space.keys import canonical

WIDE = 100
"""Columns of a line."""
STEP = 4
_IS_NUMBER = "type({0}) in (int, float)"


def python_expression(terms: Sequence[Term], argument: str) -> str:
    return on_one_line(_expression(terms, argument))


def python_function(terms: Sequence[Term], name: str, argument: str = "c") -> str:
    """A function that runs as it stands: the imports that it needs stand before it."""
    expression = _expression(terms, argument)
    text = on_one_line(expression)
    line = f"    return {text}"
    body = line if len(line) <= WIDE else f"    return (\n{on_lines(expression, 8)}\n    )"
    return f"{_imports(text)}def {name}({argument}):\n{body}\n"


def _expression(terms: Sequence[Term], argument: str) -> Expression:
    if not terms:
        return "False"
    if not all(terms):
        return "True"
    return Joined("or", tuple(Joined("and", _literals(term, argument)) for term in terms))


def _imports(expression: str) -> str:
    named = _names(expression)
    called = sorted(name for name in named & arithmetic.NAMES.keys() if hasattr(arithmetic, name))  # abs is Python's
    own = ["from rootward.space.keys import canonical"] if "canonical" in named else []
    own += [f"from rootward.rules.arithmetic import {', '.join(called)}"] if called else []
    blocks = [*(["import math"] if "math" in named else []), *(["\n".join(own)] if own else [])]
    return "\n\n".join(blocks) + "\n\n\n" if blocks else ""


def _names(expression: str) -> set[str]:
    """The names that the expression uses, without attributes. The tokens tell them: before Python 3.11.8, ``ast.parse``
    may raise a SystemError while another thread runs."""
    tokens = list(tokenize.generate_tokens(io.StringIO(expression).readline))
    before = [None, *tokens[:-1]]
    return {
        token.string
        for token, last in zip(tokens, before, strict=True)
        if token.type == tokenize.NAME and not (last is not None and last.string == ".")
    }


def _literals(term: Term, argument: str) -> tuple[Expression, ...]:
    return tuple(_literal(literal, _name(literal.field, argument)) for literal in term)


def _name(field: str, argument: str) -> str:
    if isinstance(field, Quantity):
        return python_source(field, {name: _name(name, argument) for name in field.fields})
    return f"{argument}[{_text(field)}]"


def _literal(literal: Literal, name: str) -> Expression:
    if isinstance(literal.field, Quantity):  # its value is a number (or a bool) already: its type needs no asking
        return _choices([[_compared(atom, name) for atom in one] for one in literal.alternatives])
    values = [one.atoms[0].value for one in literal.alternatives] if literal.listed else []
    kinds = {_simple_kind(value) for value in values}
    if len(values) > 1 and kinds in ({"number"}, {"text"}):
        among = Among(name, tuple(map(_constant, values)))
        return Joined("and", (_IS_NUMBER.format(name), among)) if kinds == {"number"} else among
    return _choices([[_atom(atom, name) for atom in one] for one in literal.alternatives])


def _choices(alternatives: Sequence[Sequence[Expression]]) -> Expression:
    return Joined("or", tuple(Joined("and", tuple(atoms)) for atoms in alternatives))


def _compared(atom: Atom, source: str) -> str:
    if is_comparison(atom.field):
        return source if atom.value is (atom.op == "=") else f"not ({source})"
    if is_nan(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}undefined({source})"
    if is_negative_zero(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}is_minus_zero({source})"
    return f"{source} {'==' if atom.op == '=' else atom.op} {_constant(atom.value)}"


def _simple_kind(value: object) -> str:
    """The kind of values that ``in`` treats as a rule does."""
    return "other" if is_nan(value) or is_negative_zero(value) else kind(value)


def _atom(atom: Atom, name: str) -> Expression:
    if atom.op == "=":
        return _equal(atom.value, name)
    if atom.op == "!=":
        return _unequal(atom.value, name)
    of_kind = _IS_NUMBER.format(name) if kind(atom.value) == "number" else f"type({name}) is str"
    return Joined("and", (of_kind, f"{name} {atom.op} {_constant(atom.value)}"))


def _equal(value: Any, name: str) -> Expression:
    if value is None or isinstance(value, bool):
        return f"{name} is {value}"
    if is_nan(value):
        return Joined("and", (f"type({name}) is float", f"math.isnan({name})"))
    if is_negative_zero(value):
        return Joined("and", (f"type({name}) is float", f"{name} == 0", f"math.copysign(1, {name}) < 0"))
    match kind(value):
        case "text":
            return f"{name} == {_text(value)}"
        case "number":
            return Joined("and", (_IS_NUMBER.format(name), f"{name} == {_constant(value)}"))
    return f"canonical({name}) == {canonical(value)!r}"


def _unequal(value: Any, name: str) -> Expression:
    if value is None or isinstance(value, bool):
        return f"{name} is not {value}"
    if kind(value) == "text":
        return f"{name} != {_text(value)}"
    return f"not ({on_one_line(_equal(value, name))})"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(str(value))


def _constant(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    return number_source(value)


# Layout: a boolean expression on one line, or one part a line, in parentheses, where one line would be too wide. An
# expression is a text that stays as it is, parts joined by one word, or a list of values that one is looked for in.


@dataclass(frozen=True)
class Joined:
    """``a and b``, ``a or b``; a single part stands for itself."""

    word: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Among:
    """``name in (1, 2)``."""

    name: str
    values: tuple[str, ...]


Expression = str | Joined | Among


def on_one_line(expression: Expression) -> str:
    known = _bare(expression)
    if isinstance(known, Joined):
        return f" {known.word} ".join(_part(part, known.word) for part in known.parts)
    return known if isinstance(known, str) else f"{known.name} in ({', '.join(known.values)})"


def on_lines(expression: Expression, indent: int) -> str:
    """The same below each other, as it stands within parentheses."""
    return "\n".join(_lines(expression, "", indent, ""))


def _bare(expression: Expression) -> Expression:
    while isinstance(expression, Joined) and len(expression.parts) == 1:
        [expression] = expression.parts
    return expression


def _part(expression: Expression, word: str) -> str:
    """As it stands among others that are joined by the word: in parentheses if its own word is another one."""
    known = _bare(expression)
    text = on_one_line(known)
    return f"({text})" if isinstance(known, Joined) and known.word != word else text


def _lines(expression: Expression, lead: str, indent: int, word: str) -> Iterator[str]:
    """``lead`` stands before it, and ``word``, if any, joins it to its neighbours."""
    known, margin = _bare(expression), " " * indent
    line = f"{margin}{lead}{_part(known, word) if word else on_one_line(known)}"
    if len(line) <= WIDE or isinstance(known, str):
        yield line
    elif isinstance(known, Among):
        yield f"{margin}{lead}{known.name} in ("
        yield from _filled(known.values, indent + STEP)
        yield f"{margin})"
    elif word in ("", known.word):
        for place, part in enumerate(known.parts):
            yield from _lines(part, f"{known.word} " if place else lead, indent, known.word)
    else:
        yield f"{margin}{lead}("
        yield from _lines(known, "", indent + STEP, "")
        yield f"{margin})"


def _filled(values: tuple[str, ...], indent: int) -> Iterator[str]:
    """As many on a line as there is room for."""
    line = ""
    for value in values:
        more = f"{line} {value}," if line else f"{' ' * indent}{value},"
        if line and len(more) > WIDE:
            yield line
            more = f"{' ' * indent}{value},"
        line = more
    yield line
