"""The values inside of kept elements: what is not changed stays byte for byte, what is changed is read back."""

from __future__ import annotations

import csv
import io
import json
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward import InputError, Space
from rootward.formats.documents.registry import open_document
from rootward.formats.interfaces import flatten
from rootward.formats.parameters import Parameters, parameters
from rootward.space.candidate import Altered, Elements, key_of
from rootward.space.keys import canonical
from tests.properties import examples

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8)
NAMES = st.text(max_size=4) | st.sampled_from(["speed", "a.b", "x[0]", "time"])
NESTED = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


def saved(folder: Any, name: str, text: str) -> Path:
    path: Path = (folder.getbasetemp() if hasattr(folder, "getbasetemp") else folder) / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def found(elements: Any, kept: Any) -> Parameters:
    """The parameters, of which there are some."""
    inside = parameters(elements, kept)
    assert inside is not None
    return inside


def subsets(data: st.DataObject, count: int) -> list[int]:
    return sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))


def another(data: st.DataObject, inside: Parameters) -> dict[str, Any]:
    """A configuration of the space."""
    return inside.space.sample(np.random.default_rng(data.draw(st.integers(0, 2**32))))


def same(one: Any, other: Any) -> bool:
    return canonical(one) == canonical(other)


# Plain lists


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Command:
    kind: str
    at: Point
    seen: object = object


def test_items_of_a_list_are_named_as_reduce_counts_them() -> None:
    elements = ["go", 7, {"speed": 1.5, "tags": ["a", True]}, b"raw"]
    inside = found(elements, [1, 2, 3])
    assert inside.names == ("E2", "E3", "E4")
    assert inside.failing == {"E2": 7, "E3.speed": 1.5, "E3.tags[0]": "a", "E3.tags[1]": True}
    assert inside.space.names == tuple(inside.failing)
    assert inside.reorderable
    changed = inside.alter({"E2": -1, "E3.tags[1]": False}, order=[2, 0, 1])
    assert changed == [b"raw", -1, {"speed": 1.5, "tags": ["a", False]}]
    assert elements[2] == {"speed": 1.5, "tags": ["a", True]}


def test_objects_keep_their_types() -> None:
    elements = [Command("go", Point(1, 2)), Point(3, 4)]
    inside = found(elements, [0, 1])
    assert inside.failing == {"E1.kind": "go", "E1.at[0]": 1, "E1.at[1]": 2, "E2[0]": 3, "E2[1]": 4}
    assert inside.alter({"E1.at[1]": 9, "E2[0]": 0}) == [Command("go", Point(1, 9)), Point(0, 4)]


@examples(40)
@given(elements=st.lists(NESTED, min_size=1, max_size=5), data=st.data())
def test_altered_items_hold_the_configuration(elements: list[Any], data: st.DataObject) -> None:
    kept = subsets(data, len(elements))
    inside = parameters(elements, kept)
    if inside is None:
        assert all(isinstance(leaf, list | dict) for i in kept for leaf in flatten(elements[i]).values())
        return
    assert all(one is elements[i] for one, i in zip(inside.alter(inside.failing), kept, strict=True))
    configuration = another(data, inside)
    altered = inside.alter(configuration)
    assert same(found([*altered], range(len(kept))).failing.values(), configuration.values())
    fixed = [{**flatten(elements[i])} for i in kept]
    assert [list(flatten(one)) for one in altered] == [list(one) for one in fixed]


# Messages and rows

CELLS = st.text(alphabet='ab ,"\n\r7é', max_size=5) | st.integers(-9, 9).map(str)


def as_csv(rows: list[list[str]], ending: str) -> str:
    out = io.StringIO(newline="")
    quoting: Any = csv.QUOTE_MINIMAL if ending == "\r\n" else csv.QUOTE_ALL  # else a lone \r would end a row
    csv.writer(out, lineterminator=ending, quoting=quoting).writerows(rows)
    return out.getvalue()


def records(data: bytes) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(data.decode("utf-8", "surrogatepass"), newline="")) if row]


@examples(30)
@given(
    rows=st.lists(st.tuples(CELLS, st.integers(-5, 5).map(str), CELLS), min_size=1, max_size=5),
    ending=st.sampled_from(["\n", "\r\n"]),
    ended=st.booleans(),
    by=st.sampled_from(["rows", "messages"]),
    data=st.data(),
)
def test_cells_are_changed_and_all_others_stay(
    tmp_path_factory: Any, rows: list[Any], ending: str, ended: bool, by: str, data: st.DataObject
) -> None:
    table = [["name", "n", "note", "t"], *([*row, str(i)] for i, row in enumerate(rows))]
    text = as_csv(table, ending)
    document: Any = open_document(saved(tmp_path_factory, "a.csv", text if ended else text.removesuffix(ending)), by)
    kept = subsets(data, len(rows))
    plain = document.render([document[i] for i in kept])
    inside = found(document, kept)
    assert document.render(inside.alter(inside.failing)) == plain
    configuration, order = another(data, inside), data.draw(st.permutations(range(len(kept))))
    changed = records(document.render(inside.alter(configuration, order)))
    assert changed[0] == table[0]
    for place, row in zip(order, changed[1:], strict=True):
        name = inside.names[place]
        said = {column: configuration[f"{name}.{column}"] for column in ("name", "n", "note")}
        assert [said["name"], said["note"]] == [_read(row[0], said["name"]), _read(row[2], said["note"])]
        assert row[1] == str(said["n"])
    times = [row[3] for row in changed[1:]]
    if by == "messages":
        assert times == [str(i) for i in kept]
    else:
        assert times == [str(configuration[f"{inside.names[place]}.t"]) for place in order]


def _read(cell: str, like: Any) -> Any:
    return cell if isinstance(like, str) else None if not cell.strip() else type(like)(cell)


@examples(30)
@given(
    contents=st.lists(st.dictionaries(NAMES.filter("time".__ne__), NESTED, max_size=3), min_size=1, max_size=4),
    timing=st.sampled_from(["keep", "close"]),
    ended=st.booleans(),
    data=st.data(),
)
def test_messages_say_what_the_configuration_says_at_their_times(
    tmp_path_factory: Any, contents: list[dict[str, Any]], timing: str, ended: bool, data: st.DataObject
) -> None:
    lines = [json.dumps({"time": i, **content}) for i, content in enumerate(contents)]
    path = saved(tmp_path_factory, "a.jsonl", "\n".join(lines) + "\n" * ended)
    document: Any = open_document(path, "messages", timing=timing)
    kept = subsets(data, len(contents))
    plain = document.render([document[i] for i in kept])
    inside = parameters(document, kept)
    if inside is None:
        return
    assert document.render(inside.alter(inside.failing)) == plain
    configuration, order = another(data, inside), data.draw(st.permutations(range(len(kept))))
    changed = [json.loads(line) for line in document.render(inside.alter(configuration, order)).splitlines()]
    assert [line.pop("time") for line in changed] == [json.loads(line)["time"] for line in plain.splitlines()]
    assert list(map(list, changed)) == [list(contents[kept[place]]) for place in order]
    again = found(changed, range(len(kept))) if configuration else None
    said = {
        f"E{slot + 1}{name[len(f'M{place}') :]}": configuration[name]
        for slot, place in enumerate(order)
        for name in configuration
        if _of(name, f"M{place}")
    }
    assert again is not None
    assert same(again.failing, said)


def _of(name: str, element: str) -> bool:
    return name.startswith((f"{element}.", f"{element}["))


def test_the_text_of_a_message_is_what_it_says_now(tmp_path: Path) -> None:
    text = '{"t": 0.50, "mode": "A", "v": 1.50}\n{"mode": "B", "t": 1, "deep": {"v": null}}'
    log: Any = open_document(saved(tmp_path, "log.jsonl", text), "messages")
    inside = found(log, [0, 1])
    assert inside.failing == {"M0.mode": "A", "M0.v": 1.5, "M1.mode": "B", "M1.deep.v": None}
    first, second = inside.alter({"M0.mode": "é"}, order=[1, 0])
    assert str(first) == '{"mode": "B", "t": 0.50, "deep": {"v": null}}'
    assert log.render([first, second]).decode() == f'{first}\n{{"t": 1, "mode": "\\u00e9", "v": 1.50}}'
    assert first.time == 0.5


def test_a_column_says_what_its_cells_could_be(tmp_path: Path) -> None:
    text = "id,age,ok,,name\n007,41,True,x,Ada\n008,,False,y,\n009,3.5,False,z,Bob\n"
    table: Any = open_document(saved(tmp_path, "people.csv", text))
    inside = found(table, [0, 1])
    assert inside.names == ("R1", "R2")
    assert inside.failing["R1.age"] == 41.0
    assert inside.failing["R2.age"] is None
    assert {3.5, 41.0} < set(inside.space.values("R1.age"))
    assert None in inside.space.values("R2.age")
    assert None not in inside.space.values("R1.age")
    assert isinstance(inside.space["R1.ok"], rw.Bool)
    assert inside.failing["R1.id"] == "007", "a name, not a number"
    changed = inside.alter({"R1.ok": False, "R1.age": 3.5, "R2.age": None, "R2.name": 'a "b"'})
    assert table.render(changed).decode() == 'id,age,ok,,name\n007,3.5,False,x,Ada\n008,,False,y,"a ""b"""\n'


# JSON documents


@examples(30)
@given(content=st.dictionaries(NAMES, NESTED, min_size=1, max_size=3) | st.lists(NESTED, min_size=1), data=st.data())
def test_leaves_of_a_document(tmp_path_factory: Any, content: Any, data: st.DataObject) -> None:
    document: Any = open_document(saved(tmp_path_factory, "a.json", json.dumps(content, indent=1)), "json")
    kept = Elements(document, parents=document.parents).pick(subsets(data, len(document))).kept
    inside = parameters(document, kept)
    if inside is None:
        return
    parts = [document[i] for i in kept]
    assert document.render(inside.alter(inside.failing)) == document.render(parts)
    assert key_of(Altered(inside.failing, inside.alter(inside.failing))) == key_of(Elements(document).pick(kept))
    whole = found(document, range(len(document)))
    configuration = another(data, whole)
    changed = json.loads(document.render(whole.alter(configuration)))
    leaves = {name: value for name, value in flatten(changed).items() if name in configuration}
    assert same(leaves, configuration)
    assert list(flatten(changed)) == list(flatten(content))


def test_two_members_of_one_name_are_two_values(tmp_path: Path) -> None:
    document: Any = open_document(saved(tmp_path, "a.json", '{"a": 1, "a" : [2, {}]}'))
    inside = found(document, range(len(document)))
    assert inside.failing == {"a": 1, "a[0]": 2}
    assert document.render(inside.alter({"a": 5, "a[0]": 6})) == b'{"a": 5, "a" : [6, {}]}'


# What the user says, and what cannot be


def test_only_some_values_may_vary(tmp_path: Path) -> None:
    elements = [{"speed": 3, "gear": "P"}, {"speed": 4}, 5]
    inside = found(elements, [0, 2])
    only = inside.restrict(Space({"E1.speed": rw.Float(0, 10), "E2.speed": rw.Int()}))
    assert only is not None
    assert only.space == Space({"E1.speed": rw.Float(0, 10)})
    assert same(only.failing, {"E1.speed": 3.0})
    assert only.alter(only.failing) == [elements[0], 5]
    assert only.alter(only.failing)[0] is elements[0], "3.0 is what 3 stands for: nothing has changed"
    assert only.alter({"E1.speed": 2.5}) == [{"speed": 2.5, "gear": "P"}, 5]
    assert inside.restrict(Space({"E2.speed": rw.Int()})) is None
    with pytest.raises(InputError, match=r"no element has a value 'E1\.sped'; did you mean 'E1\.speed'\?"):
        inside.restrict(Space({"E1.sped": rw.Int()}))
    with pytest.raises(InputError, match=r"E1\.speed = 3"):
        inside.restrict(Space({"E1.speed": rw.Int(5, 9)}))
    with pytest.raises(InputError, match=r"unknown field 'E1\.gear'"):
        only.alter({"E1.gear": "R"})


def test_a_member_of_all_elements_may_be_named_once(tmp_path: Path) -> None:
    text = '{"t": 0, "speed": 1, "at": {"x": 5}}\n{"t": 1, "gear": 2}\n{"t": 2, "speed": 3}\n{"t": 3, "lost": 4}\n'
    log: Any = open_document(saved(tmp_path, "log.jsonl", text), "messages")
    inside = found(log, [0, 1, 2])
    domains = {"speed": rw.Int(0, 9), "at.x": rw.Int(0, 7), "lost": rw.Int(), "M2.speed": rw.Int(0, 5)}
    only = inside.restrict(Space(domains))
    assert only is not None
    assert only.space == Space({"M0.speed": rw.Int(0, 9), "M0.at.x": rw.Int(0, 7), "M2.speed": rw.Int(0, 5)})
    assert only.failing == {"M0.speed": 1, "M0.at.x": 5, "M2.speed": 3}
    with pytest.raises(InputError, match="no element has a value 'sped'"):
        inside.restrict(Space({"sped": rw.Int()}))


@pytest.mark.parametrize("suffix", ["csv", "list"])
def test_a_member_that_only_removed_elements_have_is_passed_over(tmp_path: Path, suffix: str) -> None:
    rows = open_document(saved(tmp_path, "rows.csv", "a,b\n1,2\n3,4\n"))
    elements: Any = rows if suffix == "csv" else [{"a": 1}, {"b": 2}]
    inside = found(elements, [0])
    assert inside.restrict(Space({"b": rw.Int()})) is None or suffix == "csv"
    only = inside.restrict(Space({"a": rw.Int(), "b": rw.Int()}))
    assert only is not None
    assert only.space.names == (("R1.a", "R1.b") if suffix == "csv" else ("E1.a",))
    with pytest.raises(InputError, match="no element has a value 'c'"):
        inside.restrict(Space({"c": rw.Int()}))


def test_what_was_removed_may_be_named(tmp_path: Path) -> None:
    log: Any = open_document(saved(tmp_path, "log.jsonl", '{"t": 0, "a": 1}\n' * 3), "messages")
    table: Any = open_document(saved(tmp_path, "a.csv", "a\n1\n2\n3\n"))
    tree: Any = open_document(saved(tmp_path, "a.json", '{"a": 1, "b": 2}'))
    for document, kept, there, gone in (log, [2], "M0.a", "M1.a"), (table, [2], "R3.a", "R1.a"), (tree, [0], "a", "b"):
        inside = found(document, kept)
        only = inside.restrict(Space({there: rw.Int(0, 9), gone: rw.Int()}))
        assert only is not None
        assert only.space.names == (there,)
        for unknown in ("M3.a", "R4.a", "R0.a", "c"):
            with pytest.raises(InputError, match="no element has a value"):
                inside.restrict(Space({unknown: rw.Int()}))


def test_an_order_is_a_permutation(tmp_path: Path) -> None:
    inside = found([1, 2, 3], [0, 2])
    with pytest.raises(InputError, match=r"must list each of 0\.\.1 once, not \[0, 0\]"):
        inside.alter({}, order=[0, 0])
    tree = found(open_document(saved(tmp_path, "a.json", "[1, 2]")), [0, 1])
    assert not tree.reorderable
    assert tree.alter({}, order=[0, 1]) == tree.alter({})
    with pytest.raises(InputError, match="these elements cannot be reordered"):
        tree.alter({}, order=[1, 0])


def test_parameters_can_travel_to_another_process(tmp_path: Path) -> None:
    log: Any = open_document(saved(tmp_path, "log.csv", "t,a\n0,1\n1,2\n"), "messages")
    tree: Any = open_document(saved(tmp_path, "a.json", '{"a": 1}'))
    for elements, changed in ([{"a": 1}], {"E1.a": 5}), (log, {"M0.a": 5}), (tree, {"a": 5}):
        inside = found(elements, range(len(elements)))
        there = pickle.loads(cloudpickle.dumps(inside))
        assert there.alter(changed) == inside.alter(changed)


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.txt", "1\n2\n"), ("a.yaml", "a: 1\n"), ("a.xml", "<a><b/></a>"), ("a.json", '{"a": [], "b": {}}')],
)
def test_nothing_can_vary(tmp_path: Path, name: str, text: str) -> None:
    document: Any = open_document(saved(tmp_path, name, text))
    assert parameters(document, range(len(document))) is None
    assert parameters(list(document), range(len(document))) is None
    assert parameters([object(), b"raw", [], {}], range(4)) is None
