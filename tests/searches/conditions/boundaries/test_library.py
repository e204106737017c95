"""The grammar of expressions: every expression once, priced by its productions."""

import numpy as np
import pytest

import rootward as rw
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.library import PRODUCTIONS, Library


def library_of(*fields: rw.Int | rw.Float) -> Library:
    return Library([FieldAxis(i, "xyz"[i], field) for i, field in enumerate(fields)])


@pytest.mark.parametrize("field", [rw.Int(-1000, 1000), rw.Float(-1000.0, 1000.0)])
def test_no_two_expressions_mean_the_same(field: rw.Int | rw.Float) -> None:
    """A comparison of an expression and of its negative are the same, too."""
    library = library_of(field, field, field)
    points = np.random.default_rng(0).integers(-900, 900, size=(40, 3)) + (0 if isinstance(field, rw.Int) else 0.25)
    seen: dict[tuple[float, ...], str] = {}
    for one in library.list_features([(0, 1), (0, 2), (1, 2), (0, 1, 2)]):
        if "wrap" in one.formula or "&" in one.formula:  # equal to others on small numbers
            continue
        values = [float(one.value(tuple(point))) for point in points.tolist()]
        for signed in (values, [-value for value in values]):
            assert tuple(signed) not in seen, (one, seen.get(tuple(signed)))
        seen[tuple(values)] = repr(one)


def test_an_expression_costs_its_productions() -> None:
    library = library_of(rw.Int(), rw.Int(), rw.Int())
    bits = {one.formula: one.bits for one in library.list_features([(0, 1), (0, 1, 2)])}
    assert bits["a"] == 0
    assert bits["a * b"] == PRODUCTIONS["*"]
    assert bits["abs(a - b)"] == PRODUCTIONS["abs"] + PRODUCTIONS["minus"]
    assert bits["a + b + c"] == PRODUCTIONS["+"] + 1
    assert bits["minus(abs(a), abs(b))"] == PRODUCTIONS["minus"] + PRODUCTIONS["abs"] + 1


def test_a_remainder_costs_its_modulus() -> None:
    library = library_of(rw.Int())
    assert library.remainder(0, 10).price < library.remainder(0, 37).price < library.remainder(0, 1009).price


def test_lengths_of_numbers_that_have_more_than_two() -> None:
    library = library_of(rw.Int(-500, 500), rw.Int(0, 99), rw.Int(0, 1000))
    formulas = {one.formula: one.indices for one in library.list_features([(0, 1), (0, 2), (0, 1, 2)])}
    assert {"length(a)", "length(abs(a))", "length(a) + b", "minus(length(a), length(b))"} <= formulas.keys()
    assert {"minus(c, length(a) + b)", "minus(b, length(a) + length(c))"} <= formulas.keys()
    assert not any("length(b)" in formula and len(fields) == 3 for formula, fields in formulas.items())
    assert not any("length(abs(c))" in formula for formula in formulas)
