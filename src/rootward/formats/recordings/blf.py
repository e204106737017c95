"""Vector BLF: a sequence of objects, most of them inside compressed containers, whose contents form a second sequence.

Parsed here and not by python-can, whose reader loops forever on an object of size 0 and drops everything after a broken
place. Here a broken place is reported and skipped, since every object begins with the same four letters.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rootward.formats.recordings.frame import MAX_DATA_BYTES, MAX_TIME, Comment, Frame
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.source import open_recording
from rootward.words import count

MAGIC = b"LOGG"
_MARK = b"LOBJ"
_START = struct.Struct("<4sHHLL")
"""The start of every object: mark, header size, header version, object size, object type."""
_STAMP = struct.Struct("<L4xQ")
"""The next part of the header, in both versions: the unit of the time, and the time."""
_BODY = {1: 32, 2: 40}
"""The offset of the contents, by header version."""
_CONTAINER, _CLASSIC, _FD, _FD_64 = 10, (1, 86), 100, 101
_CLASSIC_BODY = struct.Struct("<HBBL")
_FD_BODY = struct.Struct("<HBBL5xBB5x")
_FD_64_BODY = struct.Struct("<BBBxL4xL18xBB4x")
_GLOBAL_MARKER, _EVENT_COMMENT = 96, 92
_MARKER_BODY = struct.Struct("<16xLLL12x")
"""Three lengths: those of the group, the name and the description of a marker, whose texts follow."""
_COMMENT_BODY = struct.Struct("<4xL8x")
_DEFLATED = 2
_REMOTE, _REMOTE_64 = 0x80, 0x10
_EXTENDED = 1 << 31
_MAX_SIZE = 1 << 24
"""Maximum size in bytes of an object and of a decompressed container; Vector's tools write 128 kB."""
_PADDING = 8


class _Object(NamedTuple):
    type: int
    version: int
    data: bytes
    """The whole object, including its header."""
    place: str
    """Its position, in words."""


def read_blf(path: Path, problems: Problems) -> Iterator[Frame | Comment]:
    """Yield the data frames, markers and comments of a BLF file, in file order.

    Broken parts are skipped and added to ``problems``.
    """
    number = 0
    with open_recording(path, problems) as file:
        header = file.read(8)
        if len(header) < 8 or not header.startswith(MAGIC):
            problems.add("", "not a BLF file: it does not begin with LOGG")
            return
        header += file.read(max(8, min(struct.unpack_from("<L", header, 4)[0], 4096)) - len(header))
        blocks = iter(lambda: file.read(1 << 16), b"")
        outer = _objects(blocks, "the file", len(header), problems)
        for one in _objects(_unpack_containers(outer, problems), "the unpacked containers", 0, problems):
            try:
                text = _decode_comment(one, number)
                frame = _decode_frame(one, number + 1) if text is None else None
            except struct.error:
                problems.add(
                    f"after frame {number}", f"an object of type {one.type} is too short ({len(one.data)} bytes)"
                )
            except ValueError as error:
                problems.add(f"frame {number + 1}", error)
            else:
                if frame is not None:
                    number += 1
                    yield frame
                elif text is not None:
                    yield text


def _objects(blocks: Iterable[bytes], where: str, start: int, problems: Problems) -> Iterator[_Object]:
    """Yield the objects of a stream that arrives in blocks. Its first byte is number ``start``.

    All objects are complete, except that a container may be cut off at the end of the stream.
    """
    buffer, needed = bytearray(), _START.size

    def name(place: int) -> str:
        return f"byte {start + place:,} of {where}"

    for block, last in chain(((block, False) for block in blocks), [(b"", True)]):
        buffer += block
        place = 0
        while len(buffer) - place >= (_START.size if last else needed):
            at = buffer.find(_MARK, place)
            if at < 0 or at - place >= _PADDING:
                problems.add(name(place), "no object begins here, as expected (LOBJ); bytes were skipped")
            if at < 0 or len(buffer) - at < _START.size:
                place, needed = (at if at >= 0 else len(buffer) - 3), _START.size
                break
            _, _, version, size, kind = _START.unpack_from(buffer, at)
            place, needed = at + 4, _START.size
            if not _START.size <= size <= _MAX_SIZE:
                problems.add(
                    name(at),
                    f"an object has an impossible size ({size:,} bytes; {_START.size} to {_MAX_SIZE:,} are possible)",
                )
            elif len(buffer) - at >= size:
                yield _Object(kind, version, bytes(buffer[at : at + size]), name(at))
                place = at + size
            elif not last:
                place, needed = at, size
            else:
                missing = size - (len(buffer) - at)
                problems.add(
                    name(at), f"an object ends too early: {missing:,} of {size:,} bytes are missing (cut off?)"
                )
                if kind == _CONTAINER:
                    yield _Object(kind, version, bytes(buffer[at:]), name(at))
                    place = len(buffer)
        del buffer[:place]
        start += place
    if buffer.strip(b"\0"):
        problems.add(name(0), f"the last {count(len(buffer), 'byte')} do not form an object")


def _unpack_containers(outer: Iterable[_Object], problems: Problems) -> Iterator[bytes]:
    """Yield the bytes of all objects: the contents of the containers, and the objects outside any container."""
    for one in outer:
        if one.type != _CONTAINER:
            yield one.data.ljust(-(-len(one.data) // 4) * 4, b"\0")
        elif one.data[16:18] == struct.pack("<H", _DEFLATED):
            yield _inflate(one, problems)
        elif one.data[16:18] == b"\0\0":
            yield one.data[32:]
        else:
            problems.add(one.place, "a container has an unknown compression (expected none or zlib) and was skipped")


def _inflate(container: _Object, problems: Problems) -> bytes:
    """Decompress a container as far as possible."""
    machine, found, data = zlib.decompressobj(), bytearray(), container.data[32:]
    try:
        # In small steps, to keep everything before a broken place.
        for start in range(0, len(data), 256):
            found += machine.decompress(data[start : start + 256])
            if len(found) > _MAX_SIZE:
                problems.add(container.place, f"a container has more than {_MAX_SIZE:,} bytes; the rest was skipped")
                break
    except zlib.error:
        problems.add(container.place, "the compressed data of a container are damaged; the rest of it is lost")
    return bytes(found)


def _decode_frame(one: _Object, number: int) -> Frame | None:
    """Decode a data frame. Returns None for any other object.

    Raises ValueError or struct.error if the frame is broken.
    """
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
        # The writer may omit trailing zeros, and put other data after ``end``.
        one = one._replace(data=(one.data[:end] if end else one.data).ljust(start + size, b"\0"))
    if remote:
        return None
    data = one.data[start : start + size]
    if size > MAX_DATA_BYTES or len(data) < size:
        raise ValueError(f"{len(data)} of {size} data bytes are present; a frame has at most {MAX_DATA_BYTES}")
    return Frame(_decode_time(one.data), identifier & 0x1FFFFFFF, identifier >= _EXTENDED, data, str(channel), number)


def _decode_comment(one: _Object, number: int) -> Comment | None:
    """Decode a global marker or a comment. Returns None for any other object.

    Raises ValueError or struct.error if it is broken.
    """
    body = _BODY.get(one.version)
    if body is None or one.type not in (_GLOBAL_MARKER, _EVENT_COMMENT):
        return None
    layout = _MARKER_BODY if one.type == _GLOBAL_MARKER else _COMMENT_BODY
    place, texts = body + layout.size, []
    for size in layout.unpack_from(one.data, body):
        if len(one.data) < place + size:
            raise ValueError(f"a comment of {size:,} bytes does not fit into its object ({len(one.data):,} bytes)")
        texts.append(_decode_text(one.data[place : place + size]))
        place += size
    return Comment(_decode_time(one.data), " ".join(filter(None, texts)), number)


def _decode_text(data: bytes) -> str:
    """Decode a text in UTF-8, or in the encoding that Windows uses in western Europe."""
    data = data.rstrip(b"\0")
    try:
        return data.decode().strip()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").strip()


def _decode_time(data: bytes) -> int:
    unit, time = _STAMP.unpack_from(data, _START.size)
    time = time * 10 if unit == 1 else (time + 500) // 1000
    if time >= MAX_TIME:
        raise ValueError(f"{time} microseconds is not a valid time")
    return int(time)
