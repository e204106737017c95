"""Conditions and values as people write them: ``$sub = 1 and (clk < T + 5ms or not session in [2, 3])``.

On the left of a comparison, a word has to be declared. On the right, a word that is not declared is a text (``none``).
Negation is pushed down while reading, so that nothing is multiplied out only to be turned around.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rootward.traces.guard import FALSE, OPPOSITE, TRUE, Const, Guard, Term, Value, Var, all_of, any_of
from rootward.traces.writing.comparisons import Clock, Operand, added, compared, member, microseconds
from rootward.traces.writing.nodes import Node, nearest
from rootward.traces.writing.tokens import Span, Token, is_span, tokens

DEEPEST, MOST, ATOMS = 50, 500, 20_000
"""Levels of brackets; alternatives of a condition when it is multiplied out, and comparisons in all of them."""
_CONSTANTS = {"always": TRUE, "true": TRUE, "never": FALSE, "false": FALSE}
KEYWORDS = frozenset(_CONSTANTS) | {"and", "or", "not", "in"}

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
