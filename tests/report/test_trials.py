"""Trials as columns: nothing is lost, and the order of the values is theirs."""

import json
import math
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.report import trials
from rootward.report.trials import pack_column, pack_trials, unpack_column

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.integers(0, 2))


def row(candidate: Any, verdict: str = "pass", *, run: int | None = 1, **facts: Any) -> dict[str, Any]:
    told = {"signature": None, "detail": "", "seconds": 0.1, "attempt": 0, "seed": 3, "key": "k", "tries": 1}
    return {"run": run, "candidate": candidate, "verdict": verdict, **told, **facts}


def pack(*rows: dict[str, Any], run: int | None = 1, signature: str | None = None, named: tuple[str, ...] = ()) -> Any:
    return pack_trials(rows, run=run, signature=signature, named=named)


def same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


@given(st.lists(PLAIN))
def test_a_column_gives_back_its_cells(cells: list[Any]) -> None:
    stored = json.loads(json.dumps(pack_column(cells), allow_nan=False))
    assert same(unpack_column(stored), cells)


@given(st.lists(st.integers() | st.floats(allow_nan=False)))
def test_positions_are_in_the_order_of_the_values(cells: list[float]) -> None:
    index = pack_column(cells)["index"]
    for i, one in enumerate(cells):
        for j, other in enumerate(cells):
            assert not one < other or index[i] < index[j]


def test_values_of_one_column_may_be_of_any_kinds() -> None:
    mixed = ["b", math.nan, 2, None, True, math.inf, 1.5, [1]]
    assert list(map(repr, unpack_column({**pack_column(mixed), "index": range(7)}))) == [
        "True",
        "1.5",
        "2",
        "inf",
        "nan",
        "'b'",
        "[1]",
    ]


def test_what_never_varies_is_said_once() -> None:
    told = pack(row({"a": 1, "b": 2, "c": math.nan}), row({"a": 1, "b": 3, "c": math.nan}))
    assert list(told["fields"]) == ["b"]
    assert told["fixed"] == {"a": 1, "c": {"float": "nan"}}


def test_one_and_true_are_not_the_same() -> None:
    assert list(pack(row({"a": 1}), row({"a": True}))["fields"]) == ["a"]


def test_a_field_that_is_missing_varies() -> None:
    told = pack(row({"a": 1, "b": 5}), row({"a": 1}))
    assert unpack_column(told["fields"]["b"]) == [5, None]
    told = pack(row({"a": 1}), row({"a": 1, "b": 5}))
    assert unpack_column(told["fields"]["b"]) == [None, 5]


def test_fields_of_the_answer_come_first_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MAX_FIELDS", 2)
    told = pack(row({"a": 1, "b": 1, "c": 1}), row({"a": 2, "b": 2, "c": 2}), named=("c", "gone"))
    assert (list(told["fields"]), told["left_out"]) == (["c", "a"], 1)


def test_another_failure_is_not_this_one() -> None:
    told = pack(row({}, "fail", signature="A"), row({}, "fail", signature="B"), row({}), signature="A")
    assert unpack_column(told["columns"]["verdict"]) == ["FAIL", "OTHER", "PASS"]
    told = pack(row({}, "fail", signature="A"), row({}, "fail", signature="B"))
    assert unpack_column(told["columns"]["verdict"]) == ["FAIL", "FAIL"]


def test_selections_are_counted() -> None:
    told = pack(row({"kept": "0-2,5", "of": 7}), row({"kept": "", "of": 7}))
    assert (unpack_column(told["kept"]), told["of"], told["fields"]) == ([4, 0], 7, {})


def test_fields_may_be_called_kept_and_of() -> None:
    told = pack(row({"kept": 3, "of": 7}), row({"kept": 4, "of": 7}))
    assert told["kept"] is None
    assert unpack_column(told["fields"]["kept"]) == [3, 4]


def test_what_other_runs_tried_counts_if_it_is_alike() -> None:
    told = pack(row({"a": 1}), row({"a": 2}, run=2), row({"z": 1}, run=2), row({"kept": "0", "of": 9}, run=3))
    assert (told["total"], unpack_column(told["columns"]["run"])) == (2, [1, 2])


def test_of_too_many_its_own_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MAX_TRIALS", 2)
    told = pack(row({"a": 1}, run=2), row({"a": 2}), row({"a": 3}))
    assert (told["total"], told["listed"], unpack_column(told["fields"]["a"])) == (3, 2, [2, 3])


def test_long_texts_are_cut() -> None:
    told = pack(row({"a": "x" * 1_000_000}, detail="y" * 1_000_000), row({"a": "b"}))
    assert len(json.dumps(told)) < 3_000
    assert unpack_column(told["fields"]["a"])[0].endswith("… (1,000,000 characters)")


def test_the_memory_depends_on_what_is_shown() -> None:
    """Not on the size of the inputs: megabytes for each trial would be gigabytes for all of them."""

    def rows() -> Iterator[dict[str, Any]]:
        for _ in range(100):
            yield row({"kept": "1-9,11", "of": 100_000}, detail="x" * 1_000_000)
        for number in range(100):
            yield row({"text": "y" * 1_000_000, "n": number})

    tracemalloc.start()
    packed = pack_trials(rows(), run=1, signature=None, named=[])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert packed["listed"] == 200
    assert unpack_column(packed["kept"])[:2] == [10, 10]
    assert peak < 30 << 20
