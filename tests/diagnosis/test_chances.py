"""So many runs hardly miss what fails now and then."""

import math

from hypothesis import given
from hypothesis import strategies as st

from rootward.diagnosis.handover.chances import MISSED, MOST, runs_to_see
from rootward.rules import Estimate


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_hardly_missed(seen: tuple[int, int]) -> None:
    rate = Estimate.of(*seen)
    runs = runs_to_see(rate)
    assert 1 <= runs <= MOST
    if rate.value == 1:
        assert runs == 1
    elif runs < MOST:
        assert (1 - rate.value) ** runs < MISSED
        assert (1 - rate.low) ** (runs - 1) >= MISSED, "one run fewer would not do"


def test_what_was_not_measured_is_run_once() -> None:
    assert runs_to_see(Estimate(math.nan, 0.0, 1.0)) == 1
