"""What the paper's chain asks of Z3: eliminating quantifiers, interpolating, reading atoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce

import z3

QE = z3.Then("simplify", "qe_rec", "simplify")
NAMED = {z3.Z3_OP_LE: "<=", z3.Z3_OP_GE: ">=", z3.Z3_OP_LT: "<", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}
OPPOSITE = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "=": "!="}
MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "="}


def satisfiable(*formulas: z3.BoolRef) -> bool:
    solver = z3.SimpleSolver()
    solver.add(*formulas)
    answer = solver.check()
    assert answer != z3.unknown
    return bool(answer == z3.sat)


def eliminated(names: list[z3.ExprRef], formula: z3.BoolRef) -> z3.BoolRef:
    """The formula without the names: some values of them make it true."""
    if not names:
        return z3.simplify(formula)
    if not satisfiable(formula):
        return z3.BoolVal(False)
    [found] = QE(z3.Exists(names, formula))
    assert not z3.Probe("has-quantifiers")(found), found
    return found.as_expr()


def cubes(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """Its disjunctive form, of few and short conjunctions."""
    if _is_cube(formula):
        return [formula] if satisfiable(formula) else []
    opposite = z3.Not(formula)
    found = interpolant(opposite, opposite, z3.BoolVal(True))
    return [z3.And(*(z3.simplify(z3.Not(literal)) for literal in clause)) for clause in found]


def _is_cube(formula: z3.BoolRef) -> bool:
    literals = formula.children() if z3.is_and(formula) else [formula]
    return all((one.arg(0) if z3.is_not(one) else one).decl().kind() in NAMED for one in literals)


def parts(formula: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The formula and all that is in it."""
    seen, todo = set(), [formula]
    while todo:
        one = todo.pop()
        if one.get_id() not in seen:
            seen.add(one.get_id())
            yield one
            todo += one.children()


def atoms(*formulas: z3.ExprRef) -> list[z3.BoolRef]:
    """Their comparisons, in a fixed order. Those that mix data and time, which only Z3 makes, come first."""
    every = (one for formula in formulas for one in parts(formula))
    found = {one.sexpr(): one for one in every if z3.is_app(one) and one.decl().kind() in NAMED}
    return [found[text] for text in sorted(found, key=lambda text: ("to_real" not in text, text))]


Clauses = tuple[tuple[z3.BoolRef, ...], ...]


def interpolant(low: z3.BoolRef, high: z3.BoolRef, given: z3.BoolRef, words: Iterable[z3.BoolRef] = ()) -> Clauses:
    """Clauses that follow from `low` and imply `high`, where `given` holds.

    Of `low`, only the part inside `high` counts. Points outside `high` are found one by one; each is cut off together
    with as much around it as atoms of `high` and of `words` can describe and `low` allows.
    """
    inside = z3.And(given, low, high)
    outside = z3.SimpleSolver()
    outside.add(given, z3.Not(high))
    found: list[tuple[z3.BoolRef, ...]] = []
    known: list[z3.BoolRef] = []
    while outside.check() == z3.sat:
        model = outside.model()
        known = known or atoms(high, *words)
        cube = [one if z3.is_true(model.eval(one, True)) else z3.Not(one) for one in known]
        found.append(tuple(z3.simplify(z3.Not(one)) for one in _needed(cube, inside)))
        outside.add(joined([found[-1]]))
    return tuple(_irredundant(found, given))


def _needed(cube: list[z3.BoolRef], inside: z3.BoolRef) -> list[z3.BoolRef]:
    """As few literals as exclude all that is inside."""
    solver = z3.SimpleSolver()
    solver.add(inside)
    kept = list(cube)
    for one in cube:
        fewer = [other for other in kept if other is not one]
        solver.push()
        solver.add(*fewer)
        if solver.check() == z3.unsat:
            kept = fewer
        solver.pop()
    return kept


def _irredundant(clauses: list[tuple[z3.BoolRef, ...]], given: z3.BoolRef) -> list[tuple[z3.BoolRef, ...]]:
    kept = list(clauses)
    for one in clauses:
        fewer = [other for other in kept if other is not one]
        if not satisfiable(given, joined(fewer), z3.Not(joined([one]))):
            kept = fewer
    return kept


def joined(clauses: Iterable[tuple[z3.BoolRef, ...]]) -> z3.BoolRef:
    return z3.And(*(z3.Or(*clause) for clause in clauses))


def said(literal: z3.BoolRef) -> str:
    """A linear comparison as people write it, the same for all ways in which Z3 writes it: ``clk + u1 < 50``."""
    negative = z3.is_not(literal)
    atom = literal.arg(0) if negative else literal
    terms, constant = _linear(atom.arg(0) - atom.arg(1))
    names = sorted(name for name, factor in terms.items() if factor)
    op = NAMED[atom.decl().kind()]
    op = OPPOSITE[op] if negative else op
    sign = 1 if not names or terms[names[0]] > 0 else -1
    op = MIRRORED.get(op, op) if sign < 0 else op
    left = " + ".join(name if terms[name] * sign == 1 else f"{terms[name] * sign}*{name}" for name in names)
    return f"{left or 0} {op} {-constant * sign}"


def _linear(term: z3.ArithRef) -> tuple[dict[str, Fraction], Fraction]:
    if z3.is_int_value(term) or z3.is_rational_value(term):
        return {}, Fraction(str(term.as_fraction() if z3.is_rational_value(term) else term.as_long()))
    kind = term.decl().kind()
    if kind == z3.Z3_OP_TO_REAL:
        return _linear(term.arg(0))
    if kind == z3.Z3_OP_UNINTERPRETED:
        return {str(term): Fraction(1)}, Fraction(0)
    children = [_linear(child) for child in term.children()]
    if kind == z3.Z3_OP_MUL:
        (none, factor), other = sorted(children, key=lambda child: len(child[0]))
        assert not none
        return _scaled(other, factor)
    if kind in (z3.Z3_OP_SUB, z3.Z3_OP_UMINUS):
        start = [children[0]] if kind == z3.Z3_OP_SUB else []
        children = start + [_scaled(child, Fraction(-1)) for child in children[len(start) :]]
    return reduce(_sum, children)


def _scaled(one: tuple[dict[str, Fraction], Fraction], factor: Fraction) -> tuple[dict[str, Fraction], Fraction]:
    return {name: value * factor for name, value in one[0].items()}, one[1] * factor


def _sum(
    one: tuple[dict[str, Fraction], Fraction], other: tuple[dict[str, Fraction], Fraction]
) -> tuple[dict[str, Fraction], Fraction]:
    names = {**one[0], **other[0]}
    return {name: one[0].get(name, Fraction(0)) + other[0].get(name, Fraction(0)) for name in names}, one[1] + other[1]
