"""What is the same for every command: --json, --out and the exit codes, as docs/reference/cli.md says them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from rootward.cli import app

ROOT = Path(__file__).parents[2]
MODEL = str(ROOT / "examples" / "models" / "uds_basic.yaml")
TRACES = ROOT / "tests" / "data" / "traces"
RUN = ["--", "sh", "run.sh", "{config}"]
FILES = {
    "run.sh": '! grep -Eq \'"a": *([5-9]|[0-9]{2,})\' "$1"\n',
    "input.json": '{"a": 7, "b": 1}\n',
    "lines.txt": "".join(f"{i}\n" for i in range(12)),
    "runs.csv": "a,b,failed\n1,x,false\n2,x,true\n2,y,true\n1,y,false\n",
    "bad.csv": "id,a\n1,3\n2,-1\n3,4\n",
    "good.csv": "id,a\n1,3\n2,2\n3,4\n",
    "graph.json": '{"read": {"downstream": ["write"], "params": {"d": [1, 2]}}, "write": {"params": {"e": [1, 2]}}}',
    "study.toml": """
[subject]
command = ["sh", "run.sh", "{config}"]
[fields]
a = { type = "int", lo = 0, hi = 10 }
[failing]
a = 7
""",
}
FINDS = {
    "diagnose": ["study.toml"],
    "find": ["study.toml"],
    "reduce": ["lines.txt", "--", "sh", "-c", "! grep -q 7 {file}"],
    "triggers": ["input.json", *RUN],
    "rule": ["study.toml"],
    "causes": ["runs.csv", "--verdict", "failed"],
    "rows": ["bad.csv", "good.csv", "--key", "id", "--", "sh", "-c", "! grep -q ,-1 {file}"],
    "instrument": ["graph.json"],
    "triage": ["--model", MODEL, str(TRACES / "good.asc"), "--param", "S3=500ms"],
}
"""The commands that give a finding, each with arguments for which there is one."""
REPRODUCES = ["diagnose", "reduce", "triggers", "rule", "rows"]
"""Those that first run what is said to fail."""
WRITES = ["import", "model picture", "report", "runs export", "runs step"]
"""The commands that make one file."""
OTHERS = [
    "model check",
    "model learn",
    "model verify",
    "runs",
    "runs check",
    "runs clean",
    "runs show",
    "runs stop",
    "serve",
]


@pytest.fixture
def folder(bench, monkeypatch):
    monkeypatch.setattr("rootward.diagnosis.handover.regression.run_test", lambda test, _: test)
    for name, text in FILES.items():
        (bench.folder / name).write_text(text)
    return bench.folder


def options(command: str) -> dict[str, Any]:
    """The options of a command, by how they are written."""
    found: Any = get_command(app)
    for word in command.split():
        found = found.commands[word]
    return {name: one for one in found.params for name in one.opts}


def with_options(command: str, *said: str) -> list[str]:
    return [command, *said, *FINDS[command]]


def commands() -> set[str]:
    program: Any = get_command(app)
    inner = {f"{name} {one}" for name, group in program.commands.items() for one in getattr(group, "commands", ())}
    return {*program.commands, *inner} - {"model"}


def test_every_command_is_held_to_them():
    assert commands() == {*FINDS, *WRITES, *OTHERS}


@pytest.mark.parametrize("command", FINDS)
def test_the_data_are_all_of_the_output_and_a_folder_has_them(bench, folder, command):
    done = bench.said(*with_options(command, "--json", "--out", "saved"))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    saved = json.loads((folder / "saved" / "finding.json").read_text())
    assert {**saved, "artifacts": []} == {**said, "artifacts": []}
    assert "<title>" in (folder / "saved" / "page.html").read_text()
    assert (folder / "saved" / "trials.csv").exists() == (said["trials"] > 0)
    again = bench.said(*with_options(command, "-o", "saved"))
    assert again.returncode == 0, "a finding takes the place of an earlier one"
    assert again.stdout.startswith(said["explanation"].partition("\n")[0])


@pytest.mark.parametrize("command", [name for name in FINDS if name not in ("instrument", "triage")])
def test_a_dry_run_prints_data_and_leaves_nothing(bench, folder, command):
    done = bench.said(*with_options(command, "--dry-run", "--json", "--out", "saved"))
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert not (folder / "saved").exists()


@pytest.mark.parametrize("command", FINDS)
def test_a_wrong_question_is_code_2_and_says_nothing_but_why(bench, folder, command):
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    wrong = [["none.toml", *FINDS[command][1:]], *(["--out", out, *FINDS[command]] for out in (".", "input.json"))]
    for arguments in wrong:
        done = bench.said(command, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert done.stderr.startswith("rootward: ")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == kept


@pytest.mark.parametrize("command", REPRODUCES)
def test_a_partial_answer_is_code_3(bench, folder, command):
    done = bench.said(*with_options(command, "--trials", "1", "--json"))
    assert done.returncode == 3
    assert json.loads(done.stdout)["stopped"] == "budget"


@pytest.mark.parametrize("command", REPRODUCES)
def test_no_answer_is_code_1(bench, folder, command):
    """It does not fail when it is run."""
    (folder / "run.sh").write_text("exit 0\n")
    never = [word for word in FINDS[command] if not word.startswith("! grep")]
    arguments = [*never, "true {file}"] if never != FINDS[command] else never
    done = bench.said(command, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert "\nrootward: the failing input did not fail" in done.stderr


def test_a_check_that_does_not_hold_is_code_1(bench, folder):
    faulty = ["--model", MODEL, str(TRACES / "bad_late.asc"), "--param", "S3=500ms"]
    assert bench.said("triage", *faulty, "--json").returncode == 1
    (folder / "model.yaml").write_text("not: a model\n")
    assert bench.said("model", "check", "model.yaml").returncode == 2


@pytest.mark.parametrize("command", [*FINDS, *WRITES])
def test_out_is_where_it_goes(command):
    found = options(command)
    assert found["--out"] is found["-o"]
    assert found["--out"].metavar == ("FOLDER" if command in FINDS else "FILE.svg" if "picture" in command else "FILE")
    if command in FINDS:
        assert found["--json"].is_flag
