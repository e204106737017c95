"""Parse conditions and values as people write them: ``$sub = 1 and (clk < T + 5ms or not session in [2, 3])``.

On the left of a comparison, a word must be declared. On the right, an undeclared word is a text (``none``). A guard is
stored in disjunctive form. Negation is pushed down to the comparisons during parsing, so that no condition is first
multiplied out and then negated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from rootward.traces.languages.nodes import Node, suggest
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

MAX_LENGTH = 10_000
"""Maximum number of characters of an expression."""
MAX_DEPTH, MAX_ALTERNATIVES, MAX_COMPARISONS = 50, 500, 20_000
"""Maximum nesting of brackets and negations; maximum number of alternatives of a condition in disjunctive form, and of
comparisons in all of them together."""
_CONSTANTS = {"always": TRUE, "true": TRUE, "never": FALSE, "false": FALSE}
KEYWORDS = frozenset(_CONSTANTS) | {"and", "or", "not", "in"}
_UNITS = {**UNITS, "\u03bcs": 1}  # the Greek letter besides the micro sign
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<gap>\s+)|(?P<text>\"[^\"]*\"|'[^']*')|(?P<param>\$\w+)|(?P<span>[0-9]+(?:\.[0-9]+)?\s*(?:{_UNIT})(?![\w.]))"
    r"|(?P<word>[\w.]+)|(?P<sign>==|!=|<=|>=|[=<>()\[\],+-])"
)
_INTEGER = re.compile(r"0[xX][0-9A-Fa-f]{1,64}|0|[1-9][0-9]{0,63}")
_DECIMAL = re.compile(r"[0-9]{1,20}\.[0-9]{1,20}")
_SPAN = re.compile(rf"([0-9]{{1,20}}(?:\.[0-9]{{1,20}})?)\s*({_UNIT})")


@dataclass(frozen=True)
class TimeSpan:
    """A constant duration."""

    microseconds: int


@dataclass(frozen=True)
class ClockTerm:
    """A clock of the model."""

    name: str


Operand = Term | ClockTerm | TimeSpan
Constant = int | str | TimeSpan
T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """The names that an expression can use."""

    variables: frozenset[str] = frozenset()
    clocks: frozenset[str] = frozenset()
    constants: Mapping[str, Constant] = field(default_factory=dict)
    params: Mapping[str, Term] = field(default_factory=dict)
    """The term that ``$name`` stands for, by name."""
    spelling: Callable[[str], str] = str
    """Brings a text into its canonical spelling, for example hexadecimal digits into capitals."""

    def with_params(self, params: Mapping[str, Term]) -> Scope:
        return replace(self, params=params)


def guard(node: Node, scope: Scope, *, negated: bool = False) -> Guard:
    """Parse a condition. Return its negation if ``negated``, else the condition itself."""
    return _read(node, scope, "a condition", lambda parser: parser.either(negated))


def conjoin(node: Node, *guards: Guard) -> Guard:
    """Return the conjunction of the guards. Raises InputError if its disjunctive form is too large."""
    if _too_long(guards):
        raise node.error(
            f"together, the conditions have more than {MAX_ALTERNATIVES} alternatives, or more than "
            f"{MAX_COMPARISONS:,} comparisons in them: simplify them"
        )
    return _collapse_true(all_of(guards))


def term(node: Node, scope: Scope) -> Term:
    """Parse the value that a variable is set to or compared with. A quoted text is a text unless it begins with
    ``$``."""
    if node.quoted and not str(node.value).startswith("$"):
        return Const(scope.spelling(node.text("a value")))
    found = _read(node, scope, "a value", lambda parser: parser.sum())
    if isinstance(found, ClockTerm | TimeSpan):
        raise node.error(f"{node.value!r} is a duration or a clock, but a variable holds a number or a text")
    return found


def constant(node: Node, scope: Scope) -> Constant:
    """Parse a number, a text or a duration, or a sum of them."""
    if node.quoted and not is_span(str(node.value)):
        return scope.spelling(node.text("a value"))
    found = _read(node, replace(scope, variables=frozenset(), clocks=frozenset(), params={}), "a value", _Parser.sum)
    return found.value if isinstance(found, Const) else found  # type: ignore[return-value]


def span(node: Node, scope: Scope) -> int:
    """Parse a duration; return it in microseconds."""
    found = constant(node.part(node.text("a duration")), scope)
    if isinstance(found, str) or microseconds(found) < 0:
        raise node.error(f"expected a duration such as 50ms, or a parameter that is one, got {node.value!r}")
    return microseconds(found)


def _read(node: Node, scope: Scope, what: str, rule: Callable[[_Parser], T]) -> T:
    text = node.text(what)
    try:
        parser = _Parser(list(_tokenise(text)), scope)
        found = rule(parser)
        parser.expect("end")
    except ValueError as error:
        raise node.error(f"{text[:200]!r} is not {what}: {error}") from None
    return found


def _too_long(guards: Sequence[Guard]) -> bool:
    """Return True if the disjunctive form of the conjunction of these guards would be too large."""
    alternatives = math.prod(map(len, guards))
    return (
        alternatives > MAX_ALTERNATIVES
        or alternatives * sum(len(max(one, key=len, default=())) for one in guards) > MAX_COMPARISONS
    )


def _collapse_true(found: Guard) -> Guard:
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
            raise ValueError(f"expected {text or '`and`, `or` or the end'}, got {self.next.text!r}")
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
        if _too_long(parts) if together else sum(map(len, parts)) > MAX_ALTERNATIVES:
            raise ValueError(
                f"it has more than {MAX_ALTERNATIVES} alternatives, or more than {MAX_COMPARISONS:,} comparisons in "
                "them: simplify it"
            )
        return _collapse_true((all_of if together else any_of)(parts))

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
        if self.depth > MAX_DEPTH:
            raise ValueError(f"brackets and negations are nested more than {MAX_DEPTH} levels deep")
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
            raise ValueError(f"expected a comparison (=, !=, <, <=, >, >=, in, not in), got {op!r}")
        op = OPPOSITE[op] if negated else op
        return _test_membership(left, op, self._list()) if op.endswith("in") else _compare(left, op, self.sum())

    def _list(self) -> tuple[Value, ...]:
        self.expect("sign", "[")
        values: list[Value] = []
        while not self.is_word("]"):
            if values:
                self.expect("sign", ",")
            value = self.sum()
            if not isinstance(value, Const):
                raise ValueError("a list may contain only numbers and texts")
            values.append(value.value)
        self.take()
        return tuple(values)

    def sum(self, left: bool = False) -> Operand:
        """Parse one operand, or a sum of constants."""
        found = self._operand(left)
        while self.is_word("+", "-"):
            sign = 1 if self.take().text == "+" else -1
            found = _add(found, sign, self._operand(left))
        return found

    def _operand(self, left: bool) -> Operand:
        token = self.take()
        if token.kind == "sign" and token.text == "-":
            return _add(Const(0), -1, self._operand(left) if self.next.kind == "number" else Const(""))
        if token.kind == "number":
            return token.value if isinstance(token.value, TimeSpan) else Const(token.value or 0)
        if token.kind == "text":
            return Const(self.scope.spelling(token.text))
        if token.kind == "param":
            return self._param(token.text)
        if token.kind != "word" or token.text in KEYWORDS:
            raise ValueError(f"expected a name or a value, got {token.text!r}")
        return self._resolve(token.text, left)

    def _param(self, name: str) -> Term:
        if name not in self.scope.params:
            raise ValueError(f"unknown parameter ${name}: {suggest(name, self.scope.params)}")
        return self.scope.params[name]

    def _resolve(self, word: str, left: bool) -> Operand:
        scope = self.scope
        if word in scope.variables:
            return Var(word)
        if word in scope.clocks:
            return ClockTerm(word)
        if word in scope.constants:
            value = scope.constants[word]
            return value if isinstance(value, TimeSpan) else Const(value)
        if left:
            known = sorted({*scope.variables, *scope.clocks, *scope.constants})
            raise ValueError(f"unknown variable, clock or parameter {word!r}: {suggest(word, known)}")
        return Const(scope.spelling(word))


# Combining two operands: a sum of constants, or a comparison, which is a guard (TRUE or FALSE if both are constants)


def microseconds(value: int | TimeSpan) -> int:
    """Convert a duration to microseconds; a number without a unit means milliseconds."""
    return value.microseconds if isinstance(value, TimeSpan) else value * 1000


def _add(first: Operand, sign: int, second: Operand) -> Operand:
    values = [one.value if isinstance(one, Const) else one for one in (first, second)]
    if any(not isinstance(one, int | TimeSpan) for one in values):
        raise ValueError("only numbers and durations can be added or subtracted")
    if all(isinstance(one, int) for one in values):
        return Const(values[0] + sign * values[1])  # type: ignore[operator]
    ends = [microseconds(one) for one in values]  # type: ignore[arg-type]
    return TimeSpan(ends[0] + sign * ends[1])


def _test_membership(left: Operand, op: str, values: tuple[Value, ...]) -> Guard:
    if isinstance(left, ClockTerm | TimeSpan):
        raise ValueError("a clock or duration cannot be in a list: compare it with <, <=, >, >=, = or !=")
    if isinstance(left, Const):
        return TRUE if compare(left.value, op, values) else FALSE
    return ((Test(left, op, values),),)


def _compare(left: Operand, op: str, right: Operand) -> Guard:
    if isinstance(right, ClockTerm) or (isinstance(left, Const | TimeSpan) and not isinstance(right, Const | TimeSpan)):
        left, op, right = right, MIRROR[op], left
    if isinstance(left, ClockTerm):
        return _compare_clock(left.name, op, right)
    if isinstance(left, Const | TimeSpan) and isinstance(right, Const | TimeSpan):
        return TRUE if _is_true(left, op, right) else FALSE
    if isinstance(left, TimeSpan) or not isinstance(right, Const | Var | Param):
        raise ValueError("a duration can be compared only with a clock")
    return ((Test(left, op, right),),)


def _is_true(left: Const | TimeSpan, op: str, right: Const | TimeSpan) -> bool:
    values = [one.value if isinstance(one, Const) else one for one in (left, right)]
    if any(isinstance(one, TimeSpan) for one in values):
        values = [one if isinstance(one, str) else microseconds(one) for one in values]
    return compare(values[0], op, values[1])  # type: ignore[arg-type]


def _compare_clock(clock: str, op: str, right: Operand) -> Guard:
    value = right.value if isinstance(right, Const) else right
    if not isinstance(value, int | TimeSpan):
        other = getattr(right, "name", value)
        raise ValueError(f"the clock {clock} can be compared only with a duration such as 50ms, not with {other}")
    limit = microseconds(value)
    if op == "=":
        return ((Bound(clock, "<=", limit), Bound(clock, ">=", limit)),)
    if op == "!=":
        return ((Bound(clock, "<", limit),), (Bound(clock, ">", limit),))
    return ((Bound(clock, op, limit),),)


# The tokens of an expression: names, numbers, durations, texts, parameters and signs


@dataclass(frozen=True)
class Token:
    kind: str
    """``text``, ``param``, ``span``, ``word``, ``number``, ``sign`` or ``end``."""
    text: str
    value: int | TimeSpan | None = None


def _tokenise(text: str) -> Iterator[Token]:
    """Yield the tokens of an expression. Raises ValueError at a character that belongs to no token."""
    if len(text) > MAX_LENGTH:
        raise ValueError(f"it is longer than {MAX_LENGTH:,} characters")
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"unexpected character {text[at]!r}")
        at = found.end()
        if found.lastgroup != "gap":
            yield _token(str(found.lastgroup), found[0])
    yield Token("end", "the end")


def number(text: str) -> int | TimeSpan | None:
    """Return the number or duration that a word stands for, or None if it stands for neither.

    Digits with a leading zero, such as ``0100``, are a text, not a number.
    """
    if _INTEGER.fullmatch(text):
        return int(text, 0)
    if _DECIMAL.fullmatch(text):
        return _span(text, "ms")
    if found := _SPAN.fullmatch(text):
        return _span(found[1], found[2])
    return None


def is_span(text: str) -> bool:
    """Return True if the text is a number with a unit of time."""
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


def _span(amount: str, unit: str) -> TimeSpan:
    microseconds = Fraction(amount) * _UNITS[unit]
    if microseconds.denominator != 1:
        raise ValueError(f"{amount} {unit} is not a whole number of microseconds")
    return TimeSpan(int(microseconds))
