"""No wrong or stale result without a warning, as a user meets it."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.cli.rule import WIDE_TRIALS

LINES = [f"line {i}" for i in range(30)]
LINES[7] = "bad"


def rootward(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    command = [sys.executable, "-m", "rootward", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def write(folder: Path, **files: str) -> None:
    """Write files named ``check_py``, ``in_txt`` and so on."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(textwrap.dedent(text))


def reduce_input(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "in.txt").write_text("".join(f"{line}\n" for line in LINES))
    return rootward(folder, "reduce", "in.txt", *options, "--", sys.executable, "check.py", "{file}")


@pytest.mark.parametrize("options", [[], ["-q"]])
def test_a_mended_module_is_not_answered_from_the_past(tmp_path: Path, options: list[str]) -> None:
    write(tmp_path, check_py="import lib, sys\nlib.check(open(sys.argv[1]).read())\n")
    write(tmp_path, lib_py="def check(text):\n    assert 'bad' not in text\n")
    assert "3 of 227 bytes are enough" in reduce_input(tmp_path, *options).stdout
    write(tmp_path, lib_py="def check(text):\n    pass\n")
    again = reduce_input(tmp_path, *options)
    assert again.returncode != 0
    assert "enough" not in again.stdout


STUDY = """
    [subject]
    command = [PYTHON, "check.py", "{config}"]

    [fields]
    speed = { type = "int", lo = 0, hi = 1000 }
    name = "text"

    [failing]
    speed = 700
    name = "LETTERS"

    [nominal]
    speed = 1
    name = "a"
"""
CHECK = """
    import json, sys
    speed = json.load(open(sys.argv[1]))["speed"]
    assert speed <= LIMIT, "the roll limit is wrong"
"""


def write_study(folder: Path, limit: int, letters: str = "b") -> None:
    (folder / "study.toml").write_text(
        textwrap.dedent(STUDY).replace("PYTHON", json.dumps(sys.executable)).replace("LETTERS", letters)
    )
    (folder / "check.py").write_text(textwrap.dedent(CHECK).replace("LIMIT", str(limit)))


@pytest.mark.parametrize("text", [None, "def check(:\n", "import nosuchmodule\n"])
def test_a_broken_command_is_no_failure(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        write(tmp_path, check_py=text)
    done = reduce_input(tmp_path)
    assert done.returncode not in (0, 1)
    assert "fails with" not in done.stdout
    assert "enough" not in done.stdout


def test_the_error_text_stands_at_the_top(tmp_path: Path) -> None:
    write_study(tmp_path, 500)
    done = rootward(tmp_path, "diagnose", "study.toml")
    assert any("the roll limit is wrong" in line for line in done.stdout.splitlines()[:4])


@pytest.mark.parametrize("seed", range(30))
def test_a_flaky_failure_has_no_false_minimum(seed: int) -> None:
    rng = random.Random(seed)

    def check(text: str) -> None:
        assert "bad" not in text or rng.random() > 0.6

    try:
        found = str(rw.reduce(LINES, check))
    except rw.RootwardError:
        return  # it says that it does not know
    assert "no longer fails" not in found or found.startswith("1 of 30")


def test_the_reproducer_and_the_regression_test_are_small(tmp_path: Path) -> None:
    write_study(tmp_path, 500, "x" * 65_536)
    assert rootward(tmp_path, "diagnose", "study.toml").returncode == 0
    [test] = tmp_path.rglob("test_*.py")
    assert test.stat().st_size < 5_000
    reproducer = test.parent / "reproducer.json"
    assert reproducer.stat().st_size < 1_000


def test_an_import_by_name_counts(tmp_path: Path) -> None:
    write(tmp_path, check_py="import importlib, sys\nimportlib.import_module('lib').check(open(sys.argv[1]).read())\n")
    write(tmp_path, lib_py="def check(text):\n    assert 'bad' not in text\n")
    assert "3 of 227 bytes are enough" in reduce_input(tmp_path).stdout
    write(tmp_path, lib_py="def check(text):\n    pass\n")
    again = reduce_input(tmp_path)
    assert again.returncode != 0
    assert "enough" not in again.stdout


def remove_table(folder: Path, name: str) -> None:
    """Remove a table from the study file."""
    before, _, rest = (folder / "study.toml").read_text().partition(f"[{name}]")
    (folder / "study.toml").write_text(before + "".join(rest.partition("\n[")[1:]))


def test_a_failing_input_is_not_one_that_should_work(tmp_path: Path) -> None:
    write_study(tmp_path, 500)
    remove_table(tmp_path, "nominal")
    found = rootward(tmp_path, "find", "study.toml")
    assert "should work" not in found.stdout
    assert "A failure was found" in found.stdout


ARGUMENTS = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--config', required=True)\np.parse_args()\n"
)


@pytest.mark.parametrize("verb", ["find", "diagnose"])
def test_a_wrong_command_line_is_no_failure(tmp_path: Path, verb: str) -> None:
    write_study(tmp_path, 500)
    for table in ("nominal", "failing"):
        remove_table(tmp_path, table)
    write(tmp_path, check_py=ARGUMENTS)
    done = rootward(tmp_path, verb, "study.toml")
    assert done.returncode == 2
    assert "it fails on everything" in done.stderr
    assert "the following arguments are required: --config" in done.stderr


def test_a_function_that_always_fails_is_said_to() -> None:
    def check(configuration: dict[str, object]) -> None:
        raise ConnectionError

    found = str(rw.find(rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice("PRND")}), check))
    assert "runs failed in the same way." in found.splitlines()[0]


def use_function(folder: Path, text: str) -> None:
    """Let the study run a Python function instead of a command, which is faster."""
    (folder / "check.py").write_text(text)
    study = (folder / "study.toml").read_text()
    command = next(line for line in study.splitlines() if line.startswith("command"))
    (folder / "study.toml").write_text(study.replace(command, 'function = "check:check"'))


def write_function_study(folder: Path, limit: int) -> None:
    write_study(folder, limit)
    use_function(folder, f"def check(one):\n    assert one['speed'] <= {limit}\n")


def test_a_mended_bug_is_said_to_be_mended(tmp_path: Path) -> None:
    write_function_study(tmp_path, 500)
    folder = tmp_path / "study.diagnosis"
    assert rootward(tmp_path, "diagnose", "study.toml").returncode == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.stem in ("reproducer", "test_study")}
    assert len(before) == 2
    write_function_study(tmp_path, 5000)
    for _ in range(2):
        done = rootward(tmp_path, "diagnose", "study.toml")
        assert done.returncode == 0, done.stderr
        assert "The failing input passes now, and so does test_study.py: the bug seems mended." in done.stdout
        assert "Its files stay: reproducer.py, test_study.py." in done.stdout
        assert {name: (folder / name).read_bytes() for name in before} == before
        assert "the bug seems mended" in (folder / "page.html").read_text()
        assert (folder / "issue.md").read_text().startswith("# No failure")


def test_another_input_that_passes_is_no_repair(tmp_path: Path) -> None:
    """The earlier report is still right, so it stays, and the new input is refused."""
    write_function_study(tmp_path, 500)
    assert rootward(tmp_path, "diagnose", "study.toml").returncode == 0
    page = (tmp_path / "study.diagnosis" / "page.html").read_bytes()
    text = (tmp_path / "study.toml").read_text()
    (tmp_path / "study.toml").write_text(text.replace("speed = 700", "speed = 400"))
    done = rootward(tmp_path, "diagnose", "study.toml")
    assert done.returncode != 0
    assert "did not fail when it was run" in done.stderr
    assert "mended" not in done.stdout + done.stderr
    assert (tmp_path / "study.diagnosis" / "page.html").read_bytes() == page


def test_a_test_for_another_condition_is_not_overwritten(tmp_path: Path) -> None:
    write_function_study(tmp_path, 500)
    folder = tmp_path / "study.diagnosis"
    assert rootward(tmp_path, "diagnose", "study.toml").returncode == 0
    first = (folder / "test_study.py").read_bytes()
    write_function_study(tmp_path, 600)
    done = rootward(tmp_path, "diagnose", "study.toml")
    assert (folder / "test_study.py").read_bytes() == first
    assert (folder / "test_study_2.py").exists()
    assert "Its files stay: reproducer.py, test_study.py." in done.stdout


SPACE = rw.Space({"speed": rw.Int(0, 1000), "gear": rw.Choice("PRND"), "name": rw.Text()})
FAST = {"speed": 700, "gear": "P", "name": "x"}
PREDICATE_VERBS = {
    "reduce": lambda subject: rw.reduce([FAST, 3, 4, 5], subject),
    "find": lambda subject: rw.find(SPACE, subject),
    "rule": lambda subject: rw.rule(SPACE, subject, FAST),
    "triggers": lambda subject: rw.triggers(SPACE, subject, FAST),
    "causes": lambda subject: rw.causes(SPACE, subject, [(FAST, True), ({**FAST, "speed": 1}, False)]),
    "diagnose": lambda subject: rw.diagnose(
        rw.Study("study", Path("study.toml"), subject=rw.Function(subject), space=SPACE, failing=FAST)
    ),
    "diagnose without an input": lambda subject: rw.diagnose(
        rw.Study("study", Path("study.toml"), subject=rw.Function(subject), space=SPACE)
    ),
}


@pytest.mark.parametrize("later", [False, True], ids=["at once", "later"])
@pytest.mark.parametrize("wrap", [rw.fails_when, rw.passes_when])
@pytest.mark.parametrize("verb", PREDICATE_VERBS.values(), ids=PREDICATE_VERBS)
def test_an_exception_in_a_predicate_is_no_failure(verb: Any, wrap: Any, later: bool) -> None:
    runs = itertools.count()

    def judge(candidate: Any) -> bool:
        if not later or next(runs) >= 1:
            raise KeyError("position")
        return wrap is rw.fails_when

    with pytest.raises(rw.SubjectError, match=r"the predicate .*judge raised KeyError"):
        verb(wrap(judge))


@pytest.mark.parametrize("verb", ["diagnose", "rule", "triggers", "find"])
def test_an_exception_in_the_predicate_of_a_study_is_no_failure(tmp_path: Path, verb: str) -> None:
    write_study(tmp_path, 500)
    use_function(tmp_path, "import rootward as rw\ncheck = rw.fails_when(lambda one: one['roll'] > 3)\n")
    done = rootward(tmp_path, verb, "study.toml")
    assert done.returncode == 2
    assert "raised KeyError" in done.stderr


WIDE = {f"f{i:02}": i for i in range(67)} | {"f07": 900, "f31": 5}


def test_a_rule_on_67_fields_keeps_its_promises(tmp_path: Path) -> None:
    fields = "\n".join(f'{name} = {{ type = "int", lo = 0, hi = 1000 }}' for name in WIDE)
    failing = "\n".join(f"{name} = {value}" for name, value in WIDE.items())
    (tmp_path / "study.toml").write_text(
        f'[subject]\nfunction = "check:check"\n[fields]\n{fields}\n[failing]\n{failing}'
    )
    write(tmp_path, check_py="def check(c):\n    assert not (c['f07'] > 500 and c['f31'] < 40)\n")
    promised = json.loads(rootward(tmp_path, "rule", "study.toml", "--dry-run", "--json").stdout)["estimate"]
    assert "rootward triggers" in promised["words"]
    found = rootward(tmp_path, "rule", "study.toml")
    assert found.stdout.startswith("It seems to fail when f07 > 500 and f31 < 40.\n")
    assert "gave up" not in found.stdout
    assert "may be wrong" not in found.stdout
    [trials] = re.findall(r"^([\d,]+) trials run", found.stdout, re.MULTILINE)
    assert int(trials.replace(",", "")) <= promised["trials"]["many"]


@pytest.mark.parametrize(
    ("fails", "number"),
    [
        (lambda c: c["f01"] * c["f06"] > 50_000, "few"),
        (lambda c: c["f01"] * c["f06"] > 50_000 and c["f03"] < 40, "many"),
        (lambda c: c["f01"] + c["f06"] > c["f11"] + 300, "many"),
    ],
)
def test_a_rule_on_20_fields_costs_what_was_promised(fails: Callable[[Any], bool], number: str) -> None:
    failing = {f"f{i:02}": i for i in range(20)} | {"f01": 900, "f06": 700}
    space = rw.Space({name: rw.Int(0, 1000) for name in failing})
    assert rw.rule(space, rw.fails_when(fails), failing).trials <= WIDE_TRIALS[number]


@pytest.mark.parametrize("seed", range(4))
def test_a_flaky_rule_does_not_overfit(seed: int) -> None:
    rng = random.Random(seed)

    def check(configuration: dict[str, Any]) -> None:
        assert configuration["speed"] <= 500 or rng.random() > 0.6

    found = rw.rule(SPACE, check, {**FAST, "name": "the name " * 120}, flaky=0.6, seed=seed)
    assert str(found.rule) == "speed > 500"


def test_a_long_value_is_never_printed_whole() -> None:
    long, rng = "the name " * 120, random.Random(0)

    def fails(configuration: dict[str, Any]) -> bool:
        return configuration["speed"] > 500 and configuration["name"] == long and rng.random() < 0.6

    found = str(rw.rule(SPACE, rw.fails_when(fails), {**FAST, "name": long}, flaky=0.6))
    assert "(1,080 characters)" in found
    assert max(map(len, found.splitlines())) < 200
