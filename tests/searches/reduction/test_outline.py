"""Elements seen from above."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.searches.reduction.outline import _hull, _turn, outlines

HERE = Pose()
grid = st.integers(-6, 6).map(float)
flats = st.lists(st.tuples(grid, grid), max_size=25)


def model(*shapes: Shape, at: Pose = HERE) -> SceneModel:
    return SceneModel(0, "model", at, shapes)


@given(flats)
def test_the_hull_is_convex_and_holds_every_point(points: list[tuple[float, float]]) -> None:
    hull = _hull(points)
    assert set(hull) <= set(points)
    assert len(hull) == len(set(hull))
    if len(hull) < 3:
        return
    edges = list(zip(hull, hull[1:] + hull[:1], strict=True))
    assert all(_turn(a, b, point) >= 0 for a, b in edges for point in points), "counter-clockwise around all of them"
    corners = zip(hull, hull[1:] + hull[:1], hull[2:] + hull[:2], strict=True)
    assert all(_turn(a, b, c) > 0 for a, b, c in corners), "every corner turns: none is on an edge"


@given(flats)
def test_points_in_a_row_are_their_two_ends(points: list[tuple[float, float]]) -> None:
    row = [(x, 2 * x + 1) for x, _ in points]
    assert _hull(row) == sorted({min(row), max(row)}) if row else _hull(row) == []


def test_a_box_is_its_four_corners_where_it_stands() -> None:
    box = Shape("box", (2.0, 4.0, 1.0), pose=Pose(1.0))
    (outline,) = outlines(model(box, at=Pose(10.0, 20.0, yaw=math.pi / 2)), None)
    assert sorted((round(x, 6), round(y, 6)) for x, y in outline) == [(8, 20), (8, 22), (12, 20), (12, 22)]


def test_a_cylinder_is_round_from_above_and_square_from_the_side() -> None:
    barrel = Shape("cylinder", (0.5, 3.0))
    (upright,) = outlines(model(barrel, at=Pose(2.0, 1.0)), None)
    assert len(upright) == 24
    assert {round(math.dist(point, (2.0, 1.0)), 9) for point in upright} == {0.5}
    (lying,) = outlines(model(barrel, at=Pose(2.0, 1.0, pitch=math.pi / 2)), None)
    xs, ys = zip(*lying, strict=True)
    assert (round(min(xs), 9), round(max(xs), 9)) == (0.5, 3.5)
    assert (round(min(ys), 9), round(max(ys), 9)) == (0.5, 1.5)


def test_a_ball_is_round_however_it_is_turned() -> None:
    (outline,) = outlines(model(Shape("sphere", (2.0,)), at=Pose(1.0, 0.0, 5.0, roll=1.0, pitch=0.7)), None)
    assert {round(math.dist(point, (1.0, 0.0)), 9) for point in outline} == {2.0}


def test_a_plane_has_no_outline() -> None:
    assert outlines(model(Shape("plane", (100.0, 100.0))), None) == []


def test_what_has_no_shape_is_a_point_or_nothing() -> None:
    assert outlines("anything", (1.0, 2.0, 3.0)) == [[(1.0, 2.0)]]
    assert outlines("anything", None) == []
    assert outlines(model(), (1.0, 2.0, 0.0)) == [[(1.0, 2.0)]]
