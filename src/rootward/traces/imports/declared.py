"""What names mean in an UPPAAL file: numbers, clocks, variables, channels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rootward.traces.imports.expressions import Expression, Refused, shown

Kind = str
"""``constant``, ``variable``, ``clock``, ``channel`` or ``broadcast``."""


@dataclass(frozen=True)
class Symbol:
    kind: Kind
    name: str
    """In the model: what is local to a process begins with the name of that process."""
    value: int = 0
    """Of a constant; of a variable at the beginning."""


Scope = Mapping[str, Symbol]
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE = re.compile(
    r"(?:(?P<const>const)\s+)?(?:(?P<broadcast>broadcast)\s+)?"
    r"(?P<type>int|bool|clock|chan)\b(?:\s*\[(?P<range>[^\]]*)\])?\s*(?P<rest>.*)",
    re.DOTALL,
)
_COMMA = re.compile(r",(?![^\[\]]*\])")
"""Between parameters, not within the range of one."""
_ENTRY = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?:(?::=|=)\s*(?P<value>.+))?", re.DOTALL)
_PARAMETER = re.compile(
    r"(?:const\s+)?(?P<broadcast>broadcast\s+)?(?P<type>int|bool|clock|chan)\b(?:\s*\[[^\]]*\])?"
    r"\s*(?P<by>&?)\s*(?P<name>[A-Za-z_]\w*)"
)
_REFUSED = {
    "typedef": "types of one's own",
    "struct": "structures",
    "urgent": "urgent channels",
    "hybrid": "hybrid clocks",
    "double": "floating-point numbers",
    "string": "texts",
    "scalar": "scalar sets",
    "meta": "meta variables",
    "priority": "priorities",
}


def without_comments(text: str) -> str:
    """The text with blanks for its comments: lines stay where they are."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def statements(text: str) -> list[str]:
    """What semicolons end. Refused if it holds a function or anything else in braces."""
    if "{" in text:
        raise Refused("functions and initialisers in braces are not supported")
    return [" ".join(one.split()) for one in text.split(";") if one.strip()]


def declarations(text: str, prefix: str, outer: Scope) -> dict[str, Symbol]:
    """The names that a declaration introduces, beside those that it can refer to."""
    found: dict[str, Symbol] = {}
    for statement in statements(without_comments(text)):
        _declare(statement, prefix, outer, found)
    return found


def _declare(statement: str, prefix: str, outer: Scope, found: dict[str, Symbol]) -> None:
    for word, what in _REFUSED.items():
        if re.search(rf"\b{word}\b", statement):
            raise Refused(f"{what} are not supported, as in {shown(statement)}")
    typed = _TYPE.fullmatch(statement)
    if typed is None:
        raise Refused(f"only int, bool, clock and chan are supported, not {shown(statement)}")
    kind = _kind(typed["type"], bool(typed["const"]), bool(typed["broadcast"]))
    for part in typed["rest"].split(","):
        entry = _ENTRY.fullmatch(part.strip())
        if entry is None or "[" in part:
            raise Refused(f"arrays and the like are not supported, as in {shown(statement)}")
        symbol = Symbol(kind, prefix + entry["name"])
        if entry["value"] is not None or kind == "constant":
            symbol = _with_value(symbol, entry["value"] or "", {**outer, **found})
        if entry["name"] in found:
            raise Refused(f"{entry['name']} is declared twice")
        found[entry["name"]] = symbol


def _kind(type_: str, const: bool, broadcast: bool) -> Kind:
    if type_ == "chan":
        return "broadcast" if broadcast else "channel"
    if type_ == "clock":
        return "clock"
    return "constant" if const else "variable"


def _with_value(symbol: Symbol, text: str, scope: Scope) -> Symbol:
    value = Expression(text, scope).constant()
    if symbol.kind in ("channel", "broadcast") or (symbol.kind == "clock" and value):
        raise Refused(f"{symbol.name} cannot begin with a value")
    return replace(symbol, value=value)


def parameters(text: str) -> dict[str, Callable[[str, Scope], Symbol]]:
    """The parameters of a template by name, each with what turns an argument into what it means."""
    found: dict[str, Callable[[str, Scope], Symbol]] = {}
    for part in filter(None, (" ".join(one.split()) for one in _COMMA.split(without_comments(text)))):
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise Refused(f"the parameter {shown(part)} is neither a number nor a reference to what is declared")
        kind = _kind(match["type"], False, bool(match["broadcast"]))
        if kind != "variable" and not match["by"]:
            raise Refused(f"the parameter {shown(part)} has to be a reference: write &")
        found[match["name"]] = _reference(kind) if match["by"] else _by_value
    return found


def _by_value(argument: str, scope: Scope) -> Symbol:
    return Symbol("constant", argument, Expression(argument, scope).constant())


def _reference(kind: Kind) -> Callable[[str, Scope], Symbol]:
    def resolve(argument: str, scope: Scope) -> Symbol:
        symbol = scope.get(argument.strip())
        if symbol is None or symbol.kind != kind:
            raise Refused(f"the argument {shown(argument)} is no {kind} that is declared")
        return symbol

    return resolve
