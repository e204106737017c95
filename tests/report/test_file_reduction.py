"""What is said of a reduced file: what is left, where it stood, and how sure that is."""

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rootward as rw
from rootward.formats.documents.whole_file import WholeFile
from rootward.report.data import document, run_of
from rootward.report.kinds.file_reduction import MAX_SHOWN_LINES, MAX_SHOWN_MEMBERS, MAX_SHOWN_WIDTH, PRESENTER
from rootward.searches.reduction.files.file_reduction import FileReduction, Stage
from rootward.searches.reduction.files.shrink import edit_content
from rootward.searches.reduction.rates import Rate

SCHEMA = jsonschema.Draft202012Validator(json.loads((files("rootward.report") / "schema.json").read_text()))
LINES = b"".join(b"line %d\n" % i for i in range(1, 31))


def made(folder: Path, data: bytes, edits: list[tuple[int, int, bytes]], name: str = "a.txt", **more: Any) -> Any:
    """Return a finding whose result is the file with these edits."""
    (folder / name).write_bytes(data)
    file = WholeFile(folder / name)
    original = file.original
    facts: dict[str, Any] = {"complete": True, "minimal": True, "trials": 9, "asked": 9, **more}
    return FileReduction(
        original=original, content=edit_content(original, edits), name=name, language=file.language, **facts
    )


def keep(data: bytes, *texts: bytes) -> list[tuple[int, int, bytes]]:
    """Return the edits that leave only these texts."""
    edits, at = [], 0
    for text in texts:
        start = data.index(text, at)
        edits.append((at, start, b""))
        at = start + len(text)
    return [*edits, (at, len(data), b"")]


def words(finding: FileReduction) -> list[str]:
    return PRESENTER.words(finding).splitlines()


def test_an_empty_result(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES))
    assert words(found)[0] == "It fails with an empty file: the failure does not depend on its content."
    assert "Without any single character" not in PRESENTER.words(found)


def test_nothing_was_removed(tmp_path: Path) -> None:
    found = made(tmp_path, b"xy\n", [])
    assert words(found) == [
        "No smaller version of the 3 bytes was seen to fail.",
        "Without any single character of it, it no longer fails.",
    ]
    unfinished = replace(found, complete=False, minimal=False)
    assert words(unfinished) == ["None of 3 bytes is left out yet (the search did not finish)."]


def test_what_is_left_of_which_lines(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES, b"line 3\nline 4\n", b"9\n"))
    assert words(found) == [
        f"16 of {len(LINES)} bytes are enough to make it fail.",
        "This is left of lines 3 to 4 and 9 of a.txt:",
        "  line 3",
        "  line 4",
        "  9",
        "Without any single character of it, it no longer fails.",
    ]
    assert found.lines == [3, 4, 9]
    assert words(made(tmp_path, LINES, keep(LINES, b"7")))[:2] == [
        f"1 of {len(LINES)} bytes is enough to make it fail.",
        "This is left of line 7 of a.txt:",
    ]


def test_an_unfinished_search(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES, b"line 3\n"), complete=False, minimal=False)
    assert words(found)[0].endswith("(the search did not finish: fewer may be enough).")
    assert "no longer fails" not in PRESENTER.words(found)


def test_a_coarser_level_is_told(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES, b"line 3\n"), until="tokens")
    assert words(found)[-1] == "The search left out names and values at the finest; fewer bytes may be enough."


def test_long_results_are_cut(tmp_path: Path) -> None:
    data = b"first\n" + b"x" * 300 + b"\n" + LINES
    found = made(tmp_path, data, keep(data, data[6:]))
    shown = [line for line in words(found) if line.startswith("  ")]
    assert shown[0] == "  " + "x" * (MAX_SHOWN_WIDTH - 3) + "..."
    assert shown[1:] == [
        *(f"  line {i}" for i in range(1, MAX_SHOWN_LINES)),
        f"  ... and {31 - MAX_SHOWN_LINES} more lines",
    ]


def test_many_places_are_told_by_the_first_and_the_last(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES, *(b"line %d\n" % i for i in range(2, 30, 3))))
    assert "This is left of 10 lines of a.txt, between line 2 and line 29:" in words(found)


def test_how_it_became_smaller(tmp_path: Path) -> None:
    stages = (Stage("parts", 160, 5), Stage("tokens", 1, 1), Stage("characters", 33, 9))
    found = made(tmp_path, LINES, keep(LINES, b"line 3\n"), stages=stages)
    assert "Left out: 160 bytes in whole parts, 1 byte in names and values and 33 bytes in single characters." in words(
        found
    )


def test_a_flaky_failure(tmp_path: Path) -> None:
    found = made(
        tmp_path,
        LINES,
        keep(LINES, b"line 3\n"),
        before=Rate(8, 16),
        result=Rate(9, 16),
        share=0.5,
        confidence=0.97,
    )
    text = PRESENTER.words(found)
    assert "8 of 16" in text
    assert "9 of 16" in text
    assert words(found)[-1] == "Without any single character of it, it seems to fail much more rarely or not at all."
    sure = PRESENTER.certainty(found.answer())
    assert "With 97% confidence, that is at least 50% as often as the original." in str(sure)


def test_what_was_shown_is_no_more_than_what_is_said(tmp_path: Path) -> None:
    found = made(tmp_path, LINES, keep(LINES, b"line 3\n"))
    assert "without any single character" in str(PRESENTER.certainty(found.answer()))
    for less in (replace(found, minimal=False), replace(found, until="parts")):
        assert "not shown whether less of it is enough" in str(PRESENTER.certainty(less.answer()))


def test_data_that_is_no_text_is_shown_as_bytes(tmp_path: Path) -> None:
    data = bytes(range(256))
    found = made(tmp_path, data, keep(data, b"\x00\x01\x02"), name="a.bin")
    assert "  00 01 02" in words(found)
    longer = made(tmp_path, data, keep(data, data[1:]), name="a.bin")
    assert any(line.endswith("1f 20 ...") for line in words(longer))


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    for i in range(9):
        (tmp_path / "f" / f"{i}.txt").write_bytes(b"text %d\n" % i)
    file = WholeFile(tmp_path / "f")
    flat = file.original
    at = flat.data.index(b"text 7")
    found = FileReduction(
        original=flat,
        content=edit_content(flat, [(at, at + 5, b"")]),
        name="f",
        language=file.language,
        minimal=True,
        complete=True,
    )
    shown = words(found)
    assert shown[0] == "58 of 63 bytes are enough to make it fail."
    assert shown[1:4] == ["This is left of 9 files:", "  0.txt", "    text 0"]
    assert f"  ... and {9 - MAX_SHOWN_MEMBERS} more files" in shown
    assert found.answer()["content"] is None
    assert found.answer()["members"][7] == {"name": "7.txt", "content": "7\n", "bytes": 2}


# The data and the page


def faults(finding: rw.Finding) -> list[str]:
    data = json.loads(json.dumps(document([run_of(finding)])))
    assert data["runs"][0]["finding"]["finding"] == "file_reduction"
    return [f"{error.json_path}: {error.message[:200]}" for error in SCHEMA.iter_errors(data)]


CASES: dict[str, tuple[str, bytes, Any, dict[str, Any]]] = {
    "a text": ("a.txt", LINES, lambda data: b"line 7" in data, {}),
    "an empty result": ("a.txt", LINES, lambda data: True, {}),
    "nothing removed": ("a.txt", LINES, lambda data: data == LINES, {}),
    "unfinished": ("a.txt", LINES, lambda data: b"line 7" in data, {"budget": 3}),
    "a coarser level": ("a.txt", LINES, lambda data: b"line 7" in data, {"until": "parts"}),
    "bytes": ("a.bin", bytes(range(256)), lambda data: b"\x07" in data, {}),
    "hostile": (
        "<b>.txt",
        b"</script><script>alert(1)</script>\n" + LINES,
        lambda data: b"<script>alert" in data,
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_data_and_the_page_of_real_findings(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file_name, data, fails, options = CASES[name]
    (tmp_path / file_name).write_bytes(data)
    found = rw.reduce(tmp_path / file_name, rw.fails_when(fails), **options)
    assert faults(found) == []
    page = found.report(tmp_path / "report.html").read_text()
    assert page.count("<script>alert") == 0
    assert "bytes" in page
    assert PRESENTER.line(found)


def test_the_page_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").mkdir()
    for name in ("one", "two"):
        (tmp_path / "f" / f"{name}.txt").write_bytes(LINES + name.encode())
    found = rw.reduce(tmp_path / "f", rw.fails_when(lambda members: any(b"two" in one.data for one in members)))
    assert faults(found) == []
    assert "two.txt" in found.report(tmp_path / "report.html").read_text()
