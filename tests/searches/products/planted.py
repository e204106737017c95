"""What these tests share: planted faults, and a driver that answers a search without a lab."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rootward as rw
from rootward.search.ask import Search
from rootward.space.keys import canonical, key
from rootward.verdict import FAIL, PASS, Outcome

Configuration = Mapping[str, Any]
Oracle = Callable[[Any], bool]
Sets = dict[str, frozenset[bytes]]
"""Triggering values of the fields that matter, by their canonical keys."""


SMALL = (
    rw.Bool(),
    rw.Choice(["only"]),
    rw.Choice(["P", [1], None]),
    rw.Ordinal(["low", "middle", "high", "top"]),
    rw.Int(values=[-1, 0, 1]),
    rw.Float(values=[-0.0, 0.0, math.nan, math.inf]),
)
"""Fields of every kind, with few values: small enough for brute force."""


def keys(sets: Mapping[str, Any]) -> Sets:
    return {name: frozenset(map(canonical, values)) for name, values in sets.items()}


@dataclass
class Asked:
    """A search answered by an oracle, question by question."""

    finding: Any = None
    """What it returned, or the best so far if the budget ended it."""
    candidates: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    fresh: list[bool] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    """The sizes of its questions."""

    def __len__(self) -> int:
        return len(self.candidates)

    def noted(self, text: str) -> int:
        """How many runs were asked for with such a note."""
        return sum(text in note for note in self.notes)

    @property
    def repeated(self) -> int:
        """How many configurations were asked for again."""
        return len(self) - len({key(candidate) for candidate in self.candidates})


def answered(search: Search[Configuration, Any], oracle: Oracle, *, budget: float = math.inf) -> Asked:
    """Run a search to its end, or until so many runs were made."""
    asked, answers = Asked(), None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            asked.finding = end.value
            return asked
        candidates: list[Any] = list(ask.candidates)
        if len(asked) + len(candidates) > budget:
            asked.finding = ask.best
            return asked
        asked.candidates += candidates
        asked.notes += [ask.note] * len(candidates)
        asked.fresh += [ask.fresh] * len(candidates)
        asked.batches.append(len(candidates))
        answers = [Outcome(FAIL if oracle(candidate) else PASS) for candidate in candidates]


def flaky(oracle: Oracle, rate: float, seed: int) -> Oracle:
    """Fails at this rate where the oracle does."""
    rng = random.Random(seed)
    return lambda configuration: oracle(configuration) and rng.random() < rate


def whole(space: rw.Space) -> Iterator[dict[str, Any]]:
    """Every configuration of the values tried."""
    for values in itertools.product(*(space.values(name) for name in space)):
        yield dict(zip(space, values, strict=True))


@dataclass(frozen=True)
class Planted:
    """A space, and a product set in it that the failing configuration belongs to."""

    space: rw.Space
    failing: Configuration
    sets: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", keys(self.sets))

    keys: Sets = field(init=False)

    def fails(self, configuration: Configuration) -> bool:
        return all(canonical(configuration[name]) in triggering for name, triggering in self.keys.items())

    @property
    def limit(self) -> float:
        """Bits that tell this product set from all others with as many fields that matter."""
        sizes = [len(self.space.values(name)) for name in self.sets]
        return math.log2(math.comb(len(self.space), len(sizes))) + sum(math.log2(2 ** (m - 1) - 1) for m in sizes)


BOOL = rw.Bool()
INT = rw.Int(values=range(-7, 8))
LETTER = rw.Choice("abcdefghijklmno")
FLOAT = rw.Float(values=[-math.inf, *(x / 2 for x in range(-9, 9)), math.inf, math.nan])
KINDS: tuple[Any, ...] = (BOOL, BOOL, INT, LETTER, FLOAT)


def plant(
    seed: object, fields: int, relevant: int, *, kinds: Sequence[Any] = KINDS, intervals: bool = False
) -> Planted:
    """A random product set; ``intervals``: the triggering values of a field stand next to each other."""
    rng = random.Random(f"{seed} {fields} {relevant}")
    space = rw.Space((f"f{i}", rng.choice(kinds)) for i in range(fields))
    failing = {name: rng.choice(space.values(name)) for name in space}
    able = [name for name in space if len(space.values(name)) > 1]
    names = sorted(rng.sample(able, min(relevant, len(able))), key=space.names.index)
    draw = _interval if intervals else _subset
    return Planted(space, failing, {name: draw(rng, space.values(name), failing[name]) for name in names})


def _subset(rng: random.Random, values: Sequence[Any], own: Any) -> list[Any]:
    while True:
        kept = [value for value in values if value is own or rng.random() < 0.5]
        if len(kept) < len(values):
            return kept


def _interval(rng: random.Random, values: Sequence[Any], own: Any) -> list[Any]:
    place = next(i for i, value in enumerate(values) if value is own)
    while True:
        kept = list(values[rng.randint(0, place) : rng.randint(place, len(values) - 1) + 1])
        if len(kept) < len(values):
            return kept
