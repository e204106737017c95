"""``rootward reduce`` on words of a command and on environment variables, and tests written for other reducers."""

import json
import os

import pytest

COMPILER = """#!/bin/sh
for word; do
  case "$word" in -O2) optimises=1;; "-DX=1 2") defines=1;; esac
done
[ "$optimises$defines" = 11 ] && { echo "internal error" >&2; exit 4; }
exit 0
"""
SERVICE = """#!/bin/sh
[ "$MODE" = slow ] && [ "$DB_TOKEN" = hunter2 ] && { echo "no route" >&2; exit 3; }
exit 0
"""
WORDS = "-g -O2 -Wall '-DX=1 2' -pipe"


@pytest.fixture
def program(bench):
    def write(text, name="program.sh"):
        path = bench.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return f"./{name}"

    return write


def test_the_words_that_are_needed_are_named(bench, program):
    done = bench.said("reduce", "--args", WORDS, "--", program(COMPILER), "{args}", "-c", "t.c")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "2 of 5 words are enough to make it fail; without any one of them it no longer fails."
    )
    assert "\n  2  -O2\n  4  -DX=1 2\n" in done.stdout
    assert "With only these words: ./program.sh -O2 '-DX=1 2' -c t.c\n" in done.stdout


def test_words_reach_a_script_for_a_shell(bench, program):
    script = f'{program(COMPILER)} "$@" -c t.c'
    done = bench.said("reduce", "--args", WORDS, "--json", "--run", f"sh -c '{script}' sh {{args}}")
    assert [one["element"] for one in json.loads(done.stdout)["kept"]] == ["-O2", "-DX=1 2"]


def test_a_word_can_be_kept(bench, program):
    done = bench.said("reduce", "--args", WORDS, "--keep=-g", "-q", "--", program(COMPILER), "{args}")
    assert done.stdout.startswith("2 of 5 words are enough to make it fail, together with the one that had to stay;")


def test_the_variables_that_are_needed_are_named_without_secrets(bench, program, monkeypatch):
    monkeypatch.setenv("MODE", "slow")
    monkeypatch.setenv("DB_TOKEN", "hunter2")
    done = bench.said("reduce", "--env", "--out", "saved", "--", program(SERVICE))
    assert done.returncode == 0
    assert done.stdout.startswith("2 of ")
    assert 'With only these variables: env -i DB_TOKEN="$DB_TOKEN" MODE=slow ./program.sh\n' in done.stdout
    assert "  DB_TOKEN=***\n" in done.stdout
    files = [*(bench.folder / "saved").rglob("*"), *(bench.folder / ".rootward").rglob("*")]
    assert all(b"hunter2" not in file.read_bytes() for file in files if file.is_file())


def test_variables_can_come_from_a_file(bench, program, monkeypatch):
    monkeypatch.setenv("MODE", "fast")
    (bench.folder / "my.env").write_text("A=1\nMODE=slow\nexport DB_TOKEN='hunter2'\nB=2\n")
    done = bench.said("reduce", "--env", "my.env", "-q", "--", program(SERVICE))
    assert done.stdout.startswith("2 of 4 variables are enough")


def test_a_program_is_found_without_path(bench, program, monkeypatch):
    program(SERVICE, "service")
    monkeypatch.setenv("PATH", f"{bench.folder}:{os.environ['PATH']}")
    (bench.folder / "my.env").write_text("A=1\nMODE=slow\nDB_TOKEN=hunter2\n")
    done = bench.said("reduce", "--env", "my.env", "-q", "--", "service")
    assert done.stdout.startswith("2 of 3 variables are enough")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--args", "a", "--env", "--", "x"], "use either --args or --env"),
        (["--args", "a", "crash.txt", "--", "x", "{args}"], "remove crash.txt"),
        (["--args", "a", "--by", "lines", "--", "x", "{args}"], "use either --args or --by"),
        (["--env", "--reduced", "r", "--", "x"], "use either --env or --reduced"),
        (["--args", "a"], "there is no command"),
        (["--env"], "there is no command"),
        (["--args", "a", "--", "x"], "write {args} where they belong"),
        (["--args", "a", "--", "{args}"], "cannot be the program itself"),
        (["--args", "a'", "--", "x", "{args}"], "cannot be split into words"),
        (["--args", " ", "--", "x", "{args}"], "has no words"),
        (["--args", "a", "--", "x", "-I{args}"], "must be a word of its own"),
        (["--env", "/dev/null", "--", "x"], "cannot be read"),
        (["--env", "empty.env", "--", "x"], "has no variables"),
        (["--env", "--", "./no-such-program"], "cannot be started"),
        (["--", "x", "{file}"], "name the failing FILE"),
        (["crash.txt", "--interesting", "125", "--", "x", "{file}"], "interesting must be an exit code"),
    ],
)
def test_wrong_combinations_are_refused(bench, arguments, reason):
    (bench.folder / "empty.env").touch()
    bench.input()
    done = bench.said("reduce", *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


# Tests for other reducers

BY_NAME = "#!/bin/sh\ngrep -q bug crash.txt && grep -q ugly crash.txt\n"
BY_PATH = '#!/bin/sh\ngrep -q bug "${1:-/dev/stdin}"\n'


def test_a_test_that_knows_the_name_of_its_input_can_be_used(bench, program):
    bench.input()
    done = bench.said("reduce", "crash.txt", "--interesting", "0", "--", program(BY_NAME))
    assert done.stdout.startswith("5 of 313 bytes are enough")
    assert (bench.folder / "crash.reduced.txt").read_bytes() == b"bugly"
    done = bench.said("reduce", "crash.txt", "--interesting", "0", "--by", "lines", "--", program(BY_NAME))
    assert done.stdout.startswith("2 of 40 lines are enough")
    assert (bench.folder / "crash.reduced.txt").read_bytes() == b"a bug\nan ugly one\n"


@pytest.mark.parametrize("command", [["./program.sh", "{file}"], ["sh", "-c", "./program.sh < {file}"]])
def test_a_test_that_is_given_its_input_can_be_used(bench, program, command):
    bench.input()
    program(BY_PATH)
    done = bench.said("reduce", "crash.txt", "--interesting", "0", "-q", "--", *command)
    assert done.stdout.startswith("3 of 313 bytes are enough")
    assert (bench.folder / "crash.reduced.txt").read_bytes() == b"bug"


def test_a_study_file_can_be_used_with_such_a_test(bench, program):
    bench.input()
    text = f'[subject]\ncommand = ["{program(BY_PATH)}", "{{file}}"]\n[elements]\nfile = "crash.txt"\n'
    (bench.folder / "study.toml").write_text(text)
    done = bench.said("reduce", "study.toml", "--interesting", "0", "-q")
    assert done.stdout.startswith("1 of 40 lines is enough")


def test_an_input_that_passes_is_met_with_the_option(bench, program):
    bench.input()
    done = bench.said("reduce", "crash.txt", "--", program(BY_PATH), "{file}")
    assert done.returncode == 1
    assert "add --interesting 0" in done.stderr
    done = bench.said("reduce", "crash.txt", "--verdict", "FAIL", "--", program(BY_PATH), "{file}")
    assert "--interesting" not in done.stderr


def test_an_input_that_is_not_interesting_is_told_why(bench, program):
    bench.input()
    done = bench.said("reduce", "crash.txt", "--interesting", "0", "--", "sh", "-c", "exit 3", "{file}")
    assert done.returncode == 1
    assert "(exit code 3)" in done.stderr
    assert "only exit code 0 means that it fails" in done.stderr
