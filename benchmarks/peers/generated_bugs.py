"""Bugs drawn by a frozen generator: any number of them, each with its fields, failures, noise and a failing input.

The fields and conditions come from `peers/generated_conditions.py`. Kinds of bugs, of every hundred:

- *steady* (55): fails wherever its condition holds;
- *no simple condition* (5): a hash or a bumpy function, which nobody can state;
- *flaky* (15): fails in 60 to 95% of the runs that trigger it; half of the subjects accept a seed;
- *two failures* (10): with signatures and conditions of their own; where both hold, the first in the program shows;
- *unresolved* (7): a region in which the subject cannot be judged;
- *constraints* (8): combinations that the study forbids.

A bug is rejected if a term of its condition never decides, if more than 95% of random points fail, or if a part of the
condition that the failing input does not show (an alternative, an exception) holds for less than one in a thousand
random mixtures of ordinary and special values: no method that only runs the subject could be expected to find it. What
the failing input does show may be as rare as it likes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import rootward as rw
from peers.generated_conditions import (
    Point,
    Random,
    Signal,
    Term,
    draw_bound,
    draw_choice,
    draw_end,
    draw_flag,
    draw_irregular,
    draw_range,
    draw_rank,
    draw_remainder,
    draw_signals,
    draw_term,
    mixed,
    ordinary,
    to_member,
)
from rootward.rules import Atom, Rule
from rootward.study import Study
from rootward.verdict import FAIL, PASS

STEADY, IRREGULAR, FLAKY = "steady", "no simple condition", "flaky"
TWO, UNRESOLVED, CONSTRAINED = "two failures", "unresolved", "constraints"
KINDS = {STEADY: 55, IRREGULAR: 5, FLAKY: 15, TWO: 10, UNRESOLVED: 7, CONSTRAINED: 8}
"""Number of bugs of each kind in every hundred."""
SHAPES = {"one term": 25, "two terms": 30, "three terms": 15, "four terms": 5, "either": 15, "exception": 10}
MIN_UNSEEN_SHARE = 1e-3
"""Minimum share of random points for which a part holds that the failing input does not show."""
MAX_FAILING_SHARE = 0.95
MIN_OBSTACLE_SHARE, MAX_OBSTACLE_SHARE = 0.02, 0.4
"""Share of random points that are unresolved or forbidden."""
MIN_RATE, MAX_RATE = 0.6, 0.95
"""Share of the triggering runs in which a flaky bug fails."""
RANDOM_POINTS = 4000
HINTED_POINTS = 3000
MAX_NEAR_STEPS = 3
"""Hinted numbers lie up to this many steps beside a value that the condition names."""
SIMPLE_TERMS = {draw_bound: 4, draw_range: 2, draw_end: 1, draw_choice: 4, draw_rank: 2, draw_flag: 3}
UNRESOLVED_TERMS = {**SIMPLE_TERMS, draw_remainder: 2}


@dataclass(frozen=True)
class Condition:
    """A disjunction of conjunctions of terms, with exceptions; `shape` says how it was drawn."""

    arms: tuple[tuple[Term, ...], ...]
    exception: Term | None = None
    shape: str = ""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(term for arm in self.arms for term in arm) + ((self.exception,) if self.exception else ())

    @cached_property
    def fields(self) -> frozenset[str]:
        return frozenset(name for term in self.terms for name in term.fields)

    @property
    def named(self) -> dict[str, tuple[Any, ...]]:
        """The values that the condition names, by field."""
        return {name: tuple(v for term in self.terms for v in term.named.get(name, ())) for name in sorted(self.fields)}

    def holds(self, point: Point) -> bool:
        if self.exception is not None and self.exception.holds(point):
            return False
        return any(all(term.holds(point) for term in arm) for arm in self.arms)

    def __str__(self) -> str:
        texts = [" and ".join(f"({term.text})" for term in arm) for arm in self.arms]
        text = " or ".join(texts) if len(texts) == 1 else " or ".join(f"({one})" for one in texts)
        return f"{text} and not ({self.exception.text})" if self.exception else text


@dataclass(frozen=True)
class Failure:
    """One failure of a bug: its signature and its condition."""

    signature: str | None
    condition: Condition
    example: dict[str, Any]
    """A point at which the failure is seen."""
    passing: dict[str, Any]
    """A point that passes."""


@dataclass(frozen=True)
class Generated:
    """A bug: its fields, its failures in the order of the program, and a failing input."""

    seed: int
    number: int
    kind: str
    signals: tuple[Signal, ...]
    failures: tuple[Failure, ...]
    shown: int
    """The place of the failure that the user has seen."""
    nominal: dict[str, Any] | None = None
    """A working input that the user gives; None if the user gives none."""
    rate: float = 1.0
    takes_seed: bool = False
    unresolved: Condition | None = None
    forbidden: tuple[tuple[tuple[str, str, Any], ...], ...] = ()
    """Combinations (field, comparison, value) that the study forbids."""

    @property
    def failing(self) -> dict[str, Any]:
        return self.failures[self.shown].example

    @property
    def space(self) -> rw.Space:
        return rw.Space({one.name: one.field for one in self.signals})

    @property
    def constraints(self) -> Rule | None:
        return Rule([[Atom(*one) for one in line] for line in self.forbidden]) if self.forbidden else None

    @property
    def name(self) -> str:
        return f"generated-{self.seed}-{self.number}"

    def study(self, subject: rw.Function) -> Study:
        return Study(
            name=self.name,
            path=Path(f"{self.name}.toml"),
            subject=subject,
            space=self.space,
            failing=self.failing,
            nominal=() if self.nominal is None else (self.nominal,),
            constraints=self.constraints,
        )

    def is_forbidden(self, point: Point) -> bool:
        return any(all(_compares(point[name], op, value) for name, op, value in line) for line in self.forbidden)

    def is_hidden(self, failure: int, point: Point) -> bool:
        """Return True if this failure cannot be seen at the point, because something else comes first."""
        if self.is_forbidden(point) or (self.unresolved is not None and self.unresolved.holds(point)):
            return True
        return any(one.condition.holds(point) for one in self.failures[:failure])

    def hiding_fields(self, failure: int) -> frozenset[str]:
        """Return the fields that `is_hidden` reads."""
        hiding = [one.condition for one in self.failures[:failure]]
        hiding += [self.unresolved] if self.unresolved is not None else []
        forbidden = {name for line in self.forbidden for name, _, _ in line}
        return forbidden.union(*(one.fields for one in hiding))


def _compares(value: Any, op: str, wanted: Any) -> bool:
    return {"=": value == wanted, ">": op == ">" and value > wanted, "<": op == "<" and value < wanted}[op]


class Runs:
    """Runs a bug, and counts the runs of each configuration and those that the study forbids."""

    def __init__(self, bug: Generated) -> None:
        self.bug = bug
        self.forbidden = 0
        self._attempts: Counter[str] = Counter()

    def subject(self) -> rw.Function:
        bug, run = self.bug, self.run
        if bug.takes_seed:
            return rw.Function(lambda candidate, seed: run(candidate, f"{seed}"))
        return rw.Function(lambda candidate: run(candidate, self._attempt(candidate)))

    def _attempt(self, candidate: Point) -> str:
        key = repr(sorted(candidate.items()))
        self._attempts[key] += 1
        return f"{self.bug.name} {key} {self._attempts[key]}"

    def run(self, candidate: Point, chance: str) -> rw.Outcome | rw.Verdict:
        bug = self.bug
        self.forbidden += bug.is_forbidden(candidate)
        if bug.unresolved is not None and bug.unresolved.holds(candidate):
            raise rw.Unresolved("this input cannot be judged")
        for failure in bug.failures:
            if failure.condition.holds(candidate) and (bug.rate == 1 or random.Random(chance).random() < bug.rate):
                return rw.Outcome(FAIL, signature=failure.signature)
        return PASS


# Drawing


def draw_bug(seed: int, number: int) -> Generated:
    """Draw the bug of this number; everything random follows from the two numbers."""
    kind = kind_of(seed, number)
    rng = random.Random(f"generated {seed} {number}")
    while True:
        if (bug := _try_bug(rng, seed, number, kind)) is not None:
            return bug


def kind_of(seed: int, number: int) -> str:
    """Return the kind of a bug: every hundred consecutive bugs have the numbers in `KINDS`, in random order."""
    block, place = divmod(number, sum(KINDS.values()))
    deck = [kind for kind, count in KINDS.items() for _ in range(count)]
    random.Random(f"kinds {seed} {block}").shuffle(deck)
    return deck[place]


def _try_bug(rng: Random, seed: int, number: int, kind: str) -> Generated | None:
    """Draw a bug; None if it must be rejected."""
    signals = draw_signals(rng, min(40, round(2 * 20 ** rng.random())))
    first = _draw_condition(rng, signals, irregular=kind == IRREGULAR)
    if first is None:
        return None
    conditions = [first]
    if kind == TWO:
        second = _draw_condition(rng, signals)
        if second is None or str(second) == str(first):
            return None
        conditions.append(second)
    shown = rng.randrange(len(conditions))
    obstacle = _draw_obstacle(rng, signals, first) if kind == UNRESOLVED else None
    forbidden = _draw_forbidden(rng, signals, first) if kind == CONSTRAINED else ()
    if (kind == UNRESOLVED and obstacle is None) or (kind == CONSTRAINED and not forbidden):
        return None
    signatures = rng.sample(("ValueError", "timeout", "wrong result", "exit code 3"), 2) if kind == TWO else [None]
    drafts = [Failure(*pair, {}, {}) for pair in zip(signatures, conditions, strict=True)]
    bug = Generated(seed, number, kind, signals, tuple(drafts), shown, unresolved=obstacle, forbidden=forbidden)
    points = _points(rng, bug)
    examples = [_choose_failing(bug, place, points) for place in range(len(conditions))]
    passing = _choose_passing(bug, points)
    if None in examples or passing is None:
        return None
    failures = (replace(one, example=point, passing=passing) for one, point in zip(drafts, examples, strict=True))
    bug = replace(bug, failures=tuple(failures), nominal=passing if rng.random() < 0.5 else None)
    if kind == FLAKY:
        bug = replace(bug, rate=rng.uniform(MIN_RATE, MAX_RATE), takes_seed=rng.random() < 0.5)
    return bug


def _draw_condition(rng: Random, signals: Sequence[Signal], *, irregular: bool = False) -> Condition | None:
    if irregular:
        term = draw_irregular(rng, signals)
        guard = (draw_term(rng, signals, SIMPLE_TERMS),) if rng.random() < 0.3 else ()
        drawn = None if term is None else Condition(((term, *guard),), shape=IRREGULAR)
    else:
        drawn = _draw_shape(rng, signals, rng.choices(list(SHAPES), list(SHAPES.values()))[0])
    return drawn if drawn is not None and _is_sound(rng, signals, drawn) else None


def _draw_shape(rng: Random, signals: Sequence[Signal], shape: str) -> Condition | None:
    counts = {"one term": 1, "two terms": 2, "three terms": 3, "four terms": 4}
    if shape in counts:
        return Condition((tuple(draw_term(rng, signals) for _ in range(counts[shape])),), shape=shape)
    arm = tuple(draw_term(rng, signals) for _ in range(rng.choice((1, 1, 2))))
    if shape == "exception":
        return Condition((arm,), draw_term(rng, signals), shape)
    return Condition((arm, tuple(draw_term(rng, signals) for _ in range(rng.choice((1, 2))))), shape=shape)


def _is_sound(rng: Random, signals: Sequence[Signal], drawn: Condition) -> bool:
    """Check that every term decides somewhere, that enough points pass, and that no unseen part is too rare."""
    used = [one for one in signals if one.name in drawn.fields]
    points = [{one.name: mixed(one, rng) for one in used} for _ in range(RANDOM_POINTS)]
    if sum(map(drawn.holds, points)) > MAX_FAILING_SHARE * len(points):
        return False
    named = drawn.named
    hinted = [_hinted(rng, used, named) for _ in range(HINTED_POINTS)]
    unseen = [part for term in drawn.terms for part in _parts(term)]
    if len(drawn.arms) > 1:
        unseen += [Condition((arm,)) for arm in drawn.arms]
    if drawn.exception is not None:
        unseen.append(Condition(((drawn.exception,),)))
    rare = any(sum(map(part.holds, points)) < MIN_UNSEEN_SHARE * len(points) for part in unseen)
    return not rare and all(_decides(drawn, i, [*hinted, *points]) for i in range(len(drawn.terms)))


def _parts(term: Term) -> list[Condition]:
    return [Condition(((Term(text, term.fields),),)) for text in term.parts]


def _decides(drawn: Condition, place: int, points: Iterable[Point]) -> bool:
    """Return True if the condition would change without the term at this place."""
    term = drawn.terms[place]
    if term is drawn.exception:
        without = Condition(drawn.arms)
    else:
        arms = [tuple(one for one in arm if one is not term) for arm in drawn.arms]
        if not all(arms):  # the only term of its arm: the condition is compared with one that lacks this arm
            arms = [arm for arm in arms if arm]
        without = Condition(tuple(arms), drawn.exception)
    return any(drawn.holds(point) != without.holds(point) for point in points)


def _hinted(rng: Random, signals: Sequence[Signal], named: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Draw a point with values that the condition names, values beside them, and equal values in several fields."""
    point = {one.name: ordinary(one, rng) if rng.random() < 0.6 else mixed(one, rng) for one in signals}
    for one in signals:
        if (values := named.get(one.name)) and rng.random() < 0.4:
            point[one.name] = _beside(rng, one, rng.choice(values))
    for one in signals:
        if rng.random() < 0.3:
            alike = [other.name for other in signals if other is not one and other.field == one.field]
            point[one.name] = point[rng.choice(alike or [one.name])]
    return point


def _beside(rng: Random, signal: Signal, value: Any) -> Any:
    if signal.is_number:
        step = 1 if signal.kind == "integer" else signal.field.step or abs(value) / 100 or 0.01
        return to_member(signal, value + step * rng.randint(-MAX_NEAR_STEPS, MAX_NEAR_STEPS))
    if signal.kind == "text":
        around = rng.choice(signal.texts)
        return rng.choice((value, value + around, around + value, around[:1] + value + around[1:]))
    return value


def _draw_obstacle(rng: Random, signals: Sequence[Signal], condition: Condition) -> Condition | None:
    """Draw the condition under which a run cannot be judged; in half of the cases over fields that matter."""
    near = [one for one in signals if one.name in condition.fields] if rng.random() < 0.5 else signals
    forms = {form: weight for form, weight in UNRESOLVED_TERMS.items() if form(rng, near) is not None}
    if not forms:
        return None
    drawn = Condition((tuple(draw_term(rng, near, forms) for _ in range(rng.choice((1, 1, 2)))),))
    return drawn if _has_right_size(rng, signals, drawn) else None


def _has_right_size(rng: Random, signals: Sequence[Signal], drawn: Condition) -> bool:
    used = [one for one in signals if one.name in drawn.fields]
    held = sum(drawn.holds({one.name: mixed(one, rng) for one in used}) for _ in range(RANDOM_POINTS // 4))
    return MIN_OBSTACLE_SHARE <= 4 * held / RANDOM_POINTS <= MAX_OBSTACLE_SHARE


def _draw_forbidden(
    rng: Random, signals: Sequence[Signal], condition: Condition
) -> tuple[tuple[tuple[str, str, Any], ...], ...]:
    """Draw one or two combinations that the study forbids; in half of the cases over fields that matter."""
    near = [one for one in signals if one.name in condition.fields] if rng.random() < 0.5 else list(signals)
    lines = [tuple(_draw_atom(rng, rng.choice(near)) for _ in range(rng.choice((1, 2, 2)))) for _ in (1, 2)]
    lines = lines[: rng.choice((1, 2))]
    made = tuple(line for line in lines if len({name for name, _, _ in line}) == len(line))
    draft = Generated(0, 0, "", tuple(signals), (), 0, forbidden=made)
    used = [one for one in signals if one.name in draft.hiding_fields(0)]
    held = sum(draft.is_forbidden({one.name: mixed(one, rng) for one in used}) for _ in range(RANDOM_POINTS // 4))
    return made if MIN_OBSTACLE_SHARE <= 4 * held / RANDOM_POINTS <= MAX_OBSTACLE_SHARE else ()


def _draw_atom(rng: Random, signal: Signal) -> tuple[str, str, Any]:
    if signal.is_number:
        low, high = signal.low, signal.high
        value = to_member(signal, low + (high - low) * rng.choice((0.1, 0.25, 0.5, 0.75, 0.9)))
        return signal.name, rng.choice("<>"), value
    return signal.name, "=", ordinary(signal, rng)


# Choosing the inputs


def draw_points(rng: Random, bug: Generated, names: Collection[str], count: int) -> list[dict[str, Any]]:
    """Draw values of these fields: a quarter ordinary, the others near the values that the conditions name."""
    named: dict[str, tuple[Any, ...]] = {}
    for failure in bug.failures:
        named |= {name: named.get(name, ()) + values for name, values in failure.condition.named.items()}
    used = [one for one in bug.signals if one.name in names]
    plain = [{one.name: ordinary(one, rng) for one in used} for _ in range(count // 4)]
    return [*plain, *(_hinted(rng, used, named) for _ in range(count - len(plain)))]


def _points(rng: Random, bug: Generated) -> list[dict[str, Any]]:
    """Draw points, ordinary ones first; fields that do not matter have the same ordinary value in all of them."""
    rest = {one.name: ordinary(one, rng) for one in bug.signals}
    matter = bug.hiding_fields(len(bug.failures))
    return [{**rest, **point} for point in draw_points(rng, bug, matter, HINTED_POINTS)]


def _choose_failing(bug: Generated, failure: int, points: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return a point at which this failure is seen, by its first alternative alone; None if there is none."""
    condition = bug.failures[failure].condition
    others = [Condition((arm,)) for arm in condition.arms[1:]]
    for point in points:
        if condition.holds(point) and not bug.is_hidden(failure, point) and not any(one.holds(point) for one in others):
            return bug.space.check(point)
    return None


def _choose_passing(bug: Generated, points: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return a point that passes; None if there is none."""
    passing = (point for point in points if not bug.is_hidden(len(bug.failures), point))
    return next(map(bug.space.check, passing), None)
