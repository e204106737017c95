"""The pipelines of Figure 11 are what the benchmark says they are."""

import numpy as np
import pytest
from peers import checkpoints

from rootward.searches.causes.decision_tree import ddt
from rootward.searches.causes.phases import CHECKPOINT
from rootward.verdict import FAIL


@pytest.mark.parametrize("parameters", [4, 8, 32])
@pytest.mark.parametrize("even", [False, True])
def test_a_linear_pipeline(parameters: int, even: bool) -> None:
    made = checkpoints.linear(np.random.default_rng(parameters), parameters, even=even)
    assert len(made.checkpoint.exclusive) == len(made.checkpoint.others) == parameters // 2
    assert made.checkpoint.row.shared == ()
    assert set(made.first.fields) <= set(made.checkpoint.exclusive)
    assert set(made.second.fields) <= set(made.checkpoint.others)
    rng = np.random.default_rng(0)
    for _ in range(50):
        whole = made.space.sample(rng)
        at_check = made({**whole, CHECKPOINT: made.checkpoint.node}).verdict is FAIL
        assert at_check == made.first.holds(whole)
        assert (made(whole).verdict is FAIL) == (at_check or made.second.holds(whole))


def test_a_point_of_the_figure() -> None:
    (point,) = checkpoints.figure_11(ddt, parameters=[4], pipelines=5)
    assert (point.parameters, point.exact, point.of) == (4, (5, 5), 5)
    assert 0 < point.short < point.with_check < point.without
    assert point.saved == pytest.approx(1 - point.with_check / point.without)
