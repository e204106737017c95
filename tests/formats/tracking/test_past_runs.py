"""Past runs get their verdicts and become trials; what says nothing is left out, and counted."""

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.tables import trials as table
from rootward.formats.tables.columns import value_of
from rootward.formats.tables.facts import SetAside
from rootward.formats.tables.history import read_history
from rootward.formats.tracking.past_runs import TrackedTrials
from rootward.formats.tracking.registry import read_tracked
from rootward.formats.tracking.run import Experiment, PastRun, RunState
from rootward.space.keys import canonical
from rootward.verdict import FAIL, PASS, UNRESOLVED
from tests.properties import examples

STATUSES = {
    "FINISHED": RunState.FINISHED,
    "FAILED": RunState.FAILED,
    "KILLED": RunState.STOPPED,
    "RUNNING": RunState.RUNNING,
}


def run(number, status="FINISHED", finished=None, score=None, **settings):
    results = {} if score is None else {"score": score}
    return PastRun(str(number), status, STATUSES[status], finished, settings or {"n": number}, results)


def imported(*runs, **options):
    return TrackedTrials(Experiment("the runs", runs), **options)


def verdicts(found):
    return [verdict for _, verdict in read_history(found)]


def test_without_a_verdict_the_status_decides(mlflow_db):
    found = TrackedTrials(read_tracked(mlflow_db, experiment="train"))
    assert verdicts(found) == [PASS, PASS, FAIL, PASS, PASS, PASS, PASS]
    assert (len(found), found.failing, found.passing) == (7, 1, 6)
    assert found.left_out == {"KILLED": 1, "RUNNING": 1, "only grouping other runs": 1}
    assert found.left_out_text == "1 KILLED, 1 RUNNING, 1 only grouping other runs"
    assert found.results == ["accuracy", "dataset", "seconds"]
    assert SetAside((("KILLED", 1), ("RUNNING", 1), ("only grouping other runs", 1))) in read_history(found).notes


def test_a_damaged_status_is_left_out_like_any_other():
    odd = PastRun("9", b"\xff", RunState.RUNNING, None, {"n": 9}, {})  # type: ignore[arg-type]
    found = imported(run(1), run(2, "RUNNING"), odd)
    assert found.left_out == {"RUNNING": 1, "b'\\xff'": 1}
    assert found.notes == (SetAside((("RUNNING", 1), ("b'\\xff'", 1))),)


def test_a_comparison_decides_and_a_run_without_the_number_failed(mlflow_db):
    found = TrackedTrials(read_tracked(mlflow_db, experiment="train"), verdict="accuracy < 0.6")
    assert verdicts(found) == [PASS, PASS, FAIL, FAIL, FAIL, PASS, PASS]


def test_a_crash_is_a_failure_whatever_was_measured():
    found = imported(run(1, score=0.9), run(2, "FAILED", score=0.9), run(3, "FAILED"), verdict="score < 0.6")
    assert verdicts(found) == [PASS, FAIL, FAIL]
    found = imported(run(1, score=0.9), run(2), run(3, "FAILED"), verdict="score = 0.1")
    assert verdicts(found) == [PASS, UNRESOLVED, FAIL]


def test_a_verdict_on_the_status_judges_what_was_stopped_too():
    runs = run(1), run(2, "KILLED"), run(3, "FAILED"), run(4, "RUNNING")
    found = imported(*runs, verdict="status = KILLED")
    assert verdicts(found) == [PASS, FAIL, PASS]
    assert found.left_out == {"RUNNING": 1}
    with pytest.raises(InputError, match="which runs failed"):
        imported(*runs, verdict="status")


def test_a_parameter_may_be_the_verdict_and_is_no_setting_then():
    found = imported(run(1, n=1, outcome="ok"), run(2, n=2, outcome="bad"), verdict="outcome")
    assert (found.settings, verdicts(found)) == (("n",), [PASS, FAIL])


def test_as_of(mlflow_db):
    def until(date):
        return TrackedTrials(read_tracked(mlflow_db, experiment="train"), verdict="accuracy < 0.6", as_of=date)

    assert (len(until("2024-04-04")), until("2024-04-04").left_out["after the given date"]) == (4, 3)
    assert len(until("2024-04-04T00:00:30")) == 3  # the fourth ended half a minute later
    assert read_history(until("2024-04-03")).space.values("rate") == (0.1, 0.5)  # 1.0 came later
    with pytest.raises(InputError, match=r"no usable runs: 1 KILLED, 1 RUNNING, 7 after the given date"):
        until("2024-03-31")
    assert imported(run(1, finished=5.0), run(2), as_of="1970-01-01").left_out == {"without a time": 1}


def test_settings_can_be_left_out(mlflow_db):
    runs = read_tracked(mlflow_db, experiment="train")
    assert TrackedTrials(runs, ignore=["warm", "rate"]).settings == ("penalty", "solver")
    with pytest.raises(InputError, match=r"ignore: there is no column 'wram' \(did you mean 'warm'\?\)"):
        TrackedTrials(runs, ignore=["wram"])
    with pytest.raises(InputError, match="the runs have no settings"):
        TrackedTrials(runs, ignore=["warm", "rate", "penalty", "solver"])


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("acuracy < 0.6", r"there is no column 'acuracy' \(did you mean 'accuracy'\?\)"),
        ("dataset < 3", "dataset has no value that can be compared with 3; it has v1"),
        ("accuracy", "give a comparison that holds for failing runs"),
    ],
)
def test_verdicts_that_do_not_fit(mlflow_db, verdict, said):
    with pytest.raises(InputError, match=said):
        TrackedTrials(read_tracked(mlflow_db, experiment="train"), verdict=verdict)


PLAIN = st.one_of(
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.text(st.characters(categories=["L"]), min_size=1, max_size=5).filter(lambda text: value_of(text) == text),
)
"""Texts that CSV cannot tell from a bool or a number, such as ``true`` and ``inf``, are not among them."""
RUNS = st.lists(
    st.tuples(
        st.sampled_from(sorted(STATUSES)), st.floats(0, 1e9), PLAIN, st.sampled_from(["a", "b"]), st.floats(0, 1)
    ),
    min_size=1,
    max_size=12,
)


@examples(40)
@given(RUNS, st.sampled_from(["csv", "jsonl", "parquet"]))
@example([("FAILED", 0.0, 0, "a", 0.0), ("FAILED", 0.0, -0.0, "a", 0.0)], "csv")
def test_what_is_written_is_read_as_if_it_had_not_been(tmp_path_factory, rows, ending):
    runs = [
        run(number, status, when, score, **{"x.y": value, "mode": mode})
        for number, (status, when, value, mode, score) in enumerate(rows)
    ]
    if ending == "parquet" and len({type(one.settings["x.y"]) for one in runs}) > 1:
        ending = "jsonl"  # a column of Parquet has one type
    if all(STATUSES[one.status] in (RunState.STOPPED, RunState.RUNNING) for one in runs):
        return
    path = tmp_path_factory.mktemp("written") / f"history.{ending}"
    found = imported(*runs, verdict="score < 0.5")
    table.write(found.trials, path)

    def content(history):
        return [(canonical(configuration), verdict) for configuration, verdict in history]

    assert content(read_history(path)) == content(read_history(found))
    left_out = Counter(one.status for one in runs if one.status in ("KILLED", "RUNNING"))
    assert found.left_out == left_out
    assert len(found) == len(runs) - left_out.total()
