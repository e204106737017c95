"""Multipliers and centres: the simple numbers that make a sum of terms explain brackets.

A family is a sum of terms with open weights, such as ``w1 * a + w2 * b + w3 * c``. Every bracket lies on the boundary
``sum = constant``, up to its width. So a few brackets determine the weights: they are the solution of linear equations,
one for each bracket. Which brackets belong together is not known, because a condition may have several boundaries.
Therefore small samples of brackets are solved, and the solution that most other brackets agree with is kept. Least
squares over these brackets then say how precisely each weight is known, and the cheapest numbers within that precision
that still explain most are the weights. Small integers are tried in any case, because the brackets of fields with few
values are too coarse for equations.

The same equations find the centre of a circle or sphere: its distance squared is ``a * a + b * b`` plus a weighted sum
of ``a`` and ``b``, whose weights are -2 times the centre.

A power law such as ``stiffness * timestep**2 > 4 * mass`` is a weighted sum in logarithms, whose weights are the
exponents. These are small integers, so all of them are compared at once.
"""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.simplicity import price, round_numbers

Matrix = np.ndarray[Any, np.dtype[np.float64]]


def _list_small_weights(terms: int, largest: int) -> Matrix:
    """Return all small integer weights of a sum, without a common factor, the first one positive."""
    numbers = [number for number in range(-largest, largest + 1) if number]
    every = product(range(1, largest + 1), *([numbers] * (terms - 1)))
    return np.array([row for row in every if math.gcd(*row) == 1 and min(map(abs, row)) == 1], dtype=np.float64)


SMALL_WEIGHTS = {2: _list_small_weights(2, 12), 3: _list_small_weights(3, 3)}
"""Weights that are always tried. With few values, brackets are too coarse to compute them."""
MAX_SAMPLES = 40
"""Maximum number of samples of brackets that are solved."""
MAX_SOLUTIONS = 2
"""Number of solutions that are made simple."""
MAX_CHOICES = 4
"""Number of simple numbers tried for each weight."""
MAX_WEIGHT_BITS = 14.0
"""Weights that cost more bits than this are implausible."""
MAX_CONDITION = 1e10
"""Samples whose equations are worse conditioned than this say nothing about the weights."""
PRECISION = 3.0
"""Width of the interval of a weight, in standard deviations."""
AGREEMENT = 2.0
"""A bracket agrees with a solution up to this multiple of its width."""
MAX_POWER_BRACKETS = 48
"""Number of brackets, the heaviest, that exponents are compared on."""
LOG_BLUR = 1e-13
"""Error of a logarithm of a product of a few numbers, which are rounded themselves."""


@np.errstate(all="ignore")
def fit_weights(one: Matrix, other: Matrix, evidence: Matrix, scale: float = 1.0) -> dict[tuple[float, ...], float]:
    """Return the weights of a sum of terms, the best first, each with the evidence that they explain.

    The first weight is 1 if ``scale`` is not.

    ``one`` and ``other`` are the values of the terms (columns) at the two points of each bracket (rows). ``evidence``
    is the weight of each bracket. If the first weight must be 1, the others are ``scale`` times simple numbers.
    """
    terms = one.shape[1]
    finite = np.isfinite(one).all(axis=1) & np.isfinite(other).all(axis=1) & (np.abs(one - other).max(axis=1) > 0)
    one, other, evidence = one[finite], other[finite], evidence[finite]
    if len(one) < terms:
        return {}
    sizes = np.maximum(np.abs(one).max(axis=0), 1e-300)
    solutions = _solve_samples(one / sizes, other / sizes, evidence)
    found: dict[tuple[float, ...], tuple[float, float]] = {}
    for weights in solutions:
        estimate = _estimate(one / sizes, other / sizes, weights)
        if estimate is None:
            continue
        weights, errors = estimate[0] / sizes, estimate[1] / sizes
        sizes_of = np.abs(weights)
        references = {int(np.argmin(sizes_of)), int(np.argmax(sizes_of))} if scale == 1.0 else {0}
        for reference in sorted(references):
            found |= _simplify(one, other, evidence, weights, errors, reference, scale)
    if scale == 1.0 and terms in SMALL_WEIGHTS:
        chance = np.sort(evidence)[-terms:].sum()  # as many brackets as terms agree with some weights by chance
        small = _choose_best(one, other, evidence, SMALL_WEIGHTS[terms])
        found |= {each: worth for each, worth in small.items() if worth[1] > chance}
    best = sorted(found, key=lambda each: -found[each][0])[:MAX_SOLUTIONS]
    return {each: found[each][1] for each in best}


@np.errstate(all="ignore")
def choose_exponents(one: Matrix, other: Matrix, evidence: Matrix, exponents: Matrix, costs: Matrix) -> list[int]:
    """Return the rows of ``exponents`` that explain brackets as the boundaries of a product of powers, the best first.

    ``one`` and ``other`` are the values of the fields (columns) at the two points of each bracket (rows). A product has
    logarithms only where all its fields are positive. Of a product of n fields, n brackets agree with some exponents by
    chance; so it must explain more.
    """
    heaviest = np.argsort(-evidence, kind="stable")[:MAX_POWER_BRACKETS]
    one, other, evidence = one[heaviest], other[heaviest], evidence[heaviest]
    valid = (one > 0) & (other > 0) & np.isfinite(one) & np.isfinite(other)
    ends = np.stack([exponents @ np.log(np.where(valid, values, 1.0)).T for values in (one, other)])
    used = (exponents != 0).astype(float)
    crossed = (used @ ~valid.T == 0) & (np.abs(ends[0] - ends[1]) > LOG_BLUR / 1e4)
    weights = np.where(crossed, evidence, 0.0)
    explained = _heaviest(ends.min(axis=0) - LOG_BLUR, ends.max(axis=0) + LOG_BLUR, weights)
    by_chance = np.cumsum(-np.sort(-weights, axis=1), axis=1)
    places = np.minimum(used.sum(axis=1).astype(int), weights.shape[1]) - 1
    enough = explained > by_chance[np.arange(len(exponents)), places]
    order = np.argsort(costs - explained, kind="stable")
    return [int(i) for i in order if enough[i] and explained[i] > costs[i]][:MAX_SOLUTIONS]


def _solve_samples(one: Matrix, other: Matrix, evidence: Matrix) -> list[Matrix]:
    """Return the solution of a sample of brackets that most evidence agrees with, then one for the other brackets."""
    count, terms = one.shape
    middle, half = (one + other) / 2, np.abs(one - other) / 2
    samples = _choose_samples(count, terms, evidence)
    equations = np.concatenate([middle, np.full((count, 1), -1.0)], axis=1)[samples]
    _, sizes, vectors = np.linalg.svd(equations)  # the last vector solves: sum of weights times terms = constant
    solutions = vectors[sizes[:, -1] > sizes[:, 0] / MAX_CONDITION, -1, :]
    largest = np.abs(solutions[:, :-1]).max(axis=1, initial=0.0)
    solutions = solutions[largest > 1e-9] / largest[largest > 1e-9][:, None]
    off = np.abs(solutions[:, :-1] @ middle.T - solutions[:, -1:])
    width = np.abs(solutions[:, :-1]) @ half.T
    agreed = off <= AGREEMENT * width + 1e-12
    needed = terms + (count > terms + 1)  # as many brackets as terms agree with any solution
    found, left = [], np.ones(count, dtype=bool)
    for _ in range(MAX_SOLUTIONS):
        worth = np.where(agreed & left, evidence, 0.0).sum(axis=1)
        if not len(worth) or (agreed[best := int(np.argmax(worth))] & left).sum() < needed:
            break
        found.append(solutions[best])
        left &= ~agreed[best]
    return found


def _choose_samples(count: int, terms: int, evidence: Matrix) -> Any:
    """Return sets of brackets, all of them if they are few, otherwise random ones; the heavier come more often."""
    if math.comb(count, terms) <= MAX_SAMPLES:
        return np.array(list(combinations(range(count), terms)))
    rng = np.random.default_rng(count)
    shares = np.maximum(evidence, 1.0)
    # The largest of exponentially distributed keys are a weighted sample without replacement.
    keys = rng.exponential(size=(MAX_SAMPLES, count)) / shares
    return np.argpartition(keys, terms - 1, axis=1)[:, :terms]


def _estimate(one: Matrix, other: Matrix, solution: Matrix) -> tuple[Matrix, Matrix] | None:
    """Return the weights by least squares over the brackets that agree with a solution, and their errors."""
    weights, constant = solution[:-1], solution[-1]
    middle, half = (one + other) / 2, np.abs(one - other) / 2
    width = half @ np.abs(weights) + 1e-15
    agreed = np.abs(middle @ weights - constant) <= AGREEMENT * width + 1e-12
    if agreed.sum() < len(weights):
        return None
    reference = int(np.argmax(np.abs(weights)))
    rest = [i for i in range(len(weights)) if i != reference]
    equations = np.column_stack([middle[agreed][:, rest], -np.ones(int(agreed.sum()))]) / width[agreed][:, None]
    values = -middle[agreed][:, reference] / width[agreed]
    try:
        inverse = np.linalg.pinv(equations)
    except np.linalg.LinAlgError:
        return None
    solved, spread = inverse @ values, np.sqrt((inverse**2).sum(axis=1))
    made, errors = np.ones(len(weights)), np.full(len(weights), 1e-12)
    made[rest], errors[rest] = solved[:-1], spread[:-1] + 1e-12
    return made, errors


def _simplify(
    one: Matrix, other: Matrix, evidence: Matrix, weights: Matrix, errors: Matrix, reference: int, scale: float
) -> dict[tuple[float, ...], tuple[float, float]]:
    """Return the cheapest weights within their errors; for each, what it explains minus its bits, and what it explains.

    The weight of the term ``reference`` becomes 1.
    """
    unit = weights[reference]
    if unit == 0 or not np.isfinite(weights).all():
        return {}
    choices: list[list[float]] = []
    for i, (weight, error) in enumerate(zip(weights / unit, errors / abs(unit), strict=True)):
        slack = PRECISION * (error + abs(weight) * errors[reference] / abs(unit)) + 1e-12 * abs(weight)
        ends = sorted([(weight - slack) / scale, (weight + slack) / scale])
        options = [1.0] if i == reference else _list_simple(*ends)
        if not options:
            return {}
        choices.append(options)
    factors = np.where(np.arange(len(weights)) == reference, 1.0, scale)
    return _choose_best(one * factors, other * factors, evidence, np.array(list(product(*choices))))


def _choose_best(
    one: Matrix, other: Matrix, evidence: Matrix, combined: Matrix
) -> dict[tuple[float, ...], tuple[float, float]]:
    """Return the best of some weights; for each, what it explains minus its bits, and what it explains."""
    costs = np.array([sum(map(price, row)) for row in combined.tolist()])
    first, second = combined @ one.T, combined @ other.T
    explained = _heaviest(np.minimum(first, second), np.maximum(first, second), evidence)
    best = np.argsort(costs - explained, kind="stable")[:MAX_SOLUTIONS]
    return {tuple(map(float, combined[i])): (float(explained[i] - costs[i]), float(explained[i])) for i in best}


def _list_simple(low: float, high: float) -> list[float]:
    """Return the cheapest numbers in an interval."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return []
    numbers = sorted(round_numbers(float(low), float(high)), key=lambda number: (price(number), abs(number)))
    cheap = [float(number) for number in numbers if price(number) <= MAX_WEIGHT_BITS]
    return cheap[:MAX_CHOICES]


def _heaviest(lows: Matrix, highs: Matrix, evidence: Matrix) -> Matrix:
    """Return the largest weight of overlapping intervals in each row."""
    weights = np.where(lows < highs, evidence, 0.0)
    slack = 4 * np.spacing(np.maximum(np.abs(lows), np.abs(highs)))
    order = np.argsort(np.concatenate([highs + slack, lows - slack], axis=1), axis=1, kind="stable")
    steps = np.take_along_axis(np.concatenate([-weights, weights], axis=1), order, axis=1)
    return np.asarray(np.cumsum(steps, axis=1).max(axis=1))
