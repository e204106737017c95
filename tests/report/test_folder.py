"""A finding as a folder, as a data frame and as one line."""

from __future__ import annotations

import builtins
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rootward as rw
from rootward.report.data import read_embedded
from rootward.report.table import data_frame
from rootward.search.evidence import Evidence

from .samples import findings

SPACE = rw.Space({"speed": rw.Float(), "gear": rw.Choice(["P", 3]), "verdict": rw.Int(0, 9)})
NAMES = ["map", "failures", "product_set", "rule_finding", "causes", "bad_rows", "checkpoint", "triage", "diagnosis"]
FAILING = {"speed": 5.0, "gear": "P", "verdict": 2}


@pytest.fixture(scope="module")
def found() -> rw.RuleFinding:
    return rw.rule(SPACE, rw.fails_when(lambda c: c["speed"] > 3), FAILING)


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_can_be_saved(name: str, tmp_path: Path) -> None:
    finding = findings()[name]
    folder = finding.save(tmp_path / "new" / "folder")
    assert folder == tmp_path / "new" / "folder"
    assert json.loads((folder / "finding.json").read_text()) == json.loads(json.dumps(finding.to_dict()))
    assert read_embedded((folder / "page.html").read_text())["runs"][0]["finding"]["finding"] == finding.kind
    assert {path.name for path in folder.iterdir()} <= {"page.html", "finding.json", "trials.csv"}
    assert (folder / "trials.csv").exists() == bool(finding.evidence and list(finding.evidence.trials()))


def test_the_trials_are_a_table(found: rw.RuleFinding, tmp_path: Path) -> None:
    table = found.table()
    assert table.columns == [
        *("speed", "gear", "candidate.verdict"),
        *("verdict", "signature", "seed", "attempt", "seconds", "run"),
    ]
    assert len(table) == found.trials
    assert table.schema["speed"] == pl.Float64
    assert set(table["gear"]) == {"P", "3"}, "values of several types are text"
    assert table["verdict"].to_list() == ["FAIL" if speed > 3 else "PASS" for speed in table["speed"]]
    written = pl.read_csv(found.save(tmp_path) / "trials.csv")
    assert written["seed"].to_list() == table["seed"].to_list()


def test_columns_that_have_no_one_type() -> None:
    outcome = {"verdict": "PASS", "signature": None, "seed": 1, "attempt": 0, "seconds": 0.5, "run": 1}
    rows: list[dict[str, Any]] = [
        {"n": 2**200, "x": 1, "y": True, **outcome},
        {"n": 1, "x": 0.5, "y": 1, **outcome},
        {"z": [1, "a"], **outcome},
    ]
    table = data_frame(rows)
    assert table["n"].to_list() == [str(2**200), "1", None]
    assert table["x"].to_list() == [1.0, 0.5, None]
    assert table["y"].to_list() == ["true", "1", None]
    assert table["z"].to_list() == [None, None, '[1, "a"]']
    assert table.schema["signature"] == pl.String


def test_kept_elements_are_positions(tmp_path: Path) -> None:
    found = rw.reduce("abcdef", rw.fails_when(lambda kept: "c" in kept))
    table = found.table()
    assert table.columns == ["kept", "verdict", "signature", "seed", "attempt", "seconds", "run"]
    assert table["kept"][0].to_list() == [0, 1, 2, 3, 4, 5]
    assert [2 in kept for kept in table["kept"]] == [verdict == "FAIL" for verdict in table["verdict"]]
    assert "\n0-5,FAIL," in (found.save(tmp_path) / "trials.csv").read_text().replace("\r", "")


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    real = builtins.__import__

    def limited(name: str, *rest: Any) -> Any:
        if name in names:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", limited)


def test_without_polars_it_is_pandas(found: rw.RuleFinding, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    without(monkeypatch, "polars")
    table = found.table()
    assert isinstance(table, pandas.DataFrame)
    assert (len(table), list(table.columns)[:2]) == (found.trials, ["speed", "gear"])


def test_without_either_it_says_what_to_install(found: rw.RuleFinding, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "polars", "pandas")
    with pytest.raises(
        rw.MissingExtra, match=r"a data frame needs an optional package: pip install \"rootward\[tables\]\""
    ):
        found.table()


def test_a_finding_without_trials_says_so() -> None:
    check = rw.instrument({"a": ["b"], "b": []}, {"p": [1, 2], "q": [1, 2]}, params={"a": ["p"], "b": ["q"]})
    with pytest.raises(rw.InputError, match="this Checkpoint has no trials: nothing was run to find it"):
        check.table()


def test_a_folder_of_somebody_else_is_left_alone(found: rw.RuleFinding, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(rw.InputError, match="holds other files"):
        found.save(tmp_path)
    with pytest.raises(rw.InputError, match="is not a folder"):
        found.save(tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_same_folder_again_has_the_new_finding_alone(found: rw.RuleFinding, tmp_path: Path) -> None:
    found.save(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    replace(found, evidence=None).save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["finding.json", "notes.txt", "page.html"]


def test_nothing_is_half_written(found: rw.RuleFinding, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    found.save(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        replace(found, trials=1).save(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_diagnosis_hands_over_what_it_made(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        '[subject]\ncommand = ["sh", "-c", "! grep -q 9 {config}"]\n'
        '[fields]\nn = { type = "int", lo = 0, hi = 10 }\n[failing]\nn = 9\n'
    )
    found = rw.diagnose(tmp_path / "study.toml")
    saved = {path.name for path in found.save(tmp_path / "out", check=False).iterdir()}
    assert saved >= {"page.html", "issue.md", "finding.json", "trials.csv", "reproducer.json", "test_study.py"}
    assert len(found.table()) > 0
    alone = replace(found, write=None).save(tmp_path / "alone")
    assert {path.name for path in alone.iterdir()} == {"page.html", "finding.json", "trials.csv"}


# One line


@pytest.mark.parametrize("name", NAMES)
def test_a_finding_shows_its_answer_in_one_line(name: str) -> None:
    finding = findings()[name]
    line = repr(finding)
    assert line.startswith(f"<{type(finding).__name__}: ")
    assert len(line) <= 120
    assert line.isprintable()


def test_the_line_holds_the_answer() -> None:
    space, failing = rw.Space({"speed": rw.Int(0, 9), "on": rw.Bool()}), {"speed": 5, "on": True}
    too_fast = rw.fails_when(lambda one: one["speed"] > 3)
    bad, good = (pl.DataFrame({"id": [1, 2], "speed": speeds}) for speeds in ([1, 90], [1, 2]))
    needs = rw.fails_when(lambda kept: {"c", "f"} <= set(kept))
    assert repr(rw.reduce(list("abcdefgh"), needs)) == "<Reduction: 2 of 8 elements needed: c, f>"
    triggers = rw.triggers(space, too_fast, failing)
    assert repr(triggers) == "<ProductSet: It seems to fail when speed in {4, 5, 6, 7, 8, 9}>"
    assert repr(rw.find(space, too_fast)).startswith("<Failures: It fails with speed = ")
    found = rw.rows(bad, good, rw.fails_when(lambda table: table["speed"].max() > 5), key="id")
    assert repr(found).startswith("<BadRows: It fails because of id=2: speed")


def test_what_a_user_puts_beside_it_stays(found: rw.RuleFinding, tmp_path: Path) -> None:
    found.save(tmp_path / "a")
    (tmp_path / "a" / "issue.md").write_text("mine")
    found.save(tmp_path / "a")
    assert (tmp_path / "a" / "issue.md").read_text() == "mine"


def test_a_partial_finding_says_so(found: rw.RuleFinding) -> None:
    assert repr(found) == "<RuleFinding: It seems to fail when speed > 3.0>"
    line = repr(replace(found, complete=False))
    assert line.endswith(" (not final)>")


@dataclass(frozen=True, kw_only=True)
class Plain(rw.Finding):
    """A finding of a search that somebody else wrote: no presenter knows it."""

    values: tuple[object, ...] = ()

    def answer(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True, kw_only=True)
class Circular(Plain):
    def __str__(self) -> str:
        return repr(self)


@dataclass(frozen=True, kw_only=True)
class Broken(Plain):
    def __str__(self) -> str:
        raise ZeroDivisionError


@dataclass(frozen=True, kw_only=True)
class Own(Plain):
    def __repr__(self) -> str:
        return "mine"


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (Circular(), "<Circular: …>"),
        (Broken(), "<Broken>"),
        (Own(), "mine"),
        (Plain(values=(1,)), f"<Plain: {Plain(values=(1,))}>"),
    ],
)
def test_a_finding_that_no_presenter_knows(finding: rw.Finding, line: str) -> None:
    assert repr(finding) == line
    assert len(repr(Plain(values=("long\n" * 100,)))) == 120


def test_evidence_is_read_once_it_is_asked_for() -> None:
    def unread() -> list[dict[str, Any]]:
        raise AssertionError

    repr(replace(Plain(), evidence=Evidence(trials=unread)))
