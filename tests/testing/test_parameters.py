"""Whatever is given to ``parametrize``, its values are told apart, fit the space, and come back from a worker."""

import enum
import itertools
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

import rootward as rw
from rootward.space.keys import canonical
from rootward.testing.parameters import bound_parameters, missing_combinations, plain_parameters, space_of
from rootward.testing.parametrised_test import read, write
from tests.properties import examples


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


@dataclass
class Spec:
    params: dict[str, Any]
    indices: dict[str, int]
    _idlist: list[str] = field(default_factory=list)


OBJECTS = [object(), object(), len, Color.RED, Color.BLUE, lambda: 0, lambda: 1, "long" * 50, {"a": object()}, int]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70) | st.binary(max_size=5)
PLAIN = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=2), SCALARS, max_size=1)
ODD = st.sampled_from([0, 0.0, -0.0, False, 1, 1.0, True, "1", "True", "a0", "x1", "|`<b>\n", float("nan"), 10**100])
TABLES = st.lists(st.tuples(*[ODD | PLAIN | st.sampled_from(OBJECTS)] * 2), min_size=2, max_size=6)


def specs(table: list[tuple[Any, ...]]) -> list[Spec]:
    return [Spec(dict(zip("axy", row, strict=False)), dict.fromkeys("axy", at)) for at, row in enumerate(table)]


@examples(50)
@given(TABLES)
def test_the_values_of_a_parameter_are_told_apart_and_fit_the_space(table: list[tuple[Any, ...]]) -> None:
    rows = plain_parameters(specs(table))
    space = space_of(rows)
    for name, column in zip("axy", zip(*table, strict=True), strict=False):
        values = [row[name] for row in rows]
        for (one, said), (other, also) in itertools.combinations(zip(column, values, strict=True), 2):
            if one is other:
                assert canonical(said) == canonical(also)
            elif canonical(said) == canonical(also):
                assert canonical(one) == canonical(other)
    for row in rows:
        if space is not None:
            space.check({name: row[name] for name in space})
        outcome = rw.Outcome(rw.Verdict.FAIL, signature="E in f (x.py:1)", detail="E")
        function, written, said = read(write("f", row, outcome))
        assert (function, said) == ("f", outcome)
        assert canonical(written) == canonical(row)


@examples(15)
@given(TABLES, st.data())
def test_any_history_can_be_explained(table: list[tuple[Any, ...]], data: st.DataObject) -> None:
    rows = plain_parameters(specs(table))
    space = space_of(rows)
    if space is not None:
        history = [({name: row[name] for name in space}, data.draw(st.booleans())) for row in rows]
        assert str(rw.causes(space, None, history))


@examples(30)
@given(st.sets(st.tuples(st.integers(0, 2), st.sampled_from("ab"), st.integers(0, 2)), min_size=1))
def test_what_is_missing_from_a_table(table: set[tuple[int, str, int]]) -> None:
    rows = [dict(zip("axy", row, strict=True)) for row in sorted(table)]
    space = space_of(rows)
    if space is None:
        return
    rows = [{name: row[name] for name in space} for row in rows]
    never = missing_combinations(space, rows, bound_parameters(space, rows))
    for values in itertools.product(*(space.values(name) for name in space)):
        combination = dict(zip(space, values, strict=True))
        assert never.holds(combination) == (combination not in rows)


def test_kinds_of_fields() -> None:
    space = space_of([{"a": True, "b": 3, "c": "x", "d": 1}, {"a": False, "b": 0.5, "c": None, "d": 1}])
    assert space == rw.Space({"a": rw.Bool(), "b": rw.Ordinal([0.5, 3]), "c": rw.Choice(["x", None])})
    assert space_of([{"d": 1}]) is None


def test_labels() -> None:
    table = [("id0", OBJECTS[0]), ("id1", OBJECTS[2]), ("id2", Color.RED), ("id3", OBJECTS[5]), ("id4", OBJECTS[6])]
    found = [row["x"] for row in plain_parameters([Spec({"x": v}, {"x": at}, [n]) for at, (n, v) in enumerate(table)])]
    assert found == ["id0", "id1", "id2", "id3", "id4"]
    tied = [
        row["x"]
        for row in plain_parameters([Spec({"a": 0, "x": v}, {"a": 0, "x": at}) for at, (_, v) in enumerate(table)])
    ]
    assert tied == ["x0", "len", str(Color.RED), "<lambda>", "x4"]


def test_the_plugin_is_light() -> None:
    code = "import sys, pytest; a = set(sys.modules); import rootward.testing; print(*sorted(set(sys.modules) - a))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["rootward", "rootward.testing"]


@pytest.mark.parametrize("values", [[1, True], [0, 0.0], ["1", 1], ["x1", object()]])
def test_look_alikes(values: list[Any]) -> None:
    rows = plain_parameters(specs([(value,) for value in values]))
    assert len({canonical(row["a"]) for row in rows}) == 2
    assert rw.causes(space_of(rows) or rw.Space({}), None, [(rows[0], True), (rows[1], False)]).causes
