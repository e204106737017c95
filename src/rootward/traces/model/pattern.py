"""Patterns: the events that an edge takes, as a text with blanks for what varies, such as ``req CTR set <value>``.

Words match themselves. ``*`` matches any one word, ``...`` the rest of the event, whatever it is, and ``(a|b)`` one of
several words. ``<name>`` matches one word and names it; ``<name:int>`` matches a whole number and ``<name:hex>`` a
hexadecimal number, and the parameter is a number in both cases; ``<name:...>`` matches the rest of the event, and
``<name=REGEX>`` whatever the regular expression matches. A text between slashes is a regular expression for the whole
event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from rootward.errors import InputError
from rootward.traces.model.event import Event
from rootward.traces.model.guard import Value

BLANK = re.compile(r"<(?P<name>[A-Za-z_]\w*)(?::(?P<kind>int|hex|\.\.\.)|=(?P<regex>.+))?>")
KINDS: Mapping[str | None, str] = {None: r"\S+", "int": r"-?\d{1,400}", "hex": r"[0-9A-Fa-f]{1,400}", "...": r".*"}
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w*>|\(\?[:=!]|\(\?<[=!]|[(){*+?|]|[^\\\[(){*+?|]+|.", re.DOTALL
)
_TIMES = re.compile(r"\{\d+\}")
CONVERT: Mapping[str, Callable[[str], Value]] = {"int": int, "hex": lambda text: int(text, 16)}


@dataclass(frozen=True)
class Derived:
    """A parameter that is computed from others."""

    name: str
    function: Callable[..., Value]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Pattern:
    """A pattern that matches events (see the top of this file)."""

    text: str
    derived: tuple[Derived, ...] = ()
    narrows: Pattern | None = field(default=None, compare=False, repr=False)
    """A pattern that matches at least the same events, if this one was made from it."""

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], dict[str, Callable[[str], Value]]]:
        return _compile(self.text)

    @property
    def source(self) -> str:
        """The regular expression that the pattern stands for."""
        return self._compiled[0].pattern

    @cached_property
    def params(self) -> frozenset[str]:
        """The names of all parameters, derived ones included."""
        return frozenset(self._compiled[0].groupindex) | {one.name for one in self.derived}

    @cached_property
    def head(self) -> str:
        """The kind and the operation of every event that can match, if both are plain words; else an empty text."""
        if self.narrows is not None:
            return self.narrows.head
        words = self.text.split()
        plain = len(words) >= 3 and all(re.fullmatch(r"\w+", words[place]) for place in (0, 2))
        return f"{words[0]} {words[2]}" if plain and re.fullmatch(r"\S+", words[1]) and words[1] != "..." else ""

    def match(self, event: Event) -> dict[str, Value] | None:
        """Return the parameters of an event, or None if the pattern does not match it."""
        regex, convert = self._compiled
        if (found := regex.fullmatch(event.text)) is None:
            return None
        params: dict[str, Value] = dict(found.groupdict(default=""))
        for name, function in convert.items():
            params[name] = function(str(params[name]))
        for one in self.derived:
            params[one.name] = one.function(*(params[source] for source in one.sources))
        return params

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=10_000)
def _compile(text: str) -> tuple[re.Pattern[str], dict[str, Callable[[str], Value]]]:
    convert: dict[str, Callable[[str], Value]] = {}
    if len(text) > 1 and text[0] == text[-1] == "/":
        return _regex(text[1:-1], text), convert
    source = ""
    for place, word in enumerate(text.split()):
        space = " " if place else ""
        if word == "...":
            source += rf"(?:{space}.*)?"
        elif found := BLANK.fullmatch(word):
            source += f"{space}(?P<{found['name']}>{found['regex'] or KINDS[found['kind']]})"
            if found["kind"] in CONVERT:
                convert[found["name"]] = CONVERT[found["kind"]]
        elif word == "*":
            source += rf"{space}\S+"
        elif word[0] == "(" and word[-1] == ")":
            source += f"{space}(?:{'|'.join(map(re.escape, word[1:-1].split('|')))})"
        else:
            source += space + re.escape(word)
    return _regex(source, text), convert


def _regex(source: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(source, re.DOTALL)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"pattern {text!r}: {error}") from None


def repeats_a_choice(text: str) -> bool:
    """Return whether a regular expression repeats a group that contains a choice.

    Such an expression may match the same text in several ways, and matching can take practically for ever. Models may
    not use it.
    """
    choices = [False]
    closed = False
    """True if the piece before this one closes a group with a choice."""
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece.startswith("("):
            choices.append(False)
            closed = False
        elif piece == ")" and len(choices) > 1:
            closed = choices.pop()
            choices[-1] |= closed
        elif piece in ("*", "+", "{", "?", "|"):
            if closed and piece in ("*", "+", "{"):
                return True
            choices[-1] |= not _TIMES.match(text, found.start())
            closed = False
        else:
            closed = False
    return False
