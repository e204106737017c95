"""Changes of a draft: what stays is left as it was, and what the parser accepts is accepted by others, too."""

import ast
import importlib.util
import json
import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.bundles import Member, flatten, spans, unflatten
from rootward.formats.documents.syntax import CharactersParsed, Syntax, TextSection, apply_edits, grammar
from rootward.searches.reduction.files.draft import SlotKnowledge, TextDraft
from tests.properties import examples

with_parser = pytest.mark.skipif(
    importlib.util.find_spec("tree_sitter_language_pack") is None,
    reason="tree_sitter_language_pack is not installed: it parses program text and data",
)


def draft_of(language: str, data: bytes) -> TextDraft:
    return TextDraft(Syntax(data, [TextSection(0, 0, len(data), "", grammar(language).parse(data))]), SlotKnowledge())


def node_of(draft: TextDraft, text: bytes, kind: str = "") -> int:
    """Return the largest node with this text."""
    syntax = draft.syntax
    return next(i for i in range(1, len(syntax)) if syntax.text(i) == text and kind in syntax.kinds[i])


def choose(draft: TextDraft, seed: int) -> dict[int, None]:
    """Return some nodes that can be removed."""
    rng = random.Random(seed)
    share = rng.choice([0.05, 0.2, 0.5])
    return {i: None for i in range(1, len(draft.syntax)) if rng.random() < share and draft.is_removable(i)}


def check_edits(draft: TextDraft, change: dict[int, None]) -> bytes:
    """Check that nothing is removed but the nodes, their separators, blanks and line breaks."""
    syntax, edits = draft.syntax, draft.edits(change)
    assert all(a[1] <= b[0] for a, b in pairwise(edits))
    removed = {place for node in change for place in range(syntax.starts[node], syntax.ends[node])}
    cut = {place for start, end, _ in edits for place in range(start, end)}
    assert removed <= cut
    assert not any(new for _, _, new in edits)
    separators = re.compile(rb"(?:\s|[,;|&+*/=:-]|and|or)*")
    for start, end, _ in edits:
        rest = bytes(draft.data[place] for place in range(start, end) if place not in removed)
        assert separators.fullmatch(rest), rest
    assert apply_edits(draft.data, edits) == draft.apply(change)
    return draft.apply(change)


LANGUAGES = {
    "python": b"import os\n\ndef f(a, b=[1, 2]):\n    # why\n    if a and b or c:\n        return {'k': b, 'l': 2}\n"
    b"    x = 1; y = 2\n    return 'gr\xc3\xbc\xc3\x9fe'\n\nclass A:\n    def g(self):\n        pass\n",
    "c": b'#include <a.h>\nint x, y;\nint f(int a, char *b) {\n  for (;;) { g(a, "x y z"); }\n'
    b"  if (a) { return 1; }\n  return a ? 1 : 2;\n}\n",
    "json": b'{\n  "a": [1, 2.5, {"b": null}],\n  "\xe2\x82\xac": "long text with words",\n  "c": []\n}\n',
}
VALUES = st.recursive(
    st.none() | st.integers(0, 99) | st.text("a,]{:€", max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@with_parser
@examples(200)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_nodes_with_their_separators_and_lines_are_removed(language: str, seed: int) -> None:
    draft = draft_of(language, LANGUAGES[language])
    check_edits(draft, choose(draft, seed))


@with_parser
@examples(200)
@given(value=VALUES, indent=st.sampled_from([None, 2]), seed=st.integers(0, 10**6))
def test_json_without_some_nodes_is_json_if_no_mistake_is_added(value: object, indent: int | None, seed: int) -> None:
    draft = draft_of("json", json.dumps(value, indent=indent, ensure_ascii=False).encode())
    change = choose(draft, seed)
    left = check_edits(draft, change)
    if draft.adds_no_mistake(change) and left.strip():
        assert grammar("json").parse(left).mistakes == 0
        assert len(left.split()) <= len(draft.data.split())


@with_parser
@examples(300)
@given(seed=st.integers(0, 10**6))
def test_items_and_members_can_be_left_out_in_any_combination(seed: int) -> None:
    """The elements of lists with separators: each subset leaves a text that Python's own parsers read."""
    rng = random.Random(seed)
    data = json.dumps({str(i): [rng.randrange(9) for _ in range(rng.randrange(4))] for i in range(rng.randrange(5))})
    draft = draft_of("json", data.encode())
    syntax = draft.syntax
    items = [
        i
        for i in range(1, len(syntax))
        if syntax.named[i] and syntax.kinds[syntax.parents[i]] in ("array", "object") and rng.random() < 0.5
    ]
    change = dict.fromkeys(items)
    assert draft.adds_no_mistake(change)
    expected = {
        name: [item for item in values if item is not None]
        for name, values in _without(json.loads(data), data, draft, set(items)).items()
    }
    assert json.loads(draft.apply(change)) == expected


def _without(value: dict[str, list[int]], text: str, draft: TextDraft, gone: set[int]) -> dict[str, list[int | None]]:
    """Return the value without the members that are gone, and with None for the items that are gone."""
    syntax = draft.syntax
    pairs = [i for i in range(1, len(syntax)) if syntax.kinds[i] == "pair"]
    found: dict[str, list[int | None]] = {}
    for pair, (name, values) in zip(pairs, value.items(), strict=True):
        array = next(i for i in syntax.children(pair) if syntax.kinds[i] == "array")
        places = [i for i in syntax.children(array) if syntax.named[i]]
        if pair not in gone:
            found[name] = [None if place in gone else item for place, item in zip(places, values, strict=True)]
    return found


@with_parser
@examples(300)
@given(seed=st.integers(0, 10**6))
def test_statements_of_python_can_be_left_out_if_no_mistake_is_added(seed: int) -> None:
    draft = draft_of("python", LANGUAGES["python"])
    rng = random.Random(seed)
    syntax = draft.syntax
    change: dict[int, None] = {}
    for block in range(1, len(syntax)):
        if syntax.kinds[block] in ("module", "block"):
            nodes = [i for i in syntax.children(block) if syntax.named[i] and syntax.kinds[i] != "comment"]
            rng.shuffle(nodes)  # one stays: for this grammar, a body without statements is no mistake
            change |= {i: None for i in nodes[1:] if rng.random() < 0.4}
    if draft.adds_no_mistake(change):
        ast.parse(draft.apply(change))


@with_parser
@pytest.mark.parametrize(
    ("language", "data", "gone", "left"),
    [
        # a separator goes with an item, wherever it stands
        ("json", b"[1, 2, 3]", [b"1"], b"[2, 3]"),
        ("json", b"[1, 2, 3]", [b"2"], b"[1, 3]"),
        ("json", b"[1, 2, 3]", [b"3"], b"[1, 2]"),
        ("json", b"[1, 2, 3]", [b"1", b"2"], b"[3]"),
        ("json", b"[1, 2, 3]", [b"2", b"3"], b"[1]"),
        ("json", b"[1, 2, 3]", [b"1", b"3"], b"[2]"),
        ("json", b"[1, 2, 3]", [b"1", b"2", b"3"], b"[]"),
        ("json", b'{"a": 1, "b": 2}', [b'"b": 2'], b'{"a": 1}'),
        ("python", b"f(a, b, c)\n", [b"b"], b"f(a, c)\n"),
        ("python", b"x = 1; y = 2\n", [b"x = 1"], b"y = 2\n"),
        ("c", b"int f(int a, int b);\n", [b"int a"], b"int f(int b);\n"),
        # what stands alone in its lines takes them
        ("json", b'{\n  "a": 1,\n  "b": 2\n}\n', [b'"a": 1'], b'{\n  "b": 2\n}\n'),
        ("json", b'{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n', [b'"a": 1'], b'{\r\n  "b": 2\r\n}\r\n'),
        ("python", b"a()\nb()\nc()\n", [b"b()"], b"a()\nc()\n"),
        ("python", b"if a:\n    b()\n    c()\n", [b"b()"], b"if a:\n    c()\n"),
        ("python", b"a()\nb()", [b"b()"], b"a()\n"),
        # a node inside of another that is removed changes nothing
        ("json", b"[[1, 2], 3]", [b"[1, 2]", b"2"], b"[3]"),
    ],
)
def test_how_nodes_are_cut_out(language: str, data: bytes, gone: list[bytes], left: bytes) -> None:
    draft = draft_of(language, data)
    assert draft.apply({node_of(draft, text): None for text in gone}) == left


@with_parser
def test_texts_take_the_place_of_nodes() -> None:
    draft = draft_of("json", b"[1, [2, 3], 4]")
    change = {node_of(draft, b"[2, 3]"): b"0", node_of(draft, b"3"): b"9", node_of(draft, b"4"): None}
    assert draft.apply(change) == b"[1, 0]"


@with_parser
def test_what_can_go_and_what_fits_is_learned_from_the_parser() -> None:
    draft = draft_of("json", b'{"a": [1, 2], "b": [3]}')
    syntax = draft.syntax
    assert draft.is_removable(node_of(draft, b"1"))
    assert draft.is_removable(node_of(draft, b'"b": [3]'))
    assert not draft.is_removable(node_of(draft, b","))
    assert not draft.is_removable(node_of(draft, b":"))
    assert not draft.is_removable(node_of(draft, b'"a"', "string"))
    slot = syntax.slot(node_of(draft, b"[3]"))
    assert draft.fits(slot, b"0")
    assert not draft.fits(slot, b"pass")
    assert not draft.fits(slot, b")")


@with_parser
@examples(100)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_removable_nodes_of_a_span_are_the_largest_in_it(language: str, seed: int) -> None:
    draft = draft_of(language, LANGUAGES[language])
    syntax, rng = draft.syntax, random.Random(seed)
    start, end = sorted(rng.sample(range(len(draft) + 1), 2))
    taken = dict.fromkeys(rng.sample(range(1, len(syntax)), 3))
    found = draft.removable_inside(start, end, taken)

    def is_open(node: int) -> bool:
        """Return True if it lies in the span, and neither it nor a node around it is taken."""
        inside = start <= syntax.starts[node] and syntax.ends[node] <= end
        while node > 0 and inside:
            if node in taken and start <= syntax.starts[node]:
                return False
            node = syntax.parents[node]
        return inside

    candidates = [i for i in range(1, len(syntax)) if is_open(i) and draft.is_removable(i)]
    outermost = [i for i in candidates if not any(j < i < syntax.after[j] for j in candidates)]
    assert found == outermost


@examples(200)
@given(st.text("a €\n", max_size=20), st.data())
def test_an_exact_draft_removes_single_characters(text: str, data: st.DataObject) -> None:
    encoded = text.encode()
    syntax = Syntax(encoded, [TextSection(0, 0, len(encoded), "", CharactersParsed(encoded, "text"))])
    draft = TextDraft(syntax, SlotKnowledge(), exact=True)
    leaves = [i for i in range(1, len(syntax)) if syntax.kinds[i] == "character"]
    assert len(leaves) == len(text)
    gone = {place for place in range(len(text)) if data.draw(st.booleans())}
    expected = "".join(char for place, char in enumerate(text) if place not in gone)
    assert draft.apply({leaves[place]: None for place in gone}).decode() == expected


@examples(200)
@given(seed=st.integers(0, 10**6))
def test_the_headers_of_members_stay_as_they_are(seed: int) -> None:
    members = [
        Member("a  b.txt", b"\n\n  one\n  two (x)\n\n"),
        Member(" .txt", b"one"),
        Member("c", b""),
        Member("d", b"\n  x\n"),
    ]
    data = flatten(members)
    sections = [TextSection(*span, grammar("text").parse(data[span.content_start : span.end])) for span in spans(data)]
    draft = TextDraft(Syntax(data, sections), SlotKnowledge())
    change = choose(draft, seed)
    left = unflatten(draft.apply(change), members)
    gone = [section.start for section in sections if any(draft.syntax.starts[node] == section.start for node in change)]
    kept = [one for one, section in zip(members, sections, strict=True) if section.start not in gone]
    assert [one.name for one in left] == [one.name for one in kept]
