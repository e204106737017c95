"""What is handed over: values as Python source, and how often something flaky is run."""

import ast
import enum
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.handover.handover import MAX_RUNS, MISS_CHANCE, runs_to_see
from rootward.diagnosis.handover.source import docstring, source
from rootward.errors import InputError
from rootward.rules import Estimate
from rootward.space.keys import canonical

# Values that were written as Python are the same values again.


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


# So many runs hardly miss what fails now and then.


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_hardly_missed(seen: tuple[int, int]) -> None:
    rate = Estimate.of(*seen)
    runs = runs_to_see(rate)
    assert 1 <= runs <= MAX_RUNS
    if rate.value == 1:
        assert runs == 1
    elif runs < MAX_RUNS:
        assert (1 - rate.value) ** runs < MISS_CHANCE
        assert (1 - rate.low) ** (runs - 1) >= MISS_CHANCE, "one run fewer would not do"


def test_what_was_not_measured_is_run_once() -> None:
    assert runs_to_see(Estimate(math.nan, 0.0, 1.0)) == 1
