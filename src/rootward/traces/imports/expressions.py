"""Guards, invariants and updates of an UPPAAL file, as far as they are comparisons and copies."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rootward.errors import InputError
from rootward.traces.guard import FALSE, TRUE, Bound, Const, Guard, Term, Test, Var, all_of, any_of

if TYPE_CHECKING:
    from rootward.traces.imports.declared import Symbol

_TOKEN = re.compile(r"\s*(\d{1,10}(?!\w)|[A-Za-z_]\w*|&&|\|\||==|!=|<=|>=|<\?|>\?|:=|\+\+|--|\+=|-=|.)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_COMPARISONS = ("<", "<=", "==", "!=", ">=", ">")
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
DEEPEST = 40
CASES = 500
"""Alternatives of one guard."""
LARGEST = 1 << 31


class Refused(InputError):
    """What has no counterpart here; whoever knows the line adds it."""


@dataclass(frozen=True)
class Clock:
    name: str


Side = Term | Clock
"""What a comparison compares."""
Part = Side | Guard


@dataclass
class Expression:
    """One expression, read from left to right."""

    text: str
    scope: Mapping[str, Symbol]
    unit: int = 1
    """Microseconds of a step of a clock."""
    tokens: list[str] = field(init=False)
    at: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.tokens = [_WORDS.get(token, token) for token in _TOKEN.findall(self.text.strip())]

    def guard(self) -> Guard:
        """The condition that it is. Nothing at all is always true."""
        if not self.tokens:
            return TRUE
        found = self._condition(self._either())
        self._end()
        return found

    def constant(self) -> int:
        """The number that it is."""
        term = self.term()
        if not isinstance(term, Const) or not isinstance(term.value, int):
            raise Refused(f"{shown(self.text)} is not a constant")
        return term.value

    def term(self) -> Side:
        found = self._term(self._either())
        self._end()
        return found

    # Conditions and terms, from the loosest operator to the tightest

    def _either(self) -> Part:
        found = self._both()
        while self._take("||"):
            found = _few(any_of([self._condition(found), self._condition(self._both())]))
        return found

    def _both(self) -> Part:
        found = self._not()
        while self._take("&&"):
            found = joined([self._condition(found), self._condition(self._not())])
        return found

    def _not(self) -> Part:
        turned = 0
        while self._take("!"):
            turned += 1
        found = self._comparison()
        return opposite(self._condition(found)) if turned % 2 else found

    def _comparison(self) -> Part:
        left = self._sum()
        if self._next() not in _COMPARISONS:
            return left
        op, right = self._step(), self._sum()
        if self._next() in _COMPARISONS:
            raise Refused(f"{shown(self.text)} compares more than two things")
        return self._compared(self._term(left), op, self._term(right))

    def _compared(self, left: Side, op: str, right: Side) -> Guard:
        if isinstance(left, Clock) and isinstance(right, Clock):
            raise Refused(f"{shown(self.text)} compares two clocks")
        if isinstance(right, Clock):
            left, op, right = right, _TURNED[op], left
        if not isinstance(left, Clock):
            return ((Test(left, {"==": "="}.get(op, op), right),),)  # type: ignore[arg-type]
        if not isinstance(right, Const):
            raise Refused(f"{shown(self.text)} compares a clock with something that is not constant")
        limit = int(right.value) * self.unit
        if op == "==":
            return ((Bound(left.name, ">=", limit), Bound(left.name, "<=", limit)),)
        if op == "!=":
            return ((Bound(left.name, "<", limit),), (Bound(left.name, ">", limit),))
        return ((Bound(left.name, op, limit),),)

    def _sum(self) -> Part:
        found = self._product()
        while self._next() in ("+", "-"):
            op, right = self._step(), self._product()
            if isinstance(found, Clock) and isinstance(right, Clock):
                raise Refused(f"{shown(self.text)} is a difference of clocks")
            found = self._computed(found, op, right)
        return found

    def _product(self) -> Part:
        found = self._atom()
        while self._take("*"):
            found = self._computed(found, "*", self._atom())
        return found

    def _computed(self, left: Part, op: str, right: Part) -> Const:
        if not isinstance(left, Const) or not isinstance(right, Const):
            raise Refused(f"{shown(self.text)} computes with what is not constant")
        one, other = int(left.value), int(right.value)
        value = one + other if op == "+" else one - other if op == "-" else one * other
        if abs(value) > LARGEST:
            raise Refused(f"{shown(self.text)} is too large a number")
        return Const(value)

    def _atom(self) -> Part:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(f"{shown(self.text)} nests too deeply")
        if self._take("-"):
            found: Part = self._computed(Const(0), "-", self._atom())
        elif self._take("("):
            found = self._either()
            if not self._take(")"):
                raise Refused(f"{self._next() or 'a missing )'} is not supported, in {shown(self.text)}")
        else:
            found = self._name_or_number(self._step())
        self.depth -= 1
        return found

    def _name_or_number(self, token: str) -> Side:
        if token.isdecimal() and token.isascii():
            return Const(int(token))
        if token in ("true", "false"):
            return Const(int(token == "true"))
        if self._next() in ("[", "(", ".", "'"):
            what = {"[": "arrays", "(": "functions", ".": "members", "'": "rates"}[self._next()]
            raise Refused(f"{what} are not supported, as in {shown(self.text)}")
        symbol = self.scope.get(token)
        if symbol is None or symbol.kind in ("channel", "broadcast"):
            told = f"{token} is not declared" if _NAME.fullmatch(token) else f"{token!r} is not supported"
            raise Refused(f"{told}, in {shown(self.text)}")
        if symbol.kind == "constant":
            return Const(symbol.value)
        return Clock(symbol.name) if symbol.kind == "clock" else Var(symbol.name)

    # Tokens

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _step(self) -> str:
        token = self._next()
        if not token:
            raise Refused(f"{shown(self.text)} ends too early")
        self.at += 1
        return token

    def _take(self, token: str) -> bool:
        found = self._next() == token
        self.at += found
        return found

    def _end(self) -> None:
        if self._next():
            raise Refused(f"{self._next()!r} is not supported, in {shown(self.text)}")

    def _condition(self, part: Part) -> Guard:
        """A number as a condition: all but 0 are true."""
        if isinstance(part, tuple):
            return part
        if isinstance(part, Clock):
            raise Refused(f"{shown(self.text)} takes a clock for a condition")
        if isinstance(part, Const):
            return TRUE if part.value else FALSE
        return ((Test(part, "!=", Const(0)),),)

    def _term(self, part: Part) -> Side:
        if isinstance(part, tuple):
            raise Refused(f"{shown(self.text)} takes a condition for a value")
        return part


def joined(guards: list[Guard]) -> Guard:
    """What holds if all of them do."""
    if math.prod(map(len, guards)) > CASES:
        raise Refused(f"a condition has more than {CASES} alternatives")
    return all_of(guards)


def opposite(guard: Guard) -> Guard:
    """What holds whenever the guard does not."""
    return joined([tuple((atom.negated(),) for atom in conjunction) for conjunction in guard])


def _few(guard: Guard) -> Guard:
    if len(guard) > CASES:
        raise Refused(f"a condition has more than {CASES} alternatives")
    return guard


def shown(text: str) -> str:
    """A piece of the file, short enough for a sentence."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:57] + "...")


_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?::=|=(?!=))\s*(?P<value>.+)", re.DOTALL)


def updates(text: str, scope: Mapping[str, Symbol]) -> tuple[dict[str, Term], frozenset[str]]:
    """What an update writes, and which clocks it resets.

    UPPAAL carries assignments out one after another, a model all at once: what an earlier one wrote is put in.
    """
    written: dict[str, Term] = {}
    reset: set[str] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _ASSIGNMENT.fullmatch(part)
        symbol = scope.get(match["name"]) if match else None
        if match is None or symbol is None:
            raise Refused(f"{shown(part)} is no assignment to something that is declared")
        term = Expression(match["value"], scope).term()
        if symbol.kind == "clock" and term == Const(0):
            reset.add(symbol.name)
        elif symbol.kind != "variable" or isinstance(term, Clock):
            raise Refused(f"{shown(part)}: a clock can only be set to 0, a variable only to a number or a variable")
        else:
            written[symbol.name] = written.get(term.name, term) if isinstance(term, Var) else term
    return written, frozenset(reset)
