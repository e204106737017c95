"""Where elements begin and end: also in files that strict parsers refuse, and never at the price of a hang."""

import codecs
import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents import xml_tree
from rootward.formats.documents.xml_tree import read_markup
from rootward.formats.files import MAX_BYTES


@pytest.fixture
def scan(tmp_path):
    def scan(data):
        path = tmp_path / "a.xml"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return read_markup(path)

    return scan


def outline(node):
    return [node.name, *map(outline, node.children)]


def test_elements_and_their_values(scan):
    page = scan("<a x=\"1\" y='2 > 1'>\n <b/> <c>three</c>\n</a>")
    a = page.root.first("a")
    assert (a.attributes, a.get("z", "none"), a.text_of("c")) == ({"x": "1", "y": "2 > 1"}, "none", "three")
    assert [page.text[n.start : n.stop] for n in a.children] == ["<b/>", "<c>three</c>"]
    assert (a.line, a.first("c").line, a.first("c", "d"), a.text_of("d")) == (1, 2, None, "")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("<a><!-- <b> -- </c> --><d/></a>", ["", ["a", ["d"]]]),
        ("<a><![CDATA[<b>]]></a>", ["", ["a"]]),
        ("<?xml version='1.0'?><?go <b> ?><a/>", ["", ["a"]]),
        ("<!DOCTYPE a [<!ENTITY b '<c>'><!-- ] ' -->]><a/>", ["", ["a"]]),
        ("<!DOCTYPE a SYSTEM 'x>y'><a/>", ["", ["a"]]),
        ("<a>1 < 2 & 3</a><b/>tail", ["", ["a"], ["b"]]),
        ("<a b=1 c d='<e>'><f:g/></a>", ["", ["a", ["f:g"]]]),
        ("  <a\n>\n</a >", ["", ["a"]]),
        ("", [""]),
    ],
)
def test_what_strict_parsers_refuse_and_what_only_looks_like_a_tag(scan, data, expected):
    assert outline(scan(data).root) == expected


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("a &lt;b&gt; &amp;amp; &#65;&#x42;", "a <b> &amp; AB"),
        ("<![CDATA[<&lt;>]]> b", "<&lt;> b"),
        ("1 <!-- 2 --> 3", "1  3"),
        ("&bomb; &#0; &#99999999; &#xD800;", "&bomb; &#0; &#99999999; &#xD800;"),
        ("é€", "é€"),
    ],
)
def test_words(scan, data, words):
    assert scan(f"<a>{data}</a>").root.text_of("a") == words


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "utf-8-sig", "cp1252"])
def test_encodings(scan, codec):
    text = f"<?xml version='1.0' encoding='{codec.removesuffix('-sig')}'?>\r\n<a name='é'>ü</a>\r\n"
    data = text.encode(codec)
    page = scan(data)
    assert page.text.encode(page.codec) == data
    assert (page.root.first("a").get("name"), page.root.text_of("a")) == ("é", "ü")


def test_a_declared_encoding_that_nobody_knows_is_taken_as_utf8(scan):
    assert scan("<?xml version='1.0' encoding='klingon'?><a>é</a>").root.text_of("a") == "é"
    assert scan("<?xml version='1.0' encoding='utf-16'?><a>é</a>").root.text_of("a") == "é"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("<a>\n<b>\n</a>", "line 3: </a> does not match: <b> of line 2 is still open"),
        ("<a/>\n</b>", "line 2: </b> does not match: no element is open"),
        ("<a>\n <b>\n text", "line 2: <b> is never closed: the file may be cut off"),
        ("<a>\n<b x='1", "line 2: a tag is never closed: > is missing"),
        ("<a><!-- </a>", "line 1: <!-- is never closed: --> is missing"),
        ("<a><![CDATA[ </a>", "]]> is missing"),
        ("<?xml", "?> is missing"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>", "declaration is never closed"),
        ("<a>\0</a>", "is not XML: it contains NUL bytes"),
        (codecs.BOM_UTF16_LE + b"<\0a", "starts like UTF-16-LE text but cannot be decoded: truncated data"),
    ],
)
def test_what_no_simulator_reads_is_refused_with_its_line(scan, data, reason):
    with pytest.raises(InputError, match=re.escape(reason)):
        scan(data)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_markup(tmp_path / "none")
    with pytest.raises(InputError, match="it is a folder, not a regular file"):
        read_markup(tmp_path)
    with pytest.raises(InputError, match="it is a device, not a regular file"):
        read_markup(Path("/dev/zero"))


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" * 10_000_000,
        b"<!--" * 1_000_000,
        b"<a '" * 1_000_000,
        b"<a \"'" * 1_000_000,
        b"<!DOCTYPE a [" + b"<!--" * 1_000_000,
        b"<!DOCTYPE a " + b"['" * 1_000_000,
        b"<" * 5_000_000 + b"a",
    ],
    ids=["deep", "comments", "quotes", "two quotes", "subset", "brackets", "open"],
)
def test_a_hostile_file_costs_no_more_than_its_length(scan, data):
    begin = time.process_time()
    with pytest.raises(InputError):
        scan(data)
    assert time.process_time() - begin < 100


def test_an_endless_attribute_costs_no_more_than_its_length(scan):
    begin = time.process_time()
    node = scan("<a " + "b" * 1_000_000 + " " * 1_000_000 + "c='1'" + " d" * 1_000_000 + "/>").root.first("a")
    assert node.attributes == {"c": "1"}
    assert time.process_time() - begin < 100


def test_too_many_tags(scan, monkeypatch):
    monkeypatch.setattr(xml_tree, "MAX_TAGS", 10)
    assert len(scan("<a>" + "<b/>" * 7 + "</a>").root.first("a").children) == 7
    with pytest.raises(InputError, match="has more than 10 tags and comments"):
        scan("<a>" + "<!-- -->" * 10 + "</a>")


def test_too_large_a_file_is_not_even_read(tmp_path):
    with open(tmp_path / "a.xml", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="the limit is 256 MB"):
        read_markup(tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>\n  <x/>\n</a>", "<a>\n</a>"),
        ("<a>\r\n  <x/>\r\n</a>", "<a>\r\n</a>"),
        ("<a>\n\n  <x/>\n\n  <b/></a>", "<a>\n\n  <b/></a>"),
        ("<a><x/></a>", "<a></a>"),
        ("<a>\n <b/> <x/>  \n</a>", "<a>\n <b/>  \n</a>"),
        ("<a>\n <x/> <!-- c -->\n</a>", "<a>\n  <!-- c -->\n</a>"),
        ("<a>\n <!-- c -->\n <x>\n </x>\n</a>", "<a>\n <!-- c -->\n</a>"),
    ],
)
def test_cutting_leaves_no_empty_line(scan, before, after):
    page = scan(before)
    start, stop = page.removal_span(page.root.first("a", "x"))
    assert page.text[:start] + page.text[stop:] == after


NAMES = st.text("abc", min_size=1, max_size=2)
FILLS = st.sampled_from(["", "\n", " text ", "<!-- <z> -->", "<![CDATA[</a>]]>", "<?p <a> ?>", "&amp;"])


@st.composite
def trees(draw, depth=0):
    """Text of an element, and its outline."""
    name = draw(NAMES)
    children = draw(st.lists(trees(depth + 1), max_size=3)) if depth < 3 else []
    head = "<" + name + draw(st.sampled_from(["", ' n="<b>"', "\n", " é=1"]))
    if not children and draw(st.booleans()):
        return head + "/>", [name]
    inside = "".join(draw(FILLS) + text for text, _ in children) + draw(FILLS)
    return f"{head}>{inside}</{name}>", [name, *(shape for _, shape in children)]


@given(trees())
def test_any_tree_is_found(tmp_path_factory, tree):
    text, expected = tree
    path = tmp_path_factory.getbasetemp() / "tree.xml"
    path.write_text(text)
    page = read_markup(path)
    assert outline(page.root)[1] == expected
    assert page.text.encode(page.codec) == text.encode()
    waiting = [page.root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        assert node.start <= node.inner <= node.close <= node.stop
        assert all(a.stop <= b.start for a, b in pairwise(node.children))
        assert all(node.inner <= child.start and child.stop <= node.close for child in node.children)


@given(st.binary(max_size=200) | st.text("<>/!-[]?ab'\"= \n&;", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "noise.xml"
    path.write_bytes(data)
    try:
        page = read_markup(path)
    except InputError:
        return
    assert page.text.encode(page.codec) == data
