"""What a comparison means, one value at a time and by columns."""

from __future__ import annotations

import enum
import itertools
import json
import math
import pickle
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Rule
from rootward.space.keys import canonical
from tests.properties import examples

NAN, INF = math.nan, math.inf
OPERATORS = ["=", "!=", "<", "<=", ">", ">="]

numbers = st.one_of(
    st.sampled_from([0, 1, -1, 0.0, -0.0, 1.0, 0.5, NAN, INF, -INF, 5e-324]),
    st.sampled_from([2**53, 2**53 + 1, float(2**53), 2**63, -(2**63) - 1, 2**64, 10**400, -(10**400), 1.7e308]),
    st.integers(-3, 3),
    st.floats(width=16),
)
anything = st.one_of(
    numbers,
    st.sampled_from([True, False, None, "", "a", "b", "a\0", "1", "\U0001f600"]),
    st.sampled_from([b"a", (1,), [1], [1.0], {"k": NAN}, frozenset([1])]),
)


def atoms(field: str = "x") -> st.SearchStrategy[Atom]:
    ordered = st.builds(Atom, st.just(field), st.sampled_from(OPERATORS[2:]), numbers | st.sampled_from(["", "a", "b"]))
    return ordered | st.builds(Atom, st.just(field), st.sampled_from(OPERATORS[:2]), anything)


conjunctions = st.lists(atoms("x") | atoms("y y"), max_size=3)
rules = st.lists(conjunctions, max_size=3).map(Rule)


@pytest.mark.parametrize(
    ("op", "constant", "holds", "fails"),
    [
        ("=", 1, [1, 1.0, np.int64(1), np.float32(1)], [True, "1", None, 2, NAN, np.bool_(True)]),
        ("=", True, [True, np.bool_(True)], [1, 1.0, "True", False]),
        ("=", 0, [0, 0.0, -0.0], [False, None]),
        ("=", 0.0, [0, 0.0, -0.0], [False]),
        ("=", -0.0, [-0.0], [0, 0.0, False]),
        ("!=", -0.0, [0, 0.0, False, None], [-0.0]),
        ("=", NAN, [NAN, np.float64("nan")], [0, None, "nan"]),
        ("!=", NAN, [0, None, "nan", INF], [NAN]),
        ("=", 2**53 + 1, [2**53 + 1], [2**53, float(2**53)]),
        ("=", None, [None], [0, False, "", NAN]),
        ("=", [1, 2], [[1, 2], (1, 2)], [[1.0, 2], [True, 2], [2, 1]]),
        ("<", 0, [-1, -5e-324, -INF], [0, -0.0, NAN, None, "a", False, [], Fraction(-1)]),
        ("<=", 0, [0, -0.0, -1], [NAN, None, True, False]),
        (">", 2**53, [2**53 + 1, INF], [2**53, float(2**53), NAN, True]),
        (">=", -INF, [-INF, 0, 10**400], [NAN, None]),
        ("<", NAN, [], [0, NAN, -INF]),
        ("<", "b", ["a", "", "B"], ["b", "c", 1, None]),
    ],
)
def test_meaning(op: str, constant: object, holds: list[object], fails: list[object]) -> None:
    atom = Atom("x", op, constant)
    assert [value for value in holds if not atom.holds({"x": value})] == []
    assert [value for value in fails if atom.holds({"x": value})] == []


def test_an_enumeration_member_is_not_its_value() -> None:
    gear = enum.IntEnum("Gear", ["P", "R"])  # type: ignore[misc]
    assert Atom("x", "=", gear.R).holds({"x": gear.R})
    assert not Atom("x", "=", 2).holds({"x": gear.R})
    assert not Atom("x", "<", 5).holds({"x": gear.R})


@given(anything, anything)
def test_unequal_is_the_negation_of_equal(value: object, constant: object) -> None:
    assert Atom("x", "=", constant).holds({"x": value}) is not Atom("x", "!=", constant).holds({"x": value})


def test_identity_is_by_type_and_value() -> None:
    distinct = [1, 1.0, True, "1", 0.0, -0.0, 0, False, None, NAN, "nan", b"1", [1], [1.0]]
    assert len({Atom("x", "=", value) for value in distinct}) == len(distinct)
    assert Atom("x", "=", NAN) == Atom("x", "=", float("nan"))
    assert hash(Atom("x", "=", NAN)) == hash(Atom("x", "=", float("nan")))
    assert Atom("x", "=", [1]) == Atom("x", "=", (1,))
    assert Atom("x", "=", np.int32(1)) == Atom("x", "=", 1)
    assert Atom("x", "<", 1) != Atom("x", "<=", 1) != Atom("y", "<=", 1)


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("x", "==", 1, "one of = != < <= > >="),
        ("x", "in", 1, "one of ="),
        ("x", "<", None, "number or text"),
        ("x", "<", True, "number or text"),
        ("x", ">=", [1], "number or text"),
        (1, "=", 1, "name of a field"),
    ],
)
def test_refused(field: str, op: str, value: object, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Atom(field, op, value)


def test_a_rule_is_made_of_conjunctions() -> None:
    with pytest.raises(InputError, match="conjunctions, not atoms"):
        Rule([Atom("x", "=", 1)])  # type: ignore[list-item]


def test_a_missing_field_is_named() -> None:
    rule = Rule([[Atom("speed", "<", 1)]])
    for ask in (rule.holds, Atom("speed", "<", 1).holds):
        with pytest.raises(InputError, match="speed"):
            ask({"gear": 1})
    with pytest.raises(InputError, match="speed"):
        rule.holds_many([{"gear": 1}])
    with pytest.raises(InputError, match="speed"):
        rule.holds_many({"gear": [1]})


def test_a_conjunction_is_a_set_of_atoms() -> None:
    low, high, gear = Atom("x", ">", 0), Atom("x", "<", 9), Atom("gear", "=", "R")
    both = Conjunction([low, high])
    assert both == frozenset([high, low])
    assert hash(both) == hash(frozenset([high, low]))
    assert list(both) == [high, low]
    assert low in both
    assert gear not in both
    assert both & Conjunction([low, gear]) == Conjunction([low])
    assert both | Conjunction([gear]) == Conjunction([low, high, gear])
    assert type(both & both) is type(both | both) is Conjunction
    assert both.holds({"x": 5})
    assert not both.holds({"x": 9})
    assert Conjunction().holds({})
    assert both.fields == ("x",)
    assert pickle.loads(pickle.dumps(both)) == both
    with pytest.raises(InputError, match="contains only atoms"):
        Conjunction(["x"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("atoms", "contradictory"),
    [
        ([("<", 1), (">", 1)], True),
        ([("<=", 1), (">=", 1)], False),
        ([("=", 1), ("=", True)], True),
        ([("=", 1), ("=", 1.0)], False),
        ([("=", NAN), ("<", 1)], True),
        ([("=", 0), ("!=", -0.0)], False),
        ([("=", -0.0), ("!=", 0)], True),
        ([(">", 1.0), ("<", math.nextafter(1.0, 2))], True),
        ([(">", 2.0**60), ("<", math.nextafter(2.0**60, INF))], False),  # integers lie between
        ([(">", INF)], True),
        ([("<", "")], True),
        ([("<", NAN)], True),
        ([], False),
    ],
)
def test_contradictions(atoms: list[tuple[str, object]], contradictory: bool) -> None:
    assert Rule([Conjunction(Atom("x", op, value) for op, value in atoms)]).satisfiable() is not contradictory


@examples(180)
@given(rules, st.lists(st.tuples(anything, anything), max_size=8))
def test_many_agree_with_one(rule: Rule, pairs: list[tuple[object, object]]) -> None:
    configurations = [{"x": x, "y y": y} for x, y in pairs]
    expected = [rule.holds(configuration) for configuration in configurations]
    assert rule.holds_many(configurations).tolist() == expected
    columns = {"x": [x for x, _ in pairs], "y y": [y for _, y in pairs]}
    assert rule.holds_many(columns).tolist() == expected


FLOATS = [0.0, -0.0, 1.0, 0.1, -2.5, NAN, INF, -INF]
COLUMNS: dict[str, list[object]] = {
    "float64": [*FLOATS, 2.0**53, 2.0**63, 1.7e308],
    "float32": [*FLOATS, 2.0**24, 1e38],
    "float16": [*FLOATS],
    "bool": [True, False],
    "int64": [0, 1, -1, -2, 2**53, 2**53 + 1, -(2**63), 2**63 - 1],
    "uint64": [0, 1, 2**53 + 1, 2**63, 2**64 - 1],
    "int8": [0, 1, -3, -2, 127, -128],
    "U3": ["", "a", "b", "1"],
    "O": [1, True, None, "a", 0.5, NAN, 10**400],
}
LIMITS: list[object] = [
    *(0, 1, -1, 0.0, -0.0, 0.1, 0.5, -0.5, 126.5, 128, -129, NAN, INF, -INF, 1e38, 1.7e308, 10**400, -(10**400)),
    *(2**53, 2**53 + 1, 2**53 + 2, 2.0**53, 2**63, 2.0**63, 2**64, 2**64 - 1, -(2**63), -(2**63) - 1, -(2.0**63)),
    *(float(np.float32(0.1)), "", "a", "a\0"),
]


@pytest.mark.parametrize("dtype", sorted(COLUMNS))
def test_typed_columns_agree_with_one(dtype: str) -> None:
    column = np.array(COLUMNS[dtype], dtype=dtype)
    for op, limit in itertools.product(OPERATORS, [*LIMITS, True, False, None, [1]]):
        if op in ("=", "!=") or type(limit) in (int, float, str):
            rule = Rule([[Atom("x", op, limit)]])
            assert rule.holds_many({"x": column}).tolist() == [rule.holds({"x": value}) for value in column], rule


def test_many_rows_together_are_fast() -> None:
    rng = np.random.default_rng(0)
    columns = {"x": rng.normal(size=200_000), "n": rng.integers(0, 9, 200_000)}
    low, high = Atom("x", ">=", -1), Atom("x", "<", 1.5)
    rule = Rule([[low, high, Atom("n", "!=", 3)], [Atom("n", "=", 8), Atom("x", "=", NAN)]])
    start = time.process_time()
    found = rule.holds_many(columns)
    together = time.process_time() - start
    assert found.dtype == bool
    rows = [{"x": columns["x"][i], "n": columns["n"][i]} for i in range(0, 200_000, 25)]
    start = time.process_time()
    expected = [rule.holds(row) for row in rows]
    assert found[::25].tolist() == expected
    assert together < 10 * (time.process_time() - start), "each of them alone would take 25 times as long as those"


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="the same length"):
        Rule([[Atom("x", "=", 1)]]).holds_many({"x": [1], "y": [1, 2]})


@examples(200)
@given(rules, anything, anything)
def test_the_python_expression_agrees(rule: Rule, x: object, y: object) -> None:
    configuration = {"x": x, "y y": y}
    found = eval(rule.to_python(), {"math": math, "canonical": canonical, "c": configuration})
    assert found is rule.holds(configuration)


@examples(80)
@given(rules, anything, anything)
def test_the_python_function_runs_as_it_stands(rule: Rule, x: object, y: object) -> None:
    configuration, known = {"x": x, "y y": y}, dict[str, Any]()
    exec(rule.to_python_function(), known)
    assert known["fails"](configuration) is rule.holds(configuration)


@examples(120)
@given(rules)
def test_json_keeps_every_type(rule: Rule) -> None:
    written = json.dumps(rule.to_dict(), allow_nan=False)
    again = Rule.from_dict(json.loads(written))
    assert again == rule
    assert again.conjunctions == rule.conjunctions
    assert str(again) == str(rule)


@pytest.mark.parametrize(
    "written",
    [{}, {"any": [{}]}, {"any": [{"all": [{"field": "x"}]}]}, {"any": 3}, {"any": [{"all": [{"any": []}]}]}, []],
)
def test_json_of_something_else_is_refused(written: object) -> None:
    with pytest.raises(InputError, match="not a rule"):
        Rule.from_dict(written)  # type: ignore[arg-type]
