"""Planted reductions: lists in which a few elements cause a failure, by a known law.

A list is the numbers 0..n-1, so the law can judge directly what a method keeps. ``make`` draws one of each kind:

- conjunction: a few elements are needed, nothing else matters.
- pairs: also, some pairs of which both or none must be there; one alone hides the failure.
- parity: also, a set of which an even number must be missing.
- two ways: either of two sets is enough.
- brackets: like conjunction, but without a bracket's partner the list is invalid and cannot be judged.
- chains: like conjunction, but most elements are invalid without an earlier one.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rootward.verdict import FAIL, PASS, UNRESOLVED, Verdict

MONOTONE = ("conjunction", "two ways")
KINDS = ("conjunction", "pairs", "parity", "two ways", "brackets", "chains")
Pair = tuple[int, int]


@dataclass(frozen=True)
class Planted:
    """The law: a list fails if it contains all of one of the ``ways``, unless another part of the law prevents it."""

    size: int
    ways: tuple[frozenset[int], ...]
    pairs: tuple[Pair, ...] = ()
    even: frozenset[int] = frozenset()
    """An even number of these must be missing; their total number is even, too."""
    brackets: tuple[Pair, ...] = ()
    needs: tuple[Pair, ...] = ()
    """(a, b): a is invalid without b, which comes earlier."""

    def __call__(self, kept: Sequence[int]) -> Verdict:
        """Judge elements, given in their order."""
        if self.brackets or self.needs:
            there = bytearray(self.size)
            for i in kept:
                there[i] = 1
            if any(there[a] != there[b] for a, b in self.brackets) or any(there[a] > there[b] for a, b in self.needs):
                return UNRESOLVED
        if any(_has(kept, a) != _has(kept, b) for a, b in self.pairs) or sum(_has(kept, i) for i in self.even) % 2:
            return PASS
        return FAIL if any(all(_has(kept, i) for i in way) for way in self.ways) else PASS

    @cached_property
    def smallest(self) -> frozenset[int]:
        """The smallest part that fails."""
        return min((self._closed(way) for way in self.ways), key=len)

    def _closed(self, way: Iterable[int]) -> frozenset[int]:
        """Add all elements without which these would be invalid."""
        partner = dict(self.brackets) | {b: a for a, b in self.brackets}
        earlier = dict(self.needs)
        found, waiting = set[int](), list(way)
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += [other[one] for other in (partner, earlier) if one in other]
        return frozenset(found)

    def minimal(self, kept: Sequence[int]) -> bool:
        """Return True if it fails, and no longer does without any single one of its elements."""
        singles = ([*kept[:i], *kept[i + 1 :]] for i in range(len(kept)))
        return self(kept) is FAIL and all(self(one) is not FAIL for one in singles)

    @property
    def limit(self) -> float:
        """Bits needed to identify the smallest answer among the sets of its size, plus one run for each of its
        elements."""
        return limit(self.size, len(self.smallest))


def limit(n: int, k: int) -> float:
    return math.log2(math.comb(n, k)) + k


def _has(kept: Sequence[int], element: int) -> bool:
    place = bisect_left(kept, element)
    return place < len(kept) and kept[place] == element


def make(kind: str, size: int, needed: int, seed: object) -> Planted:
    """Draw a random law of the kind, with ``needed`` needed elements if the list is long enough."""
    rng = random.Random(f"{kind} {size} {needed} {seed}")
    order = rng.sample(range(size), size)
    way, others = frozenset(order[:needed]), order[needed:]
    if kind == "pairs":
        drawn = sorted(others[: 2 * rng.randint(1, 5)])
        return Planted(size, (way,), pairs=tuple(zip(drawn[::2], drawn[1::2], strict=False)))
    if kind == "parity":
        return Planted(size, (way,), even=frozenset(others[: 2 * min(rng.randint(1, 3), len(others) // 2)]))
    if kind == "two ways":
        return Planted(size, (way, frozenset(others[: rng.randint(1, max(1, needed))]) or way))
    if kind == "brackets":
        return Planted(size, (way,), brackets=tuple(_nest(rng, size)))
    if kind == "chains":
        return Planted(size, (way,), needs=tuple(_draw_earlier(rng, size)))
    return Planted(size, (way,))


def _nest(rng: random.Random, size: int) -> Iterable[Pair]:
    """Draw brackets around about half of the elements, each pair inside or outside of another."""
    opened: list[int] = []
    for i in range(size):
        if rng.random() < 0.25:
            opened.append(i)
        elif opened and rng.random() < 0.4:
            yield opened.pop(), i


def _draw_earlier(rng: random.Random, size: int) -> Iterable[Pair]:
    """For two of three elements, draw an earlier one: one of the twenty before it or, sometimes, any."""
    for i in range(1, size):
        if rng.random() < 2 / 3:
            yield i, rng.randrange(max(0, i - 20) if rng.random() < 0.7 else 0, i)


# Flaky failures


@dataclass(frozen=True)
class Flaky:
    """A list that fails at ``rate`` with all needed elements; each missing one multiplies the rate by its share."""

    size: int
    rate: float
    shares: tuple[tuple[int, float], ...]
    """For each needed element, the factor of the rate without it."""
    decided: bool = True
    """The random draw depends on the seed alone, as in a simulator that repeats itself; else also on the candidate, as
    in a chaotic system."""

    def chance(self, kept: Iterable[int]) -> float:
        there = set(kept)
        return self.rate * math.prod(share for i, share in self.shares if i not in there)

    def __call__(self, kept: Sequence[int], seed: int) -> Verdict:
        draw = random.Random(seed if self.decided else f"{seed} {sorted(kept)}")
        return FAIL if draw.random() < self.chance(kept) else PASS

    @property
    def needed(self) -> frozenset[int]:
        return frozenset(i for i, _ in self.shares)


SHARES = {"never": (0.0,), "rarely": (0.05, 0.1), "fading": (0.0, 0.3)}
"""The possible factors of the rate without a needed element."""


def make_flaky(kind: str, size: int, needed: int, rate: float, seed: object, *, decided: bool = True) -> Flaky:
    rng = random.Random(f"{kind} {size} {needed} {rate} {seed}")
    shares = tuple((i, rng.choice(SHARES[kind])) for i in sorted(rng.sample(range(size), needed)))
    return Flaky(size, rate, shares, decided)
