"""The numbers of the models of a world: written where they stand, read back, and true in the simulator."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from math import pi
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import rootward as rw
from rootward import InputError, Space
from rootward.formats.documents.registry import open_document
from rootward.formats.parameters import Parameters, parameters
from rootward.formats.scenes.scene import Pose
from rootward.formats.scenes.scene_file import VARIABLES
from rootward.space.candidate import Altered, Elements, key_of
from rootward.verdict import FAIL, PASS
from tests.properties import examples

ROOT = Path(__file__).parents[3]
WORLDS = [*(ROOT / "examples/husky").glob("[fr]*.sdf"), *(ROOT / "tests/data/worlds").glob("*.[sw]*[fd]")]

BOX = "<geometry><box><size>{}</size></box></geometry>"
GROUND = f"""<model name="ground"><static>1</static><pose>0 0 -0.1 0 0 0</pose><link name="l"><collision name="c">
{BOX.format("20 20 0.2")}</collision></link></model>"""
WALL = f"""<model name="wall"><static>1</static><pose>2 0 0.50 0 0 0</pose><link name="l"><collision name="c">
{BOX.format("0.2  4 1.0")}<surface><friction><ode><mu>0.7</mu><mu2>0.7</mu2></ode></friction></surface></collision>
<visual name="v">{BOX.format("0.2 4 1")}</visual><visual name="sign">{BOX.format("1 1 1")}</visual></link></model>"""


@pytest.fixture(autouse=True)
def _no_models_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def world(tmp_path: Path) -> Callable[[str], Any]:
    def read(content: str, name: str = "a.sdf") -> Any:
        (tmp_path / name).write_text(f"<sdf version='1.6'><world name='w'>\n{content}\n</world></sdf>")
        return open_document(tmp_path / name)

    return read


def found(elements: Any, kept: Any) -> Parameters:
    inside = parameters(elements, kept)
    assert inside is not None
    return inside


def again(document: Any, parts: Any) -> Any:
    path = document.path.with_name("again.sdf")
    path.write_bytes(document.render(parts))
    return open_document(path)


def test_the_numbers_of_a_box(world: Any) -> None:
    document = world(GROUND + WALL)
    inside = found(document, [0, 1])
    assert inside.names == ("ground", "wall")
    assert not inside.reorderable
    assert inside.failing == {
        "wall.x": 2,
        "wall.y": 0,
        "wall.z": 0.5,
        "wall.yaw": 0,
        "wall.size_x": 0.2,
        "wall.size_y": 4,
        "wall.size_z": 1,
        "wall.mu": 0.7,
    }
    assert (inside.space["wall.x"].lo, inside.space["wall.x"].hi) == (-10.5, 10.5)
    assert inside.space.values("wall.size_y") == (0.4, 2.0, 4.0, 8.0, 20.0)
    assert set(inside.space.values("wall.mu")) == {0, 0.5, 0.7, 1, 1.4, 1.5, 2}
    ground, wall = inside.alter({"wall.y": 5.5, "wall.size_y": 2.0, "wall.mu": 0.1, "wall.x": 2.0})
    assert ground is document[0]
    assert wall.pose == Pose(2, 5.5, 0.5)
    assert wall.shapes[0].size == (0.2, 2.0, 1.0)
    assert wall.shapes[0].friction == 0.1
    text = document.text.replace("2 0 0.50 0", "2 5.5 0.50 0").replace("0.2  4 1.0", "0.2  2.0 1.0")
    text = text.replace("0.2 4 1<", "0.2 2.0 1<").replace("0.7", "0.1")
    assert document.render([ground, wall]).decode() == text
    assert document.render([wall]).decode() == text.replace(GROUND, "")
    there = pickle.loads(cloudpickle.dumps(inside))
    assert there.alter({"wall.mu": 0.1}) == inside.alter({"wall.mu": 0.1})


@pytest.mark.parametrize(
    ("pose", "written"),
    [
        ("<pose>1 2 3 0 0 0.5</pose>", "<pose>9.0 2 3 0 0 1.5</pose>"),
        ("<pose frame=''>1 2 3 0.0 0 0.5</pose>", "<pose frame=''>9.0 2 3 0.0 0 1.5</pose>"),
        ("<pose relative_to='there'>1 2 3 0 0 0.5</pose>", "<pose>9.0 2.0 3.0 0.0 0.0 1.5</pose>"),
        ("<pose degrees='true'>1 2 3 0 0 90</pose>", "<pose>9.0 2.0 3.0 0.0 0.0 1.5</pose>"),
        ("<pose>1 2 3 <!-- up --> 0 0 0.5</pose>", "<pose>9.0 2.0 3.0 0.0 0.0 1.5</pose>"),
        ("<pose/>", "<pose>9.0 0.0 0.0 0.0 0.0 1.5</pose>"),
        ("", "<pose>9.0 0.0 0.0 0.0 0.0 1.5</pose>"),
    ],
)
def test_a_pose_however_it_is_told(world: Any, pose: str, written: str) -> None:
    document = world(f"<frame name='there'/>{GROUND}{WALL.replace('<pose>2 0 0.50 0 0 0</pose>', pose)}")
    inside = found(document, [1])
    altered = inside.alter({"wall.x": 9.0, "wall.yaw": 1.5})
    assert written.encode() in document.render(altered)
    left = again(document, altered)
    assert left[0].pose == altered[0].pose == Pose(9.0, *document[1].pose.point[1:], yaw=1.5)  # type: ignore[misc]


def test_the_saved_state_counts_and_its_links_move_along(world: Any) -> None:
    entry = """<state><model name="wall"><pose>1 1 0.5 0 0 0</pose><link name="l"><pose>1 1 0.7 0 0 0</pose>
<velocity>0 0 0 0 0 0</velocity></link></model></state>"""
    document = world(WALL + entry)
    inside = found(document, [0])
    assert inside.failing["wall.y"] == 1
    altered = inside.alter({"wall.y": -3.0, "wall.yaw": 1.5})
    text = document.render(altered).decode()
    assert WALL in text, "the model's own place is not where it starts"
    assert "<pose>1 -3.0 0.5 0 0 1.5</pose>" in text
    assert "<pose>1 -3.0 0.7 0 0 1.5</pose>" in text
    (left,) = again(document, altered)
    assert left.pose == altered[0].pose
    assert left.shapes[0].pose.z == pytest.approx(0.2)
    assert left.shapes[0].pose.x == pytest.approx(0.0)


def test_other_shapes_and_masses(world: Any) -> None:
    solids = "<cylinder><radius>0.1</radius><length>2</length></cylinder>", "<sphere><radius> 0.5 </radius></sphere>"
    shapes = "".join(f"<collision><geometry>{solid}</geometry></collision>" for solid in solids)
    shapes += "<collision><geometry><capsule><radius>1</radius><length>2</length></capsule></geometry></collision>"
    document = world(f"<model name='lamp'><link><inertial><mass>2.5</mass></inertial>{shapes}</link></model>")
    inside = found(document, [0])
    sizes = {"lamp[0].radius": 0.1, "lamp[0].length": 2.0, "lamp[1].radius": 0.5}
    assert inside.failing == {"lamp.x": 0, "lamp.y": 0, "lamp.z": 0, "lamp.yaw": 0, **sizes, "lamp.mass": 2.5}
    (altered,) = inside.alter({"lamp[0].length": 4.0, "lamp[1].radius": 0.25, "lamp.mass": 1.0})
    assert [shape.size for shape in altered.shapes] == [(0.1, 4.0), (0.25,), (1.0, 4.0)]
    assert altered.mass == 1.0
    (left,) = again(document, [altered])
    assert (left.shapes, left.mass) == (altered.shapes, altered.mass)
    form = found(world(f"<model name='form'><link>{shapes}{shapes}</link></model>"), [0])
    assert list(form.failing) == ["form.x", "form.y", "form.z", "form.yaw"], "too many to be told apart"


def test_what_is_no_matter_of_the_scene_has_no_fields(world: Any) -> None:
    plane = "<model name='p'><link><collision><geometry><plane/></geometry></collision></link></model>"
    robot = WALL.replace("wall", "robot").replace("</model>", "<plugin name='drive'/></model>")
    light = "<model name='light'><link/></model><include><uri>model://sun</uri></include>"
    assert parameters(world(plane + robot + light), range(4)) is None
    base = "<pose relative_to='wall'>1 0 0 0 0 0</pose>"
    follower = WALL.replace('"wall"', '"follower"').replace("<pose>2 0 0.50 0 0 0</pose>", base)
    inside = found(world(WALL + follower), [0, 1])
    assert "wall.mu" in inside.space
    assert "wall.x" not in inside.space, "moving it would move the other one too"
    assert inside.failing["follower.x"] == 3
    document = world(WALL + follower)
    for kept in [1], [0, 1]:
        *_, left = again(document, found(document, kept).alter({"follower.x": -4.0}))
        assert left.pose == Pose(-4.0, 0.0, 0.5), "wherever the other one is, and if it is there"
    included = found(world("<include><uri>model://barrel</uri><pose>1 2 0 0 0 0</pose></include>"), [0])
    assert included.failing == {"barrel.x": 1, "barrel.y": 2, "barrel.z": 0, "barrel.yaw": 0}


def test_other_scenes_have_no_fields(tmp_path: Path) -> None:
    scene = '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>'
    robot = '<robot name="r"><link name="a"/></robot>'
    for name, text in ("a.mjcf", scene), ("a.urdf", robot):
        (tmp_path / name).write_text(text)
        document: Any = open_document(tmp_path / name)
        assert parameters(document, range(len(document))) is None


def test_a_study_may_name_models(world: Any) -> None:
    inside = found(world(GROUND + WALL + WALL), [1])
    only = inside.restrict(Space({"wall.y": rw.Float(-2, 2), "wall (2).y": rw.Float(-2, 2)}))
    assert only is not None
    assert only.failing == {"wall.y": 0.0}
    with pytest.raises(InputError, match=r"no element has a value 'wal\.y'; did you mean 'wall\.y'\?"):
        inside.restrict(Space({"wal.y": rw.Float()}))
    with pytest.raises(InputError, match="these elements cannot be reordered"):
        found(world(WALL + WALL), [0, 1]).alter({}, order=[1, 0])


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
@examples(3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_real_worlds_there_and_back(path: Path, tmp_path: Path, data: st.DataObject) -> None:
    document: Any = open_document(path)
    inside = parameters(document, range(len(document)))
    if inside is None:
        assert path.stem == "gzclassic__friction_pyramid", "whose boxes have plugins that push them"
        return
    same = inside.alter(inside.failing)
    assert key_of(Altered(inside.failing, same)) == key_of(Elements(document).all)
    assert document.render(same) == path.read_bytes()
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    changed = dict(list(inside.space.sample(rng).items())[:: data.draw(st.integers(1, 50))])
    altered = inside.alter(changed)
    (tmp_path / path.name).write_bytes(document.render(altered))
    left: Any = open_document(tmp_path / path.name)
    told = found(left, range(len(left))).contents
    values = {name: value for content in told for name, value in content.values.items()}
    for name, value in {**inside.failing, **changed}.items():
        assert values.get(name, value) == pytest.approx(value, abs=1e-9)
    assert [model.name for model in left] == [model.name for model in document]
    numbers = re.compile(rb"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?")
    if b"relative_to" not in path.read_bytes() and b"<include>" not in path.read_bytes():
        assert numbers.sub(b"", document.render(altered)) == numbers.sub(b"", path.read_bytes())


def test_a_moved_wall_is_moved_in_the_simulation(world: Any) -> None:
    pytest.importorskip("mujoco")
    ahead = rw.World(goal=(4.0, 0.0))
    inside = found(world(GROUND + WALL), [0, 1])
    assert ahead.simulate((tuple(inside.alter({})), None), seed=1).verdict is FAIL
    for gone in {"wall.y": 6.0}, {"wall.size_y": 0.4, "wall.y": 2.0}, {"wall.z": 5.0}:
        assert ahead.simulate((tuple(inside.alter(gone)), None), seed=1).verdict is PASS
    turned = ahead.simulate((tuple(inside.alter({"wall.yaw": pi / 2, "wall.x": 3.0})), None), seed=1)
    assert turned.measures["x"] < 1.0, "it stands along the way now, with its end towards the robot"
