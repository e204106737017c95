"""An expression on several lines is the same expression, and no line of it is too wide."""

from __future__ import annotations

import ast
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rootward.rules import Atom, Rule
from rootward.rules.layout import WIDE, Among, Expression, Joined, on_lines, on_one_line
from tests.properties import examples

names = st.sampled_from(["a", "bb", "a_rather_long_name", 'c["a field"]'])
leaves = names | st.builds("not ({} or {})".format, names, names)
among = st.builds(Among, names, st.lists(st.integers().map(str), min_size=2, max_size=30).map(tuple))


def joined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.builds(Joined, st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=5).map(tuple))


expressions = st.recursive(leaves | among, joined, max_leaves=25)


@examples(120)
@given(expressions, st.integers(0, 30))
def test_the_same_in_more_lines(expression: Expression, indent: int) -> None:
    one, several = on_one_line(expression), on_lines(expression, indent)
    assert ast.dump(ast.parse(f"(\n{several}\n)")) == ast.dump(ast.parse(one))
    longest = len("and not (a_rather_long_name or a_rather_long_name)")
    assert all(len(line) <= WIDE or len(line.lstrip()) <= longest for line in several.splitlines())
    assert all(line.startswith(" " * indent) for line in several.splitlines())
    if len(one) + indent <= WIDE:
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
    assert max(map(len, source.splitlines())) <= WIDE
    exec(source, known)
    for x in (0, 1, 7, 7 * 1199, 7 * 1200):
        for y in (0, 3, 7, 493, 497):
            configuration = {"x": x, "y": y, "mode": "fast"}
            assert known["fails"](configuration) is rule.holds(configuration)
