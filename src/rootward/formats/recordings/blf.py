"""Vector BLF: objects one after the other, most of them inside compressed containers, which are a stream of objects.

Parsed here and not by python-can, whose reader runs for ever on an object of size 0, and gives up all that follows a
broken place. Here a broken place is told and skipped: every object begins with the same four letters.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rootward.formats.recordings.frame import LATEST, SIZE, Frame
from rootward.formats.recordings.problems import Problems

MAGIC = b"LOGG"
_MARK = b"LOBJ"
_START = struct.Struct("<4sHHLL")
"""Of every object: mark, size of its header, version of its header, its size, its type."""
_STAMP = struct.Struct("<L4xQ")
"""What follows in both versions of the header: the unit of the time, and the time."""
_BODY = {1: 32, 2: 40}
"""Where the contents begin, by the version of the header."""
_CONTAINER, _CLASSIC, _FD, _FD_64 = 10, (1, 86), 100, 101
_CLASSIC_BODY = struct.Struct("<HBBL")
_FD_BODY = struct.Struct("<HBBL5xBB5x")
_FD_64_BODY = struct.Struct("<BBBxL4xL18xBB4x")
_DEFLATED = 2
_REMOTE, _REMOTE_64 = 0x80, 0x10
_EXTENDED = 1 << 31
_LARGEST = 1 << 24
"""Bytes of an object, and of a container without its compression; Vector's tools write 128 kB."""
_PADDING = 8


class _Object(NamedTuple):
    type: int
    version: int
    data: bytes
    """All of it, with its header."""


def read_blf(path: Path, problems: Problems) -> Iterator[Frame]:
    """The data frames of a BLF file, in its order; what is broken is told and left out."""
    number = 0
    with open(path, "rb") as file:
        header = file.read(8)
        if len(header) < 8 or not header.startswith(MAGIC):
            problems.add("", "this is no BLF file: it does not begin with LOGG")
            return
        file.seek(max(8, min(struct.unpack_from("<L", header, 4)[0], 4096)))
        outer = _objects(iter(lambda: file.read(1 << 16), b""), "the file", problems)
        for one in _objects(_contents(outer, problems), "a container", problems):
            try:
                frame = _frame(one, number + 1)
            except (struct.error, ValueError) as error:
                problems.add(f"frame {number + 1}", error)
            else:
                if frame is not None:
                    number += 1
                    yield frame


def _objects(blocks: Iterable[bytes], where: str, problems: Problems) -> Iterator[_Object]:
    """The objects of a stream that comes in blocks. A container may be cut off at the end; other objects are whole."""
    buffer, needed = bytearray(), _START.size
    for block, last in chain(((block, False) for block in blocks), [(b"", True)]):
        buffer += block
        place = 0
        while len(buffer) - place >= (_START.size if last else needed):
            at = buffer.find(_MARK, place)
            if at < 0 or at - place >= _PADDING:
                problems.add("", f"bytes in {where} are no object and were skipped")
            if at < 0 or len(buffer) - at < _START.size:
                place, needed = (at if at >= 0 else len(buffer) - 3), _START.size
                break
            _, _, version, size, kind = _START.unpack_from(buffer, at)
            place, needed = at + 4, _START.size
            if not _START.size <= size <= _LARGEST:
                problems.add("", f"an object in {where} has an impossible size ({size:,} bytes)")
            elif len(buffer) - at >= size:
                yield _Object(kind, version, bytes(buffer[at : at + size]))
                place = at + size
            elif not last:
                place, needed = at, size
            else:
                problems.add("", f"{where} ends in the middle of an object")
                if kind == _CONTAINER:
                    yield _Object(kind, version, bytes(buffer[at:]))
                    place = len(buffer)
        del buffer[:place]
    if buffer.strip(b"\0"):
        problems.add("", f"{where} ends in the middle of something")


def _contents(outer: Iterable[_Object], problems: Problems) -> Iterator[bytes]:
    """The stream of objects inside the containers, and those that are in none."""
    for one in outer:
        if one.type != _CONTAINER:
            yield one.data.ljust(-(-len(one.data) // 4) * 4, b"\0")
        elif one.data[16:18] == struct.pack("<H", _DEFLATED):
            yield _inflated(one.data[32:], problems)
        elif one.data[16:18] == b"\0\0":
            yield one.data[32:]
        else:
            problems.add("", "a container is compressed in an unknown way")


def _inflated(data: bytes, problems: Problems) -> bytes:
    """As much as can be had."""
    machine, found = zlib.decompressobj(), bytearray()
    try:
        # In small steps, so that what comes before a broken place is kept.
        for start in range(0, len(data), 256):
            found += machine.decompress(data[start : start + 256])
            if len(found) > _LARGEST:
                problems.add("", f"a container has more than {_LARGEST:,} bytes")
                break
    except zlib.error as error:
        problems.add("", f"a container is broken: {error}")
    return bytes(found)


def _frame(one: _Object, number: int) -> Frame | None:
    """None if it is something else. ValueError or struct.error if it is broken."""
    body = _BODY.get(one.version)
    if body is None or one.type not in (*_CLASSIC, _FD, _FD_64):
        return None
    if one.type in _CLASSIC:
        channel, flags, size, identifier = _CLASSIC_BODY.unpack_from(one.data, body)
        start, size, remote = body + _CLASSIC_BODY.size, min(size, 8), flags & _REMOTE
    elif one.type == _FD:
        channel, flags, _, identifier, _, size = _FD_BODY.unpack_from(one.data, body)
        start, remote = body + _FD_BODY.size, flags & _REMOTE
    else:
        channel, _, size, identifier, flags, _, end = _FD_64_BODY.unpack_from(one.data, body)
        start, remote = body + _FD_64_BODY.size, flags & _REMOTE_64
        # The writer may leave out zeros at the end, and put something else after ``end``.
        one = one._replace(data=(one.data[:end] if end else one.data).ljust(start + size, b"\0"))
    if remote:
        return None
    data = one.data[start : start + size]
    if size > SIZE or len(data) < size:
        raise ValueError(f"{len(data)} of {size} bytes are there")
    return Frame(_time(one.data), identifier & 0x1FFFFFFF, identifier >= _EXTENDED, data, str(channel), number)


def _time(data: bytes) -> int:
    unit, time = _STAMP.unpack_from(data, _START.size)
    time = time * 10 if unit == 1 else (time + 500) // 1000
    if time >= LATEST:
        raise ValueError(f"{time} microseconds is no time")
    return int(time)
