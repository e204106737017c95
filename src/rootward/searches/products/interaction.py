"""Interactions: fields whose effect depends on each other. This file finds them and what they do together.

The search has believed that every field acts independently. A prediction that turns out wrong (`predictions`) shows
that this is not so, and a neighbouring run that turned out as predicted names the culprits: between the two lies a
smallest set of changes that makes the difference. ``isolate_changes`` finds it by bisection (`search.isolate`) and ends
when every remaining change is needed.

The values of these fields are then tried in combination (``tabulate``): for two fields a small grid, for more a random
sample. The resulting table may agree with a simple relation between two fields, such as ``x < y`` or ``x + y > 10``.
The first relation that every row agrees with is named, if there is one, but no more is claimed. To recognise
another relation, add a fact for it to `facts` and a function like ``_find_comparison``, and try it in ``relation``;
the order there decides which is named if several agree.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import product
from typing import Any

from rootward.facts import Fact
from rootward.rules.constants import kind
from rootward.search.ask import Answers
from rootward.search.isolate import ChangeSet, isolate
from rootward.search.relay import relay
from rootward.searches.products.facts import Compared, EitherTriggers, Limited
from rootward.searches.products.product_set import Interaction
from rootward.searches.products.queries import Asking, ProductQueries
from rootward.searches.products.tuning import TUNING

Changed = dict[int, int]


def isolate_changes(
    queries: ProductQueries, base: Mapping[int, int], changes: Mapping[int, int], *, fails: bool, note: str
) -> Generator[Asking, Answers, Changed]:
    """Isolate a smallest part of ``changes`` that has the same effect on ``base`` as all of them.

    The effect is that ``base`` fails or, if ``fails`` is False, that it passes.
    """

    def does(part: ChangeSet[tuple[int, int]]) -> Generator[Asking, Answers, bool]:
        [failed] = yield from queries.check_changes([{**base, **dict(part.changes)}], note)
        return failed is fails

    return dict((yield from relay(isolate(list(changes.items())), does)))


def make_group(queries: ProductQueries, fields: Sequence[int]) -> Interaction:
    """Return the group of these fields."""
    return Interaction(tuple(queries.problem.names[i] for i in fields))


def tabulate(queries: ProductQueries, group: Interaction) -> Generator[Asking, Answers, Interaction]:
    """Return the group with a table of the verdicts for combinations of its values.

    All fields outside of the group keep the values of the failing run.
    """
    names = group.fields
    fields = [queries.problem.names.index(name) for name in names]
    grids = [_sample_values(queries, i) for i in fields]
    if len(fields) == 2:
        places = list(product(*grids))
    else:
        drawn = [tuple(int(queries.rng.choice(grid)) for grid in grids) for _ in range(TUNING.interaction_runs)]
        places = list(dict.fromkeys(drawn))
    changes = [dict(zip(fields, one, strict=True)) for one in places]
    found = yield from queries.check_changes(changes, f"trying values of {', '.join(names[:3])} together")
    values = [tuple(queries.problem.domains[i].values[v] for i, v in zip(fields, one, strict=True)) for one in places]
    table = tuple(zip(values, found, strict=True))
    return Interaction(names, table, relation(names, table))


def _sample_values(queries: ProductQueries, i: int) -> list[int]:
    """Return some values of a field: the one in the failing run, and others evenly spaced from end to end."""
    last = len(queries.problem.domains[i]) - 1
    even = {round(step * last / (TUNING.interaction_values - 2)) for step in range(TUNING.interaction_values - 1)}
    return sorted({queries.problem.own_places[i], *even})


# Relations that a table may agree with

Rows = Sequence[tuple[tuple[Any, ...], bool]]
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMBINATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def relation(names: Sequence[str], rows: Rows) -> Fact | None:
    """Return the first relation that agrees with all rows.

    None if there is no such relation, or if all rows have the same verdict.
    """
    if len({fails for _, fails in rows}) < 2:
        return None
    if len(names) == 2:
        one, other = names
        return _find_comparison(one, other, rows) or _find_either(one, other, rows) or _find_threshold(one, other, rows)
    return None


def _find_comparison(one: str, other: str, rows: Rows) -> Fact | None:
    for sign, holds in _COMPARISONS.items():
        try:
            if all(holds(*values) == fails for values, fails in rows):
                return Compared(one, sign, other)
        except TypeError:
            continue
    return None


def _find_either(one: str, other: str, rows: Rows) -> Fact | None:
    """Check whether it fails exactly if at least one of the two fields has a value that always triggers."""
    always: list[list[Any]] = []
    for side in (0, 1):
        stopped = [values[side] for values, fails in rows if not fails]
        always.append([values[side] for values, _ in rows if not _contains(values[side], stopped)])
    if not all(always):
        return None
    agreed = all(
        fails == (_contains(values[0], always[0]) or _contains(values[1], always[1])) for values, fails in rows
    )
    return EitherTriggers(one, other) if agreed else None


def _contains(value: Any, values: Sequence[Any]) -> bool:
    return any(value is other or value == other for other in values)


def _find_threshold(one: str, other: str, rows: Rows) -> Fact | None:
    """Check whether it fails exactly if a sum, difference or product is beyond some number."""
    if not all(kind(value) == "number" for values, _ in rows for value in values):
        return None
    for sign, combine in _COMBINATIONS.items():
        failing = [combine(*values) for values, fails in rows if fails]
        passing = [combine(*values) for values, fails in rows if not fails]
        if any(number != number for number in (*failing, *passing)):
            continue
        if max(passing) < min(failing):
            return Limited(one, sign, other, above=True, low=max(passing), high=min(failing))
        if max(failing) < min(passing):
            return Limited(one, sign, other, above=False, low=max(failing), high=min(passing))
    return None
