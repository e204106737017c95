"""When enough is known: not before every comparison of the answer has predicted something, several times."""

import rootward as rw
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.observations import ask, change_value
from rootward.searches.conditions.boundaries.strategy import Strategy
from rootward.searches.conditions.boundaries.tuning import TUNING

from .planted import drive, notebook_of


def above(point: Point) -> bool:
    return bool(point[0] > 4500)


def test_a_comparison_is_an_answer_after_it_predicted_something() -> None:
    notebook = notebook_of(x=rw.Int(), y=rw.Int())
    strategy = Strategy(notebook, seed=0)
    drive(notebook, ask([(4500, 1), (4501, 1), (9000, 7)]), above)
    notebook.bracket((4500, 1), (4501, 1), 0)
    [cut] = strategy.fitting.refit().used_cuts
    strategy.agreeing_runs = TUNING.quiet_runs
    assert not strategy.is_settled
    for _ in range(TUNING.min_crossings):
        drive(notebook, strategy.experiments.confirm(cut), above)
    strategy.agreeing_runs = TUNING.quiet_runs
    assert strategy.is_settled


def test_what_fresh_runs_refuted_is_not_settled() -> None:
    """The refuting runs lie between the values that the constant is known to be between."""
    notebook = notebook_of(x=rw.Int(0, 20_000))
    strategy = Strategy(notebook, seed=0, verify=40)
    drive(notebook, ask([(0,), (20_000,)]), above)
    notebook.bracket((0,), (20_000,), 0)
    strategy.fitting.refit()
    strategy.agreeing_runs = 2 * TUNING.quiet_runs
    right, _ = drive(notebook, strategy.check(), above)
    assert not right
    assert not strategy.is_settled


def test_the_comparison_that_was_tried_least_comes_first() -> None:
    """Four bounds, three of which are asked about in a round: the second round asks about the fourth."""
    notebook = notebook_of(**{name: rw.Int(0, 10**6) for name in "abcd"})
    strategy = Strategy(notebook, seed=0)
    bounds, base = (4500, 720, 90, 2000), (9000, 9000, 9000, 9000)

    def fails(point: Point) -> bool:
        return all(value > bound for value, bound in zip(point, bounds, strict=True))

    for index, bound in enumerate(bounds):
        low, high = (change_value(base, index, value) for value in (bound, bound + 1))
        drive(notebook, ask([base, low, high]), fails)
        notebook.bracket(low, high, index)
    model = strategy.fitting.refit()
    assert len(model.used_cuts) == 4
    for _ in range(2):
        for experiment in strategy.choose_tests(model):
            drive(notebook, experiment, fails)
    assert min(strategy.experiments.attempts[cut.identity] for cut in model.used_cuts) > 0


def test_points_on_a_cut_are_a_spot_of_their_own() -> None:
    """Code often treats equality in a way of its own."""
    notebook = notebook_of(x=rw.Int(), y=rw.Int())
    strategy = Strategy(notebook, seed=0)
    drive(notebook, ask([(4500, 1), (4501, 1)]), above)
    notebook.bracket((4500, 1), (4501, 1), 0)
    model = strategy.fitting.refit()
    assert model.cell((4500, 7)) == model.cell((4499, 7))
    assert model.spot((4500, 7)) != model.spot((4499, 7))
    assert strategy.fitting.spots[model.spot((4500, 7))] == 1


def test_a_conflict_that_was_noted_in_the_last_fit_is_fitted_in_the_next() -> None:
    notebook = notebook_of(x=rw.Int(-100, 100), y=rw.Int(-100, 100))
    strategy = Strategy(notebook, seed=0)
    drive(notebook, ask([(i, i % 7) for i in range(-90, 91, 10)]), lambda p: p[0] * p[1] % 3 == 1)
    models = [strategy.fitting.refit() for _ in range(5)]
    assert models[0].best.conflicts
    assert not models[-1].best.conflicts
    assert models[-1] is models[-2]


def test_one_verdict_everywhere_is_looked_into_longer() -> None:
    notebook = notebook_of(x=rw.Int(), y=rw.Float())
    strategy = Strategy(notebook, seed=0)
    drive(notebook, strategy.run((5, 1.0)), lambda point: True)
    assert len(notebook.points) > TUNING.quiet_runs_alike
    assert set(notebook.labels) == {True}
