"""Cuts: every bracket is explained, and by the comparison that was planted."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.searches.conditions.boundaries.cut import Cut, cuts
from rootward.searches.conditions.boundaries.library import Library
from rootward.searches.conditions.boundaries.observations import Observations, change_value
from rootward.searches.conditions.boundaries.tuning import TUNING
from tests.properties import examples, few

from .planted import crossings, cut_of, notebook_of

GROUPS: list[tuple[int, ...]] = [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
INTEGERS = {name: rw.Int(-(10**6), 10**6) for name in "xyz"}
FLOATS = {name: rw.Float(-1e6, 1e6) for name in "xyz"}


def found_in(notebook: Observations) -> list[Cut]:
    return found_among(notebook, GROUPS)


def found_among(notebook: Observations, groups: list[tuple[int, ...]]) -> list[Cut]:
    library = Library(notebook.axes)
    library.fit(notebook.brackets, notebook.points, groups)
    return cuts(list(library.list_features(groups)), notebook.brackets, notebook.points)


def explains(cut: Cut, notebook: Observations, number: int) -> bool:
    """By brute force: the two points of a bracket lie on different sides."""
    one = notebook.brackets[number]
    sides = [cut.side(notebook.points[i]) for i in (one.one, one.other)]
    return sorted(sides) == [-1, 1]


@given(data=st.data())
@examples(25)
def test_every_ordered_bracket_is_explained_by_a_chosen_cut(data: st.DataObject) -> None:
    """Whatever the brackets: also if they follow no rule at all."""
    small = st.integers(-20, 20)
    notebook = notebook_of(x=rw.Int(-20, 20), y=rw.Int(-20, 20), z=rw.Int(-20, 20))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    for _ in range(data.draw(st.integers(1, 8))):
        base = tuple(data.draw(small) for _ in range(3))
        index = int(rng.integers(3))
        other = change_value(base, index, data.draw(small))
        notebook.add(base, bool(rng.random() < 0.5))
        if other != base:
            notebook.add(other, not notebook.label(base))
            notebook.bracket(base, other, index)
    chosen = found_in(notebook)
    for number in range(len(notebook.brackets)):
        assert any(number in cut.explained for cut in chosen)
    tried = len(list(Library(notebook.axes).list_features(GROUPS)))
    for cut in chosen:
        assert cut.explained
        assert cut.low <= cut.constant <= cut.high
        assert not cut.feature.is_contrived or cut.gain > math.log2(tried)
        for number in range(len(notebook.brackets)):
            if number in cut.explained:
                assert explains(cut, notebook, number)


PLANTED: dict[str, tuple[Any, ...]] = {
    "one field": (INTEGERS, "a", (0,), 4500),
    "abs": (INTEGERS, "abs(a)", (1,), 300),
    "sum": (INTEGERS, "a + b", (0, 2), 1000),
    "difference": (FLOATS, "minus(a, b)", (0, 1), 250),
    "equal": (FLOATS, "minus(a, b)", (1, 2), 0),
    "product": (INTEGERS, "a * b", (0, 1), 2**31 - 1),
    "circle": (FLOATS, "a * a + b * b", (0, 1), 2500),
    "triple": (FLOATS, "minus(a, b * c)", (2, 0, 1), 0),
    "multiplier": (FLOATS, "minus(a, 0.9 * b)", (0, 1), 0),
    "shifted": (FLOATS, "a + 200 * b", (0, 1), 40000),
    "large circle": (FLOATS, "minus(a * a + b * b, c * c)", (0, 1, 2), 0),
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("strict", few(1, [False, True]))
def test_the_planted_comparison_wins_from_exact_brackets(name: str, strict: bool) -> None:
    fields, formula, indices, constant = PLANTED[name]
    planted = cut_of(formula, indices, constant, strict)
    notebook = notebook_of(**fields)
    crossings(notebook, planted, 6)
    [only] = found_in(notebook)
    assert set(only.explained) == set(range(len(notebook.brackets)))
    fresh = notebook_of(**fields)
    crossings(fresh, planted, 30, seed=1)
    told = [only.side(point) for point in fresh.points]
    assert told in ([planted.side(point) for point in fresh.points], [-planted.side(point) for point in fresh.points])


@pytest.mark.parametrize("name", PLANTED)
def test_rivals_are_within_the_margin_and_explain_what_they_say(name: str) -> None:
    fields, formula, indices, constant = PLANTED[name]
    notebook = notebook_of(**fields)
    crossings(notebook, cut_of(formula, indices, constant), 2)
    for cut in found_in(notebook):
        assert len(cut.rivals) <= TUNING.max_rivals
        assert [one.gain for one in cut.rivals] == sorted((one.gain for one in cut.rivals), reverse=True)
        for rival in cut.rivals:
            assert rival.gain > cut.gain - TUNING.rival_bits
            assert rival.feature.identity != cut.feature.identity
            assert rival.explained
            assert set(rival.explained) <= set(cut.explained)
            assert all(explains(rival, notebook, number) for number in rival.explained)


def test_one_bracket_has_many_explanations() -> None:
    notebook = notebook_of(**INTEGERS)
    crossings(notebook, cut_of("a + b", (0, 1), 1000), 1)
    [only] = found_in(notebook)
    assert len(only.rivals) > 3


def test_a_boundary_that_moved_is_explained_by_several_fields() -> None:
    """One bracket does not show that it moves; the second one does, and then nothing explains both but the sum."""
    notebook = notebook_of(**INTEGERS)
    crossings(notebook, cut_of("a + b", (0, 1), 1000), 2)
    [only] = found_in(notebook)
    assert "a + b" in [one.feature.formula for one in (only, *only.rivals)]


def test_both_signs_of_one_value_do_not_show_that_another_field_matters() -> None:
    """``abs(a) > 4500`` at b = 2 is not told as ``abs(a * b) > 9000``, although 9000 is the rounder number."""
    notebook = notebook_of(**INTEGERS)
    for sign in (1, -1):
        passing, failing = (sign * 4500, 2, 0), (sign * 4501, 2, 0)
        notebook.add(passing, False)
        notebook.add(failing, True)
        notebook.bracket(passing, failing, 0)
    [only] = found_in(notebook)
    assert (only.feature.formula, only.feature.indices, only.constant) == ("abs(a)", (0,), 4500)


def test_evidence_in_new_surroundings_decides_between_rivals() -> None:
    """One bracket of ``x * y > 31500`` at y = 7 is told as ``x > 4500``; others elsewhere tell the product."""
    notebook, told = notebook_of(**INTEGERS), []
    for x, y in ((4500, 7), (3150, 10), (31500, 1), (450, 70)):
        notebook.add((x, y, 0), False)
        notebook.add((x + 1, y, 0), True)
        notebook.bracket((x, y, 0), (x + 1, y, 0), 0)
        told.append([cut.feature.formula for cut in found_in(notebook)])
    assert told[0] == ["a"]
    assert told[-1] == ["a * b"]


def test_brackets_without_an_order_need_no_cut() -> None:
    notebook = notebook_of(mode=rw.Choice("abc"), x=rw.Float())
    for point, label in ((("a", 1.0), True), (("b", 1.0), False), (("a", float("nan")), False)):
        notebook.add(point, label)
    notebook.bracket(("a", 1.0), ("b", 1.0), 0)
    notebook.bracket(("a", 1.0), ("a", float("nan")), 1)
    assert len(notebook.brackets) == 2
    assert cuts(list(Library(notebook.axes).list_features([])), notebook.brackets, notebook.points) == []


@given(st.integers(-50, 50), st.booleans(), st.one_of(st.integers(-60, 60), st.just(float("nan"))))
def test_a_value_is_below_or_above_or_has_no_side(constant: int, strict: bool, value: Any) -> None:
    cut = cut_of("a", (0,), constant, strict)
    expected = 0 if value != value else -1 if (value < constant if strict else value <= constant) else 1
    assert cut.side((value,)) == expected
    assert (cut.below(value), cut.above(value)) == (expected < 0, expected > 0)


def test_two_cuts_of_one_expression_beat_more_of_several() -> None:
    """Greedily, ``abs(x) <= 200 * y`` explains most brackets of ``0 <= x + 200 * y < 40000``, and two more the rest."""
    notebook = notebook_of(x=rw.Int(-(10**6), 10**6), y=rw.Int(-(10**6), 10**6))
    for x, y in [(-1, 0), (-1001, 5), (-5001, 25), (-2201, 11), (-1601, 8)]:
        for point in ((x, y), (x + 1, y)):
            notebook.add(point, point[0] + 200 * point[1] < 0)
        notebook.bracket((x, y), (x + 1, y), 0)
    for x, y in [(39999, 0), (38999, 5), (-10001, 250)]:
        for point in ((x, y), (x + 1, y)):
            notebook.add(point, point[0] + 200 * point[1] >= 40000)
        notebook.bracket((x, y), (x + 1, y), 0)
    chosen = found_among(notebook, [(0, 1)])
    assert [cut.feature.formula for cut in chosen] == ["a + 200 * b"] * 2
    assert {cut.constant for cut in chosen} <= {-1, 0, 39999, 40000}


def test_rounding_hides_no_simple_constant() -> None:
    """At these points ``y > 2 * x + 10`` and ``y - 2 * x > 10`` differ in the last bit."""
    notebook = notebook_of(y=rw.Float(-1e6, 1e6), x=rw.Float(-1e6, 1e6))
    pairs = [
        ((25.0, 7.499999999999999), (25.0, 7.499999999999998)),
        ((16.0, 2.9999999999999996), (16.0, 2.999999999999999)),
    ]
    pairs += [((50.0, 20.0), (50.0, 19.999999999999996)), ((150.0, 70.0), (150.0, 69.99999999999999))]
    for passes, fails in pairs:
        assert [point[0] > 2 * point[1] + 10 for point in (passes, fails)] == [False, True]
        notebook.add(passes, False)
        notebook.add(fails, True)
        notebook.bracket(passes, fails, 1)
    [cut] = found_among(notebook, [(0, 1)])
    assert (cut.feature.formula, cut.constant) == ("minus(a, 2 * b)", 10)
    assert cut.is_blurred(pairs[0][0])
    assert not cut.is_blurred((50.0, 20.0))
    assert not cut.is_blurred((25.0, 7.4))


@pytest.mark.parametrize("formula", ["minus(a, b)", "minus(abs(a), b)"])
def test_a_comparison_of_integers_is_never_a_matter_of_rounding(formula: str) -> None:
    assert not cut_of(formula, (0, 1), 10).is_blurred((2**53 + 11, 2**53 + 1))
    assert not cut_of(formula, (0, 1), 10).is_blurred((10**400 + 10, 10**400))


@given(a=st.integers(-(2**20), 2**20), b=st.integers(-(2**20), 2**20), k=st.integers(-4, 4))
def test_what_lies_on_a_cut_is_exact(a: int, b: int, k: int) -> None:
    cut = cut_of("minus(a, b)", (0, 1), (a - b) * 2.0**-k)
    assert cut.touches((a * 2.0**-k, b * 2.0**-k))
    assert not cut_of("a + b", (0, 1), 0.30000000000000004).touches((0.1, 0.2))
