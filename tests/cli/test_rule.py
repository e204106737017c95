"""``rootward rule`` as a user meets it. A stand-in searches: what is tried here is what surrounds the search."""

import json
import math
import re

import pytest

from rootward.searches.conditions import METHODS
from rootward.store.store import Store
from tests.searches.conditions.stump import stump

DOCUMENT = {"vehicle": {"speed": 70, "gears": [1, 2]}, "brake": True}
PROGRAM = """
IFS= read -r given < "$1"
speed=${given##*'"speed": '} speed=${speed%%[!0-9-]*}
[ "$speed" -le 20 ] || { echo "too fast" >&2; exit 1; }
"""
STUDY = """
[subject]
command = ["sh", "run.sh", "{config}"]
[fields]
speed = { type = "int", lo = -100, hi = 100 }
brake = "bool"
"""


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch):
    monkeypatch.setitem(METHODS, "boundaries", stump)


@pytest.fixture
def failing(bench):
    """The arguments that run a program on a failing document."""
    (bench.folder / "failing.json").write_text(json.dumps(DOCUMENT))
    (bench.folder / "run.sh").write_text(PROGRAM)

    def arguments(*options: str) -> list[str]:
        return ["rule", "failing.json", *options, "--", "sh", "run.sh", "{config}"]

    return arguments


def test_a_document_and_a_command(bench, failing):
    done = bench.said(*failing("--report", "page.html"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("It seems to fail when vehicle.speed ")
    assert "Failure: exit code 1" in done.stdout
    assert "44 trials run" in done.stdout
    assert "\n`rootward diagnose` challenges the condition and says if it is certain.\n" in done.stdout
    assert "It seems to fail when" in (bench.folder / "page.html").read_text()
    again = bench.said(*failing())
    assert re.search(r"answered from stored runs of \d{4}-\d\d-\d\d .* UTC: nothing was run now", again.stdout)


@pytest.mark.parametrize("option", ["--quiet", "--json"])
def test_a_remembered_answer_says_so_beside_the_answer(bench, failing, option):
    assert "nothing was run" not in bench.said(*failing(option)).stderr
    assert "UTC: nothing was run now" in bench.said(*failing(option)).stderr


def test_only_the_named_fields_change(bench, failing):
    done = bench.said(*failing("--fields", "vehicle.speed, brake", "--fields", "vehicle.gears[0]", "--json"))
    assert done.returncode == 0, done.stderr
    assert "rootward diagnose" not in done.stdout
    said = json.loads(done.stdout)
    assert (said["finding"], said["of"], said["complete"]) == ("rule_finding", 4, True)
    with Store(bench.folder / ".rootward" / "rootward.db") as store:
        tried = [trial["candidate"] for trial in store.trials(1)]
    changed = [name for name in tried[0] if len({json.dumps(one[name]) for one in tried}) > 1]
    assert changed == ["vehicle.speed", "vehicle.gears[0]", "brake"]


def test_the_rule_alone_as_python(bench, failing):
    done = bench.said(*failing("--as", "python"))
    assert done.returncode == 0
    [line] = done.stdout.splitlines()
    assert eval(line, {"math": math, "c": {"vehicle.speed": 2**62}})
    assert not eval(line, {"math": math, "c": {"vehicle.speed": -3}})
    assert "It seems to fail when vehicle.speed " in done.stderr
    assert bench.said(*failing("--as", "python", "-q", "--fresh")).stderr == ""


@pytest.mark.parametrize(("form", "said"), [("c", "speed"), ("smtlib", "(assert")], ids=lambda word: word.strip("("))
def test_the_rule_alone_in_other_languages(bench, failing, form, said):
    (bench.folder / "study.toml").write_text(STUDY)
    done = bench.said("rule", "study.toml", "--as", form, "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout
    assert "It fails" not in done.stdout


def test_a_study_may_leave_open_what_fails(bench, failing):
    (bench.folder / "study.toml").write_text(STUDY)
    done = bench.said("rule", "study.toml", "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("It seems to fail when speed >= 2")


def test_a_partial_answer_goes_on(bench, failing):
    part = bench.said(*failing("--trials", "5"))
    assert part.returncode == 3
    assert "to continue from here" in part.stdout
    whole = bench.said(*failing())
    assert whole.returncode == 0
    assert "44 trials run" in whole.stdout


def test_a_dry_run_shows_trials_and_an_estimate(bench, failing):
    done = bench.said(*failing("--dry-run"))
    assert done.returncode == 0
    assert done.stdout.count("run.sh") == 5
    assert "4 fields. Usually 60 to 250 trials" in done.stdout
    assert not (bench.folder / ".rootward" / "rootward.db").exists()
    said = json.loads(bench.said(*failing("--dry-run", "--json", "--fields", "brake")).stdout)
    assert said["estimate"]["fields"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--flaky", "often"], "--flaky often: expected yes, no, or a failure rate such as 70% or 0.7"),
        (["--fields", "vehicle.sped"], "did you mean 'vehicle.speed'?"),
        (["--verify", "-3"], "verify must be a number of runs, 0 or more, not -3"),
        (["--method", "best"], "unknown method 'best'; expected one of auto, "),
        (["--as", "c", "--json"], "use either --as or --json, not both"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_run(bench, failing, options, message, capsys):
    assert bench.here(*failing(*options)) == 2
    assert message in capsys.readouterr().err


def test_a_wrong_question_is_one_sentence(bench, capsys):
    (bench.folder / "study.toml").write_text('[subject]\ncommand = ["true", "{config}"]\n')
    assert bench.here("rule", "study.toml") == 2
    assert "does not say what may change: add [fields] or [interface]" in capsys.readouterr().err
    assert bench.here("rule", "failing.json") == 2
    assert "as in rootward rule failing.json -- ./run.sh {config}" in capsys.readouterr().err
