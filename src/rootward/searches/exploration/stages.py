"""Stages: ways to change an input that should work so that it fails. Each is a stream of changes, with its reason.

Nothing is known about the failure, so each stage makes one assumption about how failures hide, and asks for the runs
that find such a failure soonest.

- A single exceptional value breaks the system (robustness tests: Ballista; Figure 1 of the HPSL paper). Trying values
  one by one takes 20,000 runs and more for 2,000 fields. But such a value mostly breaks it whatever the other fields
  are, so all fields change at once (``every_value``).
- The same, but one bad value hides another: ever smaller groups of fields change (``fewer_changes``).
- Two or three values must meet: covering arrays contain all their combinations (``combine_values``).
- It fails in a range between the exceptional values: points spread over all domains (``spread_points``).
- None of these: random inputs (``random_inputs``), or every input of a small space (``every_configuration``).

A stage ends when it has tried everything that its assumption suggests; ``spread_points`` and ``random_inputs`` never
end. `plan` decides whose turn it is, so a stage may be long. To add one, write a generator of changes here, give it its
turn in ``TrialPlan._streams``, and enter its name in ``STAGES`` of `failures`. It must draw all randomness from the
random generator that it gets.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Box, Instance, covering_array, hypercube
from rootward.searches.exploration.dictionary import Changes, Dictionary, LateChanges, encode_change
from rootward.searches.exploration.tuning import TUNING
from rootward.space.fields import Scale
from rootward.space.space import Bool, Choice, Int, Ordinal, Space

SCALES: tuple[Scale, ...] = ("even", "human", "even", "human", "broad")
"""The scales of ``spread_points``, in the order in which they are used."""


def every_value(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Try every value of every field.

    All fields change at once, so the number of runs is the length of the longest list.
    """
    columns = np.arange(len(dictionary))
    for row in _draw_balanced(dictionary.sizes, rng):
        yield dictionary.changes_at(columns, row)


def fewer_changes(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Try every value while only a quarter of the fields change, then a sixteenth, and so on down to single fields.

    If many fields change and one change is refused at once, it hides the effects of the others.
    """
    size = len(dictionary)
    while size > 1:
        size = math.ceil(size / 4)
        groups = _split(rng.permutation(len(dictionary)), size)
        blocks = [_draw_balanced(dictionary.sizes[group], rng) for group in groups]
        for number in range(max(map(len, blocks))):
            for group, block in zip(groups, blocks, strict=True):
                if number < len(block):
                    yield dictionary.changes_at(group, block[number])


def combine_values(
    dictionary: Dictionary,
    strength: int,
    *,
    forbidden: Sequence[Box],
    known: Callable[[], Sequence[Instance]],
    most: int,
    rng: np.random.Generator,
) -> Iterator[Changes]:
    """Try every combination of values of ``strength`` fields that was not run yet: most failures that need more than
    one field need two (Kuhn et al. 2004).

    If a covering array would take too long to compute or to run, draw rows in which all values are equally frequent.
    For many fields they are nearly as good: no array of v² rows has all pairs of values of more than v + 1 fields with
    v values each, and after 3 v² such rows each pair has occurred with a probability of 95%.
    """
    columns = np.arange(len(dictionary))
    if _is_affordable(dictionary.sizes, strength, most):
        rows = covering_array(dictionary.sizes, strength, forbidden=forbidden, known=known(), tight=False, rng=rng)
        yield from (dictionary.changes_at(columns, rows[at]) for at in rng.permutation(len(rows)))
        return
    wanted = 3 * int(np.sort(dictionary.sizes)[-strength:].prod())
    rounds = itertools.chain.from_iterable(_draw_balanced(dictionary.sizes, rng) for _ in itertools.count())
    yield from (dictionary.changes_at(columns, row) for row in itertools.islice(rounds, wanted))


def spread_points(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Try ever finer Latin hypercubes over the whole domains, for failures in a range between two exceptional values.

    They alternate between the scales of numbers: uniform, by the magnitudes that people use and, less often, uniform in
    magnitude. Every fourth point leaves some fields unchanged.
    """
    size = TUNING.first_cube
    while True:
        for scale in SCALES:
            for number, point in enumerate(hypercube(size, len(dictionary), rng)):
                chosen = range(len(dictionary)) if (number + 1) % 4 else _choose_some(len(dictionary), rng)
                yield LateChanges(chosen, partial(_value_at, dictionary, point, scale))
        size *= 2


def _value_at(dictionary: Dictionary, point: NDArray[np.float64], scale: Scale, field: int) -> Any:
    return dictionary.fields[field].at(float(point[field]), scale=scale)


def random_inputs(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Sample each field by its kind, without end; every other time change only some of the fields."""
    for number in itertools.count():
        chosen = _choose_some(len(dictionary), rng) if number % 2 else range(len(dictionary))
        yield {i: encode_change(dictionary.fields[i].sample(rng)) for i in chosen}


def every_configuration(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Try each configuration of a small space, in random order."""
    members = [range(one.lo, one.hi + 1) if isinstance(one, Int) else one.values for one in dictionary.fields]
    sizes = tuple(map(len, members))
    for number in rng.permutation(math.prod(sizes)):
        places = np.unravel_index(number, sizes)
        yield {i: encode_change(own[int(places[i])]) for i, own in enumerate(members)}


def is_small(space: Space) -> bool:
    """Return True if every configuration could be run."""
    listed = all(isinstance(one, Bool | Choice | Int | Ordinal) for _, one in space.items())
    return listed and space.size <= TUNING.max_listed


def _draw_balanced(sizes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return as many rows as the longest list has values; in each column all values are about equally frequent."""
    rows = int(sizes.max())
    block = np.empty((rows, len(sizes)), dtype=np.int64)
    for column, size in enumerate(sizes.tolist()):
        drawn = [rng.permutation(size) for _ in range(math.ceil(rows / size))]
        block[:, column] = np.concatenate(drawn)[:rows]
    return block


def _split(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


def _is_affordable(sizes: NDArray[np.int64], strength: int, most: int) -> bool:
    """Return True if a covering array can be computed and run.

    It must have few enough combinations to compute it, and few enough rows to run them.
    """
    largest = np.sort(sizes)[-strength:]
    groups = math.comb(len(sizes), min(strength, len(sizes)))
    return int(largest.prod()) <= most and groups * float(sizes.mean()) ** strength <= TUNING.max_combinations


def _choose_some(count: int, rng: np.random.Generator) -> list[int]:
    """Choose some of ``count`` fields: from one to all of them, each order of magnitude equally likely."""
    size = round(2 ** rng.uniform(0, math.log2(count)))
    return sorted(rng.choice(count, size, replace=False).tolist())
