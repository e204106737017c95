"""How a rule reads. Its Python on several lines is the same expression, and no line of it is too wide."""

from __future__ import annotations

import ast
import enum
import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.rules import Atom, Conjunction, Quantity, Rule
from rootward.rules.export.python import MAX_LINE_LENGTH, Expression, Junction, Membership, on_lines, on_one_line
from tests.properties import examples

NAN = math.nan


def rule(*conjunctions: Sequence[tuple[str, str, object]]) -> Rule:
    return Rule([[Atom(*atom) for atom in atoms] for atoms in conjunctions])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (rule(), "never"),
        (rule([]), "always"),
        (rule([], [("x", "=", 1)]), "always"),
        (rule([("x", "=", 1)]), "x = 1"),
        (rule([(Quantity("-", "size", Quantity("*", 3, "width")), ">", -6.0)]), "size + 6 > 3 * width"),
        (rule([(Quantity("-", Quantity("+", "a", "b"), "c"), "<=", 168)]), "a + b <= c + 168"),
        (rule([(Quantity("-", "a", Quantity("&", "b", 3)), "=", 0.5)]), "a = (b & 3) + 0.5"),
        (rule([(Quantity("-", "a", "b"), ">", 1), (Quantity("-", "a", "b"), "<", 5)]), "1 < a - b < 5"),
        (rule([(Quantity("-", "a", "b"), ">=", 250.0)]), "a - b >= 250.0"),
        (rule([(Quantity("-", "a", "b"), ">=", -250.0)]), "a + 250 >= b"),
        (rule([(Quantity("+", "a", "b"), "<", -3)]), "a + b < -3"),
        (rule([(Quantity("-", "a", 2), "<", 3)]), "a - 2 < 3"),
        (rule([("x", "=", 1.0)]), "x = 1.0"),
        (rule([("x", "=", True)]), "x = true"),
        (rule([("x", "=", "true")]), 'x = "true"'),
        (rule([("x", "=", "True")]), 'x = "True"'),
        (rule([("x", "=", "1")]), 'x = "1"'),
        (rule([("x", "=", "")]), 'x = ""'),
        (rule([("x", "=", "a b")]), 'x = "a b"'),
        (rule([("x", "=", 'say "hi"')]), 'x = "say \\"hi\\""'),
        (rule([("x", "=", "a,b")]), 'x = "a,b"'),
        (rule([("x", "=", "nan")]), 'x = "nan"'),
        (rule([("x", "=", "größe")]), "x = größe"),
        (rule([("x", "=", "v1.2-rc")]), "x = v1.2-rc"),
        (rule([("x", "=", "\u202e")]), 'x = "\\u202e"'),
        (rule([("x", "=", None)]), "x is none"),
        (rule([("x", "!=", None)]), "x is not none"),
        (rule([("x", "=", NAN)]), "x is NaN"),
        (rule([("x", "!=", NAN)]), "x is not NaN"),
        (rule([("x", "=", -0.0)]), "x = -0.0"),
        (rule([("x", "<", math.inf)]), "x < inf"),
        (rule([("x", "=", [1, "a b", None])]), 'x = [1, "a b", none]'),
        (rule([("x", "=", enum.Enum("Gear", ["P"]).P)]), "x = Gear.P"),  # type: ignore[attr-defined]
        (rule([("x", "=", 10**5000)]), f"x = {hex(10**5000)}"),
        (rule([("x", ">=", 0), ("x", "<", 10)]), "0 <= x < 10"),
        (rule([("x", ">", 0), ("x", "<=", 10)]), "0 < x <= 10"),
        (rule([("x", ">", 0), ("x", ">", 1), ("x", "<", 9)]), "x > 0 and x > 1 and x < 9"),
        (rule([("x", ">=", 0), ("x", "<", 10), ("x", "!=", 5)]), "0 <= x < 10 and x != 5"),
        (rule([("x", "!=", 5), ("x", "!=", 7)]), "x not in {5, 7}"),
        (rule([("x", "!=", 5), ("x", "!=", NAN)]), "x not in {5, NaN}"),
        (rule([("x", "=", 2)], [("x", "=", 1)]), "x in {1, 2}"),
        (rule([("x", "=", 10)], [("x", "=", 9)], [("x", "=", "a")]), "x in {9, 10, a}"),
        (
            rule([("speed", "<", 0), ("gear", "=", "R")], [("speed", "<", 0), ("gear", "=", "N")]),
            "speed < 0 and gear in {N, R}",
        ),
        (rule([("a", "=", 1), ("b", "=", 2)], [("c", ">", 5)]), "c > 5 or (a = 1 and b = 2)"),
        (rule([("x", ">=", 0), ("x", "<", 1)], [("y", "=", 1)]), "y = 1 or 0 <= x < 1"),
        (rule([("my field", "<", 0)]), '"my field" < 0'),
        (rule([("layers[0].size", "<", 0)]), "layers[0].size < 0"),
        (rule([("is", "=", "in")]), '"is" = "in"'),
        (rule([("nan", "=", True)]), "nan = true"),
        (rule([("inf", ">", 3), ("inf", "<", 9)]), "3 < inf < 9"),
        (rule([("x", "=", "nan")], [("x", "=", "inf")]), 'x in {"inf", "nan"}'),
        (rule([(Quantity("*", "x", "inf"), ">", 3)]), 'x * "inf" > 3'),
        (rule([("true", "=", True)]), '"true" = true'),
    ],
)
def test_reading(given: Rule, expected: str) -> None:
    assert str(given) == expected


def test_a_product_of_sets_is_one_line() -> None:
    lines = [[("a", "=", a), ("b", "=", b), ("c", "=", c)] for a in (1, 2) for b in (1, 2) for c in ("p", "q")]
    assert str(rule(*lines)) == "a in {1, 2} and b in {1, 2} and c in {p, q}"
    assert len(rule(*lines).conjunctions) == 8


def test_long_sets_are_cut_short_only_for_a_person() -> None:
    long = Rule.product({"x": range(20)})
    assert str(long) == "x in {0, 1, 2, 3, 4, 5, ... 20 values}"
    assert str(Rule.product({"x": range(8)})) == "x in {0, 1, 2, 3, 4, 5, 6, 7}"
    assert "19" in long.to_python()
    assert long.to_dict()["any"][0]["all"][0]["values"] == list(range(20))
    assert len(long.conjunctions) == 20


def test_alternatives_on_one_field_beside_others_are_in_parentheses() -> None:
    given = rule([("x", ">=", 0), ("y", "=", 1)], [("x", "=", NAN), ("y", "=", 1)])
    assert str(given.simplify()) == "(x >= 0 or x is NaN) and y = 1"
    assert Rule.from_dict(given.simplify().to_dict()) == given.simplify()
    assert {str(one) for one in given.simplify().conjunctions} == {"x >= 0 and y = 1", "x is NaN and y = 1"}


def test_atoms_and_conjunctions_read_alike() -> None:
    assert str(Atom("x", "!=", NAN)) == "x is not NaN"
    assert str(Conjunction()) == "always"
    assert str(Conjunction([Atom("x", "<", 1), Atom("g", "=", "R")])) == "x < 1 and g = R"
    assert repr(Atom("x", "<", 1)) == "Atom(field='x', op='<', value=1)"
    assert repr(rule([("x", "=", 1)])) == "<Rule: x = 1>"


def test_python_source() -> None:
    given = rule([("speed", "<", 0), ("gear", "=", "R")], [("speed", "<", 0), ("gear", "=", "N")])
    assert given.to_python() == 'c["gear"] in ("N", "R") and type(c["speed"]) in (int, float) and c["speed"] < 0'
    assert rule([("a b", "=", True)]).to_python("row") == 'row["a b"] is True'
    assert rule().to_python() == "False"
    assert rule([]).to_python() == "True"


def test_a_python_function_imports_what_it_calls() -> None:
    tall = Quantity("*", "number(width)", "height")
    given = rule([(tall, ">", 10), ("mode", "=", "fast")], [(tall, ">", 10), ("x", "=", NAN), ("mode", "=", "b" * 40)])
    assert given.to_python_function() == (
        "import math\n\n"
        "from rootward.rules.arithmetic import number, times\n\n\n"
        "def fails(c):\n"
        "    return (\n"
        '        (times(number(c["number(width)"]), number(c["height"])) > 10 and c["mode"] == "fast")\n'
        "        or (\n"
        '            times(number(c["number(width)"]), number(c["height"])) > 10\n'
        f'            and c["mode"] == "{"b" * 40}"\n'
        '            and type(c["x"]) is float and math.isnan(c["x"])\n'
        "        )\n"
        "    )\n"
    )
    assert rule([("number(x)", "=", True)]).to_python_function() == 'def fails(c):\n    return c["number(x)"] is True\n'


def test_a_python_function_is_written_without_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python before 3.11.8 may raise a SystemError in ``ast.parse`` while another thread runs."""

    def stumble(*_: object, **__: object) -> None:
        raise SystemError("AST constructor recursion depth mismatch")

    monkeypatch.setattr("ast.parse", stumble)
    given = rule([("math", "=", True), ("x.canonical", "=", "isnan"), ("x", "=", NAN)])
    assert given.to_python_function().startswith("import math\n\n\ndef fails(c):\n")


def test_json() -> None:
    given = rule([("speed", "<", 0), ("gear", "=", "R")], [("speed", "<", 0), ("gear", "=", "N")])
    assert given.to_dict() == {
        "any": [
            {
                "all": [
                    {"field": "gear", "op": "in", "values": ["N", "R"]},
                    {"field": "speed", "op": "<", "value": 0},
                ]
            }
        ]
    }


# Python on several lines

names = st.sampled_from(["a", "bb", "a_rather_long_name", 'c["a field"]'])
leaves = names | st.builds("not ({} or {})".format, names, names)
among = st.builds(Membership, names, st.lists(st.integers().map(str), min_size=2, max_size=30).map(tuple))


def joined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=5).map(tuple))


expressions = st.recursive(leaves | among, joined, max_leaves=25)


@examples(120)
@given(expressions, st.integers(0, 30))
def test_the_same_in_more_lines(expression: Expression, indent: int) -> None:
    one, several = on_one_line(expression), on_lines(expression, indent)
    assert ast.dump(ast.parse(f"(\n{several}\n)")) == ast.dump(ast.parse(one))
    longest = len("and not (a_rather_long_name or a_rather_long_name)")
    assert all(len(line) <= MAX_LINE_LENGTH or len(line.lstrip()) <= longest for line in several.splitlines())
    assert all(line.startswith(" " * indent) for line in several.splitlines())
    if len(one) + indent <= MAX_LINE_LENGTH:
        assert several == " " * indent + one


def test_a_rule_of_more_values_than_python_nests_can_be_copied() -> None:
    cells = [Atom("mode", "=", "fast")]
    rule = Rule(
        [
            *([Atom("x", "=", 7 * value), *cells] for value in range(1200)),
            *([Atom("y", ">", 10 * low), Atom("y", "<", 10 * low + 5), *cells] for low in range(50)),
        ]
    )
    source, known = rule.to_python_function(), dict[str, Any]()
    assert max(map(len, source.splitlines())) <= MAX_LINE_LENGTH
    exec(source, known)
    for x in (0, 1, 7, 7 * 1199, 7 * 1200):
        for y in (0, 3, 7, 493, 497):
            configuration = {"x": x, "y": y, "mode": "fast"}
            assert known["fails"](configuration) is rule.holds(configuration)
