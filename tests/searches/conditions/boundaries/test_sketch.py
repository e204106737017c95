"""What is known in the middle of an opening, and that to look at it changes nothing."""

import math
from typing import Any

import rootward as rw
from rootward.searches.conditions.boundaries.boundaries import sketch
from rootward.searches.conditions.boundaries.observations import Observations
from tests.searches.conditions.boundaries.planted import Fails, notebook_of


def filled(fails: Fails, *points: tuple[Any, ...], **fields: Any) -> Observations:
    notebook = notebook_of(**fields)
    for point in points:
        notebook.add(point, fails(point))
    return notebook


def test_a_bisection_that_has_not_ended_counts_as_a_bracket() -> None:
    notebook = filled(lambda p: p[0] > 4500, (9000,), (0,), (-9000,), (6000,), x=rw.Int())
    fitting = sketch(notebook)
    [cut] = fitting.model.cuts if fitting.model else []
    assert (cut.low, cut.high) == (0, 6000)


def test_values_without_an_order_and_nan_are_compared_with_the_first_point() -> None:
    points = [(3.0, "a"), (3.0, "b"), (3.0, "c"), (math.nan, "a")]
    notebook = filled(lambda p: p[0] == 3 and p[1] == "a", *points, x=rw.Float(), mode=rw.Choice("abc"))
    model = sketch(notebook).model
    assert model is not None
    assert [model.predict(point) for point in points] == notebook.labels


def test_two_numbers_that_differ_are_no_reason_to_speak_of_bits() -> None:
    notebook = filled(lambda p: p[0] > 4500, (8192,), (0,), (9000,), x=rw.Int())
    model = sketch(notebook).model
    assert model is not None
    assert [cut.feature.formula for cut in model.cuts] == ["a"]


def test_a_sketch_leaves_the_notebook_alone() -> None:
    fields = {"x": rw.Int(), "y": rw.Int()}
    notebook = filled(lambda p: p[0] * p[1] > 99, (50, 50), (0, 50), (50, 0), (-8, -20), (20, 4), **fields)
    fitting = sketch(notebook)
    assert fitting.notebook.brackets
    assert not notebook.brackets
    fitting.notebook.add((1, 1), False)
    assert not notebook.is_seen((1, 1))
    assert notebook.bracket((50, 50), (0, 50), 0) is not None
