"""How a command is put together and how its end becomes an outcome."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.formats.environment import Variable
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED
from tests.waiting import PATIENCE

Run = Callable[..., rw.Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def once(command: rw.Command, candidate: Any = None, seed: int = 5) -> rw.Outcome:
        return command.run({} if candidate is None else candidate, seed=seed, place=tmp_path / "trial")

    return once


def shell(script: str, **options: Any) -> rw.Command:
    return rw.Command(["/bin/sh", "-c", script, "sh", "{config}"], **options)


def output_of(outcome: rw.Outcome) -> str:
    return Path(outcome.artifacts["output"]).read_text() if outcome.artifacts else ""


# Verdicts


@pytest.mark.parametrize(
    ("script", "verdict", "signature"),
    [
        ("exit 0", PASS, None),
        ("exit 1", FAIL, "exit code 1"),
        ("exit 124", FAIL, "exit code 124"),
        ("exit 125", UNRESOLVED, None),
        ("exit 126", FAIL, "exit code 126"),
        ("kill -TERM $$", FAIL, "SIGTERM"),
    ],
)
def test_exit_codes(run: Run, script: str, verdict: rw.Verdict, signature: str | None) -> None:
    outcome = run(shell(script))
    assert (outcome.verdict, outcome.signature) == (verdict, signature)


def test_an_unresolved_run_says_why(run: Run) -> None:
    assert run(shell("echo; echo no licence; exit 125")).detail == "no licence"
    assert run(shell("exit 125")).detail == "exit code 125"


def test_the_last_line_is_the_detail_of_a_failure(run: Run) -> None:
    assert run(shell("echo one; echo two >&2; echo; exit 1")).detail == "two"


@pytest.mark.parametrize(
    ("printed", "verdict", "signature"),
    [("all fine", PASS, None), ("ERROR: 42 broke", FAIL, "42"), ("x\nERROR: 7 a\nERROR: 8 b", FAIL, "7")],
)
def test_a_pattern_decides(run: Run, printed: str, verdict: rw.Verdict, signature: str | None) -> None:
    command = rw.Command(["printf", "%s\n", "{text}"], verdict="^ERROR", signature=r"ERROR: (\d+)")
    outcome = run(command, {"text": printed})
    assert (outcome.verdict, outcome.signature) == (verdict, signature)


def test_a_pattern_without_a_group_is_its_own_signature(run: Run) -> None:
    assert run(shell("echo stuck at 3", verdict="stuck", signature=r"stuck at \d")).signature == "stuck at 3"


def test_a_pattern_outranks_the_exit_code_but_not_125(run: Run) -> None:
    assert run(shell("exit 3", verdict="ERROR")).verdict is PASS
    assert run(shell("echo ERROR; exit 125", verdict="ERROR")).verdict is UNRESOLVED


@pytest.mark.parametrize(
    ("said", "verdict"), [("pass", PASS), ("FAIL", FAIL), ("other", OTHER), ("unresolved", UNRESOLVED)]
)
def test_json_decides(run: Run, said: str, verdict: rw.Verdict) -> None:
    printed = json.dumps({"runs": [{"verdict": said, "why": {"a b": "tilted"}}]})
    path: dict[str, Any] = {"verdict": "$.runs[0].verdict", "signature": '$.runs[0].why["a b"]'}
    outcome = run(rw.Command(["printf", "log\n%s\nbye\n", printed, "{seed}"], **path))
    assert outcome.verdict is verdict
    assert outcome.signature == ("tilted" if verdict is FAIL else None)


def test_json_over_several_lines(run: Run) -> None:
    printed = json.dumps({"verdict": "fail"}, indent=2)
    assert run(rw.Command(["printf", "%s\n%.0s", printed, "{seed}"], verdict="$.verdict")).verdict is FAIL


def test_a_timeout_has_a_signature_of_its_own(run: Run) -> None:
    for timeout in (0.5, 5, 50, PATIENCE):  # until it is enough to say something
        outcome = run(shell("echo before; sleep 1000", timeout=timeout))
        assert (outcome.verdict, outcome.signature) == (FAIL, "timeout")
        if output_of(outcome):
            break
    assert output_of(outcome) == "before\n"


# What the command gets


def test_placeholders(run: Run, tmp_path: Path) -> None:
    command = rw.Command(
        ["/bin/sh", "-c", 'pwd; echo "$A"; echo "$1 $2"', "sh", "{speed}", "{seed}"],
        env={"A": "in {dir} at {speed}"},
        cwd="{dir}",
    )
    outcome = run(command, {"speed": 2.5})
    place = tmp_path / "trial"
    assert output_of(outcome) == f"{place}\nin {place} at 2.5\n2.5 5\n"


def test_the_working_directory(run: Run, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "run.sh").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "here" / "run.sh").chmod(0o755)
    outcome = run(rw.Command(["./run.sh", "{config}"], cwd=str(tmp_path / "here")))
    assert output_of(outcome) == f"{tmp_path / 'here'}\n"


def test_nothing_is_read_from_the_terminal(run: Run) -> None:
    assert run(shell("read line && exit 9; exit 0", timeout=PATIENCE)).verdict is PASS


def test_no_descriptor_of_the_lab_is_inherited(run: Run) -> None:
    outcome = run(shell("ls /proc/$$/fd"))
    assert set(output_of(outcome).split()) <= {"0", "1", "2", "3", "10"}  # sh may open one of its own


def test_signals_have_their_usual_meaning(run: Run) -> None:
    """Python ignores SIGPIPE; a command must not inherit that."""
    assert "PIPE" not in output_of(run(rw.Command(["/bin/sh", "-c", "trap", "{config}"])))
    outcome = run(rw.Command(["/bin/sh", "-c", "grep SigIgn /proc/$$/status", "{config}"]))
    ignored = int(output_of(outcome).split()[1], 16)
    assert not ignored & 1 << (signal.SIGPIPE - 1)
    assert not ignored & 1 << (signal.SIGINT - 1)


@pytest.mark.parametrize(("size", "kept"), [(100, True), (1 << 20, False)])
def test_a_large_input_of_a_failing_trial_is_not_kept(run: Run, tmp_path: Path, size: int, kept: bool) -> None:
    command = rw.Command(["/bin/sh", "-c", 'test -s "$0" && exit 3', "{file}"])
    assert run(command, ["x" * size]).verdict is FAIL
    assert (tmp_path / "trial").exists() == kept
    command.by_hand(["x" * size], seed=5, place=tmp_path / "trial")
    assert [path.stat().st_size for path in (tmp_path / "trial").iterdir()] == [size]


def test_what_a_killed_trial_left_is_gone(run: Run, tmp_path: Path) -> None:
    """The folder of a trial that was cut short is used again: it must look like new."""
    (tmp_path / "trial" / "sub").mkdir(parents=True)
    (tmp_path / "trial" / "sub" / "half").write_text("written")
    outcome = run(rw.Command(["/bin/sh", "-c", 'ls "$1"; mkdir "$1/sub"', "sh", "{dir}"]))
    assert outcome.verdict is PASS
    assert output_of(outcome) == ""


# Mistakes


@pytest.mark.parametrize(
    ("argv", "options", "said"),
    [
        ("./run.sh {config}", {}, "with shell set to true"),
        (["./run.sh {config}"], {"shell": True}, "with shell set to true"),
        ([], {}, "a command must be a list"),
        (["./run.sh"], {}, "has no placeholder for its input"),
        (["./run.sh", "{config}"], {"verdict": "("}, "not a regular expression"),
        (["./run.sh", "{config}"], {"signature": "$.a..b"}, "not a path such as"),
    ],
)
def test_a_mistake_is_an_error_at_once(argv: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(rw.InputError, match=said.replace("$", r"\$")):
        rw.Command(argv, **options)


@pytest.fixture
def not_executable(tmp_path: Path) -> str:
    path = tmp_path / "plain.txt"
    path.write_text("text")
    return str(path)


@pytest.fixture
def no_interpreter(tmp_path: Path) -> str:
    path = tmp_path / "script"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("kind", ["missing", "not_executable", "no_interpreter", "folder", "no_cwd"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_that_cannot_start_is_a_clear_error_before_the_search(
    tmp_path: Path, kind: str, jobs: int, not_executable: str, no_interpreter: str
) -> None:
    programs = {
        "missing": "./no-such-program",
        "not_executable": not_executable,
        "no_interpreter": no_interpreter,
        "folder": "/usr",
        "no_cwd": "true",
    }
    cwd = "/no/such/folder" if kind == "no_cwd" else None
    command = rw.Command([programs[kind], "{file}"], cwd=cwd)
    with pytest.raises(rw.SubjectError, match="the command cannot be started"):
        rw.reduce(["a", "b"], command, jobs=jobs, store=tmp_path / "store.db")
    with rw.Store(tmp_path / "store.db") as store:
        assert not list(store.trials(1)), "nothing was learnt about any candidate"


def test_what_to_type_does_the_same(tmp_path: Path) -> None:
    command = rw.Command(
        ["/bin/sh", "-c", 'cat "$1"; echo "$2 $A"; pwd', "sh", "{config}", "{v}"], env={"A": "{v}"}, cwd="{dir}"
    )
    candidate = {"v": "it's $(id) \udcff"}
    outcome = command.run(candidate, seed=1, place=tmp_path / "a")
    typed = command.by_hand(candidate, seed=1, place=tmp_path / "a")
    by_hand = subprocess.run(["sh", "-c", typed.encode("utf-8", "surrogateescape")], stdout=subprocess.PIPE)
    assert by_hand.stdout == Path(outcome.artifacts["output"]).read_bytes()


def test_what_to_type_for_what_cannot_be_typed() -> None:
    said = rw.Command(["true", "{v}"]).by_hand({"v": "\0"}, seed=1, place=Path("/tmp"))
    assert "pass it in {config}" in said


# Identity


def test_identity_changes_with_the_program(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"

    def identities() -> list[str]:
        commands = [
            rw.Command([str(script), "{config}"]),
            rw.Command(["sh", str(script), "{config}"]),
            rw.Command(["./run.sh", "{config}"], cwd=str(tmp_path)),
            rw.Command(["true", f"--script={script}", "{config}"]),
            rw.Command(f"sh '{script}' {{config}}", shell=True),
        ]
        return [command.identity for command in commands]

    script.write_text("exit 0")
    before = identities()
    assert before == identities()
    assert len(set(before)) == len(before)
    script.write_text("exit 1")
    assert not set(before) & set(identities())


def test_identity_changes_with_the_options() -> None:
    base = ["true", "{config}"]
    variants: list[dict[str, Any]] = [
        {},
        {"timeout": 1.0},
        {"env": {"A": "1"}},
        {"cwd": "/"},
        {"memory": 1 << 30},
        {"verdict": "x"},
        {"signature": "x"},
        {"file_name": "a.txt"},
    ]
    assert len({rw.Command(base, **options).identity for options in variants}) == len(variants)


def test_identity_survives_a_folder_and_a_strange_name(tmp_path: Path) -> None:
    assert rw.Command(["true", str(tmp_path), "x" * 5000, "{config}"]).identity


def test_a_command_is_seeded_if_the_seed_reaches_it() -> None:
    assert rw.Command(["true", "{seed}"]).seeded
    assert rw.Command(["true", "{config}"], env={"SEED": "{seed}"}).seeded
    assert not rw.Command(["true", "{config}"]).seeded


# Keeping


def test_the_output_stays_beside_the_store(tmp_path: Path) -> None:
    store = tmp_path / "deep" / "store.db"
    command = rw.Command(
        [sys.executable, "-c", "import sys; print(sys.argv); sys.exit('b' in open(sys.argv[1]).read())", "{file}"]
    )
    rw.reduce(["a", "b", "c"], command, store=store)
    kept = rw.Store(store)
    trials = [trial for run in kept.runs() for trial in kept.trials(run.id)]
    kept.close()
    assert trials
    for trial in trials:
        assert Path(trial["artifacts"]["output"]).is_relative_to(tmp_path / "deep" / "trials")
        assert Path(trial["artifacts"]["output"]).exists()


def test_a_changed_program_does_not_overwrite_earlier_output(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    for text in ("one", "two"):
        rw.reduce(
            ["a"],
            rw.Command(["/bin/sh", "-c", f'echo {text}; grep -q a "$1" && exit 1; exit 0', "sh", "{file}"]),
            store=store,
        )
    kept = rw.Store(store)
    first, second = (list(kept.trials(run.id)) for run in kept.runs())
    kept.close()
    assert {Path(trial["artifacts"]["output"]).read_text() for trial in first} == {"one\n"}
    assert {Path(trial["artifacts"]["output"]).read_text() for trial in second} == {"two\n"}


def test_identity_is_the_program_not_its_data(tmp_path: Path) -> None:
    program, log = tmp_path / "run.py", tmp_path / "runs.log"
    program.write_text("print(1)")
    log.write_text("")
    argv = [sys.executable, str(program), "{config}", str(log)]
    before = rw.Command(argv).identity
    log.write_text("one run")
    assert rw.Command(argv).identity == before
    program.write_text("print(2)")
    assert rw.Command(argv).identity != before


def write_files(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


USED = {
    "imported": ("lib_DOT_py", "import lib"),
    "imported in a function": ("lib_DOT_py", "def f():\n    from lib import g"),
    "in a package": ("pkg__deep_DOT_py", "from pkg import deep"),
    "in src": ("src__lib_DOT_py", "import lib"),
    "opened": ("limits_DOT_json", "open('limits.json')"),
    "read": ("limits_DOT_json", "Path('limits.json').read_text()"),
}


@pytest.mark.parametrize(("name", "code"), USED.values(), ids=USED)
def test_identity_changes_with_what_a_script_uses(tmp_path: Path, name: str, code: str) -> None:
    write_files(tmp_path, check_DOT_py=code, other_DOT_py="1", **{name: "1"})
    commands = [
        [sys.executable, "check.py", "{config}"],
        [sys.executable, "-m", "check", "{config}"],
        [sys.executable, "-c", code, "{config}"],
        ["sh", "run.sh", "{config}"],
    ]
    write_files(tmp_path, run_DOT_sh='exec python check.py "$1"')

    def identities() -> list[str]:
        return [rw.Command(argv, cwd=str(tmp_path)).identity for argv in commands]

    before = identities()
    write_files(tmp_path, other_DOT_py="2")
    assert identities() == before
    write_files(tmp_path, **{name: "2"})
    assert not set(identities()) & set(before)


def test_identity_follows_imports_to_the_end(tmp_path: Path) -> None:
    write_files(tmp_path, check_DOT_py="import a", a_DOT_py="from . import b\nimport check", b_DOT_py="1")
    command = rw.Command([sys.executable, str(tmp_path / "check.py"), "{config}"])
    before = command.identity
    write_files(tmp_path, b_DOT_py="2")
    assert rw.Command(command.argv).identity != before


def test_identity_ignores_what_a_script_writes(tmp_path: Path) -> None:
    write_files(tmp_path, check_DOT_py="open('seen.txt', 'a')", seen_DOT_txt="1", result_DOT_txt="1")
    argv = [sys.executable, "check.py", "{config}", "--output", "result.txt"]
    before = rw.Command(argv, cwd=str(tmp_path)).identity
    write_files(tmp_path, seen_DOT_txt="2", result_DOT_txt="2")
    assert rw.Command(argv, cwd=str(tmp_path)).identity == before


def test_identity_changes_with_named_data_and_listed_files(tmp_path: Path) -> None:
    write_files(tmp_path, limits_DOT_csv="1", data__a_DOT_bin="1")

    def identities() -> list[str]:
        return [
            rw.Command(["true", "{config}", *words], cwd=str(tmp_path), files=files).identity
            for words, files in ([["limits.csv"], []], [[], ["data/*.bin"]], [[], ["data"]])
        ]

    before = identities()
    write_files(tmp_path, limits_DOT_csv="2", data__a_DOT_bin="2")
    assert not set(before) & set(identities())


def test_a_mended_module_is_run_again(tmp_path: Path) -> None:
    write_files(tmp_path, check_DOT_py="import sys, lib\nsys.exit(lib.f(open(sys.argv[1]).read()))")
    write_files(tmp_path, lib_DOT_py="def f(text):\n    return 'b' in text")
    command = rw.Command([sys.executable, "-B", str(tmp_path / "check.py"), "{file}"])
    assert rw.reduce(["a", "b"], command, store=tmp_path / "store.db").kept == ["b"]
    write_files(tmp_path, lib_DOT_py="def f(text):\n    return 0")
    with pytest.raises(rw.NotReproduced):
        rw.reduce(["a", "b"], rw.Command(command.argv), store=tmp_path / "store.db")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_leaves_no_output_file_that_was_ready_for_its_next_trial(jobs: int, tmp_path: Path) -> None:
    space = rw.Space({"n": rw.Int(0, 3)})
    rw.find(space, rw.Command(["/bin/test", "{n}", "-lt", "9"]), store=tmp_path / "store.db", jobs=jobs)
    assert not list(tmp_path.rglob("output-*"))


# Tests for other reducers


@pytest.mark.parametrize(
    ("script", "verdict", "signature", "detail"),
    [
        ("echo warning >&2; exit 0", FAIL, "exit code 0", "warning"),
        ("exit 1", PASS, None, "exit code 1"),
        ("exit 125", UNRESOLVED, None, "exit code 125"),
        ("exit 127", PASS, None, "exit code 127"),
        ("kill -SEGV $$", PASS, None, "SIGSEGV"),
        ("sleep 60", PASS, None, "timed out after 0.2 s"),
    ],
)
def test_exit_code_0_is_interesting(
    run: Run, script: str, verdict: rw.Verdict, signature: str | None, detail: str
) -> None:
    outcome = run(shell(script, interesting=0, timeout=0.2))
    assert (outcome.verdict, outcome.signature, outcome.detail) == (verdict, signature, detail)


def test_an_interesting_run_that_names_its_error_is_named_by_it(run: Run) -> None:
    assert run(shell("echo E42", interesting=0, signature=r"E(\d+)")).signature == "exit code 0: 42"


def test_another_exit_code_can_be_the_interesting_one(run: Run) -> None:
    assert [run(shell(f"exit {code}", interesting=77)).verdict for code in (77, 0, 1)] == [FAIL, PASS, PASS]


def test_a_wrong_interesting_code_is_refused() -> None:
    for code in (125, 256, -1):
        with pytest.raises(rw.InputError, match="exit code from 0 to 255"):
            shell("true", interesting=code)
    with pytest.raises(rw.InputError, match="either interesting or verdict"):
        shell("true", interesting=0, verdict="x")


def test_a_program_that_knows_the_name_of_its_input_runs_beside_it(run: Run, tmp_path: Path) -> None:
    command = rw.Command(
        ["sh", "-c", "grep -q bug crash.c && pwd"], file_name="crash.c", interesting=0, beside_file=True
    )
    outcome = run(command, ["a\n", "bug\n"])
    assert outcome.verdict is FAIL
    assert output_of(outcome).strip() == str(tmp_path / "trial")
    assert run(command, ["a\n"]).verdict is PASS
    assert not (tmp_path / "trial").exists()
    typed = command.by_hand(["a\n", "bug\n"], seed=1, place=tmp_path / "again")
    assert subprocess.run(typed, shell=True, check=False).returncode == 0
    with pytest.raises(rw.InputError, match="either cwd or beside_file"):
        rw.Command(["true"], cwd="/", beside_file=True)


# Lists of words, and of variables


def test_each_kept_word_is_a_word_of_its_own(run: Run, tmp_path: Path) -> None:
    words = ["two words", "*", "{args}", "", "-n"]
    command = rw.Command(["sh", "-c", 'printf "[%s]" "$@"; exit 1', "sh", "a", "{args}", "b"])
    assert output_of(run(command, words)) == "[a][two words][*][{args}][][-n][b]"
    assert output_of(run(command, [])) == "[a][b]"
    typed = command.by_hand(words, seed=0, place=tmp_path / "trial")
    done = subprocess.run(typed, shell=True, check=False, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "[a][two words][*][{args}][][-n][b]"
    assert rw.Command(["cc", "{args}", "{file}"]).show_with(["-O2", "a b"]) == "cc -O2 'a b' '{file}'"


def test_words_need_a_place_of_their_own(run: Run) -> None:
    for command in (
        rw.Command(["cc", "x{args}"]),
        rw.Command(["sh", "-c", "cc {args}"]),
        rw.Command("cc {args}", shell=True),
    ):
        with pytest.raises(rw.SubjectError, match="a word of its own"):
            run(command, ["-O2"])
    with pytest.raises(rw.SubjectError, match="only for lists of text"):
        run(rw.Command(["cc", "{args}"]), [1])
    assert run(rw.Command(["{args}"]), []).detail == "no word of the command is left"


def test_a_field_may_be_called_args(run: Run) -> None:
    assert run(rw.Command(["test", "{args}", "=", "x y"]), {"args": "x y"}).verdict is PASS


def test_only_the_kept_variables_are_there(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTWARD_TEST", "inherited")
    command = rw.Command(["env", "-0"], takes_variables=True, env={"OWN": "1"}, verdict="x")
    kept = [Variable("A", "one\ntwo"), Variable("B_TOKEN", "hunter2"), Variable("ODD%%", "() { :; }")]
    found = dict(record.split("=", 1) for record in output_of(run(command, kept)).split("\0") if record)
    found.pop("ROOTWARD_LAB")
    assert found == {"A": "one\ntwo", "B_TOKEN": "hunter2", "ODD%%": "() { :; }", "OWN": "1"}
    typed = command.by_hand(kept, seed=0, place=tmp_path / "trial")
    assert "hunter2" not in typed + command.show_with(kept)
    done = subprocess.run(typed, shell=True, check=True, stdout=subprocess.PIPE, text=True, env={"B_TOKEN": "hunter2"})
    assert dict(record.split("=", 1) for record in done.stdout.split("\0") if record) == found
    with pytest.raises(rw.SubjectError, match="lists of Variable"):
        run(command, ["A=1"])


def test_new_options_change_the_identity_and_their_absence_does_not() -> None:
    plain = rw.Command(["cc", "{file}"])
    others = [rw.Command(["cc", "{file}"], **option) for option in ({"interesting": 0}, {"beside_file": True})]
    assert len({command.identity for command in (plain, *others)}) == 3
