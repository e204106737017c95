"""Rules over integers in the words of people: nothing but the words changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.rules import Atom, Literal, Quantity, Rule, Term
from rootward.rules.simplify.integers import count_digits, round_bounds, use_plain_integers
from rootward.space.fields import Choice, Ordinal
from rootward.space.numeric_fields import Float, Int
from rootward.space.space import Space
from tests.properties import examples

Q = Quantity
BITS = Q("&", "slot", 128)
SPACE = Space(
    {
        "n": Int(0, 10_000),
        "i": Int(),
        "slot": Int(bits=8, signed=False),
        "wide": Int(bits=64, signed=False),
        "few": Int(0, 9),
        "level": Ordinal([1, 2, 99, 200, 300]),
        "mode": Choice(list("abcd")),
        "x": Float(0, 1000),
    }
)


def rule(*conjunctions: Sequence[tuple[str, str, object]]) -> Rule:
    return Rule([[Atom(*atom) for atom in line] for line in conjunctions])


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        # one value
        (rule([("n", ">", 6968), ("n", "<", 6970)]), "n = 6969"),
        (rule([("n", "<", 1)]), "n = 0"),
        (rule([("n", ">", 9999)]), "n = 10000"),
        (rule([("i", ">", -1), ("i", "<", 1)]), "i = 0"),
        (rule([("n", "<", 6969)], [("n", ">=", 6970)]), "n != 6969"),
        (rule([("n", ">", 4), ("n", "<", 6)], [("n", ">", 7), ("n", "<", 9)]), "n in {5, 8}"),
        (rule([(Q("+", "n", "few"), ">", 6), (Q("+", "n", "few"), "<", 8)]), "n + few = 7"),
        # a range
        (rule([("n", ">", 625), ("n", "<", 2660)]), "626 <= n <= 2659"),
        (rule([("n", ">", 344), ("n", "<=", 2758)]), "345 <= n <= 2758"),
        (rule([("n", ">=", 181), ("n", "<=", 359)]), "180 < n < 360"),
        (rule([("n", ">=", 1000), ("n", "<=", 1999)]), "1000 <= n < 2000"),
        (rule([("n", ">=", 60), ("n", "<=", 10_000)]), "n >= 60"),
        (rule([("n", ">", 2.5), ("n", "<", 6.5)]), "3 <= n <= 6"),
        (rule([("x", ">", 625), ("x", "<", 2660)]), "x > 625"),
        (rule([("x", ">", 625), ("x", "<", 627)]), "625 < x < 627"),
        # one bound
        (rule([("n", ">=", 181)]), "n > 180"),
        (rule([("n", "<", 101)]), "n <= 100"),
        (rule([("n", "<=", 2)]), "n <= 2"),
        (rule([("n", "<", 3)]), "n < 3"),
        (rule([("n", ">=", 1)]), "n > 0"),
        (rule([("i", ">", 2**31 - 2)]), "i = 2147483647"),
        (rule([("wide", ">", 2**31 - 1)]), "wide > 2**31 - 1"),
        (rule([("wide", ">=", 2**31)]), "wide >= 2**31"),
        (rule([("wide", ">", 1.5e18)]), "wide > 1.5e+18"),
        (rule([("i", ">=", -100), ("i", "<", 2**20 + 1)]), "-100 <= i <= 2**20"),
        (rule([("i", ">", -101), ("i", "<", 101)]), "abs(i) <= 100"),
        (rule([("n", "<=", 199)], [("n", ">=", 301)]), "n < 200 or n > 300"),
        (rule([(Q("*", "n", "few"), ">=", 101)]), "n * few > 100"),
        (rule([("level", ">", 99)]), "level > 99"),
        (rule([("x", ">=", 181)]), "x >= 181"),
        # what is computed from one integer
        (rule([("slot", "<=", 128), (BITS, ">", 0)]), "slot = 128"),
        (rule([("wide", "<=", 128), (Q("&", "wide", 128), ">", 0)]), "wide = 128"),
        (rule([("wide", ">=", 2**64 - 4), (Q("&", "wide", 3), "<", 1)]), "wide = 18446744073709551612"),
        (rule([(BITS, ">", 0)]), "slot >= 128"),
        (rule([("slot", "<", 128), (BITS, ">", 0)]), "never"),
        (rule([("slot", "<", 128), (BITS, ">", 0)], [("mode", "=", "a")]), "mode = a"),
        (rule([("slot", "!=", 255), (BITS, ">", 0), ("mode", "=", "a")]), "128 <= slot < 255 and mode = a"),
        (rule([("slot", ">", 3), (Q("&", "slot", 4), ">", 0)]), "(slot & 4) > 0"),
        (rule([(Q("&", "slot", 4), ">", 0)]), "(slot & 4) > 0"),
        (rule([("wide", ">", 3), (Q("&", "wide", 4), ">", 0)]), "wide > 3 and (wide & 4) > 0"),
        (rule([(Q("%", "few", 7), "=", 3)]), "few = 3"),
        (rule([(Q("%", "n", 7), "=", 3)]), "n % 7 = 3"),
        (rule([(Q("abs", "n"), ">", 180)]), "n > 180"),
        (rule([(BITS, ">", 0), ("mode", "=", "a")], [("slot", "<", 128), ("mode", "=", "a")]), "mode = a"),
        # a set of values
        (rule([("mode", "!=", "a"), ("mode", "!=", "b"), ("mode", "!=", "c")]), "mode = d"),
        (rule(*([("mode", "=", one)] for one in "abc")), "mode != d"),
    ],
)  # fmt: skip
def test_examples(given_: Rule, expected: str) -> None:
    assert str(given_.condense(SPACE)) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, 0), (100, 1), (-180, 2), (2660, 3), (2659, 4), (256, 2), (255, 2), (257, 3)],
)
def test_a_number_with_fewer_digits_before_its_zeros_is_rounder(number: int, expected: int) -> None:
    assert count_digits(number) == expected


LOW, HIGH = -40, 215
SMALL = Space({"n": Int(LOW, HIGH), "m": Int(-3, 3)})
EVERYWHERE = {"n": range(LOW, HIGH + 1)}
constants = st.integers(LOW - 2, HIGH + 2) | st.sampled_from([-0.5, 2.5, 99.5, 100.0])
computed = st.one_of(
    st.builds(Quantity, st.sampled_from(["&", "|", "^"]), st.just("n"), st.sampled_from([1, 3, 4, 64, 128])),
    st.builds(Quantity, st.just("%"), st.just("n"), st.sampled_from([2, 7, 100, 360])),
    st.just(Q("abs", "n")),
    st.just(Q("*", "n", "n")),
)
operators = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
atoms = st.builds(Atom, st.just("n") | computed, operators, constants)
terms = st.lists(atoms, min_size=1, max_size=4).map(Term.of)
rules = st.lists(terms, min_size=1, max_size=3).map(Rule.of_terms)
bounds = st.builds(Atom, st.just("n"), operators, constants)
literals = st.lists(st.lists(bounds, min_size=1, max_size=3), min_size=1, max_size=2).map(
    lambda lines: Literal("n", [one for line in lines for one in Rule([line]).conjunctions])
)


def meaning(said: Rule) -> list[bool]:
    return list(said.holds_many(EVERYWHERE))


@examples(100)
@given(rules)
def test_condensed_means_the_same_everywhere_and_is_not_longer(given_: Rule) -> None:
    found = given_.condense(SMALL)
    assert meaning(found) == meaning(given_)
    assert found.length <= given_.length


@examples(100)
@given(literals)
def test_bounds_said_otherwise_mean_the_same_and_stay_as_they_are(given_: Literal) -> None:
    found = round_bounds(given_, SMALL)
    assert meaning(Rule.of_terms([Term([found])])) == meaning(Rule.of_terms([Term([given_])]))
    assert found.length <= given_.length
    assert round_bounds(found, SMALL) == found


@examples(100)
@given(terms)
def test_what_is_computed_of_one_integer_means_the_same_and_stays_as_it_is(given_: Term) -> None:
    found = use_plain_integers([given_], SMALL)
    assert meaning(Rule.of_terms(found)) == meaning(Rule.of_terms([given_]))
    assert sum(term.length for term in found) <= given_.length
    assert use_plain_integers(found, SMALL) == found


@given(st.integers(LOW, HIGH), st.integers(LOW, HIGH), st.sampled_from(["<", "<="]), st.sampled_from([">", ">="]))
def test_one_value_is_named(low: int, high: int, below: str, above: str) -> None:
    given_ = rule([("n", above, low), ("n", below, high)])
    found = given_.condense(SMALL)
    inside = [n for n in range(LOW, HIGH + 1) if given_.holds({"n": n})]
    assert (str(found) == f"n = {inside[0]}") if len(inside) == 1 else "=" not in str(found).split()
