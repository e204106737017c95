"""Conditions and values as people write them: ``$sub = 1 and (clk < T + 5ms or not session in [2, 3])``.

On the left of a comparison, a word has to be declared. On the right, a word that is not declared is a text (``none``).
Negation is pushed down while reading, so that nothing is multiplied out only to be turned around.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from rootward.traces.languages.nodes import Node, nearest
from rootward.traces.model.guard import (
    FALSE,
    MIRROR,
    OPPOSITE,
    TRUE,
    UNITS,
    Bound,
    Const,
    Guard,
    Param,
    Term,
    Test,
    Value,
    Var,
    all_of,
    any_of,
    compare,
)

LONGEST = 10_000
"""Characters of an expression."""
DEEPEST, MOST, ATOMS = 50, 500, 20_000
"""Levels of brackets; alternatives of a condition when it is multiplied out, and comparisons in all of them."""
_CONSTANTS = {"always": TRUE, "true": TRUE, "never": FALSE, "false": FALSE}
KEYWORDS = frozenset(_CONSTANTS) | {"and", "or", "not", "in"}
_UNITS = {**UNITS, "\u03bcs": 1}  # the Greek letter besides the micro sign
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<gap>\s+)|(?P<text>\"[^\"]*\"|'[^']*')|(?P<param>\$\w+)|(?P<span>[0-9]+(?:\.[0-9]+)?\s*(?:{_UNIT})(?![\w.]))"
    r"|(?P<word>[\w.]+)|(?P<sign>==|!=|<=|>=|[=<>()\[\],+-])"
)
_WHOLE = re.compile(r"0[xX][0-9A-Fa-f]{1,64}|0|[1-9][0-9]{0,63}")
_BROKEN = re.compile(r"[0-9]{1,20}\.[0-9]{1,20}")
_SPAN = re.compile(rf"([0-9]{{1,20}}(?:\.[0-9]{{1,20}})?)\s*({_UNIT})")


@dataclass(frozen=True)
class Span:
    """A constant span of time."""

    microseconds: int


@dataclass(frozen=True)
class Clock:
    """A clock of the model."""

    name: str


Operand = Term | Clock | Span
Constant = int | str | Span
T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """What the words of an expression mean."""

    variables: frozenset[str] = frozenset()
    clocks: frozenset[str] = frozenset()
    constants: Mapping[str, Constant] = field(default_factory=dict)
    params: Mapping[str, Term] = field(default_factory=dict)
    """What ``$name`` stands for."""
    spelling: Callable[[str], str] = str
    """How texts are spelt: hexadecimal digits have two ways."""

    def with_params(self, params: Mapping[str, Term]) -> Scope:
        return replace(self, params=params)


def guard(node: Node, scope: Scope, *, negated: bool = False) -> Guard:
    """The condition, or its opposite."""
    return _read(node, scope, "a condition", lambda parser: parser.either(negated))


def both(node: Node, *guards: Guard) -> Guard:
    """All of these, if that is not too long."""
    if _too_long(guards):
        raise node.wrong(f"multiplied out, the conditions have more than {MOST} alternatives: make them simpler")
    return _short(all_of(guards))


def term(node: Node, scope: Scope) -> Term:
    """What a variable becomes, or is compared with. A quoted text is a text, unless it begins with ``$``."""
    if node.quoted and not str(node.value).startswith("$"):
        return Const(scope.spelling(node.text("a value")))
    found = _read(node, scope, "a value", lambda parser: parser.sum())
    if isinstance(found, Clock | Span):
        raise node.wrong(f"{node.value!r} is a time: a variable holds a number or a text")
    return found


def constant(node: Node, scope: Scope) -> Constant:
    """A number, a text or a span of time, or a sum of such."""
    if node.quoted and not is_span(str(node.value)):
        return scope.spelling(node.text("a value"))
    found = _read(node, replace(scope, variables=frozenset(), clocks=frozenset(), params={}), "a value", _Parser.sum)
    return found.value if isinstance(found, Const) else found  # type: ignore[return-value]


def span(node: Node, scope: Scope) -> int:
    """A span of time, in microseconds."""
    found = constant(node.part(node.text("a span of time")), scope)
    if isinstance(found, str) or microseconds(found) < 0:
        raise node.wrong(f"expected a span of time such as 50ms, or a parameter that is one, got {node.value!r}")
    return microseconds(found)


def _read(node: Node, scope: Scope, what: str, rule: Callable[[_Parser], T]) -> T:
    text = node.text(what)
    try:
        parser = _Parser(list(tokens(text)), scope)
        found = rule(parser)
        parser.expect("end")
    except ValueError as error:
        raise node.wrong(f"{text[:200]!r} is not {what}: {error}") from None
    return found


def _too_long(guards: Sequence[Guard]) -> bool:
    """Whether all of them together are too much to be multiplied out."""
    alternatives = math.prod(map(len, guards))
    return alternatives > MOST or alternatives * sum(len(max(one, key=len, default=())) for one in guards) > ATOMS


def _short(found: Guard) -> Guard:
    return TRUE if () in found else found


class _Parser:
    def __init__(self, found: list[Token], scope: Scope) -> None:
        self.tokens, self.scope = found, scope
        self.at = self.depth = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += self.next.kind != "end"
        return self.tokens[self.at - 1]

    def is_word(self, *texts: str) -> bool:
        return self.next.kind in ("word", "sign") and self.next.text in texts

    def expect(self, kind: str, text: str = "") -> None:
        if self.next.kind != kind or (text and self.next.text != text):
            raise ValueError(f"expected {text or 'and, or, or nothing more'} before {self.next.text!r}")
        self.take()

    def either(self, negated: bool) -> Guard:
        return self._chain("or", self._every, negated)

    def _every(self, negated: bool) -> Guard:
        return self._chain("and", self._one, negated)

    def _chain(self, word: str, rule: Callable[[bool], Guard], negated: bool) -> Guard:
        parts = [rule(negated)]
        while self.is_word(word):
            self.take()
            parts.append(rule(negated))
        together = (word == "and") != negated
        if _too_long(parts) if together else sum(map(len, parts)) > MOST:
            raise ValueError(f"multiplied out, it has more than {MOST} alternatives: make it simpler")
        return _short((all_of if together else any_of)(parts))

    def _one(self, negated: bool) -> Guard:
        if self.is_word("not"):
            return self._deeper(lambda: self._one(not negated))
        if self.is_word("("):
            found = self._deeper(lambda: self.either(negated))
            self.expect("sign", ")")
            return found
        if self.is_word(*_CONSTANTS):
            return TRUE if (_CONSTANTS[self.take().text] == TRUE) != negated else FALSE
        return self._comparison(negated)

    def _deeper(self, rule: Callable[[], Guard]) -> Guard:
        self.take()
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"it has more than {DEEPEST} levels of brackets and negations")
        found = rule()
        self.depth -= 1
        return found

    def _comparison(self, negated: bool) -> Guard:
        left = self.sum(left=True)
        op = self.take().text
        if op == "not" and self.is_word("in"):
            self.take()
            op = "not in"
        if op not in OPPOSITE:
            raise ValueError(f"expected a comparison (= != < <= > >= in, not in) before {op!r}")
        op = OPPOSITE[op] if negated else op
        return member(left, op, self._list()) if op.endswith("in") else compared(left, op, self.sum())

    def _list(self) -> tuple[Value, ...]:
        self.expect("sign", "[")
        values: list[Value] = []
        while not self.is_word("]"):
            if values:
                self.expect("sign", ",")
            value = self.sum()
            if not isinstance(value, Const):
                raise ValueError("a list has numbers and texts only")
            values.append(value.value)
        self.take()
        return tuple(values)

    def sum(self, left: bool = False) -> Operand:
        """One operand, or a sum of constants."""
        found = self._operand(left)
        while self.is_word("+", "-"):
            sign = 1 if self.take().text == "+" else -1
            found = added(found, sign, self._operand(left))
        return found

    def _operand(self, left: bool) -> Operand:
        token = self.take()
        if token.kind == "sign" and token.text == "-":
            return added(Const(0), -1, self._operand(left) if self.next.kind == "number" else Const(""))
        if token.kind == "number":
            return token.value if isinstance(token.value, Span) else Const(token.value or 0)
        if token.kind == "text":
            return Const(self.scope.spelling(token.text))
        if token.kind == "param":
            return self._param(token.text)
        if token.kind != "word" or token.text in KEYWORDS:
            raise ValueError(f"expected a name or a value, not {token.text!r}")
        return self._named(token.text, left)

    def _param(self, name: str) -> Term:
        if name not in self.scope.params:
            raise ValueError(f"there is no ${name} here: {nearest(name, self.scope.params)}")
        return self.scope.params[name]

    def _named(self, word: str, left: bool) -> Operand:
        scope = self.scope
        if word in scope.variables:
            return Var(word)
        if word in scope.clocks:
            return Clock(word)
        if word in scope.constants:
            value = scope.constants[word]
            return value if isinstance(value, Span) else Const(value)
        if left:
            known = sorted({*scope.variables, *scope.clocks, *scope.constants})
            raise ValueError(f"{word!r} is no variable, clock or parameter: {nearest(word, known)}")
        return Const(scope.spelling(word))


# What two operands make: a sum of constants, or a comparison, which is a guard or known at once


def microseconds(value: int | Span) -> int:
    """A plain number means milliseconds."""
    return value.microseconds if isinstance(value, Span) else value * 1000


def added(first: Operand, sign: int, second: Operand) -> Operand:
    values = [one.value if isinstance(one, Const) else one for one in (first, second)]
    if any(not isinstance(one, int | Span) for one in values):
        raise ValueError("only numbers and spans of time can be added")
    if all(isinstance(one, int) for one in values):
        return Const(values[0] + sign * values[1])  # type: ignore[operator]
    ends = [microseconds(one) for one in values]  # type: ignore[arg-type]
    return Span(ends[0] + sign * ends[1])


def member(left: Operand, op: str, values: tuple[Value, ...]) -> Guard:
    if isinstance(left, Clock | Span):
        raise ValueError("a time is compared with < <= > >= = !=, not with a list")
    if isinstance(left, Const):
        return TRUE if compare(left.value, op, values) else FALSE
    return ((Test(left, op, values),),)


def compared(left: Operand, op: str, right: Operand) -> Guard:
    if isinstance(right, Clock) or (isinstance(left, Const | Span) and not isinstance(right, Const | Span)):
        left, op, right = right, MIRROR[op], left
    if isinstance(left, Clock):
        return _bounded(left.name, op, right)
    if isinstance(left, Const | Span) and isinstance(right, Const | Span):
        return TRUE if _known(left, op, right) else FALSE
    if isinstance(left, Span) or not isinstance(right, Const | Var | Param):
        raise ValueError("a span of time is compared with a clock only")
    return ((Test(left, op, right),),)


def _known(left: Const | Span, op: str, right: Const | Span) -> bool:
    values = [one.value if isinstance(one, Const) else one for one in (left, right)]
    if any(isinstance(one, Span) for one in values):
        values = [one if isinstance(one, str) else microseconds(one) for one in values]
    return compare(values[0], op, values[1])  # type: ignore[arg-type]


def _bounded(clock: str, op: str, right: Operand) -> Guard:
    value = right.value if isinstance(right, Const) else right
    if not isinstance(value, int | Span):
        said = getattr(right, "name", value)
        raise ValueError(f"the clock {clock} is compared with a span of time such as 50ms, not with {said}")
    limit = microseconds(value)
    if op == "=":
        return ((Bound(clock, "<=", limit), Bound(clock, ">=", limit)),)
    if op == "!=":
        return ((Bound(clock, "<", limit),), (Bound(clock, ">", limit),))
    return ((Bound(clock, op, limit),),)


# The words of an expression: names, numbers, spans of time, texts, parameters and signs


@dataclass(frozen=True)
class Token:
    kind: str
    """``text``, ``param``, ``span``, ``word``, ``number``, ``sign`` or ``end``."""
    text: str
    value: int | Span | None = None


def tokens(text: str) -> Iterator[Token]:
    """The tokens of an expression. ValueError if it has others."""
    if len(text) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"{text[at]!r} is not expected")
        at = found.end()
        if found.lastgroup != "gap":
            yield _token(str(found.lastgroup), found[0])
    yield Token("end", "the end")


def number(text: str) -> int | Span | None:
    """The number or span that a word is; None if it is none. What begins with zeros is a text, such as ``0100``."""
    if _WHOLE.fullmatch(text):
        return int(text, 0)
    if _BROKEN.fullmatch(text):
        return _span(text, "ms")
    if found := _SPAN.fullmatch(text):
        return _span(found[1], found[2])
    return None


def is_span(text: str) -> bool:
    """Whether it is a number with a unit of time."""
    return _SPAN.fullmatch(text) is not None


def _token(kind: str, text: str) -> Token:
    if kind in ("text", "param"):
        return Token(kind, text[1:-1] if kind == "text" else text[1:])
    if kind == "sign":
        return Token(kind, "=" if text == "==" else text)
    value = number(text)
    if value is None and (kind == "span" or (text.isdigit() and len(text) > 64)):
        raise ValueError(f"the number {text[:20]}... is too long")
    return Token("word" if value is None else "number", text, value)


def _span(amount: str, unit: str) -> Span:
    microseconds = Fraction(amount) * _UNITS[unit]
    if microseconds.denominator != 1:
        raise ValueError(f"{amount} {unit} is no whole number of microseconds")
    return Span(int(microseconds))
