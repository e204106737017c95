"""``rootward reduce`` as a user meets it: its exit code, what it prints and the file it leaves."""

import json
import re
import shlex
import subprocess
import sys
import tempfile

import pytest

from rootward import verbs
from rootward.cli import main
from tests.properties import few

QUIET = """\
5 of 313 bytes are enough to make it fail.
Failure: exit code 3
  | it is broken
This is left of lines 8 and 32 of crash.txt:
  bugly
Without any single character of it, it no longer fails.
"""
COURSE = r"Left out: \d+ bytes in whole parts[^\n]*\.\n"
*BEGIN, END = map(re.escape, QUIET.splitlines(keepends=True))
ANSWER = re.compile("".join(BEGIN) + COURSE + END)
REDUCED = b"bugly"
LINES = """\
2 of 40 lines are enough to make it fail; without any one of them it no longer fails.
Failure: exit code 3
  | it is broken
   8  a bug
  32  an ugly one
"""


def test_it_answers_and_leaves_the_reduced_file(bench):
    before = bench.input().read_bytes()
    done = bench.reduce()
    assert done.returncode == 0, done.stderr
    assert ANSWER.match(done.stdout)
    assert "trials run" in done.stdout
    assert f"The reduced file is {bench.folder / 'crash.reduced.txt'}." in done.stdout
    assert (bench.folder / "crash.reduced.txt").read_bytes() == REDUCED
    assert bench.input().read_bytes() == before
    assert done.stderr.startswith("reduce crash.txt, run 1\n")
    assert done.stderr.endswith("trials: done\n")


def test_the_same_command_runs_nothing_again_and_fresh_starts_over(bench):
    first = bench.said(*bench.arguments())
    count = bench.runs
    again = bench.said(*bench.arguments())
    assert bench.runs == count > 10
    assert again.returncode == 0
    assert "nothing was run now" in again.stdout
    assert "nothing was run now" not in first.stdout
    assert bench.here(*bench.arguments("--fresh")) == 0
    assert bench.runs == 2 * count


def test_lines_alone_can_be_left_out(bench):
    done = bench.said(*bench.arguments("--by", "lines", "--quiet"))
    assert (done.returncode, done.stdout, done.stderr) == (0, LINES, "")
    assert (bench.folder / "crash.reduced.txt").read_bytes() == b"a bug\nan ugly one\n"


@pytest.mark.parametrize("options", [[], ["--by", "lines"]])
def test_parallel_is_the_same_answer(bench, options):
    alone = bench.said(*bench.arguments("-q", "--store", "one.db", *options)).stdout
    assert alone == (LINES if options else QUIET)
    reduced = (bench.folder / "crash.reduced.txt").read_bytes()
    assert bench.said(*bench.arguments("-j", "4", "-q", "--store", "other.db", *options)).stdout == alone
    assert (bench.folder / "crash.reduced.txt").read_bytes() == reduced


def test_json_is_one_document_and_nothing_else(bench):
    done = bench.said(*bench.arguments("--json"))
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert found["complete"]
    assert ANSWER.fullmatch(found["explanation"] + "\n")
    assert (found["of"], found["bytes"], found["content"], found["lines"]) == (313, 5, "bugly", [8, 32])
    assert found["minimal"]
    by_lines = json.loads(bench.said(*bench.arguments("--json", "--by", "lines")).stdout)
    assert by_lines["explanation"] + "\n" == LINES
    assert [kept["position"] for kept in by_lines["kept"]] == [7, 31]


def test_quiet_is_nothing_but_the_answer(bench):
    done = bench.said(*bench.arguments("--quiet"))
    assert (done.returncode, done.stdout, done.stderr) == (0, QUIET, "")


def test_a_spent_budget_is_a_partial_answer_that_can_be_gone_on_with(bench):
    part = bench.said(*bench.arguments("--trials", "12"))
    assert part.returncode == 3
    assert "Repeat the command with a larger budget to continue from here." in part.stdout
    assert b"bug" in (bench.folder / "crash.reduced.txt").read_bytes()
    assert bench.runs == 12
    whole = bench.said(*bench.arguments())
    assert ANSWER.match(whole.stdout)
    assert f"{bench.runs} trials run" in whole.stdout
    resumed = bench.runs
    assert bench.here(*bench.arguments("--store", "other.db")) == 0
    assert bench.runs == 2 * resumed


def test_nothing_is_claimed_that_was_not_seen(bench, capsys):
    assert bench.here(*bench.arguments("--trials", "0")) == 3
    assert capsys.readouterr().out.startswith(
        "There is no answer yet: the run ended before the failure was seen once.\n"
    )
    assert (bench.runs, (bench.folder / "crash.reduced.txt").exists()) == (0, False)


def test_what_does_not_fail_is_no_answer(bench):
    done = bench.said("reduce", str(bench.input()), "--", "true", "{file}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "rootward: the failing input did not fail when it was run: it passed" in done.stderr
    assert "Run it by hand with:\n  true " in done.stderr
    assert not (bench.folder / "crash.reduced.txt").exists()


def test_a_command_that_cannot_be_started_is_not_worth_repeating(bench):
    done = bench.said("reduce", str(bench.input()), "--", "./none", "{file}")
    assert done.returncode != 0
    assert "rootward: the command cannot be started: " in done.stderr
    assert "repeat" not in done.stderr


def test_a_store_that_cannot_be_made_is_no_answer(bench):
    done = bench.said(*bench.arguments("--store", "/dev/null/x.db"))
    assert done.returncode == 1
    assert done.stderr.startswith("rootward: cannot create the folder of the store /dev/null/x.db")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["crash.txt"], "there is no command: after --, give the command that fails with crash.txt"),
        (["crash.txt", "--", "./x", "crash.txt"], "write {file} instead of crash.txt, as in"),
        (["none.txt", "--", "./x", "{file}"], "none.txt cannot be read: No such file"),
        (["crash.txt", "--reduced", "crash.txt", "--", "./x", "{file}"], "is the input, which is never changed"),
        (["crash.txt", "--reduced", "no/where", "--", "./x", "{file}"], "there is no folder no"),
        (["crash.txt", "--report", "no/where.html", "--", "./x", "{file}"], "there is no folder no"),
        (
            ["crash.txt", "--report", "x.pdf", "--", "./x", "{file}"],
            "x.pdf must end in .html (a page), .json (data)",
        ),
        (["crash.txt", "--trials", "-1", "--", "./x", "{file}"], "--trials must be 0 or more, not -1"),
        (["empty.txt", "--", "./x", "{file}"], "empty.txt is empty: there is nothing to reduce"),
        (["empty.json", "--", "./x", "{file}"], "empty.json is empty: there is nothing to reduce"),
        (["head.csv", "--by", "rows", "--", "./x", "{file}"], "head.csv has no rows that could be removed"),
        (["crash.txt", "--jobs", "0", "--", "./x", "{file}"], "--jobs must be at least 1, not 0"),
        (["crash.txt", "--jobs", "many", "--", "./x", "{file}"], "--jobs"),
        (["crash.txt", "--repeat", "often", "--", "./x", "{file}"], "repeat = 'often': expected once, KofN"),
        (["crash.txt", "--memory", "big", "--", "./x", "{file}"], "an amount of memory such as 512M"),
        (["crash.txt", "--method", "magic", "--", "./x", "{file}"], "unknown method 'magic'"),
        (["crash.txt", "--verdict", "(", "--", "./x", "{file}"], "is not a regular expression"),
        (["crash.txt", "--by", "words", "--", "./x", "{file}"], "--by"),
        (["crash.txt", "--address", "tcp://x:1", "--", "./x", "{file}"], "--address needs --executor dask"),
        (["crash.txt", "--bugdet", "3", "--", "./x", "{file}"], "--bugdet"),
        (["none.toml"], "none.toml cannot be read"),
    ],
)
def test_a_wrong_question_is_exit_code_2(bench, capsys, arguments, complaint):
    bench.input()
    for name, text in {"empty.txt": "", "empty.json": "", "head.csv": "a,b\n"}.items():
        (bench.folder / name).write_text(text)
    assert bench.here("reduce", *arguments) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    ("option", "number", "what"),
    [
        *(("--timeout", number, "timeout must be a positive number of seconds") for number in ("-1", "0", "nan")),
        *(("--seconds", number, "seconds") for number in ("-1", "nan", "inf")),
        *(("--jobs", "0", "jobs"), ("--trials", "-3", "trials"), ("--memory", "0", "memory")),
    ],
)
def test_an_impossible_number_is_said_in_one_sentence_before_anything_runs(bench, capsys, option, number, what, dry):
    assert bench.here(*bench.arguments(option, number, *dry)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(rf"rootward: [^\n]*{what}[^\n]*{number}[^\n]*\n", said.err)
    assert (bench.runs, (bench.folder / ".rootward").exists()) == (0, False)


SEARCH_GOES_ON = "The input has 313 bytes. The search goes on until no single character can be left out"
FEW_TRIALS = "There are 40 lines: about 11 trials if one of them is needed to fail, about 23 if three are."


@pytest.mark.parametrize(
    ("options", "noun", "whole", "estimate"),
    [([], "bytes", 313, SEARCH_GOES_ON), (["--by", "lines"], "elements", 40, FEW_TRIALS)],
)
def test_a_dry_run_shows_the_first_commands_and_runs_nothing(bench, options, noun, whole, estimate):
    done = bench.said(*bench.arguments("--dry-run", "--repeat", "1of4", *options))
    commands = [line.strip() for line in done.stdout.splitlines() if "run it.sh" in line]
    assert done.returncode == 0
    assert (bench.runs, (bench.folder / ".rootward/rootward.db").exists()) == (0, False)
    sizes = [int(command.partition("# ")[2].removesuffix(f" {noun} kept")) for command in commands]
    assert (len(sizes), sizes[0]) == (5, whole)
    assert all(0 <= size < whole for size in sizes[1:])
    assert estimate in done.stdout
    assert "Each trial may take up to 4 runs." in done.stdout
    assert not (bench.folder / "crash.reduced.txt").exists()


def test_the_commands_of_a_dry_run_can_be_run(bench, tmp_path):
    done = bench.said(*bench.arguments("--dry-run", "--json", "--method", "ddmin"))
    commands = json.loads(done.stdout)["commands"]
    codes = [subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True).returncode for command in commands]
    assert codes == [3, 0, 0, 0, 0]


def test_the_files_of_a_dry_run_are_beside_the_store(bench):
    done = bench.said(*bench.arguments("--dry-run", "--store", "kept/here.db"))
    assert f" {bench.folder}/kept/dry-run/1/crash.txt" in done.stdout
    assert sorted(path.name for path in bench.folder.iterdir()) == ["crash.txt", "kept", "run it.sh"]


def test_the_files_of_a_dry_run_are_elsewhere_where_one_may_not_write(bench, monkeypatch, capsys, tmp_path_factory):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("elsewhere")))
    assert bench.here(*bench.arguments("--dry-run", "--store", "/dev/null/x.db")) == 0
    assert f" {tempfile.tempdir}/rootward-" in capsys.readouterr().out


@pytest.mark.parametrize("closed", few(1, ["<&- >&- 2>&-", ">&-", "2>&-", ">&- 2>&-"]))
def test_closed_streams(bench, closed):
    start = shlex.join([sys.executable, "-m", "rootward", *bench.arguments()])
    done = subprocess.run(f"{start} {closed}", shell=True, cwd=bench.folder, capture_output=True, text=True)
    assert done.returncode == 0
    assert "unexpected" not in done.stdout + done.stderr
    assert bool(ANSWER.match(done.stdout)) == (closed == "2>&-")
    assert (bench.folder / "crash.reduced.txt").read_bytes() == REDUCED


def test_by_characters_with_a_pattern_as_verdict(bench):
    text = bench.folder / "in put.txt"
    text.write_bytes(b"\xffsome\r\n[bold]te\x00xt[/bold]\x1b[31m! \xe2\x82\xac")
    options = ["--by", "chars", "--verdict", "te.?xt", "--reduced", "kept out.bin", "-q"]
    done = bench.said("reduce", str(text), *options, "--", "cat", "{file}")
    assert done.returncode == 0, done.stderr
    assert (bench.folder / "kept out.bin").read_bytes() == b"text"


ENCODINGS = pytest.mark.parametrize(
    ("encoding", "accent"), [("ascii", "\\xe9"), pytest.param("utf-8", "é", marks=pytest.mark.rest)]
)


@ENCODINGS
def test_hostile_input_is_shown_and_not_obeyed_on_any_terminal(bench, monkeypatch, encoding, accent):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    path = bench.folder / "[red]é b.txt"
    bug = b"[bold red]bug[/] \x1b[31m\x07 \xff\xfe \xed\xa0\x80 {0} %s\n"
    path.write_bytes(b"ok\n" + bug + "ugly \u202e é\n".encode() + b"ok\n")
    done = bench.rootward("reduce", str(path), "--by", "lines", "--", bench.command(), "{file}")
    assert done.returncode == 0, done.stderr
    assert "[bold red]bug[/] \\x1b[31m\\x07" in done.stdout
    assert f"ugly \\u202e {accent}" in done.stdout
    assert not set("\x1b\x07\u202e") & set(done.stdout + done.stderr)
    assert (bench.folder / "[red]é b.reduced.txt").read_bytes() == b"".join(path.read_bytes().splitlines(True)[1:3])


@ENCODINGS
def test_hostile_text_that_is_left_of_a_file_is_shown_and_not_obeyed(bench, monkeypatch, encoding, accent):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    bug = b"[bold red]bug[/] \x1b[31m\x07 \xff\xfe {0} %s and enough of plain text not to be shown as bytes"
    ugly = "ugly \u202e é".encode()
    for name, needed in {"bug": bug, "ugly": ugly}.items():
        (bench.folder / name).write_bytes(needed)
    path = bench.folder / "[red]é b.txt"
    path.write_bytes(b"ok\n" + bug + b"\nok\n" + ugly + b"\nok\n")
    fails = "export LC_ALL=C; ! { grep -qaF -f bug {file} && grep -qaF -f ugly {file}; }"
    done = bench.rootward("reduce", str(path), "--", "sh", "-c", fails)
    assert done.returncode == 0, done.stderr
    assert "[bold red]bug[/] \\x1b[31m\\x07" in done.stdout
    assert f"ugly \\u202e {accent}" in done.stdout
    assert not set("\x1b\x07\u202e") & set(done.stdout + done.stderr)
    assert (bench.folder / "[red]é b.reduced.txt").read_bytes() == bug + ugly


def test_the_report_is_written(bench, capsys):
    assert bench.here(*bench.arguments("--report", "why.html")) == 0
    assert "The report is why.html." in capsys.readouterr().out
    page = (bench.folder / "why.html").read_text()
    assert '<pre class="content">bugly</pre>' in page
    assert "What is left of crash.txt: 5 of 313 bytes" in page
    assert bench.here(*bench.arguments("--by", "lines", "--report", "lines.html")) == 0
    assert "an ugly one" in (bench.folder / "lines.html").read_text()


def test_trouble_of_our_own_is_a_sentence(bench, monkeypatch, capsys):
    monkeypatch.setattr(verbs, "reduce", lambda *_, **__: 1 / 0)
    assert bench.here(*bench.arguments()) == 70
    assert (
        "this is a bug in Rootward, please report it (ZeroDivisionError: division by zero)" in capsys.readouterr().err
    )
    monkeypatch.setenv("ROOTWARD_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(bench.arguments())


def test_a_folder_is_reduced_to_a_folder(bench):
    """The folder of an earlier run is replaced, and no other one."""
    project = bench.folder / "project"
    (project / "src").mkdir(parents=True)
    for number in range(30):
        text = "a bug\n" if number == 17 else "fine\n"
        (project / "src" / f"part {number}.txt").write_text(f"first line\n{text}last line\n")
    check = bench.folder / "check"
    check.write_text('#!/bin/sh\nif grep -rq bug "$1"; then echo broken >&2; exit 3; fi\n')
    check.chmod(0o755)
    command = ("reduce", str(project), "--", str(check), "{file}")
    for _ in range(2):
        done = bench.rootward(*command)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("3 of 781 bytes are enough")
        assert "This is left of 30 files:\n  src/part 17.txt\n    bug\n" in done.stdout
        reduced = bench.folder / "project.reduced"
        assert [str(path.relative_to(reduced)) for path in reduced.rglob("*") if path.is_file()] == ["src/part 17.txt"]
        assert (reduced / "src" / "part 17.txt").read_text() == "bug"
    assert len(list(project.rglob("*.txt"))) == 30
    other = bench.folder / "other"
    other.mkdir()
    refused = bench.rootward("reduce", str(project), "--reduced", str(other), *command[2:])
    assert refused.returncode == 2
    assert "nothing here shows that rootward wrote it" in refused.stderr
    inside = bench.rootward("reduce", str(project), "--reduced", str(project / "small"), *command[2:])
    assert "is inside of" in inside.stderr


@pytest.mark.parametrize("options", [["--by", "lines"], ["--keep", "x"], ["--method", "ddmin"]])
def test_a_level_is_for_whole_files_only(bench, options):
    bench.input()
    done = bench.rootward("reduce", "crash.txt", *options, "--until-level", "parts", "--", "false", "{file}")
    assert done.returncode == 2
    assert "--until-level is for files whose text is reduced" in done.stderr


def test_a_line_to_keep_is_named_by_its_text(bench):
    (bench.folder / "numbers.txt").write_text("one\ntwo words\nthree\nfour\n")
    command = ["--by", "lines", "--keep", "two *", "--", "sh", "-c", "! grep -q three {file}"]
    done = bench.rootward("reduce", "numbers.txt", *command)
    assert done.returncode == 0, done.stderr
    assert (bench.folder / "numbers.reduced.txt").read_text() == "two words\nthree\n"


def test_a_link_is_given_to_the_command_under_its_own_name(bench):
    (bench.folder / "content.bin").write_text("some bad text")
    (bench.folder / "crash.c").symlink_to("content.bin")
    script = 'case "$1" in *crash.c) ! grep -q bad "$1";; esac'
    done = bench.rootward("reduce", "crash.c", "--", "sh", "-c", script, "sh", "{file}")
    assert done.returncode == 0, done.stderr
    assert (bench.folder / "crash.reduced.c").read_text() == "bad"


def test_a_result_of_the_same_length_is_shown_and_written(bench):
    (bench.folder / "a.txt").write_text("7")
    done = bench.rootward("reduce", "a.txt", "--", "sh", "-c", "! grep -q '[0-9]' {file}")
    assert done.stdout.startswith("No shorter version of the 1 byte was seen to fail, but a simpler one.")
    assert "\n  0\n" in done.stdout
    assert (bench.folder / "a.reduced.txt").read_text() == "0"


def test_a_damaged_archive_is_reduced_like_any_other_data(bench):
    (bench.folder / "a.tar.gz").write_bytes(b"\x1f\x8b\x08\x00 cut off: bad")
    done = bench.rootward("reduce", "a.tar.gz", "--", "sh", "-c", "! grep -qa bad {file}")
    assert done.returncode == 0, done.stderr
    assert "this tar archive is damaged" in done.stdout
    assert (bench.folder / "a.reduced.tar.gz").read_bytes() == b"bad"
