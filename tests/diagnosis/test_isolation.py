"""What is singled out stops the failure, whatever the subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.isolation import MOST, isolated
from rootward.verdict import FAIL, PASS, Outcome

FIELDS = [f"f{i}" for i in range(10)]
FAILING, PASSING = dict.fromkeys(FIELDS, 0), dict.fromkeys(FIELDS, 1)
Stops = Callable[[set[str]], bool]


def run(stops: Stops) -> tuple[list[str], int]:
    """The fields that are found, and with how many questions; ``stops``: whether these changes end the failure."""
    search, answer, asked = isolated(FAILING, PASSING, FIELDS), None, 0
    while True:
        try:
            wanted: Mapping[str, int] = search.send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            return end.value, asked
        changed = {name for name, value in wanted.items() if value == 1}
        answer, asked = Outcome(PASS if stops(changed) else FAIL), asked + 1


@given(st.sets(st.sampled_from(FIELDS), min_size=1, max_size=MOST))
def test_fields_that_are_needed_together_are_all_found(needed: set[str]) -> None:
    found, asked = run(lambda changed: needed <= changed)
    assert set(found) == needed
    assert asked <= len(needed) * 5


@given(st.sets(st.sampled_from(FIELDS), min_size=1))
def test_of_several_that_would_do_one_is_found(enough: set[str]) -> None:
    found, _ = run(lambda changed: bool(enough & changed))
    assert len(found) == 1
    assert found[0] in enough


@given(st.functions(like=lambda changed: ..., returns=st.booleans(), pure=True))
def test_whatever_it_does_what_is_found_stops_it_or_is_as_much_as_is_told(said: Callable[..., bool]) -> None:
    """Not monotone: any answer, but that all changes together stop it."""

    def stops(changed: set[str]) -> bool:
        return changed == set(FIELDS) or (bool(changed) and said(frozenset(changed)))

    found, asked = run(stops)
    assert found
    assert len(set(found)) == len(found)
    assert stops(set(found)) or len(found) == MOST or asked <= 5 * MOST
    assert asked <= 5 * MOST


def test_equal_configurations_have_no_difference() -> None:
    with pytest.raises(StopIteration) as end:
        next(isolated(FAILING, FAILING, FIELDS))
    assert end.value.value == []
