"""Poses, shapes and names of a scene."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.scenes.scene import Pose, SceneModel, Shape, from_matrix, from_quaternion
from rootward.formats.scenes.scene_file import SceneFile, TextCut, rename_duplicates

LENGTHS = st.floats(-10, 10)
ANGLES = st.floats(-math.pi, math.pi)
POSES = st.builds(Pose, LENGTHS, LENGTHS, LENGTHS, ANGLES, ANGLES, ANGLES)


def same(a, b):
    # A pitch close to a right angle is told by a sine that hardly changes: 1e-6 is what is left of 16 digits.
    numbers, others = (sum(pose.rotation, pose.point) for pose in (a, b))
    return numbers == pytest.approx(others, abs=2e-6)


def applied(pose, point):
    return tuple(
        sum(r * p for r, p in zip(row, point, strict=True)) + t
        for row, t in zip(pose.rotation, pose.point, strict=True)
    )


@given(POSES, POSES, st.tuples(LENGTHS, LENGTHS, LENGTHS))
def test_a_product_applies_one_after_the_other(a, b, point):
    assert applied(a * b, point) == pytest.approx(applied(a, applied(b, point)), abs=1e-4)


@given(POSES)
def test_an_inverse_undoes(pose):
    assert same(pose * pose.inverse, Pose())
    assert same(pose.inverse * pose, Pose())


@given(POSES)
def test_rotations_can_be_told_in_three_ways(pose):
    turn = Pose(0, 0, 0, pose.roll, pose.pitch, pose.yaw)
    assert same(from_matrix(pose.rotation), turn)
    assert same(from_quaternion(*pose.quaternion), turn)
    assert same(from_quaternion(*(-3 * q for q in pose.quaternion)), turn)


def test_a_quarter_turn_about_each_axis():
    quarter = math.pi / 2
    assert applied(Pose(yaw=quarter), (1, 0, 0)) == pytest.approx((0, 1, 0), abs=1e-12)
    assert applied(Pose(pitch=quarter), (1, 0, 0)) == pytest.approx((0, 0, -1), abs=1e-12)
    assert applied(Pose(roll=quarter), (0, 1, 0)) == pytest.approx((0, 0, 1), abs=1e-12)
    assert from_quaternion(0, 0, 0, 0) == Pose()


def test_a_box_around_a_model():
    model = SceneModel(
        0, "a", Pose(1, 2, 3, yaw=math.pi / 2), (Shape("box", (4, 2, 6), Pose(1, 0, 0)), Shape("sphere", (0.5,)))
    )
    low, high = model.box
    assert low == pytest.approx((0, 1, 0))
    assert high == pytest.approx((2, 5, 6))
    assert model.centre == pytest.approx((1, 3, 3))
    assert SceneModel(0, "b", Pose(1, 2, 3)).box == ((1, 2, 3), (1, 2, 3))


def test_names_become_distinct():
    names = [
        model.name
        for model in rename_duplicates(SceneModel(i, n) for i, n in enumerate(["a", "a", "b", "a (2)", "a", ""]))
    ]
    assert names == ["a", "a (3)", "b", "a (2)", "a (4)", ""]
    assert [m.called for m in rename_duplicates([SceneModel(0, "a"), SceneModel(1, "a")])] == ["", "a"]


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "b"]), max_size=12))
def test_names_are_distinct_and_the_first_keeps_its_own(names):
    models = rename_duplicates(SceneModel(i, name) for i, name in enumerate(names))
    assert len({model.name for model in models}) == len(names)
    assert [model.called or model.name for model in models] == names
    assert all(models[names.index(name)].name == name for name in names)


def scene(tmp_path, text, *cuts):
    count = 1 + max(i for cut in cuts for i in cut.owners)
    return SceneFile(
        tmp_path / "a.sdf", "model", text, "latin-1", tuple(SceneModel(i, str(i)) for i in range(count)), cuts
    )


def test_a_piece_goes_with_any_of_its_owners_and_may_be_replaced(tmp_path):
    file = scene(
        tmp_path,
        "0123456789",
        TextCut(1, 4, (0,)),
        TextCut(2, 3, (1,), "x"),
        TextCut(5, 6, (0, 1)),
        TextCut(7, 8, (1,), "y"),
    )
    zero, one = file
    assert file.render(file) == b"0123456789"
    assert file.render([one]) == b"046789"
    assert file.render([zero]) == b"01x346y89"
    assert file.render([]) == b"046y89"


def test_a_scene_is_a_sequence_that_travels(tmp_path):
    file = scene(tmp_path, "ab", TextCut(0, 1, (0,)), TextCut(1, 2, (1,)))
    copy = pickle.loads(pickle.dumps(file))
    assert (len(copy), copy[0], copy[1:], list(copy)) == (2, file[0], file.parts[1:], list(file.parts))
    assert copy.render([copy[1]]) == b"b"
    assert (file.reduced_path, file.noun, str(file[1])) == (tmp_path / "a.reduced.sdf", "model", "1")
    assert len({*file, *copy}) == 2
