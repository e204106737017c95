"""examples/husky: worlds as flaky as they are said to be, whose few models are reason enough."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rootward.formats.scenes import sdf
from rootward.searches.reduction.surroundings import Surroundings
from rootward.verdict import FAIL, PASS

pytest.importorskip("mujoco")
pytest.importorskip("lxml")


HUSKY = Path(__file__).parents[2] / "examples" / "husky"
SIZES = {"ditch": 43, "rubble": 36, "friction": 25, "hall": 27}
REASONS = {
    "ditch": {"asphalt_west", "terrain_0"},
    "rubble": {"asphalt", "cinder_block_0", "board_0_before"},
    "friction": {"asphalt", "barrel_0"},
    "hall": {"floor", "walls", "cart_2", "door_0"},
}


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HUSKY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SIZES)
def test_the_world_has_its_models_and_the_robot_its_ground(name: str) -> None:
    scene = sdf.read(HUSKY / f"{name}.sdf")
    assert len(scene) == SIZES[name]
    assert load("husky").WORLDS[name].supports(scene) & {model.index for model in scene if model.name in REASONS[name]}


@pytest.mark.rest
@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_it_fails_sometimes_and_its_reason_alone_does_too(name: str) -> None:
    world = load("husky").WORLDS[name]
    models = tuple(sdf.read(HUSKY / f"{name}.sdf"))
    few = tuple(model for model in models if model.name in REASONS[name])
    fails = [sum(world.simulate((part, None), seed).verdict is FAIL for seed in range(3)) for part in (models, few)]
    assert fails[0] >= 1
    assert fails[1] >= fails[0] / 2


def test_the_worlds_are_what_the_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = load("make_worlds")
    monkeypatch.setattr(script, "HERE", tmp_path)
    for make in (
        script.ditch,
        script.friction,
        script.gap,
        script.hall,
    ):  # the rubble has settled, on one kind of machine
        script.write(make.__name__, make())
        assert (tmp_path / f"{make.__name__}.sdf").read_bytes() == (HUSKY / f"{make.__name__}.sdf").read_bytes()


@pytest.mark.rest
@pytest.mark.slow
def test_in_the_hall_the_cart_and_the_door_matter_only_together() -> None:
    world, scene = load("husky").WORLDS["hall"], sdf.read(HUSKY / "hall.sdf")
    for gone in ("cart_2", "door_0"):
        kept = tuple(model for model in scene if model.name in REASONS["hall"] - {gone})
        assert world.simulate((kept, None), 1).verdict is PASS


def test_what_matters_in_the_hall_is_near_the_robot_in_time_but_not_at_first() -> None:
    """The robot waits behind the cart, and ends at the door."""
    scene, way = sdf.read(HUSKY / "hall.sdf"), [(t, -8 + 10.2 * t / 21, 0) for t in range(22)]
    names = [model.name for model in scene]
    timed, first = (Surroundings.of(scene, places, way) for places in (None, [model.centre for model in scene]))
    for name in ("cart_2", "door_0"):
        now, then = (known.distance(names.index(name)) for known in (timed, first))
        assert now is not None
        assert then is not None
        assert now < then
    for name in ("cart_0", "cart_1"):
        now, then = (known.distance(names.index(name)) for known in (timed, first))
        assert now is not None
        assert then is not None
        assert now > then


@pytest.mark.rest
@pytest.mark.slow
def test_the_script_leaves_a_small_world_and_a_page_and_goes_on_where_it_was(tmp_path: Path) -> None:
    before = sorted(HUSKY.glob("*.*"))
    command = [sys.executable, str(HUSKY / "husky.py"), "friction"]
    first, second = (
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True) for _ in range(2)
    )
    scene = sdf.read(HUSKY / "friction.sdf")
    left = [model.name for model in sdf.read(tmp_path / "friction.reduced.sdf")]
    assert len(left) <= len(scene) / 10
    assert all(f"  {name}\n" in first.stdout for name in left)
    assert "% confidence." in first.stdout
    page = (tmp_path / "friction.html").read_text()
    assert "before: 25 models" in page
    assert f"after: {len(left)} models" in page
    assert "trials remembered" in second.stderr
    assert first.stdout == second.stdout
    assert sorted(HUSKY.glob("*.*")) == before
