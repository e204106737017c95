"""``rootward diagnose`` as a user meets it."""

import json
import signal

import pytest

from tests.waiting import PATIENCE, until

PROGRAM = r"""
case "$1" in *.rootward*)  # a trial, and not the reproducer of the report
  echo run >> runs.log
  while [ -e most ] && [ "$(wc -l < runs.log)" -ge "$(cat most)" ]; do sleep 0.01; done;;
esac
IFS= read -r given < "$1"
speed=${given##*'"speed": '} speed=${speed%%[!0-9-]*}
case $given in *'"brake": false'*) [ "$speed" -le 20 ] || { echo "too fast"; exit 1; } ;; esac
"""
STUDY = """
name = "car"
[subject]
command = ["/bin/sh", "run.sh", "{config}"]
[fields]
speed = { type = "int", lo = -100, hi = 100 }
brake = "bool"
[failing]
speed = 50
brake = false
"""
CHECKED = "rootward.diagnosis.handover.regression.run_test"
ANSWER = "It fails when speed > 20 and brake = false."


@pytest.fixture
def study(bench):
    def written(text: str = STUDY) -> str:
        (bench.folder / "run.sh").write_text(PROGRAM)
        (bench.folder / "study.toml").write_text(text)
        return "study.toml"

    return written


@pytest.fixture(params=[(), ("--trials", "70")], ids=["complete", "stopped"])
def quiet_answer(request, bench, study):
    return bench.said("diagnose", study(), "-q", *request.param)


def test_a_quiet_diagnosis_is_nothing_but_the_answer(quiet_answer):
    first, *rest = quiet_answer.stdout.splitlines()
    assert "fail" in first
    assert rest[0] == "Failure: exit code 1"
    assert "Steps" not in quiet_answer.stdout
    assert "reproduce" not in quiet_answer.stdout
    assert quiet_answer.stderr == ""


@pytest.fixture
def untried(monkeypatch):
    """The regression test of a report is written and not run, which takes pytest in a process of its own."""
    monkeypatch.setattr(CHECKED, lambda test, _: test)


def test_from_a_study_to_the_cause(bench, study, request):
    done = bench.said("diagnose", study())
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(ANSWER)
    assert "Steps, each with the number of its trials:" in done.stdout
    assert "speed &gt; 20" in (bench.folder / "study.diagnosis" / "page.html").read_text()
    assert f"{bench.runs} trials run" in done.stdout
    request.getfixturevalue("untried")
    again = bench.said("diagnose", study())
    assert again.stdout.startswith(ANSWER)
    assert "nothing was run now" in again.stdout


@pytest.mark.usefixtures("untried")
def test_as_data(bench, study):
    done = bench.said("diagnose", study(), "--json", "--skip", "others,simplify,verify")
    said = json.loads(done.stdout)
    assert (said["finding"], said["complete"], said["certain"]) == ("diagnosis", True, False)
    assert [step["name"] for step in said["steps"]] == ["reproduce", "rule"]
    [explanation] = said["explanations"]
    assert [cause["text"] for cause in explanation["causes"]] == ["speed > 20 and brake = false"]


def test_the_plan_is_explained_and_nothing_is_run(bench, study):
    for option in ("--explain-plan", "--dry-run"):
        done = bench.said("diagnose", study(), option, "--skip", "others")
        assert done.returncode == 0
        assert "others     skip  You asked to skip it." in done.stdout
    assert bench.runs == 0


@pytest.mark.usefixtures("untried")
def test_the_end_of_the_budget_is_3_and_a_larger_one_goes_on(bench, study):
    done = bench.said("diagnose", study(), "--trials", "20")
    assert done.returncode == 3
    assert "not final (budget)" in done.stdout
    assert "Repeat the command with a larger budget to continue from here." in done.stdout
    assert bench.runs == 20
    assert bench.said("diagnose", study()).stdout.startswith(ANSWER)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (STUDY, ["--skip", "rules"], "there is no step 'rules': the steps are "),
        (STUDY, ["--skip", "reproduce"], "cannot be skipped"),
        (STUDY, ["--repeat", "1of4"], "remove --repeat"),
        (STUDY.partition("[fields]")[0], [], "nothing that can be varied"),
    ],
)
def test_mistakes_say_what_is_expected(bench, study, text, options, message):
    done = bench.said("diagnose", study(text), *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_what_does_not_fail_is_1(bench, study):
    done = bench.said("diagnose", study(STUDY.replace("speed = 50", "speed = 5")))
    assert done.returncode == 1
    assert "the failing input did not fail when it was run: it passed in 20 runs" in done.stderr
    assert "run.sh" in done.stderr, "how to see it"


def test_who_interrupts_the_trying_of_the_report_is_told_what_was_found(bench, study, monkeypatch):
    def struck(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CHECKED, struck)
    done = bench.said("diagnose", study())
    assert done.returncode == 130
    assert done.stdout.startswith(ANSWER)
    assert "The report is study.diagnosis/page.html." in done.stdout
    assert (bench.folder / "study.diagnosis" / "page.html").exists()


@pytest.mark.rest
@pytest.mark.slow
@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize(("how", "runs"), [(signal.SIGINT, 40), (signal.SIGKILL, 15)])
def test_ended_anywhere_it_goes_on(bench, study, how, runs):
    """What was stored is not run again, and the answer is that of a run that nobody ended."""
    most = bench.folder / "most"
    most.write_text(f"{runs}\n")  # later ones do not end while this is there
    process = bench.start("diagnose", study())
    until(lambda: bench.runs >= runs, f"{runs} runs", process)
    process.send_signal(how)
    most.unlink()
    out, _ = process.communicate(timeout=PATIENCE)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "not final (interrupted)" in out
        assert "Repeat the command to continue from here." in out
    else:
        assert process.returncode == -how
    done = bench.said("diagnose", "study.toml", "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert said["explanation"].startswith(ANSWER)
    cut_short = 1  # the one in flight
    assert said["trials"] <= bench.runs <= said["trials"] + cut_short
