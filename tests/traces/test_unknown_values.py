"""Facts about values that are not known, against all values that could tell a difference."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from rootward.traces.model.guard import MIRROR, Value, compare
from rootward.traces.running.unknown_values import (
    Datum,
    Fact,
    Facts,
    Symbol,
    is_satisfiable,
    make_fact,
    negate_fact,
    substitute,
)
from tests.properties import examples

SYMBOLS = X, Y, Z = Symbol("x"), Symbol("y"), Symbol("z")
CONSTANTS: tuple[Value, ...] = (0, 1, 2, "r", "0")
DOMAIN: tuple[Value, ...] = (*range(-3, 6), "r", "0", "fresh 1", "fresh 2", "fresh 3")
"""Three numbers on each side of the constants, and three more texts: enough for three symbols."""
ORDERS = ("<", "<=", ">", ">=")
some = examples(40)


def made(left: Symbol, op: str, right: Datum) -> Fact | None:
    found = make_fact(left, op, right)
    return None if isinstance(found, bool) else found


ways: st.SearchStrategy[Any] = st.builds(
    made, st.sampled_from(SYMBOLS), st.sampled_from(sorted(MIRROR)), st.sampled_from(SYMBOLS + CONSTANTS)
)
many = st.frozensets(ways.filter(lambda one: one is not None), max_size=6).filter(lambda facts: not same(facts))


def same(facts: Facts) -> bool:
    """Whether two values are the same and in order. That they are numbers is forgotten then: order is asked of such."""
    ops = {op for _, op, right in facts if isinstance(right, Symbol)}
    return "=" in ops and bool({"<=", ">="} & ops)


def solutions(facts: Facts) -> set[tuple[Value, ...]]:
    """All values of x, y and z with which the facts are true."""

    def value(datum: Datum, at: dict[Symbol, Value]) -> Value:
        return at[datum] if isinstance(datum, Symbol) else datum

    found = set()
    for values in product(DOMAIN, repeat=3):
        at = dict(zip(SYMBOLS, values, strict=True))
        if all(compare(at[left], op, value(right, at)) for left, op, right in facts):
            found.add(values)
    return found


@some
@given(many)
def test_facts_are_possible_if_some_values_fulfil_them(facts: Facts) -> None:
    assert is_satisfiable(facts) == bool(solutions(facts))


@some
@given(many, st.sampled_from(CONSTANTS))
def test_a_value_becomes_known(facts: Facts, value: Value) -> None:
    assume(is_satisfiable(facts))
    new = substitute(facts, X, value)
    left = {(y, z) for x, y, z in solutions(facts) if compare(x, "=", value)}
    assert (set() if new is None else {(y, z) for _, y, z in solutions(new)}) == left
    assert new is None or all(X not in (one[0], one[2]) for one in new)


@some
@given(many)
def test_two_values_turn_out_to_be_the_same(facts: Facts) -> None:
    assume(is_satisfiable(facts))
    new = substitute(facts, X, Y)
    assert (new is not None) == any(x == y and type(x) is type(y) for x, y, _ in solutions(facts))


@examples(20)
@given(ways.filter(lambda one: one is not None and one[1] not in ORDERS))
def test_a_fact_or_its_opposite_is_true(one: Fact) -> None:
    true, false = solutions(frozenset([one])), solutions(frozenset([negate_fact(one)]))
    assert true | false == set(product(DOMAIN, repeat=3))
    assert not true & false


def test_what_is_known_is_compared_at_once() -> None:
    assert make_fact(1, "<", 2) is True
    assert make_fact("1", "=", 1) is False
    assert make_fact(X, "!=", X) is False


def test_a_fact_has_one_form() -> None:
    assert make_fact(1, "<", X) == make_fact(X, ">", 1) == (X, ">", 1)
    assert make_fact(Y, "<=", X) == make_fact(X, ">=", Y) == (X, ">=", Y)


def test_there_is_no_whole_number_between_two_neighbours() -> None:
    assert not is_satisfiable(frozenset([(X, ">", 0), (X, "<", 1)]))
    assert is_satisfiable(frozenset([(X, ">", 0), (X, "<", 2)]))
    assert not is_satisfiable(frozenset([(X, ">", 0), (X, "<", 2), (X, "!=", 1)]))
    assert not is_satisfiable(frozenset([(X, "<", Y), (Y, "<", Z), (Z, "<", 2), (X, ">", 0)]))
