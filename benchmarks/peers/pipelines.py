"""Pipelines with planted root causes, histories of earlier runs, and judgements of answers (BugDoc, section 9).

A planted cause is a conjunction of comparisons over a finite universe. As a *box*, it holds the allowed values of each
parameter as the bits of a number. All judging is done with boxes, so it is exact and needs no enumeration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

import rootward as rw
from rootward.rules.simplify.boxes import Box, complement, is_covered, is_within, primes

SCENARIOS = ("triple", "conjunction", "disjunction")
HISTORIES = ("latin", "random", "pairwise")
ORDINAL, CATEGORICAL = ("=", "<=", ">", "!="), ("=", "!=")
MORE_PROBABILITY = 0.5
"""Probability that a disjunction of two gets a third conjunction, and one of three a fourth."""
MAX_BOXES = 2000
"""Maximum number of intermediate boxes while computing all maximal boxes."""

History = list[tuple[dict[str, Any], bool]]
"""Configurations, and True for each that failed."""


@dataclass(frozen=True)
class PipelineCase:
    """A pipeline that fails where one of the planted conjunctions holds."""

    space: rw.Space
    truth: tuple[rw.Conjunction, ...]

    def fails(self, configuration: Mapping[str, Any]) -> bool:
        return any(cause.holds(configuration) for cause in self.truth)

    @property
    def subject(self) -> Any:
        return rw.fails_when(self.fails)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.space.names

    @cached_property
    def values(self) -> list[tuple[Any, ...]]:
        return [self.space.values(name) for name in self.names]

    @cached_property
    def full(self) -> list[int]:
        return [(1 << len(values)) - 1 for values in self.values]

    def box(self, cause: Iterable[rw.Atom]) -> Box | None:
        """Return the box in which a conjunction holds; None if it holds nowhere."""
        found: Box = {}
        for atom in cause:
            axis = self.names.index(atom.field)
            mask = sum(1 << place for place, value in enumerate(self.values[axis]) if atom.accepts(value))
            found[axis] = found.get(axis, self.full[axis]) & mask
        return {axis: mask for axis, mask in found.items() if mask != self.full[axis]} if all(found.values()) else None

    @cached_property
    def boxes(self) -> list[Box]:
        """The boxes of the planted conjunctions."""
        return [box for box in map(self.box, self.truth) if box is not None]

    @cached_property
    def minimal(self) -> list[Box]:
        """Every maximal box in which all instances fail: the widest possible minimal definitive root causes."""
        found = primes(self.boxes, self.full, MAX_BOXES)
        assert found is not None, "a planted disjunction has few maximal boxes"
        return found

    @cached_property
    def passing(self) -> list[Box]:
        """Boxes of all passing instances."""
        return complement(self.boxes, self.full)

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw a random instance."""
        return self._member(rng, [{}])

    def draw_failing(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw a random instance of a random planted conjunction."""
        return self._member(rng, self.boxes)

    def draw_passing(self, rng: np.random.Generator) -> dict[str, Any]:
        return self._member(rng, self.passing)

    def _member(self, rng: np.random.Generator, boxes: Sequence[Box]) -> dict[str, Any]:
        box = boxes[int(rng.integers(len(boxes)))]
        allowed = [_members(box.get(axis, mask), self.values[axis]) for axis, mask in enumerate(self.full)]
        return {name: values[int(rng.integers(len(values)))] for name, values in zip(self.names, allowed, strict=True)}

    @property
    def rate(self) -> float:
        """Share of all instances that fail."""
        return 1 - sum(_share(box, self.full) for box in self.passing)


# Random pipelines


def make(
    scenario: str, seed: int | Sequence[int], *, params: tuple[int, int] = (3, 8), values: tuple[int, int] = (5, 10)
) -> PipelineCase:
    """Return a random pipeline of a scenario; the numbers of parameters, and of values of each, are drawn from the
    ranges.

    Each planted conjunction is a minimal root cause (no part of it always fails), none lies in the union of the others,
    and some instance passes; other pipelines are drawn again.
    """
    rng = np.random.default_rng(seed)
    space = _space(rng, int(rng.integers(params[0], params[1] + 1)), values)
    most = 1 if scenario == "triple" else len(space)
    while True:
        count = (
            1
            if scenario != "disjunction"
            else 2 + int(rng.random() < MORE_PROBABILITY) * (1 + int(rng.random() < MORE_PROBABILITY))
        )
        case = PipelineCase(space, tuple(_conjunction(rng, space, most) for _ in range(count)))
        if _fair(case):
            return case


def among(count: int, named: int, size: int, seed: int | Sequence[int]) -> PipelineCase:
    """Return a conjunction of ``named`` equalities among ``count`` parameters with ``size`` values each (two:
    Boolean)."""
    rng = np.random.default_rng(seed)
    field = rw.Bool() if size == 2 else rw.Choice([chr(ord("a") + place) for place in range(size)])
    space = rw.Space({f"p{number:05}": field for number in range(count)})
    chosen = [space.names[int(place)] for place in rng.choice(count, size=named, replace=False)]
    atoms = (rw.Atom(name, "=", field.values[int(rng.integers(size))]) for name in chosen)
    return PipelineCase(space, (rw.Conjunction(atoms),))


def _space(rng: np.random.Generator, count: int, sizes: tuple[int, int]) -> rw.Space:
    """Return parameters p1, p2, ...: ordinal (integers or floats) or categorical (text) with probability 1/2."""
    width = len(str(count))
    return rw.Space(
        {f"p{i:0{width}}": _field(rng, i, int(rng.integers(sizes[0], sizes[1] + 1))) for i in range(1, count + 1)}
    )


def _field(rng: np.random.Generator, number: int, size: int) -> rw.Int | rw.Float | rw.Choice:
    if rng.random() < 0.5:
        return rw.Choice([f"p{number}{chr(ord('a') + place)}" for place in range(size)])
    if rng.random() < 0.5:
        return rw.Int(1, size, values=range(1, size + 1))
    return rw.Float(1.0, float(size), values=[float(place) for place in range(1, size + 1)])


def _conjunction(rng: np.random.Generator, space: rw.Space, most: int) -> rw.Conjunction:
    named = rng.choice(space.names, size=int(rng.integers(1, most + 1)), replace=False)
    return rw.Conjunction(_triple(rng, str(name), space[str(name)]) for name in named)


def _triple(rng: np.random.Generator, name: str, field: Any) -> rw.Atom:
    """Return a comparison that holds for some values but not all: neither ``>`` nor ``<=`` with the largest value."""
    place = int(rng.integers(len(field.values)))
    ops = ORDINAL if field.ordered else CATEGORICAL
    if place == len(field.values) - 1:
        ops = tuple(op for op in ops if op not in ("<=", ">"))
    return rw.Atom(name, ops[int(rng.integers(len(ops)))], field.values[place])


def _fair(case: PipelineCase) -> bool:
    if is_covered({}, case.boxes, case.full):
        return False
    others = [[two for two in case.boxes if two is not one] for one in case.boxes]
    if any(is_covered(one, rest, case.full) for one, rest in zip(case.boxes, others, strict=True)):
        return False
    parts = ({axis: box[axis] for axis in box if axis != left} for box in case.boxes for left in box)
    return not any(is_covered(part, case.boxes, case.full) for part in parts)


# Histories


def history(case: PipelineCase, kind: str, seed: int | Sequence[int]) -> History:
    """Return earlier runs.

    - ``latin``: every value of every parameter at least twice.
    - ``random``: as many random runs.
    - ``pairwise``: every pair of values.
    - ``eight``: eight random runs.
    - ``few``: one run that fails and three that pass.

    If none fails or none passes, one that does is added.
    """
    rng = np.random.default_rng(seed)
    if kind == "few":
        return [(case.draw_failing(rng), True), *((case.draw_passing(rng), False) for _ in range(3))]
    rows = [
        {name: values[place] for name, values, place in zip(case.names, case.values, row, strict=True)}
        for row in DESIGNS[kind](rng, [len(values) for values in case.values])
    ]
    runs = [(row, case.fails(row)) for row in rows]
    if not any(failed for _, failed in runs):
        runs.append((case.draw_failing(rng), True))
    if all(failed for _, failed in runs):
        runs.append((case.draw_passing(rng), False))
    return runs


def _latin(rng: np.random.Generator, sizes: Sequence[int]) -> list[list[int]]:
    """Make twice as many runs as the largest number of values; each column cycles through its values in a random
    order."""
    count = 2 * max(sizes)
    return np.array([rng.permutation(np.resize(rng.permutation(size), count)) for size in sizes]).T.tolist()


def _random(rng: np.random.Generator, sizes: Sequence[int]) -> list[list[int]]:
    return rng.integers(0, sizes, size=(2 * max(sizes), len(sizes))).tolist()


def _eight(rng: np.random.Generator, sizes: Sequence[int]) -> list[list[int]]:
    return rng.integers(0, sizes, size=(8, len(sizes))).tolist()


def _pairwise(rng: np.random.Generator, sizes: Sequence[int]) -> list[list[int]]:
    """Cover all pairs greedily: start a run with an uncovered pair, then add the values that cover most pairs, in
    random order."""
    open_pairs = {
        pair: np.ones((sizes[pair[0]], sizes[pair[1]]), dtype=bool) for pair in combinations(range(len(sizes)), 2)
    }
    rows: list[list[int]] = []
    while left := [pair for pair, matrix in open_pairs.items() if matrix.any()]:
        one, two = left[int(rng.integers(len(left)))]
        places = np.argwhere(open_pairs[one, two])
        first = dict(zip((one, two), places[int(rng.integers(len(places)))].tolist(), strict=True))
        rows.append(_complete(rng, first, sizes, open_pairs))
        for pair, matrix in open_pairs.items():
            matrix[rows[-1][pair[0]], rows[-1][pair[1]]] = False
    return rows


def _complete(
    rng: np.random.Generator, row: dict[int, int], sizes: Sequence[int], open_pairs: Mapping[tuple[int, int], Any]
) -> list[int]:
    for axis in rng.permutation(len(sizes)).tolist():
        if axis not in row:
            gain = rng.random(sizes[axis])  # breaks ties at random
            for other, place in row.items():
                gain += open_pairs[other, axis][place] if other < axis else open_pairs[axis, other][:, place]
            row[axis] = int(gain.argmax())
    return [row[axis] for axis in range(len(sizes))]


DESIGNS = {"latin": _latin, "random": _random, "eight": _eight, "pairwise": _pairwise}


def met(case: PipelineCase, runs: Iterable[Mapping[str, Any]]) -> int:
    """Count the planted causes that alone explain the failure of some run; the others cannot be found from these
    runs."""
    held = [[cause.holds(run) for cause in case.truth] for run in runs]
    alone = [place for row in held if sum(row) == 1 for place, one in enumerate(row) if one]
    return len(set(alone))


# Judgement


@dataclass(frozen=True)
class Judgement:
    """The judgement of the causes that a method asserted for one pipeline."""

    asserted: int
    right: int
    """Number of asserted causes that count as a planted one by the rule of BugDoc's own evaluation: they lie within it,
    and name no more parameters."""
    planted: int
    found: int
    """Number of planted causes that some asserted cause counts as."""
    equal: bool
    """Something was asserted, and every asserted cause equals a planted one."""
    minimal: bool
    """Something was asserted, and every asserted cause is a minimal definitive root cause, as wide as possible."""
    exact: bool
    """Something was asserted, and every asserted cause is one or the other."""
    union: bool
    """The asserted causes together hold exactly where it fails."""


@dataclass(frozen=True)
class Measure:
    """Precision and recall over several pipelines."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def judge(case: PipelineCase, causes: Iterable[rw.Conjunction]) -> Judgement:
    """Judge the asserted causes; one that holds nowhere is wrong."""
    given = list(causes)
    boxes = [box for box in map(case.box, given) if box is not None]
    matches = [[_counts(box, true, case.full) for true in case.boxes] for box in boxes]
    told = bool(given) and len(boxes) == len(given)
    return Judgement(
        asserted=len(given),
        right=sum(map(any, matches)),
        planted=len(case.boxes),
        found=sum(map(any, zip(*matches, strict=True))) if matches else 0,
        equal=told and all(box in case.boxes for box in boxes),
        minimal=told and all(box in case.minimal for box in boxes),
        exact=told and all(box in case.boxes or box in case.minimal for box in boxes),
        union=_same(boxes, case.boxes, case.full),
    )


def find_one(judged: Sequence[Judgement]) -> Measure:
    """Compute section 9's measures of FindOne."""
    hits = sum(one.right > 0 for one in judged)
    return Measure(_ratio(hits, hits + sum(one.asserted - one.right for one in judged)), _ratio(hits, len(judged)))


def find_all(judged: Sequence[Judgement]) -> Measure:
    """Compute section 9's measures of FindAll."""
    right, asserted = sum(one.right for one in judged), sum(one.asserted for one in judged)
    found, planted = sum(one.found for one in judged), sum(one.planted for one in judged)
    return Measure(_ratio(right, asserted), _ratio(found, planted))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _counts(asserted: Box, true: Box, full: Sequence[int]) -> bool:
    return len(asserted) <= len(true) and is_within(asserted, true, full)


def _same(some: Sequence[Box], others: Sequence[Box], full: Sequence[int]) -> bool:
    return all(is_covered(box, others, full) for box in some) and all(is_covered(box, some, full) for box in others)


def _share(box: Box, full: Sequence[int]) -> float:
    return math.prod(mask.bit_count() / full[axis].bit_count() for axis, mask in box.items())


def _members(mask: int, values: Sequence[Any]) -> list[Any]:
    return [value for place, value in enumerate(values) if mask >> place & 1]
