"""Texts: what the search believes about a text field, and which texts would tell its beliefs apart.

What it believes: code looks at a text in few ways. It asks whether the text contains, starts with, ends with or equals
a constant, or contains one and later another; how long it is; whether it has a character of a class, or only such
characters; and whether it has the shape of a number or a date. Each of these is a *hypothesis*, with a price in bits: a
constant costs ``char_bits`` for each character, a class or a shape its name. As everywhere in this search, the shortest
explanation of all runs wins.

The constants come from *cores*: texts from which no part can be removed without changing the verdict
(text_experiments.py finds them). Sets of characters are *measured*: each character is inserted into a text, and those
that change the verdict are one set, the others its complement. A measured set costs no more than a class, however many
characters it has, because none of them was guessed. All other hypotheses need neither.

Many hypotheses agree on the same few runs. ``draw_texts`` makes texts on which they differ: a core in other
surroundings, with a character replaced by one of the same class or of another one, texts of other lengths, numbers,
dates, and the texts of the user.

To add a hypothesis, add its predicate to `rootward.rules.predicates` and yield it in ``TextField._list_tests``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rootward.rules.predicates import (
    ALPHABET,
    CLASSES,
    EXAMPLES,
    NAMED,
    TextConstant,
    describe_characters,
    describe_order,
    match_source,
    split_characters,
)
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.logic import LiteralColumn
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price
from rootward.space.exceptional_values import TEXTS

if TYPE_CHECKING:
    import numpy as np

    from rootward.searches.conditions.boundaries.axis import Bracket
    from rootward.searches.conditions.boundaries.feature import Point


@dataclass(frozen=True)
class TextTuning:
    """The constants of the search that are about texts."""

    char_bits: float = 5.0
    """Price of one character of a constant."""
    literal_bits: float = 3.0
    """Price of a condition on a field, as for all other fields."""
    predicate_bits: float = 1.0
    """Price of saying more than that a text is equal to a constant."""
    pattern_bits: float = 4.0
    """Price of the name of a character class or of a shape."""
    negation_bits: float = 0.5
    """Price of a negation, as for all other fields."""
    max_core: int = 12
    """Maximum length of a core whose parts become constants."""
    max_part: int = 6
    """Maximum length of a part of a core that becomes a constant."""
    max_cores: int = 6
    """Maximum number of cores of a field."""
    max_equalities: int = 40
    """Maximum number of texts that a text may be equal to."""
    max_lengths: int = 6
    """Maximum number of bounds on the length that are considered."""
    max_shrinkings: int = 40
    """Maximum number of runs to remove parts of one text."""
    plain_length: int = 6
    """Preferred length of a text into which characters are inserted."""
    max_tried_elsewhere: int = 3
    """Maximum number of characters that matter in one text and are tried in each other text."""
    max_odd_letters: int = 3
    """Maximum number of letters, or of digits, that differ from the others in a set of characters."""
    max_replaced: int = 4
    """Maximum number of characters of a core that are replaced, one by one."""
    max_conditions: int = 10
    """Maximum number of conditions on texts in a model; with more, the search gives up."""
    max_exceptions: int = 4
    """Maximum number of texts, named by the model, that are varied."""
    max_questions: int = 30
    """Maximum number of runs that tell hypotheses about one field apart."""
    pool: int = 120
    """Number of texts among which these runs are chosen."""


TEXT_TUNING = TextTuning()

OPENING_TEXTS = (
    "",
    "a",
    "A",
    "0",
    "-1.5",
    f" {string.punctuation} ",
    "\u00e9\U0001f600\n\x1b\x7f",
    "a" * 65536,
)
"""The texts tried first if the user gives none. Together they have characters of all classes. They are few, because
every field costs them, and if the verdict changes, further runs find out which part of a text matters."""
_SHAPED = (
    "7",
    "42",
    "-3",
    "+1",
    "007",
    "1.5",
    "1.",
    ".5",
    "1e5",
    "-2.5e-3",
    " 1",
    "2 ",
    "2024-02-28",
    "2001-02-30",
    "12:30",
)
_FILLERS = "axb"
PLACES = ("middle", "start", "end")
"""The positions at which characters are inserted into a text, to see which of them matter."""
_SET_PREDICATES = {"start": "first", "end": "last"}
_SINGLE_PREDICATES = {"middle": "contains", "start": "starts", "end": "ends"}
_BEYOND_ASCII = frozenset(char for char in ALPHABET if not char.isascii())

TextTest = Callable[[str], bool]


class TextField:
    """The hypotheses about one text field, with the runs for which each holds."""

    def __init__(self, index: int, name: str, listed: Sequence[str]) -> None:
        """``listed`` are the texts that the user gives as worth trying."""
        self.index, self.name, self.listed = index, name, tuple(listed)
        self.cores: dict[str, bool] = {}
        """The cores, with the verdict that each has."""
        self.alphabets: dict[tuple[str, bool], tuple[frozenset[str], frozenset[str]]] = {}
        """By position (``PLACES``) and verdict of a text: the characters that can be inserted there, and those that
        cannot without changing the verdict."""
        self._columns: dict[Any, tuple[int, int]] = {}

    def explains(self, text: str, label: bool) -> bool:
        """Return True if the text contains a core with the same verdict."""
        return any(its == label and core and core in text for core, its in self.cores.items())

    def literals(
        self, points: Sequence[Point], labels: Sequence[bool], brackets: Sequence[Bracket]
    ) -> list[LiteralColumn]:
        """Return all hypotheses and their negations. Those that hold for every run, or for none, are left out."""
        every = (1 << len(points)) - 1
        found = []
        mine = [one for one in brackets if one.axis.index == self.index]
        for (field, value, op), bits, test in self._list_tests(points, labels, mine):
            column = self._column((field, value, op), test, points)
            if column in (0, every):
                continue
            negated = _NEGATED[op]
            found.append(LiteralColumn(column, bits, (field, value, op), partial(self._holds, test, True)))
            found.append(
                LiteralColumn(
                    every & ~column,
                    bits + TEXT_TUNING.negation_bits,
                    (field, value, negated),
                    partial(self._holds, test, False),
                )
            )
        return found

    def _holds(self, test: TextTest, wanted: bool, point: Point) -> bool:
        return test(point[self.index]) is wanted

    def _column(self, meaning: Any, test: TextTest, points: Sequence[Point]) -> int:
        column, known = self._columns.get(meaning, (0, 0))
        for i in range(known, len(points)):
            if test(points[i][self.index]):
                column |= 1 << i
        self._columns[meaning] = column, len(points)
        return column

    def _list_tests(
        self, points: Sequence[Point], labels: Sequence[bool], brackets: Sequence[Bracket]
    ) -> Iterator[tuple[tuple[str, Any, str], float, TextTest]]:
        """Yield each hypothesis as its meaning (field or quantity, constant, operator), its price, and its test."""
        for text in self._list_equalities(points, labels):
            yield (self.name, text, "="), self._equality_bits(text), text.__eq__
        for word in self._list_words(points):
            quantity = Quantity("folded", self.name, TextConstant(word))
            bits = self._equality_bits(word) + TEXT_TUNING.predicate_bits
            yield (quantity, True, "="), bits, _match_pattern("folded", word)
        for part, op in self._list_parts():
            quantity = Quantity(op, self.name, TextConstant(part))
            bits = _constant_bits(part) + TEXT_TUNING.predicate_bits
            yield (quantity, True, "="), bits, _TESTS[op](part)
        for first, last, apart in self._list_orders():
            words = describe_order(first, last, apart=apart)
            bits = _constant_bits(first + last) + (2 + apart) * TEXT_TUNING.predicate_bits
            yield (Quantity("later", self.name, TextConstant(words)), True, "="), bits, _match_pattern("later", words)
        for op, some in self._list_character_sets():
            quantity = Quantity(op, self.name, TextConstant(some))
            bits = TEXT_TUNING.literal_bits + TEXT_TUNING.pattern_bits + TEXT_TUNING.predicate_bits
            yield (quantity, True, "="), bits, _TESTS[op](some) if op in _TESTS else _match_pattern(op, some)
        for op, names in NAMED.items():
            for name in names:
                quantity = Quantity(op, self.name, TextConstant(name))
                bits = TEXT_TUNING.literal_bits + TEXT_TUNING.pattern_bits
                yield (quantity, True, "="), bits, _match_pattern(op, name)
        quantity = Quantity("len", self.name)
        for constant, op in self._list_lengths(points, brackets):
            bits = TEXT_TUNING.literal_bits + TEXT_TUNING.predicate_bits + price(constant)
            yield (quantity, constant, op), bits, partial(_is_shorter, constant, op == "<=")

    def _equality_bits(self, text: str) -> float:
        """Return the price of a constant: of a text of the user, or of all its characters.

        The case of letters is ignored: a text of the user in another case costs the same.
        """
        listed = TEXT_TUNING.literal_bits + len(self.listed).bit_length()
        known = text.lower() in {one.lower() for one in self.listed}
        return min(listed, _constant_bits(text)) if known else _constant_bits(text)

    def _list_words(self, points: Sequence[Point]) -> list[str]:
        """Return the texts that were run in upper and in lower case, or mixed, all in lower case."""
        spelled: dict[str, set[str]] = {}
        for point in points:
            text = point[self.index]
            if 1 < len(text) <= TEXT_TUNING.max_core:
                spelled.setdefault(text.lower(), set()).add(text)
        return [word for word, some in spelled.items() if len(some) > 1 and word.isascii()]

    def _list_equalities(self, points: Sequence[Point], labels: Sequence[bool]) -> list[str]:
        """Return the cores and the texts of the user first, then those with the rarer verdict."""
        texts = {
            label: {point[self.index]: None for point, its in zip(points, labels, strict=True) if its is label}
            for label in (False, True)
        }
        rarer = len(texts[True]) <= len(texts[False])
        tried = texts[True] | texts[False]
        named = [text for text in (*self.cores, *self.listed) if text in tried]
        return list(dict.fromkeys([*named, *texts[rarer], *texts[not rarer]]))[: TEXT_TUNING.max_equalities]

    def _list_parts(self) -> list[tuple[str, str]]:
        """Return the parts of all cores, each with a predicate that it may be the constant of."""
        found: dict[tuple[str, str], None] = {}
        for core in self.cores:
            if not 0 < len(core) <= TEXT_TUNING.max_core:
                continue
            for start in range(len(core)):
                for end in range(start + 1, min(start + TEXT_TUNING.max_part, len(core)) + 1):
                    found[core[start:end], "contains"] = None
                    if start == 0:
                        found[core[:end], "starts"] = None
                    if end == len(core):
                        found[core[start:], "ends"] = None
        return list(found)

    def _list_orders(self) -> list[tuple[str, str, bool]]:
        """Return each core twice, and its two ends, with True if something must be between them."""
        found: dict[tuple[str, str, bool], None] = {}
        for core in self.cores:
            if 0 < len(core) <= TEXT_TUNING.max_core:
                found[core, core, False] = None
                for place in range(1, len(core)):
                    found[core[:place], core[place:], False] = None
                    if core[place + 1 :]:
                        found[core[:place], core[place + 1 :], True] = None
        return list(found)

    def _list_character_sets(self) -> list[tuple[str, str]]:
        """Return the measured sets of characters, each with a predicate that it may be the constant of."""
        found: dict[tuple[str, str], None] = {}
        for (place, label), (kept, changed) in self.alphabets.items():
            anywhere = (
                self.alphabets.get(("middle", label), (kept, frozenset()))[1] if place != "middle" else frozenset()
            )
            if len(own := changed - anywhere) == 1:
                found[_SINGLE_PREDICATES[place], next(iter(own))] = None
            elif place != "middle":
                for some in (kept, own):
                    found[_SET_PREDICATES[place], describe_characters(some)] = None
            elif _is_list(own, kept):
                found["any", "".join(sorted(own))] = None
            else:
                found["other", describe_characters(kept)] = None
                if "\n" in own:
                    found["inner", describe_characters(kept)] = None
        return list(found)

    def _list_lengths(self, points: Sequence[Point], brackets: Sequence[Bracket]) -> list[tuple[int, str]]:
        """Return bounds on the length that explain the most brackets, as a constant with ``<`` or ``<=``."""
        sizes = [[len(points[number][self.index]) for number in (one.one, one.other)] for one in brackets]
        spans = [(min(pair), max(pair)) for pair in sizes if pair[0] != pair[1]]
        places = sorted({end for span in spans for end in span})
        gaps = list(pairwise(places))
        weight = {gap: sum(low <= gap[0] and gap[1] <= high for low, high in spans) for gap in gaps}
        chosen = sorted(gaps, key=lambda gap: (-weight[gap], gap))[: TEXT_TUNING.max_lengths]
        constants = [(int(find_simplest(low, high, whole=True)), high) for low, high in chosen]
        return [(constant, "<" if constant == high else "<=") for constant, high in constants]

    # Texts to try

    def draw_texts(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw texts on which hypotheses differ."""
        known = [*self.listed, *(TEXTS if not self.listed else ()), *_SHAPED]
        known += [f"{text}\n" for text in known if text]
        found = {known[int(i)]: None for i in rng.permutation(len(known))[: count // 4]}
        cores = [core for core in self.cores if core]
        while len(found) < count and len(found) < 4 * count:
            core = cores[int(rng.integers(len(cores)))] if cores and rng.random() < 0.75 else _draw_plain(rng)
            found[_mutate(core, rng)] = None
        return list(found)


def _is_list(own: frozenset[str], kept: frozenset[str]) -> bool:
    """Return True if a set is rather a list of characters than all but those that are kept.

    Beyond ASCII, few of all characters were tried. So if the kept ones are not whole classes, the larger part stands
    for all others.
    """
    if beyond := own & _BEYOND_ASCII:
        return not split_characters(kept)[1].isascii() and len(beyond) < len(kept & _BEYOND_ASCII)
    return len(describe_characters(own)) <= len(describe_characters(kept))


def _constant_bits(text: str) -> float:
    return TEXT_TUNING.literal_bits + TEXT_TUNING.char_bits * len(text)


_NEGATED = {"=": "!=", "<": ">=", "<=": ">"}
_TESTS: dict[str, Callable[[str], TextTest]] = {
    "contains": lambda part: lambda text: part in text,
    "starts": lambda part: lambda text: text.startswith(part),
    "ends": lambda part: lambda text: text.endswith(part),
}


@lru_cache(maxsize=256)
def _match_pattern(op: str, name: str) -> TextTest:
    function, pattern, wanted = match_source(op, name)
    match = getattr(re.compile(pattern), function)
    return lru_cache(maxsize=1 << 12)(lambda text: (match(text) is not None) is wanted)


def _is_shorter(constant: int, inclusive: bool, text: str) -> bool:
    return len(text) <= constant if inclusive else len(text) < constant


_TYPICAL = "aexzAEXZ019 \t\n\x0b\x0c\r-_./:,+@\0\x1b\x1c\x7f" + "".join(_BEYOND_ASCII)


def class_of(char: str) -> str:
    """Return the class of a character; the classes that it may return do not overlap."""
    return next(name for name in EXAMPLES if re.fullmatch(CLASSES[name].python, char))


@lru_cache(maxsize=1)
def alphabet_classes() -> dict[str, str]:
    """Return the characters of the alphabet by their class."""
    found: dict[str, str] = {}
    for char in ALPHABET:
        found[class_of(char)] = found.get(class_of(char), "") + char
    return found


def typical_members(members: str) -> str:
    """Return the characters of a class that code most often treats differently from the rest of the class."""
    chosen = "".join(char for char in members if char in _TYPICAL)
    return chosen or members[:1] + members[-1:]


def insert_char(text: str, place: str, char: str) -> str:
    at = {"start": 0, "middle": len(text) // 2, "end": len(text)}[place]
    return text[:at] + char + text[at:]


def filler(text: str) -> str:
    """Return an ordinary letter that does not occur in a text."""
    return next((char for char in _FILLERS if char not in text), "q")


def others_of_class(char: str) -> list[str]:
    """Return other characters of the same class."""
    return [one for one in EXAMPLES[class_of(char)] if one != char]


def replace_char(text: str, place: int, char: str) -> str:
    return text[:place] + char + text[place + 1 :]


def _draw_plain(rng: np.random.Generator) -> str:
    """Draw a text of one class, or of one class and a filler."""
    names = list(EXAMPLES)
    members = EXAMPLES[names[int(rng.integers(len(names)))]]
    size = 1 + int(rng.integers(6))
    text = "".join(members[int(i)] for i in rng.integers(len(members), size=size))
    return text if rng.random() < 0.6 else replace_char(text, int(rng.integers(size)), "a")


def _mutate(core: str, rng: np.random.Generator) -> str:
    """Return a core in other surroundings, or with one character changed."""
    other = _draw_plain(rng)
    place = int(rng.integers(len(core))) if core else 0
    kind = int(rng.integers(8))
    if kind == 0:
        return core + other
    if kind == 1:
        return other + core
    if kind == 2:
        return other + core + _draw_plain(rng)
    if kind == 3:
        return core[:place] + other[0] + core[place:]
    if kind == 4 and core:
        same = others_of_class(core[place])
        return replace_char(core, place, same[int(rng.integers(len(same)))]) if same else core + core
    if kind == 5 and core:
        return replace_char(core, place, other[0])
    if kind == 6:
        return core.swapcase()
    size = len(core) + int(rng.integers(-1, 2))
    return filler(core) * max(size, 1)
