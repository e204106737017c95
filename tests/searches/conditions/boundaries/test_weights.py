"""Weights and centres that are computed from brackets."""

import numpy as np
import pytest

from rootward.searches.conditions.boundaries.weights import Matrix, choose_exponents, fit_weights


def brackets(
    weights: list[float], constant: float, count: int, width: float, seed: int = 0
) -> tuple[Matrix, Matrix, Matrix]:
    """Pairs of points that differ in one term and lie on either side of a plane."""
    rng = np.random.default_rng(seed)
    one = rng.integers(-100, 100, size=(count, len(weights))).astype(float)
    other = one.copy()
    for row in range(count):
        index = row % len(weights)
        rest = sum(w * v for k, (w, v) in enumerate(zip(weights, one[row], strict=True)) if k != index)
        place = (constant - rest) / weights[index]
        one[row, index], other[row, index] = place - width * rng.random(), place + width * (1 - rng.random())
    return one, other, np.full(count, 10.0)


@pytest.mark.parametrize("weights", [[1, 2, -1], [1, -0.9], [3, -1, 5], [1, 200], [2, -3]])
@pytest.mark.parametrize("constant", [0, 168])
def test_planted_weights_are_found_up_to_a_factor(weights: list[float], constant: float) -> None:
    [best, *_] = fit_weights(*brackets(weights, constant, 8, 0.01))
    scaled = np.array(best) / best[0] * weights[0]
    assert scaled == pytest.approx(weights)


def test_brackets_of_another_boundary_do_not_matter() -> None:
    mine, strange = brackets([1, 2, -1], 168, 9, 0.5), brackets([1, 0.001, 7], -40, 4, 0.5, seed=1)
    one, other, evidence = (np.concatenate(pair) for pair in zip(mine, strange, strict=True))
    [best, *_] = fit_weights(one, other, evidence)
    assert np.array(best) / best[0] == pytest.approx([1, 2, -1])


def test_small_integers_are_found_between_neighbours_of_short_fields() -> None:
    """Two boundaries, ``samples <= 3 * order + 3`` and ``samples <= 6 * order + 3``, seen at whole numbers only."""
    rows = [(factor * order + 3, order) for factor in (3, 6) for order in (1, 2, 4, 5, 7)]
    one = np.array(rows, dtype=float)
    found = fit_weights(one, one + np.array([1, 0]), np.full(len(rows), 5.0))
    assert {tuple(np.array(weights) / weights[0]) for weights in found} == {(1, -3), (1, -6)}


def test_brackets_that_follow_no_plane_give_no_weights() -> None:
    rng = np.random.default_rng(3)
    one = rng.uniform(-1000, 1000, size=(12, 3))
    other = one + rng.uniform(0, 1e-6, size=(12, 3))
    assert fit_weights(one, other, np.full(12, 20.0)) == {}


def test_too_few_brackets_give_no_weights() -> None:
    one, other, evidence = brackets([1, 2, -1], 168, 2, 0.5)
    assert fit_weights(one, other, evidence) == {}


def test_a_centre_is_a_simple_number_itself() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for angle in rng.uniform(0, 2 * np.pi, size=8):
        for radius in (4.9, 5.1):
            x, y = 3 + radius * np.cos(angle), -2 + radius * np.sin(angle)
            rows.append([x * x + y * y, x, y])
    one, other = np.array(rows[::2]), np.array(rows[1::2])
    assert next(iter(fit_weights(one, other, np.full(8, 10.0), scale=-2.0))) == (1.0, 3.0, -2.0)


EXPONENTS = np.array([[1, 1, 1], [1, -1, 2], [2, -1, 1], [1, 0, 1], [1, 0, 2], [0, 1, -2], [2, 1, -2]], dtype=float)


@pytest.mark.parametrize("row", range(len(EXPONENTS)))
def test_exponents_are_found_if_a_choice_changes_the_constant(row: int) -> None:
    rng = np.random.default_rng(row)
    one = 10 ** rng.uniform(-3, 5, size=(14, 3))
    other = one.copy()
    used = np.flatnonzero(EXPONENTS[row])
    for i, constant in enumerate([4.0] * 8 + [8.0] * 6):
        index = used[i % len(used)]
        place = one[i, index] * (constant / np.prod(one[i] ** EXPONENTS[row])) ** (1 / EXPONENTS[row][index])
        one[i, index], other[i, index] = place * (1 - 0.01 * rng.random()), place * (1 + 0.01 * rng.random())
    costs = np.full(len(EXPONENTS), 20.0)
    assert choose_exponents(one, other, np.full(14, 8.0), EXPONENTS, costs)[:1] == [row]
    assert choose_exponents(-one, -other, np.full(14, 8.0), EXPONENTS, costs) == []


def test_boundaries_that_follow_no_power_law_give_no_exponents() -> None:
    rng = np.random.default_rng(5)
    one = 10 ** rng.uniform(-3, 5, size=(12, 3))
    assert choose_exponents(one, one * 1.001, np.full(12, 10.0), EXPONENTS, np.full(len(EXPONENTS), 20.0)) == []
