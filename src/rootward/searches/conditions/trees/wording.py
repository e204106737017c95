"""Turn trees into rules: a question becomes an atom, a path to a failing leaf becomes a term.

A question does not hold for NaN, so its negation does: ``not x < 3`` becomes ``x >= 3 or x is NaN`` wherever x, or a
quantity computed from x, may be NaN. Questions about integer fields are written with integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rootward.rules import Atom, Conjunction, Literal, Rule, Term
from rootward.rules.quantity import Quantity
from rootward.rules.terms import conjoin
from rootward.searches.conditions.decision import DecisionNode
from rootward.searches.conditions.trees.axes import Axes
from rootward.searches.conditions.trees.tree import Form, Leaf, SplitQuestion, Tree, epsilon
from rootward.space.space import Int, Ordinal

_NEGATED_OPERATORS = {"<": ">=", "<=": ">", "=": "!="}


class Wording:
    """Words trees over given axes as rules."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes

    def node(self, tree: Tree) -> DecisionNode:
        """Return the tree in the printable form of a finding."""
        fails, passes = tree.fails, tree.passes
        if isinstance(tree, Leaf):
            return DecisionNode(tree.failing, fails, passes)
        below = self.node(tree.yes), self.node(tree.no)
        return DecisionNode(Leaf(fails, passes).failing, fails, passes, self.atom(tree.question), *below)

    def rule(self, tree: Tree) -> Rule:
        """Return the rule that holds where the tree predicts a failure."""
        return Rule.of_terms(self._terms(tree, Term()))

    def _terms(self, tree: Tree, path: Term) -> Iterator[Term]:
        if isinstance(tree, Leaf):
            if tree.failing:
                yield path
            return
        atom = self.atom(tree.question)
        yield from self._terms(tree.yes, conjoin(path, Term.of([atom])))
        yield from self._terms(tree.no, conjoin(path, Term([self._negate(tree.question, atom)])))

    def _negate(self, question: SplitQuestion, atom: Atom) -> Literal:
        """Return the literal that holds exactly where the question does not hold."""
        negated = [Conjunction([Atom(atom.field, _NEGATED_OPERATORS[atom.op], atom.value)])]
        if atom.op in ("<", "<=") and self._may_be_nan(question):
            negated.append(Conjunction([Atom(atom.field, "=", math.nan)]))
        return Literal(atom.field, negated)

    def _may_be_nan(self, question: SplitQuestion) -> bool:
        """Return True if the compared value may be NaN.

        One field gives NaN only if it allows NaN. Two fields may also give NaN if either allows special values, as in
        inf - inf.
        """
        specials = self._axes.specials
        if question.form in (Form.BELOW, Form.AT):
            return any(map(math.isnan, specials[question.x]))
        return bool(specials[question.x] or specials[question.y])

    def atom(self, question: SplitQuestion) -> Atom:
        """Return the question as an atom."""
        x, p0 = self._axes.names[question.x], question.p0
        match question.form:
            case Form.NAN:
                return Atom(x, "=", math.nan)
            case Form.INF:
                return Atom(Quantity("abs", x), "=", math.inf)
            case Form.BELOW:
                return Atom(x, "<", self._bound(question))
            case Form.AT if not self._axes.numbers[question.x]:
                return Atom(x, "=", self._axes.fields[question.x].decompress(p0))
            case Form.AT if self._is_exact(question):
                return Atom(x, "=", int(p0))
            case Form.EQUAL if self._are_integers(question):
                return Atom(Quantity("==", x, self._axes.names[question.y]), "=", True)
            case Form.SAME_WHOLE:
                wholes = [Quantity("int", self._axes.names[at]) for at in (question.x, question.y)]
                return Atom(Quantity("==", *wholes), "=", True)
        quantity = self._quantity(question)
        if question.form in (Form.LINE_BELOW, Form.PRODUCT_BELOW):
            return Atom(quantity, "<", self._constant(p0, question))
        return Atom(Quantity("abs", _minus(quantity, self._constant(p0, question))), "<=", float(epsilon(p0)))

    def _bound(self, question: SplitQuestion) -> Any:
        """Return the constant of ``x < p0``. If x is a whole number, it is ``p0`` rounded up."""
        field = self._axes.fields[question.x]
        if isinstance(field, Ordinal):
            return field.values[math.ceil(question.p0)]
        return min(math.ceil(question.p0), field.hi) if isinstance(field, Int) else question.p0

    def _is_exact(self, question: SplitQuestion) -> bool:
        """Return True if only one whole number lies within epsilon of p0."""
        return isinstance(self._axes.fields[question.x], Int) and float(epsilon(question.p0)) < 1

    def _are_integers(self, question: SplitQuestion) -> bool:
        return all(isinstance(self._axes.fields[at], Int) for at in (question.x, question.y))

    def _constant(self, value: float, question: SplitQuestion) -> float:
        """Return the value as an int if it is whole and the fields are integers, otherwise unchanged."""
        return int(value) if value.is_integer() and self._are_integers(question) else value

    def _quantity(self, question: SplitQuestion) -> str:
        """Return the quantity that is compared with p0."""
        x, y = self._axes.names[question.x], self._axes.names[question.y]
        match question.form:
            case Form.AT:
                return x
            case Form.EQUAL:
                return Quantity("-", x, y)
            case Form.PRODUCT_AT | Form.PRODUCT_BELOW:
                return Quantity("*", x, y)
        factor = abs(question.p1)
        scaled = y if factor == 1 else Quantity("*", self._constant(factor, question), y)
        return Quantity("+" if question.p1 > 0 else "-", x, scaled)


def _minus(quantity: str, constant: float) -> str:
    if constant == 0:
        return quantity
    return Quantity("-" if constant > 0 else "+", quantity, abs(constant))
