"""The structure of texts: a tree of spans for any bytes, and mistakes counted as if the text were parsed anew."""

import importlib.util
import random
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.formats.bundles import Member, flatten, spans
from rootward.formats.documents.syntax import (
    MEMBER,
    MIN_SPLIT_LEAF,
    Syntax,
    TextSection,
    apply_edits,
    grammar,
)
from tests.properties import examples

SAMPLES = {
    "python": b"import os\n\ndef f(a, b=[1, 2]):\n    # why\n    if a:\n        return {'k': b}\n"
    b"    return 'gr\xc3\xbc\xc3\x9fe'\n",
    "c": b'#include <a.h>\nint f(int a, char *b) { /* no */ for (;;) { g(a, "x y z"); } return a ? 1 : 2; }\n',
    "json": b'{"a": [1, 2.5, {"b": null}], "\xe2\x82\xac": "long text with words", "c": []}\n',
    "yaml": b"a:\n  - 1\n  - {b: 2, c: [3]}\nd: |\n  text\n  more\n\ne: 'x'\n",
    "html": b"<!doctype html>\n<html><body class='a'><p>Hi <b>you</b></p><br></body></html>\n",
    "xml": b'<?xml version="1.0"?>\n<a><b c="1">text</b><!-- why --><d/></a>\n',
    "sql": b"SELECT a, b FROM t WHERE a = 1 AND b IN (2, 3);\nINSERT INTO t VALUES (1, 'x');\n",
    "csv": b'a,b,c\n1,"x, ""y""",3\n4,5,6\n',
    "text": b"one two (three [four])\n  deeper line here\n  another\n\nnext paragraph {\n",
    "bytes": b"\x00\x01\x02abc\xff" * 4,
}
PARSED = [name for name in SAMPLES if name not in ("csv", "text", "bytes")]
with_parser = pytest.mark.skipif(
    importlib.util.find_spec("tree_sitter_language_pack") is None,
    reason="tree_sitter_language_pack is not installed: it parses program text and data",
)
LANGUAGES = [pytest.param(name, marks=with_parser if name in PARSED else ()) for name in SAMPLES]
SNIPPETS = [b"", b"\n", b"(", b"}", b'"', b"x", b" ", b"\n  - y: 1\n", b"\xe2\x82\xac", b"\xff", b"<p>", b"a,b\nc\n"]


def read(language: str, data: bytes) -> Syntax:
    return Syntax(data, [TextSection(0, 0, len(data), "", grammar(language).parse(data))])


def bundle(members: list[Member], languages: dict[str, str]) -> Syntax:
    data = flatten(members)
    return Syntax(
        data,
        [
            TextSection(start, content, end, name, grammar(languages[name]).parse(data[content:end]))
            for start, content, end, name in spans(data)
        ],
    )


def damage(data: bytes, seed: int) -> bytes:
    """Return the data with a few bytes removed, repeated or replaced."""
    rng = random.Random(seed)
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.randint(0, 12))
        data = data[:at] + rng.choice([*SNIPPETS, data[at:end] * 2]) + data[end:]
    return data


def check_tree(syntax: Syntax) -> None:
    count = len(syntax)
    assert (syntax.starts[0], syntax.ends[0], syntax.parents[0]) == (0, len(syntax.data), -1)
    assert syntax.after[0] == count
    assert syntax.starts == sorted(syntax.starts)
    for node in range(1, count):
        parent = syntax.parents[node]
        assert 0 <= parent < node < syntax.after[node] <= syntax.after[parent]
        assert syntax.starts[parent] <= syntax.starts[node] < syntax.ends[node] <= syntax.ends[parent]
    inside: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        inside[syntax.parents[node]].append(node)
    for node, children in enumerate(inside):
        assert list(syntax.children(node)) == children
        assert [syntax.previous[one] for one in children] == [-1, *children[:-1]][: len(children)]
        assert [syntax.next[one] for one in children] == [*children[1:], -1][: len(children)]
        for one, following in pairwise(children):
            assert syntax.ends[one] <= syntax.starts[following]
    for place in range(len(syntax.data) + 1):
        assert syntax.first_from(place) == bisect_left(syntax.starts, place)


@examples(40)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nodes_of_a_damaged_text_are_a_tree(language: str, seed: int) -> None:
    check_tree(read(language, damage(SAMPLES[language], seed)))


@examples(40)
@given(data=st.binary(max_size=60))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nodes_of_any_bytes_are_a_tree(language: str, data: bytes) -> None:
    check_tree(read(language, data))


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one.values[0] != "bytes"])
def test_a_text_without_mistakes_has_structure(language: str) -> None:
    syntax = read(language, SAMPLES[language])
    assert len(syntax) > 10
    assert syntax.mistakes == (1 if language == "text" else 0)  # the sample has a bracket that is never closed


@pytest.mark.parametrize(
    ("language", "broken"),
    [
        *(
            pytest.param(*one, marks=with_parser)
            for one in [("python", b"def f(:\n"), ("c", b"int f( {"), ("json", b'{"a": }'), ("xml", b"<a><b></a>")]
        ),
        ("text", b"a ) b"),
        ("csv", b"a,b\n1\n1,2,3\n"),
    ],
)
def test_mistakes_are_counted(language: str, broken: bytes) -> None:
    assert read(language, broken).mistakes > 0


@with_parser
def test_what_the_nodes_are_is_told() -> None:
    syntax = read("json", b'{"a": [1, 2]}')
    texts = {syntax.text(node): syntax.kinds[node] for node in range(len(syntax))}
    assert texts[b"[1, 2]"] == "array"
    assert not syntax.named[[syntax.text(node) for node in range(len(syntax))].index(b",")]
    value = next(node for node in range(len(syntax)) if syntax.text(node) == b"[1, 2]")
    assert syntax.slot(value) == ("pair", "value", "array")


def test_a_table_has_rows_and_fields() -> None:
    syntax = read("csv", SAMPLES["csv"])
    assert [syntax.text(node) for node in range(len(syntax)) if syntax.kinds[node] in ("header", "row")] == [
        b"a,b,c\n",
        b'1,"x, ""y""",3\n',
        b"4,5,6\n",
    ]
    columns = [(syntax.fields[node], syntax.text(node)) for node in range(len(syntax)) if syntax.kinds[node] == "field"]
    assert columns[3:6] == [("0", b"1"), ("1", b'"x, ""y"""'), ("2", b"3")]


def test_a_table_without_its_header_has_a_mistake() -> None:
    syntax = read("csv", b"a,b\n1,2\n3,4\n")
    assert syntax.mistakes_after([(0, 4, b"")]) == 1
    assert syntax.mistakes_after([(4, 8, b"")]) == 0
    assert syntax.mistakes_after([(0, 12, b"")]) == 0  # nothing is left of it


def test_quotes_that_are_never_closed_take_no_time() -> None:
    assert read("csv", b'a,b,c\n"' + b'""' * 2000 + b"\n1").mistakes == 1


def test_lines_are_nested_by_indentation_and_brackets() -> None:
    syntax = read("text", b"a (b [c])\n  d\n  e\nf\n")
    texts = [syntax.text(node) for node in range(len(syntax))]
    assert {b"(b [c])", b"[c]", b"  d\n", b"a (b [c])\n  d\n  e\n", b"f\n"} <= set(texts)


def test_a_long_leaf_has_lines_and_words() -> None:
    data = b"x" * (MIN_SPLIT_LEAF - 4) + b" y\nz 1.5 "
    syntax = Syntax(data, [TextSection(0, 0, len(data), "", grammar("bytes").parse(data))])
    found = [(syntax.kinds[node], syntax.text(node)) for node in range(len(syntax)) if syntax.kinds[node] != "document"]
    assert found[1:] == [
        ("line", b"xxxxxxxx y\n"),
        *(("word", word) for word in (b"xxxxxxxx", b" ", b"y", b"\n")),
        ("line", b"z 1.5 "),
        *(("word", word) for word in (b"z", b" ", b"1.5", b" ")),
    ]


# Mistakes after edits


@st.composite
def edits_of(draw: st.DrawFn, size: int, most: int = 4) -> list[tuple[int, int, bytes]]:
    places = sorted(draw(st.lists(st.integers(0, size), min_size=2, max_size=2 * most)))
    pairs = list(zip(places[::2], places[1::2], strict=False))
    return [(start, end, draw(st.sampled_from(SNIPPETS))) for start, end in pairs]


def by_nodes(syntax: Syntax, seed: int) -> Iterator[list[tuple[int, int, bytes]]]:
    """Yield edits as a search proposes them: some nodes are removed or replaced by the text of others."""
    rng = random.Random(seed)
    for _ in range(10):
        edits: list[tuple[int, int, bytes]] = []
        node = 1
        while node < len(syntax):
            if rng.random() < 0.15:
                edits.append((syntax.starts[node], syntax.ends[node], rng.choice(SNIPPETS[:6])))
                node = syntax.after[node]
            else:
                node += 1
        yield edits


def check_mistakes_after(syntax: Syntax, language: str, edits: list[tuple[int, int, bytes]]) -> None:
    """Assert that the edits make as many mistakes as the edited text has when it is parsed from its beginning.

    Whether there are any must always agree. How many a broken text has depends on how the parser recovers, and
    tree-sitter weighs that anew at every place where it resumes: of 150,000 edited SQL texts, 138 had one mistake more
    or less, six had two.
    """
    edited = apply_edits(syntax.data, edits)
    headless = language == "csv" and any(start == 0 and end >= 6 for start, end, _ in edits) and bool(edited)
    found, expected = syntax.mistakes_after(edits), read(language, edited).mistakes + headless
    if language == "sql" and found and expected:
        return
    assert found == expected


@examples(80)
@given(data=st.data())
@pytest.mark.parametrize("language", LANGUAGES)
def test_edits_are_parsed_like_the_edited_text(language: str, data: st.DataObject) -> None:
    syntax = read(language, SAMPLES[language])
    edits = data.draw(edits_of(len(syntax.data)))
    check_mistakes_after(syntax, language, edits)
    assert syntax.mistakes_after([]) == syntax.mistakes  # the edits changed nothing in it


@examples(40)
@given(seed=st.integers(0, 10**6))
@example(seed=36147)  # tree-sitter finds five mistakes in the edited SQL text, four when it begins anew
@pytest.mark.parametrize("language", LANGUAGES)
def test_removed_nodes_are_parsed_like_the_text_without_them(language: str, seed: int) -> None:
    syntax = read(language, SAMPLES[language] * 3)
    for edits in by_nodes(syntax, seed):
        check_mistakes_after(syntax, language, edits)


@with_parser
def test_many_edits_are_parsed_like_the_edited_text() -> None:
    data = b"f(%s)\n" % b", ".join(b"x" for _ in range(200))
    syntax = read("python", data)
    edits = [(at, at + 1, b"") for at, byte in enumerate(data) if byte == ord("x")]
    for count in (1, 39, 40, 41, 200):
        assert syntax.mistakes_after(edits[:count]) == read("python", apply_edits(data, edits[:count])).mistakes > 0


# Sections

MEMBERS = [
    Member("a.json", b'{"a": [1, }'),
    Member("b/c.txt", b"one (two\nthree\n"),
    Member("empty.txt", b""),
    Member("d.csv", b"a,b\n1\n2,3\n"),
]
IN_LANGUAGES = {"a.json": "json", "b/c.txt": "text", "empty.txt": "text", "d.csv": "csv"}


@with_parser
def test_the_nodes_of_a_member_are_inside_of_it() -> None:
    syntax = bundle(MEMBERS, IN_LANGUAGES)
    check_tree(syntax)
    members = list(syntax.children(0))
    assert [(syntax.kinds[node], syntax.fields[node], syntax.depths[node]) for node in members] == [
        (MEMBER, ending, 1) for ending in ("json", "txt", "txt", "csv")
    ]
    assert [syntax.text(node) for node in members] == [
        syntax.data[section.start : section.end] for section in syntax.sections
    ]
    for node in set(range(1, len(syntax))) - set(members):
        assert any(one.content <= syntax.starts[node] and syntax.ends[node] <= one.end for one in syntax.sections)
    assert syntax.mistakes == sum(read(IN_LANGUAGES[one.name], one.data).mistakes for one in MEMBERS) > 2


@with_parser
@examples(200)
@given(data=st.data())
def test_edits_of_members_are_counted_in_each(data: st.DataObject) -> None:
    """Edits that remove members, alone and together with their neighbours, and edits inside of others."""
    syntax = bundle(MEMBERS, IN_LANGUAGES)
    edits: list[tuple[int, int, bytes]] = []
    expected = 0
    for section in syntax.sections:
        start, content, end, name, _ = section
        what = data.draw(st.sampled_from(["keep", "remove", "edit"]))
        inside: list[tuple[int, int, bytes]] = []
        if what == "remove":
            edits.append((start, end, b""))
            continue
        if what == "edit":
            inside = [edit for edit in data.draw(edits_of(end - content, 2)) if edit[0] < end - content]
            edits += [(content + first, content + last, new) for first, last, new in inside]
        expected += (
            grammar(IN_LANGUAGES[name])
            .parse(syntax.data[content:end])
            .mistakes_after(apply_edits(syntax.data[content:end], inside), inside)
        )
    assert syntax.mistakes_after(edits) == expected
    assert syntax.mistakes_after(unite(edits)) == expected


def unite(edits: list[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """Return the edits with neighbours in one."""
    united: list[tuple[int, int, bytes]] = []
    for start, end, new in edits:
        if united and united[-1][1] == start and not new:
            united[-1] = (united[-1][0], end, united[-1][2])
        else:
            united.append((start, end, new))
    return united
