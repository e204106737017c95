"""What a product set implies about runs that nobody made yet; where it does not hold, fields interact.

Any mixture of triggering values must fail: tried at the ends of the set, where a relation that grows with its fields
shows itself (``x < y``, ``x + y > c``), and with values that so far only triggered while other fields changed as well.

A configuration with a single stopping value must pass, whatever the others: tried with all other fields changed
(``x != y``, ``x < y``, another cause), with two fields that may only keep one and the same value (``x == y``), and with
two stopping values at once (``x * y > c``). These predictions are pairs: changes that are known to pass, and changes
after which they still should.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np

from rootward.searches.products.queries import Inquiry
from rootward.space.keys import canonical

Changed = dict[int, int]
Prediction = tuple[Changed, Changed]


def pairs_alike(inquiry: Inquiry, limit: int) -> list[Prediction]:
    """Fields that only trigger with the one value they share, moved together to another one: they may have to agree."""
    alike: dict[bytes, list[int]] = {}
    for i, good in inquiry.sets.items():
        if len(good) == 1:
            alike.setdefault(canonical(inquiry.problem.failing[inquiry.problem.names[i]]), []).append(i)
    together = [fields for fields in alike.values() if len(fields) > 2]
    together += [list(pair) for fields in alike.values() for pair in combinations(fields, 2)]
    together.sort(key=lambda fields: -len(inquiry.problem.domains[fields[0]]))  # two Booleans are often alike
    moved = (_moved(inquiry, fields) for fields in together)
    return list(islice((pair for pair in moved if pair is not None), limit))


def _moved(inquiry: Inquiry, fields: Sequence[int]) -> Prediction | None:
    """All of the fields with another value that they share, the first of them as the base; None if there is none."""
    domains = [inquiry.problem.domains[i] for i in fields]
    own = inquiry.problem.seed[fields[0]]
    for place, encoded in enumerate(domains[0].encoded):
        if place != own and all(encoded in domain.encoded for domain in domains):
            first, *rest = ((i, domain.encoded.index(encoded)) for i, domain in zip(fields, domains, strict=True))
            return dict([first]), dict(rest)
    return None


def corners(inquiry: Inquiry) -> list[Changed]:
    """Members of the set at its ends: any two fields that matter are low and low, low and high, high and low, high and
    high in one of them. A relation that grows with its fields shows itself there, if it does anywhere in the set.
    """
    if not any(domain.ordered and len(domain) > 2 for domain in inquiry.problem.domains):
        return []
    rows, columns = _covering(len(inquiry.sets))
    columns = [columns[at] for at in inquiry.rng.permutation(len(columns))]
    sides = [columns[at] for at in inquiry.rng.integers(len(columns), size=len(inquiry.problem))]
    for i, column in zip(inquiry.sets, columns, strict=False):
        sides[i] = column
    return [_corner(inquiry, [side[row] for side in sides]) for row in range(rows)]


def _covering(count: int) -> tuple[int, list[tuple[bool, ...]]]:
    """At least six rows of 0 and 1 in which any two of so many columns show all four pairs (Kleitman, Spencer)."""
    rows = 6  # ten columns: two fields of which nobody knows yet that they matter rarely share one
    while comb(rows - 1, rows // 2 - 1) < count:
        rows += 1
    return rows, [
        tuple(row == 0 or row in ones for row in range(rows)) for ones in combinations(range(1, rows), rows // 2 - 1)
    ]


def _corner(inquiry: Inquiry, high: Sequence[bool]) -> Changed:
    """Every field at one end of its triggering values; at random where they have no order."""
    changes = inquiry.member()
    for i, top in enumerate(high):
        domain = inquiry.problem.domains[i]
        if domain.ordered:
            places = sorted(inquiry.sets[i]) if i in inquiry.sets else range(domain.numbers)
            changes[i] = places[-1 if top else 0]
    return changes


def held(inquiry: Inquiry, base: Changed, turn: int) -> Changed:
    """All fields that ``base`` leaves alone with another of their triggering values each turn: first those at one end
    or the other, then those at the opposite ends, then the others in any order.
    """
    rng = np.random.default_rng([*next(iter(base.items())), len(inquiry.problem)])
    high = (rng.random(len(inquiry.problem)) < 0.5).tolist()
    shift = rng.integers(1 << 16, size=len(inquiry.problem)).tolist()
    changes = {}
    for j, domain in enumerate(inquiry.problem.domains):
        own = inquiry.problem.seed[j]
        places = [place for place in sorted(inquiry.sets.get(j, range(len(domain)))) if place != own]
        if j not in base and places:
            ends = -1 if high[j] is (turn % 2 == 0) else 0
            changes[j] = places[ends if domain.ordered and turn < 2 else (shift[j] + turn) % len(places)]
    return changes


def beyond(inquiry: Inquiry, limit: int) -> list[Prediction]:
    """Two fields that matter, both at stopping values at the ends: the product of two negative numbers is positive."""
    ends = {}
    for i, good in inquiry.sets.items():
        domain = inquiry.problem.domains[i]
        if domain.ordered:
            ends[i] = [place for place in (0, domain.numbers - 1) if place not in good]
    pairs = [({i: one[0]}, {j: two[0]}) for (i, one), (j, two) in combinations(ends.items(), 2) if one and two]
    return [pairs[at] for at in inquiry.rng.permutation(len(pairs))[:limit]]


def unaccompanied(inquiry: Inquiry, alone: Mapping[int, Container[int]], limit: int) -> list[Changed]:
    """Members in which only fields that matter change, with values that were not tried without others so far."""
    left = {i: [place for place in sorted(good) if place not in alone[i]] for i, good in inquiry.sets.items()}
    for places in left.values():
        inquiry.rng.shuffle(places)
    rows = max(map(len, left.values()), default=0)
    filled = {i: places or sorted(inquiry.sets[i]) for i, places in left.items()}
    return [{i: places[row % len(places)] for i, places in filled.items()} for row in range(min(rows, limit))]


def stopping(inquiry: Inquiry) -> list[Changed]:
    """One stopping value of each field that matters."""
    borders = {i: _border(inquiry, i, good) for i, good in inquiry.sets.items()}
    return [{i: int(inquiry.rng.choice(border))} for i, border in borders.items() if border]


def _border(inquiry: Inquiry, i: int, good: Container[int]) -> list[int]:
    """The stopping values of a field that stand next to a triggering one, or all if they have no order."""
    domain = inquiry.problem.domains[i]
    stopping = [place for place in range(len(domain)) if place not in good]
    border = [place for place in stopping if place - 1 in good or place + 1 in good]
    return border if domain.ordered and border else stopping
