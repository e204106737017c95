"""Values that were written as Python are the same values again."""

import ast
import enum
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.handover.source import docstring, source
from rootward.errors import InputError
from rootward.keys import canonical

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=20)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.tuples(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(values, st.sampled_from([0, 4, 8]))
def test_what_is_written_is_the_value(value: Any, indent: int) -> None:
    again = eval(source(value, indent), {"float": float, "__builtins__": {}})
    assert canonical(again) == canonical(value)
    assert type(again) is type(value)


@given(st.frozensets(st.integers() | st.text()), st.integers(10**5000, 10**5001))
def test_sets_and_very_long_numbers(some: frozenset[Any], huge: int) -> None:
    assert eval(source({"a": some, "b": set(some), "c": -huge})) == {"a": some, "b": set(some), "c": -huge}


def test_numbers_of_numpy_are_numbers() -> None:
    assert source([np.float64(0.5), np.int8(3), np.bool_(True)]) == "[0.5, 3, True]"
    assert math.isnan(eval(source(np.float32("nan"))))


def test_long_collections_have_a_line_for_each_item() -> None:
    assert source({"a": ["x" * 60, "y" * 60]}).splitlines()[1:4] == [
        '    "a": [',
        f'        "{"x" * 60}",',
        f'        "{"y" * 60}",',
    ]


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize("value", [object(), Colour.RED, [Colour.RED], {"a": print}])
def test_other_objects_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="cannot be written as Python"):
        source(value)


@given(st.text() | st.lists(st.sampled_from(['"', '"""', "\\", "\n", "a", "\u202e", "\r"])).map("".join))
def test_a_docstring_is_all_that_it_makes(text: str) -> None:
    tree = ast.parse(docstring(text))
    assert len(tree.body) == 1
    assert isinstance(ast.get_docstring(tree, clean=False), str)
    if text.isprintable():
        assert ast.get_docstring(tree, clean=False) == f"{text}\n"
