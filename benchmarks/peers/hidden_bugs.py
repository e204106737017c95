"""Bugs that have not occurred yet, planted in interfaces of any width, and simple ways to look for them."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rootward.searches.exploration.exploration import explore
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Field, Float, Int, Space
from rootward.verdict import FAIL, PASS, Outcome

LIMIT = 1000
"""Maximum number of runs of a method."""
KINDS: tuple[tuple[str, Callable[[], Field]], ...] = (
    ("word", Int),
    ("percent", lambda: Int(0, 1000)),
    ("real", lambda: Float(-1000, 1000)),
    ("mode", lambda: Choice(range(8))),
    ("level", lambda: Choice(range(4))),
    ("flag", Bool),
)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Job:
    """A kind of bug among ``fields`` fields; everything random follows from the seed."""

    kind: str
    fields: int
    seed: int


@dataclass(frozen=True)
class Hidden:
    """A space, an input that works, and a bug. ``involved``: the fields that the bug reads."""

    space: Space
    nominal: dict[str, Any]
    involved: tuple[str, ...]
    fails: Callable[[Values], bool]


def planted(job: Job) -> Hidden:
    rng = random.Random(f"{job}")
    kinds = [KINDS[i % len(KINDS)] for i in range(job.fields)]
    rng.shuffle(kinds)
    space = Space({f"{name}{i}": make() for i, (name, make) in enumerate(kinds)})
    while True:
        nominal = {name: rng.choice(field.values[: len(field.values) // 2 + 1]) for name, field in space.items()}
        involved, fails = BUGS[job.kind](rng, space, nominal)
        if not fails(nominal):
            return Hidden(space, nominal, involved, fails)


Bug = tuple[tuple[str, ...], Callable[[Values], bool]]


def _choose_exceptional(rng: random.Random, space: Space, nominal: Values, name: str) -> bytes:
    """Return the encoding of an exceptional value that the working input does not have."""
    return rng.choice([it for it in map(canonical, space.values(name)) if it != canonical(nominal[name])])


def _names_of_kind(space: Space, *kinds: str) -> list[str]:
    return [name for name in space if name.rstrip("0123456789") in kinds]


def value(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """One exceptional value of one field."""
    name = rng.choice(list(space))
    wrong = _choose_exceptional(rng, space, nominal, name)
    return (name,), lambda one: canonical(one[name]) == wrong


def guarded(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """One exceptional value of one field; the input is refused first unless four other fields are nominal."""
    name, *guards = rng.sample(list(space), 5)
    wrong, usual = (
        _choose_exceptional(rng, space, nominal, name),
        {guard: canonical(nominal[guard]) for guard in guards},
    )
    return (
        name,
        *guards,
    ), lambda one: canonical(one[name]) == wrong and all(canonical(one[guard]) == usual[guard] for guard in guards)


def interval(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """A fiftieth of the range of a number, between exceptional values."""
    name = rng.choice(_names_of_kind(space, "percent", "real"))
    lo, hi = space.values(name)[0], space.values(name)[-1]
    width = (hi - lo) / 50
    lows = (rng.uniform(lo, hi - width) for _ in itertools.count())
    low = next(low for low in lows if not any(low < known < low + width for known in space.values(name)))
    return (name,), lambda one: low < one[name] < low + width


def pair(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """A mode and a level."""
    return _together(rng, space, nominal, [rng.choice(_names_of_kind(space, kind)) for kind in ("mode", "level")])


def triple(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """A mode, a level and a flag."""
    return _together(
        rng, space, nominal, [rng.choice(_names_of_kind(space, kind)) for kind in ("mode", "level", "flag")]
    )


def _together(rng: random.Random, space: Space, nominal: Values, names: list[str]) -> Bug:
    wrong = {name: _choose_exceptional(rng, space, nominal, name) for name in names}
    return tuple(names), lambda one: all(canonical(one[name]) == wrong[name] for name in names)


def relation(rng: random.Random, space: Space, nominal: Values) -> Bug:
    """A product that does not fit into 32 bits: of two words or, if there is only one, of a word and a percentage."""
    words = _names_of_kind(space, "word")
    first, second = rng.sample(words, 2) if len(words) > 1 else (words[0], _names_of_kind(space, "percent")[0])
    return (first, second), lambda one: one[first] * one[second] > 2**32 and one[first] % 4 == 1


BUGS: dict[str, Callable[[random.Random, Space, Values], Bug]] = {
    "value": value,
    "guarded value": guarded,
    "range": interval,
    "pair": pair,
    "triple": triple,
    "relation": relation,
}


# Methods: each returns the number of runs until one fails, None if none of the first thousand does


def find(hidden: Hidden, seed: int) -> int | None:
    search = explore(hidden.space, nominal=[hidden.nominal], most=LIMIT, enough=0, seed=seed)
    answers: list[Outcome | None] | None = None
    while True:
        try:
            ask = search.send(answers)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value.first
        answers = [Outcome(FAIL if hidden.fails(one) else PASS) for one in ask.candidates]
        if FAIL in (verdicts := [outcome.verdict for outcome in answers if outcome]):
            answers[verdicts.index(FAIL) + 1 :] = [None] * (len(answers) - verdicts.index(FAIL) - 1)


def uniform(hidden: Hidden, seed: int) -> int | None:
    """Draw every value of a field with the same probability."""
    return _first(hidden, _draw(hidden, random.Random(f"uniform {seed}"), _uniform))


def listed(hidden: Hidden, seed: int) -> int | None:
    """Draw every exceptional value of a field with the same probability."""
    return _first(hidden, _draw(hidden, random.Random(f"listed {seed}"), lambda rng, field: rng.choice(field.values)))


def one_by_one(hidden: Hidden, seed: int) -> int | None:
    """Change one field of the working input to each of its exceptional values, in random order."""
    steps = [(name, value) for name, field in hidden.space.items() for value in field.values]
    random.Random(f"one by one {seed}").shuffle(steps)
    return _first(hidden, ({**hidden.nominal, name: value} for name, value in steps[:LIMIT]))


def _draw(hidden: Hidden, rng: random.Random, draw: Callable[[random.Random, Any], Any]) -> Iterator[Values]:
    """Yield random values of the fields that the bug reads. The other fields make no difference and would take time."""
    fields = {name: hidden.space[name] for name in hidden.involved}
    for _ in range(LIMIT):
        yield {name: draw(rng, field) for name, field in fields.items()}


def _uniform(rng: random.Random, field: Field) -> Any:
    if isinstance(field, Int):
        return rng.randint(field.lo, field.hi)
    return rng.uniform(field.lo or 0.0, field.hi or 0.0) if isinstance(field, Float) else rng.choice(field.values)


def _first(hidden: Hidden, inputs: Iterator[Values]) -> int | None:
    return next((number for number, one in enumerate(inputs, 1) if hidden.fails(one)), None)


METHODS: dict[str, Callable[[Hidden, int], int | None]] = {
    "find": find,
    "uniform": uniform,
    "exceptional": listed,
    "one by one": one_by_one,
}


def solve(job: Job) -> dict[str, float]:
    """Return the number of runs until each method finds the bug; infinity if it does not."""
    hidden = planted(job)
    found = {name: method(hidden, job.seed) for name, method in METHODS.items()}
    return {name: math.inf if runs is None else runs for name, runs in found.items()}
