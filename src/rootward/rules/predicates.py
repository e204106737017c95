"""Predicates: what a rule can say about a text, and whether two fields are equal. They are True or False.

A predicate is the operator of a `Quantity`: ``Quantity("contains", "path", TextConstant("//"))``. The first part is
the field. The second is a text that is not the name of a field (`TextConstant`), the name of a character class, the
name of a shape, a set of characters in words, or, for ``same``, another field. A predicate about a text is False for a
value that is not a text.

Character classes and shapes are patterns (`TextPattern`), which can be written as a regular expression of Python and of
SMT-LIB. Classes are ASCII, because code that tests for digits or letters mostly means these. To add a class or a shape,
add it to ``CLASSES`` or ``SHAPES``.

A set of characters is written as a person would say it: ``letters, digits and "-._"`` (``describe_characters``). It is
the alphabet of a name, a key or a token; the words are the constant. So are those of two parts in a certain order:
``"[" and later "]"`` (``describe_order``).
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add, or_

from rootward.errors import InputError

MAX_CODE_POINT = 0x10FFFF
MAX_SMT_CODE_POINT = 0x2FFFF
"""The largest code point of a string in SMT-LIB."""


@dataclass(frozen=True, slots=True, order=True)
class TextConstant:
    """A text in a quantity that is not the name of a field."""

    text: str


_ONE_CHARACTER = re.compile(r"\[(?:[^\\\]]|\\.)*\]|\\[ds]")


@dataclass(frozen=True)
class TextPattern:
    """A regular expression, as Python and as SMT-LIB write it. SMT-LIB is written only if somebody reads it."""

    python: str
    write_smtlib: Callable[[], str]

    @property
    def smtlib(self) -> str:
        return self.write_smtlib()

    def __add__(self, other: TextPattern) -> TextPattern:
        return TextPattern(self.python + other.python, lambda: f"(re.++ {self.smtlib} {other.smtlib})")

    def __or__(self, other: TextPattern) -> TextPattern:
        return TextPattern(f"(?:{self.python}|{other.python})", lambda: f"(re.union {self.smtlib} {other.smtlib})")

    @property
    def optional(self) -> TextPattern:
        return TextPattern(f"(?:{self.python})?", lambda: f"(re.opt {self.smtlib})")

    @property
    def repeated(self) -> TextPattern:
        """One or more times."""
        one = self.python if _ONE_CHARACTER.fullmatch(self.python) else f"(?:{self.python})"
        return TextPattern(f"{one}+", lambda: f"(re.+ {self.smtlib})")

    def times(self, count: int) -> TextPattern:
        return TextPattern(f"{self.python}{{{count}}}", lambda: f"((_ re.^ {count}) {self.smtlib})")


def chars(*ranges: str) -> TextPattern:
    """Return the pattern of one character. Each range is a character, or the first and the last of several."""
    python = "".join("-".join(_escape(end) for end in dict.fromkeys(one)) for one in ranges)
    return TextPattern(f"[{python}]", lambda: _write_ranges(ranges))


def _write_ranges(ranges: Sequence[str]) -> str:
    written = [f"(re.range {_smt_char(one[0])} {_smt_char(one[-1])})" for one in ranges]
    return written[0] if len(written) == 1 else f"(re.union {' '.join(written)})"


@lru_cache(maxsize=4)
def _write_escape(escape: str) -> str:
    runs = re.findall(f"{escape}+", "".join(map(chr, range(MAX_SMT_CODE_POINT + 1))))
    return _write_ranges([run[0] + run[-1] for run in runs])


def _unicode(escape: str) -> TextPattern:
    """Return the pattern of one character of a class of Unicode, such as ``\\d``: all digits."""
    return TextPattern(escape, lambda: _write_escape(escape))


def _escape(char: str) -> str:
    if char.isascii() and char.isprintable():
        return f"\\{char}" if char in "\\]^-[&~|" else char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\U{code:08x}"


def _smt_char(char: str) -> str:
    code = min(ord(char), MAX_SMT_CODE_POINT)
    return f'"{char}"' if " " <= char <= "~" and char not in '"\\' else f'"\\u{{{code:x}}}"'


def _spell(word: str) -> TextPattern:
    """Return the pattern of a word of which each ASCII letter may be in upper or lower case."""
    return reduce(
        add, [chars(*dict.fromkeys(char.lower() + char.upper() if char.isascii() else char)) for char in word]
    )


def _any_of(*words: str) -> TextPattern:
    return reduce(or_, [reduce(add, map(chars, word)) for word in words])


_DIGIT, _SIGN = chars("09"), chars("+", "-")
_PUNCTUATION = ("!/", ":@", "[`", "{~")

_OTHER_DIGITS = (
    r"\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea"
    r"\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\U00010a40-\U00010a43\U00010e60-\U00010e68"
    r"\U00011052-\U0001105a\U0001f100-\U0001f10a"
)
"""Digits that are not decimal: raised, lowered, circled. Python's ``isdigit`` accepts them, ``int`` does not."""

CLASSES: Mapping[str, TextPattern] = {
    "digits": _DIGIT,
    "letters": chars("AZ", "az"),
    "upper-case letters": chars("AZ"),
    "lower-case letters": chars("az"),
    "letters and digits": chars("09", "AZ", "az"),
    "spaces": chars(" ", "\t\r"),
    "line breaks": chars("\n\r", "\x1c\x1e", "\x85", "\u2028\u2029"),
    "punctuation": chars(*_PUNCTUATION),
    "control characters": chars("\x00\x1f", "\x7f\x9f"),
    "non-ASCII characters": chars(f"\x80{chr(MAX_CODE_POINT)}"),
    "characters beyond Latin-1": chars(f"\u0100{chr(MAX_CODE_POINT)}"),
    "characters beyond U+FFFF": chars(f"\U00010000{chr(MAX_CODE_POINT)}"),
    "letters and digits of any script": _unicode(r"[^\W_]"),
    "digits of any script": _unicode(r"\d"),
    "digits of any script or form": _unicode(rf"[\d{_OTHER_DIGITS}]"),
    "spaces of any script": _unicode(r"\s"),
}
"""Classes of characters. ``spaces`` are the blank and the characters from tab to carriage return. ``line breaks`` are
where Python's ``splitlines`` splits."""

_ANY = chars(f"\0{chr(MAX_CODE_POINT)}")
_LINE_BREAK = (
    (chars("\n\x0c", "\x1c\x1e", "\x85", "\u2028\u2029") + _ANY)
    | (chars("\r") + chars("\0\t", f"\x0b{chr(MAX_CODE_POINT)}"))
    | (chars("\r") + chars("\n") + _ANY)
)
PARTS: Mapping[str, TextPattern] = {**CLASSES, "line breaks before the end": _LINE_BREAK}
"""Parts of a text: a character of a class, or more. A text with line breaks before the end has several lines."""

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

ALPHABET = "".join(map(chr, range(128)))
ALPHABET += "\x80\x85\xa0\xb2\xb7\xd7\xe9\xff\u0416\u0663\u20ac\u2028\u4e2d\ufffe\uffff\U0001f600"
"""The characters that a set is measured on: all of ASCII, and beyond it a space, separators of lines, a sign, a digit,
letters of several scripts, the ends of ranges, and two that are no characters, which many formats forbid."""
_SET_CLASSES = (
    "letters and digits of any script",
    "letters",
    "upper-case letters",
    "lower-case letters",
    "digits of any script",
    "digits",
    "punctuation",
    "spaces of any script",
    "spaces",
    "control characters",
    "non-ASCII characters",
)
_ANY_SCRIPT = ("letters and digits of any script", "digits of any script", "spaces of any script")

_EXPONENT = (chars("e", "E") + _SIGN.optional + _DIGIT.repeated).optional
_FRACTION = chars(".") + _DIGIT.repeated

_INTEGER = _SIGN.optional + _DIGIT.repeated
_NUMBER = (
    _SIGN.optional + ((_DIGIT.repeated + (chars(".") + _DIGIT.repeated.optional).optional) | _FRACTION) + _EXPONENT
)
_DECIMAL = _SIGN.optional + (_DIGIT.repeated | (_DIGIT.repeated.optional + _FRACTION))
_ANY_DIGIT = _unicode(r"\d")
_ANY_DECIMAL = _SIGN.optional + (
    _ANY_DIGIT.repeated | (_ANY_DIGIT.repeated.optional + chars(".") + _ANY_DIGIT.repeated)
)
_JSON_NUMBER = (
    chars("-").optional + (chars("0") | (chars("19") + _DIGIT.repeated.optional)) + _FRACTION.optional + _EXPONENT
)
_SPECIAL = _SIGN.optional + (_spell("nan") | (_spell("inf") + _spell("inity").optional))
_LINE_FEED = chars("\n").optional
_PADDING = chars(" ", "\t\r").repeated.optional
_JSON_PADDING = chars(" ", "\t\n", "\r").repeated.optional

_PYTHON_DIGITS = _ANY_DIGIT + (chars("_").optional + _ANY_DIGIT).repeated.optional
_PYTHON_PADDING = _unicode(r"[^\S\x1c-\x1f]").repeated.optional
_PYTHON_EXPONENT = (chars("e", "E") + _SIGN.optional + _PYTHON_DIGITS).optional
_PYTHON_FRACTION = chars(".") + _PYTHON_DIGITS
_PYTHON_NUMBER = _SIGN.optional + (
    ((_PYTHON_DIGITS + (chars(".") + _PYTHON_DIGITS.optional).optional) | _PYTHON_FRACTION) + _PYTHON_EXPONENT
)

_DATE = _DIGIT.times(4) + chars("-") + _DIGIT.times(2) + chars("-") + _DIGIT.times(2)
_NOT_ZERO = chars("19")
_YEAR = reduce(or_, [_DIGIT.times(3 - n) + _NOT_ZERO + chars("0").times(n) for n in range(4)])
_LEAP = (chars("0") + chars("4", "8")) | (chars("2", "4", "6", "8") + chars("0", "4", "8"))
_LEAP |= chars("1", "3", "5", "7", "9") + chars("2", "6")
_TO_28 = (chars("0") + _NOT_ZERO) | (chars("1") + _DIGIT) | (chars("2") + chars("08"))
_TO_30 = _TO_28 | (chars("2") + chars("9")) | (chars("3") + chars("0"))
_DAYS = (
    (_YEAR + chars("-") + _any_of("01", "03", "05", "07", "08", "10", "12") + chars("-") + (_TO_30 | _any_of("31")))
    | (_YEAR + chars("-") + _any_of("04", "06", "09", "11") + chars("-") + _TO_30)
    | (_YEAR + _any_of("-02-") + _TO_28)
    | (((_DIGIT.times(2) + _LEAP) | (_LEAP + _any_of("00"))) + _any_of("-02-29"))
)
_NO_DAY = TextPattern(f"(?:(?!{_DAYS.python}){_DATE.python})", lambda: f"(re.diff {_DATE.smtlib} {_DAYS.smtlib})")

_STRICT: Mapping[str, TextPattern] = {
    "an integer": _INTEGER,
    "a number": _NUMBER,
    "a decimal number": _DECIMAL,
    "a decimal number in any script": _ANY_DECIMAL,
    "a JSON number": _JSON_NUMBER,
    "a date": _DATE,
    "a day of the calendar": _DAYS,
    "a date that does not exist": _NO_DAY,
    "a time": _DIGIT.times(2) + chars(":") + _DIGIT.times(2) + (chars(":") + _DIGIT.times(2)).optional,
}
SHAPES: Mapping[str, TextPattern] = {
    **_STRICT,
    **{f"{name} with an optional final line feed": one + _LINE_FEED for name, one in _STRICT.items()},
    "an integer with optional spaces": _PADDING + _INTEGER + _PADDING,
    "a number with optional spaces": _PADDING + _NUMBER + _PADDING,
    "a JSON number with optional spaces": _JSON_PADDING + _JSON_NUMBER + _JSON_PADDING,
    "a number, infinity or NaN with optional spaces": _PADDING + (_NUMBER | _SPECIAL) + _PADDING,
    "a date with optional spaces": _PADDING + _DATE + _PADDING,
    "a day of the calendar with optional spaces": _PADDING + _DAYS + _PADDING,
    "a date that does not exist, with optional spaces": _PADDING + _NO_DAY + _PADDING,
    "a Python int": _PYTHON_PADDING + _SIGN.optional + _PYTHON_DIGITS + _PYTHON_PADDING,
    "a Python float": _PYTHON_PADDING + (_PYTHON_NUMBER | _SPECIAL) + _PYTHON_PADDING,
}
"""Shapes of texts. 2001-02-30 is a date, but not a day of the calendar. A decimal number has no exponent and does not
end with a point. ``a Python int`` and ``a Python float`` are all that these two functions of Python read: with spaces
around, underscores between digits, and digits and spaces of any script. A final line feed is optional where code ends a
regular expression with ``$``, and nobody thinks of it."""


# Sets of characters


def describe_characters(members: Collection[str]) -> str:
    """Write a set of characters of ``ALPHABET`` in words: the classes that it contains, then the other characters."""
    names, text = split_characters(members)
    quoted = json.dumps(text, ensure_ascii=not text.isprintable())
    return " and ".join(part for part in (", ".join(names), quoted if text else "") if part)


def split_characters(members: Collection[str]) -> tuple[list[str], str]:
    """Return the classes that a set of characters of ``ALPHABET`` contains, and its other characters."""
    rest, names = set(members), []
    for name in ("non-ASCII characters", *_SET_CLASSES):
        own = _members_of(name)
        new = {char for char in own & rest if not (name in _ANY_SCRIPT and char.isascii())}
        if own <= set(members) and new:
            names.append(name)
            rest -= own
    return sorted(names, key=_SET_CLASSES.index), "".join(sorted(rest))


@lru_cache(maxsize=64)
def _members_of(name: str) -> frozenset[str]:
    return frozenset(re.findall(CLASSES[name].python, ALPHABET))


_SET = re.compile(r'(?P<names>[^"]*?)(?:(?:^| and )(?P<rest>".+"))?', re.DOTALL)


@lru_cache(maxsize=256)
def set_pattern(words: str) -> TextPattern:
    """Return the pattern of one character of a set that is given in words. Raises InputError if it is not one."""
    found = _SET.fullmatch(words)
    names = [name for name in found["names"].split(", ") if name] if found else []
    try:
        rest = json.loads(found["rest"] or '""') if found else ""
    except ValueError:
        rest = ""
    if not (names or rest) or any(name not in _SET_CLASSES for name in names):
        raise InputError(f'{words!r} is not a set of characters: expected something like letters, digits and "-._"')
    return reduce(or_, [*(CLASSES[name] for name in names), *([chars(*rest)] if rest else [])])


# Parts in order

_LATER, _LATER_APART = " and later ", " and later, not right after it, "


def describe_order(first: str, last: str, *, apart: bool) -> str:
    """Write in words that a text has one part and later another one, with something between them if ``apart``."""
    return f"{json.dumps(first)}{_LATER_APART if apart else _LATER}{json.dumps(last)}"


@lru_cache(maxsize=256)
def order_pattern(words: str) -> TextPattern:
    """Return the pattern of two parts in order, and what is between. Raises InputError if the words do not say so."""
    read = json.JSONDecoder().raw_decode
    try:
        first, end = read(words)
        between = next(one for one in (_LATER, _LATER_APART) if words.startswith(one, end))
        last, end = read(words, end + len(between))
    except (ValueError, StopIteration):
        first = last = between = ""
    if not (isinstance(first, str) and first and isinstance(last, str) and last and end == len(words)):
        raise InputError(f'{words!r} is not two parts in order: expected something like "[" and later "]"')
    anything = _ANY.repeated if between == _LATER_APART else _ANY.repeated.optional
    head, tail = _any_of(first), anything + _any_of(last)
    # Only the first place of the first part matters. Trying all of them would take the square of a text's length.
    return TextPattern(f"(?>{_ANY.python}*?{head.python}){tail.python}", lambda: (head + tail).smtlib)


PREDICATES: Mapping[str, tuple[str, str]] = {
    "same": ("=", "!="),
    "contains": ("contains", "does not contain"),
    "starts": ("starts with", "does not start with"),
    "ends": ("ends with", "does not end with"),
    "folded": ("equals, ignoring case,", "does not equal, ignoring case,"),
    "any": ("has one of", "has none of"),
    "other": ("has a character other than", "has no character other than"),
    "inner": ("has, before a final line feed, a character other than", "has, before a final line feed, only"),
    "first": ("starts with one of", "does not start with one of"),
    "last": ("ends with one of", "does not end with one of"),
    "later": ("has", "does not have"),
    "has": ("has", "has no"),
    "made": ("consists of", "does not consist of"),
    "shaped": ("has the shape of", "does not have the shape of"),
}
"""The words of each predicate, and those of its negation."""

NAMED: Mapping[str, Mapping[str, TextPattern]] = {"has": PARTS, "made": CLASSES, "shaped": SHAPES}
"""The predicates whose second part is the name of a pattern."""


SETS = ("other", "inner", "first", "last")
"""The predicates whose second part is a set of characters in words."""


def pattern_of(op: str, name: str) -> TextPattern:
    """Return the pattern that belongs to a predicate.

    For ``has`` and ``any``, a part of a text must match it; for ``later``, its beginning (in SMT-LIB, a part); for
    ``first`` and ``last``, the first or last character; for ``other`` and ``inner``, one character must not. For all
    other predicates, the whole text must.
    """
    if op == "any":
        return chars(*name)
    if op in SETS:
        return set_pattern(name)
    if op == "later":
        return order_pattern(name)
    if op == "folded":
        return _spell(name)
    found = NAMED[op][name]
    return found.repeated if op == "made" else found


def match_source(op: str, name: str) -> tuple[str, str, bool]:
    """Return the function of ``re`` that decides a predicate, the regular expression, and True if it must match."""
    pattern = pattern_of(op, name).python
    if op in ("other", "inner"):
        return "fullmatch", f"{pattern}*" + (r"\n?" if op == "inner" else ""), False
    if op == "last":
        return "search", rf"{pattern}\Z", True
    return {"has": "search", "any": "search", "later": "match", "first": "match"}.get(op, "fullmatch"), pattern, True


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
    match, pattern, wanted = match_source(op, other)
    return is_text, f"re.{match}({_regex_source(pattern)}, {value}) is {'not ' if wanted else ''}None"


def _regex_source(pattern: str) -> str:
    return f"r'{pattern}'" if "'" not in pattern else f'r"""{pattern}"""'


def text_source(text: str) -> str:
    """Write a text as Python source."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else repr(str(text))
