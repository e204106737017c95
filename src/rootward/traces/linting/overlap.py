"""Whether two patterns can match the same event: word by word.

Words, blanks and ``...`` are decided exactly. Of a regular expression only what it matches can be tried, so there may
be doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from rootward.traces.model.event import Event
from rootward.traces.model.guard import Const, Param, Term
from rootward.traces.model.pattern import BLANK, CONVERT, KINDS, Pattern

NO, DOUBT, YES = 0, 1, 2
SPANNING = re.compile(r"\.|\\[sWD]|\[\^")
"""What in a regular expression may match a space."""
HEAD = re.compile(r"(?:[A-Za-z0-9 ](?![*?{]))*")
"""The plain characters at the beginning of a regular expression."""
SAMPLES = {"int": ("0", "1"), "hex": ("00", "0A"), "rest": ("", "0")}
TRIED = 200
"""Texts of a pattern that are tried."""


@dataclass(frozen=True)
class Word:
    kind: str
    """``text``: one of the options. ``any``, ``int``, ``hex``, ``regex``: one word. ``rest``: any number of words.

    ``span``: the beginning of what matches a regular expression that may go beyond a word.
    """
    options: tuple[str, ...] = ()
    name: str = ""
    regex: str = ""


REST = Word("rest")


def whole_regex(pattern: Pattern) -> bool:
    return len(pattern.text) > 1 and pattern.text[0] == pattern.text[-1] == "/"


@lru_cache(maxsize=10_000)
def words(pattern: Pattern) -> tuple[Word, ...]:
    """The words of a pattern that is no regular expression."""
    return tuple(_words(pattern.text))


def _words(pattern: str) -> Iterator[Word]:
    for place, text in enumerate(pattern.split()):
        if text == "...":
            yield from (REST,) if place else (Word("any"), REST)
        elif found := BLANK.fullmatch(text):
            yield from _blank(found)
        elif text == "*":
            yield Word("any")
        elif text[0] == "(" and text[-1] == ")":
            yield Word("text", tuple(text[1:-1].split("|")))
        else:
            yield Word("text", (text,))


def _blank(found: re.Match[str]) -> Iterator[Word]:
    if found["regex"]:
        if SPANNING.search(found["regex"]):
            yield Word("span")
            yield REST
        else:
            yield Word("regex", name=found["name"], regex=found["regex"])
    elif found["kind"] == "...":
        yield Word("any")
        yield REST
    else:
        yield Word(found["kind"] or "any", name=found["name"])


def kinds(pattern: Pattern | None) -> dict[str, type[int] | type[str]]:
    """Which parameters are numbers and which are texts. Of computed ones nothing is known."""
    if pattern is None:
        return {}
    found: dict[str, type[int] | type[str]] = dict.fromkeys(pattern.params, str)
    if not whole_regex(pattern):
        found |= {word.name: int for word in words(pattern) if word.kind in CONVERT}
    return {name: kind for name, kind in found.items() if name not in {one.name for one in pattern.derived}}


@lru_cache(maxsize=100_000)
def meet(one: Pattern, other: Pattern) -> int:
    """Whether some event matches both: YES, NO or DOUBT."""
    if one.text == other.text:
        return YES
    if whole_regex(one) and whole_regex(other):
        return DOUBT if _heads_agree(_head(one.text[1:-1]), _head(other.text[1:-1])) else NO
    if whole_regex(one):
        return _tried(other, one)
    return _tried(one, other) if whole_regex(other) else _aligned(words(one), words(other))


def _tried(plain: Pattern, regex: Pattern) -> int:
    """Whether a regular expression matches what a pattern of words stands for."""
    parts = words(plain)
    texts = [word.options if word.kind == "text" else SAMPLES.get(word.kind, ("x", "0")) for word in parts]
    tries = list(islice(product(*texts), TRIED + 1))
    if any(_matches(plain, text) and _matches(regex, text) for text in (" ".join(filter(None, t)) for t in tries)):
        return YES
    return NO if len(tries) <= TRIED and all(word.kind == "text" for word in parts) else DOUBT


def _matches(pattern: Pattern, text: str) -> bool:
    return Pattern(pattern.text).match(Event(0, text, "", "")) is not None


def _aligned(one: Sequence[Word], other: Sequence[Word]) -> int:
    """The best way to lay two patterns beside each other, from their ends to their beginnings."""
    if _part_at_once(one, other):
        return NO
    below = [NO] * (len(other) + 1)
    for i in range(len(one), -1, -1):
        row = [NO] * (len(other) + 1)
        for j in range(len(other), -1, -1):
            left = one[i] if i < len(one) else None
            right = other[j] if j < len(other) else None
            found = YES if left is right is None else NO
            if REST in (left, right):
                found = max(NO if left is None else below[j], NO if right is None else row[j + 1])
            elif left is not None and right is not None:
                found = min(_same(left, right), below[j + 1])
            row[j] = found
        below = row
    return below[0]


def _part_at_once(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether they begin with plain words and differ in one of them: most pairs do."""
    for left, right in zip(one, other, strict=False):
        if left.kind != "text" or right.kind != "text":
            return False
        if not set(left.options) & set(right.options):
            return True
    return False


def _same(one: Word, other: Word) -> int:
    """Whether a word fits both."""
    both = {one.kind, other.kind}
    if both == {"regex"}:
        return DOUBT if _heads_agree(_head(one.regex), _head(other.regex)) else NO
    if "span" in both or ("regex" in both and "text" not in both):
        return DOUBT
    if one.kind != "text":
        one, other = other, one
    if one.kind != "text":
        return YES
    return YES if any(_fits(option, other) for option in one.options) else NO


def _head(regex: str) -> str:
    """What everything that it matches begins with."""
    return "" if "|" in regex else HEAD.match(regex)[0]  # type: ignore[index]


def _heads_agree(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _fits(text: str, word: Word) -> bool:
    if word.kind == "text":
        return text in word.options
    source = word.regex or KINDS[None if word.kind == "any" else word.kind]
    return re.fullmatch(source, text, re.DOTALL) is not None


def shared(one: Pattern, other: Pattern) -> Iterator[tuple[Term, Term]]:
    """What is equal in an event that both match: a term of the one pattern, and a term of the other."""
    if one.text == other.text:
        computed = {derived.name for derived in one.derived} if one.derived != other.derived else set()
        yield from ((Param(name), Param(name)) for name in sorted((one.params & other.params) - computed))
    elif not whole_regex(one) and not whole_regex(other):
        for left, right in zip(words(one), words(other), strict=False):
            if {left.kind, right.kind} & {"rest", "span"}:
                return  # from here on, words at the same place need not be the same
            pair = _term(left, right), _term(right, left)
            if pair[0] is not None and pair[1] is not None:
                yield pair[0], pair[1]


def _term(word: Word, other: Word) -> Term | None:
    """What a word is: a parameter, or the only text it can be, as the other would read it."""
    convert = CONVERT.get(other.kind, str)
    if word.name:
        return Param(word.name) if CONVERT.get(word.kind, str) is convert or other.kind == "text" else None
    if len(word.options) != 1 or not _fits(word.options[0], other):
        return None
    return Const(convert(word.options[0]))
