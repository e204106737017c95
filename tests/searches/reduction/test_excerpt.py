"""The original with what was removed: whole where it is short, counted where it is long."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.formats.documents.registry import open_document
from rootward.searches.reduction.excerpt import MAX_LINE_PARTS, MAX_PART_LENGTHS, MAX_ROWS, excerpt
from rootward.space.candidate import Elements


def shown(elements: Elements[Any], kept: list[int]) -> list[str]:
    """Each row as a text in which kept parts stand in brackets."""
    found = excerpt(elements.pick(kept))
    assert found is not None
    return [
        f"... {row['removed']}"
        if "removed" in row
        else f"{row['number']} " + "".join(f"[{text}]" if kept else text for text, kept in row["parts"])
        for row in found["rows"]
    ]


def document(path: Path, text: str, by: str | None = None) -> Elements[Any]:
    path.write_text(text)
    read: Any = open_document(path, by)
    return Elements(read, read.noun, parents=getattr(read, "parents", None), passages=read.passages)


def test_long_stretches_are_counted(tmp_path: Path) -> None:
    lines = document(tmp_path / "log.txt", "".join(f"line {i}\n" for i in range(1, 101)))
    assert shown(lines, [4, 5]) == [
        *("1 line 1", "2 line 2", "3 line 3", "4 line 4"),
        *("5 [line 5]", "6 [line 6]", "7 line 7", "8 line 8", "... 90", "99 line 99", "100 line 100"),
    ]


def test_finer_pieces_are_marked_within_their_line(tmp_path: Path) -> None:
    tokens = document(tmp_path / "a.txt", "a = 1\nb = 2\n", "tokens")
    assert shown(tokens, [0, 1, 2]) == ["1 [a =] 1", "2 b = 2"]
    assert shown(Elements("ab\ncd"), [1, 2, 4]) == ["1 a[b]", "2 c[d]"]


def test_a_tree_is_shown_as_it_stands_in_its_file(tmp_path: Path) -> None:
    tree = document(tmp_path / "a.json", json.dumps({"a": [1, {"bad": 2, "b": 3}], "c": 4}, indent=1))
    names = [str(part) for part in tree.items]
    kept = [names.index(name) for name in ("$.a", "$.a[1]", "$.a[1].bad")]
    rows = shown(tree, kept)
    assert rows[1] == '2 [ "a": []'
    assert rows[2].startswith("3 ")
    assert rows[2].endswith("1,")
    assert '"bad": 2]' in rows[4]
    assert '   "b": 3' in rows[5]


def test_messages_are_shown_as_recorded(tmp_path: Path) -> None:
    text = "".join(f'{{"time": {i}, "name": "m{i}"}}\n' for i in range(4))
    assert shown(document(tmp_path / "log.jsonl", text, "messages"), [2])[2] == '3 [{"time": 2, "name": "m2"}]'


def test_other_texts_are_a_line_each() -> None:
    assert shown(Elements(["one\n", "two\nlines", b"three"]), [1]) == ["1 one", "2 [two\nlines]", "3 three"]


def test_there_is_none_where_nothing_was_removed_or_nothing_can_be_read() -> None:
    assert excerpt(Elements(["a", "b"]).all) is None
    assert excerpt(Elements([1, 2]).pick([0])) is None


@given(st.lists(st.text(max_size=5) | st.just("x" * 1_000_000) | st.just("\n"), min_size=2, max_size=8), st.data())
def test_it_stays_small(items: list[str], data: st.DataObject) -> None:
    elements = Elements(items, passages=lambda kept: ((item, i in kept) for i, item in enumerate(items)))
    found = excerpt(elements.pick(data.draw(st.sets(st.integers(0, len(items) - 1)))))
    assert found is None or len(json.dumps(found)) < len(items) * 3000


def test_hundreds_of_rows_and_parts_are_cut() -> None:
    found = excerpt(Elements([f"x{i}" for i in range(2000)]).pick(range(0, 2000, 2)))
    assert found is not None
    assert (len(found["rows"]), found["more"], found["of"]) == (MAX_ROWS, 2000 - MAX_ROWS, 2000)
    [row] = (excerpt(Elements("ab" * 500).pick(range(0, 1000, 2))) or {})["rows"]
    assert len(row["parts"]) == MAX_LINE_PARTS + 1
    long = excerpt(Elements(["y" * 1000, "z"]).pick([1]))
    assert long is not None
    assert "920 characters" in long["rows"][0]["parts"][0][0]
    assert len(long["rows"][0]["parts"][0][0]) < MAX_PART_LENGTHS[False] + 40


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "]]>", "{{ 7 * 7 }}", "\u202eevil\udcff\0"])
def test_a_page_shows_it_as_text(hostile: str) -> None:
    finding = rw.reduce(["a", hostile, "b", "c"], rw.fails_when(lambda kept: hostile in kept))
    page = finding._repr_html_()
    assert "<script>alert" not in page
    assert "49" not in page.split('class="excerpt"', 1)[1].split("</table>")[0].replace("&#34;", "")
    assert "<mark>" in page
    assert "<del>a</del>" in page
