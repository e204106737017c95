"""Write rules as Python expressions that hold for exactly the same plain values.

Python's own comparisons treat True as 1 and raise when they order None, so a comparison with a number first tests the
type. ``-0.0`` and NaN have tests of their own. A function comes with the imports that its expression needs.
"""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rootward.errors import InputError
from rootward.rules import arithmetic
from rootward.rules.atoms import Atom
from rootward.rules.constants import is_nan, is_negative_zero, kind, number_source
from rootward.rules.derivation import definition_of
from rootward.rules.expressions import inline_source, is_reference
from rootward.rules.quantity import Quantity, is_comparison, python_source, text_sources
from rootward.rules.terms import Literal, Term
from rootward.space.keys import canonical

MAX_LINE_LENGTH = 100
"""Maximum number of columns of a line."""
INDENT = 4
_IS_NUMBER = "type({0}) in (int, float)"


def python_expression(terms: Sequence[Term], argument: str) -> str:
    return on_one_line(_expression(terms, argument))


def python_function(terms: Sequence[Term], name: str, argument: str = "c") -> str:
    """Write a complete function, preceded by the imports that it needs."""
    expression = _expression(terms, argument)
    text = on_one_line(expression)
    line = f"    return {text}"
    body = line if len(line) <= MAX_LINE_LENGTH else f"    return (\n{on_lines(expression, 8)}\n    )"
    return f"{_imports(text, _list_modules(terms))}def {name}({argument}):\n{body}\n"


def _expression(terms: Sequence[Term], argument: str) -> Expression:
    if not terms:
        return "False"
    if not all(terms):
        return "True"
    return Junction("or", tuple(Junction("and", _literals(term, argument)) for term in terms))


def _list_modules(terms: Sequence[Term]) -> list[str]:
    """Return the imports of the functions that define derived quantities."""
    fields = {literal.field for term in terms for literal in term}
    sources = [definition_of(one) for one in fields if isinstance(one, Quantity) and one.is_derived]
    split = [source.split(":") for source in sources if is_reference(source)]
    return sorted({f"from {module} import {name.split('.')[0]}" for module, name in split})


def _imports(expression: str, functions: Sequence[str] = ()) -> str:
    named = _names(expression)
    called = sorted(name for name in named & arithmetic.NAMES.keys() if hasattr(arithmetic, name))  # abs is Python's
    own = ["from rootward.space.keys import canonical"] if "canonical" in named else []
    own += functions
    own += [f"from rootward.rules.arithmetic import {', '.join(called)}"] if called else []
    plain = [f"import {name}" for name in ("math", "re") if name in named]
    blocks = [*(["\n".join(plain)] if plain else []), *(["\n".join(own)] if own else [])]
    return "\n\n".join(blocks) + "\n\n\n" if blocks else ""


def _names(expression: str) -> set[str]:
    """Return the names that the expression uses, without attributes.

    The expression is tokenised instead of parsed, because before Python 3.11.8 ``ast.parse`` may raise a SystemError
    while another thread runs.
    """
    tokens = list(tokenize.generate_tokens(io.StringIO(expression).readline))
    before = [None, *tokens[:-1]]
    return {
        token.string
        for token, last in zip(tokens, before, strict=True)
        if token.type == tokenize.NAME and not (last is not None and last.string == ".")
    }


def _literals(term: Term, argument: str) -> tuple[Expression, ...]:
    return tuple(_literal(literal, _name(literal.field, argument), argument) for literal in term)


def _name(field: str, argument: str) -> str:
    if isinstance(field, Quantity):
        return python_source(field, {name: _name(name, argument) for name in field.fields})
    return f"{argument}[{_text(field)}]"


def _literal(literal: Literal, name: str, argument: str) -> Expression:
    if isinstance(literal.field, Quantity) and literal.field.is_derived:
        name = f"({_derived_source(literal.field, argument)})"
        return _choices([[_compare_derived(atom, name) for atom in one] for one in literal.alternatives])
    if isinstance(literal.field, Quantity) and _is_about_text(literal):
        return _choices([[_text_condition(atom, argument) for atom in one] for one in literal.alternatives])
    if isinstance(literal.field, Quantity):  # its value is always a number (or a bool), so its type needs no test
        return _choices([[_compare_quantity(atom, name) for atom in one] for one in literal.alternatives])
    values = [one.atoms[0].value for one in literal.alternatives] if literal.listed else []
    kinds = {_simple_kind(value) for value in values}
    if len(values) > 1 and kinds in ({"number"}, {"text"}):
        among = Membership(name, tuple(map(_constant, values)))
        return Junction("and", (_IS_NUMBER.format(name), among)) if kinds == {"number"} else among
    return _choices([[_atom(atom, name) for atom in one] for one in literal.alternatives])


def _choices(alternatives: Sequence[Sequence[Expression]]) -> Expression:
    return Junction("or", tuple(Junction("and", tuple(atoms)) for atoms in alternatives))


def _compare_quantity(atom: Atom, source: str) -> str:
    if is_comparison(atom.field):
        return source if atom.value is (atom.op == "=") else f"not ({source})"
    if is_nan(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}undefined({source})"
    if is_negative_zero(atom.value) and atom.op in ("=", "!="):
        return f"{'' if atom.op == '=' else 'not '}is_minus_zero({source})"
    return f"{source} {'==' if atom.op == '=' else atom.op} {_constant(atom.value)}"


def _derived_source(quantity: Quantity, argument: str) -> str:
    """Write the definition of a derived quantity. Like the user's own code, it may raise."""
    names = {name: _name(name, argument) for name in quantity.fields}
    source = definition_of(quantity)
    if not is_reference(source):
        return inline_source(source, names)
    function = source.partition(":")[2]
    if "<" in function:
        raise InputError(f"{quantity} is a function without a name, so it cannot be written: define it in a module")
    return f"{function}({', '.join(names.values())})"


def _compare_derived(atom: Atom, source: str) -> Expression:
    if kind(atom.value) == "bool":
        return source if atom.value is (atom.op == "=") else f"not {source}"
    return _compare_quantity(atom, source)


def _is_about_text(literal: Literal) -> bool:
    """Return True for predicates, and for comparisons of the length of a text with a number."""
    assert isinstance(literal.field, Quantity)
    constants = [atom.value for one in literal.alternatives for atom in one]
    return literal.field.is_predicate or (literal.field.op == "len" and not any(map(is_nan, constants)))


def _text_condition(atom: Atom, argument: str) -> Expression:
    """Write a predicate, or a comparison of the length of a text."""
    assert isinstance(atom.field, Quantity)
    guard, test = text_sources(atom.field, {name: _name(name, argument) for name in atom.field.fields})
    if atom.field.op == "len":
        test = f"{test} {'==' if atom.op in ('=', '!=') else atom.op} {_constant(atom.value)}"
        wanted = atom.op != "!="
    else:
        wanted = atom.value is (atom.op == "=")
    held = Junction("and", (guard, test))
    return held if wanted else f"not ({on_one_line(held)})"


def _simple_kind(value: object) -> str:
    """Return the kind of a value. It is ``other`` if Python's ``in`` treats the value differently than a rule does."""
    return "other" if is_nan(value) or is_negative_zero(value) else kind(value)


def _atom(atom: Atom, name: str) -> Expression:
    if atom.op == "=":
        return _equal(atom.value, name)
    if atom.op == "!=":
        return _unequal(atom.value, name)
    of_kind = _IS_NUMBER.format(name) if kind(atom.value) == "number" else f"type({name}) is str"
    return Junction("and", (of_kind, f"{name} {atom.op} {_constant(atom.value)}"))


def _equal(value: Any, name: str) -> Expression:
    if value is None or isinstance(value, bool):
        return f"{name} is {value}"
    if is_nan(value):
        return Junction("and", (f"type({name}) is float", f"math.isnan({name})"))
    if is_negative_zero(value):
        return Junction("and", (f"type({name}) is float", f"{name} == 0", f"math.copysign(1, {name}) < 0"))
    match kind(value):
        case "text":
            return f"{name} == {_text(value)}"
        case "number":
            return Junction("and", (_IS_NUMBER.format(name), f"{name} == {_constant(value)}"))
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


# Layout: a boolean expression on one line, or in parentheses with each part on its own line if one line is too wide. An
# expression is a text that is never split, or parts joined by a word, or a test for membership in a list of values.


@dataclass(frozen=True)
class Junction:
    """Expressions joined by ``and`` or ``or``: ``a and b``, ``a or b``.

    A junction of a single part is written as that part.
    """

    word: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Membership:
    """``name in (1, 2)``."""

    name: str
    values: tuple[str, ...]


Expression = str | Junction | Membership


def on_one_line(expression: Expression) -> str:
    known = _bare(expression)
    if isinstance(known, Junction):
        return f" {known.word} ".join(_part(part, known.word) for part in known.parts)
    return known if isinstance(known, str) else f"{known.name} in ({', '.join(known.values)})"


def on_lines(expression: Expression, indent: int) -> str:
    """Write the expression on several lines. The caller puts it in parentheses."""
    return "\n".join(_lines(expression, "", indent, ""))


def _bare(expression: Expression) -> Expression:
    while isinstance(expression, Junction) and len(expression.parts) == 1:
        [expression] = expression.parts
    return expression


def _part(expression: Expression, word: str) -> str:
    """Write an expression that is joined to others by ``word``.

    It is put in parentheses if it is itself joined by a different word.
    """
    known = _bare(expression)
    text = on_one_line(known)
    return f"({text})" if isinstance(known, Junction) and known.word != word else text


def _lines(expression: Expression, lead: str, indent: int, word: str) -> Iterator[str]:
    """Yield the lines of an expression.

    ``lead`` comes before the expression. ``word`` joins the expression to its neighbours; it is empty if there are
    none.
    """
    known, margin = _bare(expression), " " * indent
    line = f"{margin}{lead}{_part(known, word) if word else on_one_line(known)}"
    if len(line) <= MAX_LINE_LENGTH or isinstance(known, str):
        yield line
    elif isinstance(known, Membership):
        yield f"{margin}{lead}{known.name} in ("
        yield from _fill_lines(known.values, indent + INDENT)
        yield f"{margin})"
    elif word in ("", known.word):
        for place, part in enumerate(known.parts):
            yield from _lines(part, f"{known.word} " if place else lead, indent, known.word)
    else:
        yield f"{margin}{lead}("
        yield from _lines(known, "", indent + INDENT, "")
        yield f"{margin})"


def _fill_lines(values: tuple[str, ...], indent: int) -> Iterator[str]:
    """Yield lines with as many values as fit."""
    line = ""
    for value in values:
        more = f"{line} {value}," if line else f"{' ' * indent}{value},"
        if line and len(more) > MAX_LINE_LENGTH:
            yield line
            more = f"{' ' * indent}{value},"
        line = more
    yield line
