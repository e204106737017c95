"""Trajectories: one point per time, ``(t, x, y, z)``, in seconds and metres."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.documents.bags import BAG_EXTENSIONS, open_bag
from rootward.formats.documents.messages import TIME_NAMES
from rootward.formats.documents.parts import shorten
from rootward.formats.files import read_text

Sample = tuple[float, float, float, float]
"""Time, x, y, z."""

_NAMES: tuple[tuple[str, ...], ...] = (TIME_NAMES, ("x",), ("y",), ("z",))


def read(path: Path) -> tuple[Sample, ...]:
    """Read the trajectory in a file.

    A CSV file has the columns ``t,x,y`` or ``t,x,y,z`` in this order, or a header that names them among others. A JSON
    file is a list of such rows, or of objects with these names. A ROS bag must have exactly one topic with poses.
    """
    if path.is_dir() or path.suffix.lower() in BAG_EXTENSIONS:
        return tuple(from_bag(path))
    rows = _read_json(path) if path.suffix.lower() == ".json" else _read_csv(path)
    if not rows:
        raise InputError(f"{path} has no points: expected rows with t, x, y or t, x, y, z")
    return tuple(_sample(path, place, row) for place, row in rows)


def _read_json(path: Path) -> list[tuple[str, Sequence[Any]]]:
    try:
        rows = json.loads(read_text(path), parse_int=float)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} cannot be read: its JSON is nested too deeply") from None
    if not isinstance(rows, list):
        raise InputError(f"{path} is not a list of points: expected [[t, x, y], ...]")
    return [(f"point {i}", _values(row)) for i, row in enumerate(rows)]


def _values(row: Any) -> Sequence[Any]:
    if isinstance(row, Mapping):
        found = [next((row[name] for name in names if name in row), None) for names in _NAMES]
        return found if found[3] is not None else found[:3]
    return row if isinstance(row, list) else [row]


def _read_csv(path: Path) -> list[tuple[str, Sequence[Any]]]:
    reader = csv.reader(StringIO(read_text(path), newline=""))
    try:
        rows = [(f"line {reader.line_num}", row) for row in reader if any(row)]
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from error
    if not rows or _number(rows[0][1][0]) is not None:
        return [(place, row[:4]) for place, row in rows]
    columns = _columns(path, rows[0][1])
    return [(place, [row[column] if column < len(row) else "" for column in columns]) for place, row in rows[1:]]


def _columns(path: Path, header: Sequence[str]) -> list[int]:
    names = [cell.strip().lower() for cell in header]
    found = [next((names.index(name) for name in choice if name in names), None) for choice in _NAMES]
    if None in found[:3]:
        raise InputError(f"{path} needs columns named t, x and y; its header is {shorten(','.join(header))}")
    return [column for column in found if column is not None]


def _sample(path: Path, place: str, row: Sequence[Any]) -> Sample:
    numbers = [_number(value) for value in row]
    if len(numbers) not in (3, 4) or None in numbers:
        raise InputError(f"{path}, {place}: expected finite numbers t, x, y or t, x, y, z, got {shorten(str(row))}")
    t, x, y, *z = (number for number in numbers if number is not None)
    return t, x, y, z[0] if z else 0.0


def _number(value: Any) -> float | None:
    """Return the value as a finite number. Returns None if it is not a finite number."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


# Trajectories in ROS bags


def from_bag(path: Path, topic: str | None = None) -> list[Sample]:
    """Return the trajectory of one topic.

    Times come from the message headers, or from the bag if the headers have no time. Odometry, poses, points and
    transforms are supported. Each frame of the transforms counts as one topic, such as ``/tf:base_link``. Without
    ``topic``, the bag must have exactly one topic with a trajectory.
    """
    found = _trajectories(path)
    chosen = [name for name in found if topic in (None, name, name.partition(":")[0])]
    if len(chosen) == 1:
        return found[chosen[0]]
    known = f"it has {', '.join(sorted(found))}" if found else "it has no odometry, poses, points or transforms"
    if topic is None and len(chosen) > 1:
        raise InputError(f"{path} has several topics with a trajectory: choose one of {', '.join(sorted(found))}")
    raise InputError(f"{path} has no single trajectory{f' in the topic {topic}' if topic else ''}: {known}")


def _trajectories(path: Path) -> dict[str, list[Sample]]:
    """Return the trajectory of each topic, and of each frame of the transforms."""
    stamped: dict[str, list[tuple[float, float, Any]]] = {}
    with open_bag(path, typed=True) as reader:
        chosen = [c for c in reader.connections if c.msgtype in _PLACES and not c.topic.endswith("tf_static")]
        for connection, time, data in reader.messages(chosen) if chosen else ():
            message = reader.deserialize(data, connection.msgtype)
            for name, header, place in _PLACES[connection.msgtype](message):
                stamp = header.stamp.sec + header.stamp.nanosec / 1e9
                stamped.setdefault(connection.topic + name, []).append((stamp, time / 1e9, place))
    return {name: _build_trajectory(samples) for name, samples in stamped.items()}


def _build_trajectory(samples: list[tuple[float, float, Any]]) -> list[Sample]:
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
