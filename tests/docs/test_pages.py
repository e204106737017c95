"""Every block in the README and on the pages of docs/ is run, or checked as far as its language can be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import rootward
from tests.ports import free_port

from .blocks import Block, agrees, blocks, commands
from .reader import ROOT, Reader

pytestmark = pytest.mark.slow
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
POSTGRESQL = "postgresql://ada@db.example/rootward"
PORTS = ["8786", "8421"]
"""What the pages call a database, and ports."""
NOT_RUN = {
    "README.md": 1,
    "examples/husky.md": 2,
    "examples/landing.md": 2,
    "examples/uds.md": 2,
    "examples/wines.md": 2,
    "how-to/kubernetes.md": 1,
    "how-to/serve.md": 1,
    "tutorials/index.md": 1,
}
"""How many blocks of a page cannot be run here. Each says why."""
ONLY_SHOWN = {"explanation/triage.md": 1}
"""How many texts of a page are neither printed by what stands before them nor a file that something reads."""


def name(page: Path) -> str:
    return str(page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT))


WHOLE = ("tutorials/", "examples/", "how-to/cluster.md", "how-to/diagnose", "how-to/slurm.md")
"""Pages that go through a whole study, or start a cluster."""


READ = [pytest.param(page, marks=[pytest.mark.rest] if name(page).startswith(WHOLE) else []) for page in PAGES]


@pytest.mark.parametrize("page", READ, ids=[name(page) for page in PAGES])
def test_a_reader_sees_what_the_page_says(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    instead = {port: str(free_port()) for port in PORTS}
    if POSTGRESQL in page.read_text():
        instead[POSTGRESQL] = request.getfixturevalue("postgres")
    reader = Reader(tmp_path, lambda: capsys.readouterr().out, instead)
    try:
        reader.read(page)
    finally:
        reader.close()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.resolve().parent / target).exists(), target


def test_few_blocks_are_not_run() -> None:
    counts = {name(page): sum(bool(block.reason) for block in blocks(page.read_text())) for page in PAGES}
    assert {page: count for page, count in counts.items() if count} == NOT_RUN


def test_few_texts_are_only_shown() -> None:
    counts = {name(page): sum(map(only_shown, *pairs(page))) for page in PAGES}
    assert {page: count for page, count in counts.items() if count} == ONLY_SHOWN


def pairs(page: Path) -> tuple[list[Block | None], list[Block]]:
    """The blocks of a page, each with the one before it."""
    found = list(blocks(page.read_text()))
    return [None, *found[:-1]], found


def only_shown(before: Block | None, block: Block) -> bool:
    ran = before is not None and before.language in ("python", "sh", "setup") and not (before.file or before.reason)
    return block.language == "text" and not block.file and not (block.adjacent and ran)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_code_of_a_page_is_overlooked(page: Path) -> None:
    """Neither by an indentation nor by other fences: what Markdown takes for code are our blocks."""
    text = page.read_text()
    code = [token for token in MarkdownIt().parse(text) if token.type in ("fence", "code_block")]
    assert [token.map[0] + 1 for token in code if token.map] == [b.line for b in blocks(text) if b.language != "setup"]
    assert not re.search(r"^ *(:::|<pre)", text, re.MULTILINE)


def test_every_public_name_is_in_the_reference() -> None:
    pages = "\n".join(page.read_text() for page in (DOCS / "reference" / "python").glob("*.md"))
    listed = re.findall(r"^\.\. auto\w+:: (\w+)$", pages, re.MULTILINE)
    assert sorted(set(rootward.__all__) - set(listed)) == []


def test_blocks_know_their_files_and_neighbours() -> None:
    file = "```{code-block} toml\n:caption: a.toml\n\nx = 1\n```\n"
    page = f"{file}\n```sh\nls\n```\n\n```text\na.toml\n```\nwords\n\n```text\nb\n```\n"
    first, second, third, fourth = blocks(page)
    assert (first.language, first.file, first.text) == ("toml", "a.toml", "x = 1\n")
    assert (second.adjacent, third.adjacent, fourth.adjacent) == (True, True, False)
    [skipped] = blocks("<!-- not run: no network -->\n```sh\npip install x\n```\n")
    assert skipped.reason == "no network"


def test_a_console_has_commands_and_what_they_print() -> None:
    assert list(commands("$ a \\\n  b\none\ntwo\n$ c\n")) == [("a \\\n  b", "one\ntwo\n"), ("c", "")]


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("took 1.5 s\n", "took ... s\n", True),
        ("took 1.5 s\nmore\n", "took ... s\n", False),
        ("a\nb\nc\nd\n", "a\n...\nd\n", True),
        ("a\nb\nc\nd\n", "a\n...\nc\n", False),
        ("[1]\n", "[.]\n", False),
    ],
)
def test_dots_stand_for_what_varies(printed: str, shown: str, same: bool) -> None:
    assert agrees(printed, shown) is same
