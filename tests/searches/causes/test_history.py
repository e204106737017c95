"""What is known before the search: rows are checked, contradictions set aside, tables thinned and looked at again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import rootward as rw
from rootward.errors import InputError
from rootward.facts import Fact
from rootward.formats.tables.facts import Contradictions, UnjudgedRuns
from rootward.searches.causes import history as module
from rootward.searches.causes.facts import Contradictory
from rootward.searches.causes.history import KnownRuns
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED
from tests.properties import examples

SPACE = rw.Space({"b": rw.Bool(), "a": rw.Choice(["x", "y"]), "n": rw.Float()})


def row(a: str = "x", b: bool = True, n: float = 1.0) -> dict[str, Any]:
    return {"a": a, "b": b, "n": n}


class Table:
    """A history in memory, given out two rows at a time."""

    def __init__(self, columns: dict[str, list[Any]], verdicts: Sequence[int], notes: Sequence[Fact] = ()) -> None:
        self.names, self.notes = list(columns), notes
        self.values: list[list[Any]] = [list(dict.fromkeys(column)) for column in columns.values()]
        places = [[own.index(v) for v in column] for own, column in zip(self.values, columns.values(), strict=True)]
        self._codes, self._verdicts = np.array(places).T, np.array(verdicts, dtype=np.int8)
        self.passes = 0

    def __len__(self) -> int:
        return len(self._verdicts)

    def chunks(self) -> Iterator[tuple[NDArray[Any], NDArray[np.int8]]]:
        self.passes += 1
        for at in range(0, len(self), 2):
            yield self._codes[at : at + 2], self._verdicts[at : at + 2]


def test_runs_of_pairs() -> None:
    past = KnownRuns(
        SPACE, [(row(), True), (row(b=False), PASS), (row(a="y"), OTHER), (row(n=2), UNRESOLVED), (row(), FAIL)]
    )
    assert past.pipeline.names == ("a", "b", "n")
    assert len(past.runs) == 3
    assert past.runs.fails.tolist() == [2, 0, 0]
    assert past.pipeline.values[2] == (1.0, 2.0), "an unjudged run has values, too"
    assert [dict(one) for one, failed in past.runs.configurations() if failed] == [row()]


def test_integers_are_values_of_a_float() -> None:
    past = KnownRuns(SPACE, [(row(n=1), True), (row(n=1.0), True), (row(n=2), False)])
    assert len(past.runs) == 2


def test_both_zeros_are_one_value() -> None:
    past = KnownRuns(SPACE, [(row(n=0.0), True), (row(n=-0.0), True), (row(n=2), False)])
    assert len(past.runs) == 2
    assert past.pipeline.values[2] == (0.0, 2.0)


def test_contradictions_are_set_aside_and_said() -> None:
    past = KnownRuns(SPACE, [(row(), True), (row(), False), (row(a="y"), True)])
    assert [dict(one) for one, _ in past.runs.configurations()] == [row(a="y")]
    found = rw.causes(SPACE, None, [(row(), True), (row(), False), (row(a="y"), True), (row(a="x", b=False), False)])
    assert any(isinstance(note, Contradictory) for note in found.notes)


def test_contradictions_are_said_when_the_budget_ends() -> None:
    found = rw.causes(SPACE, rw.fails_when(lambda c: True), [(row(), True), (row(), False)], budget=1)
    assert not found.complete
    assert any(isinstance(note, Contradictory) for note in found.notes)


def test_what_is_known_to_be_flaky_fails_if_it_failed_once() -> None:
    past = KnownRuns(SPACE, [(row(), True), (row(), False), (row(a="y"), False)], flaky=True)
    assert past.runs.fails.tolist() == [1, 0]
    found = rw.causes(SPACE, None, [(row(), True), (row(), False), (row(a="y"), False)], flaky=0.7)
    assert found.failing == 1
    assert not any(isinstance(note, Contradictory) for note in found.notes)


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (None, "the history"),
        (5, "the history"),
        ([5], "run 1"),
        ([(row(),)], "run 1"),
        ([(row(), True, 3)], "run 1"),
        ([(row(), True), (row(a="z"), True)], "run 2.*'z'"),
        ([({"a": "x"}, True)], "missing"),
        ([({**row(), "q": 1}, True)], "unknown"),
        ([(row(), "fail")], "Verdict"),
        ([(row(), None)], "Verdict"),
        ([(row(), 1)], "Verdict"),
        ([(row(n="1"), True)], "n = '1'"),  # type: ignore[arg-type]
        ([(row(b=1), True)], "b = 1"),  # type: ignore[arg-type]
        ("runs.csv", "read_history"),
        ({"a": 1}, "run 1"),
    ],
)
def test_what_is_no_history_is_refused(history: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rw.causes(SPACE, rw.fails_when(lambda c: True), history)


def test_a_generator_will_do() -> None:
    pairs: list[Any] = [iter((row(), True)), (row(a="y"), False)]
    past = KnownRuns(SPACE, (pair for pair in pairs))
    assert past.runs.fails.tolist() == [1, 0]


# Tables

COLUMNS: dict[str, list[Any]] = {
    "n": [1, 2, 1, 2, 1, 2],
    "a": ["x", "x", "y", "y", "x", "x"],
    "b": [True, True, True, True, False, False],
}


def test_runs_of_a_table() -> None:
    past = KnownRuns(SPACE, Table(COLUMNS, [1, 1, 0, 2, 3, 0]))
    found = {tuple(sorted(one.items())): failed for one, failed in past.runs.configurations()}
    rows = [dict(zip(COLUMNS, line, strict=True)) for line in zip(*COLUMNS.values(), strict=True)]
    expected = [(one, verdict == 1) for one, verdict in zip(rows, [1, 1, 0, 2, 3, 0], strict=True) if verdict < 3]
    assert found == {tuple(sorted(one.items())): failed for one, failed in expected}


def test_what_is_known_of_a_table_is_passed_on() -> None:
    """But for contradictions, which the search counts itself."""
    notes = [UnjudgedRuns(3), Contradictions(2)]
    said = rw.causes(SPACE, None, Table(COLUMNS, [1, 1, 0, 2, 3, 0], notes=notes)).to_dict()["notes"]
    assert "Note on the history: 3 runs could not be judged." in said
    assert not any("both" in note for note in said)


def test_a_table_and_pairs_say_the_same() -> None:
    rows = [dict(zip(COLUMNS, line, strict=True)) for line in zip(*COLUMNS.values(), strict=True)]
    verdicts = [1, 1, 0, 0, 0, 0]
    pairs = [(one, verdict == 1) for one, verdict in zip(rows, verdicts, strict=True)]
    subject = rw.fails_when(lambda c: c["a"] == "x" and c["b"])
    assert rw.causes(SPACE, subject, Table(COLUMNS, verdicts)) == rw.causes(SPACE, subject, pairs)


def test_a_column_that_is_missing() -> None:
    with pytest.raises(InputError, match="no column 'b'"):
        KnownRuns(SPACE, Table({"n": [1.0], "a": ["x"]}, [1]))


def test_a_value_of_a_table_that_does_not_fit() -> None:
    with pytest.raises(InputError, match="'z'"):
        KnownRuns(SPACE, Table({"n": [1.0], "a": ["z"], "b": [True]}, [1]))


@pytest.mark.rest
def test_a_table_that_does_not_fit_into_memory_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passing runs that were left out refute what the rest suggests."""
    monkeypatch.setattr(module, "MAX_CELLS", 1)
    rng, count = np.random.default_rng(0), 6000
    space = rw.Space({f"p{i}": rw.Choice(list(range(6))) for i in range(5)})
    columns = {name: rng.integers(0, 6, size=count).tolist() for name in space.names}
    fails = [int(a == 1 and b == 2) for a, b in zip(columns["p0"], columns["p1"], strict=True)]
    table = Table(columns, fails)
    past = KnownRuns(space, table)
    assert len(past.runs) < 3000
    assert past.runs.fails.astype(bool).sum() == len(
        {line for line, failed in zip(zip(*columns.values(), strict=True), fails, strict=True) if failed}
    ), "every failing run is kept"
    box = {0: np.arange(6) == 1}
    refuting = past.find_refuting([box])
    assert refuting
    passed = {line for line, failed in zip(zip(*columns.values(), strict=True), fails, strict=True) if not failed}
    assert all(one[0] == 1 and one in passed for one in refuting)
    assert past.find_refuting([{0: np.arange(6) == 1, 1: np.arange(6) == 2}]) == []
    found = rw.causes(space, rw.fails_when(lambda c: c["p0"] == 1 and c["p1"] == 2), table)
    assert str(found.rule) == "p0 = 1 and p1 = 2"


@pytest.mark.parametrize("space", [{"a": rw.Bool()}, None, "a"])
def test_the_settings_are_a_space(space: Any) -> None:
    with pytest.raises(InputError, match="Space"):
        KnownRuns(space)


@examples(30, derandomize=True)
@given(st.integers(0, 10_000), st.sampled_from(["auto", "shortcut", "stacked_shortcut", "ddt", "bugdoc"]))
def test_no_run_of_a_history_is_made_again(seed: int, method: str) -> None:
    rng = random.Random(seed)
    every = [dict(zip("abcd", values, strict=True)) for values in product("xyz", "xyz", "xy", "xy")]
    cause = dict(rng.sample(sorted(rng.choice(every).items()), rng.randint(1, 2)))
    known = [*rng.sample(every, rng.randint(2, 18)), *(dict.fromkeys("abcd", value) for value in "xy")]
    made = []

    def fails(candidate: Mapping[str, Any]) -> bool:
        return cause.items() <= candidate.items()

    def subject(candidate: Mapping[str, Any]) -> rw.Verdict:
        made.append(dict(candidate))
        return FAIL if fails(candidate) else PASS

    history = rw.read_history((one, fails(one)) for one in known)
    rw.causes(history.space, subject, history, method=method, seed=seed)
    repeated = [one for one in made if one in known]
    assert len(repeated) <= 1, "at most one failing run, to see that it still fails"
    assert all(map(fails, repeated))
    made.clear()
    rw.causes(history.space, subject, history, method=method, seed=seed, flaky=False)
    assert len(made) == len({*(tuple(one.items()) for one in made)})
