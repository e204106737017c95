"""The samplers: Latin hypercube, active, domains, spheres, each against what the paper says of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.searches.conditions.trees.axes import Axes, TrialData, codes, domain_of
from rootward.searches.conditions.trees.sampling import (
    Bandit,
    CandidatePool,
    boundary,
    certainty,
    diversity,
    draw_batch,
    entropy,
    information,
    partition,
    radius,
    sample_latin,
    sample_spheres,
)
from tests.properties import examples

distances = st.floats(0, 1e4)
quick = examples(100, derandomize=True)
MIXED = rw.Space(
    {"f": rw.Float(), "g": rw.Float(bits=32), "b": rw.Float(0, 10), "i": rw.Int(), "c": rw.Choice(["r", "g", "b"])}
)


def axes(space: rw.Space, failing: dict[str, Any] | None = None, fields: list[str] | None = None) -> Axes:
    return Axes(space, failing, fields)


def plane(points: list[tuple[float, float, bool]]) -> TrialData:
    """Trials in a plane of two bounded floats, by their places."""
    data = TrialData(axes(rw.Space({"x": rw.Float(-16, 16), "y": rw.Float(-16, 16)})))
    for x, y, fails in points:
        place = np.array([x, y])
        data.add(place, data.axes.features(place[None])[0], fails)
    return data


# Axes


def test_places_are_those_of_the_fields_and_there_is_a_way_back() -> None:
    here = axes(MIXED)
    configuration = {"f": math.nan, "g": -8.0, "b": 3.0, "i": 2**30, "c": "b"}
    place = here.places(configuration)
    assert np.isnan(place[0])
    assert place[1:].tolist() == [-4.0, 2.5, 31.0, 2.0]
    assert MIXED.key(here.configuration(place)) == MIXED.key(configuration)
    assert np.array_equal(here.features(place[None])[0], here.features_of(configuration), equal_nan=True)
    assert np.array_equal(here.snap(place[None])[0], place, equal_nan=True)


def test_only_some_fields_change_and_the_others_keep_the_failing_value() -> None:
    failing = {"f": 1.0, "g": 2.0, "b": 3.0, "i": 4, "c": "r"}
    here = axes(MIXED, failing, ["i", "c"])
    assert here.names == ("i", "c")
    assert here.configuration(np.array([0.0, 2.0])) == {**failing, "i": 0, "c": "b"}


def test_fields_without_a_failing_configuration_are_refused() -> None:
    with pytest.raises(InputError, match="fields needs a failing configuration"):
        axes(MIXED, None, ["i"])
    with pytest.raises(InputError, match="unknown field 'j'"):
        axes(MIXED, {"f": 1.0, "g": 2.0, "b": 3.0, "i": 4, "c": "r"}, ["j"])


def test_a_text_that_is_not_listed_has_a_place() -> None:
    here = axes(rw.Space({"t": rw.Text(["a", "b"])}), {"t": "strange"})
    assert here.configuration(here.places({"t": "strange"})) == {"t": "strange"}


@pytest.mark.parametrize("failing", ["a", "strange"])
def test_the_axis_of_a_text_contains_exactly_the_texts_with_a_place(failing: str) -> None:
    here = axes(rw.Space({"t": rw.Text(["a", "b"])}), {"t": failing})
    assert [here.fields[0].contains(text) for text in ("a", "b", "strange", "c")] == [
        True,
        True,
        failing == "strange",
        False,
    ]


# The passive sampler


@quick
@given(count=st.integers(2, 60), seed=st.integers(0, 1000))
def test_every_bin_is_used_exactly_once(count: int, seed: int) -> None:
    space = rw.Space({"x": rw.Float(), "y": rw.Float(0, 1)})
    here = axes(space)
    places = sample_latin(here, count, np.random.default_rng(seed))
    assert sorted(_bins(places[:, 1], 0, 1, count)) == list(range(count))
    finite = places[np.isfinite(places[:, 0]), 0]
    assert len(finite) == count - 1, "one bin is reserved for special values"
    assert sorted(_bins(finite, *space["x"].span, count - 1)) == list(range(count - 1))


def _bins(places: np.ndarray[Any, Any], low: float, high: float, count: int) -> list[int]:
    return [min(int((place - low) / (high - low) * count), count - 1) for place in places.tolist()]


def test_each_special_value_is_drawn_as_often_as_the_others() -> None:
    here, rng = axes(rw.Space({"x": rw.Float()})), np.random.default_rng(3)
    drawn = np.concatenate([sample_latin(here, 2, rng)[:, 0] for _ in range(600)])
    counts = [np.isnan(drawn).sum(), (drawn == np.inf).sum(), (drawn == -np.inf).sum()]
    assert sum(counts) == 600
    assert min(counts) > 150


def test_only_members_are_drawn() -> None:
    here = axes(MIXED)
    for place in sample_latin(here, 200, np.random.default_rng(0)):
        MIXED.check(here.configuration(place))
    bounded = sample_latin(axes(rw.Space({"x": rw.Float(0, None)})), 50, np.random.default_rng(0))
    assert not np.isnan(bounded).any(), "NaN is on no side of a bound"
    assert (bounded == np.inf).sum() == 1


def test_listed_values_are_equally_likely() -> None:
    places = sample_latin(axes(rw.Space({"c": rw.Choice(["r", "g", "b"])})), 300, np.random.default_rng(0))
    assert np.unique(places, return_counts=True)[1].tolist() == [100, 100, 100]


# Certainty


def test_partition_goes_from_one_to_a_half() -> None:
    at = np.array([0.0, 0.5, 1.0, 2.0, 4.0, 1e12, np.inf])
    assert partition(at) == pytest.approx([1, 1, 1, 0.75, 0.625, 0.5, 0.5])


@quick
@given(one=distances, two=distances)
def test_partition_is_a_probability_and_falls_with_distance(one: float, two: float) -> None:
    near, far = partition(np.array(sorted([one, two])))
    assert 0.5 <= far <= near <= 1


def test_partition_is_the_printed_formula_where_that_is_a_probability() -> None:
    far = np.array([1.0, 1.5, 7.0, 1e3, 1e5])
    assert partition(far).tolist() == ((1 + 1 / far) / 2).tolist()


@quick
@given(same=distances, other=distances)
def test_boundary_is_the_share_of_the_distance_to_the_others(same: float, other: float) -> None:
    chance = boundary(np.array([same]), np.array([other]))[0]
    if same + other:
        assert chance == pytest.approx(other / (same + other))
        swapped = boundary(np.array([other]), np.array([same]))[0]
        assert chance + swapped == pytest.approx(1)
    else:
        assert chance == 0.5


def test_boundary_without_trials() -> None:
    inf = np.inf
    same, other = np.array([3.0, inf, inf, inf]), np.array([inf, 3.0, 0.0, inf])
    assert boundary(same, other).tolist() == [1, 0.5, 0, 0.5]


@quick
@given(same=distances, other=distances)
def test_certainty_is_the_geometric_mean(same: float, other: float) -> None:
    at = np.array([same]), np.array([other])
    product = partition(at[0]) * boundary(*at)
    assert certainty(*at) == pytest.approx(np.sqrt(product))


@quick
@given(st.floats(0, 1))
def test_entropy_is_that_of_a_coin(chance: float) -> None:
    parts = [part * math.log2(part) for part in (chance, 1 - chance) if part > 0]
    assert entropy(np.array([chance]))[0] == pytest.approx(-sum(parts), abs=1e-12)


def test_a_known_trial_tells_nothing() -> None:
    assert information(np.array([0.0, 5.0]), np.array([5.0, 0.0])).tolist() == [0, 0]


# The active sampler


def test_figure_2_the_border_and_what_is_far_from_support() -> None:
    """The map of the paper: labels on both sides of a border, and an empty corner."""
    trials = [(-2.0, -1.0, True), (-1.0, -2.0, True), (-4.0, 0.0, True), (0.0, -4.0, True)]
    trials += [(2.0, 1.0, False), (1.0, 2.0, False), (4.0, 3.0, False)]
    grid = np.linspace(-5, 5, 101)
    points = np.array([(x, y) for x in grid for y in grid])
    predicted = points.sum(axis=1) < 0
    away = np.array([np.hypot(*(points - np.array([x, y])).T) for x, y, _ in trials])
    fails = np.array([label for *_, label in trials])
    to_fail, to_pass = away[fails].min(axis=0), away[~fails].min(axis=0)
    told = information(np.where(predicted, to_fail, to_pass), np.where(predicted, to_pass, to_fail))

    border = np.abs(points.sum(axis=1)) < 0.3
    inside = away.min(axis=0) < 0.5
    assert told[border].mean() > told[~border].mean() > told[inside].mean()
    assert told[border].min() > 0.9
    far, near = _at(told, points, 5, -5), _at(told, points, 3, 2)
    assert far > near + 0.1, "far from support"
    assert _at(told, points, 2, 1) == 0, "a known trial"


def _at(values: np.ndarray[Any, Any], points: np.ndarray[Any, Any], x: float, y: float) -> float:
    return float(values[np.argmin(np.hypot(*(points - np.array([x, y])).T))])


def test_close_to_a_mislabelled_trial_tells_much() -> None:
    """The predictor says pass all around a trial that failed."""
    trials = [(0.0, 0.0, True)] + [(6 * math.cos(a), 6 * math.sin(a), False) for a in np.linspace(0, 6, 12)]
    radii = np.linspace(0, 3, 301)[1:]
    same = np.array([min(math.hypot(r - x, y) for x, y, fails in trials if not fails) for r in radii])
    told = information(same, radii)
    assert told.max() > 0.999
    assert radii[np.argmax(told)] < 3, "nearer to the mislabelled trial than to the others"


def test_the_argmax_is_taken_over_the_pool() -> None:
    data = plane([(-3, 0, True), (3, 0, False)])
    pool = CandidatePool(data, (0, 0), lambda features: features[:, 0] < 0, np.random.default_rng(0))
    told = information(pool.same, pool.other)
    drawn = pool.draw()
    assert drawn is not None
    assert np.array_equal(drawn, pool.places[np.argmax(told)])
    exact = np.linalg.norm(pool.places[:, None] - data.places, axis=2)
    left = pool.labels
    assert pool.labels.tolist() == (pool.places[:, 0] < 0).tolist()
    assert np.all(pool.same <= np.where(left, exact[:, 0], exact[:, 1]) + 1e-9)


def test_a_batch_spreads_out_and_is_forgotten() -> None:
    data = plane([(-3, 0, True), (3, 0, False), (-8, 2, True), (8, -3, False)])
    bandit = Bandit(data.axes)
    for place, fails in zip(data.places, data.fails, strict=True):
        bandit.add_trial(domain_of(place), bool(fails), chosen=False)
    drawn = np.array(draw_batch(data, bandit, lambda features: features[:, 0] < 0, 12, np.random.default_rng(0)))
    apart = np.linalg.norm(drawn[:, None] - drawn, axis=2)[np.triu_indices(12, 1)]
    assert apart.min() > 0.01
    assert np.median(apart) > 3
    assert len(data) == 4, "expected labels do not enter the data"


def test_a_hallucinated_label_lowers_the_information_nearby() -> None:
    data = plane([(-3, 0, True), (3, 0, False)])
    pool = CandidatePool(data, (0, 0), lambda features: features[:, 0] < 0, np.random.default_rng(0))
    before = information(pool.same, pool.other)
    drawn = pool.draw()
    assert drawn is not None
    after = information(pool.same, pool.other)
    close = np.linalg.norm(pool.places - drawn, axis=1) == 0
    assert close.sum() == 1
    assert before[close][0] > 0.9
    assert after[close][0] == 0


def test_points_that_could_not_be_judged_are_not_drawn_again() -> None:
    data = TrialData(axes(rw.Space({"a": rw.Bool(), "b": rw.Bool()})))
    data.add_unjudged(np.array([0.0, 1.0]))
    for place, fails in (((0.0, 0.0), True), ((1.0, 0.0), False)):
        data.add(np.array(place), np.array(place), fails)
    bandit = Bandit(data.axes)
    bandit.add_trial((0, 0), True, chosen=False)
    drawn = draw_batch(data, bandit, lambda features: features[:, 0] < 0.5, 10, np.random.default_rng(0))
    assert [point.tolist() for point in drawn] == [[1.0, 1.0]]


def test_distances_leave_special_dimensions_out_and_use_the_domain_alone() -> None:
    data = TrialData(axes(rw.Space({"x": rw.Float(), "y": rw.Float(0, 16)})))
    for x, y, fails in ((math.nan, 1.0, True), (math.nan, 5.0, False), (0.0, 2.0, True)):
        data.add(np.array([x, y]), np.array([x, y]), fails)
    pool = CandidatePool(data, (1, 0), lambda features: features[:, 1] < 2, np.random.default_rng(0))
    assert np.isnan(pool.places[:, 0]).all()
    second = pool.places[:, 1]
    to_fail, to_pass = np.abs(second - 1), np.abs(second - 5)
    assert pool.same == pytest.approx(np.where(pool.labels, to_fail, to_pass))
    assert pool.other == pytest.approx(np.where(pool.labels, to_pass, to_fail))


# Domains


def test_a_domain_for_every_combination_of_special_values() -> None:
    for floats in range(4):
        space = rw.Space({"i": rw.Int(), **{f"f{at}": rw.Float() for at in range(floats)}})
        assert Bandit(axes(space)).size == 4**floats


def test_codes_tell_special_values_apart() -> None:
    assert codes(np.array([1.0, np.nan, np.inf, -np.inf, 0.0])).tolist() == [0, 1, 2, 3, 0]


def test_diversity_is_the_entropy_of_the_labels() -> None:
    assert diversity([4, 0]) == 0
    assert diversity([3, 3]) == 1
    assert diversity([3, 1]) == pytest.approx(0.8112781)


def test_a_trial_is_a_success_if_labels_become_more_diverse_there_or_in_all() -> None:
    bandit = Bandit(axes(rw.Space({"x": rw.Float()})))
    told = [((0,), False), ((0,), False), ((0,), True), ((1,), True), ((1,), True), ((1,), True), ((1,), False)]
    expected = [False, False, True, True, False, False, True]
    for (domain, fails), success in zip(told, expected, strict=True):
        before = list(bandit.arms.get(domain, [0, 0]))
        bandit.add_trial(domain, fails, chosen=True)
        assert bandit.arms[domain] == [before[0] + success, before[1] + (not success)]


def test_trials_that_the_bandit_did_not_choose_open_arms_and_do_not_count() -> None:
    bandit = Bandit(axes(rw.Space({"x": rw.Float()})))
    bandit.add_trial((2,), True, chosen=False)
    assert bandit.arms == {None: [0, 0], (2,): [0, 0]}


def test_thompson_sampling_prefers_the_arm_that_succeeds() -> None:
    bandit, rng = Bandit(axes(rw.Space({"x": rw.Float()}))), np.random.default_rng(0)
    bandit.arms = {None: [1, 40], (0,): [30, 10], (1,): [2, 38]}
    bandit.labels = {None: [1, 1], (0,): [1, 1], (1,): [1, 1]}
    chosen = [bandit.choose(rng, ()) for _ in range(200)]
    assert chosen.count((0,)) > 190
    assert (0,) not in [bandit.choose(rng, {(0,)}) for _ in range(50)]


def test_new_domains_are_opened_until_there_are_none() -> None:
    bandit, rng = Bandit(axes(rw.Space({"x": rw.Float(), "y": rw.Float()}))), np.random.default_rng(0)
    closed: set[tuple[int, ...]] = set()
    for _ in range(16):
        domain = bandit.choose(rng, closed)
        assert domain is not None
        assert domain not in closed
        closed.add(domain)
        bandit.add_trial(domain, False, chosen=True)
    assert bandit.choose(rng, closed) is None


# Spheres


@quick
@given(seed=st.integers(0, 10**6), count=st.integers(1, 30))
def test_the_radius_is_half_the_distance_to_the_other_label(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    here = axes(rw.Space({"x": rw.Float(), "y": rw.Float(), "z": rw.Float()}))
    rare, others = rng.uniform(-900, 900, (1, 3)), rng.uniform(-900, 900, (count, 3))
    reach = radius(rare[0], others)
    assert reach == pytest.approx(min(math.dist(rare[0], other) for other in others) / 2)
    drawn = sample_spheres(here, rare, others, 20, rng)
    assert np.all(np.linalg.norm(drawn - rare, axis=1) <= reach * (1 + 1e-9))
    assert np.linalg.norm(drawn - rare, axis=1).max() > reach / 2, "the whole sphere is used"


def test_a_sphere_stays_in_its_domain_and_in_the_space() -> None:
    here, rng = axes(rw.Space({"x": rw.Float(), "y": rw.Float(0, 16)})), np.random.default_rng(0)
    rare = np.array([[np.nan, 1.0]])
    assert radius(rare[0], np.array([[0.0, 1.0]])) == math.inf
    assert radius(rare[0], np.array([[0.0, 1.0], [np.nan, 4.0]])) == 1.5
    for others in (np.array([[0.0, 1.0]]), np.array([[np.nan, 4.0]])):
        drawn = sample_spheres(here, rare, others, 50, rng)
        assert np.isnan(drawn[:, 0]).all()
        assert drawn[:, 1].min() >= 0
        assert drawn[:, 1].max() <= 5


def test_every_rare_trial_has_its_turn_and_a_miss_makes_the_sphere_smaller() -> None:
    here, rng = axes(rw.Space({"x": rw.Float()})), np.random.default_rng(0)
    rare, others = np.array([[10.0], [500.0]]), np.array([[20.0], [600.0]])
    drawn = sample_spheres(here, rare, others, 10, rng)[:, 0]
    assert sum(abs(drawn - 10) <= 5) == 5
    assert sum(abs(drawn - 500) <= 50) == 5
    missed = drawn[abs(drawn - 500) <= 50][:, None]
    assert radius(rare[1], np.vstack([others, missed])) < radius(rare[1], others) / 2
