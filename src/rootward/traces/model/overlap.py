"""Decide whether two patterns can match the same event, by comparing them word by word.

For words, blanks and ``...`` the answer is exact. A regular expression can only be tried on sample texts, so the answer
may be DOUBT.
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
"""Parts of a regular expression that may match a space."""
HEAD = re.compile(r"(?:[A-Za-z0-9 ](?![*?{]))*")
"""The plain characters at the beginning of a regular expression."""
SAMPLES = {"int": ("0", "1"), "hex": ("00", "0A"), "rest": ("", "0")}
MAX_TRIED_TEXTS = 200
"""Maximum number of sample texts of a pattern that are tried."""


@dataclass(frozen=True)
class Word:
    """One word of a pattern."""

    kind: str
    """``text``: one of the options. ``any``, ``int``, ``hex``, ``regex``: one word. ``rest``: any number of words.

    ``span``: the first word of a match of a regular expression that may contain spaces.
    """
    options: tuple[str, ...] = ()
    name: str = ""
    regex: str = ""


REST = Word("rest")


def whole_regex(pattern: Pattern) -> bool:
    return len(pattern.text) > 1 and pattern.text[0] == pattern.text[-1] == "/"


@lru_cache(maxsize=10_000)
def words(pattern: Pattern) -> tuple[Word, ...]:
    """Return the words of a pattern. The pattern must not be one regular expression as a whole."""
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


def param_types(pattern: Pattern | None) -> dict[str, type[int] | type[str]]:
    """Return the type of each parameter: number or text.

    Computed parameters are left out, because their type is unknown.
    """
    if pattern is None:
        return {}
    found: dict[str, type[int] | type[str]] = dict.fromkeys(pattern.params, str)
    if not whole_regex(pattern):
        found |= {word.name: int for word in words(pattern) if word.kind in CONVERT}
    return {name: kind for name, kind in found.items() if name not in {one.name for one in pattern.derived}}


@lru_cache(maxsize=100_000)
def can_both_match(one: Pattern, other: Pattern) -> int:
    """Return YES, NO or DOUBT: can the same event match both patterns?"""
    if one.text == other.text:
        return YES
    if whole_regex(one) and whole_regex(other):
        return DOUBT if _heads_agree(_head(one.text[1:-1]), _head(other.text[1:-1])) else NO
    if whole_regex(one):
        return _try_texts(other, one)
    return _try_texts(one, other) if whole_regex(other) else _align(words(one), words(other))


def _try_texts(plain: Pattern, regex: Pattern) -> int:
    """Return YES, NO or DOUBT: can an event of the pattern ``plain`` match the regular expression ``regex``?

    This is found out by trying sample texts.
    """
    parts = words(plain)
    texts = [word.options if word.kind == "text" else SAMPLES.get(word.kind, ("x", "0")) for word in parts]
    tries = list(islice(product(*texts), MAX_TRIED_TEXTS + 1))
    if any(_matches(plain, text) and _matches(regex, text) for text in (" ".join(filter(None, t)) for t in tries)):
        return YES
    return NO if len(tries) <= MAX_TRIED_TEXTS and all(word.kind == "text" for word in parts) else DOUBT


def _matches(pattern: Pattern, text: str) -> bool:
    return Pattern(pattern.text).match(Event(0, text, "", "")) is not None


def _align(one: Sequence[Word], other: Sequence[Word]) -> int:
    """Return the best result over all alignments of two patterns, by dynamic programming from their ends."""
    if _differ_in_first_words(one, other):
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
                found = min(_compare_words(left, right), below[j + 1])
            row[j] = found
        below = row
    return below[0]


def _differ_in_first_words(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return True if the two sequences differ in one of the plain words with which both begin.

    This is a quick test that decides most pairs.
    """
    for left, right in zip(one, other, strict=False):
        if left.kind != "text" or right.kind != "text":
            return False
        if not set(left.options) & set(right.options):
            return True
    return False


def _compare_words(one: Word, other: Word) -> int:
    """Return YES, NO or DOUBT: can the same text match both words of patterns?"""
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
    """Return the plain text with which every match of the regular expression begins."""
    return "" if "|" in regex else HEAD.match(regex)[0]  # type: ignore[index]


def _heads_agree(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _fits(text: str, word: Word) -> bool:
    if word.kind == "text":
        return text in word.options
    source = word.regex or KINDS[None if word.kind == "any" else word.kind]
    return re.fullmatch(source, text, re.DOTALL) is not None


def shared_terms(one: Pattern, other: Pattern) -> Iterator[tuple[Term, Term]]:
    """Yield pairs of terms, one from each pattern. The two are equal in every event that both patterns match."""
    if one.text == other.text:
        computed = {derived.name for derived in one.derived} if one.derived != other.derived else set()
        yield from ((Param(name), Param(name)) for name in sorted((one.params & other.params) - computed))
    elif not whole_regex(one) and not whole_regex(other):
        for left, right in zip(words(one), words(other), strict=False):
            if {left.kind, right.kind} & {"rest", "span"}:
                return  # from here on, words at the same position need not correspond
            pair = _term(left, right), _term(right, left)
            if pair[0] is not None and pair[1] is not None:
                yield pair[0], pair[1]


def _term(word: Word, other: Word) -> Term | None:
    """Return the term for a word: its parameter, or its text as a constant.

    The text is converted as ``other`` would convert it. Returns None if the word has no term that can be compared with
    ``other``.
    """
    convert = CONVERT.get(other.kind, str)
    if word.name:
        return Param(word.name) if CONVERT.get(word.kind, str) is convert or other.kind == "text" else None
    if len(word.options) != 1 or not _fits(word.options[0], other):
        return None
    return Const(convert(word.options[0]))
