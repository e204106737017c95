"""The robot in its world: it arrives, gets stuck or falls, the same way each time for a seed, wherever it runs."""

from __future__ import annotations

import csv
import pickle
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.scenes.motion import Motion, MovingModel
from rootward.formats.scenes.scene import Pose, SceneModel, Shape
from rootward.subjects import Subject
from rootward.subjects.world import World
from rootward.subjects.world.assembly import assemble, describe_guess
from rootward.subjects.world.drive import Drive
from rootward.subjects.world.pilot import SensorNoise
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome

mujoco = pytest.importorskip("mujoco")


AHEAD = World(goal=(4.0, 0.0))


def test_it_is_a_subject() -> None:
    assert isinstance(AHEAD, Subject)


def test_it_arrives_on_free_ground(floor: SceneModel) -> None:
    outcome = AHEAD.simulate(((floor,), None), seed=1)
    assert outcome.verdict is PASS
    assert outcome.measures["time"] == pytest.approx(3.6 / 0.8, rel=0.35)
    assert outcome.measures["contact:floor"] == 1


def test_it_arrives_wherever_the_goal_is(floor: SceneModel) -> None:
    for goal in ((-3.0, 0.0), (0.0, 3.0), (-2.0, -3.0)):
        assert World(goal=goal).simulate(((floor,), None), seed=2).verdict is PASS


def test_a_load_on_its_back_does_not_fit_under_everything(floor: SceneModel) -> None:
    for bottom, load, end in ((0.45, 0.0, PASS), (0.45, 0.1, FAIL), (0.55, 0.1, PASS)):
        beam = SceneModel(1, "beam", Pose(2.0, 0.0, bottom + 0.1), (Shape("box", (0.2, 3.0, 0.2)),), static=True)
        assert replace(AHEAD, load=load)((floor, beam), seed=1).verdict is end
    with pytest.raises(InputError, match="load must be a height"):
        World(goal=(1.0, 0.0), load=-0.1)


def test_a_wall_stops_it_and_the_run_ends_soon(floor: SceneModel, wall: SceneModel, tmp_path: Path) -> None:
    outcome = AHEAD.simulate(((floor, wall), tmp_path / "trial"), seed=1)
    assert (outcome.verdict, outcome.signature) == (FAIL, "stuck")
    assert outcome.measures["x"] == pytest.approx(1.4, abs=0.15)
    assert outcome.measures["contact:wall"] == 1
    assert outcome.measures["sensed:wall"] == 0
    assert 6 < outcome.measures["time"] < 15  # of 45
    with open(outcome.artifacts["trajectory"], newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    assert list(rows[0]) == ["t", "x", "y", "z"]
    assert [row["t"] for row in rows[:4]] == [0.0, 0.1, 0.2, 0.3]
    assert rows[-1]["x"] == pytest.approx(outcome.measures["x"], abs=1e-3)


def test_with_a_laser_it_goes_round_a_barrel(floor: SceneModel) -> None:
    barrel = SceneModel(1, "barrel", Pose(2.0, 0.0, 0.6), (Shape("cylinder", (0.285, 1.19)),), static=True)
    seeing = replace(AHEAD, laser=True)
    assert AHEAD.simulate(((floor, barrel), None), seed=3).signature == "stuck"
    assert seeing.simulate(((floor, barrel), None), seed=3).verdict is PASS


def test_it_falls_off_the_edge_and_out_of_the_world(box: Any) -> None:
    outcome = AHEAD.simulate(((box("table", (3.0, 3.0, 0.2), (0.0, 0.0, -0.1)),), None), seed=1)
    assert (outcome.verdict, outcome.signature) == (FAIL, "fell")
    assert outcome.measures["time"] < 6


def test_a_goal_too_far_for_the_time(floor: SceneModel) -> None:
    outcome = World(goal=(10.0, 0.0), timeout=5.0).simulate(((floor,), None), seed=1)
    assert (outcome.verdict, outcome.signature) == (FAIL, "timeout")
    assert outcome.measures["time"] == pytest.approx(5.0)


def test_what_was_pushed_touches_what_it_is_pushed_against(floor: SceneModel, wall: SceneModel, box: Any) -> None:
    crate = box("crate", (0.4, 1.0, 0.5), (1.2, 0.0, 0.25), static=False, mass=3.0)
    aside = box("aside", (0.4, 0.4, 0.4), (0.0, 3.0, 0.2), static=False)
    measures = AHEAD.simulate(((floor, wall, crate, aside), None), seed=1).measures
    assert (measures["contact:crate"], measures["contact:wall"]) == (1, 2)
    assert "contact:aside" not in measures


@pytest.mark.parametrize("models", [(), ("far",)])
def test_without_ground_nothing_is_run(box: Any, models: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drive, "run", lambda drive: pytest.fail("it was run"))
    scene = tuple(box(name, (1.0, 1.0, 1.0), (9.0, 9.0, 0.0)) for name in models)
    outcome = AHEAD.simulate((scene, None), seed=1)
    assert outcome.verdict is UNRESOLVED
    assert "nothing to stand on" in outcome.detail


def test_what_can_carry_the_robot(floor: SceneModel, wall: SceneModel, box: Any) -> None:
    plane = SceneModel(7, "plane", Pose(50.0), (Shape("plane", (1.0, 1.0)),), static=True)
    carpet = box("carpet", (1.0, 1.0, 0.01), (0.2, 0.1, 0.0), index=3)
    assert AHEAD.supports([floor, wall, plane, carpet, SceneModel(9, "include", uri="model://x")]) == {0, 3, 7}


def test_a_scene_that_cannot_be_simulated_is_unresolved(floor: SceneModel, box: Any) -> None:
    outcome = AHEAD.simulate(((floor, box("flat", (1.0, 0.0, 1.0), (5.0, 0.0, 0.0))), None), seed=1)
    assert outcome.verdict is UNRESOLVED
    assert "cannot be simulated" in outcome.detail


def test_a_run_that_blows_up_is_unresolved(floor: SceneModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(self: Drive) -> None:
        self.data.qvel[:3] = 1e12
        mujoco.mj_step(self.assembly.physics, self.data, nstep=5)

    monkeypatch.setattr(Drive, "_move", explode)
    outcome = AHEAD.simulate(((floor,), None), seed=1)
    assert outcome.verdict is UNRESOLVED
    assert "unstable" in outcome.detail


def test_seeds_differ_and_each_repeats_itself(floor: SceneModel, wall: SceneModel) -> None:
    runs = [AHEAD.simulate(((floor, wall), None), seed) for seed in (1, 2, 1)]
    assert runs[0] == runs[2]
    assert runs[0].measures["y"] != runs[1].measures["y"]


def test_other_processes_give_the_same_bits(floor: SceneModel, wall: SceneModel, box: Any, tmp_path: Path) -> None:
    loose = tuple(box(f"loose{i}", (0.3, 0.3, 0.1), (1.0, 0.1 * i, 0.3 + i), static=False) for i in range(3))
    models = (floor, wall, *loose)
    here = AHEAD.simulate((models, None), seed=5)
    code = (
        "import pickle, sys; world, models = pickle.load(sys.stdin.buffer); "
        "sys.stdout.buffer.write(pickle.dumps(world.simulate((models, None), seed=5)))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((AHEAD, models)), stdout=-1, check=True)
    assert pickle.loads(done.stdout) == here
    there = AHEAD.run(list(models), seed=5, place=tmp_path)
    assert replace(there, artifacts={}) == here


@pytest.mark.rest
def test_two_jobs_give_the_same_finding_as_one(floor: SceneModel, wall: SceneModel, box: Any) -> None:
    others = [box(f"other{i}", (0.3, 0.3, 0.3), (i - 2.0, 4.0, 0.1), index=2 + i) for i in range(3)]
    found = [rw.reduce([floor, wall, *others], AHEAD, method="ddmin", jobs=jobs) for jobs in (1, 2)]
    assert [str(model) for model in found[0].kept] == [str(model) for model in found[1].kept] == ["floor", "wall"]


def test_stand_ins_are_announced_once(floor: SceneModel, tmp_path: Path) -> None:
    tree = SceneModel(1, "tree", Pose(0.0, 5.0), (Shape("mesh", uri="model://tree.dae"),), static=True)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for seed in (1, 2):
            assert AHEAD.run([floor, tree], seed=seed, place=tmp_path).verdict is PASS
    assert [str(warning.message) for warning in said] == ["tree: a box of 0.5 x 0.5 x 0.5 m replaces model://tree.dae"]


@pytest.mark.parametrize(
    ("x", "y", "signature", "same"), [(0.2, 0.2, "stuck", True), (0.3, 0.2, "stuck", False), (0, 0, "fell", False)]
)
def test_the_same_failure_ends_in_the_same_place(x: float, y: float, signature: str, same: bool) -> None:
    first = Outcome(FAIL, "stuck", {"x": 1.0, "y": 1.0, "z": 0.0})
    second = Outcome(FAIL, signature, {"x": 1.0 + x, "y": 1.0 - y, "z": 0.5})
    assert AHEAD.alike(second, first) is same
    assert not AHEAD.alike(replace(second, verdict=PASS), first)


def test_its_identity_tells_settings_apart() -> None:
    others = [World(goal=(4.0, 0.1)), replace(AHEAD, laser=True), replace(AHEAD, noise=SensorNoise(compass=0.5))]
    assert len({AHEAD.identity, *(other.identity for other in others)}) == 4
    assert World(goal=(4.0, 0.0)).identity == AHEAD.identity


@pytest.mark.parametrize("setting", ["timeout", "speed", "stuck", "arrived", "tolerance"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_settings_that_make_no_sense(setting: str, value: float) -> None:
    with pytest.raises(InputError, match=setting):
        World(goal=(1.0, 0.0), **{setting: value})  # type: ignore[arg-type]


# What moves


def cart(*road: tuple[float, float, float], size: tuple[float, ...] = (0.8, 0.8, 0.8), index: int = 1) -> MovingModel:
    """A box that drives along (time, x, y) just above the ground."""
    marks = tuple((time, Pose(x, y, size[2] / 2 + 0.05)) for time, x, y in road)
    return MovingModel(index, f"cart_{index}", marks[0][1], (Shape("box", size),), True, motion=Motion(marks))


def test_a_moving_model_is_in_the_way_only_when_it_is_there(floor: SceneModel) -> None:
    there, gone, comes = ((0, 2.0, 0.0),), ((0, 2.0, 0.0), (1.5, 2.0, 9.0)), ((0, 2.0, -9.0), (1.5, 2.0, 0.0))
    for road, verdict, touched in ((there, FAIL, True), (gone, PASS, False), (comes, FAIL, True)):
        outcome = AHEAD((floor, cart(*road, size=(0.8, 3.0, 0.8))), seed=1)
        assert outcome.verdict is verdict
        assert ("contact:cart_1" in outcome.measures) is touched


def test_a_moving_model_pushes_and_is_not_pushed(floor: SceneModel, box: Any) -> None:
    crate = box("crate", (0.5, 0.5, 0.5), (0.0, 3.0, 0.3), index=2, static=False, mass=500.0)
    models = (floor, cart((0, -2.0, 3.0), (4, 2.0, 3.0)), crate)
    assembly = assemble(models, (0.0, 0.0, 0.0))
    assert assembly is not None
    drive = Drive(replace(AHEAD, goal=(6.0, 0.0)), models, assembly, seed=1)
    drive.run()
    [mocap] = drive.data.mocap_pos
    assert mocap == pytest.approx((2.0, 3.0, 0.45))
    assert drive.data.qpos[0] > 2.4, "the crate lies ahead of the cart"


def test_the_laser_sees_it_where_it_is(floor: SceneModel) -> None:
    world = World(goal=(4.0, 0.0), laser=True)
    outcome = world((floor, cart((0, 2.0, -9.0), (4, 9.0, -9.0))), seed=1)
    assert outcome.verdict is PASS
    assert "sensed:cart_1" not in outcome.measures
    outcome = world((floor, cart((0, 3.0, -12.0), (3, 3.0, -2.0))), seed=1)
    assert 1.0 < outcome.measures["sensed:cart_1"] < 3.0


def test_a_moving_model_carries_no_robot(floor: SceneModel) -> None:
    assert AHEAD.supports((floor, cart((0, 0.0, 0.0)))) == {0}


def test_a_moving_plane_or_nothing_stands_still(floor: SceneModel) -> None:
    motion = Motion(((0.0, Pose()), (1.0, Pose(x=5.0))))
    plane = MovingModel(1, "plane", Pose(), (Shape("plane", (5.0, 5.0)),), motion=motion)
    assert AHEAD((floor, plane, MovingModel(2, "ghost", motion=motion)), seed=1).verdict is PASS


def test_a_guessed_speed_is_said(floor: SceneModel) -> None:
    motion = Motion(((0.0, Pose(9.0, 9.0, 9.0)), (1.0, Pose(9.0, 8.0, 9.0))), is_speed_guessed=True)
    model = MovingModel(1, "cart", motion.waypoints[0][1], (Shape("box", (1.0, 1.0, 1.0)),), motion=motion)
    assert describe_guess(model) == "cart: its world does not say how fast it moves; it moves at 1 m/s"
    assert describe_guess(cart((0, 0.0, 0.0))) is None
