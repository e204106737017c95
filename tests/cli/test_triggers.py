"""``rootward triggers`` as a user meets it: its exit code and what it prints."""

import json

import pytest

DOCUMENT = {"vehicle": {"speed": 7, "gear": "R", "wheels": [{"on": True}, {"on": False}]}, "brake": True}
PROGRAM = """
IFS= read -r given < "$1"
case $given in
*'"gear": "R"'*'{"on": false}]'*'"brake": true'*) echo "wheel lock-up" >&2; exit 1 ;;
esac
"""
STUDY = """
[subject]
command = ["sh", "run.sh", "{config}"]
[interface]
json_schema = ["head.json", "body.json", "body.json"]
[fields]
"M2.speed" = { type = "int", values = [-1, 0, 1, 2] }
"""
HEAD = {"type": "object", "properties": {"mode": {"enum": ["idle", "drive", "park"]}}}
BODY = {"type": "object", "properties": {"speed": {"type": "integer", "minimum": 0, "maximum": 3}}}
SEQUENCE = """
IFS= read -r given < "$1"
case $given in *'"M0": {"mode": "park"}'*) ;; '{"M0": {'*'"M1": {'*'"M2": {"speed": -'*) exit 1 ;; esac
"""
ANSWER = """\
It seems to fail when these 3 of 5 fields have these values; the other 2 fields do not matter.
Failure: exit code 1: wheel lock-up
  vehicle.gear in set [ R ]
  vehicle.wheels[1].on in set [ false ]
  brake in set [ true ]
Precision 1.00 (at least"""


@pytest.fixture
def failing(bench):
    """The arguments that run a program on a failing document."""
    (bench.folder / "failing.json").write_text(json.dumps(DOCUMENT))
    (bench.folder / "run.sh").write_text(PROGRAM)

    def arguments(*options: str) -> list[str]:
        return ["triggers", "failing.json", *options, "--", "sh", "run.sh", "{config}"]

    return arguments


def test_a_document_and_a_command(bench, failing):
    done = bench.said(*failing("-j", "2", "--report", "page.html"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(ANSWER)
    assert "Failure: exit code 1" in done.stdout
    assert "values that trigger it" in (bench.folder / "page.html").read_text()
    again = bench.said(*failing())
    assert "nothing was run now" in again.stdout
    assert again.stdout.startswith(ANSWER)


def test_a_partial_answer_goes_on(bench, failing):
    flags = {"vehicle": {"gear": True, "wheels": [{"on": True}, {"on": False}]}, "brake": True}
    (bench.folder / "failing.json").write_text(json.dumps(flags))
    (bench.folder / "run.sh").write_text(PROGRAM.replace('"R"', "true"))
    part = bench.said(*failing("--trials", "3", "--json"))
    assert part.returncode == 3
    said = json.loads(part.stdout)
    assert (said["stopped"], said["complete"], said["trials"]) == ("budget", False, 3)
    assert said["open"] > 0
    whole = bench.said(*failing("--json"))
    assert whole.returncode == 0
    assert {one["field"] for one in json.loads(whole.stdout)["sets"]} == {
        "brake",
        "vehicle.gear",
        "vehicle.wheels[1].on",
    }


def test_a_study_of_messages_with_one_field_narrowed(bench):
    for name, content in [("head", HEAD), ("body", BODY)]:
        (bench.folder / f"{name}.json").write_text(json.dumps(content))
    (bench.folder / "run.sh").write_text(SEQUENCE)
    failing = {"M0": {"mode": "drive"}, "M1": {"speed": 2}, "M2": {"speed": -1}}
    (bench.folder / "failing.json").write_text(json.dumps(failing))
    (bench.folder / "study.toml").write_text(f'failing = "failing.json"\n{STUDY}')
    done = bench.said("triggers", "study.toml", "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2:4] == [
        "  M0.mode in set [ idle, drive ]",
        "  M2.speed in set [ -1 ] (0 does not trigger it)",
    ]


def test_a_dry_run_shows_trials_and_an_estimate(bench, failing):
    done = bench.said(*failing("--dry-run"))
    assert done.returncode == 0
    assert done.stdout.count("run.sh") == 5
    assert "5 fields with" in done.stdout
    assert not (bench.folder / ".rootward" / "rootward.db").exists()
    said = json.loads(bench.said(*failing("--dry-run", "--json")).stdout)
    assert said["estimate"]["fields"] == 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("failing.json", "missing.json"), "missing.json"),
        (("{config}", "failing.json"), "write {config} instead of failing.json"),
        (("{config}", "{file}"), "the command does not use the changed input"),
        (("failing.json", "run.sh"), "run.sh"),
    ],
)
def test_a_wrong_question_is_one_sentence(bench, failing, change, message):
    arguments = [change[1] if word == change[0] else word for word in failing()]
    done = bench.said(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--flaky", "often"], "--flaky often: expected yes, no, or a failure rate such as 70% or 0.7"),
        (["--flaky", "170%"], "--flaky 170%: expected yes, no, or a failure rate"),
        (["--samples", "-1"], "samples must be a number of runs, 0 or more, not -1"),
        (["--method", "best"], "unknown method 'best'; expected one of auto, columns, hpsl"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_run(bench, failing, options, message, capsys):
    assert bench.here(*failing(*options)) == 2
    assert message in capsys.readouterr().err


def test_a_study_without_fields_says_so(bench, capsys):
    (bench.folder / "study.toml").write_text('[subject]\ncommand = ["true", "{config}"]\n')
    assert bench.here("triggers", "study.toml") == 2
    assert "does not say what may change: add [fields] or [interface]" in capsys.readouterr().err
