"""Documents: flat and nested are two forms of the same, and a sample is a member of the space around it."""

import json
import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.interfaces import flatten, from_document, nest
from rootward.space.keys import canonical
from rootward.space.space import Bool, Choice, Float, Int, Ordinal, Space, Text
from tests.properties import examples

keys = st.text(st.sampled_from('ab0._["]\\ \n'), max_size=3) | st.text(max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
documents = st.recursive(
    scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3), max_leaves=12
)


@given(documents)
@example([])
@example({})
@example(0)
@example({"": {"": []}})
@example([[], [{}], [[0]]])
@example({"a.b": {"[0]": 1}, "a": {"b": 2}})
def test_nest_is_the_inverse_of_flatten(document):
    flat = flatten(document)
    assert canonical(nest(flat)) == canonical(document)
    assert flatten(nest(flat)).keys() == flat.keys()


@given(documents)
def test_flatten_is_the_inverse_of_nest_whatever_the_order(document):
    flat = flatten(document)
    backwards = dict(reversed(flat.items()))
    assert canonical(flatten(nest(backwards))) == canonical(flat)


@examples(40)
@given(documents)
def test_a_sample_is_in_its_space_and_is_tried(document):
    flat = flatten(document)
    space = from_document(document if not isinstance(document, str) else [document])
    if isinstance(document, str):
        flat = {"[0]": document}
    assert canonical(space.check(flat)) == canonical(flat)
    for name, value in flat.items():
        assert canonical(value) in [canonical(tried) for tried in space.values(name)]
        assert space[name].contains(space[name].decompress(space[name].compress(value)))
    assert Space.from_dict(json.loads(json.dumps(space.to_dict()))) == space


def test_names():
    assert flatten({"a": {"b": [{"c": 1}, {}]}, "x.y": []}) == {"a.b[0].c": 1, "a.b[1]": {}, '["x.y"]': []}
    assert flatten([1, [2]]) == {"[0]": 1, "[1][0]": 2}
    assert flatten("text") == {"": "text"}
    assert flatten({"a": (1, 2)}) == {"a[0]": 1, "a[1]": 2}


@pytest.mark.parametrize(
    ("flat", "message"),
    [
        ({"a": 1, "a.b": 2}, "a.b and another field overlap"),
        ({"a.b": 1, "a": 2}, "a and another field overlap"),
        ({"": 1, "a": 2}, "a and another field overlap"),
        ({"a": 1, "": 2}, "the top level and another field overlap"),
        ({"a.b": 1, "a[0]": 2}, "a is used both as an object .with keys. and as a list"),
        ({"a[0]": 1, "a[2]": 2}, r"a\[1\] is missing"),
        ({"a b": 1}, "'a b' is not a valid path in a document"),
        ({}, "no fields"),
    ],
)
def test_names_that_do_not_fit_together(flat, message):
    with pytest.raises(InputError, match=message):
        nest(flat)


def test_a_key_that_is_no_text():
    with pytest.raises(InputError, match=r"a\[0\]: the keys of an object must be strings, not 1"):
        flatten({"a": [{1: 2}]})


def test_the_kinds_of_leaves():
    document = {"b": True, "i": 7, "f": 0.25, "t": "hello", "n": None, "l": [], "o": {}}
    space = from_document(document)
    assert space["b"] == Bool()
    assert isinstance(space["i"], Int)
    assert (space["i"].bits, space["i"].signed) == (64, True)
    assert 7 in space.values("i")
    assert set(Int(bits=64).values) <= set(space.values("i"))
    assert isinstance(space["f"], Float)
    assert 0.25 in space.values("f")
    assert isinstance(space["t"], Text)
    assert space.values("t") == (*Text().values, "hello")
    assert isinstance(space["n"], Choice)
    assert space.values("n")[0] is None
    assert {type(value) for value in space.values("n")} == {type(None), bool, int, float, str}
    assert (space.values("l"), space.values("o")) == (([],), ({},))


def test_a_value_that_is_tried_anyway_changes_nothing():
    assert from_document({"a": 0, "b": "", "c": math.nan}) == Space({"a": Int(bits=64), "b": Text(), "c": Float()})


def test_an_extended_field_equals_one_made_in_full():
    space = from_document({"a": 7, "b": -0.3, "c": "x"})
    assert space["a"] == Int(bits=64, values=[*Int(bits=64).values, 7])
    most = sys.float_info.max
    assert space["b"] == Float(-most, most, values=[*Float(-most, most).values, -0.3])
    assert space["c"] == Text([*Text().values, "x"])


def test_numbers_are_finite_as_json_has_them_unless_the_sample_is_not():
    space = from_document({"a": 1.5, "b": math.inf})
    assert all(map(math.isfinite, space.values("a")))
    assert math.inf in space.values("b")


def test_large_integers_are_kept():
    space = from_document([2**63, 2**64, -(2**70)])
    assert space["[0]"] == Int(bits=64, signed=False)
    assert isinstance(space["[1]"], Ordinal)
    assert space.values("[1]")[-1] == 2**64
    assert space.values("[2]")[0] == -(2**70)
    assert list(space.values("[2]")) == sorted(space.values("[2]"))


def test_what_is_no_json():
    with pytest.raises(InputError, match=r"a\[0\] = b'x' \(bytes\): expected a JSON value"):
        from_document({"a": [b"x"]})


@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_a_file(tmp_path, kind):
    path = tmp_path / "sample.json"
    path.write_text('{"a": [1, 2.5]}', encoding="utf-8-sig")
    assert from_document(kind(path)) == from_document({"a": [1, 2.5]})


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=r"none\.json cannot be read: No such file"):
        from_document(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(InputError, match=r"bad\.json is not JSON: .*line 1 column 2"):
        from_document(tmp_path / "bad.json")
    (tmp_path / "latin.json").write_bytes(b'"\xff"')
    with pytest.raises(InputError, match=r"latin\.json cannot be read"):
        from_document(tmp_path / "latin.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"nested too deeply"):
        from_document(tmp_path / "deep.json")
