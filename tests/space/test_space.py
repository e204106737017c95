"""The space: what fits is made plain, what does not is named."""

import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.space import keys
from rootward.space.fields import Kind
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space, Text
from tests.properties import examples
from tests.waiting import cpu_seconds

kinds = st.sampled_from(
    [Bool(), Int(), Int(0, 10), Float(), Float(0, 1, bits=32), Choice(["P", 1, [1], math.nan]), Ordinal("abc"), Text()]
)
spaces = st.builds(Space, st.dictionaries(st.text(), kinds, min_size=1, max_size=6))
seeds = st.integers(0, 2**32 - 1)
CAR = Space({"speed": Float(0, 100), "gear": Choice(["P", "R", "D"]), "n": Int(0, 10)})
NOMINAL = {"speed": 1.5, "gear": "P", "n": 3}


def test_a_space_reads_like_a_mapping_in_the_order_given():
    assert list(CAR) == ["speed", "gear", "n"] == list(CAR.names)
    assert len(CAR) == 3
    assert "gear" in CAR
    assert "Gear" not in CAR
    assert CAR["n"] == Int(0, 10)
    assert dict(CAR.items())["gear"] is CAR["gear"]
    assert CAR.values("gear") == ("P", "R", "D")
    assert CAR.values("n") == tuple(range(11))
    assert Space([("a", Bool())]) == Space({"a": Bool()})


def test_a_space_never_changes():
    with pytest.raises(AttributeError):
        CAR.names = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        CAR._fields = {}


@given(spaces, seeds)
def test_samples_fit_and_checking_is_idempotent(space, seed):
    configuration = space.sample(np.random.default_rng(seed))
    checked = space.check(configuration)
    assert keys.key(checked) == keys.key(configuration)
    assert list(checked) == list(space)


@given(spaces, seeds, st.randoms(use_true_random=False))
def test_the_key_does_not_depend_on_the_order_of_names(space, seed, random):
    configuration = space.sample(np.random.default_rng(seed))
    items = list(configuration.items())
    random.shuffle(items)
    assert space.key(dict(items)) == space.key(configuration) == keys.key(configuration)


@given(spaces, seeds, seeds)
def test_keys_are_equal_exactly_for_the_same_values(space, one, other):
    first, second = (space.sample(np.random.default_rng(seed)) for seed in (one, other))
    same = all(keys.canonical(first[name]) == keys.canonical(second[name]) for name in space)
    assert (space.key(first) == space.key(second)) == same


@given(spaces)
def test_a_space_survives_json_and_pickle(space):
    again = Space.from_dict(json.loads(json.dumps(space.to_dict(), allow_nan=False, sort_keys=True)))
    assert again == space == pickle.loads(pickle.dumps(space))
    assert list(again) == list(space)
    assert hash(again) == hash(space)


@examples(50)
@given(spaces, st.data())
def test_restriction_keeps_the_order_and_the_fields(space, data):
    kept = data.draw(st.sets(st.sampled_from(space.names), min_size=1))
    smaller = space.restrict(kept)
    assert list(smaller) == [name for name in space if name in kept]
    assert all(smaller[name] is space[name] for name in smaller)


def test_spaces_differ_by_fields_and_by_their_order():
    assert Space({"a": Bool(), "b": Int()}) != Space({"b": Int(), "a": Bool()})
    assert Space({"a": Choice([1])}) != Space({"a": Choice([True])})


def test_values_are_made_plain():
    checked = CAR.check({"n": np.int64(3), "gear": np.str_("P"), "speed": 2})
    assert checked == {"speed": 2.0, "gear": "P", "n": 3}
    assert [type(value) for value in checked.values()] == [float, str, int]


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        ({"speed": 1.0, "gear": "P"}, "missing field 'n'"),
        ({**NOMINAL, "sped": 1}, r"unknown field 'sped' \(did you mean 'speed'\?\)"),
        (
            {"speeed": 1.0, "gear": "P", "n": 3},
            r"missing field 'speed'; unknown field 'speeed' \(did you mean",
        ),
        ({**NOMINAL, 7: 1}, "unknown field 7$"),  # type: ignore[misc]
        ({**NOMINAL, "n": 11}, r"n = 11 \(int\): expected integer 0..10$"),
        ({**NOMINAL, "n": 11, "gear": "X"}, r"gear = 'X' \(str\): expected one of P, R, D \(and 1 more"),
        ([("n", 1)], "a configuration must be a mapping from names to values"),
    ],
)
def test_what_does_not_fit_is_named(configuration, said):
    with pytest.raises(InputError, match=said):
        CAR.check(configuration)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Space({}), "at least one field"),
        (lambda: Space([("a", Bool()), ("b", Bool()), ("a", Int())]), "'a' is given twice"),
        (lambda: Space({1: Bool()}), r"text, got 1 \(int\)"),  # type: ignore[arg-type]
        (
            lambda: Space({"a": [1, 2]}),  # type: ignore[arg-type]
            r"field 'a' is \[1, 2\] \(list\): expected one of Bool, Int",
        ),
        (lambda: Space({"a": Int}), "field 'a' is .*type"),  # type: ignore[arg-type]
        (lambda: CAR["sped"], "unknown field 'sped' .*did you mean 'speed'"),
        (lambda: CAR.values("zzz"), "unknown field 'zzz'$"),
        (lambda: CAR.restrict(["gear", "m"]), "unknown field 'm'"),
        (lambda: CAR.restrict([]), "at least one field"),
        (lambda: Space.from_dict({}), "fields"),
        (lambda: Space.from_dict({"fields": [{"kind": "Bool"}]}), "name"),
    ],
)
def test_mistakes_are_named(make, said):
    with pytest.raises(InputError, match=said):
        make()


def test_sizes():
    assert Space({"a": Bool(), "b": Int(0, 10), "c": Choice("xyz")}).size == 66
    assert Space({"a": Text(), "b": Int(bits=64)} | {f"f{i}": Float() for i in range(20)}).size == math.inf


def test_a_space_shows_a_few_fields():
    assert repr(Space({"a": Bool(), "n": Int(0, 10)})) == "<Space of 2: a: False or True, n: integer 0..10>"
    assert len(repr(Space({f"f{i}": Bool() for i in range(1000)}))) < 300


def test_many_unknown_names_make_a_short_message():
    with pytest.raises(InputError) as caught:
        CAR.check({f"f{i}": 1 for i in range(10_000)})
    assert "and 9992 more" in str(caught.value)
    assert len(str(caught.value)) < 300


def fastest(action):
    """The CPU time of the better of two, so that a busy machine does not matter."""
    return min(cpu_seconds(action) for _ in range(2))


@pytest.mark.rest
def test_twenty_thousand_fields():
    makers: list[Callable[[], Kind]] = [
        Float,
        lambda: Int(0, 10),
        Bool,
        lambda: Choice("PRD"),
        Text,
        lambda: Float(0, 1, bits=32),
    ]
    space = Space({f"field {i}": makers[i % 6]() for i in range(20_000)})
    configuration = space.sample(np.random.default_rng(0))
    assert fastest(lambda: Space({f"field {i}": makers[i % 6]() for i in range(20_000)})) < 8
    assert fastest(lambda: space.check(configuration)) < 1


def test_distinct_intervals_are_built_as_fast():
    starts = iter(range(0, 10**9, 10**4))  # none is ever built twice, and so none is remembered

    def build():
        start = next(starts)
        Space({f"f{i}": Float(i, i + 1) if i % 2 else Int(i, i + 10**6) for i in range(start, start + 2000)})

    assert fastest(build) < 4


def test_importing_the_space_loads_no_heavy_library():
    program = "import sys, rootward.space.space; print(sorted({'numpy', 'scipy'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
