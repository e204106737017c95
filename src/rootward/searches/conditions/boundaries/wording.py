"""Word a model as a rule: its predictions, in the form that code would have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import product
from typing import Any

from rootward.rules import Atom, Conjunction, Literal, Rule, Term
from rootward.rules.quantity import Quantity, fields_of
from rootward.rules.terms import conjoin
from rootward.searches.conditions.boundaries.cut import Cut
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.space.space import Space

MAX_GAP = 1000
"""Maximum number of values between the bounds of a constant that are examined one by one."""
_BELOW = {False: "<=", True: "<"}
_ABOVE = {False: ">", True: ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<=", "in": "not in", "not in": "in"}


def rule_of(model: RuleModel, space: Space) -> Rule:
    """Return the rule that holds where the model predicts a failure, as short as possible."""
    literals = [one.meaning for one in model.literals]
    names = [axis.name for axis in model.axes]
    terms = [[literals[i] for i in term] for term in model.best.terms]
    if not model.best.positive:
        terms = _negate_terms(terms)
    return Rule.of_terms(_term(model, term, names) for term in terms).condense(space)


def _term(model: RuleModel, literals: Sequence[Any], names: Sequence[str]) -> Term:
    listed = [literal for literal in literals if literal[2] in ("in", "not in")]
    made = Term.of(_atoms(model, [literal for literal in literals if literal not in listed], names))
    for index, values, op in listed:
        axis = model.axes[index]
        wanted = [value for value in range(axis.low, axis.high + 1) if (value in values) == (op == "in")]
        made = conjoin(made, Term([Literal(axis.name, _list_ranges(axis.name, wanted))]))
    return made


def _list_ranges(name: str, values: Sequence[int]) -> list[Conjunction]:
    """Return the ranges that sorted integers form."""
    begins = [value for value, before in zip(values, [None, *values], strict=False) if before != value - 1]
    ends = [value for value, after in zip(values, [*values[1:], None], strict=True) if after != value + 1]
    return [
        Conjunction([Atom(name, ">=", low), Atom(name, "<=", high)]) for low, high in zip(begins, ends, strict=True)
    ]


def depends_on_constant(cut: Cut, model: RuleModel, space: Space) -> bool:
    """Return True if the rule changes with the place of the cut's constant between its bounds."""
    ends = replace(cut, constant=cut.low, strict=False), replace(cut, constant=cut.high, strict=True)
    one, other = (_rule_with(end, cut, model, space) for end in ends)
    if one == other or one.equivalent(other, space):
        return False
    # The two rules differ only in between. If the rule also asks for a remainder, perhaps no such value has it.
    name = cut.feature.quantity([axis.name for axis in model.axes])
    if not cut.has_gap or name not in space or cut.high - cut.low > MAX_GAP:
        return True
    fixed = ((_fix_field(one, name, value), _fix_field(other, name, value)) for value in range(cut.low + 1, cut.high))
    return any(left != right and not left.equivalent(right, space) for left, right in fixed)


def _fix_field(rule: Rule, name: str, value: int) -> Rule:
    """Return what a rule asks of the other fields if a field has this value."""
    own = {literal for term in rule.terms for literal in term if fields_of(literal.field) == (name,)}
    held = {literal for literal in own if literal.holds({name: value})}
    return Rule.of_terms(Term(set(term) - own) for term in rule.terms if set(term) & own <= held)


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
    return found + [part for literal in term for part in _split_extreme(_atom(model, literal, names))]


def _split_extreme(atom: Atom) -> list[Atom]:
    """Return a bound on each of two fields instead of ``max(a, b) <= 0`` or ``min(a, b) > 0``."""
    field = atom.field
    if isinstance(field, Quantity) and (field.op, atom.op[0]) in (("max", "<"), ("min", ">")):
        return [Atom(part, atom.op, atom.value) for part in field.parts]
    return [atom]


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
    if isinstance(quantity, Quantity) and quantity.op == "/" and (product := _multiply_out(cut, op, quantity, model)):
        return Atom(product, "=", wanted)
    if wanted:
        return Atom(quantity, op, cut.constant)
    return Atom(Quantity(op, quantity, cut.constant), "=", False)


def _multiply_out(cut: Cut, op: str, quotient: Quantity, model: RuleModel) -> Quantity | None:
    """Return ``a > 128 * b`` for ``a / b > 128`` if b is positive and both are integers: then nothing is rounded.

    Quotients of products are written like this for all positive numbers: ``a * b * b > 4 * c``.
    """
    above, below = quotient.parts
    axes = [model.axes[i] for i in cut.feature.indices]
    whole = all(axis.whole and max(abs(axis.low), abs(axis.high)) < 2**31 for axis in axes)
    powers = any(isinstance(part, Quantity) for part in (above, below)) and all(map(_is_product, (above, below)))
    positive = all(axis.low > 0 for axis in axes if powers or axis.name == below)
    if not (positive and (powers or (whole and not isinstance(below, Quantity))) and 0 < cut.constant < math.inf):
        return None
    if cut.constant == int(cut.constant):
        return Quantity(op, above, _multiply(int(cut.constant), below))
    if not powers:
        return None
    inverse = round(1 / cut.constant)
    if inverse and 1 / inverse == cut.constant:
        return Quantity(op, _multiply(inverse, above), below)
    return Quantity(op, above, _multiply(cut.constant, below))


def _is_product(part: Any) -> bool:
    return not isinstance(part, Quantity) or (part.op == "*" and all(map(_is_product, part.parts)))


def _multiply(factor: float, part: Any) -> Any:
    """Return a product with one more factor, which comes first."""
    if factor == 1:
        return part
    first, rest = part.parts if isinstance(part, Quantity) else (None, part)
    return Quantity("*", factor, rest) if first is None else Quantity("*", _multiply(factor, first), rest)


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
