"""Parse the language of UPPAAL files, as far as models can express it: declarations, guards and invariants made of
comparisons, and updates that assign constants or copy variables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rootward.errors import InputError
from rootward.traces.model.guard import FALSE, MIRROR, TRUE, Bound, Const, Guard, Term, Test, Var, all_of, any_of

_TOKEN = re.compile(r"\s*(\d{1,10}(?!\w)|[A-Za-z_]\w*|&&|\|\||==|!=|<=|>=|<\?|>\?|:=|\+\+|--|\+=|-=|.)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_COMPARISONS = ("<", "<=", "==", "!=", ">=", ">")
MAX_DEPTH = 40
"""Maximum nesting of an expression."""
MAX_ALTERNATIVES = 500
"""Maximum number of alternatives of one guard in disjunctive form."""
MAX_NUMBER = 1 << 31
"""Maximum absolute value of a computed number."""
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?::=|=(?!=))\s*(?P<value>.+)", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE = re.compile(
    r"(?:(?P<const>const)\s+)?(?:(?P<broadcast>broadcast)\s+)?"
    r"(?P<type>int|bool|clock|chan)\b(?:\s*\[(?P<range>[^\]]*)\])?\s*(?P<rest>.*)",
    re.DOTALL,
)
_COMMA = re.compile(r",(?![^\[\]]*\])")
"""A comma between parameters, not one inside square brackets."""
_ENTRY = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?:(?::=|=)\s*(?P<value>.+))?", re.DOTALL)
_PARAMETER = re.compile(
    r"(?:const\s+)?(?P<broadcast>broadcast\s+)?(?P<type>int|bool|clock|chan)\b(?:\s*\[[^\]]*\])?"
    r"\s*(?P<by>&?)\s*(?P<name>[A-Za-z_]\w*)"
)
_REFUSED = {
    "typedef": "type definitions",
    "struct": "structures",
    "urgent": "urgent channels",
    "hybrid": "hybrid clocks",
    "double": "floating-point numbers",
    "string": "strings",
    "scalar": "scalar sets",
    "meta": "meta variables",
    "priority": "priorities",
}
Kind = str
"""The kind of a symbol: ``constant``, ``variable``, ``clock``, ``channel`` or ``broadcast``."""


class Unsupported(InputError):
    """A part of the file is not supported. The line is added by the caller that knows it."""


@dataclass(frozen=True)
class UppaalSymbol:
    kind: Kind
    name: str
    """Its name in the model: a symbol that is local to a process begins with the name of the process."""
    value: int = 0
    """The value of a constant, or the initial value of a variable."""


Scope = Mapping[str, UppaalSymbol]


@dataclass(frozen=True)
class UppaalClock:
    name: str


Side = Term | UppaalClock
"""One side of a comparison."""
Part = Side | Guard


@dataclass
class ExpressionParser:
    """A recursive-descent parser for one expression."""

    text: str
    scope: Scope
    unit: int = 1
    """Microseconds for one unit of a clock."""
    tokens: list[str] = field(init=False)
    at: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.tokens = [_WORDS.get(token, token) for token in _TOKEN.findall(self.text.strip())]

    def guard(self) -> Guard:
        """Parse a condition. An empty text is always true."""
        if not self.tokens:
            return TRUE
        found = self._condition(self._either())
        self._end()
        return found

    def constant(self) -> int:
        """Parse a constant; return its value."""
        term = self.term()
        if not isinstance(term, Const) or not isinstance(term.value, int):
            raise Unsupported(f"{quote(self.text)} is not a constant")
        return term.value

    def term(self) -> Side:
        found = self._term(self._either())
        self._end()
        return found

    # Conditions and terms, from the loosest operator to the tightest

    def _either(self) -> Part:
        found = self._both()
        while self._take("||"):
            found = _check_size(any_of([self._condition(found), self._condition(self._both())]))
        return found

    def _both(self) -> Part:
        found = self._not()
        while self._take("&&"):
            found = _conjoin([self._condition(found), self._condition(self._not())])
        return found

    def _not(self) -> Part:
        turned = 0
        while self._take("!"):
            turned += 1
        found = self._comparison()
        return negate(self._condition(found)) if turned % 2 else found

    def _comparison(self) -> Part:
        left = self._sum()
        if self._next() not in _COMPARISONS:
            return left
        op, right = self._step(), self._sum()
        op = "=" if op == "==" else op
        if self._next() in _COMPARISONS:
            raise Unsupported(f"{quote(self.text)} compares more than two things")
        return self._compare(self._term(left), op, self._term(right))

    def _compare(self, left: Side, op: str, right: Side) -> Guard:
        if isinstance(left, UppaalClock) and isinstance(right, UppaalClock):
            raise Unsupported(f"{quote(self.text)} compares two clocks")
        if isinstance(right, UppaalClock):
            left, op, right = right, MIRROR[op], left
        if not isinstance(left, UppaalClock):
            return ((Test(left, op, right),),)  # type: ignore[arg-type]
        if not isinstance(right, Const):
            raise Unsupported(f"{quote(self.text)} compares a clock with a value that is not constant")
        limit = int(right.value) * self.unit
        if op == "=":
            return ((Bound(left.name, ">=", limit), Bound(left.name, "<=", limit)),)
        if op == "!=":
            return ((Bound(left.name, "<", limit),), (Bound(left.name, ">", limit),))
        return ((Bound(left.name, op, limit),),)

    def _sum(self) -> Part:
        found = self._product()
        while self._next() in ("+", "-"):
            op, right = self._step(), self._product()
            if isinstance(found, UppaalClock) and isinstance(right, UppaalClock):
                raise Unsupported(f"{quote(self.text)} is a difference of clocks")
            found = self._compute(found, op, right)
        return found

    def _product(self) -> Part:
        found = self._atom()
        while self._take("*"):
            found = self._compute(found, "*", self._atom())
        return found

    def _compute(self, left: Part, op: str, right: Part) -> Const:
        if not isinstance(left, Const) or not isinstance(right, Const):
            raise Unsupported(f"{quote(self.text)} computes with values that are not constant")
        one, other = int(left.value), int(right.value)
        value = one + other if op == "+" else one - other if op == "-" else one * other
        if abs(value) > MAX_NUMBER:
            raise Unsupported(f"the number in {quote(self.text)} is too large")
        return Const(value)

    def _atom(self) -> Part:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unsupported(f"{quote(self.text)} is nested more than {MAX_DEPTH} levels deep")
        if self._take("-"):
            found: Part = self._compute(Const(0), "-", self._atom())
        elif self._take("("):
            found = self._either()
            if not self._take(")"):
                raise Unsupported(f"expected ) but got {self._next() or 'the end'!r}, in {quote(self.text)}")
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
            what = {"[": "arrays", "(": "functions", ".": "members", "'": "clock rates"}[self._next()]
            raise Unsupported(f"{what} are not supported, as in {quote(self.text)}")
        symbol = self.scope.get(token)
        if symbol is None or symbol.kind in ("channel", "broadcast"):
            problem = f"{token} is not declared" if _NAME.fullmatch(token) else f"{token!r} is not supported"
            raise Unsupported(f"{problem}, in {quote(self.text)}")
        if symbol.kind == "constant":
            return Const(symbol.value)
        return UppaalClock(symbol.name) if symbol.kind == "clock" else Var(symbol.name)

    # Tokens

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _step(self) -> str:
        token = self._next()
        if not token:
            raise Unsupported(f"{quote(self.text)} ends too early")
        self.at += 1
        return token

    def _take(self, token: str) -> bool:
        found = self._next() == token
        self.at += found
        return found

    def _end(self) -> None:
        if self._next():
            raise Unsupported(f"{self._next()!r} is not supported, in {quote(self.text)}")

    def _condition(self, part: Part) -> Guard:
        """Convert a part to a condition; a number is true unless it is 0."""
        if isinstance(part, tuple):
            return part
        if isinstance(part, UppaalClock):
            raise Unsupported(f"{quote(self.text)} uses a clock as a condition")
        if isinstance(part, Const):
            return TRUE if part.value else FALSE
        return ((Test(part, "!=", Const(0)),),)

    def _term(self, part: Part) -> Side:
        if isinstance(part, tuple):
            raise Unsupported(f"{quote(self.text)} uses a condition as a value")
        return part


def _conjoin(guards: list[Guard]) -> Guard:
    """Return the conjunction of the guards. Raises Unsupported if it has too many alternatives."""
    if math.prod(map(len, guards)) > MAX_ALTERNATIVES:
        raise Unsupported(f"a condition has more than {MAX_ALTERNATIVES} alternatives")
    return all_of(guards)


def negate(guard: Guard) -> Guard:
    """Return the negation of the guard."""
    return _conjoin([tuple((atom.negate(),) for atom in conjunction) for conjunction in guard])


def _check_size(guard: Guard) -> Guard:
    if len(guard) > MAX_ALTERNATIVES:
        raise Unsupported(f"a condition has more than {MAX_ALTERNATIVES} alternatives")
    return guard


def quote(text: str) -> str:
    """Quote a piece of the file, cut to 60 characters."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:57] + "...")


def updates(text: str, scope: Scope) -> tuple[dict[str, Term], frozenset[str]]:
    """Return the values that an update assigns, and the clocks that it resets.

    UPPAAL executes assignments one after another; a model executes them all at once. So if an assignment reads a
    variable that the same update assigned earlier, the variable is replaced by its new value.
    """
    written: dict[str, Term] = {}
    reset: set[str] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = _ASSIGNMENT.fullmatch(part)
        symbol = scope.get(match["name"]) if match else None
        if match is None or symbol is None:
            raise Unsupported(f"expected an assignment to a declared variable or clock, got {quote(part)}")
        term = ExpressionParser(match["value"], scope).term()
        if symbol.kind == "clock" and term == Const(0):
            reset.add(symbol.name)
        elif symbol.kind != "variable" or isinstance(term, UppaalClock):
            raise Unsupported(f"{quote(part)}: a clock can only be set to 0, a variable only to a number or a variable")
        else:
            written[symbol.name] = written.get(term.name, term) if isinstance(term, Var) else term
    return written, frozenset(reset)


# Declarations


def without_comments(text: str) -> str:
    """Replace comments by spaces, so that line numbers stay the same."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def statements(text: str) -> list[str]:
    """Split the text at semicolons. Raises Unsupported if it contains a function or anything else in braces."""
    if "{" in text:
        raise Unsupported("functions and initialisers in braces are not supported")
    return [" ".join(one.split()) for one in text.split(";") if one.strip()]


def declarations(text: str, prefix: str, outer: Scope) -> dict[str, UppaalSymbol]:
    """Return the symbols that a declaration introduces. The declaration can refer to the symbols in ``outer``."""
    found: dict[str, UppaalSymbol] = {}
    for statement in statements(without_comments(text)):
        _declare(statement, prefix, outer, found)
    return found


def _declare(statement: str, prefix: str, outer: Scope, found: dict[str, UppaalSymbol]) -> None:
    for word, what in _REFUSED.items():
        if re.search(rf"\b{word}\b", statement):
            raise Unsupported(f"{what} are not supported, as in {quote(statement)}")
    typed = _TYPE.fullmatch(statement)
    if typed is None:
        raise Unsupported(f"only int, bool, clock and chan are supported, not {quote(statement)}")
    kind = _kind(typed["type"], bool(typed["const"]), bool(typed["broadcast"]))
    for part in typed["rest"].split(","):
        entry = _ENTRY.fullmatch(part.strip())
        if entry is None or "[" in part:
            raise Unsupported(f"expected names, each with an optional value, and no arrays, in {quote(statement)}")
        symbol = UppaalSymbol(kind, prefix + entry["name"])
        if entry["value"] is not None or kind == "constant":
            symbol = _with_value(symbol, entry["value"] or "", {**outer, **found})
        if entry["name"] in found:
            raise Unsupported(f"{entry['name']} is declared twice")
        found[entry["name"]] = symbol


def _kind(type_: str, const: bool, broadcast: bool) -> Kind:
    if type_ == "chan":
        return "broadcast" if broadcast else "channel"
    if type_ == "clock":
        return "clock"
    return "constant" if const else "variable"


def _with_value(symbol: UppaalSymbol, text: str, scope: Scope) -> UppaalSymbol:
    value = ExpressionParser(text, scope).constant()
    if symbol.kind in ("channel", "broadcast") or (symbol.kind == "clock" and value):
        raise Unsupported(
            f"the clock {symbol.name} can start only at 0"
            if symbol.kind == "clock"
            else f"the channel {symbol.name} cannot have a value"
        )
    return replace(symbol, value=value)


def parameters(text: str) -> dict[str, Callable[[str, Scope], UppaalSymbol]]:
    """Return the parameters of a template by name, each with the function that resolves an argument to a symbol."""
    found: dict[str, Callable[[str, Scope], UppaalSymbol]] = {}
    for part in filter(None, (" ".join(one.split()) for one in _COMMA.split(without_comments(text)))):
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise Unsupported(
                f"the parameter {quote(part)} is not supported: expected int, bool, or a reference with &"
            )
        kind = _kind(match["type"], False, bool(match["broadcast"]))
        if kind != "variable" and not match["by"]:
            raise Unsupported(f"the parameter {quote(part)} must be a reference: write & before its name")
        found[match["name"]] = _reference(kind) if match["by"] else _by_value
    return found


def _by_value(argument: str, scope: Scope) -> UppaalSymbol:
    return UppaalSymbol("constant", argument, ExpressionParser(argument, scope).constant())


def _reference(kind: Kind) -> Callable[[str, Scope], UppaalSymbol]:
    def resolve(argument: str, scope: Scope) -> UppaalSymbol:
        symbol = scope.get(argument.strip())
        if symbol is None or symbol.kind != kind:
            raise Unsupported(f"the argument {quote(argument)} must be a declared {kind}")
        return symbol

    return resolve
