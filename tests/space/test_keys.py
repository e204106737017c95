"""Identity of values: an encoding that can be decoded cannot confuse two of them."""

import enum
import math
import os
import struct
import subprocess
import sys
from collections import OrderedDict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.space.keys import canonical, key
from tests.properties import examples

text = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(["\ud800", "\udcff", "s1:a", "i1;"])
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.integers(-2, 2)
    | st.sampled_from([0.0, -0.0, 1.0, math.nan])
    | text
    | st.binary(max_size=8)
)
hashable = st.recursive(leaves, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4)
plain = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(hashable, inner, max_size=3) | hashable,
    max_leaves=12,
)
CONFUSABLE = [
    1,
    1.0,
    True,
    "1",
    b"1",
    [1],
    {1: 1},
    frozenset([1]),
    0,
    0.0,
    -0.0,
    False,
    math.nan,
    None,
    "",
    b"",
    [],
    {},
]


class Gear(enum.Enum):
    PARK = 1


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Point:
    x: object
    y: object


def decode(data: bytes) -> tuple[object, bytes]:
    """The shape of the first encoded value, and what follows it. Knows nothing of the encoder but its format."""
    tag, rest = data[:1], data[1:]
    if tag in (b"n", b"t", b"f"):
        return tag, rest
    if tag == b"d":
        return (tag, rest[:8]), rest[8:]
    if tag == b"i":
        digits, _, rest = rest.partition(b";")
        return (tag, int(digits, 16)), rest
    size, _, rest = rest.partition(b":")
    if tag in (b"s", b"b"):
        return (tag, rest[: int(size)]), rest[int(size) :]
    items = []
    for _ in range(int(size) * (2 if tag == b"m" else 1)):
        item, rest = decode(rest)
        items.append(item)
    if tag == b"m":
        return (tag, frozenset(zip(items[::2], items[1::2], strict=True))), rest
    return (tag, frozenset(items) if tag == b"S" else tuple(items)), rest


def shape(value: Any) -> object:
    """What ``decode`` must find, made from the value itself."""
    match value:
        case None:
            return b"n"
        case bool():
            return b"t" if value else b"f"
        case int():
            return b"i", value
        case float():
            return b"d", struct.pack(">d", math.nan if math.isnan(value) else value)
        case str():
            return b"s", value.encode("utf-8", "surrogatepass")
        case bytes():
            return b"b", value
        case dict():
            return b"m", frozenset((shape(k), shape(v)) for k, v in value.items())
        case frozenset():
            return b"S", frozenset(map(shape, value))
        case _:
            return b"l", tuple(map(shape, value))


@examples(50)
@given(plain)
@example([math.nan, "abi1;"])
def test_an_encoding_can_be_decoded_and_delimits_itself(value):
    assert decode(canonical(value) + b"tail") == (shape(value), b"tail")


@examples(50)
@given(plain, plain)
def test_keys_are_equal_exactly_for_the_same_value(one, other):
    assert (key(one) == key(other)) == (shape(one) == shape(other))


def test_nan_does_not_open_the_encoding_of_another_number():
    lookalike = struct.unpack(">d", b"nans5:ab")[0]
    assert key([math.nan, "abi1;"]) != key([lookalike, 1])


def test_what_python_confuses_is_told_apart():
    assert all(key(one) != key(other) for one, other in combinations(CONFUSABLE, 2))
    assert [key(value) for value in CONFUSABLE] == [key(value) for value in CONFUSABLE]


def test_every_nan_is_the_same_value():
    negative = struct.unpack(">d", bytes.fromhex("fff8000000000001"))[0]
    assert key(math.nan) == key(float("nan")) == key(negative) == key(np.float32("nan"))


@examples(50)
@given(st.dictionaries(hashable, leaves, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_a_mapping_does_not_matter(mapping, random):
    items = list(mapping.items())
    random.shuffle(items)
    assert key(mapping) == key(dict(items)) == key(OrderedDict(items))


@given(st.lists(leaves, max_size=5))
def test_lists_and_tuples_are_the_same_value(items):
    assert key(items) == key(tuple(items))


def test_huge_integers():
    assert len({key(10**5000), key(10**5000 + 1), key(-(10**5000))}) == 3


@pytest.mark.parametrize("held", [True, -3, 2.5, 2**63, "text", b"bytes"])
def test_a_numpy_scalar_is_the_value_it_holds(held):
    scalar = np.array([held])[0]
    assert type(scalar) is not type(held)
    assert key(scalar) == key(np.array(held)) == key(held)


def test_a_numpy_scalar_without_a_python_equal_has_a_key():
    assert key(np.longdouble(1)) == key(np.longdouble(1)) != key(np.longdouble(2))


def test_members_of_enumerations_are_neither_their_value_nor_each_other():
    values = [Gear.PARK, Level.LOW, 1, "Gear.PARK", Access.READ, Access.WRITE, Access.READ | Access.WRITE, Access(0)]
    assert len({key(value) for value in values}) == len(values)


def test_dataclasses_by_their_fields():
    assert key(Point(1, 2)) == key(Point(1, 2))
    assert len({key(point) for point in (Point(1, 2), Point(2, 1), Point(1.0, 2), {"x": 1, "y": 2})}) == 4


def test_what_cannot_be_told_apart_is_refused():
    with pytest.raises(InputError, match="generator"):
        key(_ for _ in ())


def test_a_key_is_short_hexadecimal_text():
    assert len(key("x")) == 32
    assert set(key("x")) <= set("0123456789abcdef")


def test_the_same_in_every_process():
    program = (
        "from rootward.space.keys import key\n"
        "print(key({'b': {'x', 'y', 'z', 1, 2.5}, 'a': [None, -0.0, float('nan'), '\\udcff', b'1', 10**40]}))"
    )
    seeds = ("0", "1", "4242")
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in seeds
    ]
    here = key({"a": [None, -0.0, math.nan, "\udcff", b"1", 10**40], "b": {2.5, 1, "z", "y", "x"}})
    assert {run.stdout.strip() for run in runs} == {here}
