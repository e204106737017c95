"""Where failures hide, as streams of changes to an input that should work. Each stage has its reason.

Robustness tests (Ballista; Figure 1 of the HPSL paper) put exceptional values into one field after the other. With
2,000 fields that is 20,000 runs and more. But a value that breaks a system mostly does so whatever the others are: so
change all fields at once, then ever smaller groups of them, for the cases in which one bad value hides another.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.search.design import Box, Instance, covering, hypercube
from rootward.searches.exploration.dictionary import Changes, Dictionary, change
from rootward.searches.exploration.tuning import TUNING
from rootward.space.fields import Scale
from rootward.space.space import Bool, Choice, Int, Ordinal, Space

SCALES: tuple[Scale, ...] = ("even", "human", "even", "human", "broad")
"""The scales in the order of their turns."""


def every_value(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Every value of every field, in as few runs as the longest list has values: all fields change at once."""
    columns = np.arange(len(dictionary))
    for row in _balanced(dictionary.sizes, rng):
        yield dictionary.listed(columns, row)


def fewer_changes(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """The same in quarters of the fields, in sixteenths, ..., at last one by one: among many changes, one that is
    refused at once hides what the others would do."""
    size = len(dictionary)
    while size > 1:
        size = math.ceil(size / 4)
        groups = _parts(rng.permutation(len(dictionary)), size)
        blocks = [_balanced(dictionary.sizes[group], rng) for group in groups]
        for number in range(max(map(len, blocks))):
            for group, block in zip(groups, blocks, strict=True):
                if number < len(block):
                    yield dictionary.listed(group, block[number])


def combined(
    dictionary: Dictionary,
    strength: int,
    *,
    forbidden: Sequence[Box],
    known: Callable[[], Sequence[Instance]],
    most: int,
    rng: np.random.Generator,
) -> Iterator[Changes]:
    """Every combination of values of so many fields that the runs so far leave: most failures that need more than one
    field need two (Kuhn et al. 2004).

    Where a covering array takes too long to make, or to run, rows are drawn in which all values are equally frequent.
    Of many fields they are nearly as good: no array of v² rows has all pairs of values of more than v + 1 fields with v
    values each, and after 3 v² such rows each pair has been there with a probability of 95%.
    """
    columns = np.arange(len(dictionary))
    if _affordable(dictionary.sizes, strength, most):
        rows = covering(dictionary.sizes, strength, forbidden=forbidden, known=known(), tight=False, rng=rng)
        yield from (dictionary.listed(columns, rows[at]) for at in rng.permutation(len(rows)))
        return
    wanted = 3 * int(np.sort(dictionary.sizes)[-strength:].prod())
    rounds = itertools.chain.from_iterable(_balanced(dictionary.sizes, rng) for _ in itertools.count())
    yield from (dictionary.listed(columns, row) for row in itertools.islice(rounds, wanted))


def spread(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Latin hypercubes, ever finer, over the whole domains: what fails in a range between two exceptional values.

    They take turns on the scales of a number: evenly, as people use it, and now and then by magnitude. Every fourth
    point leaves some fields as they are.
    """
    size = TUNING.first_cube
    while True:
        for scale in SCALES:
            for number, point in enumerate(hypercube(size, len(dictionary), rng)):
                chosen = range(len(dictionary)) if (number + 1) % 4 else _some(len(dictionary), rng)
                fields = dictionary.fields
                yield {i: change(fields[i].at(float(point[i]), scale=scale)) for i in chosen}
        size *= 2


def at_random(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Without end: each field as its kind is sampled; every other time only some of the fields."""
    for number in itertools.count():
        chosen = _some(len(dictionary), rng) if number % 2 else range(len(dictionary))
        yield {i: change(dictionary.fields[i].sample(rng)) for i in chosen}


def everything(dictionary: Dictionary, rng: np.random.Generator) -> Iterator[Changes]:
    """Each configuration of a small space, in random order."""
    members = [range(one.lo, one.hi + 1) if isinstance(one, Int) else one.values for one in dictionary.fields]
    sizes = tuple(map(len, members))
    for number in rng.permutation(math.prod(sizes)):
        places = np.unravel_index(number, sizes)
        yield {i: change(own[int(places[i])]) for i, own in enumerate(members)}


def small(space: Space) -> bool:
    """Whether every configuration could be run."""
    listed = all(isinstance(one, Bool | Choice | Int | Ordinal) for _, one in space.items())
    return listed and space.size <= TUNING.max_listed


def _balanced(sizes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """As many rows as the longest list has values; in each column, all values are equally frequent, or nearly so."""
    rows = int(sizes.max())
    block = np.empty((rows, len(sizes)), dtype=np.int64)
    for column, size in enumerate(sizes.tolist()):
        drawn = [rng.permutation(size) for _ in range(math.ceil(rows / size))]
        block[:, column] = np.concatenate(drawn)[:rows]
    return block


def _parts(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


def _affordable(sizes: NDArray[np.int64], strength: int, most: int) -> bool:
    """Whether there are few enough combinations, and few enough rows that have them all."""
    largest = np.sort(sizes)[-strength:]
    groups = math.comb(len(sizes), min(strength, len(sizes)))
    return int(largest.prod()) <= most and groups * float(sizes.mean()) ** strength <= TUNING.max_combinations


def _some(count: int, rng: np.random.Generator) -> list[int]:
    """Some of so many: one, all of them, or anything between, each order of magnitude alike."""
    size = round(2 ** rng.uniform(0, math.log2(count)))
    return sorted(rng.choice(count, size, replace=False).tolist())
