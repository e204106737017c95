"""Which fields matter: with shorter lists of values."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from rootward.searches.products.relevant_fields import MAX_VALUES, shorten_lists
from rootward.space.space import Choice, Field, Float, Int, Space, Text

# Shorter lists of values: of the same fields, from the same lists, with what is exceptional in them.


numbers = st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=80, unique=True)
fields = st.one_of(
    numbers.map(lambda values: Int(values=sorted(values))),
    st.sampled_from([Int(), Int(0, 9), Int(bits=8), Float(), Float(-1, 1), Text(), Choice("abc")]),
    st.integers(1, 60).map(lambda n: Choice([f"v{i}" for i in range(n)])),
)


@given(fields)
def test_a_short_list_is_a_part_of_the_long_one(field: Field) -> None:
    [(_, short)] = shorten_lists(Space({"x": field}), {}).items()
    whole, kept = [list(map(repr, one.values)) for one in (field, short)]
    assert set(kept) <= set(whole)
    assert type(short) is type(field)
    if len(whole) <= MAX_VALUES or isinstance(field, Choice):
        assert kept == whole
    else:
        assert 2 <= len(kept) <= MAX_VALUES + 5


def test_exceptional_values_stay() -> None:
    short = shorten_lists(Space({"i": Int(), "f": Float()}), {})
    assert {-1, 0, 1, -(2**31), 2**31 - 1} <= set(short.values("i"))
    assert {math.inf, -math.inf} <= set(short.values("f"))
    assert any(math.isnan(value) for value in short.values("f"))


def test_what_is_fixed_has_one_value() -> None:
    short = shorten_lists(Space({"a": Int(0, 100), "b": Choice("xy")}), {"b": "y"})
    assert list(short) == ["a", "b"]
    assert list(short.values("b")) == ["y"]
