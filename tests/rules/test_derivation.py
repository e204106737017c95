"""Derived quantities: which definitions are accepted, what they compute, and how they are exported."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.rules import Atom, Rule
from rootward.rules.derivation import check_defined, derive, expand
from rootward.space.space import Float, Int, Space, Text

SPACE = Space({"width": Int(), "height": Int(), "x": Float(), "name": Text(), "wheels[0].on": Int()})
SIZE = {"width": 6, "height": 7, "x": 0.0, "name": "Bob", "wheels[0].on": 1}


def area(width: int, height: int) -> int:
    return width * height


def value_of(definition: Any, **changed: Any) -> Any:
    [quantity] = derive(SPACE, {"given": definition})
    return quantity.of({**SIZE, **changed})


@pytest.mark.parametrize(
    ("definition", "value"),
    [
        ("width * height", 42),
        ("-width + 2 ** 3", 2),
        ("max(width, height, 9) // 2", 4),
        ("len(name) + int(x)", 3),
        ("round(width / height, 2)", 0.86),
        ("name.lower().strip() in ('bob', 'eve')", True),
        ("name.startswith('B') and not name.endswith('x')", True),
        ("'o' in name", True),
        ("name.lower()", "bob"),
        ("wheels[0].on + 1", 2),
        ("len(str(width))", 1),
        ("1 < width <= 6", True),
        (area, 42),
    ],
)
def test_it_computes_what_python_does(definition: Any, value: Any) -> None:
    found = value_of(definition)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("definition", ["width / x", "int(name)", "name + width", lambda width: None])
def test_it_is_undefined_where_python_raises(definition: Any) -> None:
    assert math.isnan(value_of(definition))


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("width * hight", "unknown field 'hight' .did you mean 'height'"),
        ("width *", "is not an expression"),
        ("1 + 2", "reads no field"),
        ("open(name)", r"open\(name\) is not allowed"),
        ("name.format(width)", "is not allowed"),
        ("name.__class__", "is not allowed"),
        ("(lambda: width)()", "is not allowed"),
        ("[width for width in (1, 2)]", "is not allowed"),
        ("min(width, height, key=abs)", "is not allowed"),
        ("width ** height", "must be an integer from 0 to 64"),
        ("2 << width", "must be an integer from 0 to 64"),
        ("__import__('os').system(name)", "is not allowed"),
        (lambda size: size, "the parameter 'size' of .* is not a field"),
        (lambda: 1, "has no parameters"),
        (3, "expected an expression"),
    ],
)
def test_anything_else_is_refused(definition: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        derive(SPACE, {"given": definition})


def test_a_field_keeps_its_name() -> None:
    with pytest.raises(InputError, match="has the name of a field"):
        derive(SPACE, {"width": "height + 1"})


def rule_of(definition: Any, op: str = ">", value: Any = 100) -> Rule:
    [quantity] = derive(SPACE, {"given": definition})
    return Rule([[Atom(quantity, op, value)]])


def test_a_rule_names_it_and_reads_its_fields() -> None:
    rule = rule_of("width * height")
    assert str(rule) == "given > 100"
    assert rule.fields == ("height", "width")
    assert rule.holds({**SIZE, "width": 20})
    assert not rule.holds(SIZE)
    assert rule.holds_many([SIZE, {**SIZE, "width": 20}]).tolist() == [False, True]
    assert str(rule.condense(SPACE)) == "given > 100"


def test_json_keeps_it() -> None:
    for definition in ("width * height", area):
        rule = rule_of(definition)
        again = Rule.from_dict(json.loads(json.dumps(rule.to_dict())))
        assert again == rule
        assert again.holds({**SIZE, "width": 20})


def test_python_gets_the_definition() -> None:
    rule = rule_of("width * height")
    assert rule.to_python() == "(c['width'] * c['height']) > 100"
    assert eval(rule.to_python(), {"c": {**SIZE, "width": 20}}) is True
    names: dict[str, Any] = {}
    exec(rule_of(area).to_python_function(), names)
    assert names["fails"]({**SIZE, "width": 20}) is True
    with pytest.raises(InputError, match="without a name"):
        rule_of(lambda width: width).to_python()


def test_c_and_smtlib_get_what_they_can_express() -> None:
    rule = rule_of("width * height")
    assert rule.to_c(SPACE) == "((int64_t)width * (int64_t)height) > 100"
    assert "(assert (> (* width height) 100))" in rule.to_smtlib(SPACE)
    assert rule_of("'//' in name", "=", True).to_c(SPACE) == 'strstr(name, "//") != NULL'
    for definition in ("width // height", "name.lower() == 'a'", area):
        with pytest.raises(InputError, match="cannot be written in C: expected arithmetic"):
            rule_of(definition).to_c(SPACE)
        with pytest.raises(InputError, match="cannot be written in SMT-LIB"):
            rule_of(definition).to_smtlib(SPACE)


def test_an_integer_is_known_to_be_one() -> None:
    [quantity] = derive(SPACE, {"given": "width * height"})
    assert expand(quantity) is not None
    assert str(Rule([[Atom(quantity, ">=", 101)]]).condense(SPACE)) == "given > 100"


def never_defined(width: int) -> float:
    raise RuntimeError(f"no area of {width}")


def sometimes_defined(width: int) -> float:
    if width < 0:
        raise RuntimeError("negative")
    return width / 2


def test_a_quantity_that_has_no_value_with_any_input_is_an_error() -> None:
    with pytest.raises(InputError, match="for any input: with width = 6, it raises RuntimeError: no area"):
        check_defined(SPACE, derive(SPACE, {"given": never_defined}), [SIZE])
    with pytest.raises(InputError, match=r"given has no value for any input: .*TypeError"):
        check_defined(SPACE, derive(SPACE, {"given": "round(x, width, 3)"}))
    check_defined(SPACE, derive(SPACE, {"given": sometimes_defined, "short": "round(x, 2)"}), [])
    with pytest.raises(InputError, match="the derived quantity given has no value for any input"):
        rw.rule(SPACE, rw.fails_when(lambda one: one["width"] > 4), SIZE, derived={"given": never_defined})


def test_in_how_many_runs_a_quantity_has_no_value_is_said() -> None:
    space = Space({"width": Int(-100, 100)})
    subject = rw.fails_when(lambda one: one["width"] > 40)
    found = rw.rule(space, subject, {"width": 60}, derived={"half": sometimes_defined})
    assert re.search(r"half has no value in \d+ of \d+ runs: its definition raises there\.", str(found))
    whole = rw.rule(space, subject, {"width": 60}, derived={"half": "width / 2"})
    assert "has no value" not in str(whole)


@pytest.mark.parametrize(
    ("definition", "value"),
    [("round(x)", 2), ("round(x, 1)", 2.5), ("floor(x)", 2), ("ceil(x)", 3), ("int(x)", 2), ("abs(-x)", 2.46)],
)
def test_a_quantity_may_be_rounded(definition: str, value: float) -> None:
    assert value_of(definition, x=2.46) == value
    [quantity] = derive(SPACE, {"given": definition})
    made: dict[str, Any] = {}
    exec(Rule([[Atom(quantity, ">", 2)]]).to_python_function(), made)
    assert made["fails"]({**SIZE, "x": 2.46}) is (value > 2)
