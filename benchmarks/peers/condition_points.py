"""Points to judge a rule on: broad, human, and near the boundary.

*Broad* points are spread evenly on the symmetric-log axis of the whole type, with special values mixed in, as in the
paper on ALO-Trees. *Human* points lie in the nominal ranges. Where a class is rare, a random walk through that class,
in steps of both kinds, yields more of it.
*Near* points are neighbours in one field with different verdicts: a bisection to the last bit finds them. Two
conditions that agree on thousands of points of each kind are considered equivalent; this is dense sampling, not a
proof.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

import rootward as rw
from peers.conditions import Bug
from rootward.space.exceptional_values import at_ordinal, ordinal

MIN_CLASS_SHARE = 0.1
"""Minimum share of the rarer class."""
SPECIAL = 1 / 8
POINTS_PER_KIND = 4000
LETTERS = " \t\n-_.,;:/'%#@0179aAzZ\u00e9\U0001f600"
"""Letters that are inserted into texts."""
MAX_TEXT = 70_000
"""Maximum length of a text that is made from others."""
Values = tuple[Any, ...]


class Judge(Protocol):
    """Classifies many configurations at once: a rule, or the model of a peer."""

    def holds_many(self, configurations: Sequence[Mapping[str, Any]]) -> Any: ...


# Values of one field


def broad_values(field: Any, rng: np.random.Generator, count: int) -> list[Any]:
    """Draw values evenly on the compressed axis, and occasionally a special value."""
    if isinstance(field, rw.Text):
        return [_some_text(field, rng) for _ in range(count)]
    if not isinstance(field, rw.Int | rw.Float):
        return [field.values[i] for i in rng.integers(len(field.values), size=count)]
    values = field.decompress_many(rng.uniform(*field.span, size=count)).tolist()
    special = specials(field)
    for i in np.flatnonzero(rng.random(count) < SPECIAL):
        values[i] = special[int(rng.integers(len(special)))]
    return values


def _some_text(field: rw.Text, rng: np.random.Generator) -> str:
    """Draw a text of the dictionary, or one made from it: cut, joined, repeated, in other letters, with one more."""
    one, other = (field.values[i] for i in rng.integers(len(field.values), size=2))
    cut = int(rng.integers(len(one) + 1))
    letter = LETTERS[int(rng.integers(len(LETTERS)))]
    made = (one[:cut], one[cut:], f"{one}{other}", one * 2, one.upper(), one.lower(), f"{one[:cut]}{letter}{one[cut:]}")
    return one if rng.random() < 0.5 else made[int(rng.integers(len(made)))][:MAX_TEXT]


@lru_cache(maxsize=4096)
def specials(field: Any) -> list[Any]:
    if isinstance(field, rw.Int):
        return [value for value in (field.lo, field.hi, 0, 1, -1) if field.contains(value)]
    given = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 5e-324, field.lo, field.hi)
    if field.step is not None:
        given = (0.0, 1.0, -1.0, field.lo, field.hi)
    return [field.coerce(value) for value in given if value is not None and field.contains(value)]


def human_values(field: Any, nominal: tuple[float, float] | None, rng: np.random.Generator, count: int) -> list[Any]:
    """Draw values from the nominal range, half of them evenly, half on the compressed axis; broad values if it has
    none."""
    if nominal is None or not isinstance(field, rw.Int | rw.Float):
        return broad_values(field, rng, count)
    low, high = nominal
    even = rng.uniform(low, high, size=count)
    scaled = field.decompress_many(rng.uniform(field.compress(low), field.compress(high), size=count))
    drawn = np.where(rng.random(count) < 0.5, even, scaled.astype(float)).tolist()
    if isinstance(field, rw.Int):
        return [min(max(round(value), field.lo), field.hi) for value in drawn]
    return [field.coerce(field.nearest(value)) for value in drawn]


def draw(bug: Bug, scale: str, rng: np.random.Generator, count: int) -> list[Values]:
    """Draw independent values of every field, ``broad`` or ``human``."""
    columns = [
        broad_values(field, rng, count) if scale == "broad" else human_values(field, bug.nominal[name], rng, count)
        for name, field in bug.space.items()
    ]
    return list(zip(*columns, strict=True))


# Both classes


@lru_cache(maxsize=512)
def both_classes(held: _BugKey, scale: str, seed: int, count: int) -> tuple[tuple[Values, ...], tuple[Values, ...]]:
    """Return ``count`` failing and passing points, at least a tenth of each."""
    bug = held.bug
    rng = np.random.default_rng([seed, scale == "broad"])
    drawn = draw(bug, scale, rng, count)
    classes = {fails: [point for point in drawn if bug.function(*point) == fails] for fails in (True, False)}
    rare = len(classes[True]) < len(classes[False])
    least = max(math.ceil(MIN_CLASS_SHARE * count), count - len(classes[not rare]))
    if len(distinct := _distinct(classes[rare])) < least:
        classes[rare] = _enrich(bug, scale, rare, distinct, rng, least)
        classes[not rare] = classes[not rare][: count - least]
    return tuple(classes[True]), tuple(classes[False])


def _distinct(points: Sequence[Values]) -> list[Values]:
    return list({repr(point): point for point in points}.values())


def _enrich(
    bug: Bug, scale: str, fails: bool, known: Sequence[Values], rng: np.random.Generator, count: int
) -> list[Values]:
    """Return ``count`` points of a rare class: independent ones as far as possible, then a random walk from these."""
    drawn = [point for point in draw(bug, scale, rng, 40 * count) if bug.function(*point) == fails]
    found = _distinct([*known, *drawn])[:count]
    start = tuple((bug.failing if fails else bug.passing)[name] for name in bug.space.names)
    walk = _walk(bug, scale, fails, found or [start], rng)
    return found + list(itertools.islice(walk, count - len(found)))


def _walk(bug: Bug, scale: str, fails: bool, pool: list[Values], rng: np.random.Generator) -> Iterator[Values]:
    """Yield points of one class without end, each a change of an earlier one; new ones as long as new ones are
    found."""
    fields, fresh, pool = list(bug.space.items()), list[Values](), list(pool)
    seen = set(map(repr, pool))
    refusals = 0
    while refusals < 3000:
        if not fresh:  # steps at both scales, because broad steps alone may never succeed
            fresh = [*draw(bug, scale, rng, 100), *draw(bug, "human", rng, 100)]
        point = _change(pool[int(rng.integers(len(pool)))], fresh.pop(), fields, rng)
        refusals += 1
        if repr(point) not in seen and bug.function(*point) == fails:
            refusals = 0
            seen.add(repr(point))
            pool.append(point)
            yield point
    yield from itertools.cycle(pool)


def _change(point: Values, fresh: Values, fields: Sequence[tuple[str, Any]], rng: np.random.Generator) -> Values:
    """Return a changed point: some fields redrawn, one copied from another, or two moved by the same step."""
    changed = list(point)
    one, other = rng.integers(len(fields), size=2)
    move = rng.random()
    if move < 0.5:
        changed[one] = fresh[one]
        for i in np.flatnonzero(rng.random(len(fields)) < 0.5 * rng.random()):
            changed[i] = fresh[i]
    elif move < 0.75:
        changed[one] = fresh[one]
        _put(changed, fields, other, fresh[one])
    elif _is_number(changed[one]) and _is_number(changed[other]):
        step = float(fresh[one]) if _is_number(fresh[one]) else 1.0
        for i in {int(one), int(other)}:
            _put(changed, fields, i, changed[i] + step)
    return tuple(changed)


def _put(point: list[Any], fields: Sequence[tuple[str, Any]], at: int, value: Any) -> None:
    field = fields[at][1]
    if isinstance(field, rw.Int) and isinstance(value, float) and math.isfinite(value):
        value = round(value)
    if field.contains(value):
        point[at] = field.coerce(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class _BugKey:
    """A bug that is hashed by its id, as a key of the cache of points."""

    def __init__(self, bug: Bug) -> None:
        self.bug = bug

    def __hash__(self) -> int:
        return hash((self.bug.id, self.bug.condition))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BugKey) and (self.bug.id, self.bug.condition) == (other.bug.id, other.bug.condition)


def test_points(bug: Bug, seed: int = 0, count: int = 1000, scale: str = "broad") -> list[dict[str, Any]]:  # noqa: PT028
    """Return random configurations, at least a tenth of each class; ``scale``: broad or human."""
    failing, passing = both_classes(_BugKey(bug), scale, seed, count)
    return [dict(zip(bug.space.names, point, strict=True)) for point in (*failing, *passing)]


test_points.__test__ = False  # type: ignore[attr-defined]  # its name begins as tests do


def balanced_accuracy(rule: Judge, bug: Bug, seed: int = 0, count: int = 1000, scale: str = "broad") -> float:
    """Return the mean of the shares of failing and of passing points that the rule classifies correctly."""
    points = test_points(bug, seed, count, scale)
    fails, held = np.array([bug.fails(point) for point in points]), np.asarray(rule.holds_many(points))
    return float((np.mean(held[fails]) + np.mean(~held[~fails])) / 2)


# The boundary


@lru_cache(maxsize=512)
def _near(held: _BugKey, seed: int, count: int) -> tuple[Values, ...]:
    bug, rng = held.bug, np.random.default_rng([seed, 7])
    pools = [both_classes(held, scale, seed, 1000) for scale in ("broad", "human")]
    found: list[Values] = []
    while len(found) < count:
        fails, passes = pools[int(rng.random() < 0.6)]
        two = fails[int(rng.integers(len(fails)))], passes[int(rng.integers(len(passes)))]
        found += _crossing(bug, *two, rng)
    return tuple(found[:count])


def near(bug: Bug, seed: int = 0, count: int = POINTS_PER_KIND) -> list[dict[str, Any]]:
    """Return configurations at the boundary: neighbours of one with the other verdict, or some steps away (floats: up
    to 1%)."""
    return [dict(zip(bug.space.names, point, strict=True)) for point in _near(_BugKey(bug), seed, count)]


def _crossing(bug: Bug, fails: Values, passes: Values, rng: np.random.Generator) -> list[Values]:
    """Walk from the failing point to the passing one, field by field; where the verdict flips, bisect that field."""
    here = list(fails)
    for i in rng.permutation(len(here)):
        before = tuple(here)
        here[i] = passes[i]
        if not bug.function(*here):
            return _bisect(bug, before, int(i), passes[i], rng)
    raise AssertionError("the passing point fails")


def _bisect(bug: Bug, fails: Values, at: int, passing: Any, rng: np.random.Generator) -> list[Values]:
    """Return both sides of the change and their neighbours; only the two ends if there is no value in between."""
    field = bug.space[bug.space.names[at]]

    def point(value: Any) -> Values:
        return (*fails[:at], value, *fails[at + 1 :])

    if not isinstance(field, rw.Int | rw.Float) or passing != passing or fails[at] != fails[at]:
        return [fails, point(passing)]
    rank, value, far = _scale(field)
    bad, good = rank(fails[at]), rank(passing)
    while abs(bad - good) > 1:
        middle = (bad + good) // 2
        bad, good = (middle, good) if bug.function(*point(value(middle))) else (bad, middle)
    steps = [(bad - good) * sign << int(rng.integers(far + 1)) for sign in (1, 1, -1, -1)]
    beside = [bad, good, *(bad + step for step in steps)]
    return [point(value(one)) for one in beside if field.contains(value(one)) and _finite(field, value(one))]


def _scale(field: rw.Int | rw.Float) -> tuple[Callable[[Any], int], Callable[[int], Any], int]:
    """Return how to number the members, how to get the member of a number, and how many doublings a step may have."""
    if isinstance(field, rw.Int):
        return int, int, 3
    if field.step is not None:
        return field.steps_to, field.multiple, 3
    return _ranks(field.bits), _at(field.bits), {64: 45, 32: 16}[field.bits]


def _ranks(bits: int) -> Callable[[float], int]:
    return lambda value: ordinal(value, bits)


def _at(bits: int) -> Callable[[int], float]:
    return lambda rank: at_ordinal(max(min(rank, ordinal(math.inf, bits)), ordinal(-math.inf, bits)), bits)


def _finite(field: Any, value: Any) -> bool:
    return isinstance(field, rw.Int) or value == value


# Equivalence


def disagreements(rule: Judge, bug: Bug, seed: int = 1, count: int = POINTS_PER_KIND) -> list[dict[str, Any]]:
    """Return the points on which the rule is wrong, out of ``count`` near, broad and human points each."""
    points = [*near(bug, seed, count), *test_points(bug, seed, count), *test_points(bug, seed, count, "human")]
    held = np.asarray(rule.holds_many(points)).tolist()
    return [point for point, holds in zip(points, held, strict=True) if holds != bug.fails(point)]


def equivalent(rule: Judge, bug: Bug, *, rounding: bool = False, seed: int = 1, count: int = POINTS_PER_KIND) -> bool:
    """Return True if the rule never disagrees. ``rounding`` forgives points where moving by a trillionth changes the
    verdict."""
    wrong = disagreements(rule, bug, seed, count)
    return not wrong or (rounding and all(rounds(bug, point) for point in wrong))


def rounds(bug: Bug, point: Mapping[str, Any]) -> bool:
    """Return True if the verdict changes when float fields move by a trillionth (32-bit floats: a millionth), each or
    together."""
    floats = [name for name in bug.fields if isinstance(bug.space[name], rw.Float) and math.isfinite(point[name])]
    groups = [*([name] for name in floats), floats]
    fails = bug.fails(point)
    moved = (
        {**point, **{name: _move_float(bug, name, point[name], sign) for name in group}}
        for group in groups
        for sign in (-1, 1)
    )
    return any(bug.fails(one) != fails for one in moved)


def _move_float(bug: Bug, name: str, value: float, sign: int) -> float:
    field = bug.space[name]
    step = 2.0**-40 if field.bits == 64 else 2.0**-20
    moved = value + sign * max(abs(value) * step, 1e-300)
    if field.step is not None:
        return moved  # no member, but the condition can be computed for it
    return float(field.coerce(moved)) if field.contains(moved) else value
