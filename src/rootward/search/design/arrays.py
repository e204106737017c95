"""Regular designs: orthogonal arrays and Latin hypercubes.

An orthogonal array has every combination of values of any t parameters exactly once (Bush 1952). Its rows are the
polynomials of degree below t over a finite field, its columns their values at each element of the field and their
highest coefficient: t of these determine a polynomial.

The points of a Latin hypercube are evenly spread in each coordinate alone (McKay, Beckman and Conover 1979). Each
coordinate is cut into as many bins as there are points, and each bin holds exactly one of them. It is written here
because the module of SciPy that has it takes a second to import.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]
MAX_ORDER = 64
"""No larger field is built."""


def orthogonal(levels: int, columns: int, strength: int, rows: int) -> Table | None:
    """The smallest orthogonal array with these columns of at least ``levels`` values; None if it has more ``rows``."""
    wanted = max(levels, columns - 1, 2)
    order = next((q for q in range(wanted, MAX_ORDER + 1) if _prime_power(q)), None)
    if order is None or order**strength > rows:
        return None
    plus, times = field(order)
    terms = np.array(list(product(range(order), repeat=strength)), dtype=np.int64)
    points = np.arange(order)
    values = np.zeros((len(terms), order), dtype=np.int64)
    for degree in range(strength):  # Horner's rule
        values = plus[times[values, points], terms[:, degree, None]]
    return np.concatenate([values, terms[:, :1]], axis=1)[:, :columns]


@cache
def field(order: int) -> tuple[Table, Table]:
    """The tables of addition and multiplication of the field with so many elements, a power of a prime.

    Elements are polynomials over the prime field, written as numbers to its base, modulo one that has no factors: the
    first for which nothing but zero makes a product zero.
    """
    prime, degree = _prime_power(order)  # type: ignore[misc]
    digits = np.array(list(product(range(prime), repeat=degree)), dtype=np.int64)[:, ::-1]
    weights = prime ** np.arange(degree)
    plus = ((digits[:, None] + digits[None]) % prime) @ weights
    for rest in digits:
        times = _multiplied(digits, rest, prime) @ weights
        if (times[1:, 1:] != 0).all():
            return plus, times
    raise AssertionError("every finite field has a polynomial without factors")


def _multiplied(digits: Table, rest: Table, prime: int) -> Table:
    """All products modulo ``x**degree - rest``, digit by digit."""
    degree = digits.shape[1]
    total = np.zeros((len(digits), len(digits), degree), dtype=np.int64)
    for power in reversed(range(degree)):
        carried = total[:, :, -1:]
        total = np.concatenate([np.zeros_like(carried), total[:, :, :-1]], axis=2) + carried * rest
        total = (total + digits[:, None] * digits[None, :, power, None]) % prime
    return total


def _prime_power(number: int) -> tuple[int, int] | None:
    """The prime and the exponent of which it is the power; None if there are none."""
    prime = next(one for one in range(2, number + 1) if number % one == 0)
    exponent, power = 1, prime
    while power < number:
        exponent, power = exponent + 1, power * prime
    return (prime, exponent) if power == number else None


def hypercube(points: int, coordinates: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw points of the unit cube.

    They are drawn by a child of ``rng``: what ``rng`` draws next does not depend on how many there are.
    """
    [child] = rng.spawn(1)
    within = child.random((points, coordinates))
    bins = np.empty((points, coordinates), dtype=np.int64)
    for column in range(coordinates):
        bins[:, column] = child.permutation(points)
    return (bins + 1 - within) / points
