"""ROS bags as lists of messages and as trajectories; the bags are written by the tests."""

import contextlib
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from rosbags import rosbag1, rosbag2
from rosbags.typesys import Stores, get_typestore

from rootward import InputError
from rootward.errors import MissingExtra
from rootward.formats.documents.bags import Bag
from rootward.formats.scenes.trajectory import from_bag, read
from tests.properties import examples, few

KINDS = ["ros1", "sqlite", "mcap", "file.mcap", "file.db3"]
START = 5_000_000_000


def store_of(kind):
    return get_typestore(Stores.ROS1_NOETIC if kind == "ros1" else Stores.ROS2_HUMBLE)


def message(store, kind, name, sec, x):
    """A message of this type at x."""
    t = {key.split("/")[-1]: value for key, value in store.types.items()}
    stamp = store.types["builtin_interfaces/msg/Time"](sec=sec, nanosec=500_000_000)
    header = t["Header"](stamp=stamp, frame_id="map", **({"seq": 0} if kind == "ros1" else {}))
    point, q = t["Point"](x=x, y=2.0, z=3.0), t["Quaternion"](x=0.0, y=0.0, z=0.0, w=1.0)
    pose = t["Pose"](position=point, orientation=q)
    zeros = np.zeros(36)
    around = t["PoseWithCovariance"](pose=pose, covariance=zeros)
    if name == "Odometry":
        still = t["Vector3"](x=0.0, y=0.0, z=0.0)
        twist = t["TwistWithCovariance"](twist=t["Twist"](linear=still, angular=still), covariance=zeros)
        return t[name](header=header, child_frame_id="base", pose=around, twist=twist)
    if name == "TFMessage":
        moved = t["Transform"](translation=t["Vector3"](x=x, y=2.0, z=3.0), rotation=q)
        frames = ["base", "arm"][: 1 + (sec > 100)]
        return t[name](
            transforms=[t["TransformStamped"](header=header, child_frame_id=f, transform=moved) for f in frames]
        )
    if name == "String":
        return t[name](data=f"x = {x}")
    content = {
        "PoseStamped": {"pose": pose},
        "PoseWithCovarianceStamped": {"pose": around},
        "PointStamped": {"point": point},
    }
    return t[name](header=header, **content[name])


TYPES = {
    "Odometry": "nav_msgs/msg/Odometry",
    "PoseStamped": "geometry_msgs/msg/PoseStamped",
    "PoseWithCovarianceStamped": "geometry_msgs/msg/PoseWithCovarianceStamped",
    "PointStamped": "geometry_msgs/msg/PointStamped",
    "TFMessage": "tf2_msgs/msg/TFMessage",
    "String": "std_msgs/msg/String",
}


def bag(folder, kind, content):
    """A bag of (topic, type, nanoseconds after the start, x)."""
    path, store = folder / ("run.bag" if kind == "ros1" else "run"), store_of(kind)
    plugin = rosbag2.StoragePlugin.MCAP if "mcap" in kind else rosbag2.StoragePlugin.SQLITE3
    writer = rosbag1.Writer(path) if kind == "ros1" else rosbag2.Writer(path, version=9, storage_plugin=plugin)
    with writer:
        topics = {}
        for topic, name, later, x in content:
            if topic not in topics:
                topics[topic] = writer.add_connection(topic, TYPES[name], typestore=store)
            encode = store.serialize_ros1 if kind == "ros1" else store.serialize_cdr
            data = encode(message(store, kind, name, int(x), x), TYPES[name])
            writer.write(topics[topic], START + later, data)
    return next(path.glob(f"*.{kind.split('.')[1]}")) if "." in kind else path


def listed(path):
    reader = rosbag1.Reader(path) if path.suffix == ".bag" else rosbag2.Reader(path)
    with reader:
        topics = sorted((c.topic, c.msgtype, c.msgdef.data) for c in reader.connections)
        return topics, [(c.topic, time - START, data) for c, time, data in reader.messages()]


LOG = [
    ("/chat", "String", 0, 1.0),
    ("/odom", "Odometry", 10, 2.0),
    ("/chat", "String", 30, 3.0),
    ("/odom", "Odometry", 31, 4.0),
]


@pytest.mark.parametrize("kind", few(3, KINDS))
def test_the_kept_messages_are_copied_into_a_bag(tmp_path, kind):
    path = bag(tmp_path, kind, LOG)
    topics, messages = listed(path)
    before = {file: file.read_bytes() for file in ([path] if path.is_file() else sorted(path.iterdir()))}
    found = Bag(path)
    assert [str(part).split(" ", 1)[1] for part in found][:2] == [
        "/chat std_msgs/msg/String",
        "/odom nav_msgs/msg/Odometry",
    ]
    assert (found[1].time, found.noun) == (START / 1e9 + 1e-8, "message")
    assert found.reduced_path == path.with_name("run.reduced.bag" if kind == "ros1" else "run.reduced.mcap")
    for kept in ([1, 3], [0], [], [0, 1, 2, 3]):
        left = tmp_path / found.reduced_path.name
        left.write_bytes(pickle.loads(pickle.dumps(found)).render([found[i] for i in kept]))
        assert listed(left) == (topics, [messages[i] for i in kept])
    assert {file: file.read_bytes() for file in before} == before, "the input is never changed"


@pytest.mark.parametrize("kind", ["ros1", "mcap"])
def test_gaps_can_be_closed(tmp_path, kind):
    found = Bag(bag(tmp_path, kind, LOG), "close")
    left = tmp_path / found.reduced_path.name
    for kept, times in (([1, 3], [0, 1]), ([0, 2, 3], [0, 20, 21]), ([3], [0]), ([0, 1, 2, 3], [0, 10, 30, 31])):
        left.write_bytes(found.render([found[i] for i in kept]))
        assert [time for _, time, _ in listed(left)[1]] == times


PLACES = ["ros1 Odometry", "sqlite PoseStamped", "ros1 PoseWithCovarianceStamped", "sqlite PointStamped"]
PLACES += ["sqlite Odometry", "ros1 PoseStamped", "sqlite PoseWithCovarianceStamped", "ros1 PointStamped"]


@pytest.mark.parametrize("case", few(4, PLACES))
def test_the_only_topic_with_places_is_the_trajectory(tmp_path, case):
    kind, name = case.split()
    path = bag(tmp_path, kind, [("/chat", "String", 0, 1.0), ("/way", name, 1, 2.0), ("/way", name, 2, 3.0)])
    way = [(2.5, 2.0, 2.0, 3.0), (3.5, 3.0, 2.0, 3.0)]
    assert from_bag(path) == from_bag(path, "/way") == list(read(path)) == way


def test_each_frame_of_the_transforms_has_its_trajectory(tmp_path):
    (tmp_path / "a").mkdir()
    one = bag(tmp_path / "a", "mcap", [("/tf", "TFMessage", 0, 1.0), ("/tf_static", "TFMessage", 0, 9.0)])
    assert from_bag(one) == from_bag(one, "/tf") == from_bag(one, "/tf:base") == [(1.5, 1.0, 2.0, 3.0)]
    (tmp_path / "b").mkdir()
    two = bag(tmp_path / "b", "mcap", [("/tf", "TFMessage", 0, 1.0), ("/tf", "TFMessage", 5, 101.0)])
    assert from_bag(two, "/tf:arm") == [(101.5, 101.0, 2.0, 3.0)]
    with pytest.raises(InputError, match="no single trajectory in the topic /tf: it has /tf:arm, /tf:base"):
        from_bag(two, "/tf")


def test_times_that_are_not_set_are_those_of_the_bag(tmp_path):
    store = store_of("mcap")
    path = tmp_path / "run"
    with rosbag2.Writer(path, version=9) as writer:
        topic = writer.add_connection("/way", TYPES["PointStamped"], typestore=store)
        point = message(store, "mcap", "PointStamped", 0, 1.0)
        point.header.stamp.nanosec = 0
        writer.write(topic, START, store.serialize_cdr(point, TYPES["PointStamped"]))
    assert from_bag(path) == [(5.0, 1.0, 2.0, 3.0)]


def test_a_trajectory_that_cannot_be_chosen_is_an_error_that_names_the_topics(tmp_path):
    path = bag(
        tmp_path, "sqlite", [("/a", "PointStamped", 0, 1.0), ("/b", "PointStamped", 1, 2.0), ("/chat", "String", 2, 0)]
    )
    with pytest.raises(InputError, match="several topics with a trajectory: choose one of /a, /b"):
        from_bag(path)
    with pytest.raises(InputError, match="no single trajectory in the topic /c: it has /a, /b"):
        from_bag(path, "/c")
    assert from_bag(path, "/b") == [(2.5, 2.0, 2.0, 3.0)]
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="it has no odometry, poses, points or transforms"):
        from_bag(bag(tmp_path / "none", "ros1", [("/chat", "String", 2, 0)]))


@pytest.mark.parametrize("name", ["none.bag", "none.mcap", "folder", "none"])
def test_what_is_no_bag_is_refused(tmp_path, name):
    (tmp_path / "folder").mkdir()
    for use in (Bag, from_bag):
        with pytest.raises(InputError, match=f"{name} cannot be read"):
            use(tmp_path / name)


def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rosbags", None)
    with pytest.raises(MissingExtra, match=r"rootward\[interfaces\]"):
        Bag(tmp_path / "run.bag")


@pytest.fixture(scope="module", params=["ros1", "file.mcap", "file.db3"])
def file(request, tmp_path_factory):
    return bag(tmp_path_factory.mktemp("bag"), request.param, LOG)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_bag_is_refused_or_read(file, data):
    content = bytearray(file.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)) | st.just(len(content)))]
    damaged = Path(file.parent, f"damaged{file.suffix}")
    damaged.write_bytes(content)
    with contextlib.suppress(InputError):
        found = Bag(damaged)
        assert found.render(found[:1])
