"""MJCF scenes: the reduced scene still loads, and places and shapes are those that MuJoCo sees."""

import math
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.scenes import mjcf
from rootward.formats.scenes.scene import Pose, Shape
from tests.properties import examples

SCENE = """<?xml version="1.0"?>
<!-- A scene with one of everything that can name a body. -->
<mujoco model="scene">
  <compiler angle="radian" eulerseq="XYz"/>
  <default>
    <geom friction="0.7"/>
    <default class="thing">
      <geom type="box" size="0.1 0.2 0.3" density="500"/>
      <joint type="slide"/>
    </default>
  </default>
  <asset>
    <hfield name="hills" nrow="2" ncol="2" size="5 4 1 0.1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="0 0 0.1"/>
    <camera name="watch" mode="targetbody" target="cart" pos="0 -5 1"/>

    <body name="cart" pos="0 0 1" euler="0.1 0.2 0.3" childclass="thing">
      <freejoint name="cart_free"/>
      <geom name="cart_box"/>
      <site name="cart_site"/>
      <body name="arm" pos="0.5 0 0">
        <joint name="arm_joint" axis="0 1 0"/>
        <geom name="arm_rod" type="capsule" fromto="0 0 0 0.4 0 0" size="0.05" friction="0.2"/>
        <camera name="arm_camera"/>
      </body>
    </body> <!-- the cart -->
    <frame pos="2 0 0" euler="0 0 0.5">
      <body name="ball" pos="1 0 0.5" quat="1 0 0 1">
        <joint name="ball_joint" type="ball"/>
        <geom name="ball_geom" size="0.2" mass="3"/>
        <site name="ball_site"/>
      </body>
    </frame>
    <body name="ghost" mocap="true" pos="-1 0 1" axisangle="0 1 0 0.5">
      <geom name="ghost_geom" type="cylinder" size="0.1 0.2" contype="0" conaffinity="0"/>
    </body>
    <body name="post" pos="-2 0 0" xyaxes="0 1 0 -1 0 0">
      <geom name="post_geom" type="ellipsoid" size="0.1 0.2 0.3" zaxis="1 0 0"/>
    </body>
    <geom type="hfield" hfield="hills" pos="0 0 -2"/>
    <geom type="box" size="1 1 1" pos="9 9 0"/>
  </worldbody>
  <contact>
    <pair name="p" geom1="cart_box" geom2="ball_geom"/>
    <exclude body1="cart" body2="post"/>
  </contact>
  <tendon>
    <spatial name="rope"><site site="cart_site"/><site site="ball_site"/></spatial>
    <fixed name="gear"><joint joint="arm_joint" coef="1"/></fixed>
  </tendon>
  <equality>
    <weld body1="cart" body2="ghost"/>
    <tendon tendon1="gear"/>
  </equality>
  <actuator>
    <motor name="pull" tendon="rope"/>
    <motor name="push" joint="arm_joint"/>
    <motor name="lift" site="ball_site" gear="0 0 1 0 0 0"/>
  </actuator>
  <sensor>
    <framepos name="s1" objtype="body" objname="ball" reftype="xbody" refname="cart"/>
    <actuatorfrc name="s2" actuator="pull"/>
    <tendonpos name="s3" tendon="gear"/>
    <clock name="s4"/>
  </sensor>
  <custom>
    <tuple name="t"><element objtype="body" objname="post" prm="0"/></tuple>
  </custom>
  <keyframe>
    <key name="home" time="1" qpos="0 0 2 1 0 0 0  0.25   0.6 0.8 0 0" ctrl="1 2 3" mpos="7 8 9" mquat="0 1 0 0"/>
    <key name="fast" qvel="1 2 3 4 5 6  7  8 9 10"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(SCENE)
    return mjcf.read(path)


def loaded(data):
    mujoco = pytest.importorskip("mujoco")
    return mujoco.MjModel.from_xml_string(data.decode())


def pick(scene, *names):
    return scene.render([model for model in scene if model.name in names])


def test_elements(scene):
    assert [model.name for model in scene] == ["floor", "cart", "ball", "ghost", "post", "geom", "geom (2)"]
    assert [model.static for model in scene] == [True, False, False, False, True, True, True]
    assert (scene.noun, scene.reduced_path.name, scene.parents) == ("body", "scene.reduced.xml", None)
    assert scene.render(scene) == SCENE.encode()


def test_shapes(scene):
    floor, cart, ball, ghost, post, hills, block = scene
    assert floor.shapes == (Shape("plane", (1000, 1000), friction=0.7),)
    assert cart.shapes[0] == Shape("box", (0.2, 0.4, 0.6), friction=0.7)
    assert (cart.shapes[1].kind, cart.shapes[1].friction) == ("cylinder", 0.2)
    assert cart.shapes[1].size == pytest.approx((0.05, 0.5))
    assert cart.shapes[1].pose.point == pytest.approx((0.7, 0, 0))
    assert cart.shapes[1].pose.pitch == pytest.approx(-math.pi / 2)
    assert cart.mass == pytest.approx(0.2 * 0.4 * 0.6 * 500 + math.pi * 0.05**2 * 0.5 * 500)
    assert (ball.shapes, ball.mass) == ((Shape("sphere", (0.2,), friction=0.7),), 3)
    assert ghost.shapes == ()
    assert (post.shapes[0].kind, post.shapes[0].size) == ("box", pytest.approx((0.2, 0.4, 0.6)))
    assert hills.shapes == (Shape("heightmap", (10, 8, 1), friction=0.7, uri="hills"),)
    assert (block.shapes[0].size, block.pose) == ((2, 2, 2), Pose(9, 9, 0))


def test_places_are_those_of_mujoco(scene):
    mujoco = pytest.importorskip("mujoco")
    model = loaded(scene.render(scene))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for part in scene:
        if part.name in ("cart", "ball", "ghost", "post"):
            body = data.body(part.name)
            assert part.pose.point == pytest.approx(body.xpos)
            assert sum(part.pose.rotation, ()) == pytest.approx(body.xmat, abs=1e-7)
    for name, geom in (("cart", "cart_box"), ("cart", "arm_rod"), ("post", "post_geom")):
        part = next(part for part in scene if part.name == name)
        shape = part.shapes[geom == "arm_rod"]
        assert (part.pose * shape.pose).point == pytest.approx(data.geom(geom).xpos)
        along = [row[2] for row in (part.pose * shape.pose).rotation]
        assert along == pytest.approx(data.geom(geom).xmat.reshape(3, 3)[:, 2], abs=1e-7)


def test_a_ball_in_a_turned_frame_is_where_the_frame_puts_it(scene):
    ball = scene[2]
    assert ball.pose.point == pytest.approx((2 + math.cos(0.5), math.sin(0.5), 0.5))
    assert ball.pose.yaw == pytest.approx(0.5 + math.pi / 2)


def test_what_names_a_body_goes_with_it(scene):
    left = pick(scene, "floor", "ball", "ghost", "post", "geom", "geom (2)").decode()
    for gone in (
        "cart",
        "arm",
        "watch",
        "<pair",
        "<exclude",
        "rope",
        '"gear"',
        "pull",
        "push",
        "s1",
        "s2",
        "s3",
        "weld",
    ):
        assert gone not in left.replace("<!-- the cart -->", "")
    for stays in (
        'name="lift"',
        "<clock",
        "<tuple",
        'qpos="   0.6 0.8 0 0"',
        'ctrl=" 3"',
        'mpos="7 8 9"',
        'qvel="  8 9 10"',
    ):
        assert stays in left


def test_the_keyframe_still_fits(scene):
    model = loaded(pick(scene, "cart", "ghost"))
    assert list(model.key("home").qpos) == [0, 0, 2, 1, 0, 0, 0, 0.25]
    assert list(model.key("home").ctrl) == [2]
    assert list(model.key("fast").qvel) == [1, 2, 3, 4, 5, 6, 7]
    model = loaded(pick(scene, "ball"))
    assert list(model.key("home").qpos) == pytest.approx([0.6, 0.8, 0, 0])
    assert list(model.key("home").ctrl) == [3]
    assert loaded(pick(scene, "floor")).nkey == 2


def test_a_keyframe_whose_numbers_do_not_fit_goes_whole(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(
        "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body><body name='b'><geom size='1'/></body>"
        "</worldbody><keyframe><key qpos='1 2'/><key time='1'/></keyframe></mujoco>"
    )
    a, b = scene = mjcf.read(path)
    assert b"<key qpos" in scene.render([a])
    assert b"<keyframe><key time='1'/></keyframe>" in scene.render([b])


@pytest.mark.parametrize("seed", range(12))
def test_any_part_loads(scene, seed):
    generator = random.Random(seed)
    kept = [model for model in scene if generator.random() < 0.5]
    model = loaded(scene.render(kept))
    there = {model.body(i).name for i in range(model.nbody)} - {"world", "arm"}
    assert there == {part.name for part in kept} & {"cart", "ball", "ghost", "post"}
    assert model.ngeom == sum({"cart": 2}.get(part.name, 1) for part in kept)


@given(st.sets(st.integers(0, 6)))
def test_any_part_is_the_file_with_something_left_out(tmp_path_factory, chosen):
    path = tmp_path_factory.getbasetemp() / "scene.xml"
    path.write_text(SCENE)
    scene = mjcf.read(path)
    data = scene.render([scene[i] for i in chosen])
    rest = iter(SCENE.encode())
    assert all(byte in rest for byte in data)
    if not chosen:
        return
    path.write_bytes(data)
    fewer = mjcf.read(path)
    assert [m.called or m.name for m in fewer] == [scene[i].called or scene[i].name for i in sorted(chosen)]
    assert [(m.pose, m.shapes, m.mass) for m in fewer] == [
        (scene[i].pose, scene[i].shapes, scene[i].mass) for i in sorted(chosen)
    ]
    assert fewer.render(fewer) == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "has no <worldbody>"),
        ("<mujoco/>", "has no <worldbody>"),
        ("<mujoco><worldbody/></mujoco>", "has no bodies"),
        ("<mujoco><worldbody><light/></worldbody></mujoco>", "has no bodies"),
        ("<mujoco><worldbody><body>", "<body> is never closed"),
    ],
)
def test_what_is_no_scene_is_refused(tmp_path, data, reason):
    (tmp_path / "a.xml").write_text(data)
    with pytest.raises(InputError, match=re.escape(reason)):
        mjcf.read(tmp_path / "a.xml")


@examples(200)
@given(st.integers(0, 2**32))
def test_a_damaged_scene_is_read_or_refused(tmp_path_factory, seed):
    generator, data = random.Random(seed), SCENE
    for _ in range(generator.randint(1, 4)):
        i = generator.randrange(len(data))
        data = (
            data[:i] + generator.choice(["", "<", '"', "1e999 ", "-", "nan"]) + data[i + generator.choice([0, 1, 10]) :]
        )
    path = tmp_path_factory.getbasetemp() / "damaged.xml"
    path.write_text(data)
    try:
        scene = mjcf.read(path)
    except InputError:
        return
    assert scene.render(scene) == data.encode()
    rest = iter(data.encode())
    assert all(byte in rest for byte in scene.render(scene[::2]))
