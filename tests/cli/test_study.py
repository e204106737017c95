"""``rootward reduce STUDY.toml``."""

import json
import sys

import pytest

FUNCTION = """
import os
def subject(kept):
    print("printed by the subject")
    os.system("echo printed by a child")
    if "b" in kept and "y" in kept:
        raise RuntimeError("both")
"""
STUDY = """
[subject]
function = "the_subject:subject"
[elements]
list = ["a", "b", "c", "x", "y", "z"]
[lab]
trials = 4
"""


def test_a_function_whose_output_stays_away_from_the_answer(bench, capfd, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (bench.folder / "the_subject.py").write_text(FUNCTION)
    (bench.folder / "study.toml").write_text(STUDY)
    assert bench.here("reduce", "study.toml", "--json") == 3
    assert json.loads(capfd.readouterr().out)["stopped"] == "budget"
    assert bench.here("reduce", "study.toml", "--json", "--trials", "100") == 0
    said = capfd.readouterr()
    assert [kept["element"] for kept in json.loads(said.out)["kept"]] == ["b", "y"]
    assert "printed by the subject" in said.err
    assert "printed by a child" in said.err


def test_a_file_from_elsewhere(bench):
    folder = bench.folder / "a folder"
    folder.mkdir()
    (folder / "study.toml").write_text(
        f'[subject]\ncommand = ["{bench.command()}", "{{file}}"]\n[elements]\nfile = "in.txt"\n[lab]\njobs = 2\n'
    )
    (folder / "in.txt").write_text("a\nbug\nb\nugly\nc")
    done = bench.said("reduce", "a folder/study.toml", "--timeout", "240")
    assert done.returncode == 0, done.stderr
    assert (folder / "in.reduced.txt").read_text() == "bug\nugly\n"
    assert bench.said("reduce", "a folder/study.toml", "--by", "chars", "-q").stdout.startswith("5 of 14 characters")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--reduced", "x"], "--reduced is for files only, but this study lists its elements"),
        (["--by", "chars"], "--by and --timing are for files only, but this study lists its elements"),
        (["--verdict", "x"], "--verdict is for commands only, and the subject of this study is not a command"),
    ],
)
def test_options_that_do_not_fit_the_study(bench, capsys, monkeypatch, options, complaint):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (bench.folder / "the_subject.py").write_text(FUNCTION)
    (bench.folder / "study.toml").write_text(STUDY)
    assert bench.here("reduce", "study.toml", *options) == 2
    assert capsys.readouterr() == ("", f"rootward: {complaint}\n")


def test_a_mistake_is_said_with_its_line(bench, capsys):
    (bench.folder / "study.toml").write_text('[subject]\ncommand = "x"\n')
    assert bench.here("reduce", "study.toml") == 2
    assert capsys.readouterr().err.startswith(
        "rootward: study.toml:2: subject.command: a command must be a list such as"
    )


def test_a_study_without_elements(bench, capsys):
    (bench.folder / "study.toml").write_text('[subject]\ncommand = ["x", "{config}"]\n')
    assert bench.here("reduce", "study.toml") == 2
    assert capsys.readouterr().err == "rootward: study.toml does not say what to reduce: add [elements]\n"


def test_a_study_without_elements_is_not_run(bench):
    (bench.folder / "none.toml").write_text('[subject]\ncommand = ["true", "{config}"]\n[elements]\nlist = []\n')
    done = bench.said("reduce", "none.toml")
    assert (done.returncode, done.stderr) == (2, "rootward: the study lists no elements: there is nothing to reduce\n")


def test_rule_uses_derived_quantities(bench):
    (bench.folder / "shapes.py").write_text("def large(c):\n    assert c['width'] * c['height'] <= 100_000\n")
    (bench.folder / "study.toml").write_text(
        '[subject]\nfunction = "shapes:large"\n[fields]\nwidth = { type = "int", lo = 1, hi = 5000 }\n'
        'height = { type = "int", lo = 1, hi = 5000 }\n[failing]\nwidth = 3000\nheight = 1000\n'
        '[derived]\narea = "width * height"\n'
    )
    done = bench.said("rule", "study.toml")
    assert done.stdout.startswith("It seems to fail when area > 100000."), done.stderr
    assert bench.said("rule", "study.toml", "--as", "c").stdout == "((int64_t)width * (int64_t)height) > 100000\n"
    assert '"op": "derived"' in bench.said("rule", "study.toml", "--json").stdout
    assert bench.said("rule", "study.toml", "--dry-run").stdout.startswith("Dry run: nothing is run.")


SLOW_MODULE = "from pathlib import Path\nPath('imported').touch()\n"
STUDY_OF_FUNCTION = """
failing = { n = 3 }
[subject]
function = "slow:check"
[fields]
n = { type = "int", lo = 0, hi = 9 }
"""


@pytest.mark.parametrize("verb", ["rule", "triggers", "find", "reduce", "diagnose"])
def test_a_dry_run_does_not_import_the_subject(bench, monkeypatch, verb):
    monkeypatch.delitem(sys.modules, "slow", raising=False)
    (bench.folder / "slow.py").write_text(SLOW_MODULE + "def check(candidate, *, seed=0):\n    pass\n")
    more = '[elements]\nlist = ["a", "b"]' if verb == "reduce" else ""
    (bench.folder / "study.toml").write_text(STUDY_OF_FUNCTION + more)
    done = bench.said(verb, "study.toml", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "check(" in done.stdout or verb == "diagnose"
    assert ", seed=" in done.stdout or verb == "diagnose"
    assert not (bench.folder / "imported").exists()


@pytest.mark.parametrize(
    "code",
    [
        "import rootward as rw\n@rw.fails_when\ndef check(c):\n    return True\n",
        "import rootward as rw\ndef check(c):\n    return True\ncheck = rw.fails_when(check)\n",
        "import rootward as rw\ncheck = rw.fails_when(lambda c: True)\n",
    ],
)
def test_a_dry_run_imports_what_cannot_be_seen_otherwise(bench, monkeypatch, code):
    monkeypatch.delitem(sys.modules, "slow", raising=False)
    (bench.folder / "slow.py").write_text(SLOW_MODULE + code)
    (bench.folder / "study.toml").write_text(STUDY_OF_FUNCTION)
    assert bench.said("rule", "study.toml", "--dry-run").returncode == 0
    assert (bench.folder / "imported").exists()
