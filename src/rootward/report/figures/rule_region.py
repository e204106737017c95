"""The region of a plane where a rule holds, by marching squares with bisected crossings; and the constants of a rule.

The rule is evaluated on a grid whose lines include the constants of the rule. Between two neighbours that differ, the
crossing is found by bisection. So straight edges are exact, and curved ones are exact to a fraction of a pixel wherever
the region is not thinner than the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.report.figures.map_view import Flat
from rootward.report.figures.plane_axis import GridNode, PlaneAxis, is_finite
from rootward.report.figures.svg import number
from rootward.rules import Rule
from rootward.rules.atoms import ORDERINGS
from rootward.rules.quantity import Quantity, fields_of, inner_quantities
from rootward.rules.terms import Literal, Term
from rootward.space.keys import canonical

Segment = tuple[Flat, Flat]
BISECTION_STEPS = 8
Holds = Callable[[list[Any], list[Any]], NDArray[np.bool_]]
"""A function of two lists of values, one for each axis; returns, for each pair of values, whether the rule holds."""


@dataclass
class RuleRegion:
    """The failing region as pieces that do not overlap, and its border."""

    rectangles: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Each as left, top, width, height."""
    pieces: list[list[Flat]] = field(default_factory=list)
    border: list[Segment] = field(default_factory=list)

    @classmethod
    def of(cls, holds: Holds, across: PlaneAxis, up: PlaneAxis) -> RuleRegion:
        made = cls()
        for columns, rows in product(across.stretches(), up.stretches()):
            _PlanePart(made, holds, across, up, columns, rows).trace()
        return made


class _PlanePart:
    """A rectangle of the plane. In each direction, it covers either the range of numbers or one lane."""

    def __init__(
        self,
        made: RuleRegion,
        holds: Holds,
        across: PlaneAxis,
        up: PlaneAxis,
        columns: Sequence[GridNode],
        rows: Sequence[GridNode],
    ) -> None:
        self.made, self.holds, self.axes = made, holds, (across, up)
        self.columns, self.rows = columns, rows
        pairs = [(x.value, y.value) for x in columns for y in rows]
        flat = holds([x for x, _ in pairs], [y for _, y in pairs])
        self.inside = flat.reshape(len(columns), len(rows))

    def trace(self) -> None:
        level = self._crossings(0)
        upright = self._crossings(1)
        for j in range(len(self.rows) - 1):
            start = None
            for i in range(len(self.columns) - 1):
                corners = self.inside[i : i + 2, j : j + 2]
                if corners.all():
                    start = i if start is None else start
                    continue
                self._rectangle(start, i, j)
                start = None
                if corners.any():
                    self._piece(i, j, level, upright)
            self._rectangle(start, len(self.columns) - 1, j)

    def _rectangle(self, start: int | None, end: int, row: int) -> None:
        if start is None:
            return
        xs = sorted((self.columns[start].at, self.columns[end].at))
        ys = sorted((self.rows[row].at, self.rows[row + 1].at))
        if xs[0] < xs[1] and ys[0] < ys[1]:
            self.made.rectangles.append((xs[0], ys[0], xs[1] - xs[0], ys[1] - ys[0]))

    def _piece(
        self, i: int, j: int, level: dict[tuple[int, int], float], upright: dict[tuple[int, int], float]
    ) -> None:
        """Add the failing part of a cell of the grid as a polygon.

        Its points are the failing corners of the cell, and the places on its sides where the verdict changes.
        """
        corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        walk: list[tuple[Flat, bool]] = []
        for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True):
            if self.inside[a, b]:
                walk.append(((self.columns[a].at, self.rows[b].at), False))
            if self.inside[a, b] != self.inside[c, d]:
                crossing = (
                    (level[min(a, c), b], self.rows[b].at) if b == d else (self.columns[a].at, upright[a, min(b, d)])
                )
                walk.append((crossing, True))
        self.made.pieces.append([point for point, _ in walk])
        for (one, first), (two, second) in zip(walk, walk[1:] + walk[:1], strict=True):
            if first and second:
                self.made.border.append((one, two))

    def _crossings(self, axis: int) -> dict[tuple[int, int], float]:
        """Return the places along one axis where the rule changes.

        The key of each place consists of the indices of the grid node before it.
        """
        inside = self.inside
        differs = inside[:-1] != inside[1:] if axis == 0 else inside[:, :-1] != inside[:, 1:]
        edges = [(int(i), int(j)) for i, j in zip(*np.nonzero(differs), strict=True)]
        if not edges:
            return {}
        nodes = self.columns if axis == 0 else self.rows
        fixed = [self.rows[j].value if axis == 0 else self.columns[i].value for i, j in edges]
        low = np.array([nodes[edge[axis]].at for edge in edges])
        high = np.array([nodes[edge[axis] + 1].at for edge in edges])
        begins = np.array([inside[edge] for edge in edges])
        for _ in range(BISECTION_STEPS):
            middle = (low + high) / 2
            moving = [self.axes[axis].value(float(at)) for at in middle]
            same = self.holds(moving, fixed) == begins if axis == 0 else self.holds(fixed, moving) == begins
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return dict(zip(edges, ((low + high) / 2).tolist(), strict=True))


def rectangle(x: float, y: float, width: float, height: float) -> str:
    left, top, right, bottom = (round(value * 10) / 10 for value in (x, y, x + width, y + height))
    return f"M{number(left)} {number(top)}h{number(right - left)}v{number(bottom - top)}h{number(left - right)}z"


def area(region: RuleRegion) -> str:
    """Return the failing region as a path."""
    pieces = ["M" + "L".join(f"{number(x)} {number(y)}" for x, y in piece) + "z" for piece in region.pieces]
    return "".join([*(rectangle(*one) for one in region.rectangles), *pieces])


def line(segments: Iterable[Segment]) -> str:
    """Return a border as a path."""
    steps = [f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in segments]
    return "".join(dict.fromkeys(steps))


# The fields of a rule: which it names together, and the numbers that it compares each with


def pairs(rule: Rule) -> list[tuple[str, str]]:
    """Return all pairs of fields: first those in one comparison, then those in one case, then the rest."""
    met = {frozenset(pair): 2 for pair in combinations(rule.fields, 2)}
    for term in rule.terms:
        named = [name for literal in term for name in fields_of(literal.field)]
        for pair in combinations(dict.fromkeys(named), 2):
            met[frozenset(pair)] = min(1, met[frozenset(pair)])
        for literal in term:
            for pair in combinations(fields_of(literal.field), 2):
                met[frozenset(pair)] = 0
    return sorted(combinations(rule.fields, 2), key=lambda pair: met[frozenset(pair)])


def named_numbers(rule: Rule, field: str) -> list[Any]:
    """Return the constants where the rule may change along the axis of a field.

    For ``abs(x)``, their negatives are included.
    """
    alone = [literal for literal in _literals_about(rule, field) if fields_of(literal.field) == (field,)]
    found = [value for literal in alone for value in _numbers(literal)]
    plain = {value for value, _ in found}
    return sorted(plain | {-value for value, negated in found if negated})


def named_first(rule: Rule, field: str, values: list[Any]) -> list[Any]:
    """Sort the values so that those in the rule come first.

    If there are too few places on the axis, the first values get one each.
    """
    atoms = [atom for literal in _literals_about(rule, field) for one in literal.alternatives for atom in one]
    named = {canonical(atom.value) for atom in atoms}
    return sorted(values, key=lambda value: canonical(value) not in named)


def is_listed(rule: Rule, field: str) -> bool:
    """True if the rule compares a field only for equality, so that its numbers are just names."""
    literals = list(_literals_about(rule, field))
    atoms = [atom for literal in literals for one in literal.alternatives for atom in one]
    return all(not isinstance(literal.field, Quantity) for literal in literals) and not any(
        atom.op in ORDERINGS for atom in atoms
    )


def _literals_about(rule: Rule, field: str) -> Iterator[Literal]:
    return (literal for term in rule.terms for literal in term if field in fields_of(literal.field))


def _numbers(literal: Literal) -> Iterator[tuple[Any, bool]]:
    """Yield the numbers of a literal, each with True if the rule may change at its negative as well."""
    computed = any(inner.op == "abs" for inner in inner_quantities(literal.field))
    for one in literal.alternatives:
        yield from ((atom.value, computed) for atom in one if is_finite(atom.value))
    for inner in inner_quantities(literal.field):
        parts = inner.parts[:1] if inner.op == "wrap" else inner.parts
        yield from ((part, computed) for part in parts if is_finite(part))


def thin_lines(rule: Rule) -> Iterator[tuple[Quantity, Rule]]:
    """Yield the cases that hold only on a line, which is too thin for a grid.

    Each is yielded as a quantity that is zero on the line, and a rule with the other conditions of the case. The lines
    are equalities of several fields, exact (``x == y``) or within a tolerance (``abs(x - y) <= 0.5``).
    """
    for term in rule.terms:
        for literal in term:
            if (zero := _zero_quantity(literal)) is not None and len(zero.fields) > 1:
                yield zero, Rule.of_terms([Term(other for other in term if other is not literal)])


def _zero_quantity(literal: Literal) -> Quantity | None:
    field, alternatives = literal.field, literal.alternatives
    if not isinstance(field, Quantity) or len(alternatives) != 1 or len(alternatives[0]) != 1:
        return None
    [atom] = alternatives[0]
    if field.op == "==" and atom.value is (atom.op == "="):
        return Quantity("-", *field.parts)
    if field.op == "abs" and atom.op in ("<", "<=") and isinstance(field.parts[0], Quantity):
        return field.parts[0]
    return (
        Quantity("-", field, atom.value)
        if not field.is_comparison and atom.op == "=" and is_finite(atom.value)
        else None
    )
