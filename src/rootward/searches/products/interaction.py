"""Fields that do not act each for itself: which they are, and what they do together.

A prediction that fails (predictions.py) names its culprits, because there is a run next to it that turned out
otherwise: a smallest set of changes that leads from one to the other is found by bisection, one member after another,
in about log2(N) runs each.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import product

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
