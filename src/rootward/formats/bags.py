"""ROS bags as lists of messages, and the trajectories in them.

A bag of ROS 1 (``.bag``) is rendered as one; a bag of ROS 2, whether a folder, ``.mcap`` or ``.db3``, as a single
``.mcap`` file. Topics stay even if all of their messages go. Messages are copied as bytes, whatever their types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError, MissingExtra, RootwardError
from rootward.formats.messages import Message, check_timing, closed
from rootward.formats.parts import Parts, fingerprint, read, reduced, shown
from rootward.formats.trajectory import BAGS, Sample

if TYPE_CHECKING:
    from rosbags.interfaces import Connection


class Bag(Parts[Message]):
    """The messages of a bag, in the order of their times. They are read again when they are written."""

    noun = "message"

    def __init__(self, path: Path, timing: str = "keep") -> None:
        self.path, self.timing = path, check_timing(timing)
        self._times: list[int] = []
        titles, prints = [], []
        with _reader(path) as reader:
            for connection, time, data in reader.messages():
                self._times.append(time)
                titles.append(shown(f"{time / 1e9:.3f} {connection.topic} {connection.msgtype}"))
                prints.append(fingerprint(data, titles[-1]))
        source = fingerprint("".join(prints).encode(), self.noun, timing)
        self.parts = tuple(
            Message(i, title, source, time / 1e9)
            for i, (title, time) in enumerate(zip(titles, self._times, strict=True))
        )

    @property
    def reduced(self) -> Path:
        """Where the reduced bag goes unless the user says: ``run.reduced.mcap`` for a bag of ROS 2."""
        kind = self.path.suffix if self.path.is_file() else ""
        return reduced(self.path.with_name(self.path.name.removesuffix(kind) + (kind if kind == ".bag" else ".mcap")))

    def render(self, kept: Sequence[Message]) -> bytes:
        """A bag with these messages only, at the times that ``timing`` gives them."""
        there = sorted(part.index for part in kept)
        if len(there) == len(self.parts) and self.path.suffix.lower() in (".bag", ".mcap") and self.path.is_file():
            return read(self.path)
        times = closed(self._times, there) if self.timing == "close" else [self._times[i] for i in there]
        chosen = dict(zip(there, times, strict=True))
        with TemporaryDirectory() as folder, _reader(self.path) as reader:
            write = _write_1 if self.path.suffix.lower() == ".bag" else _write_2
            messages = ((c, chosen[i], data) for i, (c, _, data) in enumerate(reader.messages()) if i in chosen)
            return read(write(Path(folder), reader.connections, messages))


def trajectory(path: Path, topic: str | None = None) -> list[Sample]:
    """The way that the poses of one topic describe, by the times in their headers, or of the bag if these are not set.

    Odometry, poses, points and transforms are understood; of transforms, each frame counts as a topic, such as
    ``/tf:base_link``. Without a topic, the bag must have only one of these.
    """
    ways = _ways(path)
    chosen = [name for name in ways if topic in (None, name, name.partition(":")[0])]
    if len(chosen) == 1:
        return ways[chosen[0]]
    known = f"it has {', '.join(sorted(ways))}" if ways else "it has no odometry, poses, points or transforms"
    if topic is None and len(chosen) > 1:
        raise InputError(f"{path} has several topics with a trajectory: choose one of {', '.join(sorted(ways))}")
    raise InputError(f"{path} has no single trajectory{f' in {topic}' if topic else ''}: {known}")


@contextmanager
def _reader(path: Path, *, typed: bool = False) -> Iterator[Any]:
    """An open bag. Whatever its reader stumbles over, the bag is at fault."""
    try:
        from rosbags import highlevel, rosbag1, rosbag2
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise MissingExtra("a ROS bag", "interfaces") from error
    is_1 = path.suffix.lower() == ".bag"
    try:
        if typed:
            store = get_typestore(Stores.ROS1_NOETIC if is_1 else Stores.LATEST)
            opened: Any = highlevel.AnyReader([path], default_typestore=store)
        else:
            opened = rosbag1.Reader(path) if is_1 else rosbag2.Reader(path)
        with opened as reader:
            yield reader
    except RootwardError:
        raise
    except Exception as error:  # its readers raise what comes, from struct.error to AssertionError
        reason = shown(str(error)) or type(error).__name__
        raise InputError(f"{path} cannot be read as a ROS bag ({', '.join(BAGS)} or a folder): {reason}") from error


Stream = Iterator[tuple["Connection", int, bytes]]


def _write_1(folder: Path, connections: Sequence[Connection], messages: Stream) -> Path:
    from rosbags.rosbag1 import Writer

    with Writer(folder / "kept.bag") as writer:
        new: dict[Any, Connection] = {}
        for old in connections:
            if (traits := _traits(old)) not in new:  # several publishers that look the same become one
                ext: Any = old.ext
                new[traits] = writer.add_connection(
                    old.topic,
                    old.msgtype,
                    msgdef=old.msgdef.data,
                    md5sum=old.digest,
                    callerid=ext.callerid,
                    latching=ext.latching,
                )
        for old, time, data in messages:
            writer.write(new[_traits(old)], time, data)
    return folder / "kept.bag"


def _write_2(folder: Path, connections: Sequence[Connection], messages: Stream) -> Path:
    from rosbags.rosbag2 import StoragePlugin, Writer

    with Writer(folder / "kept", version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        new: dict[Any, Connection] = {}
        for old in connections:
            if (traits := _traits(old)) not in new:
                ext: Any = old.ext
                new[traits] = writer.add_connection(
                    old.topic,
                    old.msgtype,
                    msgdef=_definition(old),
                    rihs01=old.digest or "INVALID",  # what ROS 2 calls a hash that is not known
                    serialization_format=ext.serialization_format,
                    offered_qos_profiles=ext.offered_qos_profiles,
                )
        for old, time, data in messages:
            writer.write(new[_traits(old)], time, data)
    return folder / "kept" / "kept.mcap"


def _traits(connection: Connection) -> Any:
    return connection.topic, connection.msgtype, repr(connection.ext)


def _definition(connection: Connection) -> str:
    """The definition of the type that the bag has; older bags have none, but the types of ROS are known."""
    from rosbags.typesys import Stores, get_typestore

    if connection.msgdef.data:
        return connection.msgdef.data
    store = get_typestore(Stores.LATEST)
    known = connection.msgtype in store.fielddefs
    return store.generate_msgdef(connection.msgtype, ros_version=2)[0] if known else ""


def _ways(path: Path) -> dict[str, list[Sample]]:
    """The trajectory of each topic, and of each frame of the transforms."""
    stamped: dict[str, list[tuple[float, float, Any]]] = {}
    with _reader(path, typed=True) as reader:
        chosen = [c for c in reader.connections if c.msgtype in _PLACES and not c.topic.endswith("tf_static")]
        for connection, time, data in reader.messages(chosen) if chosen else ():
            message = reader.deserialize(data, connection.msgtype)
            for name, header, place in _PLACES[connection.msgtype](message):
                stamp = header.stamp.sec + header.stamp.nanosec / 1e9
                stamped.setdefault(connection.topic + name, []).append((stamp, time / 1e9, place))
    return {name: _way(samples) for name, samples in stamped.items()}


def _way(samples: list[tuple[float, float, Any]]) -> list[Sample]:
    set_times = any(stamp for stamp, _, _ in samples)
    return [(stamp if set_times else time, p.x, p.y, p.z) for stamp, time, p in samples]


def _transforms(message: Any) -> Iterator[tuple[str, Any, Any]]:
    return ((f":{t.child_frame_id}", t.header, t.transform.translation) for t in message.transforms)


_PLACES: dict[str, Any] = {
    "nav_msgs/msg/Odometry": lambda m: [("", m.header, m.pose.pose.position)],
    "geometry_msgs/msg/PoseWithCovarianceStamped": lambda m: [("", m.header, m.pose.pose.position)],
    "geometry_msgs/msg/PoseStamped": lambda m: [("", m.header, m.pose.position)],
    "geometry_msgs/msg/PointStamped": lambda m: [("", m.header, m.point)],
    "tf2_msgs/msg/TFMessage": _transforms,
    "tf/msg/tfMessage": _transforms,
}
