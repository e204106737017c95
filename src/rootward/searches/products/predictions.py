"""Predictions: what a product set implies about configurations that were not run yet.

A product set makes two promises, and each kind of interaction breaks one of them in a typical place. So the runs are
chosen where a wrong promise would show:

- *Any mixture of triggering values fails.* It is tried at the corners of the set, where a relation that grows with its
  fields shows (``x < y``, ``x + y > c``), and with values that so far triggered only while other fields changed, too.
- *A configuration with a single stopping value passes, whatever the others are.* It is tried with all other fields
  changed (``x != y``, ``x < y``, another cause), with two fields that trigger only with one and the same value
  (``x == y``), and with two stopping values at once (``x * y > c``).

Predictions of the second kind are pairs: changes that are known to pass, and further changes after which it should
still pass. Nothing here asks anything; `columns` runs the predictions, and `contradictions` explains the wrong ones.
The runs are limited, so no prediction proves a product set: they make a wrong one unlikely to survive. To detect
another kind of interaction, think of the runs in which it differs most from a product set, and return them here.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np

from rootward.searches.products.queries import ProductQueries
from rootward.space.keys import canonical

Changed = dict[int, int]
Prediction = tuple[Changed, Changed]


def equal_pairs(queries: ProductQueries, limit: int) -> list[Prediction]:
    """Return predictions for fields that each trigger only with one value, the same for all of them.

    If these fields are moved together to another value, the run should pass. If it fails, perhaps the fields only have
    to be equal.
    """
    alike: dict[bytes, list[int]] = {}
    for i, good in queries.sets.items():
        if len(good) == 1:
            alike.setdefault(canonical(queries.problem.failing[queries.problem.names[i]]), []).append(i)
    together = [fields for fields in alike.values() if len(fields) > 2]
    together += [list(pair) for fields in alike.values() for pair in combinations(fields, 2)]
    together.sort(key=lambda fields: -len(queries.problem.domains[fields[0]]))  # two Booleans often agree by chance
    moved = (_move_together(queries, fields) for fields in together)
    return list(islice((pair for pair in moved if pair is not None), limit))


def _move_together(queries: ProductQueries, fields: Sequence[int]) -> Prediction | None:
    """Return a prediction that moves all these fields to another value that they share.

    None if there is no such value. The first field is the base, and the others are the changes.
    """
    domains = [queries.problem.domains[i] for i in fields]
    own = queries.problem.own_places[fields[0]]
    for place, encoded in enumerate(domains[0].encoded):
        if place != own and all(encoded in domain.encoded for domain in domains):
            first, *rest = ((i, domain.encoded.index(encoded)) for i, domain in zip(fields, domains, strict=True))
            return dict([first]), dict(rest)
    return None


def corners(queries: ProductQueries) -> list[Changed]:
    """Return members of the set at its corners.

    Two fields that matter can be at their low or high ends in four ways. Each way occurs in some member. If a relation
    grows with its fields and shows anywhere in the set, then it also shows at a corner.
    """
    if not any(domain.ordered and len(domain) > 2 for domain in queries.problem.domains):
        return []
    rows, columns = _make_covering(len(queries.sets))
    columns = [columns[at] for at in queries.rng.permutation(len(columns))]
    sides = [columns[at] for at in queries.rng.integers(len(columns), size=len(queries.problem))]
    for i, column in zip(queries.sets, columns, strict=False):
        sides[i] = column
    return [_make_corner(queries, [side[row] for side in sides]) for row in range(rows)]


def _make_covering(count: int) -> tuple[int, list[tuple[bool, ...]]]:
    """Return the number of rows, at least six, and columns of booleans (Kleitman, Spencer).

    There are at least ``count`` columns. In the rows of any two columns, all four pairs of booleans occur.
    """
    rows = 6  # gives ten columns: two relevant fields that were overlooked rarely share one
    while comb(rows - 1, rows // 2 - 1) < count:
        rows += 1
    return rows, [
        tuple(row == 0 or row in ones for row in range(rows)) for ones in combinations(range(1, rows), rows // 2 - 1)
    ]


def _make_corner(queries: ProductQueries, high: Sequence[bool]) -> Changed:
    """Return a member with every field at one end of its triggering values.

    Fields without order get a random triggering value.
    """
    changes = queries.draw_member()
    for i, top in enumerate(high):
        domain = queries.problem.domains[i]
        if domain.ordered:
            places = sorted(queries.sets[i]) if i in queries.sets else range(domain.numbers)
            changes[i] = places[-1 if top else 0]
    return changes


def vary_others(queries: ProductQueries, base: Changed, turn: int) -> Changed:
    """Return changes of all fields that are not in ``base``, to triggering values that depend on ``turn``.

    In the first turn, each field gets its value at one end of the list, chosen at random. The second turn takes the
    opposite ends. Later turns take all values in some order.
    """
    rng = np.random.default_rng([*next(iter(base.items())), len(queries.problem)])
    high = (rng.random(len(queries.problem)) < 0.5).tolist()
    shift = rng.integers(1 << 16, size=len(queries.problem)).tolist()
    changes = {}
    for j, domain in enumerate(queries.problem.domains):
        own = queries.problem.own_places[j]
        places = [place for place in sorted(queries.sets.get(j, range(len(domain)))) if place != own]
        if j not in base and places:
            ends = -1 if high[j] is (turn % 2 == 0) else 0
            changes[j] = places[ends if domain.ordered and turn < 2 else (shift[j] + turn) % len(places)]
    return changes


def stopping_pairs(queries: ProductQueries, limit: int) -> list[Prediction]:
    """Return predictions with two fields that matter, each at a stopping value at an end of its list.

    They detect a fault such as ``x * y > 0``, where the product of two negative numbers is positive.
    """
    ends = {}
    for i, good in queries.sets.items():
        domain = queries.problem.domains[i]
        if domain.ordered:
            ends[i] = [place for place in (0, domain.numbers - 1) if place not in good]
    pairs = [({i: one[0]}, {j: two[0]}) for (i, one), (j, two) in combinations(ends.items(), 2) if one and two]
    return [pairs[at] for at in queries.rng.permutation(len(pairs))[:limit]]


def members_alone(queries: ProductQueries, alone: Mapping[int, Container[int]], limit: int) -> list[Changed]:
    """Return members of the set in which only fields that matter change.

    They use values that were not tried alone before. ``alone``: the values of each field that were.
    """
    left = {i: [place for place in sorted(good) if place not in alone[i]] for i, good in queries.sets.items()}
    for places in left.values():
        queries.rng.shuffle(places)
    rows = max(map(len, left.values()), default=0)
    filled = {i: places or sorted(queries.sets[i]) for i, places in left.items()}
    return [{i: places[row % len(places)] for i, places in filled.items()} for row in range(min(rows, limit))]


def stopping_values(queries: ProductQueries) -> list[Changed]:
    """Return one stopping value of each field that matters."""
    borders = {i: _border_values(queries, i, good) for i, good in queries.sets.items()}
    return [{i: int(queries.rng.choice(border))} for i, border in borders.items() if border]


def _border_values(queries: ProductQueries, i: int, good: Container[int]) -> list[int]:
    """Return the stopping values of a field that are next to a triggering one.

    Return all stopping values if the values have no order. ``good``: the triggering places.
    """
    domain = queries.problem.domains[i]
    stopping = [place for place in range(len(domain)) if place not in good]
    border = [place for place in stopping if place - 1 in good or place + 1 in good]
    return border if domain.ordered and border else stopping
