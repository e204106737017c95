"""``rootward find`` as a user meets it."""

import json

import pytest

PROGRAM = """
IFS= read -r given < "$1"
speed=${given##*'"speed": '} speed=${speed%%[!0-9-]*}
case $given in *'"brake": false'*) [ "$speed" -le 20 ] || { echo "too fast" >&2; exit 1; } ;; esac
"""
STUDY = """
[subject]
command = ["sh", "run.sh", "{config}"]
[fields]
speed = { type = "int", lo = -100, hi = 100 }
brake = "bool"
"""


@pytest.fixture
def usual(bench):
    """The arguments that run a program on a document that works."""
    (bench.folder / "usual.json").write_text(json.dumps({"vehicle": {"speed": 7, "gears": [1, 2]}, "brake": False}))
    (bench.folder / "run.sh").write_text(PROGRAM)

    def arguments(*options: str) -> list[str]:
        return ["find", "usual.json", *options, "--", "sh", "run.sh", "{config}"]

    return arguments


def test_a_document_and_a_command(bench, usual):
    done = bench.said(*usual("--report", "page.html"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("A failure was found in run ")
    assert "Failure: exit code 1: too fast, seen " in done.stdout
    assert "A failure was found in run " in (bench.folder / "page.html").read_text()
    assert "nothing was run now" in bench.said(*usual()).stdout


def test_a_study_says_what_works_and_what_is_never_run(bench, usual):
    (bench.folder / "study.toml").write_text(f"{STUDY}[nominal]\nspeed = 3\nbrake = true\n")
    said = json.loads(bench.said("find", "study.toml", "--json", "--enough", "0").stdout)
    assert said["found"]
    assert said["passing"] == {"speed": 3, "brake": True}
    [failure] = said["failures"]
    assert failure["configuration"]["speed"] > 20
    assert failure["changed"] == ["speed", "brake"]
    (bench.folder / "study.toml").write_text(f'{STUDY}[constraints]\nnever = [{{ speed = {{ ">" = 20 }} }}]\n')
    done = bench.said("find", "study.toml", "--most", "40")
    assert done.returncode == 0
    assert done.stdout.startswith("No failure was found in 40 runs.")


def test_a_dry_run_shows_trials_and_a_limit(bench, usual):
    done = bench.said(*usual("--dry-run", "--most", "70"))
    assert done.returncode == 0
    assert done.stdout.startswith("Dry run: nothing is run. If all trials pass, the first trials are:")
    assert done.stdout.count("run.sh") == 5
    assert "4 fields. At most 70 trials" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--most", "0"], "most must be a number of runs, at least 1, not 0"),
        (["--enough", "-1"], "enough must be a number"),
    ],
)
def test_wrong_options_are_refused(bench, usual, options, message, capsys):
    assert bench.here(*usual(*options)) == 2
    assert message in capsys.readouterr().err
