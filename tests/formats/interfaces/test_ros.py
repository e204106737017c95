"""ROS messages: definitions of both generations, nested types, arrays."""

import sys

import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

import rootward as rw
from rootward.errors import InputError, MissingExtra
from rootward.formats.interfaces import from_ros, nest

HEADER = ("header.stamp.sec", "header.stamp.nanosec", "header.frame_id")
TEXT = rw.Text([text for text in rw.Text().values if "\udcff" not in text])


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("bool", rw.Bool()),
        ("byte", rw.Int(bits=8, signed=False)),
        ("char", rw.Int(bits=8, signed=False)),
        ("float32", rw.Float(bits=32)),
        ("float64", rw.Float()),
        *((f"int{bits}", rw.Int(bits=bits)) for bits in (8, 16, 32, 64)),
        *((f"uint{bits}", rw.Int(bits=bits, signed=False)) for bits in (8, 16, 32, 64)),
        ("string", TEXT),
        ("wstring", TEXT),
        ("string<=1", rw.Text([text for text in TEXT.values if len(text) <= 1])),
    ],
)
def test_every_base_type(kind, field):
    assert from_ros(f"{kind} x", "p/msg/M") == rw.Space({"x": field})


def test_constants_are_no_fields():
    definition = "# a comment\nuint8 OK=0\nstring NAME=abc\n\nuint8 status  # 0 or 1\nint32 given 5\n"
    assert from_ros(definition, "p/msg/M").names == ("status", "given")


def test_arrays():
    definition = "float64[2] fixed\nint8[] any\nint8[<=3] few\nstring<=2[] names\ngeometry_msgs/Point32[1] points\n"
    space = from_ros(definition, "p/M", lengths={"any": 1, "few": 3, "names": 0})
    expected = ["fixed[0]", "fixed[1]", "any[0]", "few[0]", "few[1]", "few[2]", "names"]
    assert list(space.names) == [*expected, *(f"points[0].{axis}" for axis in "xyz")]
    assert nest({name: space.values(name)[0] for name in space})["names"] == []


def test_imu():
    space = from_ros(None, "sensor_msgs/msg/Imu")
    vectors = [f"{name}.{axis}" for name in ("angular_velocity", "linear_acceleration") for axis in "xyz"]
    covariances = ("orientation", "angular_velocity", "linear_acceleration")
    assert set(space.names) == {
        *HEADER,
        *(f"orientation.{axis}" for axis in "xyzw"),
        *vectors,
        *(f"{name}_covariance[{n}]" for name in covariances for n in range(9)),
    }
    assert space["header.stamp.sec"] == rw.Int()
    assert space["header.stamp.nanosec"] == rw.Int(signed=False)
    assert space["orientation.x"] is space["linear_acceleration_covariance[8]"]


def test_pose_and_odometry():
    pose = from_ros(None, "geometry_msgs/PoseWithCovariance")
    assert len(pose) == 3 + 4 + 36
    odometry = from_ros(None, "nav_msgs/msg/Odometry")
    assert len(odometry) == 3 + 1 + len(pose) + 6 + 36
    assert odometry["pose.covariance[35]"] == rw.Float()


def test_a_definition_that_a_store_writes():
    store = get_typestore(Stores.ROS1_NOETIC)
    text, _ = store.generate_msgdef("nav_msgs/msg/Odometry", ros_version=1)
    assert text.count("=====") > 5
    space = from_ros(text, "nav_msgs/Odometry", typestore=get_typestore(Stores.EMPTY))
    assert set(space.names) - {"header.seq"} == set(from_ros(None, "nav_msgs/Odometry").names)


def test_types_of_a_store_that_is_given():
    store = get_typestore(Stores.EMPTY)
    store.register(get_types_from_msg("bool on", "own/msg/Lamp"))
    space = from_ros("own/Lamp left\nLamp right\n", "own/msg/Car", typestore=store)
    assert space.names == ("left.on", "right.on")


def test_a_file(tmp_path):
    path = tmp_path / "Car.msg"
    path.write_text("bool on\n")
    assert from_ros(path, "own/Car") == from_ros(str(path), "own/Car") == rw.Space({"on": rw.Bool()})
    with pytest.raises(InputError, match=r"None\.msg cannot be read: No such file"):
        from_ros(tmp_path / "None.msg", "own/Car")


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("bool on\n\nint32\n", "p/msg/M: line 3: expected TYPE NAME, got 'int32'"),
        ("own/Lamp x", "x: unknown message type own/msg/Lamp: pass a typestore that defines it"),
        (None, "the top level: unknown message type p/msg/M"),
        ("M[] x", r"x\[\*\]: the message p/msg/M contains itself, so it has no fixed set of fields"),
        ("bool[] x", "x is a list of variable length"),
    ],
)
def test_mistakes(definition, message):
    with pytest.raises(InputError, match=message):
        from_ros(definition, "p/msg/M")


def test_bounds_of_an_array():
    with pytest.raises(InputError, match="lengths: x = 4: this list must have 0 to 3 items"):
        from_ros("bool[<=3] x", "p/msg/M", lengths={"x": 4})


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rosbags.typesys", None)
    with pytest.raises(
        MissingExtra, match=r'a ROS message needs an optional package: pip install "rootward\[interfaces\]"'
    ):
        from_ros("bool x", "p/msg/M")
