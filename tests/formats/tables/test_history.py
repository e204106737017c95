"""Earlier runs from tables of every kind: what is a setting, what failed, and what a person should be told."""

# ruff: noqa: E501  (a case is one line)

import csv
import datetime
import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.formats.tables import sources
from rootward.formats.tables import sources as batches
from rootward.formats.tables import trials as table
from rootward.formats.tables.facts import Contradictions, RepeatedRuns
from rootward.formats.tables.history import VERDICTS, HistoryTable, read_history
from rootward.report.sentences.history import phrase
from rootward.space.keys import canonical
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED

TABLE_1 = """\
Dataset,Imputer Strategy,Estimator,Test Size,Score,Evaluation
Dataset 1,Mean,Logistic Regression,0.1,0.9,succeed
Dataset 2,Frequency,Decision Tree,0.1,0.8,succeed
Dataset 2,Mean,Gradient Boosting,0.4,NAN,fail
Dataset 1,Frequency,Gradient Boosting,0.3,0.2,fail
Dataset 3,Mean,Decision Tree,0.2,0.7,succeed
Dataset 3,Frequency,Logistic Regression,0.2,0.9,succeed
"""
"""Tables 1 and 3 of the paper."""


@pytest.fixture
def history(tmp_path):
    """A history of a CSV file with that text, read with those options."""

    def read(text: str, **options) -> HistoryTable:
        (tmp_path / "runs.csv").write_text(text, encoding="utf-8")
        return read_history(tmp_path / "runs.csv", **options)

    return read


def notes(found: HistoryTable) -> list[str]:
    """What a person is told of it."""
    return list(map(phrase, found.notes))


def same(one: HistoryTable, other: HistoryTable) -> bool:
    rows = [[(canonical(configuration), verdict) for configuration, verdict in table] for table in (one, other)]
    return one.space == other.space and rows[0] == rows[1]


# The paper's tables


def test_the_tables_of_the_paper_by_their_evaluation(history):
    found = history(TABLE_1, ignore=["Score"])
    assert (len(found), found.failing, found.passing) == (6, 2, 4)
    assert found.names == ("Dataset", "Imputer Strategy", "Estimator", "Test Size")
    assert found.space == rw.Space(
        {
            "Dataset": rw.Choice(["Dataset 1", "Dataset 2", "Dataset 3"]),
            "Imputer Strategy": rw.Choice(["Frequency", "Mean"]),
            "Estimator": rw.Choice(["Decision Tree", "Gradient Boosting", "Logistic Regression"]),
            "Test Size": rw.Float(values=[0.1, 0.2, 0.3, 0.4]),
        }
    )
    assert found.values[3] == (0.1, 0.2, 0.3, 0.4)
    configuration = {
        "Dataset": "Dataset 2",
        "Imputer Strategy": "Mean",
        "Estimator": "Gradient Boosting",
        "Test Size": 0.4,
    }
    assert list(found)[2] == (configuration, FAIL)
    assert notes(found) == ["the column Score is left out"]


def test_a_score_that_is_missing_is_a_failure(history):
    by_score = history(TABLE_1, verdict="Score < 0.6", ignore=["Evaluation"])
    assert same(by_score, history(TABLE_1, ignore=["Score"]))
    assert [verdict for _, verdict in history(TABLE_1, verdict="Score >= 0.85")] == [FAIL, PASS, FAIL, PASS, PASS, FAIL]


def test_a_column_that_looks_like_a_result_is_worth_a_note(history):
    assert notes(history(TABLE_1, verdict="Score < 0.6")) == [
        "Evaluation: named like a result; if this is not a setting, ignore it",
    ]


# Every source says the same

RUNS = [
    ({"n": 3, "rate": 0.5, "on": True, "mode": "fast"}, FAIL),
    ({"n": 1, "rate": math.nan, "on": False, "mode": "slow"}, PASS),
    ({"n": 2, "rate": 0.5, "on": True, "mode": "slow"}, OTHER),
    ({"n": 3, "rate": -1.5, "on": True, "mode": "slow"}, UNRESOLVED),
]
SPACE = rw.Space(
    {
        "n": rw.Int(bits=64, values=[1, 2, 3]),
        "rate": rw.Float(values=[-1.5, 0.5, math.nan]),
        "on": rw.Bool(),
        "mode": rw.Choice(["fast", "slow"]),
    }
)


def exported(runs=RUNS):
    for number, (configuration, verdict) in enumerate(runs):
        head = {"run": 7, "key": f"k{number}", "attempt": 0, "seed": number}
        tail = {"signature": None, "detail": "", "measures": {"x": 1.0}, "artifacts": {}, "seconds": 0.1, "tries": 1}
        yield {**head, "candidate": configuration, "verdict": verdict.value, **tail, "finished": 86400.0 * number}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_our_own_trials_need_no_options(tmp_path, ending):
    path = tmp_path / f"trials.{ending}"
    table.write(exported, path)
    found = read_history(path)
    assert found.space == SPACE
    assert same(found, read_history(RUNS))
    assert same(read_history(str(path), as_of="1970-01-02"), read_history(RUNS[:2]))
    assert read_history(path, ignore=["n"]).names == ("rate", "on", "mode")


def test_selections_are_no_configurations(tmp_path):
    table.write(lambda: [{"candidate": {"kept": "0-3", "of": 5}, "verdict": "fail"}], tmp_path / "trials.csv")
    with pytest.raises(InputError, match="has no columns with settings"):
        read_history(tmp_path / "trials.csv")


def frames():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {name: [configuration[name] for configuration, _ in RUNS] for name in SPACE.names}
    columns["verdict"] = [verdict.name for _, verdict in RUNS]
    frame = polars.DataFrame(columns)
    yield frame
    yield frame.with_columns(mode=polars.col("mode").cast(polars.Categorical))
    yield frame.to_arrow()
    yield pyarrow.table(columns).slice(0)


def test_frames():
    for frame in frames():
        assert same(read_history(frame), read_history(RUNS))


def test_a_pandas_frame():
    pandas = pytest.importorskip("pandas")
    columns = {name: [configuration[name] for configuration, _ in RUNS] for name in SPACE.names}
    frame = pandas.DataFrame({**columns, "verdict": [verdict.name for _, verdict in RUNS]})
    assert same(read_history(frame), read_history(RUNS))


def test_pairs():
    assert read_history([({"a": 1}, True), ({"a": 2}, False)]).failing == 1
    assert [verdict for _, verdict in read_history(iter(RUNS))] == [verdict for _, verdict in RUNS]
    assert same(read_history(read_history(RUNS)), read_history(RUNS))


def test_nested_json_lines(tmp_path):
    rows = [
        {"model": {"depth": 3, "kind": {"name": "a"}}, "failed": True},
        {"model": {"depth": [1, 2]}, "failed": False},
    ]
    (tmp_path / "runs.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    found = read_history(tmp_path / "runs.jsonl")
    assert list(found) == [
        ({"model.depth": 3, "model.kind.name": "a"}, FAIL),
        ({"model.depth": "[1, 2]", "model.kind.name": None}, PASS),
    ]


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.sampled_from(["a", "", "1", "1.0", "nan"]),
)


@given(st.lists(st.tuples(VALUES, VALUES, st.sampled_from(VERDICTS)), min_size=1, max_size=30), st.integers(1, 7))
def test_what_goes_in_comes_out(rows, cells):
    """Codes stand for the values, whatever their kinds, however small the batches are."""
    pairs = [({"x": x, "y": y}, verdict) for x, y, verdict in rows]
    before, batches.MAX_CELLS = batches.MAX_CELLS, cells
    try:
        found = read_history(pairs)
        (codes, verdicts) = (np.concatenate(part) for part in zip(*found.chunks(), strict=True))
    finally:
        batches.MAX_CELLS = before
    assert [VERDICTS[number] for number in verdicts] == [verdict for _, verdict in pairs]
    for at, name in enumerate(found.names):
        numbers = all(row[name] is None or type(row[name]) in (int, float) for row, _ in pairs)
        filled = [row[name] for row, _ in pairs if row[name] is not None]
        for code, (row, _) in zip(codes[:, at], pairs, strict=True):
            value, kept = row[name], found.values[at][code]
            if numbers and filled:
                floats = isinstance(kept, float)
                wanted = math.nan if value is None else float(value) if floats else value
                assert canonical(kept) == canonical(wanted or type(wanted)(0))
            else:
                assert canonical(kept) == canonical(0.0 if type(value) is float and value == 0 else value)
        seen = {canonical(value) for value in found.values[at]}
        assert len(seen) == len(found.values[at]) == len(set(codes[:, at].tolist()))
    assert sum(codes.shape[0] for codes, _ in found.chunks()) == len(found) == len(rows)


CELL = st.sampled_from(
    ["1", "2", "2.5", "1e5", "007", "true", "False", "", "x", "x,y", 'q"', "two\nlines", " 1", "-3", "nan"]
)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_the_space_does_not_depend_on_the_order_of_rows(tmp_path_factory, rows, random):
    path = tmp_path_factory.mktemp("csv") / "runs.csv"

    def read(rows):
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([("x", "y", "failed"), *((*row, "true") for row in rows)])
        return read_history(path)

    shuffled = random.sample(rows, len(rows))
    assert read(rows).space == read(shuffled).space
    assert Counter(canonical(c) for c, _ in read(rows)) == Counter(canonical(c) for c, _ in read(shuffled))


# What a CSV column holds


@pytest.mark.parametrize(
    ("cells", "field"),
    [
        (["3", "-1", "+2"], rw.Int(bits=64, values=[-1, 2, 3])),
        ([str(2**64 - 1), "0"], rw.Int(bits=64, signed=False, values=[0, 2**64 - 1])),
        ([str(2**70), "-1"], rw.Ordinal([-1, 2**70])),
        (["3", "0.5", "1e3"], rw.Float(values=[0.5, 3.0, 1000.0])),
        (["0.10", "0.1"], rw.Float(values=[0.1])),
        (["3", "", "nan"], rw.Float(values=[3.0, math.nan])),
        (["true", "FALSE"], rw.Bool()),
        (["true", "true"], rw.Choice([True])),
        (["true", "", "false"], rw.Choice([None, False, True])),
        (["b", "a", ""], rw.Choice(["", "a", "b"])),
        (["007", "008"], rw.Choice(["007", "008"])),
        (["sqrt", "1", "0.5", "1.50", "true"], rw.Choice([True, 0.5, 1, "1.50", "sqrt"])),
        (["", ""], rw.Choice([""])),
        (["same", "same"], rw.Choice(["same"])),
        (["1_000", "2"], rw.Choice([2, "1_000"])),
    ],
)
def test_the_field_of_a_csv_column(history, cells, field):
    rows = "".join(f'"{cell}",pass\n' for cell in cells)
    assert history(f"x,verdict\n{rows}").space["x"] == field


def test_dates_and_decimals_become_what_a_configuration_can_hold():
    pa, decimal = pytest.importorskip("pyarrow"), pytest.importorskip("decimal")
    day = datetime.date(2024, 4, 1)
    columns = {"day": [day, None], "d": [decimal.Decimal("1.5"), decimal.Decimal("2")], "b": [b"x", b"\xff"]}
    found = read_history(pa.table({**columns, "ok": [True, False]}))
    assert list(found) == [
        ({"day": "2024-04-01", "d": 1.5, "b": "x"}, PASS),
        ({"day": None, "d": 2.0, "b": "\\xff"}, FAIL),
    ]


def test_only_values_that_count_are_seen():
    pl = pytest.importorskip("polars")
    mode = pl.Series(["a", "b", "a"], dtype=pl.Enum(["z", "a", "b"]))
    frame = pl.DataFrame({"mode": mode, "day": ["2024-01-01", "2024-01-03", "2024-01-02"], "failed": [1, 0, 0]})
    assert read_history(frame, time="day").values == (("a", "b"),)
    assert read_history(frame, time="day", as_of="2024-01-02").values == (("a",),)


def test_numbers_may_all_be_different_but_texts_may_not(monkeypatch, history):
    monkeypatch.setattr("rootward.formats.tables.columns.MAX_TEXTS", 300)
    text = "x,y,failed\n" + "".join(f"{i / 7},{i % 3},{i % 2}\n" for i in range(1000))
    found = history(text)
    (codes, _) = next(found.chunks())
    assert codes.dtype == np.uint16
    assert len(found.values[0]) == 1000
    with pytest.raises(InputError, match="the column id has more than 300 different texts, such as 'r300'"):
        history("id,failed\n" + "".join(f"r{i},0\n" for i in range(1000)))
    monkeypatch.setattr("rootward.formats.tables.history.MAX_VALUES", 500)
    with pytest.raises(InputError, match=r"the columns have too many different values, the most in x \(1,000 or more"):
        history(text)


# What failed


@pytest.mark.parametrize(
    ("column", "cells", "verdicts"),
    [
        ("verdict", ["PASS", "FAIL", "OTHER", "UNRESOLVED"], [PASS, FAIL, OTHER, UNRESOLVED]),
        ("Status", ["success", "Failed", "skipped", ""], [PASS, FAIL, UNRESOLVED, UNRESOLVED]),
        ("failed", ["true", "false"], [FAIL, PASS]),
        ("failed", ["1", "0"], [FAIL, PASS]),
        ("failed", ["yes", "no"], [FAIL, PASS]),
        ("ok", ["True", "False"], [PASS, FAIL]),
        ("passed", ["1.0", "0.0"], [PASS, FAIL]),
    ],
)
def test_words_that_cannot_be_misread(history, column, cells, verdicts):
    found = history(f"x,{column}\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert [verdict for _, verdict in found] == verdicts


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("code != 0", [FAIL, PASS, UNRESOLVED, FAIL]),
        ("code == 0", [PASS, FAIL, UNRESOLVED, PASS]),
        ("code=0", [PASS, FAIL, UNRESOLVED, PASS]),
        ("code > 1", [PASS, PASS, FAIL, FAIL]),
        ("code <= 0", [PASS, FAIL, FAIL, PASS]),
        ("word = crashed", [FAIL, PASS, PASS, UNRESOLVED]),
        ('word = "ok"', [PASS, FAIL, PASS, UNRESOLVED]),
        ("flag = false", [PASS, FAIL, PASS, FAIL]),
        ("a b >= 2", [PASS, FAIL, FAIL, FAIL]),
    ],
)
def test_comparisons(history, said, verdicts):
    text = "code,word,flag,a b,x\n1,crashed,true,1,0\n0,ok,False,2,0\n,done,True,3,0\n2,,false,none,0\n"
    assert [verdict for _, verdict in history(text, verdict=said)] == verdicts


def test_the_values_that_mean_failing_can_be_given(history):
    text = "x,end\n1,timeout\n2,crash\n3,fine\n4,\n"
    assert [v for _, v in history(text, verdict="end", fails=["timeout"])] == [FAIL, OTHER, PASS, UNRESOLVED]
    assert [v for _, v in history("x,end\n1,0\n2,3\n", verdict="end", fails=3)] == [PASS, FAIL]


# Time


def test_what_came_later_is_left_out(history):
    text = "x,day,failed\n1,2024-03-31,0\n2,2024-04-01T23:59:59,1\n3,2024-04-02,0\n4,,0\n"
    found = history(text, time="day", as_of="2024-04-01")
    assert [configuration["x"] for configuration, _ in found] == [1, 2]
    assert found.values == ((1, 2),)
    assert notes(found) == ["1 run after the given date is left out", "1 run without a time is left out"]
    assert len(history(text, time="day", as_of=datetime.date(2024, 4, 1))) == 2
    assert len(history(text, time="day", as_of="2024-04-01T12:00")) == 1
    assert len(history(text, time="day", as_of=datetime.datetime(2024, 4, 2))) == 3
    assert history(text, time="day").names == ("x",)
    assert len(history(text, time="day")) == 4


@pytest.mark.parametrize(
    "days", [["20240401", "20240402"], ["1711929600", "1712016000.5"], ["2024-04-02T01:00+03:00", "2024-04-02"]]
)
def test_ways_to_write_a_time(history, days):
    text = "x,at,failed\n" + "".join(f"{number},{day},0\n" for number, day in enumerate(days))
    assert len(history(text, time="at", as_of="2024-04-01")) == 1


# What a person should know


def test_notes(history):
    text = ",id,x,y,z,failed\n" + "".join(
        f"{i},r{i},{'' if i == 3 else i % 2},{'a' if i else 7},{i // 6},1\n" for i in range(12)
    )
    assert notes(history(text)) == [
        "a column without a name is left out",
        "y: a mixture of types, such as numbers and text; treated as values without an order",
        "x: missing in some runs; a missing value is treated as a value of its own",
        "id: different in every run; if this is not a setting, ignore it",
        "no run passed",
    ]
    assert notes(history("x,failed\n1,0\n")) == ["no run failed"]


def test_contradictions_and_repetitions(history):
    text = "x,y,failed\n1,a,0\n1.0,a,1\n2,a,1\n2,a,1\n2,b,unknown\n"
    assert notes(history(text)) == [
        "1 run could not be judged",
        "2 runs repeated the configuration of an earlier one",
        "1 configuration both passed and failed",
    ]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()), min_size=1, max_size=20))
def test_contradictions_are_counted_exactly(rows):
    said: dict[tuple[int, int], set[bool]] = {}
    for x, y, fails in rows:
        said.setdefault((x, y), set()).add(fails)
    found = read_history([({"x": x, "y": y}, fails) for x, y, fails in rows]).notes
    again, both = len(rows) - len(said), sum(len(verdicts) == 2 for verdicts in said.values())
    assert [one.runs for one in found if isinstance(one, RepeatedRuns)] == ([again] if again else [])
    assert [one.configurations for one in found if isinstance(one, Contradictions)] == ([both] if both else [])


# Mistakes

# fmt: off
MISTAKES = [
    ("", {}, "runs.csv is empty: expected a header with the names of the columns"),
    ("x,failed\n", {}, "runs.csv has no runs"),
    ("x,failed\n1,0\n1\n", {}, "runs.csv:3: the row has 1 cells, the header has 2"),
    ('x,failed\n"a\nb",0\n1,2,3\n', {}, "runs.csv:4: the row has 3 cells, the header has 2"),
    ('x,failed\n"a"b,0\n', {}, "runs.csv:2: not valid CSV: ',' expected after '\"'"),
    ("x,y\n1,0\n", {}, "which runs failed? Set verdict to the column that says so, or to a comparison that holds for failing runs, such as 'score < 0.6'; the columns are x, y"),
    ("status,failed\n1,0\n", {}, "which runs failed? Set verdict to the column that says so, or to a comparison that holds for failing runs, such as 'score < 0.6'; it may be one of status, failed"),
    ("x,verdict\n1,true\n2,false\n", {}, "which runs failed? The column verdict holds False, True: give a comparison that holds for failing runs, such as verdict 'verdict = false'"),
    ("x,verdict\n1,0.5\n2,0.25\n", {}, "which runs failed? The column verdict holds 0.25, 0.5: give a comparison that holds for failing runs, such as verdict 'verdict < 0.6'"),
    ("x,verdict\n1,red\n2,pass\n", {}, "which runs failed? The column verdict holds pass, red: give a comparison that holds for failing runs, such as verdict 'verdict = red'"),
    ("x,score\n1,a\n", {"verdict": "score < 0.6"}, "the column score has no value that can be compared with 0.6"),
    ("x,score\n1,1\n", {"verdict": "scroe < 0.6"}, "verdict 'scroe < 0.6': there is no column 'scroe' (did you mean 'score'?)"),
    ("x,score\n1,1\n", {"verdict": "zzz"}, "verdict 'zzz': there is no column 'zzz'; there are x, score"),
    ("x,score\n1,1\n", {"verdict": "score < 2", "fails": [1]}, "verdict 'score < 2' is a comparison: use fails only if verdict is the name of a column"),
    ("speed,failed\n1,1\n", {"ignore": ["sped"]}, "ignore: there is no column 'sped' (did you mean 'speed'?)"),
    ("x,failed\n1,1\n", {"ignore": ["x"]}, "runs.csv has no columns with settings: expected one column per setting of a run"),
    ("x,x,failed\n1,1,1\n", {}, "runs.csv: two columns are named 'x': rename one"),
    ("x,day,failed\n1,soon,1\n", {"time": "day", "as_of": "2024-04-01"}, "the column day has 'soon': expected a date such as 2024-04-01, with or without a time"),
    ("x,day,failed\n1,2024-05-01,1\n", {"time": "day", "as_of": "2024-04-01"}, "runs.csv has no runs up to 2024-04-01 23:59"),
    ("x,day,failed\n1,2024-05-01,1\n", {"time": "day", "as_of": "April"}, "as_of 'April': expected a date such as 2024-04-01, with or without a time"),
    ("x,day,failed\n1,2024-05-01,1\n", {"as_of": "2024-04-01"}, "as_of needs time: name the column with the time of each run"),
    ("x,day,failed\n1,2024-05-01,1\n", {"time": "dya"}, "time: there is no column 'dya' (did you mean 'day'?)"),
]
# fmt: on


@pytest.mark.parametrize(("text", "options", "said"), MISTAKES)
def test_mistakes(history, text, options, said):
    with pytest.raises(InputError) as error:
        history(text, **options)
    assert (
        str(error.value).replace(str(error.value).partition("runs.csv")[0], "", "runs.csv" in str(error.value)) == said
    )


@pytest.mark.parametrize("name", ["no.csv", "no.jsonl", "no.parquet"])
def test_a_file_that_is_not_there(tmp_path, name):
    with pytest.raises(InputError, match=rf"{name} cannot be read: .*[Nn]o such file"):
        read_history(tmp_path / name)


def test_files_that_are_something_else(tmp_path):
    (tmp_path / "runs.parquet").write_text("x,failed\n")
    with pytest.raises(InputError, match="is not a Parquet file that can be read"):
        read_history(tmp_path / "runs.parquet")
    (tmp_path / "runs.csv").write_bytes(b"x,failed\n1,\xff\n")
    with pytest.raises(InputError, match=r"runs\.csv is not UTF-8"):
        read_history(tmp_path / "runs.csv")
    with pytest.raises(InputError, match=r"runs\.xlsx must end in .csv, .jsonl, .ndjson, .parquet"):
        read_history(tmp_path / "runs.xlsx")
    lines = tmp_path / "runs.jsonl"
    for text, said in [
        ("", "has no runs"),
        ('{"x": 1}\n[1]\n', ":2: expected a JSON object"),
        ("{x\n", ":1: not valid JSON"),
    ]:
        lines.write_text(text)
        with pytest.raises(InputError, match=said):
            read_history(lines)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "the history has no runs"),
        ([({"x": 1}, "fail")], "run 1 of the history has the verdict 'fail': expected an rw.Verdict"),
        ([({"x": 1}, True), 3], "run 2 of the history is 3: expected .configuration, verdict."),
        ([({"x": 1}, True), ({"y": 1}, True)], "run 2 of the history has other fields than the first: see 'x'"),
        (3, "a history must be a file, a frame or .configuration, verdict. pairs, not 3"),
        ({}, "a history must be a file, a frame or"),
    ],
)
def test_pairs_that_are_none(given, said):
    with pytest.raises(InputError, match=said):
        read_history(given)


def test_pairs_have_their_verdicts():
    with pytest.raises(InputError, match="pairs include their verdicts"):
        read_history(RUNS, verdict="n")


def test_a_file_that_changes_between_two_passes(history, tmp_path):
    found = history("x,failed\n1,0\n2,1\n")
    (tmp_path / "runs.csv").write_text("x,failed\n1,0\n3,1\n")
    with pytest.raises(InputError, match="the column x changed while it was being read"):
        list(found)


# Size


def test_a_large_parquet_file_comes_in_small_batches(tmp_path, monkeypatch):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 4, (5_000, 30))
    columns = {f"p{i}": cells[:, i] if i % 2 else [f"v{value}" for value in cells[:, i]] for i in range(30)}
    pq.write_table(pa.table({**columns, "failed": cells[:, 0] == 1}), tmp_path / "runs.parquet", row_group_size=1_700)
    monkeypatch.setattr(sources, "MAX_ARROW_CELLS", 10_000)
    found = read_history(tmp_path / "runs.parquet")
    assert all(len(values) == 4 for values in found.values)
    for _ in range(2):
        parts = list(found.chunks())
        assert max(len(verdicts) for _, verdicts in parts) <= 10_000 // 30
        assert (np.concatenate([codes for codes, _ in parts]) == cells).all()
        assert (np.concatenate([verdicts for _, verdicts in parts]) == (cells[:, 0] == 1)).all()
        assert {codes.dtype for codes, _ in parts} == {np.dtype(np.uint8)}
