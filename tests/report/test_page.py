"""The page: self-contained, and inert whatever the subject contains."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.report import assets
from rootward.report import page as report
from rootward.report.data import document, read_embedded

from .pages import RUN, page

HOSTILE = [
    "<script>alert(1)</script>\n",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}",
    "\u202eevil\udcff\0",
    "&amp;",
]


class Reader(HTMLParser):
    """The tags of a page and the text that a reader sees."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


OURS = [{"type": "application/gzip", "class": "rootward-document"}, {}]
"""The data of a page, which is no script, and its script."""


def scripts(read: Reader) -> list[dict[str, str | None]]:
    return [attrs for tag, attrs in read.tags if tag == "script"]


def hostile(budget: int | None = None) -> rw.Reduction[str]:
    return rw.reduce([*HOSTILE, "b", "c"], rw.fails_when(lambda kept: set(HOSTILE) <= set(kept)), budget=budget)


def test_a_page_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    text = hostile().report(tmp_path / "page.html").read_text()
    read = Reader(text)
    assert scripts(read) == OURS
    assert not [attrs for _, attrs in read.tags if {"src", "onerror"} & attrs.keys()]
    assert {attrs["href"] for _, attrs in read.tags if "href" in attrs} == {"#main"}
    assert not re.search(r"https?://|url\(|@import", text)


def test_hostile_text_is_shown_as_it_is(tmp_path: Path) -> None:
    text = Reader(hostile().report(tmp_path / "page.html").read_text()).text
    for piece in ("<script>alert(1)</script>", "{{ 7 * 7 }}", "&amp;", "onerror=alert(1)>"):
        assert piece in text


def test_a_page_says_whether_it_is_final(tmp_path: Path) -> None:
    assert "Final answer\nafter" in Reader(hostile().report(tmp_path / "a.html").read_text()).text
    partial = hostile(budget=3)
    assert "Not final (budget)\nafter 3 trials" in Reader(partial.report(tmp_path / "b.html").read_text()).text


def test_the_failure_is_named(tmp_path: Path) -> None:
    def subject(kept: list[str]) -> None:
        if "b" in kept:
            raise ValueError("no b, please")

    text = Reader(rw.reduce("abc", subject).report(tmp_path / "page.html").read_text()).text
    assert "Failure: ValueError in subject (test_page.py:" in text


def test_a_notebook_gets_a_fragment() -> None:
    fragment = hostile()._repr_html_()
    assert "<html" not in fragment
    assert "5 of 7 elements are enough to make it fail" in Reader(fragment).text


def test_fragments_of_different_findings_share_no_name() -> None:
    ids = [
        {attrs["id"] for _, attrs in Reader(hostile(budget)._repr_html_()).tags if "id" in attrs} for budget in (3, 4)
    ]
    assert all(ids)
    assert not ids[0] & ids[1]


def test_marks_that_turn_text_around_are_spelled_out(tmp_path: Path) -> None:
    evil = "a\u200fb\u200ec\u061cd\u202ee\u2067f\ufeffg\x9bh"
    text = rw.reduce([evil], rw.fails_when(lambda kept: evil in kept)).report(tmp_path / "page.html").read_text()
    assert not set("\u200f\u200e\u061c\u202e\u2067\ufeff\x9b") & set(text)
    assert "a\\u200fb\\u200ec\\u061cd\\u202ee\\u2067f\\ufeffg" in text


def policy(text: str) -> str | None:
    return next(attrs["content"] for _, attrs in Reader(text).tags if "http-equiv" in attrs)


def test_pictures_are_shown_if_they_are_pictures() -> None:
    finding = hostile().to_dict()
    picture = f"data:image/png;base64,{'A' * 100_000}"  # which is no text to be cut short
    shown = page({**finding, "pictures": [picture, "https://example.org/x.png"]})
    assert [attrs["src"] for tag, attrs in Reader(shown).tags if tag == "img"] == [picture]
    assert policy(shown) == assets.policy()
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'unsafe-inline'; img-src data:; "
        r"base-uri 'none'; form-action 'none'",
        assets.policy(),
    )


def test_a_long_list_is_cut_short() -> None:
    found = rw.reduce([f"line {i}!" for i in range(230)], rw.fails_when(lambda kept: len(kept) == 230))
    text = Reader(page(found.to_dict())).text
    assert "line 199!" in text
    assert "line 200!" not in text
    assert "... and 30 more." in text


def test_a_map_is_part_of_the_page() -> None:
    places = {"a<b": (0, 0), "c": (1, 1), "d": (-1, 2)}
    found = rw.reduce(
        places, rw.fails_when(lambda kept: "a<b" in kept), positions=places, trajectory=[(0, 0, 0), (1, 2, 1)]
    )
    read = Reader(page(found.to_dict()))
    labels = [attrs["aria-label"] or "" for tag, attrs in read.tags if tag == "svg"]
    assert [label.partition(",")[0] for label in labels] == [
        "Seen from above",
        "Seen from above",
        "3 elements at first",
    ]
    assert all(label.endswith(".") for label in labels)
    assert "Red: enough to make it fail. Grey: left out." in read.text
    assert found._repr_html_().count("<svg") == 3


def test_a_run_that_knows_nothing_yet() -> None:
    text = Reader(report.page(document([{**RUN, "status": "running", "finding": None}]))).text
    assert "Nothing is known yet." in text
    assert "Not final (running)." in text


def test_the_document_in_a_page_is_the_document() -> None:
    made = document([{**RUN, "name": "</script>\udcff", "finding": hostile().to_dict()}])
    assert read_embedded(report.page(made)) == made
    with pytest.raises(InputError, match="does not hold a Rootward report"):
        read_embedded("<p>a page</p>")


def test_a_long_text_is_cut_and_its_length_said() -> None:
    text = Reader(report.page(document([{**RUN, "name": "n" * 5000, "finding": hostile().to_dict()}]))).text
    assert f"{'n' * 120}… (5,000 characters)" in text
    assert "n" * 121 not in text
