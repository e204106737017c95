"""A study file that is right."""

import sys
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward import study
from rootward.formats.documents.parts import Pieces
from rootward.formats.parameters import parameters
from rootward.study import load_study

FULL = """
name = "over-speed"
[subject]
command = ["./run.sh", "{config}"]
timeout = 60
memory = "2G"
env = { MODE = "slow" }
verdict = "$.result"
[fields]
speed = { type = "float", lo = -100, hi = 100 }
gear = { type = "choice", values = ["P", "R", "N", "D"] }
size = { type = "ordinal", values = [1, 2, 4] }
n = { type = "int", lo = 0, hi = 10, bits = 8, signed = false }
word = { type = "text", values = ["a", ""] }
on = "bool"
[failing]
speed = -1
gear = "R"
size = 4
n = 0
word = "anything"
on = true
[lab]
jobs = 4
trials = 200
seconds = 600
repeat = "1of4"
seed = 3
store = "my.db"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "a study.toml"
    path.write_text(text)
    return path


def test_a_sandbox(tmp_path: Path) -> None:
    study = load_study(written(tmp_path, '[subject]\ncommand = ["./x", "{config}"]\nsandbox = true'))
    assert study.subject.sandbox is True  # type: ignore[attr-defined]


def test_everything(tmp_path):
    study = load_study(written(tmp_path, FULL))
    assert study.name == "over-speed"
    assert study.subject == rw.Command(
        ["./run.sh", "{config}"],
        timeout=60,
        memory=2 << 30,
        env={"MODE": "slow"},
        verdict="$.result",
        cwd=str(tmp_path),
    )
    assert study.space == rw.Space(
        {
            "speed": rw.Float(-100, 100),
            "gear": rw.Choice(["P", "R", "N", "D"]),
            "size": rw.Ordinal([1, 2, 4]),
            "n": rw.Int(0, 10, bits=8, signed=False),
            "word": rw.Text(["a", ""]),
            "on": rw.Bool(),
        }
    )
    assert study.failing == {"speed": -1.0, "gear": "R", "size": 4, "n": 0, "word": "anything", "on": True}
    assert study.elements is None
    repeat = rw.Repeat.k_of_n(1, 4)
    assert study.lab == {
        "jobs": 4,
        "trials": 200,
        "seconds": 600,
        "repeat": repeat,
        "seed": 3,
        "store": tmp_path / "my.db",
    }


def test_the_least(tmp_path):
    study = load_study(written(tmp_path, '[subject]\ncommand = ["./run.sh", "{config}"]'))
    assert (study.name, study.space, study.failing, study.elements, study.lab) == ("a study", None, None, None, {})


def test_pieces_of_a_file_keep_its_name(tmp_path):
    (tmp_path / "in.txt").write_text("a\nb\n")
    study = load_study(
        written(tmp_path, '[subject]\ncommand = ["x", "{file}"]\n[elements]\nfile = "in.txt"\nby = "chars"')
    )
    assert study.elements == Pieces(tmp_path / "in.txt", "chars")
    assert list(study.elements) == [b"a", b"\n", b"b", b"\n"]
    assert isinstance(study.subject, rw.Command)
    assert study.subject.file_name == "in.txt"


def test_a_list_of_anything(tmp_path):
    study = load_study(
        written(tmp_path, '[subject]\ncommand = ["x", "{config}"]\n[elements]\nlist = [1, "a", { b = 2 }]')
    )
    assert study.elements == (1, "a", {"b": 2})


def test_what_must_stay_is_known_by_name_or_pattern(tmp_path):
    elements = '[elements]\nlist = ["setup 1", "setup 2", "a"]\nkeep = ["setup *"]'
    study = load_study(written(tmp_path, f'[subject]\ncommand = ["x", "{{config}}"]\n{elements}'))
    assert study.keep == ("setup *",)


def test_a_subject_that_is_ready_is_taken_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "ready_made.py").write_text(
        "import rootward as rw\nprogram = rw.Command(['./x', '{config}'], env={'A': '1'})"
    )
    subject = load_study(written(tmp_path, '[subject]\nfunction = "ready_made:program"')).subject
    assert isinstance(subject, rw.Command)
    assert subject.env == {"A": "1"}
    with pytest.raises(
        rw.StudyError, match=r"3: subject\.timeout: not allowed here: set the limits of the Command in Python"
    ):
        load_study(written(tmp_path, '[subject]\nfunction = "ready_made:program"\ntimeout = 3'))


def test_paths_are_relative_to_the_study_not_to_where_it_is_run_from(tmp_path, monkeypatch):
    folder = tmp_path / "inner"
    folder.mkdir()
    written(folder, '[subject]\ncommand = ["./x", "{config}"]\ncwd = "data"\n[lab]\nstore = "postgresql://h/d"')
    monkeypatch.chdir(tmp_path)
    study = load_study("inner/a study.toml")
    assert isinstance(study.subject, rw.Command)
    assert study.subject.cwd == str(folder / "data")
    assert study.lab["store"] == "postgresql://h/d"


def test_a_trials_own_folder_stays_one(tmp_path):
    study = load_study(written(tmp_path, '[subject]\ncommand = ["x", "{config}"]\ncwd = "{dir}"'))
    assert isinstance(study.subject, rw.Command)
    assert study.subject.cwd == "{dir}"


def test_listed_files_belong_to_the_command(tmp_path):
    def identity() -> str:
        return load_study(
            written(tmp_path, '[subject]\ncommand = ["x", "{config}"]\nfiles = ["*.csv"]')
        ).subject.identity

    with pytest.raises(rw.StudyError, match=r"there is no file \*.csv"):
        identity()
    (tmp_path / "limits.csv").write_text("1")
    before = identity()
    (tmp_path / "limits.csv").write_text("2")
    assert identity() != before


def test_a_shell_command(tmp_path):
    study = load_study(written(tmp_path, '[subject]\nshell = true\ncommand = "./x {config} | grep -q bad"'))
    assert isinstance(study.subject, rw.Command)
    assert study.subject.argv == "./x {config} | grep -q bad"


def test_a_function_from_beside_the_study(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "beside_the_study.py").write_text(
        "class A:\n    @staticmethod\n    def f(kept):\n        assert 3 not in kept\n"
    )
    text = (
        '[subject]\nfunction = "beside_the_study:A.f"\ntimeout = 240\n[elements]\nlist = [1, 2, 3]\n[lab]\ntrials = 50'
    )
    study = load_study(written(tmp_path, text))
    assert isinstance(study.subject, rw.Function)
    assert study.subject.timeout == 240
    assert study.elements is not None
    assert rw.reduce(study.elements, study.subject, **study.lab).kept == [3]


def test_a_document_with_measures(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"t": 1, "say": "a"}\n{"t": 5, "say": "b"}\n')
    text = """
[subject]
command = ["./run.sh", "{file}", "{seed}"]
measures = "$.measures"
tolerance = { x = 0.3, time = 2 }
[elements]
file = "log.jsonl"
by = "messages"
timing = "close"
"""
    study = load_study(written(tmp_path, text))
    assert isinstance(study.subject, rw.Command)
    assert study.subject.measures == "$.measures"
    assert study.subject.tolerance == {"x": 0.3, "time": 2.0}
    assert study.subject.document is study.elements
    assert study.subject.file_name == "log.jsonl"
    document: Any = study.elements
    assert (document.noun, len(document)) == ("message", 2)


def test_how_a_file_is_cut_unless_the_study_says(tmp_path):
    (tmp_path / "crash.json").write_text('{"a": [1, 2]}')
    study = load_study(written(tmp_path, '[subject]\ncommand = ["x", "{file}"]\n[elements]\nfile = "crash.json"\n'))
    assert study.elements.parents is not None
    lines = load_study(
        written(tmp_path, '[subject]\ncommand = ["x", "{file}"]\n[elements]\nfile = "crash.json"\nby = "lines"\n')
    )
    assert isinstance(lines.elements, Pieces)
    assert isinstance(lines.subject, rw.Command)
    assert lines.subject.document is None


def test_fields_may_be_values_inside_of_elements(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"t": 1, "speed": 5}\n{"t": 5, "speed": 7}\n')
    text = """
[subject]
command = ["./run.sh", "{file}"]
[elements]
file = "log.jsonl"
by = "messages"
[fields]
"M0.speed" = { type = "int", lo = 0, hi = 9 }
"M1.speed" = { type = "int", lo = 0, hi = 9 }
"""
    study = load_study(written(tmp_path, text))
    assert study.elements is not None
    assert study.space is not None
    inside = parameters(study.elements, [1])
    assert inside.restrict(study.space).space == rw.Space({"M0.speed": rw.Int(0, 9)})
    assert study.failing is None


NOMINAL = """
{above}
[subject]
command = ["./run.sh", "{{config}}"]
[fields]
speed = "int"
on = "bool"
{below}
"""


def test_inputs_that_should_work(tmp_path):
    (tmp_path / "one.json").write_text('{"speed": 3, "on": true}')
    table, many = (
        "[nominal]\nspeed = 1\non = false",
        "[[nominal]]\nspeed = 1\non = false\n[[nominal]]\nspeed = 2\non = true",
    )
    one, two, three = {"speed": 1, "on": False}, {"speed": 2, "on": True}, {"speed": 3, "on": True}
    for above, below, wanted in [
        ("", "", ()),
        ("", table, (one,)),
        ("", many, (one, two)),
        ('nominal = "one.json"', "", (three,)),
        ('nominal = ["one.json", { speed = 2, on = true }]', "", (three, two)),
    ]:
        study = load_study(written(tmp_path, NOMINAL.format(above=above, below=below)))
        assert (study.nominal, study.failing) == (wanted, None)


def test_a_sample_that_works_is_not_what_fails(tmp_path):
    (tmp_path / "one.json").write_text('{"speed": 3, "on": true}')
    text = '[subject]\ncommand = ["./run.sh", "{config}"]\n[interface]\ndocument = "one.json"\n'
    assert load_study(written(tmp_path, text)).failing == {"speed": 3, "on": True}
    study = load_study(written(tmp_path, f'nominal = "one.json"\n{text}'))
    assert (study.failing, study.nominal) == (None, ({"speed": 3, "on": True},))


def test_every_public_name_exists():
    assert all(hasattr(study, name) for name in study.__all__)


DERIVED = """
[subject]
command = ["./run.sh", "{width}", "{height}"]
[fields]
width = "int"
height = "int"
[derived]
area = "width * height"
"""


def test_derived_quantities_are_expressions_or_functions(tmp_path: Path) -> None:
    (tmp_path / "shapes_of_study.py").write_text("def ratio(width, height):\n    return width / height\n")
    (tmp_path / "s.toml").write_text(DERIVED + 'ratio = "shapes_of_study:ratio"\n')
    derived = load_study(tmp_path / "s.toml").derived
    assert derived["area"] == "width * height"
    assert callable(derived["ratio"])
    assert derived["ratio"](6, 3) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('given = "width * hight"', r"s.toml:8: derived.given: .*unknown field 'hight' \(did you mean 'height'"),
        ("given = 3", "s.toml:8: derived.given: expected an expression"),
        ('given = "no_such_module:f"', "there is no module 'no_such_module'"),
        ('width = "height + 1"', "has the name of a field"),
    ],
)
def test_mistakes_in_derived_quantities_are_found(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "s.toml").write_text(DERIVED.replace('area = "width * height"', line))
    with pytest.raises(rw.StudyError, match=message):
        load_study(tmp_path / "s.toml")


def test_derived_quantities_need_fields(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('[subject]\ncommand = ["x", "{file}"]\n[derived]\na = "b"\n')
    with pytest.raises(rw.StudyError, match="derived quantities need fields"):
        load_study(tmp_path / "s.toml")
