"""Predicates: what a rule can say about a text, and whether two fields are equal. They are True or False.

A predicate is the operator of a `Quantity`: ``Quantity("contains", "path", TextConstant("//"))``. The first part is
the field. The second is a text that is not the name of a field (`TextConstant`), the name of a character class, the
name of a shape, or, for ``same``, another field. A predicate about a text is False for a value that is not a text.

Character classes and shapes are patterns (`TextPattern`), which can be written as a regular expression of Python and of
SMT-LIB. Classes are ASCII, because code that tests for digits or letters mostly means these. To add a class or a shape,
add it to ``CLASSES`` or ``SHAPES``.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

MAX_CODE_POINT = 0x10FFFF
MAX_SMT_CODE_POINT = 0x2FFFF
"""The largest code point of a string in SMT-LIB."""


@dataclass(frozen=True, slots=True, order=True)
class TextConstant:
    """A text in a quantity that is not the name of a field."""

    text: str


@dataclass(frozen=True)
class TextPattern:
    """A regular expression, as Python and as SMT-LIB write it."""

    python: str
    smtlib: str

    def __add__(self, other: TextPattern) -> TextPattern:
        return TextPattern(self.python + other.python, f"(re.++ {self.smtlib} {other.smtlib})")

    def __or__(self, other: TextPattern) -> TextPattern:
        return TextPattern(f"(?:{self.python}|{other.python})", f"(re.union {self.smtlib} {other.smtlib})")

    @property
    def optional(self) -> TextPattern:
        return TextPattern(f"(?:{self.python})?", f"(re.opt {self.smtlib})")

    @property
    def repeated(self) -> TextPattern:
        """One or more times."""
        return TextPattern(f"{self.python}+", f"(re.+ {self.smtlib})")

    def times(self, count: int) -> TextPattern:
        return TextPattern(f"{self.python}{{{count}}}", f"((_ re.^ {count}) {self.smtlib})")


def chars(*ranges: str) -> TextPattern:
    """Return the pattern of one character. Each range is a character, or the first and the last of several."""
    python = "".join("-".join(_escape(end) for end in dict.fromkeys(one)) for one in ranges)
    smtlib = [f"(re.range {_smt_char(one[0])} {_smt_char(one[-1])})" for one in ranges]
    return TextPattern(f"[{python}]", smtlib[0] if len(smtlib) == 1 else f"(re.union {' '.join(smtlib)})")


def _escape(char: str) -> str:
    if char.isascii() and char.isprintable():
        return f"\\{char}" if char in "\\]^-[&~|" else char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\U{code:08x}"


def _smt_char(char: str) -> str:
    code = min(ord(char), MAX_SMT_CODE_POINT)
    return f'"{char}"' if " " <= char <= "~" and char not in '"\\' else f'"\\u{{{code:x}}}"'


def _spell(word: str) -> TextPattern:
    """Return the pattern of a word in upper or lower case."""
    found = [chars(char.lower(), char.upper()) for char in word]
    return reduce(add, found)


_DIGIT, _SIGN = chars("09"), chars("+", "-")
_PUNCTUATION = ("!/", ":@", "[`", "{~")

CLASSES: Mapping[str, TextPattern] = {
    "digits": _DIGIT,
    "letters": chars("AZ", "az"),
    "upper-case letters": chars("AZ"),
    "lower-case letters": chars("az"),
    "letters and digits": chars("09", "AZ", "az"),
    "spaces": chars(" ", "\t\r"),
    "punctuation": chars(*_PUNCTUATION),
    "control characters": chars("\x00\x1f", "\x7f\x9f"),
    "non-ASCII characters": chars(f"\x80{chr(MAX_CODE_POINT)}"),
    "characters beyond Latin-1": chars(f"\u0100{chr(MAX_CODE_POINT)}"),
    "characters beyond U+FFFF": chars(f"\U00010000{chr(MAX_CODE_POINT)}"),
}
"""Classes of characters. ``spaces`` are the blank and the characters from tab to carriage return."""

EXAMPLES: Mapping[str, str] = {
    "digits": string.digits,
    "upper-case letters": string.ascii_uppercase,
    "lower-case letters": string.ascii_lowercase,
    "spaces": " ",
    "punctuation": string.punctuation,
    "control characters": "\x01\x1b\x7f",
    "non-ASCII characters": "\u00e9\u00ff\u0416\u4e2d\U0001f600",
}
"""Typical members of the classes that do not overlap."""

_EXPONENT = (chars("e", "E") + _SIGN.optional + _DIGIT.repeated).optional
_FRACTION = chars(".") + _DIGIT.repeated

_INTEGER = _SIGN.optional + _DIGIT.repeated
_NUMBER = (
    _SIGN.optional + ((_DIGIT.repeated + (chars(".") + _DIGIT.repeated.optional).optional) | _FRACTION) + _EXPONENT
)
_JSON_NUMBER = (
    chars("-").optional + (chars("0") | (chars("19") + _DIGIT.repeated.optional)) + _FRACTION.optional + _EXPONENT
)
_SPECIAL = _SIGN.optional + (_spell("nan") | (_spell("inf") + _spell("inity").optional))
_PADDING = chars(" ", "\t\r").repeated.optional
_JSON_PADDING = chars(" ", "\t\n", "\r").repeated.optional

SHAPES: Mapping[str, TextPattern] = {
    "an integer": _INTEGER,
    "a number": _NUMBER,
    "a JSON number": _JSON_NUMBER,
    "an integer with optional spaces": _PADDING + _INTEGER + _PADDING,
    "a number with optional spaces": _PADDING + _NUMBER + _PADDING,
    "a JSON number with optional spaces": _JSON_PADDING + _JSON_NUMBER + _JSON_PADDING,
    "a number, infinity or NaN with optional spaces": _PADDING + (_NUMBER | _SPECIAL) + _PADDING,
    "a date": _DIGIT.times(4) + chars("-") + _DIGIT.times(2) + chars("-") + _DIGIT.times(2),
    "a time": _DIGIT.times(2) + chars(":") + _DIGIT.times(2) + (chars(":") + _DIGIT.times(2)).optional,
}
"""Shapes of texts: ``a number`` is what Python's ``float`` reads, without infinities and NaN; a date is 2001-02-30.
Spaces are optional before and after."""

PREDICATES: Mapping[str, tuple[str, str]] = {
    "same": ("=", "!="),
    "contains": ("contains", "does not contain"),
    "starts": ("starts with", "does not start with"),
    "ends": ("ends with", "does not end with"),
    "any": ("has one of", "has none of"),
    "has": ("has", "has no"),
    "made": ("consists of", "does not consist of"),
    "shaped": ("has the shape of", "does not have the shape of"),
}
"""The words of each predicate, and those of its negation."""

NAMED: Mapping[str, Mapping[str, TextPattern]] = {"has": CLASSES, "made": CLASSES, "shaped": SHAPES}
"""The predicates whose second part is the name of a pattern."""


def pattern_of(op: str, name: str) -> TextPattern:
    """Return the pattern that a text must match as a whole.

    For ``has`` and ``any``, one of its characters must match it.
    """
    if op == "any":
        return chars(*name)
    found = NAMED[op][name]
    return found.repeated if op == "made" else found


def predicate_source(op: str, value: str, other: str) -> tuple[str, str]:
    """Write a predicate as Python: a condition on the types, and the test itself, which may assume the condition.

    ``value`` is the source of the field. ``other`` is, for ``same``, the source of the other field; for all other
    predicates it is the text itself.
    """
    if op == "same":
        return f"type({value}) is type({other})", f"{value} == {other}"
    is_text = f"type({value}) is str"
    if op == "contains":
        return is_text, f"{text_source(other)} in {value}"
    if op in ("starts", "ends"):
        return is_text, f"{value}.{op}with({text_source(other)})"
    if op == "any":
        return is_text, f"any(char in {value} for char in {text_source(other)})"
    match = "search" if op == "has" else "fullmatch"
    return is_text, f"re.{match}({_regex_source(pattern_of(op, other).python)}, {value}) is not None"


def _regex_source(pattern: str) -> str:
    return f"r'{pattern}'" if "'" not in pattern else f'r"""{pattern}"""'


def text_source(text: str) -> str:
    """Write a text as Python source."""
    import json

    return json.dumps(text, ensure_ascii=False) if text.isprintable() else repr(str(text))
