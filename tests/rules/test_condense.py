"""Condensing: the same meaning, in the words of code."""

from __future__ import annotations

import itertools
import math
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.rules import Atom, Quantity, Rule
from rootward.rules.ranges import range_of
from rootward.space.fields import Bool, Choice
from rootward.space.numeric_fields import Float, Int
from rootward.space.space import Space
from tests.properties import examples
from tests.rules.expressions import quantities, quantity_atoms

NAN, INF, MAX = math.nan, math.inf, sys.float_info.max
Q = Quantity
SPACE = Space({"i": Int(), "k": Int(-3, 3), "u": Float(-2, 2), "d": Float(), "on": Bool(), "c": Choice([0.5, 2.5])})
ABOVE, BELOW = Q(">", "h", Q("*", "s", "f")), Q("<=", "h", Q("*", "s", "f"))
NEAR, FAR = Q("<=", "u", Q("*", "k", 2)), Q(">", "u", Q("*", "k", 2))


def rule(*conjunctions: list[tuple[str, str, object]]) -> Rule:
    return Rule([[Atom(*atom) for atom in line] for line in conjunctions])


@pytest.mark.parametrize(
    ("given_", "space", "expected"),
    [
        (rule([("x", "<", -4500)], [("x", ">", 4500)]), None, "abs(x) > 4500"),
        (rule([("x", "<=", -4.5)], [("x", ">=", 4.5)]), None, "abs(x) >= 4.5"),
        (rule([("x", ">", -3), ("x", "<", 3)]), None, "abs(x) < 3"),
        (rule([("x", ">", -3), ("x", "<=", 3)]), None, "-3 < x <= 3"),
        (rule([("i", ">", -4), ("i", "<=", 3)]), SPACE, "abs(i) < 4"),
        (rule([("i", "<", -4500)], [("i", ">=", 4501)]), SPACE, "abs(i) > 4500"),
        (rule([("x", "<", -4500)], [("x", ">", 4501)]), None, "x < -4500 or x > 4501"),
        (rule([("d", ">", MAX)]), SPACE, "d = inf"),
        (rule([("d", "<=", MAX), ("d", ">", 5)]), SPACE, "5 < d < inf"),
        (rule([("d", ">", MAX)], [("d", "=", -INF)]), SPACE, "abs(d) = inf"),
        (rule([(Q("abs", "d"), ">", MAX)]), SPACE, "abs(d) = inf"),
        (rule([(Q("<=", Q("abs", "d"), MAX), "=", False)]), SPACE, "not (abs(d) < inf)"),
        (rule([(Q("*", "d", "i"), ">", MAX)]), SPACE, f"d * i > {MAX}"),
        (rule([("x", "<", 3)], [("x", ">", 5)]), None, "x < 3 or x > 5"),
        (rule([("x", "<", -3), ("y", "=", 1)], [("x", ">", 3), ("y", "=", 1)]), None, "abs(x) > 3 and y = 1"),
        (rule([(Q("-", "x", "y"), "<", -1)], [(Q("-", "x", "y"), ">", 1)]), None, "abs(x - y) > 1"),
        (rule([(Q("abs", "x"), ">", 50), ("x", "<", 0)]), None, "x < -50"),
        (rule([(Q("abs", "x"), ">", 50), ("x", "<", 0), ("y", "=", "a")]), None, "x < -50 and y = a"),
        (rule([(Q("abs", "x"), ">", 50), ("x", "<", 70)]), None, "abs(x) > 50 and x < 70"),
        (rule([(Q("abs", "x"), "<=", 5)], [("x", "<", 0)], [("x", ">", 4), ("x", "<", 9)]), None, "x < 9"),
        (rule([(Q("abs", "x"), "!=", 5), ("x", ">", 0)]), None, "x > 0 and x != 5"),
        # "a or (not a and b)" is "a or b"
        (rule([(BELOW, "=", True)], [(BELOW, "=", False), ("b", "=", 1)]), None, "b = 1 or h <= s * f"),
        (rule([(BELOW, "=", True)], [(ABOVE, "=", True), ("b", "=", 1)]), None, "h <= s * f or (b = 1 and h > s * f)"),
        (rule([(NEAR, "=", True)], [(FAR, "=", True), ("on", "=", True)]), SPACE, "on = true or u <= k * 2"),
        (rule([("i", "<=", 3)], [("i", ">=", 4), ("on", "=", True)]), SPACE, "i <= 3 or on = true"),
        (rule([(Q("*", "i", "k"), "<=", 3)], [(Q("*", "i", "k"), ">=", 4), ("on", "=", True)]), SPACE,
         "i * k <= 3 or on = true"),
        (rule([(NEAR, "=", True)], [(FAR, "=", True)]), SPACE, "always"),
        (rule([(NEAR, "=", False)]), SPACE, "u > k * 2"),
        (rule([(BELOW, "=", False)]), None, "not (h <= s * f)"),
        (rule([(Q("==", "x", "y"), "=", False)]), None, "x != y"),
        (rule([(Q("<", "x", "y"), "=", True)], [(Q(">", "y", "x"), "=", True), ("b", "=", 1)]), None, "x < y"),
        (rule([(Q("%", "i", 8), ">=", 8)]), SPACE, "never"),
        (rule([(Q("&", "i", 4), "=", 4)], [(Q("&", "i", 4), "<", 0)]), SPACE, "(i & 4) = 4"),
    ],
)  # fmt: skip
def test_examples(given_: Rule, space: Space | None, expected: str) -> None:
    assert str(given_.condense(space)) == expected


def test_simplify_leaves_fields_plain() -> None:
    assert str(rule([("x", "<", -4500)], [("x", ">", 4500)]).simplify()) == "x < -4500 or x > 4500"


NUMBERS = st.integers(-4, 4) | st.sampled_from([0.5, -2.5, NAN, INF, 2**31 - 1])
NAMES = ["i", "k", "u", "d", "c"]
plain = st.builds(Atom, st.sampled_from(NAMES), st.sampled_from(["<", "<=", ">", ">=", "="]), NUMBERS)
sizes = st.builds(Atom, st.builds(Quantity, st.just("abs"), st.sampled_from(NAMES)),
                  st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), NUMBERS)  # fmt: skip
atoms = plain | sizes | quantity_atoms(["i", "k", "u"], NUMBERS)
rules = st.lists(st.lists(atoms, min_size=1, max_size=2), min_size=1, max_size=3).map(Rule)
member = {name: st.sampled_from(SPACE[name].values) for name in SPACE.names}
near = st.fixed_dictionaries({**member, "i": st.integers(-5, 5), "u": st.floats(-2, 2), "k": st.integers(-3, 3)})
configurations = near | st.fixed_dictionaries(member)


@examples(100)
@given(rules, st.lists(configurations, min_size=1, max_size=12))
def test_the_same_meaning_in_the_space(given_: Rule, rows: list[dict[str, Any]]) -> None:
    for found in (given_.condense(SPACE), given_.simplify(SPACE), given_.condense()):
        assert found.length <= given_.length
        assert [found.holds(row) for row in rows] == [given_.holds(row) for row in rows]


def test_bounds_around_zero_are_exact() -> None:
    bounds = [-2, -1, 0, 1, 2]
    lines = itertools.product(("<", "<="), bounds, (">", ">="), bounds)
    for (op, low, other, high), space in itertools.product(lines, (None, SPACE)):
        for given_ in (rule([("k", op, low)], [("k", other, high)]), rule([("k", op, low), ("k", other, high)])):
            found = given_.condense(space)
            assert [found.holds({"k": k}) for k in range(-3, 4)] == [given_.holds({"k": k}) for k in range(-3, 4)]


@examples(120)
@given(quantities(NAMES, NUMBERS), configurations)
def test_a_range_holds_every_value(quantity: Quantity, row: dict[str, Any]) -> None:
    assert range_of(quantity, SPACE).contains(quantity.of(row)), range_of(quantity, SPACE)
