"""ROS bags as lists of messages.

A ROS 1 bag (``.bag``) is written back as one. A ROS 2 bag, whether a folder, ``.mcap`` or ``.db3``, is written as a
single ``.mcap`` file. Topics stay even if all of their messages are removed. Messages are copied as bytes, so their
types need not be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError, MissingExtra, RootwardError
from rootward.formats.documents.messages import Message, check_timing, close_gaps
from rootward.formats.documents.parts import Parts, fingerprint, name_reduced, shorten
from rootward.formats.files import MAX_DATA_BYTES, check_file, read_bytes

if TYPE_CHECKING:
    from rosbags.interfaces import Connection


BAG_EXTENSIONS = (".bag", ".mcap", ".db3")
"""File name extensions of bags; a ROS 2 bag may also be a folder."""


class Bag(Parts[Message]):
    """The messages of a bag, in order of time.

    The content of the messages is not held in memory: ``render`` reads it from the file again.
    """

    noun = "message"

    def __init__(self, path: Path, timing: str = "keep") -> None:
        self.path, self.timing = path, check_timing(timing)
        self._times: list[int] = []
        titles, prints = [], []
        with open_bag(path) as reader:
            for connection, time, data in reader.messages():
                self._times.append(time)
                titles.append(shorten(f"{time / 1e9:.3f} {connection.topic} {connection.msgtype}"))
                prints.append(fingerprint(data, titles[-1]))
        source = fingerprint("".join(prints).encode(), self.noun, timing)
        self.parts = tuple(
            Message(i, title, source, time / 1e9)
            for i, (title, time) in enumerate(zip(titles, self._times, strict=True))
        )

    @property
    def reduced_path(self) -> Path:
        """The default path of the reduced bag, such as ``run.reduced.mcap`` for a ROS 2 bag."""
        kind = self.path.suffix if self.path.is_file() else ""
        return name_reduced(
            self.path.with_name(self.path.name.removesuffix(kind) + (kind if kind == ".bag" else ".mcap"))
        )

    def render(self, kept: Sequence[Message]) -> bytes:
        """Return the bytes of a bag that has only the ``kept`` messages, with times according to ``timing``."""
        there = sorted(part.index for part in kept)
        if len(there) == len(self.parts) and self.path.suffix.lower() in (".bag", ".mcap") and self.path.is_file():
            return read_bytes(self.path, MAX_DATA_BYTES)
        times = close_gaps(self._times, there) if self.timing == "close" else [self._times[i] for i in there]
        new_times = dict(zip(there, times, strict=True))
        with TemporaryDirectory() as folder, open_bag(self.path) as reader:
            write = _write_1 if self.path.suffix.lower() == ".bag" else _write_2
            messages = ((c, new_times[i], data) for i, (c, _, data) in enumerate(reader.messages()) if i in new_times)
            return read_bytes(write(Path(folder), reader.connections, messages), MAX_DATA_BYTES)


@contextmanager
def open_bag(path: Path, *, typed: bool = False) -> Iterator[Any]:
    """Open a bag for reading. An exception of the bag reader becomes an InputError that names the bag."""
    try:
        from rosbags import highlevel, rosbag1, rosbag2
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise MissingExtra("a ROS bag", "interfaces") from error
    is_1 = path.suffix.lower() == ".bag"
    for file in path.iterdir() if path.is_dir() else [path]:
        if not file.is_dir():
            check_file(file)
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
    except Exception as error:  # the readers raise anything from struct.error to AssertionError
        reason = shorten(str(error)) or type(error).__name__
        raise InputError(
            f"{path} cannot be read as a ROS bag ({', '.join(BAG_EXTENSIONS)} or a folder): {reason}"
        ) from error


Stream = Iterator[tuple["Connection", int, bytes]]


def _write_1(folder: Path, connections: Sequence[Connection], messages: Stream) -> Path:
    from rosbags.rosbag1 import Writer

    with Writer(folder / "kept.bag") as writer:
        new: dict[Any, Connection] = {}
        for old in connections:
            if (traits := _traits(old)) not in new:  # publishers with the same traits become one
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
                    rihs01=old.digest or "INVALID",  # ROS 2's word for an unknown hash
                    serialization_format=ext.serialization_format,
                    offered_qos_profiles=ext.offered_qos_profiles,
                )
        for old, time, data in messages:
            writer.write(new[_traits(old)], time, data)
    return folder / "kept" / "kept.mcap"


def _traits(connection: Connection) -> Any:
    return connection.topic, connection.msgtype, repr(connection.ext)


def _definition(connection: Connection) -> str:
    """Return the type definition that the bag stores.

    Older bags store none. For them, this is the definition from the ROS standard types, or empty if they lack the type.
    """
    from rosbags.typesys import Stores, get_typestore

    if connection.msgdef.data:
        return connection.msgdef.data
    store = get_typestore(Stores.LATEST)
    known = connection.msgtype in store.fielddefs
    return store.generate_msgdef(connection.msgtype, ros_version=2)[0] if known else ""
