"""XML as a tree: the elements that are left are those that were kept, with their attributes and texts."""

import pickle
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.xml_tree import XmlTree
from rootward.space.candidate import Elements

NAMES = st.sampled_from(["a", "b", "model", "x-y", "é"])
TEXTS = st.sampled_from(["", "", "\n  ", "text", " a &amp; b ", "<!-- <a> -->", "<![CDATA[<a>]]>", "é\n"])


@st.composite
def elements(draw, depth=3):
    name = draw(NAMES)
    attributes = draw(st.sampled_from(["", " n='1'", ' n=">"', "\n  m = '/' "]))
    if draw(st.booleans()):
        return f"<{name}{attributes}/>"
    children = draw(st.lists(elements(depth - 1), max_size=3)) if depth else []
    inside = "".join(draw(TEXTS) + child for child in children) + draw(TEXTS)
    return f"<{name}{attributes}>{inside}</{name}>"


def words(element):
    """Its name, attributes and words; blanks may go with an element."""
    texts = [element.text, *(child.tail for child in element)]
    return element.tag, dict(element.attrib), "".join("".join((text or "").split()) for text in texts)


def structure(element):
    return [words(element), *map(structure, element)]


def pruned(element, kept, numbers):
    left = [words(element)]
    for child in element:
        number = next(numbers)
        below = pruned(child, kept, numbers)
        if number in kept:
            left.append(below)
    return left


def open_text(folder, text):
    path = folder / "a.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return XmlTree(path)


@given(text=elements(), data=st.data())
def test_what_is_left_are_the_elements_that_were_kept(tmp_path_factory, text, data):
    text = f"<?xml version='1.0'?>\n<!-- c -->\n{text}\n"
    tree = open_text(tmp_path_factory.getbasetemp(), text)
    assert tree.render(tree) == text.encode()
    wanted = data.draw(st.sets(st.sampled_from(range(len(tree))))) if len(tree) else set()
    selection = Elements(tree, parents=tree.parents).pick(wanted)
    left = structure(ET.fromstring(tree.render(selection.items)))
    assert left == pruned(ET.fromstring(text), set(selection.kept), iter(range(10**6)))


WORLD = """\
<sdf version='1.6'>
  <world name="w">
    <!-- the ground -->
    <model name="g"><static>1</static></model>
    <model name="b">
      <pose>0 0 1</pose>
    </model>
    <light/>
  </world>
</sdf>
"""


def test_parts_are_named_by_their_paths_and_the_outermost_stays(tmp_path):
    tree = open_text(tmp_path, WORLD)
    assert [str(part) for part in tree] == [
        *("/sdf/world", "/sdf/world/model[1]", "/sdf/world/model[1]/static", "/sdf/world/model[2]"),
        *("/sdf/world/model[2]/pose", "/sdf/world/light"),
    ]
    assert tree.parents == (None, 0, 1, 0, 3, 0)
    assert (tree.noun, tree.reduced_path.name) == ("element", "a.reduced.xml")
    assert tree.render([]).decode() == "<sdf version='1.6'>\n</sdf>\n"
    assert list(pickle.loads(pickle.dumps(tree))) == list(tree)


def test_the_text_around_an_element_stays(tmp_path):
    tree = open_text(tmp_path, WORLD)
    kept = [part for part in tree if str(part) not in ("/sdf/world/model[1]", "/sdf/world/light")]
    left = WORLD.replace('    <model name="g"><static>1</static></model>\n', "").replace("    <light/>\n", "")
    assert tree.render(kept).decode() == left


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no element"),
        ("words", "no element"),
        ("<a><b></a>", "</a> does not match: <b> of line 1 is still open"),
        ("<a>", "never closed"),
        ("<a" + "<" * 1000, "a tag is never closed"),
        (b"<a>\0</a>", "NUL"),
        ("<a>" * 100_000, "more than 200 levels deep"),
    ],
)
def test_what_is_not_xml_is_refused(tmp_path, text, reason):
    with pytest.raises(InputError, match=reason):
        open_text(tmp_path, text)


def test_entities_are_not_expanded(tmp_path):
    bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;&x;&x;">]>\n<a><b>&y;</b><c/></a>'
    tree = open_text(tmp_path, bomb)
    assert [str(part) for part in tree] == ["/a/b", "/a/c"]
    assert tree.render(tree[:1]).decode() == bomb.replace("<c/>", "")
