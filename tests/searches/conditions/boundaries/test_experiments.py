"""What is run to learn one thing."""

import pytest

import rootward as rw
from rootward.searches.conditions.boundaries.observations import ask
from rootward.searches.conditions.boundaries.strategy import Strategy

from .planted import drive, notebook_of


@pytest.mark.parametrize("least", [41, 43, 45])
def test_a_constant_between_two_products_is_found_where_products_are_dense(least: int) -> None:
    """Neighbours are as far apart as the other factor: 5 * 8 and 5 * 9 leave four numbers between."""
    notebook = notebook_of(count=rw.Int(0, 127), height=rw.Int(0, 65535))
    strategy = Strategy(notebook, seed=0)
    for factor, other in ((5, 8), (8, 5), (20, 2), (10, 4)):
        for index, pair in enumerate((((other, factor), (other + 1, factor)), ((factor, other), (factor, other + 1)))):
            drive(notebook, ask(pair), lambda p: p[0] * p[1] >= 45)
            notebook.bracket(*pair, index)
    cut = next(one for one in strategy.fitting.refit().cuts if one.feature.formula == "a * b")
    assert (cut.low, cut.high) == (40, 45)
    drive(notebook, strategy.experiments.narrow(cut), lambda p: p[0] * p[1] >= least)
    cut = next(one for one in strategy.fitting.refit().cuts if one.feature.formula == "a * b")
    assert (cut.low, cut.high) == (least - 1, least)


def test_one_run_asks_whether_any_two_fields_that_do_not_matter_are_equal() -> None:
    notebook = notebook_of(x=rw.Int(), **{name: rw.Int() for name in "abcdef"})
    strategy = Strategy(notebook, seed=0)
    drive(notebook, ask([(4500, *range(6)), (4501, *range(6))]), lambda p: p[0] > 4500)
    notebook.bracket((4500, *range(6)), (4501, *range(6)), 0)
    strategy.fitting.refit()
    asked = [point for point in strategy.places.explore(3) if point[0] == 4500 and len(set(point[1:])) == 1]
    assert asked


def test_a_crossing_of_two_cuts_confirms_neither() -> None:
    """From (127, 127) to (128, 127) it ceases to fail, but because they differ, and not because of a bit."""
    notebook = notebook_of(source=rw.Int(0, 255), target=rw.Int(0, 255))
    strategy = Strategy(notebook, seed=0)
    drive(notebook, ask([(17, 17), (17, 18), (18, 17), (255, 255)]), lambda p: p[0] == p[1] != 255)
    notebook.bracket((17, 17), (17, 18), 1)
    notebook.bracket((17, 17), (18, 17), 0)
    model = strategy.fitting.refit()
    for cut in model.used_cuts:
        for _ in range(20):
            pair = strategy.places.find_new_crossing(cut)
            if pair is not None:
                assert [one for one in model.used_cuts if one.side(pair[1]) != one.side(pair[2])] == [cut]
