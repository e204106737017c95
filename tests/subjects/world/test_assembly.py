"""Scenes in MuJoCo: things rest where they should, slide as Gazebo lets them, and stand-ins are announced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.subjects.world import World
from rootward.subjects.world.assembly import assemble, describe_guess, to_solid
from rootward.verdict import PASS

mujoco = pytest.importorskip("mujoco")


ASIDE = (-10.0, -10.0, 0.0)


def after(models: tuple[SceneModel, ...], seconds: float, push: tuple[float, ...] = ()) -> Any:
    """The state some time later; the first movable thing starts with the velocity ``push``."""
    assembly = assemble(models, ASIDE)
    assert assembly is not None
    data = mujoco.MjData(assembly.physics)
    data.qvel[: len(push)] = push
    mujoco.mj_step(assembly.physics, data, nstep=round(seconds / 0.004))
    return data


def test_a_box_on_a_plane_stays_there(box: Any) -> None:
    plane = SceneModel(0, "plane", Pose(), (Shape("plane", (100.0, 100.0)),), static=True)
    data = after((plane, box("box", (0.4, 0.4, 0.4), (1.0, 2.0, 0.2), static=False)), 3.0)
    assert data.qpos[:3] == pytest.approx([1.0, 2.0, 0.2], abs=0.02)


def test_a_static_box_floats_and_a_movable_one_falls(floor: SceneModel, box: Any) -> None:
    high = box("high", (1.0, 1.0, 0.1), (0.0, 0.0, 2.0))
    data = after((floor, high, box("falls", (0.2, 0.2, 0.2), (0.0, 5.0, 2.0), static=False)), 2.0)
    assert data.qpos[2] == pytest.approx(0.1, abs=0.02)
    landed = after((floor, high, box("lands", (0.2, 0.2, 0.2), (0.0, 0.0, 3.0), static=False)), 2.0)
    assert landed.qpos[2] == pytest.approx(2.15, abs=0.02)


@pytest.mark.parametrize("shape", [Shape("sphere", (0.3,)), Shape("cylinder", (0.2, 0.6))])
def test_other_shapes_rest_on_their_lowest_point(floor: SceneModel, shape: Shape) -> None:
    data = after((floor, SceneModel(1, "thing", Pose(z=0.35), (shape,))), 2.0)
    assert data.qpos[2] == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(("below", "above"), [(0.1, 1.0), (1.0, 0.1), (0.1, 0.1), (0.1, 100.0), (None, 0.1)])
def test_the_smaller_friction_counts(box: Any, below: float | None, above: float) -> None:
    floor = box("floor", (30.0, 30.0, 0.2), (0.0, 0.0, -0.1), friction=below)
    sliding = box("sliding", (0.4, 0.4, 0.1), (0.0, 0.0, 0.05), friction=above, static=False)
    data = after((floor, sliding), 3.0, push=(2.0,))
    assert data.qpos[0] == pytest.approx(2.0**2 / (2 * 0.1 * 9.81), rel=0.15)


def test_equal_high_friction_stops_soon(box: Any) -> None:
    floor = box("floor", (30.0, 30.0, 0.2), (0.0, 0.0, -0.1), friction=1.0)
    data = after((floor, box("sliding", (0.4, 0.4, 0.1), (0.0, 0.0, 0.05), static=False)), 3.0, push=(2.0,))
    assert data.qpos[0] == pytest.approx(2.0**2 / (2 * 9.81), rel=0.25)


def test_each_geometry_knows_its_model_and_the_robot_none(floor: SceneModel, box: Any) -> None:
    loose = box("loose", (0.2, 0.2, 0.2), (3.0, 0.0, 0.1), static=False)
    twice = SceneModel(
        2, "twice", Pose(5.0), (Shape("sphere", (0.1,)), Shape("sphere", (0.1,), Pose(1.0))), static=True
    )
    assembly = assemble((floor, loose, twice), ASIDE)
    assert assembly is not None
    x = {-1: [], 0: [], 1: [], 2: []}  # type: dict[int, list[float]]
    data = mujoco.MjData(assembly.physics)
    mujoco.mj_kinematics(assembly.physics, data)
    for owner, place in zip(assembly.owners.tolist(), data.geom_xpos, strict=True):
        x[owner].append(round(float(place[0]), 3))
    assert (x[0], x[1], sorted(x[2])) == ([0.0], [3.0], [5.0, 6.0])
    assert len(x[-1]) == 6


def test_the_robot_stands_on_what_is_highest_there(floor: SceneModel, box: Any) -> None:
    podium = box("podium", (2.0, 2.0, 0.5), (0.0, 0.0, 0.25))
    assembly = assemble((floor, podium), (0.0, 0.0, 0.0))
    assert assembly is not None
    assert assembly.physics.body("robot").pos[2] == pytest.approx(0.5)


def test_nothing_to_stand_on(floor: SceneModel) -> None:
    assert assemble((), (0.0, 0.0, 0.0)) is None
    assert assemble((floor,), (50.0, 0.0, 0.0)) is None


def test_a_mesh_whose_file_is_there_is_used(floor: SceneModel, tmp_path: Path) -> None:
    path = tmp_path / "tent.obj"
    path.write_text(
        "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 2\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"
    )
    tent = SceneModel(1, "tent", Pose(), (Shape("mesh", (), uri=str(path), scale=(1.0, 1.0, 0.5)),), static=True)
    assert describe_guess(tent) is None
    assembly = assemble((floor, tent), (0.1, 0.05, 0.0))
    assert assembly is not None
    assert assembly.physics.body("robot").pos[2] == pytest.approx(0.9, abs=0.01)


def test_a_heightmap_whose_file_is_there_is_used(floor: SceneModel, tmp_path: Path) -> None:
    from rootward.subjects.world.film import png

    slope = np.repeat(np.linspace(0, 255, 33).astype(np.uint8)[None, :, None], 33, axis=0).repeat(3, axis=2)
    path = tmp_path / "slope.png"
    path.write_bytes(png(slope))
    field = SceneModel(1, "field", Pose(), (Shape("heightmap", (8.0, 8.0, 2.0), uri=str(path)),), static=True)
    assert describe_guess(field) is None
    assembly = assemble((floor, field), (0.0, 0.0, 0.0))
    assert assembly is not None
    assert assembly.physics.body("robot").pos[2] == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize(
    ("shape", "kind", "size"),
    [
        (Shape("mesh", uri="model://construction_barrel/meshes/construction_barrel.dae"), "cylinder", (0.285, 1.19)),
        (Shape("mesh", (1.0, 2.0, 3.0), uri="model://shelf/shelf.dae"), "box", (1.0, 2.0, 3.0)),
        (Shape("mesh", uri="model://tree/tree.dae"), "box", (0.5, 0.5, 0.5)),
    ],
)
def test_a_stand_in_for_a_mesh_that_is_missing(shape: Shape, kind: str, size: tuple[float, ...]) -> None:
    part = to_solid(shape)
    assert (part.kind, part.size) == (kind, size)
    doubt = describe_guess(SceneModel(0, "thing", shapes=(shape,)))
    assert doubt is not None
    assert kind in doubt
    assert str(shape.uri) in doubt


def test_an_include_without_its_file_is_left_out() -> None:
    doubt = describe_guess(SceneModel(0, "sofa", uri="model://sofa"))
    assert doubt == "sofa is left out: model://sofa was not found"
    assert describe_guess(SceneModel(0, "nothing")) is None


@pytest.mark.parametrize("uri", ["model://ground_plane", "https://example.org/models/Ground Plane"])
def test_a_plane_stands_for_the_usual_ground(uri: str) -> None:
    ground = SceneModel(0, "ground", uri=uri)
    assert describe_guess(ground) == f"ground: {uri} was not found; a plane replaces it"
    assert World(goal=(2.0, 0.0)).supports([ground]) == {0}
    assert World(goal=(2.0, 0.0)).simulate(((ground,), None), seed=1).verdict is PASS


def test_light_is_not_missed() -> None:
    assert describe_guess(SceneModel(0, "sun", uri="model://sun")) is None
