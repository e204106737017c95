"""The words of an expression: names, numbers, spans of time, texts, parameters and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rootward.traces.guard import UNITS

LONGEST = 10_000
"""Characters of an expression."""
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
