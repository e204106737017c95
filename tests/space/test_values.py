"""Values through JSON and back: whatever can be told apart before can be told apart after."""

import enum
import json
import math
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.space.keys import key
from rootward.space.values import from_json, scalar, to_json
from tests.properties import examples

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)) | st.binary()
hashable = st.recursive(leaves, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4)
plain = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(hashable, inner) | hashable, max_leaves=12)


class Gear(enum.Enum):
    PARK = (1, 2)


class Outer:
    class Level(enum.IntEnum):
        LOW = 1


def through_json(value):
    return from_json(json.loads(json.dumps(to_json(value), allow_nan=False, sort_keys=True)))


@examples(50)
@given(plain)
def test_plain_data_comes_back_the_same(value):
    assert key(through_json(value)) == key(value)


def test_awkward_values_come_back_the_same():
    values = [10**5000, -(2**53) - 1, {"enum": [1]}, {"map": []}, {1: "a", "1": "b", 1.5: "c"}]
    assert key(through_json(values)) == key(values)


def test_integers_that_a_float_cannot_hold_are_written_as_text():
    assert to_json(2**53) == 2**53
    assert to_json(2**53 + 1) == {"int": hex(2**53 + 1)}


@pytest.mark.parametrize("member", [Gear.PARK, Outer.Level.LOW])
def test_members_of_enumerations_come_back_as_themselves(member):
    assert through_json(member) is member


def test_reading_never_imports_a_module():
    with pytest.raises(InputError, match="import this first"):
        from_json({"enum": ["this", "Gear", "PARK"]})


@pytest.mark.parametrize(
    "written",
    [
        {"enum": ["math", "pi", "PARK"]},
        {"enum": ["math", "missing", "PARK"]},
        {"enum": [__name__, "Gear", "REVERSE"]},
        {"object": "<x>"},
        {"bytes": "zz"},
        {"bytes": 1},
        {"a": 1, "b": 2},
        {},
        [{"int": "x"}],
    ],
)
def test_what_is_no_value_is_refused(written):
    with pytest.raises(InputError):
        from_json(written)


def test_any_object_can_be_written_but_is_refused_when_read():
    written = to_json(print)
    assert written == {"object": repr(print)}
    with pytest.raises(InputError, match="print"):
        from_json(written)


def test_a_set_is_written_in_the_same_order_in_every_process():
    assert to_json({"b", "a", "c"}) == {"set": ["a", "b", "c"]}


def test_numpy_scalars_become_python_values():
    assert type(scalar(np.float32(0.5))) is float
    assert type(scalar(np.array(3))) is int
    assert to_json(np.float64("inf")) == {"float": "inf"}
    assert to_json(np.bool_(True)) is True


def test_a_named_tuple_is_a_list():
    pair = namedtuple("pair", "a b")
    assert to_json(pair(1, math.nan)) == [1, {"float": "nan"}]
