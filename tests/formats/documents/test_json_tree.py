"""JSON as a tree: what is left is the value without the parts that were left out, and the rest of the text stays."""

import json
import pickle
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.json_tree import JsonTree
from rootward.space.candidate import Elements
from tests.waiting import cpu_seconds


class Members(list):
    """An object, as the list of its members: names may come twice."""


BLANKS = st.sampled_from(["", "", " ", "\n", "\t", "\r\n  "])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=4) | st.lists(st.tuples(st.text(max_size=3), below), max_size=4).map(Members)
    ),
    max_leaves=25,
)


def written(value, draw):
    def blank():
        return draw(BLANKS)

    if isinstance(value, Members):
        items = [
            f"{blank()}{json.dumps(name)}{blank()}:{blank()}{written(below, draw)}{blank()}" for name, below in value
        ]
        return "{" + (",".join(items) or blank()) + "}"
    if isinstance(value, list):
        return "[" + (",".join(f"{blank()}{written(below, draw)}{blank()}" for below in value) or blank()) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def loaded(data):
    return repr(json.loads(data, object_pairs_hook=Members))


def pruned(value, kept, numbers):
    """The value without the items whose numbers, counted in the order of the text, are not kept."""
    if not isinstance(value, list):
        return value
    left = type(value)()
    for item in value:
        number = next(numbers)
        below = pruned(item[1] if isinstance(value, Members) else item, kept, numbers)
        if number in kept:
            left.append((item[0], below) if isinstance(value, Members) else below)
    return left


def open_text(folder, text, name="a.json"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return JsonTree(path)


def texts(tree):
    return [str(part) for part in tree]


@given(value=VALUES, data=st.data())
def test_what_is_left_is_the_value_without_the_parts_left_out(tmp_path_factory, value, data):
    text = data.draw(BLANKS) + written(value, data.draw) + data.draw(BLANKS)
    tree = open_text(tmp_path_factory.getbasetemp(), text)
    assert tree.render(tree) == text.encode("utf-8", "surrogatepass")
    wanted = data.draw(st.sets(st.sampled_from(range(len(tree))))) if len(tree) else set()
    selection = Elements(tree, parents=tree.parents).pick(wanted)
    left = loaded(tree.render(selection.items))
    assert left == repr(pruned(value, set(selection.kept), iter(range(10**6))))
    assert left == loaded(tree.render([tree[i] for i in wanted])), "what lies in a part that is gone is gone"


@given(values=st.lists(VALUES, max_size=5), data=st.data())
def test_json_lines_lose_whole_lines(tmp_path_factory, values, data):
    text = "".join(json.dumps(dict(v) if isinstance(v, Members) else v) + "\n" for v in values)
    tree = open_text(tmp_path_factory.getbasetemp(), text, "a.jsonl")
    lines = [part for part, parent in zip(tree, tree.parents, strict=True) if parent is None]
    kept = data.draw(st.sets(st.sampled_from(range(len(lines))))) if lines else set()
    gone = {lines[i].index for i in range(len(lines)) if i not in kept}
    rendered = tree.render([part for part in tree if part.index not in gone]).decode()
    assert rendered == "".join(line for i, line in enumerate(text.splitlines(keepends=True)) if i in kept)


def test_parts_are_named_by_their_paths(tmp_path):
    tree = open_text(tmp_path, '{"items": [{"name": 1}, []], "a b": {"é": null}, "x": 1, "x": 2}')
    assert texts(tree) == [
        *("$.items", "$.items[0]", "$.items[0].name", "$.items[1]", '$["a b"]', '$["a b"].é', "$.x", "$.x")
    ]
    assert tree.parents == (None, 0, 1, 0, None, 4, None, None)
    assert (tree.noun, tree.reduced_path) == ("value", tmp_path / "a.reduced.json")
    assert len(set(tree)) == 8


def test_the_text_around_a_part_stays(tmp_path):
    tree = open_text(tmp_path, '\ufeff{\n  "a": 1.50,\n  "b": [ 1e5 , 2 ],\n  "c": {"d": "\\u00e9"}\n}\n')
    a, b, _, b1, c, d = tree
    assert (
        tree.render([a, b, b1, c, d]).decode() == '\ufeff{\n  "a": 1.50,\n  "b": [ 2 ],\n  "c": {"d": "\\u00e9"}\n}\n'
    )
    assert tree.render([b, c]).decode() == '\ufeff{\n  "b": [],\n  "c": {}\n}\n'
    assert tree.render([]).decode() == "\ufeff{}\n"


def test_several_values_on_lines_of_their_own_are_json_lines_whatever_the_name(tmp_path):
    tree = open_text(tmp_path, '{"t": 1}\n\n[2,\n 3]\n4')
    assert texts(tree) == ["$[0]", "$[0].t", "$[1]", "$[1][0]", "$[1][1]", "$[2]"]
    assert tree.render([part for part in tree if part.index not in (2, 3, 4)]) == b'{"t": 1}\n\n4'
    assert texts(open_text(tmp_path, '{"t": 1}', "one.jsonl")) == ["$[0]", "$[0].t"]
    assert len(open_text(tmp_path, "", "none.jsonl")) == 0


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-16"])
def test_other_encodings_of_unicode_stay_what_they_are(tmp_path, codec):
    tree = open_text(tmp_path, '{"é": 1, "b": 2}'.encode(codec))
    assert tree.render([tree[0]]) == '{"é": 1}'.encode(codec)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "{",
            "[1",
            "[1,]",
            "[,1]",
            '{"a"}',
            '{"a":}',
            '{"a":1,}',
            "{a:1}",
            "{1:2}",
            "[1 2]",
            "1 2",
            "[]]",
            "tru",
        ),
        *('"a\nb"', '"\\x"', "01", "+1", ".5", "'a'", "[1}", "// c\n1", "\0", '{"a":1}\n{"b"', "nul\0"),
    ],
)
def test_what_python_refuses_is_refused_with_its_place(tmp_path, text):
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    with pytest.raises(InputError, match=r"a\.json is not JSON: line \d, column \d+: \w"):
        open_text(tmp_path, text)


@given(text=st.text(alphabet='[]{}",:1e.-+ \\un\n', max_size=12))
def test_exactly_what_python_takes_is_taken(tmp_path_factory, text):
    def takes(read):
        try:
            read()
        except ValueError:
            return False
        return True

    lines = [line for line in text.split("\n") if line.strip(" \t\r")]
    taken = takes(lambda: open_text(tmp_path_factory.getbasetemp(), text))
    one = takes(lambda: json.loads(text))
    assert taken or not one
    if taken and not one:
        assert len(lines) > 1


def test_invalid_text_is_refused(tmp_path):
    with pytest.raises(InputError, match="is not UTF-8 text"):
        open_text(tmp_path, b'{"a": "\xff"}')
    with pytest.raises(InputError, match="cannot be read: No such file"):
        JsonTree(tmp_path / "none.json")


def test_numbers_are_never_computed(tmp_path):
    tree = open_text(tmp_path, f"[1{'0' * 100_000}, 1e999999999, -0.0, NaN, -Infinity]")
    assert tree.render(tree[1:]) == b"[1e999999999, -0.0, NaN, -Infinity]"


@pytest.mark.rest
def test_twenty_thousand_levels(tmp_path):
    def nest(depth: int) -> None:
        tree = open_text(tmp_path, "[" * depth + "{}" + "]" * depth)
        assert len(tree) == depth  # the outermost is no part
        assert tree.render(tree[:-1]) == b"[" * depth + b"]" * depth
        assert tree.render([]) == b"[]"
        assert max(len(str(part)) for part in tree) <= 200
        pickle.loads(pickle.dumps(tree))

    few, many = (cpu_seconds(partial(nest, depth)) for depth in (1250, 20_000))
    assert many < 64 * few, "sixteen times as many levels take sixteen times as long, not 256 times"


def test_parts_are_small_and_know_their_document(tmp_path):
    tree = open_text(tmp_path, json.dumps({"blob": "x" * 10**6, "n": 1}))
    assert len(pickle.dumps(tree[0])) < 200
    again = pickle.loads(pickle.dumps(tree))
    assert again.render(again[1:]) == tree.render(tree[1:]) == b'{"n": 1}'
    assert list(again) == list(tree)
    assert open_text(tmp_path, '{"blob": 1, "n": 1}')[1] != tree[1], "the same place in a changed file"
