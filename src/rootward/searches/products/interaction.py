"""Fields that do not act each for itself: how they give themselves away, and how they are found.

A product set makes two predictions about runs that nobody made yet: any mixture of triggering values fails, and a
configuration with a single stopping value passes, whatever the others. Each contradiction names its culprits, because
there is a run next to it that turned out otherwise: a smallest set of changes that leads from one to the other is found
by bisection, one member after another, in about log2(N) runs each.

* Values that fail one by one and pass together: ``x < y`` violated, ``x + y`` too small, the last of "at least one of".
* A stopping value that no longer stops it while other fields vary: ``x != y``, ``x < y``, another cause.
* Two fields that may only keep their values, and may change together: ``x == y``.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Mapping, Sequence
from itertools import combinations, islice, product
from math import comb

import numpy as np

from rootward.keys import canonical
from rootward.search import Answers
from rootward.searches.products.inquiry import Asking, Inquiry
from rootward.searches.products.product_set import Interaction
from rootward.searches.products.relation import relation

Changed = dict[int, int]
GRID = 6
"""So many values of each of two interacting fields are tried with each other."""
COMBINED = 36
"""So many combinations are tried of more than two."""


def smallest(
    inquiry: Inquiry, base: Mapping[int, int], changes: Mapping[int, int], *, fails: bool, note: str
) -> Generator[Asking, Answers, Changed]:
    """A smallest part of ``changes`` that, together with ``base``, fails (or passes); all of them are known to.

    Nothing of ``changes`` is known not to. If more changes can undo what fewer did, the part found may not be enough.
    """
    found: Changed = {}
    rest = list(changes.items())
    while rest:
        lo, hi = 0, len(rest)
        while hi - lo > 1:
            middle = (lo + hi) // 2
            [said] = yield from inquiry.failed([{**base, **found, **dict(rest[:middle])}], note)
            lo, hi = (lo, middle) if said is fails else (middle, hi)
        found[rest[hi - 1][0]] = rest[hi - 1][1]
        rest = rest[: hi - 1]
        [said] = yield from inquiry.failed([{**base, **found}], note)
        if said is fails:
            break
    return found


def pairs_alike(inquiry: Inquiry, limit: int) -> list[tuple[Changed, Changed]]:
    """Fields that only trigger with the one value they share, two by two, moved together to another value they share.

    Each as a base that is known to pass, and what is changed besides.
    """
    alike: dict[bytes, list[int]] = {}
    for i, good in inquiry.sets.items():
        if len(good) == 1:
            alike.setdefault(canonical(inquiry.problem.failing[inquiry.problem.names[i]]), []).append(i)
    found = []
    for one, two in (pair for fields in alike.values() for pair in combinations(fields, 2)):
        values = {canonical(value): place for place, value in enumerate(inquiry.problem.domains[two].values)}
        for place, value in enumerate(inquiry.problem.domains[one].values):
            if place != inquiry.problem.seed[one] and canonical(value) in values:
                found.append(({one: place}, {two: values[canonical(value)]}))
                break
    found.sort(key=lambda pair: -len(inquiry.problem.domains[next(iter(pair[0]))]))  # two Booleans are often alike
    return found[:limit]


def corners(inquiry: Inquiry) -> list[Changed]:
    """Members of the set at its ends: any two fields that matter are low and low, low and high, high and low, high and
    high in one of them. A relation that grows with its fields shows itself there, if it does anywhere in the set.
    """
    if not any(domain.ordered and len(domain) > 2 for domain in inquiry.problem.domains):
        return []
    rows, columns = _covering(len(inquiry.sets))
    drawn = inquiry.rng.permuted(np.array(columns), axis=0)
    assigned = np.concatenate((drawn, drawn[inquiry.rng.integers(len(drawn), size=len(inquiry.problem))]))
    order = {i: at for at, i in enumerate(inquiry.sets)}
    sides = {i: assigned[order.get(i, len(drawn) + i)] for i in range(len(inquiry.problem))}
    return [_corner(inquiry, {i: bool(side[row]) for i, side in sides.items()}) for row in range(rows)]


def _covering(count: int) -> tuple[int, list[tuple[bool, ...]]]:
    """The fewest rows of zeros and ones in which any two of so many columns show all four pairs (Kleitman, Spencer)."""
    rows = 4
    while comb(rows - 1, rows // 2 - 1) < count:
        rows += 1
    chosen = islice(combinations(range(1, rows), rows // 2 - 1), max(count, 3))
    return rows, [tuple(row == 0 or row in ones for row in range(rows)) for ones in chosen]


def _corner(inquiry: Inquiry, high: Mapping[int, bool]) -> Changed:
    """Every field at one end of its triggering values; at random where they have no order."""
    changes = inquiry.member()
    for i, top in high.items():
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
            changes[j] = places[
                _turned(len(places), turn, high[j], shift[j]) if domain.ordered else (shift[j] + turn) % len(places)
            ]
    return changes


def _turned(size: int, turn: int, high: bool, shift: int) -> int:
    """The places of a list in an order that begins with both ends."""
    if turn < 2 or size < 3:
        return -1 if high is (turn % 2 == 0) else 0
    return 1 + (shift + turn) % (size - 2)


def beyond(inquiry: Inquiry, limit: int) -> list[tuple[Changed, Changed]]:
    """Two fields that matter, both at stopping values at the ends: the product of two negative numbers is positive."""
    ends = {}
    for i, good in inquiry.sets.items():
        domain = inquiry.problem.domains[i]
        if domain.ordered:
            ends[i] = [place for place in (0, domain.numbers - 1) if place not in good]
    pairs = [({i: one[0]}, {j: two[0]}) for (i, one), (j, two) in combinations(ends.items(), 2) if one and two]
    return pairs if len(pairs) <= limit else []


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


def named(inquiry: Inquiry, fields: Sequence[int]) -> Interaction:
    """The group of these fields."""
    return Interaction(tuple(inquiry.problem.names[i] for i in fields))


def observed(inquiry: Inquiry, group: Interaction) -> Generator[Asking, Answers, Interaction]:
    """The group with a table of what its values do together, the other fields as in the failing configuration."""
    names = group.fields
    fields = [inquiry.problem.names.index(name) for name in names]
    grids = [_spread(inquiry, i) for i in fields]
    if len(fields) == 2:
        places = list(product(*grids))
    else:
        drawn = [tuple(int(inquiry.rng.choice(grid)) for grid in grids) for _ in range(COMBINED)]
        places = list(dict.fromkeys(drawn))
    changes = [dict(zip(fields, one, strict=True)) for one in places]
    found = yield from inquiry.failed(changes, f"how {' and '.join(names[:3])} act together")
    values = [tuple(inquiry.problem.domains[i].values[v] for i, v in zip(fields, one, strict=True)) for one in places]
    table = tuple(zip(values, found, strict=True))
    return Interaction(names, table, relation(names, table))


def _spread(inquiry: Inquiry, i: int) -> list[int]:
    """Some values of a field: its own, and others evenly from end to end."""
    last = len(inquiry.problem.domains[i]) - 1
    even = {round(step * last / (GRID - 2)) for step in range(GRID - 1)}
    return sorted({inquiry.problem.seed[i], *even})
