"""What is said of two fields that depend on each other: something all rows agree with, or nothing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.report.sentences.triggers import phrase
from rootward.searches.products.interaction import relation
from tests.properties import examples

GRID = list(itertools.product([-2, 0, 1, 3, 7], repeat=2))


def table(holds: Callable[..., Any], values: Any = GRID) -> list[tuple[tuple[Any, ...], bool]]:
    return [(one, bool(holds(*one))) for one in values]


def said_of(names: tuple[str, ...], rows: Any) -> str | None:
    """The relation of a table as a person reads it."""
    found = relation(names, rows)
    return None if found is None else phrase(found)


@pytest.mark.parametrize(
    ("holds", "text"),
    [
        (lambda x, y: x == y, "x = y"),
        (lambda x, y: x != y, "x != y"),
        (lambda x, y: x < y, "x < y"),
        (lambda x, y: x <= y, "x <= y"),
        (lambda x, y: x > y, "x > y"),
        (lambda x, y: x >= y, "x >= y"),
        (lambda x, y: x > 1 or y < 0, "at least one of x and y has a value that triggers it"),
        (lambda x, y: x + y > 5, "x + y exceeds a limit between 5 and 6"),
        (lambda x, y: x + y < 2, "x + y is below a limit between 1 and 2"),
        (lambda x, y: x - y > 4, "x - y exceeds a limit between 4 and 5"),
        (lambda x, y: x * y > 8, "x * y exceeds a limit between 7 and 9"),
        (lambda x, y: (x + y) % 2 == 0, None),
        (lambda x, y: True, None),
        (lambda x, y: False, None),
    ],
)
def test_relations(holds: Callable[..., Any], text: str | None) -> None:
    assert said_of(("x", "y"), table(holds)) == text


def test_names_are_written_as_in_a_rule() -> None:
    assert said_of(("a b", "M1.y"), table(lambda x, y: x < y)) == '"a b" < M1.y'


def test_text_can_be_compared_but_not_added() -> None:
    words = list(itertools.product(["a", "b", "c"], repeat=2))
    assert said_of(("x", "y"), table(lambda x, y: x < y, words)) == "x < y"
    assert said_of(("x", "y"), table(lambda x, y: x + y in ("ab", "cc"), words)) is None


def test_values_without_an_order_can_still_be_equal() -> None:
    mixed = list(itertools.product([None, "a", [1]], repeat=2))
    assert said_of(("x", "y"), table(lambda x, y: x == y, mixed)) == "x = y"
    assert said_of(("x", "y"), table(lambda x, y: x is None or y == "a", mixed)) == (
        "at least one of x and y has a value that triggers it"
    )


def test_nan_is_below_no_limit() -> None:
    rows = table(lambda x, y: x + y > 2, itertools.product([0.0, 1.0, 2.0, math.nan], repeat=2))
    assert said_of(("x", "y"), rows) is None
    rows = table(lambda x, y: x < y, itertools.product([0.0, 1.0, math.nan], repeat=2))
    assert said_of(("x", "y"), rows) == "x < y"


def test_infinities_are_numbers() -> None:
    rows = table(lambda x, y: x + y > 2, itertools.product([0.0, 1.0, 2.0, math.inf], repeat=2))
    assert said_of(("x", "y"), rows) == "x + y exceeds a limit between 2.0 and 3.0"


def test_truth_values_are_no_numbers() -> None:
    rows = table(lambda x, y: x and y, itertools.product([False, True], repeat=2))
    text = said_of(("x", "y"), rows)
    assert text is None or "limit" not in text


def test_nothing_is_said_of_three_fields() -> None:
    rows = table(lambda x, y, z: x < y < z, itertools.product([0, 1, 2], repeat=3))
    assert said_of(("x", "y", "z"), rows) is None


def test_huge_integers_do_not_overflow() -> None:
    big = 10**400
    rows = table(lambda x, y: x * y > big, itertools.product([1, 2, big], repeat=2))
    assert said_of(("x", "y"), rows) is not None


@examples(150, derandomize=True)
@given(
    values=st.lists(st.integers(-4, 4), min_size=1, max_size=3, unique=True),
    said=st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_whatever_is_said_agrees_with_every_row(values: list[int], said: list[bool]) -> None:
    rows = list(zip(itertools.product(values, repeat=2), said, strict=False))
    text = said_of(("x", "y"), rows)
    if text is None or text.startswith("at least"):
        return
    if "limit" in text:
        term = " ".join(text.split(" ")[:3])
        low, high = (int(word) for word in text.split(" ") if word.lstrip("-").isdigit())
        totals = [(eval(term, {"x": x, "y": y}), fails) for (x, y), fails in rows]
        assert all((total >= high if "exceeds" in text else total <= low) == fails for total, fails in totals)
    else:
        comparison = text.replace(" = ", " == ")
        assert all(eval(comparison, {"x": x, "y": y}) == fails for (x, y), fails in rows)
