"""``rootward report``: stored runs as one page, as data, as a summary."""

import base64
import gzip
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.cli import main
from rootward.report.data import MAX_EMBEDDED_BYTES
from rootward.store import rows, schema
from rootward.store.store import Store


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["report", *arguments])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    for name, letter in ((".rootward/rootward.db", "a"), (".rootward/rootward.db", "b"), ("other.db", "c")):
        subject = rw.fails_when(lambda kept, wanted=letter: wanted in kept)
        rw.reduce("abcdef", subject, store=folder / name, name=letter)
    return folder


@pytest.fixture
def here(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(stored, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_last_run_is_the_default(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys) == (0, "The report is rootward-report.html.\n", "")
    page = (here / "rootward-report.html").read_text()
    assert "reduce b" in page
    assert "reduce a" not in page


def test_runs_by_number_stores_and_data_make_one_report(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "1", "-o", "one.json")[0] == 0
    assert say(capsys, "2", "one.json", "other.db", "-o", "all.json")[0] == 0
    made = json.loads((here / "all.json").read_text())
    assert [(run["id"], run["name"]) for run in made["runs"]] == [
        ("run-1", "reduce b"),
        ("run-2", "reduce a"),
        ("run-3", "reduce c"),
    ]
    assert say(capsys, ".rootward/rootward.db", "other.db", "-o", "merged.html")[0] == 0
    assert (here / "merged.html").read_text().count('class="rootward') >= 3
    assert say(capsys, "merged.html", "1", "-o", "again.json")[0] == 0
    assert len(json.loads((here / "again.json").read_text())["runs"]) == 4


def test_a_summary_is_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = say(capsys, "--markdown")
    assert (code, out.startswith("## Rootward")) == (0, True)
    assert not (here / "rootward-report.html").exists()


def test_a_run_that_goes_on(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store("running.db") as store:
        store.open_run(key="k", subject="s", name="slow one", settings={}, fresh=False)
    assert say(capsys, "running.db", "-o", "page.html")[0] == 0
    assert "Nothing is known yet" in (here / "page.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["9"], "there is no run 9 in .rootward/rootward.db"),
        (["none.db"], "there is no store none.db"),
        (["empty.db"], "there are no runs in empty.db yet"),
        (["pipe"], "pipe cannot be read: it is a pipe, not a regular file"),
        (["/dev/zero"], "/dev/zero cannot be read: it is a device, not a regular file"),
        (["1", "-o", "none/page.html"], "there is no folder none"),
        (["bad.json"], "bad.json is not a report"),
        (["bad.html"], "bad.html is not a report: this page does not hold a Rootward report"),
        (["cut.html"], "cut.html is not a report: the data in this page is damaged"),
        (["other.json"], "other.json is not a report written by Rootward"),
        (["new.json"], "has the report format 2"),
    ],
)
def test_what_cannot_be_is_said(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    (here / "empty.db").touch()
    os.mkfifo(here / "pipe")
    (here / "bad.json").write_text("{")
    (here / "bad.html").write_text("<p>")
    (here / "cut.html").write_text('<script type="application/gzip" class="rootward-document">H4sI</script>')
    (here / "other.json").write_text("[]")
    (here / "new.json").write_text('{"format": "rootward-report", "version": 2}')
    code, _, err = say(capsys, *arguments)
    assert code == 2
    assert reason in err


@pytest.mark.parametrize(
    "change",
    [
        lambda finding: finding.pop("asked"),
        lambda finding: finding.update(trials="many"),
        lambda finding: finding.update(explanation=None),
        lambda finding: finding.update(finding={}),
        lambda finding: finding.update(kept=float("nan")),
    ],
    ids=["missing key", "other type", "null", "kind", "nan"],
)
@pytest.mark.parametrize("ending", ["html", "json", "md"])
def test_data_that_was_changed_is_no_bug(
    here: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], object], ending: str
) -> None:
    """Neither in a report, nor in a store whose row has a checksum that matches."""
    assert say(capsys, "1", "-o", "one.json")[0] == 0
    report = json.loads((here / "one.json").read_text())
    change(report["runs"][0]["finding"])
    (here / "one.json").write_text(json.dumps(report))
    with Store(".rootward/rootward.db") as store:
        finding = store.finding(2)
        assert finding is not None
        change(finding)
        store._write(lambda connection: connection.execute(schema.findings.delete()))
        store._write(
            lambda connection: connection.execute(schema.findings.insert(), rows.write_finding(2, finding, 0.0))
        )
    for source in ("one.json", "2"):
        code, out, err = say(capsys, source, "-o", f"page.{ending}")
        if code:
            assert (code, out) == (2, "")
            assert "cannot be shown: it was damaged, changed, or written by another version" in err
    with pytest.raises(SystemExit) as ended:
        main(["runs", "show", "2"])
    assert ended.value.code in (None, 0, 2)


def test_a_page_that_unpacks_to_more_than_fits(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "1", "-o", "page.html")[0] == 0
    bomb = base64.b64encode(gzip.compress(b" " * (MAX_EMBEDDED_BYTES + 1))).decode()
    page = (here / "page.html").read_text()
    (here / "page.html").write_text(re.sub('(rootward-document">)[^<]*', rf"\g<1>{bomb}", page))
    code, _, err = say(capsys, "page.html", "-o", "again.html")
    assert code == 2
    assert "the data in this page has more than 32 MB: write the report as .json instead" in err
