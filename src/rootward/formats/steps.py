"""The steps of a reduction on disk: each smaller version of a file that still failed.

A large input has many large versions, and each consists of pieces of an earlier one. So the first version is stored as
it is, and a later one as the pieces of the first that it is made of, until a version is small enough to be stored
whole. To find the pieces, both are cut into chunks, at line feeds or after a fixed length. A chunk of the new version
is looked for behind the piece that was used last, because a reduction leaves things out and keeps their order.
"""

from __future__ import annotations

import bisect
import json
import os
import re
import zlib
from itertools import accumulate
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.files import MAX_BYTES, read_bytes, replace_file

MAX_WHOLE_BYTES = 1 << 17
"""Maximum length of a version that is always stored whole, so that it can simply be opened."""
MAX_SHARE = 0.5
"""A difference that takes a larger share of the version is not worth it: then the version is stored whole."""
ENDING = ".step"
"""The ending of a file that holds a difference."""
_CHUNK = re.compile(rb"[^\n]{0,255}\n|[^\n]{1,256}")


class FirstVersion:
    """A version whose pieces make up later ones."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._chunks = _CHUNK.findall(content)
        self._ends = [0, *accumulate(map(len, self._chunks))]
        self._places: dict[bytes, list[int]] = {}
        for place, chunk in enumerate(self._chunks):
            self._places.setdefault(chunk, []).append(place)

    def subtract(self, content: bytes) -> bytes:
        """Return the difference between this version and another one."""
        parts: list[tuple[int, int]] = []  # of this version, from and to; (-1, n) for n bytes that it does not have
        new: list[bytes] = []
        next_place = 0
        for chunk in _CHUNK.findall(content):
            place = self._find(chunk, next_place)
            if place is None:
                new.append(chunk)
                part = (-1, len(chunk))
            else:
                part = (self._ends[place], self._ends[place + 1])
                next_place = place + 1
            if parts and part[0] == -1 == parts[-1][0]:
                parts[-1] = (-1, parts[-1][1] + part[1])
            elif parts and part[0] == parts[-1][1] and parts[-1][0] != -1:
                parts[-1] = (parts[-1][0], part[1])
            else:
                parts.append(part)
        head = {"before": zlib.crc32(self.content), "after": zlib.crc32(content), "parts": parts}
        return zlib.compress(json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(new))

    def _find(self, chunk: bytes, after: int) -> int | None:
        if after < len(self._chunks) and self._chunks[after] == chunk:
            return after
        places = self._places.get(chunk)
        if places is None:
            return None
        return places[bisect.bisect_left(places, after) % len(places)]  # from the start if there is none behind


def add(before: bytes, difference: bytes) -> bytes:
    """Return the version that differs from ``before`` in this way. Raises ValueError if it is not the right one."""
    unpacking = zlib.decompressobj()
    head, _, new = unpacking.decompress(difference, MAX_BYTES).partition(b"\n")
    known = json.loads(head)
    if zlib.crc32(before) != known["before"]:
        raise ValueError("the version before has changed")
    if not unpacking.eof or sum(end - max(start, 0) for start, end in known["parts"]) > MAX_BYTES:
        raise ValueError("it is cut short, or larger than any input")
    found, used = list[bytes](), 0
    for start, end in known["parts"]:
        if start == -1:
            found.append(new[used : used + end])
            used += end
        else:
            found.append(before[start:end])
    content = b"".join(found)
    if zlib.crc32(content) != known["after"]:
        raise ValueError("the difference has changed")
    return content


class Steps:
    """A folder of steps that is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._first: tuple[str, FirstVersion] | None = None

    def write(self, name: str, content: bytes) -> None:
        """Store a version under a name: as it is, or as a difference from the first one with ``ENDING`` added."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if len(content) > MAX_WHOLE_BYTES:
            if (difference := self._subtract(content)) is not None:
                name, content = f"{name}{ENDING}", difference
            else:
                self._first = name, FirstVersion(content)
        with replace_file(self.folder / name) as file:
            file.write(content)

    def _subtract(self, content: bytes) -> bytes | None:
        """Return the difference from the first version; None if there is none, or if it would be too long."""
        if self._first is None or not (self.folder / self._first[0]).exists():
            return None
        name, pieces = self._first
        difference = os.fsencode(name) + b"\n" + pieces.subtract(content)
        return difference if len(difference) <= MAX_SHARE * len(content) else None


def read_step(path: Path) -> bytes:
    """Return a version as it was. Raises InputError if it cannot be restored."""
    if not path.is_file():
        raise InputError(f"there is no step {path}")
    content = read_bytes(path)
    if path.suffix != ENDING:
        return content
    first, _, difference = content.partition(b"\n")
    try:
        return add(read_bytes(path.with_name(Path(os.fsdecode(first)).name)), difference)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error) as error:
        raise InputError(f"{path} cannot be restored: {error}") from None
