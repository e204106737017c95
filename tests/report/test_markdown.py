"""A summary for CI: whatever the subject says, it is shown and not obeyed."""

import html
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.report.data import document, run_of
from rootward.report.issue import summary
from rootward.report.markdown import Code, code_block, escape_text, inline_code, join_parts
from rootward.words import make_visible

HOSTILE = "<script>alert(1)</script> ![x](http://e.org/x.png) [y](javascript:z) @everyone #12 | a `b` ```\n# c {{ d }}"


@given(st.text() | st.just(HOSTILE))
def test_escaped_text_is_one_line_without_meaning(text: str) -> None:
    line = escape_text(text)
    assert "\n" not in line
    assert not re.search(r"[`\[\]|@]|<[a-zA-Z/!?]|&(?!#\d+;)[#a-zA-Z]", line)


def test_what_means_nothing_stays() -> None:
    line = r"a_b * c__d <= 4 & x < y > z, 1.00 of C\temp"
    assert escape_text(line) == line
    assert escape_text("1.00") == "1.00"
    assert escape_text("1. a *b* _c_ <b> &lt;") == "1&#46; a &#42;b&#42; &#95;c&#95; &#60;b> &#38;lt;"


MARKS = [
    "*",
    " * ",
    "a_b",
    "__",
    "\\",
    "<",
    "<!--",
    "&",
    "&#60;",
    "**",
    "_",
    "`",
    "[",
    "](",
    ")",
    "!",
    "<b>",
    "- ",
    "1. ",
    "1) ",
    "=",
    "> ",
    "#",
    "|",
    "~~",
    "&lt;",
    "a",
    " ",
]
texts = st.lists(st.sampled_from(MARKS)).map("".join) | st.text() | st.just(HOSTILE)


@given(texts)
def test_a_reader_of_markdown_finds_nothing_in_it(text: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for before in ("", "- ", "# "):
        tokens = [one for one in reader.parse(before + escape_text(text)) if one.type == "inline"]
        assert len(tokens) <= 1
        assert {part.type for one in tokens for part in one.children} <= {"text", "text_special"}
        assert "".join(part.content for one in tokens for part in one.children) == html.unescape(escape_text(text))


@given(st.lists(texts | texts.map(Code), max_size=4))
def test_a_reader_of_markdown_finds_the_parts_of_a_text(parts: list[str]) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    cell = f"| a | b |\n| --- | --- |\n| {join_parts(parts, cell=True)} | end |"
    for written, inlines in (
        ("# " + join_parts(parts), 1),
        ("- " + join_parts(parts), 1),
        (join_parts(parts), 1),
        (cell, 4),
    ):
        tokens = [one for one in reader.parse(written) if one.type == "inline"]
        assert len(tokens) == inlines or (inlines == 1 and not join_parts(parts))
        children = [part for one in tokens for part in one.children]
        assert {part.type for part in children} <= {"text", "text_special", "code_inline"}
        found = [part.content.replace(" ", "") for part in children if part.type == "code_inline"]
        wanted = ["".join(make_visible(part).split()) for part in parts if isinstance(part, Code)]
        if inlines == 1 or not any("\\|" in one for one in wanted):
            assert found == [one for one in wanted if one]


@given(texts)
def test_code_within_a_line_reads_as_it_was(text: str) -> None:
    assert "&#" not in inline_code(text.replace("&", "and"))
    assert inline_code("a_b <= 4") == "`a_b <= 4`"
    assert inline_code("`a` ``") == "``` `a` `` ```"
    assert inline_code("a | b", cell=True) == r"`a \| b`"


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), max_size=50))
def test_escaped_text_reads_as_it_was(text: str) -> None:
    assert html.unescape(escape_text(text)) == text


@given(st.lists(st.sampled_from(["`", "```", "````", "a", "\n", "~~~"])).map("".join))
def test_a_block_ends_only_at_its_end(text: str) -> None:
    fence, *body, last = code_block(text).split("\n")
    assert fence == last
    assert all(not re.match(rf" {{0,3}}{fence}", line) for line in body)


def test_long_blocks_are_cut() -> None:
    assert code_block("\n".join(["x"] * 1_000)).count("\n") == 31
    assert len(code_block("x" * 1_000_000)) < 400


def test_a_summary_says_what_was_found_and_how_to_see_it_again() -> None:
    space = rw.Space({"x": rw.Int(0, 9)})
    command = f"rootward rule '{HOSTILE}'"
    found = rw.rule(space, rw.fails_when(lambda c: c["x"] > 4), {"x": 7}, command=command, name=HOSTILE)
    text = summary(document([run_of(found)]))
    assert "It fails exactly when x > 4." in text
    assert f"After {found.trials} trials." in text
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert "script" in outside  # the title, escaped
    assert "<script" not in outside
    assert "@everyone" not in outside


def test_a_run_without_a_finding() -> None:
    run: dict[str, Any] = {
        **run_of(rw.reduce("ab", rw.fails_when(lambda kept: "a" in kept))),
        "finding": None,
        "status": "running",
    }
    assert "Nothing is known yet" in summary(document([run]))


def test_the_command_is_whole_and_the_seed_is_said() -> None:
    run = run_of(rw.reduce("ab", rw.fails_when(lambda kept: "a" in kept)))
    command = f"rootward reduce {'long/' * 100}input"
    text = summary(document([{**run, "reproduce": {**run["reproduce"], "command": command, "seed": 5}}]))
    assert f"\n{command}\n" in text
    assert "Seed 5." in text
