"""Every file is some document: the ending chooses, the user can choose otherwise."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.registry import CHOICES, open_document
from tests.properties import examples

WORLD = '<sdf version="1.6"><world name="w"><model name="a"/><model name="b"/></world></sdf>'
JOINT = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
ROBOT = f'<robot name="r"><link name="a"/><link name="b"/>{JOINT}</robot>'
SCENE = '<mujoco><worldbody><body name="a"><geom size="1"/></body><body name="b"/></worldbody></mujoco>'

FILES = {
    "a.json": ('{"a": [1]}', "value", 2),
    "a.yaml": ("a: [1]", "value", 2),
    "a.YML": ("a:\n- 1\n", "value", 2),
    "a.xml": ("<a><b/></a>", "element", 1),
    "a.sdf": (WORLD, "model", 2),
    "a.world": (WORLD, "model", 2),
    "scene.xml": (SCENE, None, None),
    "a.mjcf": (SCENE, None, None),
    "a.urdf": (ROBOT, None, None),
    "a.jsonl": ('{"t": 1}\n{"t": 2}\n', "line", 2),
    "a.csv": ("t,x\n1,2\n", "row", 1),
    "b.csv": ("t,x\n", "line", 1),
    "a.txt": ("<a><b/></a>", "line", 1),
    "Makefile": ("all:\n\ttrue\n", "line", 2),
    # what is no tree, or one without parts, is lines
    "b.json": ("{'a': 1}\n}\n", "line", 2),
    "c.json": ("7\n", "line", 1),
    "b.yaml": ("a: [\n", "line", 1),
    "c.yaml": ("just\nwords\n", "line", 2),
    "b.xml": ("<a>\n<b>\n", "line", 2),
    "c.xml": ("<a/>\n", "line", 1),
    "d.json": ("", "line", 0),
}


def saved(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("name", FILES)
def test_the_ending_chooses(tmp_path, name):
    text, noun, count = FILES[name]
    found = open_document(saved(tmp_path, name, text))
    if noun is None:  # what the parts of a robot are called is its own matter
        assert found.noun not in ("line", "element", "value")
        assert len(found) >= 1
    else:
        assert (found.noun, len(found)) == (noun, count)
    assert found.render(list(found)) == text.encode()
    assert found.path == tmp_path / name
    assert found.reduced_path.parent == tmp_path
    again = pickle.loads(pickle.dumps(found))
    assert list(again) == list(found)


@pytest.mark.parametrize(
    ("name", "by", "noun", "count"),
    [
        ("a.json", "lines", "line", 1),
        ("a.json", "chars", "character", 10),
        ("a.json", "tokens", "token", 10),
        ("a.json", "yaml", "value", 2),
        ("a.jsonl", "json", "value", 4),
        ("a.jsonl", "messages", "message", 2),
        ("a.csv", "messages", "message", 1),
        ("a.csv", "lines", "line", 2),
        ("a.txt", "rows", "row", 0),
        ("a.txt", "xml", "element", 1),
        ("a.sdf", "xml", "element", 3),
        ("scene.xml", "xml", "element", 4),
    ],
)
def test_the_user_can_choose(tmp_path, name, by, noun, count):
    found = open_document(saved(tmp_path, name, FILES[name][0]), by)
    assert (found.noun, len(found)) == (noun, count)


def test_gaps_of_messages_can_be_closed(tmp_path):
    path = saved(tmp_path, "a.jsonl", FILES["a.jsonl"][0])
    found = open_document(path, "messages", timing="close")
    assert found.render(list(found)[1:]) == b'{"t": 1}\n'
    with pytest.raises(InputError, match="is cut into lines, which have no times"):
        open_document(path, timing="close")


def test_bags_are_messages(tmp_path):
    for name in ("run.bag", "run.mcap", "run"):
        (tmp_path / "run").mkdir(exist_ok=True)
        with pytest.raises(InputError, match="cannot be read"):
            open_document(tmp_path / name)


@pytest.mark.parametrize("by", ["json", "yaml", "xml", "models", "messages"])
def test_what_the_user_chose_is_not_replaced_by_lines(tmp_path, by):
    with pytest.raises(InputError, match=r"a\.txt"):
        open_document(saved(tmp_path, "a.txt", "a: [\n"), by)


def test_the_error_names_the_choices(tmp_path):
    with pytest.raises(
        InputError, match="can be cut by lines, chars, tokens, json, yaml, xml, rows, models, messages, not by 'word'"
    ):
        open_document(saved(tmp_path, "a.txt", "a"), "word")
    with pytest.raises(InputError, match=r"none\.json cannot be read: No such file"):
        open_document(tmp_path / "none.json")


@pytest.mark.parametrize("ending", [".json", ".yaml", ".xml", ".jsonl", ".csv", ".sdf", ".urdf", ".txt"])
@examples(40)
@given(data=st.binary(max_size=60) | st.text(alphabet="<>/a \n[]{}:,-&*!|'\"\0%#t=1", max_size=40).map(str.encode))
def test_noise_is_refused_or_put_together_again(tmp_path_factory, ending, data):
    path = saved(tmp_path_factory.getbasetemp(), f"noise{ending}", data)
    for by in (None, *CHOICES):
        try:
            found = open_document(path, by)
        except InputError as error:
            text = str(error)
            assert str(path) in text or path.name in text
            continue
        assert found.render(list(found)) == data
        assert isinstance(found.render([]), bytes)
