"""A diagnosis as a folder: what is written, what is not overwritten, and pictures of failing runs."""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.diagnose import diagnose
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.handover.bundle import add_pictures, illustrate
from rootward.diagnosis.handover.regression import run_test
from rootward.errors import InputError
from rootward.explanation.diagnosis import TEST, Artifact, Diagnosis
from rootward.report.data import read_embedded
from rootward.rules import Rule
from rootward.search.evidence import Evidence
from rootward.space.candidate import key_of
from rootward.study import Study
from rootward.verdict import FAIL, PASS, Outcome

from .samples import FAILING, diagnosis, explanation, study

# The folder of a diagnosis: all of it, checked, and nothing of anybody else's.


FIELDS = '[fields]\nspeed = "int"\ngear = { type = "choice", values = ["P", "R", "N", "D"] }\nload = "float"'
FAULTY = """! { grep -Eq '"gear": *"[RN]"' "$1" && grep -Eq '"speed": *([89][0-9]|[0-9]{3,})' "$1"; }\n"""


@pytest.fixture
def faulty(tmp_path: Path) -> Study:
    return study(tmp_path / "s", 'command = ["sh", "run.sh", "{config}"]', FIELDS, run__sh=FAULTY)


def told(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "finding.json").read_text())["artifacts"]
    return found


def test_all_of_it_is_written_and_tried(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "s" / "out"
    paths = bundle.write(diagnosis(), faulty, folder)
    names = ["page.html", "issue.md", "finding.json", "trials.csv", "reproducer.json", "test_over_speed.py"]
    assert [path.name for path in paths] == names
    assert sorted(path.name for path in folder.iterdir()) == sorted(names), "nothing else is left there"
    reproducer, test = told(folder)
    assert json.loads(reproducer["text"]) == FAILING
    assert reproducer["checked"] == "fails, exit code 1, but with another failure: exit code 1"
    assert test["checked"].startswith("fails now with ")
    assert test["text"] == (folder / "test_over_speed.py").read_text()


def test_the_same_again_replaces_it(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    one, other = explanation(), explanation(signature="other", failing=FAILING | {"load": 1})
    bundle.write(replace(diagnosis(), explanations=(other,)), faulty, folder, check=False)
    (folder / "notes.txt").write_text("mine")
    bundle.write(replace(diagnosis(), explanations=(one, other)), faulty, folder, check=False)
    assert "reproducer-2.json" in {path.name for path in folder.iterdir()}
    bundle.write(replace(diagnosis(), explanations=(other, one)), faulty, folder, check=False)
    assert json.loads((folder / "reproducer.json").read_text())["load"] == 1, "the files follow the failures"
    assert not [path for path in folder.iterdir() if path.stem not in EXPECTED_STEMS]
    assert (folder / "notes.txt").read_text() == "mine"


EXPECTED_STEMS = {"page", "issue", "finding", "trials", "reproducer", "reproducer-2", "test_over_speed", "notes"}


def test_a_file_of_somebody_else_is_not_replaced(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    two = replace(diagnosis(), explanations=(explanation(), explanation(signature="other")))
    bundle.write(diagnosis(), faulty, folder, check=False)
    (folder / "reproducer-2.json").write_text("mine")
    with pytest.raises(InputError, match=r"reproducer-2.json already exists"):
        bundle.write(two, faulty, folder, check=False)
    assert (folder / "reproducer-2.json").read_text() == "mine"


def test_a_mended_failure_leaves_its_files(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "s" / "out"
    bundle.write(diagnosis(), faulty, folder, check=False)
    before = {name: (folder / name).read_bytes() for name in ("reproducer.json", "test_over_speed.py")}
    (tmp_path / "s" / "run.sh").write_text("")
    for _ in range(2):  # also when it is still mended later
        bundle.write(Diagnosis(study="over-speed"), faulty, folder)
        assert {name: (folder / name).read_bytes() for name in before} == before
        said = json.loads((folder / "finding.json").read_text())
        files = "reproducer.json, test_over_speed.py"
        assert said["notes"] == [
            f"A failure of an earlier diagnosis no longer shows: too fast. Its files stay: {files}."
        ]
        assert "does not fail now with any of its" in said["artifacts"][1]["checked"]
        assert "no longer shows" in (folder / "page.html").read_text()


def test_one_of_two_failures_is_mended(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    one, other = explanation(), explanation(signature="other", failing=FAILING | {"load": 1})
    bundle.write(replace(diagnosis(), explanations=(one, other)), faulty, folder, check=False)
    before = {name: (folder / name).read_bytes() for name in ("reproducer.json", "test_over_speed.py")}
    bundle.write(replace(diagnosis(), explanations=(other,)), faulty, folder, check=False)
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert json.loads((folder / "reproducer-2.json").read_text())["load"] == 1
    assert "over_speed" in (folder / "test_over_speed_2.py").name
    bundle.write(replace(diagnosis(), explanations=(one, other)), faulty, folder, check=False)
    assert not (folder / "test_over_speed_2.py").exists(), "both failures are in the first test again"


def write_other_condition(folder: Path, study: Study) -> None:
    cause = replace(explanation().causes[0], rule=Rule.of_terms([]))
    bundle.write(replace(diagnosis(), explanations=(explanation(causes=(cause,)),)), study, folder, check=False)


def test_the_test_of_another_condition_stays(faulty: Study, tmp_path: Path) -> None:
    """The signature is the same, so the earlier test may guard the repair of another fault."""
    folder = tmp_path / "out"
    bundle.write(diagnosis(), faulty, folder, check=False)
    before = {name: (folder / name).read_bytes() for name in ("reproducer.json", "test_over_speed.py")}
    for _ in range(2):
        write_other_condition(folder, faulty)
        assert {name: (folder / name).read_bytes() for name in before} == before
        assert (folder / "test_over_speed_2.py").exists()
        assert not (folder / "test_over_speed_3.py").exists()
        note = json.loads((folder / "finding.json").read_text())["notes"][-1]
        assert note.endswith("too fast. Its files stay: reproducer.json, test_over_speed.py.")
    bundle.write(diagnosis(), faulty, folder, check=False)
    assert (folder / "test_over_speed.py").read_bytes() == before["test_over_speed.py"]
    assert (folder / "test_over_speed_2.py").exists(), "that of the condition in between stays in its turn"


def test_the_test_of_an_unfinished_diagnosis_is_replaced(faulty: Study, tmp_path: Path) -> None:
    bundle.write(replace(diagnosis(), complete=False, stopped="budget"), faulty, tmp_path / "out", check=False)
    write_other_condition(tmp_path / "out", faulty)
    assert [path.name for path in (tmp_path / "out").glob("test_*")] == ["test_over_speed.py"]


def test_an_edited_test_stays(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    bundle.write(diagnosis(), faulty, folder, check=False)
    text = (folder / "test_over_speed.py").read_text() + "\n# mine\n"
    (folder / "test_over_speed.py").write_text(text)
    for _ in range(3):
        bundle.write(diagnosis(), faulty, folder, check=False)
        assert (folder / "test_over_speed.py").read_text() == text
        assert [path.name for path in sorted(folder.glob("test_*"))] == ["test_over_speed.py", "test_over_speed_2.py"]


@pytest.mark.parametrize("name", ["notes.txt", "finding.json", "test_over_speed.py"])
def test_a_folder_of_somebody_else_is_left_alone(faulty: Study, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / name).write_text("{}")
    with pytest.raises(InputError, match="holds other files"):
        bundle.write(diagnosis(), faulty, folder, check=False)
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [(name, "{}")]
    with pytest.raises(InputError, match="is not a folder"):
        bundle.write(diagnosis(), faulty, folder / name, check=False)


def test_a_report_that_names_files_elsewhere_removes_none(faulty: Study, tmp_path: Path) -> None:
    folder = tmp_path / "s" / "out"
    bundle.write(diagnosis(), faulty, folder, check=False)
    page = json.loads((folder / "finding.json").read_text())
    page["artifacts"] += [{"name": "../run.sh"}, {"name": ".."}, {"name": str(faulty.path)}]
    (folder / "finding.json").write_text(json.dumps(page))
    bundle.write(diagnosis(), faulty, folder, check=False)
    assert (tmp_path / "s" / "run.sh").exists()
    assert faulty.path.exists()


def test_nothing_found_is_a_report_too(faulty: Study, tmp_path: Path) -> None:
    paths = bundle.write(Diagnosis(study="x", complete=False, stopped="budget"), faulty, tmp_path / "out")
    assert [path.name for path in paths] == ["page.html", "issue.md", "finding.json"]


def test_the_seed_is_one_with_which_it_failed(tmp_path: Path) -> None:
    it = study(tmp_path / "s", 'command = ["test", "{seed}", "!=", "5", "-a", "{speed}", "=", "0"]', FIELDS)
    row = {"key": key_of(FAILING), "signature": "too fast", "candidate": FAILING, "detail": "", "seconds": 1.0}
    facts = [("pass", "", 3), ("fail", "other", 4), ("fail", "too fast", 5), ("fail", "too fast", 6)]
    rows = [{**row, "verdict": v, "signature": s, "seed": n, "attempt": n, "run": None} for v, s, n in facts]
    found = replace(diagnosis(), evidence=Evidence(trials=lambda: rows))
    bundle.write(found, it, tmp_path / "out", check=False)
    reproducer, test = told(tmp_path / "out")
    assert reproducer["command"] == "test 5 '!=' 5 -a 120 = 0"
    assert '"smallest": ({}, 5),\n' in test["text"]


STATION = """import json

def check(messages):
    mode = None
    for one in map(json.loads, (message.text for message in messages)):
        mode = one["mode"] if one["op"] == "set" else mode
        assert not (one["op"] == "go" and mode == 1 and one["speed"] > 50), "stuck"
"""


@pytest.mark.rest
def test_from_a_recording_to_a_test_that_passes_once_it_is_mended(tmp_path: Path) -> None:
    """Elements are left out, the values inside of the others are found, and all of that is handed over."""
    ops = ["noop", "set", "noop", "noop", "go", "noop"]
    lines = [json.dumps({"t": i, "op": op, "speed": 10 * i + 30, "mode": i % 3}) for i, op in enumerate(ops)]
    files = {"log__jsonl": "\n".join([*lines, ""]), "station_real__py": STATION}
    elements = '[elements]\nfile = "log.jsonl"\nby = "messages"'
    it = study(tmp_path / "s", 'function = "station_real:check"', elements, **files)
    found = diagnose(it)
    folder = tmp_path / "s" / "out"
    bundle.write(found, it, folder)
    script, data, test = told(folder)
    assert "M0 is message 2, M1 is message 5." in str(found).splitlines()
    assert (script["name"], script["checked"]) == ("reproducer.py", "fails, exit code 1")
    assert [json.loads(line)["op"] for line in data["text"].splitlines()] == ["set", "go"]
    assert re.fullmatch(r"fails now with (\d+) of \1 inputs?; (\d+) of \2 neighbouring inputs pass", test["checked"])
    (tmp_path / "s" / "station_real.py").write_text("def check(messages): pass\n")
    mended = run_test(Artifact(TEST, test["name"]), folder)
    assert mended.checked.startswith("does not fail now")
    assert len(read_embedded((folder / "page.html").read_text())["runs"][0]["trials"]["kinds"]["told"]) >= 2


# Pictures of failing runs: of two that failed alike, with what matters marked, if there is something to draw with.


@dataclass
class Drawing:
    """Fails if 2 and 5 are there, at a place that depends on the seed; draws what it is told to."""

    can: bool = True
    drawn: list[tuple[list[int], int, list[int]]] = field(default_factory=list)
    identity, seeded, inline = "drawing", True, True

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        return Outcome(FAIL, "stuck", {"at": float(seed % 2)}) if {2, 5} <= set(candidate) else Outcome(PASS)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return ""

    def alike(self, outcome: Outcome, reference: Outcome) -> bool:
        return outcome.measures == reference.measures

    def picture(self, elements: list[int], *, seed: int, marked: list[int]) -> str | None:
        self.drawn.append((list(elements), seed, list(marked)))
        return f"data:image/png;base64,{'A' * len(elements)}" if self.can else None


def test_a_run_of_everything_and_one_of_what_is_left_that_failed_alike() -> None:
    subject = Drawing()
    found = rw.reduce(list(range(8)), subject, keep=[5])
    assert found.evidence is not None
    shown = add_pictures(found, subject, found.evidence.trials())
    assert shown.pictures == ("data:image/png;base64,AAAAAAAA", "data:image/png;base64,AA")
    (everything, before, _), (left, after, marked) = subject.drawn
    assert (everything, left, marked) == (list(range(8)), [2, 5], [2])
    assert before % 2 == after % 2


def test_where_nothing_can_be_drawn_there_are_none() -> None:
    subject = Drawing(can=False)
    found = rw.reduce(list(range(8)), subject)
    assert found.evidence is not None
    assert add_pictures(found, subject, found.evidence.trials()).pictures == ()
    assert add_pictures(found, subject, ()) == found


def test_a_diagnosis_gets_them_where_its_elements_were_left_out() -> None:
    subject = Drawing()
    study = Study("drawing", Path("drawing.toml"), subject, elements=list(range(8)))
    found = illustrate(rw.diagnose(study, skip=["rule"]), subject)
    [step] = [step for step in found.steps if step.name == "reduce"]
    assert len(step.finding.pictures) == 2
    without = rw.diagnose(study, skip=["rule"])
    assert illustrate(without, object()) is without
