"""The bytes and lines of a recording, whether the file is compressed or not.

gzip and Zstandard are recognised by the first bytes, around every format. A recording is decompressed while it is read,
so it never has to fit into memory. If the compressed data are cut off or damaged, everything before that place is read,
and the rest is a problem.
"""

from __future__ import annotations

import codecs
import importlib
import io
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from rootward.errors import MissingExtra
from rootward.formats.files import MAX_DATA_BYTES, open_file
from rootward.formats.recordings.problems import Problems
from rootward.words import show_size

COMPRESSED_ENDINGS = (".gz", ".zst")
"""Endings that compressed files usually have, behind the ending of their format."""
MAX_LINE_LENGTH = 1_000_000
"""Maximum number of characters in a line; a longer one is not a line of a log."""
_STEP = 256
"""Bytes given to a decompressor at once: what precedes damage in the same step is lost."""
_GZIP = 16 + zlib.MAX_WBITS
"""The window that makes zlib expect the header and the checksum of gzip."""


class Compression(NamedTuple):
    """A way to compress a file. The file consists of one or more members, each compressed on its own."""

    name: str
    magic: re.Pattern[bytes]
    """The first bytes of a member."""
    open_member: Callable[[], Any]
    """Return a decompressor for one member."""


def _open_gzip() -> Any:
    return zlib.decompressobj(_GZIP)


def _open_zstandard() -> Any:
    return _import_zstandard().ZstdDecompressor()


_COMPRESSIONS = (
    Compression("gzip", re.compile(rb"\x1f\x8b"), _open_gzip),
    # The second form is a frame that decompressors skip: parallel and seekable writers put their index there.
    Compression("Zstandard", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), _open_zstandard),
)
_MAX_MAGIC = 4


def open_recording(path: Path, problems: Problems) -> io.BufferedReader:
    """Open a recording for reading from its beginning to its end, decompressed if necessary.

    Raises UnreadableFile if the file cannot be opened, and MissingExtra if its decompressor is not installed.
    """
    file = open_file(path)
    compression = _find_compression(file.peek(_MAX_MAGIC))
    if compression is None:
        return file
    try:
        return io.BufferedReader(_DecompressedFile(file, compression, problems))
    except MissingExtra:
        file.close()
        raise


@contextmanager
def open_decompressed(path: Path, problems: Problems) -> Iterator[Path]:
    """Yield the path of a file without compression, for libraries that open files themselves.

    This is the file itself, or a temporary copy of what a compressed file contains.
    """
    with open_file(path) as file:
        compressed = _find_compression(file.peek(_MAX_MAGIC)) is not None
    if not compressed:
        yield path
        return
    with open_recording(path, problems) as source, tempfile.NamedTemporaryFile(suffix=".decompressed") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


def strip_compression(path: Path) -> Path:
    """Return the path without the ending of a compressed file: the name that the recording would have otherwise."""
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED_ENDINGS else path


def read_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file without their ends, numbered from 1.

    Bytes that are not valid text are replaced; lines that are too long are skipped and added to ``problems``.
    """
    source = open_recording(path, problems)
    encoding = find_encoding(source.peek(2))
    with io.TextIOWrapper(source, encoding=encoding, errors="replace") as file:
        number = 0
        while line := file.readline(MAX_LINE_LENGTH):
            number += 1
            if len(line) < MAX_LINE_LENGTH or line.endswith("\n"):
                yield number, line.rstrip("\n")
                continue
            problems.add(f"line {number}", f"longer than {MAX_LINE_LENGTH:,} characters")
            while (line := file.readline(MAX_LINE_LENGTH)) and not line.endswith("\n"):
                pass


def find_encoding(head: bytes) -> str:
    """Return the encoding of a text that begins with these bytes: UTF-8, or UTF-16, as Windows redirects output."""
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


class _DecompressedFile(io.RawIOBase):
    """The decompressed contents of a file, as a stream that can only be read forwards."""

    def __init__(self, file: BinaryIO, compression: Compression, problems: Problems) -> None:
        member = compression.open_member()
        self._file, self._parts, self._ready = file, _decompress(file, compression, member, problems), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        self._ready = self._ready or next(self._parts, b"")
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def _decompress(file: BinaryIO, compression: Compression, member: Any, problems: Problems) -> Iterator[bytes]:
    """Yield the contents in parts, none of them empty, up to the first damaged place.

    ``member`` decompresses the first member of the file.
    """
    written = 0
    data = file.read(_STEP)
    while data:
        try:
            part = member.decompress(data)
        except Exception as error:
            if not _means_damage(error):
                raise
            problems.add("", f"the {compression.name} data are damaged before byte {file.tell():,}; the rest is lost")
            return
        written += len(part)
        if part:
            yield part
        if written > MAX_DATA_BYTES:
            problems.add("", f"more than {show_size(MAX_DATA_BYTES)} without compression; the rest was not read")
            return
        data = member.unused_data if member.eof else b""
        if len(data) < _MAX_MAGIC:
            data += file.read(_STEP)
        if member.eof:
            if not data.strip(b"\0"):  # the end, or padding
                return
            if compression.magic.match(data) is None:
                problems.add("", f"bytes after the {compression.name} data, before byte {file.tell():,}, are not read")
                return
            member = compression.open_member()
    problems.add("", f"the {compression.name} data end too early, after {file.tell():,} bytes (cut off?)")


def _find_compression(head: bytes) -> Compression | None:
    return next((one for one in _COMPRESSIONS if one.magic.match(head)), None)


def _means_damage(error: Exception) -> bool:
    return isinstance(error, zlib.error) or type(error).__name__ == "ZstdError"


def _import_zstandard() -> Any:
    """Return Python's module for Zstandard, or the package that older versions need instead."""
    try:
        return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ImportError as error:
        raise MissingExtra("a recording that is compressed with Zstandard", "can") from error
