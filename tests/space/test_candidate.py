"""Candidates: what a subject gets, what names them, and what the store keeps of them."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.space.candidate import Altered, Elements, Selection, dump, key_of, ranges, realise, to_json
from rootward.space.keys import key

LETTERS = Elements("abcdef")


# Selections


def test_a_selection_keeps_the_order_of_its_list() -> None:
    picked = LETTERS.pick([4, 0, 2])
    assert picked.kept == (0, 2, 4)
    assert picked.items == ["a", "c", "e"]
    assert len(picked) == 3
    assert LETTERS.pick([1, 1]).items == ["b"]


def test_all_and_without() -> None:
    assert LETTERS.all.items == list("abcdef")
    assert LETTERS.all.without([0, 5, 99]).items == list("bcde")
    assert len(Elements([]).all) == 0


def test_equal_selections() -> None:
    assert LETTERS.pick([0, 1]) == LETTERS.pick([1, 0])
    assert LETTERS.pick([0, 1]) == Elements("abcdef").pick([0, 1])
    assert hash(LETTERS.pick([0, 1])) == hash(Elements("abcdef").pick([0, 1]))
    assert LETTERS.pick([0]) != LETTERS.pick([1])
    assert LETTERS.pick([0]) != Elements("abcdeg").pick([0])
    assert Elements([1]).all != Elements([True]).all
    assert LETTERS.pick([0]) != (0,)


def test_findings_are_equal_when_their_answers_are() -> None:
    def found() -> rw.Reduction[str]:
        return rw.reduce("abcdef", rw.fails_when(lambda kept: "c" in kept))

    assert found() == found()
    assert found() != rw.reduce("abcdef", rw.fails_when(lambda kept: "d" in kept))


# Pins and trees


def test_what_is_pinned_is_always_there() -> None:
    elements = Elements("abcdef", pinned=[1, 4])
    assert elements.free == (0, 2, 3, 5)
    assert elements.pick([]).items == ["b", "e"]
    assert elements.all.without(range(6)).items == ["b", "e"]
    assert elements.pick([0]).free == [0]
    assert Elements("ab").pick([]).free == []


TREE = Elements("abcdefg", parents=[None, 0, 1, 0, None, 4, 4])


def test_what_lies_in_an_element_goes_with_it() -> None:
    assert TREE.all.without([0]).items == ["e", "f", "g"]
    assert TREE.all.without([1]).items == ["a", "d", "e", "f", "g"]
    assert TREE.pick([2, 3]).items == [], "nothing is there without what it lies in"
    assert TREE.pick([0, 2, 3]).items == ["a", "d"]


def test_what_a_pinned_element_lies_in_is_pinned() -> None:
    elements = Elements("abcdefg", pinned=[2], parents=TREE.parents)
    assert elements.pinned == {0, 1, 2}
    assert elements.all.without(range(7)).items == ["a", "b", "c"]


@given(st.lists(st.integers(0, 10**6), max_size=20), st.data())
def test_every_selection_of_a_tree_holds_what_its_elements_lie_in(draws: list[int], data: st.DataObject) -> None:
    n = len(draws)
    parents = [draw % (i + 1) - 1 for i, draw in enumerate(draws)]
    some = st.frozensets(st.integers(0, max(n - 1, 0)), max_size=n) if n else st.just(frozenset[int]())
    tree = Elements(range(n), pinned=data.draw(some), parents=[None if parent < 0 else parent for parent in parents])
    picked = tree.pick(data.draw(some))
    less = picked.without(dropped := data.draw(some))
    for selection in (picked, less):
        assert all(parents[i] < 0 or parents[i] in selection.kept for i in selection.kept)
        assert tree.pinned <= set(selection.kept)
        assert tree.pick(selection.kept) == selection
    assert set(less.kept) <= set(picked.kept)
    assert not (dropped - tree.pinned) & set(less.kept)


def test_a_selection_can_travel() -> None:
    picked = LETTERS.pick([1, 3])
    copy = pickle.loads(pickle.dumps(picked))
    assert copy == picked
    assert key_of(copy) == key_of(picked)


def test_a_selection_says_what_it_is() -> None:
    assert repr(LETTERS.pick([0, 1, 2, 4])) == "Selection(0-2,4 of 6)"


@given(st.frozensets(st.integers(0, 60)))
def test_ranges(positions: frozenset[int]) -> None:
    text = ranges(sorted(positions))
    spans = [[int(end) for end in part.split("-")] for part in text.split(",")] if text else []
    assert [i for span in spans for i in range(span[0], span[-1] + 1)] == sorted(positions)
    assert all(after[0] > before[-1] + 1 for before, after in itertools.pairwise(spans)), "not merged"


# Keys


def test_the_key_is_that_of_what_the_subject_sees() -> None:
    twins = Elements(["x", "y", "x"])
    assert key_of(twins.pick([0])) == key_of(twins.pick([2])) == key_of(Elements(["x"]).all)
    assert key_of(twins.pick([0, 1])) != key_of(twins.pick([1, 2])), "the order differs"
    assert key_of(twins.pick([0, 2])) != key_of(twins.pick([0]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1], [True]),
        ([1], [1.0]),
        ([0.0], [-0.0]),
        (["ab"], ["a", "b"]),
        ([["a"], "b"], [["a", "b"]]),
        (["a"], [b"a"]),
        ([None], []),
    ],
)
def test_what_a_subject_can_tell_apart_has_different_keys(one: list[Any], other: list[Any]) -> None:
    assert key_of(Elements(one).all) != key_of(Elements(other).all)


def test_configurations() -> None:
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) == key_of(MappingProxyType({"a": 1, "b": 2}))
    assert key_of({"a": math.nan}) == key_of({"a": float("nan")})
    assert key_of({"a": 1}) != key_of({"a": "1"})
    assert key_of({"a": 1}) == key({"a": 1})


def test_an_element_without_identity_is_refused() -> None:
    with pytest.raises(rw.InputError, match="generator"):
        key_of(Elements([(i for i in range(3))]).all)


# What the subject gets


def test_the_subject_gets_its_own_copy() -> None:
    configuration = OrderedDict(a=1)
    got = realise(configuration)
    assert type(got) is dict
    got["a"] = 2
    assert configuration == {"a": 1}
    items = realise(LETTERS.all)
    items.clear()
    assert LETTERS.all.items == list("abcdef")
    assert realise("as it is") == "as it is"


@pytest.mark.parametrize("value", [[[1]], {"a": [1]}, ([1],), {1}, bytearray(b"x"), [{"a": ({1}, [2])}]], ids=repr)
def test_the_copy_goes_all_the_way_down(value: Any) -> None:
    def parts(value: Any) -> list[Any]:
        if isinstance(value, dict | list | tuple):
            inner = value.values() if isinstance(value, dict) else value
            return [value, *(part for item in inner for part in parts(item))]
        return [value] if isinstance(value, set | bytearray) else []

    for got in (realise({"field": value})["field"], realise(Elements([value]).all)[0], realise(value)):
        assert got == value
        assert type(got) is type(value)
        changeable = [part for part in parts(value) if not isinstance(part, tuple)]
        assert not {id(part) for part in parts(got)} & {id(part) for part in changeable}


def test_objects_stay_themselves() -> None:
    class Thing:
        pass

    thing = Thing()
    assert realise(Elements([thing, [thing]]).all)[1][0] is thing


# What the store keeps


def test_to_json() -> None:
    assert json.loads(to_json(LETTERS.pick([0, 1, 5]))) == {"kept": "0-1,5", "of": 6}
    assert json.loads(to_json({"a": [1, 2.5, None, True]})) == {"a": [1, 2.5, None, True]}


def test_values_that_json_lacks() -> None:
    value = {
        "numpy": np.int64(3),
        "set": {3, 1, 2},
        "bytes": b"\xffa",
        "mapping": MappingProxyType({"x": 1}),
        "float": -math.inf,
        "verdict": rw.Verdict.FAIL,
        "lone": "\ud800",
    }
    text = dump(value)
    assert text.isascii()
    assert json.loads(text) == {
        "numpy": 3,
        "set": [1, 2, 3],
        "bytes": "\udcffa",
        "mapping": {"x": 1},
        "float": -math.inf,
        "verdict": "Verdict.FAIL",
        "lone": "\ud800",
    }


def test_selections_are_hashable_and_cheap() -> None:
    elements = Elements(range(1000))
    assert len({Selection(elements, range(i)) for i in range(50)} | {elements.pick(range(i)) for i in range(50)}) == 50


# Altered elements


def test_an_altered_selection_is_told_by_its_fields() -> None:
    altered = Altered({"E1.n": 2}, [{"n": 2}, "b"])
    assert json.loads(to_json(altered)) == {"E1.n": 2}
    turned = Altered({"E1.n": 2, "(order)": 0}, ["b", {"n": 2}], order=("E2", "E1"))
    assert json.loads(to_json(turned)) == {"E1.n": 2, "(order)": 0, "((order))": ["E2", "E1"]}
    assert repr(altered) == "Altered({'E1.n': 2})"
    assert len(altered) == 2


def test_an_altered_selection_is_what_the_subject_gets() -> None:
    items = [{"n": 2}, "b"]
    assert Altered({"E1.n": 2}, items) == Altered({}, items)
    assert hash(Altered({"E1.n": 2}, items)) == hash(Altered({}, items))
    assert Altered({}, items) != Altered({}, [{"n": 2.0}, "b"])
    assert Altered({}, items) != Altered({}, items[::-1])
    assert key_of(Altered({}, items)) == key_of(Elements(items).all), "nothing is altered: a known trial answers"
    mine = realise(Altered({}, items))
    mine[0]["n"] = 3
    assert items == [{"n": 2}, "b"]
