"""Word a model as a rule: its predictions, in the form that code would have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import product
from typing import Any

from rootward.rules import Atom, Rule
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.space.space import Space

_BELOW = {False: "<=", True: "<"}
_ABOVE = {False: ">", True: ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<="}


def rule_of(model: RuleModel, space: Space) -> Rule:
    """Return the rule that holds where the model predicts a failure, as short as possible."""
    literals = [one.meaning for one in model.literals]
    names = [axis.name for axis in model.axes]
    terms = [[literals[i] for i in term] for term in model.best.terms]
    if not model.best.positive:
        terms = _negate_terms(terms)
    return Rule([_atoms(model, term, names) for term in terms]).condense(space)


def depends_on_constant(cut: Cut, model: RuleModel, space: Space) -> bool:
    """Return True if the rule changes with the place of the cut's constant between its bounds."""
    ends = replace(cut, constant=cut.low, strict=False), replace(cut, constant=cut.high, strict=True)
    one, other = (_rule_with(end, cut, model, space) for end in ends)
    return one != other and not one.equivalent(other, space)


def _rule_with(another: Cut, cut: Cut, model: RuleModel, space: Space) -> Rule:
    """Return the rule of the model with the cut ``another`` in place of ``cut``."""
    changed = copy(model)
    changed.cuts = [another if one is cut else one for one in model.cuts]
    return rule_of(changed, space)


def _atoms(model: RuleModel, term: Sequence[Any], names: Sequence[str]) -> list[Atom]:
    """Return the atoms of a term; the pair ``a <= b`` and ``a >= b`` becomes ``a == b``."""
    sides: dict[int, list[Any]] = {}
    for literal in term:
        if (
            not isinstance(literal[2], str)
            and (cut := model.cuts[literal[0]]).feature.is_difference
            and cut.constant == 0
        ):
            sides.setdefault(id(cut.feature), []).append(literal)
    found = []
    for pair in sides.values():
        operators = {_operator_of(model, literal) for literal in pair}
        if operators == {"<=", ">="}:
            found.append(Atom(Quantity("==", *model.cuts[pair[0][0]].feature.sides(names)), "=", True))
            term = [literal for literal in term if literal not in pair]
    return found + [_atom(model, literal, names) for literal in term]


def _operator_of(model: RuleModel, literal: tuple[Any, ...]) -> str:
    number, side, wanted = literal
    return (_BELOW if side < 0 else _ABOVE)[model.cuts[number].strict] if wanted else "not"


def _negate_terms(terms: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the terms of the negation of ``terms``, without redundant ones."""
    found: list[dict[Any, None]] = [{}]
    for term in terms:
        opposites = [_opposite(literal) for literal in term]
        grown = [{**one, opposite: None} for one, opposite in product(found, opposites)]
        found = list(_drop_redundant(grown))
    return [list(one) for one in found]


def _drop_redundant(terms: Sequence[dict[Any, None]]) -> Iterator[dict[Any, None]]:
    kept: list[frozenset[Any]] = []
    for one in sorted(terms, key=len):
        names = frozenset(map(repr, one))
        if not any(other <= names for other in kept):
            kept.append(names)
            yield one


def _opposite(literal: tuple[Any, ...]) -> tuple[Any, ...]:
    first, middle, last = literal
    if isinstance(last, str):
        return first, middle, _OPPOSITE[last]
    return first, middle, not last


def _atom(model: RuleModel, literal: tuple[Any, ...], names: Sequence[str]) -> Atom:
    first, middle, last = literal
    if isinstance(last, str):
        return Atom(names[first] if isinstance(first, int) else first, last, middle)
    return _comparison(model.cuts[first], middle, last, names, model)


def _comparison(cut: Cut, side: int, wanted: bool, names: Sequence[str], model: RuleModel) -> Atom:
    op = (_BELOW if side < 0 else _ABOVE)[cut.strict]
    if not wanted and cut.feature.is_total and all(model.axes[i].is_finite for i in cut.feature.indices):
        op, wanted = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op], True
    if cut.constant == 0 and (equal := _find_equality(cut, op, names, model)) is not None:
        left, right = equal.parts
        if not isinstance(right, str):
            return Atom(left, "=" if wanted is (equal.op == "==") else "!=", right)
        return Atom(equal, "=", wanted)
    if cut.feature.is_difference and cut.constant == 0:
        return Atom(Quantity(op, *cut.feature.sides(names)), "=", wanted)
    quantity = cut.feature.quantity(names)
    if wanted:
        return Atom(quantity, op, cut.constant)
    return Atom(Quantity(op, quantity, cut.constant), "=", False)


def _find_equality(cut: Cut, op: str, names: Sequence[str], model: RuleModel) -> Quantity | None:
    """Return ``a == b`` if the comparison is ``abs(a - b) <= 0``, and ``a != b`` if it is ``abs(a - b) > 0``.

    The second needs finite fields: for NaN, ``a != b`` is true but ``abs(a - b) > 0`` is not. Anything else gives None.
    """
    sides = cut.feature.distance(names)
    if op == "<=" and sides is not None:
        return Quantity("==", *sides)
    if op == ">" and sides is not None and all(model.axes[i].is_finite for i in cut.feature.indices):
        return Quantity("!=", *sides)
    return None
