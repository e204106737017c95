"""Quantities: what they compute, how they read, and that every form of a rule agrees about them."""

from __future__ import annotations

import copy
import enum
import itertools
import json
import math
import pickle
import subprocess
import sys
import time
import timeit
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Quantity, Rule
from rootward.rules.arithmetic import NAMES
from rootward.space.keys import canonical
from tests.properties import examples
from tests.rules.expressions import comparisons, parts, quantities, quantity_atoms

NAN, INF = math.nan, math.inf
Q = Quantity

numbers = st.one_of(
    st.sampled_from([0, 1, -1, 0.0, -0.0, 0.5, NAN, INF, -INF, 5e-324, -2.5, 1.7e308, 1e16]),
    st.sampled_from([2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**400, -(10**400), 2**1024]),
    st.integers(-9, 9),
    st.floats(),
)
values = numbers | st.sampled_from([True, False, None, "", "a", b"x", (1,), np.float32(0.1), np.int8(-3)])
plain = numbers | st.sampled_from([True, False, None, "", "a", b"x"])
NAMES_OF_FIELDS = ["x", "y y"]
atoms = quantity_atoms(NAMES_OF_FIELDS, numbers)
field_atoms = st.builds(Atom, st.just("x"), st.sampled_from(["=", "<", ">="]), numbers)
rules = st.lists(st.lists(atoms | field_atoms, max_size=3), max_size=3).map(Rule)


@pytest.mark.parametrize(
    ("quantity", "configuration", "expected"),
    [
        (Q("*", "w", "h"), {"w": 2**40, "h": 2**40}, 2**80),
        (Q("*", "w", "h"), {"w": 10**400, "h": 0.5}, INF),
        (Q("*", "w", "h"), {"w": -(10**400), "h": 0.5}, -INF),
        (Q("*", "w", "h"), {"w": 1e308, "h": 10}, INF),
        (Q("-", "w", "h"), {"w": INF, "h": INF}, NAN),
        (Q("+", "w", "h"), {"w": True, "h": 1}, NAN),
        (Q("+", "w", "h"), {"w": "1", "h": 1}, NAN),
        (Q("/", "w", "h"), {"w": 1, "h": 0}, NAN),
        (Q("/", "w", "h"), {"w": 1.0, "h": -0.0}, NAN),
        (Q("/", "w", "h"), {"w": 10**400, "h": 3}, INF),
        (Q("/", "w", "h"), {"w": 10**400, "h": 10**399}, 10.0),
        (Q("/", "w", "h"), {"w": 7, "h": 2}, 3.5),
        (Q("%", "w", 5), {"w": -7}, 3),
        (Q("%", "w", 5), {"w": 7.5}, 2.5),
        (Q("%", "w", 5), {"w": INF}, NAN),
        (Q("%", "w", "h"), {"w": -7, "h": 5}, 3),
        (Q("%", "w", "h"), {"w": 7, "h": -5}, -3),
        (Q("%", "w", "h"), {"w": 7, "h": 0}, NAN),
        (Q("%", "w", "h"), {"w": 10**400, "h": 2.5}, NAN),
        (Q("rem", "w", "h"), {"w": -7, "h": 5}, -2),
        (Q("rem", "w", "h"), {"w": 7, "h": -5}, 2),
        (Q("rem", "w", "h"), {"w": -7.5, "h": 5}, -2.5),
        (Q("rem", "w", "h"), {"w": 7, "h": 0}, NAN),
        (Q("rem", "w", "h"), {"w": INF, "h": 2}, NAN),
        (Q("&", "w", 6), {"w": -1}, 6),
        (Q("&", "w", 6), {"w": 7.0}, NAN),
        (Q("|", "w", 6), {"w": 1}, 7),
        (Q("^", "w", 6), {"w": 3}, 5),
        (Q(">>", "w", "h"), {"w": -5, "h": 1}, -3),
        (Q(">>", "w", "h"), {"w": -5, "h": 10**30}, -1),
        (Q(">>", "w", "h"), {"w": -5, "h": -1}, NAN),
        (Q("<<", "w", "h"), {"w": 3, "h": 4}, 48),
        (Q("<<", "w", "h"), {"w": 3, "h": 10**9}, NAN),
        (Q("abs", "w"), {"w": -(2**63)}, 2**63),
        (Q("min", "w", "h"), {"w": NAN, "h": 1}, NAN),
        (Q("min", "w", "h"), {"w": 2, "h": 1.5}, 1.5),
        (Q("max", "w", "h", 7), {"w": 2, "h": 1.5}, 7),
        (Q("int", "w"), {"w": -2.9}, -2),
        (Q("int", "w"), {"w": 1e300}, int(1e300)),
        (Q("int", "w"), {"w": -INF}, NAN),
        (Q("wrap", "w", 8, True), {"w": 200}, -56),
        (Q("wrap", "w", 8, False), {"w": -1}, 255),
        (Q("wrap", "w", 32, True), {"w": 2**31}, -(2**31)),
        (Q("wrap", "w", 8, True), {"w": 1.0}, NAN),
        (Q("sqrt", "w"), {"w": 2}, math.sqrt(2)),
        (Q("sqrt", "w"), {"w": -1}, NAN),
        (Q("sqrt", "w"), {"w": 10**700}, INF),
        (Q("len_str", "w"), {"w": 0}, 1),
        (Q("len_str", "w"), {"w": -44}, 3),
        (Q("len_str", Q("abs", "w")), {"w": -44}, 2),
        (Q("len_str", "w"), {"w": 10**5000}, 5001),
        (Q("len_str", "w"), {"w": 1.0}, NAN),
        (Q("len_str", "w"), {"w": "44"}, NAN),
        (Q("<", "w", "h"), {"w": 2**53, "h": 2**53 + 1}, True),
        (Q("<", "w", "h"), {"w": float(2**53), "h": 2**53 + 1}, True),
        (Q("<=", "w", "h"), {"w": NAN, "h": 1}, False),
        (Q("!=", "w", "h"), {"w": NAN, "h": 1}, True),
        (Q("==", "w", "h"), {"w": True, "h": 1}, False),
        (Q("<=", "w", Q("*", "h", 2.0)), {"w": 10.0, "h": 5.0}, True),
    ],
)
def test_meaning(quantity: Quantity, configuration: dict[str, object], expected: Any) -> None:
    found = quantity.of(configuration)
    assert type(found) is type(expected)
    assert canonical(found) == canonical(expected)


@examples(120)
@given(quantities(NAMES_OF_FIELDS, numbers) | comparisons(NAMES_OF_FIELDS, numbers), values, values)
def test_nothing_raises_and_columns_agree(quantity: Quantity, x: object, y: object) -> None:
    found = quantity.of({"x": x, "y y": y})
    assert type(found) in ((bool,) if quantity.is_comparison else (int, float))
    if quantity.fields:
        columns = quantity.of_columns({"x": [x, 1], "y y": [y, 1]})
        assert canonical(columns[0]) == canonical(found)


def test_an_enumeration_member_is_no_number() -> None:
    gear = enum.IntEnum("Gear", ["P", "R"])  # type: ignore[misc]
    assert math.isnan(Q("abs", "x").of({"x": gear.R}))


def test_a_missing_field_is_named() -> None:
    for ask in (Q("*", "w", "h").of, Atom(Q("*", "w", "h"), ">", 1).holds):
        with pytest.raises(InputError, match="'h'"):
            ask({"w": 1})
    with pytest.raises(InputError, match="'h'"):
        Rule([[Atom(Q("*", "w", "h"), ">", 1)]]).holds_many([{"w": 1}])


@pytest.mark.parametrize(
    ("parts_given", "expected"),
    [
        (("**", "x", 2), "expected one of"),
        (("abs", "x", "y"), "takes 1 part, got 2"),
        (("min", "x"), "takes 2 parts, got 1"),
        (("+", "x", True), "got True"),
        (("+", "x", None), "got None"),
        (("%", "x", 0), "positive integer"),
        (("%", "x", 2.0), "positive integer"),
        (("%", "x", -3), "positive integer"),
        (("wrap", "x", 0, True), "bits"),
        (("wrap", "x", 8, 1), "signed"),
        (("+", Q("<", "x", "y"), 1), "not a number"),
    ],
)
def test_refused(parts_given: tuple[Any, ...], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Quantity(*parts_given)


def test_an_atom_needs_a_constant_of_the_quantity() -> None:
    with pytest.raises(InputError, match="True or False"):
        Atom(Q("<", "x", "y"), "=", 1)
    with pytest.raises(InputError, match="a number"):
        Atom(Q("+", "x", "y"), "=", True)
    with pytest.raises(InputError, match="a number"):
        Atom(Q("+", "x", "y"), "<", "a")


def test_identity() -> None:
    area = Q("*", "w", "h")
    assert area == Q("*", "w", "h") != Q("*", "h", "w")
    assert Q("*", "w", 2) != Q("*", "w", 2.0)
    assert area != "w * h" and "w * h" != area  # noqa: PT018, SIM300
    assert {area: 1}.get("w * h") is None  # type: ignore[call-overload]
    assert {area: 1}[Q("*", "w", "h")] == 1
    assert pickle.loads(pickle.dumps(area)) == copy.deepcopy(area) == area
    assert (area.op, area.parts, area.fields) == ("*", ("w", "h"), ("w", "h"))
    assert repr(area) == "Quantity('*', 'w', 'h')"
    assert isinstance(area, str)
    apart = Rule([[Atom(area, ">", 1)], [Atom("w * h", ">", 1)]])
    assert len(apart.terms) == 2
    assert apart.fields == ("h", "w", "w * h")


@given(st.lists(quantities(NAMES_OF_FIELDS, numbers) | st.text(), max_size=6))
def test_the_order_is_total(given_: list[str]) -> None:
    ordered, backwards = sorted(given_), given_[::-1]
    assert sorted(backwards) == ordered
    for one, other in itertools.pairwise(ordered):
        assert one <= other and other >= one  # noqa: PT018
        assert (one < other) is (one != other) is (other > one)
        assert hash(one) == hash(other) or one != other


def test_every_process_agrees() -> None:
    script = (
        "from rootward.rules import *; a = Quantity('*', 'w', 'h'); b = Quantity('+', 'w', 1); "
        "print(Rule([[Atom(a, '>', 1)], [Atom(b, '>', 1), Atom('w * h', '=', 2)], [Atom('z', '=', 1)]]).conjunctions)"
    )
    found = {
        subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(found) == 1


def test_evaluation_is_fast() -> None:
    quantity, configuration = Q("<=", "height", Q("*", "sink", "flare")), {"height": 1.0, "sink": 2.0, "flare": 3.0}
    seconds = timeit.repeat(lambda: quantity.of(configuration), number=10_000, repeat=3, timer=time.process_time)
    assert min(seconds) < 1, "it is worked out from its text each time"


# Every form of a rule agrees.


@examples(120)
@given(rules, plain, plain)
def test_the_python_expression_agrees(rule: Rule, x: object, y: object) -> None:
    configuration = {"x": x, "y y": y}
    found = eval(rule.to_python(), {"math": math, "c": configuration, **NAMES})
    assert found is rule.holds(configuration)


@examples(80)
@given(rules, plain, plain)
def test_the_python_function_runs_as_it_stands(rule: Rule, x: object, y: object) -> None:
    configuration, known = {"x": x, "y y": y}, dict[str, Any]()
    exec(rule.to_python_function(), known)
    assert known["fails"](configuration) is rule.holds(configuration)


@examples(70)
@given(rules, st.lists(st.tuples(values, values), max_size=5))
def test_many_agree_with_one(rule: Rule, pairs: list[tuple[object, object]]) -> None:
    configurations = [{"x": x, "y y": y} for x, y in pairs]
    assert rule.holds_many(configurations).tolist() == [rule.holds(one) for one in configurations]


@examples(70)
@given(rules)
def test_json_keeps_quantities(rule: Rule) -> None:
    again = Rule.from_dict(json.loads(json.dumps(rule.to_dict(), allow_nan=False)))
    assert again == rule
    assert str(again) == str(rule)


@examples(70)
@given(rules, st.lists(st.tuples(values, values), min_size=1, max_size=8))
def test_simplification_keeps_the_meaning(rule: Rule, pairs: list[tuple[object, object]]) -> None:
    found = rule.simplify()
    assert found.length <= rule.length
    assert found.equivalent(rule)
    for x, y in pairs:
        assert found.holds({"x": x, "y y": y}) == rule.holds({"x": x, "y y": y})


@pytest.mark.parametrize("written", [{"op": "**", "parts": ["x", "y"]}, {"op": "+"}, {"parts": []}, 3])
def test_json_of_something_else_is_refused(written: object) -> None:
    with pytest.raises(InputError):
        Rule.from_dict({"any": [{"all": [{"field": written, "op": "<", "value": 1}]}]})


# Reading


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        (Q("*", "width", "height"), "width * height"),
        (Q("abs", "acro_roll"), "abs(acro_roll)"),
        (Q("*", Q("+", "x", "y"), "z"), "(x + y) * z"),
        (Q("+", Q("*", "x", "y"), "z"), "x * y + z"),
        (Q("-", Q("-", "x", "y"), "z"), "x - y - z"),
        (Q("-", "x", Q("-", "y", "z")), "x - (y - z)"),
        (Q("*", "x", Q("/", "y", "z")), "x * (y / z)"),
        (Q("+", "x", -3), "x - 3"),
        (Q("-", "x", -3), "x - (-3)"),
        (Q("*", -3, "x"), "-3 * x"),
        (Q("*", "x", math.pi / 2), "x * (pi / 2)"),
        (Q("-", "x", 2**31 - 1), "x - (2**31 - 1)"),
        (Q("-", "my field", "x-y"), '"my field" - x-y'),
        (Q("%", Q("+", "x", 1), 8), "(x + 1) % 8"),
        (Q("rem", "x", 8), "rem(x, 8)"),
        (Q("&", Q("+", "a", 1), 7), "(a + 1) & 7"),
        (Q("|", Q("&", "a", "b"), "c"), "(a & b) | c"),
        (Q("min", "x", Q("+", "y", 1)), "min(x, y + 1)"),
        (Q("wrap", Q("*", "x", "y"), 32, True), "int32(x * y)"),
        (Q("wrap", "x", 8, False), "uint8(x)"),
        (Q("<=", "height", Q("*", "sink_rate", "flare")), "height <= sink_rate * flare"),
        (Q("==", Q("&", "flags", 4), 0), "(flags & 4) == 0"),
    ],
)
def test_the_text_has_as_few_parentheses_as_it_needs(quantity: Quantity, expected: str) -> None:
    assert str(quantity) == f"{quantity}" == expected


def test_rules_read_like_code() -> None:
    roll = Atom(Q("abs", "acro_roll"), ">", 4500)
    assert str(Rule([[roll, Atom("acro_trainer", "=", 2)]])) == "abs(acro_roll) > 4500 and acro_trainer = 2"
    area = Q("*", "width", "height")
    assert str(Rule([[Atom(area, ">", 2147483647)]])) == "width * height > 2**31 - 1"
    assert str(Conjunction([Atom(area, ">", 0), Atom(area, "<=", 10)])) == "0 < width * height <= 10"
    late = Q("<=", "height", Q("*", "sink", "flare"))
    assert str(Atom(late, "=", True)) == str(Atom(late, "!=", False)) == "height <= sink * flare"
    assert str(Atom(late, "=", False)) == "not (height <= sink * flare)"
    both = Rule([[Atom(late, "=", True), Atom("flare", ">", 0)], [Atom("x", "=", 1)]])
    assert str(both) == "x = 1 or (flare > 0 and height <= sink * flare)"
    assert str(Atom(Q("&", "flags", 4), "!=", 0)) == "(flags & 4) != 0"
    assert str(Atom(Q("/", "x", "y"), "=", NAN)) == "x / y is NaN"
    assert both.to_python() == (
        'type(c["x"]) in (int, float) and c["x"] == 1'.join(["(", ")"])
        + ' or (type(c["flare"]) in (int, float) and c["flare"] > 0'
        ' and number(c["height"]) <= times(number(c["sink"]), number(c["flare"])))'
    )


def exact(text: str) -> float:
    """The number that a text says."""
    names = {"pi": math.pi, "inf": INF, "NaN": NAN, "float32": lambda value: float(np.float32(value))}
    single = text.endswith("f") and text[-2:] != "nf"
    found: float = eval(text[:-1] if single else text, names)
    return float(np.float32(found)) if single else found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (4500, "4500"),
        (32767, "32767"),
        (65536, "2**16"),
        (2147483647, "2**31 - 1"),
        (-2147483648, "-2**31"),
        (-2147483649, "-2**31 - 1"),
        (-2147483647, "-2**31 + 1"),
        (2**64 + 1, "2**64 + 1"),
        (10**6, "1000000"),
        (10**9, "10**9"),
        (1e6, "1e6"),
        (2.5e9, "2.5e9"),
        (2.0**31, "2.0**31"),
        (100.0, "100.0"),
        (0.1, "0.1"),
        (0.001, "0.001"),
        (float(np.float32(0.1)), "0.1f"),
        (float(np.float32(1e-45)), "1e-45f"),
        (0.5, "0.5"),
        (math.pi, "pi"),
        (-math.pi / 2, "-pi / 2"),
        (2 * math.pi, "2 * pi"),
        (float(np.float32(math.pi)), "float32(pi)"),
        (5e-324, "5e-324"),
        (INF, "inf"),
    ],
)
def test_constants_read_like_code(value: float, expected: str) -> None:
    assert str(Atom("x", "<", value)) == f"x < {expected}"
    assert exact(expected) == value


@examples(200)
@given(st.integers() | st.floats(allow_nan=False) | st.floats(width=32, allow_nan=False) | st.integers(2**15, 2**80))
def test_a_constant_never_says_another_number(value: float) -> None:
    shown = str(Atom("x", "<", value)).removeprefix("x < ")
    assert exact(shown) == value


@examples(100)
@given(parts(NAMES_OF_FIELDS[:1], numbers), numbers)
def test_quantities_read_as_they_are_computed(part: Any, x: object) -> None:
    """Python reads the text of sums, products and functions as they are meant."""
    quantity = Q("+", part, 0)
    if any(op in str(quantity) for op in ("rem", "int", "str", "<<", "sqrt", "/", "f", "N", "m")):
        return
    try:
        found = eval(str(quantity), {"x": x})
    except (OverflowError, TypeError, ValueError, ZeroDivisionError):  # where code raises, a quantity is not defined
        return
    assert canonical(found) == canonical(quantity.of({"x": x}))
