"""Fields that do not act each for itself: which they are, and what they do together.

A prediction that fails (predictions.py) names its culprits, because there is a run next to it that turned out
otherwise, and a smallest set of changes that leads from one to the other can be isolated. A table of what their values
do together may agree with a simple relation between two fields. It is named, and no more is claimed: it is the first
relation that every row agrees with, if there is one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import product
from typing import Any

from rootward.facts import Fact
from rootward.rules.constants import kind
from rootward.search.ask import Answers
from rootward.search.isolate import Part, isolate
from rootward.search.relay import relay
from rootward.searches.products.facts import Compared, EitherTriggers, Limited
from rootward.searches.products.product_set import Interaction
from rootward.searches.products.queries import Asking, Inquiry
from rootward.searches.products.tuning import TUNING

Changed = dict[int, int]


def smallest(
    inquiry: Inquiry, base: Mapping[int, int], changes: Mapping[int, int], *, fails: bool, note: str
) -> Generator[Asking, Answers, Changed]:
    """A smallest part of ``changes`` that, together with ``base``, fails (or passes); all of them are known to."""

    def does(part: Part[tuple[int, int]]) -> Generator[Asking, Answers, bool]:
        [said] = yield from inquiry.failed([{**base, **dict(part.changes)}], note)
        return said is fails

    return dict((yield from relay(isolate(list(changes.items())), does)))


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
        drawn = [tuple(int(inquiry.rng.choice(grid)) for grid in grids) for _ in range(TUNING.interaction_runs)]
        places = list(dict.fromkeys(drawn))
    changes = [dict(zip(fields, one, strict=True)) for one in places]
    found = yield from inquiry.failed(changes, f"how {' and '.join(names[:3])} act together")
    values = [tuple(inquiry.problem.domains[i].values[v] for i, v in zip(fields, one, strict=True)) for one in places]
    table = tuple(zip(values, found, strict=True))
    return Interaction(names, table, relation(names, table))


def _spread(inquiry: Inquiry, i: int) -> list[int]:
    """Some values of a field: its own, and others evenly from end to end."""
    last = len(inquiry.problem.domains[i]) - 1
    even = {round(step * last / (TUNING.interaction_values - 2)) for step in range(TUNING.interaction_values - 1)}
    return sorted({inquiry.problem.seed[i], *even})


# Relations that a table may agree with

Rows = Sequence[tuple[tuple[Any, ...], bool]]
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMBINED: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def relation(names: Sequence[str], rows: Rows) -> Fact | None:
    """What all rows agree with; None if it is nothing that simple, or the rows say too little."""
    if len({fails for _, fails in rows}) < 2:
        return None
    if len(names) == 2:
        one, other = names
        return _comparison(one, other, rows) or _either(one, other, rows) or _threshold(one, other, rows)
    return None


def _comparison(one: str, other: str, rows: Rows) -> Fact | None:
    for sign, holds in _COMPARED.items():
        try:
            if all(holds(*values) == fails for values, fails in rows):
                return Compared(one, sign, other)
        except TypeError:
            continue
    return None


def _either(one: str, other: str, rows: Rows) -> Fact | None:
    """At least one of the two has a value that always triggers."""
    always: list[list[Any]] = []
    for side in (0, 1):
        stopped = [values[side] for values, fails in rows if not fails]
        always.append([values[side] for values, _ in rows if not _among(values[side], stopped)])
    if not all(always):
        return None
    agreed = all(fails == (_among(values[0], always[0]) or _among(values[1], always[1])) for values, fails in rows)
    return EitherTriggers(one, other) if agreed else None


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(value is other or value == other for other in values)


def _threshold(one: str, other: str, rows: Rows) -> Fact | None:
    """A sum, difference or product beyond some number."""
    if not all(kind(value) == "number" for values, _ in rows for value in values):
        return None
    for sign, combine in _COMBINED.items():
        failing = [combine(*values) for values, fails in rows if fails]
        passing = [combine(*values) for values, fails in rows if not fails]
        if any(number != number for number in (*failing, *passing)):
            continue
        if max(passing) < min(failing):
            return Limited(one, sign, other, above=True, low=max(passing), high=min(failing))
        if max(failing) < min(passing):
            return Limited(one, sign, other, above=False, low=max(failing), high=min(passing))
    return None
