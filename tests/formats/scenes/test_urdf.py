"""URDF robots: links go with what hangs on them, and the rest still loads."""

import math
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.scenes import urdf
from rootward.formats.scenes.scene import Pose, Shape
from rootward.space.candidate import Elements

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
ROBOT = f"""<?xml version="1.0"?>
<robot name="arm">
  <!-- children may come first -->
  <link name="hand">
    {INERTIAL.format(1)}
    <collision><origin xyz="0 0 0.1" rpy="0 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="base">
    {INERTIAL.format(10)}
    <collision><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><mesh filename="package://arm/base.stl" scale="1 1 2"/></geometry></collision>
  </link>

  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1.5" rpy="0 0 1.5707963267948966"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="upper">
    {INERTIAL.format(2)}
    <collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
  </link>
  <joint name="wrist" type="continuous">
    <origin xyz="1 0 0"/>
    <parent link="upper"/>
    <child link="hand"/>
    <axis xyz="0 0 1"/>
    <mimic joint="nod"/>
  </joint>
  <joint name="nod" type="continuous">
    <parent link="base"/>
    <child link="head"/>
    <axis xyz="0 1 0"/>
  </joint>
  <link name="head">{INERTIAL.format(1)}</link>
  <transmission name="t"><joint name="wrist"/><actuator name="m"/></transmission>
  <ros2_control name="c">
    <joint name="shoulder"/>
    <joint name="nod"/>
  </ros2_control>
  <gazebo reference="hand"><mu1>0.3</mu1></gazebo>
  <gazebo reference="nod"><provideFeedback>true</provideFeedback></gazebo>
  <gazebo><plugin name="p"/></gazebo>
</robot>
"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    return urdf.read(path)


def pick(robot, *names):
    return robot.render([model for model in robot if model.name in names])


def test_links_are_a_tree(robot):
    assert [model.name for model in robot] == ["base", "upper", "hand", "head"]
    assert robot.parents == (None, 0, 1, 0)
    assert [model.index for model in robot] == [0, 1, 2, 3]
    assert [model.mass for model in robot] == [10, 2, 1, 1]
    assert (robot.noun, robot.reduced_path.name) == ("link", "arm.reduced.urdf")
    assert robot.render(robot) == ROBOT.encode()


def test_places_and_shapes(robot):
    base, upper, hand, head = robot
    assert (base.pose, head.pose) == (Pose(), Pose())
    assert hand.pose.point == pytest.approx((0, 1, 1.5))
    assert hand.pose.yaw == pytest.approx(math.pi / 2)
    assert hand.shapes == (Shape("sphere", (0.1,), Pose(0, 0, 0.1), 0.3),)
    assert upper.shapes == (Shape("cylinder", (0.1, 2)),)
    assert base.shapes == (
        Shape("box", (1, 2, 3)),
        Shape("mesh", (), uri="package://arm/base.stl", scale=(1, 1, 2)),
    )


def test_a_mesh_of_the_package_is_found(tmp_path):
    (tmp_path / "arm/urdf").mkdir(parents=True)
    (tmp_path / "arm/urdf/arm.urdf").write_text(ROBOT)
    (tmp_path / "arm/base.stl").touch()
    assert urdf.read(tmp_path / "arm/urdf/arm.urdf")[0].shapes[1].uri == str(tmp_path / "arm/base.stl")


def test_what_names_a_link_or_its_joint_goes_with_it(robot):
    without_head = pick(robot, "base", "upper", "hand").decode()
    for gone in ("head", "nod", "mimic"):
        assert gone not in without_head
    for stays in ("wrist", "<transmission", '<joint name="shoulder"/>', 'reference="hand"', '<plugin name="p"/>'):
        assert stays in without_head
    alone = pick(robot, "base").decode()
    assert re.findall(r"<(?:link|joint|transmission|gazebo)[^>]*", alone) == ['<link name="base"', "<gazebo"]


@pytest.mark.parametrize("seed", range(8))
def test_any_part_of_the_tree_loads(robot, seed):
    mujoco = pytest.importorskip("mujoco")
    generator = random.Random(seed)
    kept = Elements(robot, parents=robot.parents).pick([0, *(i for i in range(1, 4) if generator.random() < 0.6)]).items
    data = re.sub(rb"<collision><geometry><mesh.*", b"", robot.render(kept))
    model = mujoco.MjModel.from_xml_string(data.decode())
    names = {model.body(i).name for i in range(model.nbody)} - {"world"}
    assert names == {part.name for part in kept} - {"base"}  # MuJoCo makes the root part of its world


@given(st.sets(st.integers(0, 3), min_size=1))
def test_any_part_is_the_file_with_something_left_out(tmp_path_factory, chosen):
    path = tmp_path_factory.getbasetemp() / "arm.urdf"
    path.write_text(ROBOT)
    robot = urdf.read(path)
    data = robot.render([robot[i] for i in chosen])
    rest = iter(ROBOT.encode())
    assert all(byte in rest for byte in data)
    path.write_bytes(data)
    fewer = urdf.read(path)
    assert {m.name for m in fewer} == {robot[i].name for i in chosen}
    assert fewer.render(fewer) == data


@given(st.lists(st.integers(0, 20), min_size=1, max_size=8), st.randoms())
def test_parents_come_first_in_any_order_of_the_file(tmp_path_factory, above, generator):
    parts = [f"<link name='l{i}'/>" for i in range(len(above))]
    for i, parent in enumerate(above[1:], 1):
        parts.append(f"<joint name='j{i}'><parent link='l{parent % i}'/><child link='l{i}'/></joint>")
    generator.shuffle(parts)
    path = tmp_path_factory.getbasetemp() / "tree.urdf"
    path.write_text(f"<robot>{''.join(parts)}</robot>")
    robot = urdf.read(path)
    assert robot.parents is not None
    for link, parent in zip(robot, robot.parents, strict=True):
        i = int(link.name[1:])
        assert (robot[parent].name if parent is not None else None) == (f"l{above[i] % i}" if i else None)
        assert parent is None or parent < link.index


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "has no <robot>"),
        ("<robot/>", "has no links"),
        (
            "<robot><link name='a'/><link name='b'/><joint><parent link='a'/><child link='b'/></joint>"
            "<joint><parent link='b'/><child link='a'/></joint></robot>",
            "attach the link 'a' to itself in a loop",
        ),
        ("<robot><link name='a'/><joint><parent link='a'/><child link='a'/></joint></robot>", "to itself in a loop"),
    ],
)
def test_what_is_no_robot_is_refused(tmp_path, data, reason):
    (tmp_path / "a.urdf").write_text(data)
    with pytest.raises(InputError, match=re.escape(reason)):
        urdf.read(tmp_path / "a.urdf")


def test_a_long_chain_and_links_of_one_name(tmp_path):
    links = "".join(f"<link name='l{i}'/>" for i in reversed(range(3000)))
    joints = "".join(f"<joint name='j{i}'><parent link='l{i}'/><child link='l{i + 1}'/></joint>" for i in range(2999))
    (tmp_path / "a.urdf").write_text(f"<robot>{links}{joints}<link name='l0'/></robot>")
    robot = urdf.read(tmp_path / "a.urdf")
    assert robot.parents == (None, *range(2999), None)
    assert (robot[-1].name, robot[-1].called) == ("l0 (2)", "l0")
    assert robot.render(robot[:2]).count(b"<") == 2 + 2 + 4 + 0
