"""Regular designs: orthogonal arrays and Latin hypercubes.

An orthogonal array has every combination of values of any t parameters exactly once (Bush 1952). Each row is a
polynomial of degree below t over a finite field; the columns are its values at each element of the field and its
highest coefficient. Any t of these determine the polynomial.

The points of a Latin hypercube are evenly spread in each single coordinate (McKay, Beckman and Conover 1979). Each
coordinate is cut into as many bins as there are points, and each bin holds exactly one of them. We implement it here
because the SciPy module that has it takes a second to import.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]
MAX_ORDER = 64
"""Maximum number of elements of a finite field."""


def orthogonal_array(levels: int, columns: int, strength: int, rows: int) -> Table | None:
    """Return the smallest orthogonal array with ``columns`` columns that each have at least ``levels`` values.

    Return None if it would have more than ``rows`` rows.
    """
    wanted = max(levels, columns - 1, 2)
    order = next((q for q in range(wanted, MAX_ORDER + 1) if _split_prime_power(q)), None)
    if order is None or order**strength > rows:
        return None
    plus, times = finite_field(order)
    terms = np.array(list(product(range(order), repeat=strength)), dtype=np.int64)
    points = np.arange(order)
    values = np.zeros((len(terms), order), dtype=np.int64)
    for degree in range(strength):  # Horner's rule
        values = plus[times[values, points], terms[:, degree, None]]
    return np.concatenate([values, terms[:, :1]], axis=1)[:, :columns]


@cache
def finite_field(order: int) -> tuple[Table, Table]:
    """Return the addition and multiplication tables of the finite field with ``order`` elements, a power of a prime.

    Elements are polynomials over the prime field, written as numbers whose base is the prime. Products are reduced
    modulo an irreducible polynomial: the first for which a product is zero only if one of its factors is.
    """
    prime, degree = _split_prime_power(order)  # type: ignore[misc]
    digits = np.array(list(product(range(prime), repeat=degree)), dtype=np.int64)[:, ::-1]
    weights = prime ** np.arange(degree)
    plus = ((digits[:, None] + digits[None]) % prime) @ weights
    for rest in digits:
        times = _multiply(digits, rest, prime) @ weights
        if (times[1:, 1:] != 0).all():
            return plus, times
    raise AssertionError("every finite field has a polynomial without factors")


def _multiply(digits: Table, rest: Table, prime: int) -> Table:
    """Return the products of all pairs of elements modulo ``x**degree - rest``, as digits."""
    degree = digits.shape[1]
    total = np.zeros((len(digits), len(digits), degree), dtype=np.int64)
    for power in reversed(range(degree)):
        carried = total[:, :, -1:]
        total = np.concatenate([np.zeros_like(carried), total[:, :, :-1]], axis=2) + carried * rest
        total = (total + digits[:, None] * digits[None, :, power, None]) % prime
    return total


def _split_prime_power(number: int) -> tuple[int, int] | None:
    """Return the prime and the exponent if the number is a power of a prime, otherwise None."""
    prime = next(one for one in range(2, number + 1) if number % one == 0)
    exponent, power = 1, prime
    while power < number:
        exponent, power = exponent + 1, power * prime
    return (prime, exponent) if power == number else None


def hypercube(points: int, coordinates: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw the points of a Latin hypercube in the unit cube.

    They are drawn by a child of ``rng``, so the next numbers of ``rng`` do not depend on the number of points.
    """
    [child] = rng.spawn(1)
    within = child.random((points, coordinates))
    bins = np.empty((points, coordinates), dtype=np.int64)
    for column in range(coordinates):
        bins[:, column] = child.permutation(points)
    return (bins + 1 - within) / points
