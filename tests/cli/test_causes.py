"""``rootward causes`` as a user meets it: tables and study files in, options passed on, mistakes told."""

import contextlib
import json

import pytest

from rootward import Rule, verbs
from rootward.formats.tables.facts import IgnoredColumns
from rootward.rules import Atom, Conjunction
from rootward.searches.causes.causes import Cause, Causes
from rootward.store.store import Store
from rootward.study import load_study
from rootward.study.history import StoredRuns, from_store
from rootward.verdict import FAIL, PASS

HEADER = "id,solver,penalty,rate,score\n"
TABLE = HEADER + "".join(
    f"r{number},{solver},{penalty},{rate},{'' if solver == 'lbfgs' and penalty == 'l1' else 0.9}\n"
    for number, (solver, penalty, rate) in enumerate(
        [("saga", "l1", 0.1), ("lbfgs", "l2", 0.5), ("lbfgs", "l1", 0.1), ("saga", "l2", 0.5), ("newton", "none", 0.1)]
    )
)
"""It fails, without a score, where the solver is lbfgs and the penalty is l1."""
PROGRAM = """
echo run >> log
IFS= read -r settings < "$1"
case $settings in
*'"penalty": "none"'*) ;;
*'"solver": "newton"'*) echo "must never be run" >&2; exit 2 ;;
*'"l1"'*'"lbfgs"'* | *'"lbfgs"'*'"l1"'*) exit 1 ;;
esac
"""
STUDY = """
[subject]
command = ["sh", "run.sh", "{config}"]
[history]
file = "runs.csv"
verdict = "score < 0.6"
ignore = ["id"]
[constraints]
never = [{ solver = "newton", penalty = ["l1", "l2"] }]
"""
STORED = """
[fields]
solver = { type = "choice", values = ["saga", "lbfgs"] }
penalty = { type = "choice", values = ["l1", "l2"] }
[failing]
solver = "lbfgs"
penalty = "l1"
[history]
store = true
"""
VERDICT = ["--verdict", "score < 0.6", "--ignore", "id"]


@pytest.fixture
def folder(bench):
    (bench.folder / "runs.csv").write_text(TABLE)
    (bench.folder / "run.sh").write_text(PROGRAM)
    (bench.folder / "study.toml").write_text(STUDY)
    return bench.folder


@pytest.fixture
def asked(folder, monkeypatch):
    """What the verb is asked; it answers at once."""
    calls = []

    def verb(space, subject, history=(), **options):
        calls.append({"space": space, "subject": subject, "history": history, **options})
        cause = Cause(Conjunction([Atom("solver", "=", "lbfgs")]), support=1, size=1)
        return Causes(details=(cause,), of=len(space), failing=1, passing=4)

    monkeypatch.setattr(verbs, "causes", verb)
    return calls


def test_a_table_and_a_command(bench, asked, capfd):
    command = ["sh", "run.sh", "{config}"]
    assert bench.here("causes", "runs.csv", *VERDICT, "--timeout", "9", "--", *command) == 0
    [call] = asked
    assert call["space"].names == ("solver", "penalty", "rate")
    assert [verdict for _, verdict in call["history"]] == [PASS, PASS, FAIL, PASS, PASS]
    assert (call["subject"].argv, call["subject"].timeout) == (command, 9)
    assert call["subject"].verdict is None
    options = {name: call[name] for name in ("goal", "method", "certify", "beyond", "never", "name")}
    assert list(options.values()) == ["all", "auto", None, False, None, "runs.csv"]
    assert call["flaky"] is None
    out = capfd.readouterr().out
    assert "lbfgs" in out
    assert call["history"].notes == (IgnoredColumns(("id",)),)


def test_every_option_reaches_the_verb(bench, asked):
    said = ["--goal", "one", "--method", "ddt", "--certify", "2", "--beyond", "--flaky", "70%", "--seed", "5"]
    assert bench.here("causes", "runs.csv", *VERDICT, *said, "-j", "2", "--", "./run", "{solver}") == 0
    [call] = asked
    expected = {"goal": "one", "method": "ddt", "certify": 2, "beyond": True, "flaky": 0.7, "seed": 5, "jobs": 2}
    assert {name: call[name] for name in expected} == expected
    assert bench.here("causes", "runs.csv", *VERDICT, "--certify", "statistical") == 0
    assert asked[1]["certify"] == "statistical"


def test_without_a_command_nothing_is_run(bench, asked):
    assert bench.here("causes", "runs.csv", *VERDICT) == 0
    assert asked[0]["subject"] is None


def test_as_of(bench, asked, folder):
    (folder / "days.csv").write_text("day,x,failed\n2024-04-01,0,false\n2024-04-02,1,true\n2024-04-03,1,false\n")
    assert bench.here("causes", "days.csv", "--time", "day", "--as-of", "2024-04-02") == 0
    assert len(asked[0]["history"]) == 2


def test_a_study(bench, asked, folder):
    assert bench.here("causes", "study.toml", "--timeout", "7") == 0
    [call] = asked
    assert call["space"].names == ("solver", "penalty", "rate")
    assert len(call["history"]) == 5
    assert call["never"] == Rule.product({"solver": ["newton"], "penalty": ["l1", "l2"]})
    assert (call["subject"].timeout, call["name"]) == (7, "study")


def test_a_dry_run_of_a_table(bench, asked, capfd):
    assert bench.here("causes", "runs.csv", *VERDICT, "--dry-run") == 0
    assert not asked
    said = "3 settings with 2 to 3 values each. There is no command, so nothing is run.\n"
    assert capfd.readouterr().out == said
    assert bench.here("causes", "runs.csv", *VERDICT, "--dry-run", "--", "./run", "{config}") == 0
    assert "Finding a cause takes about " in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.csv"], "no.csv cannot be read: No such file or directory"),
        (["runs.csv"], "which runs failed?"),
        (["runs.csv", "--verdict", "score < 0.6", "--ignore", "nr,id"], "ignore: there is no column 'nr'"),
        (["runs.csv", *VERDICT, "--until", "2024-04-01"], "--until needs --time: name the column"),
        (["runs.csv", *VERDICT, "--until", "tomorrow"], "--until 'tomorrow': expected a date such as 2024-04-01"),
        (["runs.csv", *VERDICT, "--certify", "many"], "--certify many: expected statistical, or a number"),
        (["runs.csv", *VERDICT, "--certify", "0"], "--certify 0: expected statistical, or a number"),
        (["runs.csv", *VERDICT, "--flaky", "often"], "--flaky often: expected yes, no, or a failure rate"),
        (["runs.csv", *VERDICT, "--", "./run", "runs.csv"], "the command does not use the settings"),
        (["study.toml", "--ignore", "id"], "--ignore is for tables only; with a study file, set ignore in [history]"),
        (["study.toml", "--as-of", "2024-04-01"], "study.toml:4: history: as_of needs time"),
        (["study.toml", "--", "./run", "{config}"], "study.toml already says which command to run"),
        (["bare.toml"], "bare.toml does not say what the settings are: add [history], [fields] or [interface]"),
    ],
)
def test_mistakes(bench, asked, folder, capfd, arguments, said):
    (folder / "bare.toml").write_text('[subject]\ncommand = ["./run", "{config}"]\n')
    assert bench.here("causes", *arguments) == 2
    assert said in capfd.readouterr().err
    assert not asked


# Runs that the store has


def test_earlier_trials_of_the_same_subject(bench, asked, folder):
    text = (folder / "study.toml").read_text().partition("[history]")[0]
    (folder / "stored.toml").write_text(text + STORED)
    assert bench.here("causes", "stored.toml") == 0
    assert asked[0]["history"] == []
    assert not (folder / ".rootward").exists()
    assert bench.here("triggers", "stored.toml", "-q") == 0
    assert bench.here("causes", "stored.toml") == 0
    history = asked[1]["history"]
    assert ({"solver": "lbfgs", "penalty": "l1"}, FAIL) in history
    assert ({"solver": "saga", "penalty": "l1"}, PASS) in history
    study = load_study(folder / "stored.toml")
    assert study.space is not None
    with contextlib.closing(Store(folder / ".rootward" / "rootward.db")) as store:
        identity = study.subject.identity
        assert list(StoredRuns().read(store, identity, study.space)) == history
        assert list(from_store(store, identity, study.space, as_of="2020-01-01")) == []
        assert list(from_store(store, identity, study.space.restrict(["solver"]))) == []
        assert list(from_store(store, "something else", study.space)) == []


# The whole of it


def test_a_table_is_explained_by_new_runs(bench, folder):
    (folder / "run.sh").write_text(PROGRAM.replace("exit 2", "exit 0"))
    done = bench.said("causes", "runs.csv", *VERDICT, "--json", "--", "sh", "run.sh", "{config}")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert [cause["text"] for cause in said["causes"]] == ["penalty = l1 and solver = lbfgs"]


def test_a_study_never_runs_what_must_not_be_run(bench, folder):
    done = bench.said("causes", "study.toml")
    assert done.returncode == 0, done.stderr
    assert "1. penalty = l1 and solver = lbfgs\n" in done.stdout
    assert "newton" not in done.stdout
    before = (folder / "log").read_text()
    again = bench.said("causes", "study.toml")
    assert again.stdout.partition("\n")[0] == done.stdout.partition("\n")[0]
    assert (folder / "log").read_text() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x,y,failed\n1,a,1\n2,a,1\n", "no run passed"),
        ("x,y,failed\n1,a,0\n2,b,0\n", ""),
        ("x,y,failed\n1,a,0\n1,a,1\n2,b,0\n", "1 combination of settings both failed and passed"),
        ("x,y,failed\n1,a,0\n1,a,1\n", ""),
        ("x,y,failed\n1,a,1\nb,,0\nnan,3,0\n", "a mixture of types"),
    ],
)
def test_odd_tables_are_no_reason_to_fall_over(bench, folder, capfd, text, said):
    (folder / "odd.csv").write_text(text)
    code = bench.here("causes", "odd.csv")
    out, err = capfd.readouterr()
    assert code in (0, 1, 2)
    assert said in out + err
    assert "unexpected" not in err


def test_a_table_alone_gives_a_guess(bench, folder):
    done = bench.said("causes", "runs.csv", *VERDICT)
    assert done.returncode == 0, done.stderr
    assert not (folder / "log").exists()
