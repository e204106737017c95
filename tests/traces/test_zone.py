"""Zones against plain sets of points: two instants and the origin, on a grid of quarters.

Limits are small, and a quarter is fine enough for two instants that lie, in either order, inside the same unit; so two
zones are equal just if they have the same points. What is looked for between two points has to be found on the grid as
well, so points are asked for on halves there.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rootward.traces.running.zone import ORIGIN, UNBOUNDED, Zone, add_bounds, at_most, less_than
from tests.properties import examples

Bounds = list[tuple[str, str, int]]
Points = frozenset[tuple[int, int]]
FAR, NEAR = 24, 12
"""Quarters: how far points go, and how far from the origin it is asked what can be reached."""
GRID = range(-FAR, FAR + 1)
NAMES = (ORIGIN, "a", "b")
START = Zone().with_name("a").with_name("b")
some = examples(40)

limits = st.builds(lambda strict, limit: (less_than if strict else at_most)(limit), st.booleans(), st.integers(-2, 2))
pairs = st.sampled_from([(one, two) for one, two in product(NAMES, NAMES) if one != two])
bounds = st.lists(st.builds(lambda pair, limit: (*pair, limit), pairs, limits), max_size=5)


def allows(bound: int, quarters: int) -> bool:
    return quarters <= 2 * (bound - 1) if bound & 1 else quarters < 2 * bound


def points(wanted: Bounds) -> Points:
    """All points of the grid within bounds."""
    found = []
    for a, b in product(GRID, GRID):
        at = {ORIGIN: 0, "a": a, "b": b}
        if all(allows(bound, at[one] - at[two]) for one, two, bound in wanted):
            found.append((a, b))
    return frozenset(found)


def zone(wanted: Bounds, start: Zone | None = START) -> Zone | None:
    return reduce(lambda so_far, one: so_far and so_far.restrict(*one), wanted, start)


def told(one: Zone) -> Bounds:
    """What a zone says."""
    return [(i, j, one.bound(i, j)) for i, j in product(one.names, one.names) if one.bound(i, j) < UNBOUNDED]  # type: ignore[misc]


def halves(wanted: set[int]) -> set[int]:
    return {one for one in wanted if one % 2 == 0 and abs(one) <= NEAR}


@given(st.integers(-3, 3), st.booleans(), st.integers(-3, 3), st.booleans())
def test_bounds_add_up(one: int, strict: bool, two: int, either: bool) -> None:
    first, second = (less_than if strict else at_most)(one), (less_than if either else at_most)(two)
    assert add_bounds(first, second) == (less_than if strict or either else at_most)(one + two)
    assert add_bounds(first, UNBOUNDED) == add_bounds(UNBOUNDED, second) == UNBOUNDED


@some
@given(bounds)
def test_a_zone_has_the_points_of_its_bounds(wanted: Bounds) -> None:
    found = zone(wanted)
    assert (points(told(found)) if found is not None else frozenset()) == points(wanted)


@some
@given(bounds, bounds)
def test_one_zone_lies_in_another_if_its_points_do(wanted: Bounds, more: Bounds) -> None:
    one, other = zone(wanted), zone(more)
    if one is not None and other is not None:
        assert one.within(other) == (points(wanted) <= points(more))


@some
@given(bounds, bounds, st.randoms(use_true_random=False))
def test_the_same_points_are_the_same_zone(wanted: Bounds, more: Bounds, random: object) -> None:
    again = list(wanted)
    random.shuffle(again)  # type: ignore[attr-defined]
    one, two, other = zone(wanted), zone(again), zone(more)
    assert one == two
    assert hash(one) == hash(two)
    assert (one == other) == (points(wanted) == points(more))


@some
@given(bounds)
def test_the_order_of_names_does_not_matter(wanted: Bounds) -> None:
    one, other = zone(wanted), zone(wanted, Zone().with_name("b").with_name("a"))
    assert (one and one.sort_names()) == (other and other.sort_names())


@some
@given(bounds)
def test_without_a_name_the_others_keep_their_points(wanted: Bounds) -> None:
    found = zone(wanted)
    if found is not None:
        left = found.without(["b"])
        assert left.names == (ORIGIN, "a")
        assert halves({a for a, _ in points(told(left))}) == halves({a for a, _ in points(wanted)})


@some
@given(bounds)
def test_loosened_is_later_by_any_span(wanted: Bounds) -> None:
    found = zone(wanted)
    if found is not None:
        before, after = points(wanted), points(told(found.allow_later("a")))
        for b in range(-NEAR, NEAR + 1, 2):
            earliest = min((a for a, other in before if other == b), default=FAR + 1)
            assert halves({a for a, other in after if other == b}) == halves(set(range(earliest, FAR + 1)))


@some
@given(bounds)
def test_a_moment_is_the_only_one(wanted: Bounds) -> None:
    found = zone(wanted)
    if found is not None:
        instants = {a for a, _ in points(wanted)}
        moment = found.moment("a")
        assert (None if moment is None else {4 * moment}) == (instants if len(instants) == 1 else None)


def test_a_new_dimension_can_be_anything() -> None:
    assert points(told(START)) == frozenset(product(GRID, GRID))


def test_an_upper_bound_may_be_all_that_is_known() -> None:
    assert Zone.unknown(["b", "a"], at_most(2)) == zone([("a", ORIGIN, at_most(2)), ("b", ORIGIN, at_most(2))])
