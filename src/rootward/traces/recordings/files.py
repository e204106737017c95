"""Find the files that paths stand for, and the format of each: by its first bytes, the ending of its name, then its
contents. A compressed file has the format of what is in it."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rootward.errors import InputError, MissingExtra
from rootward.formats.recordings import registry
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.source import COMPRESSED_ENDINGS, find_encoding, open_recording, strip_compression
from rootward.traces.recordings import events

_ENDINGS = {**registry.ENDINGS, ".jsonl": "json lines", ".ndjson": "json lines"}
_LOOK_INSIDE = {".csv": "table", ".log": "log", ".txt": "", ".trace": ""}
"""Endings that several formats share, with the one that is assumed if the contents do not decide."""
ENDINGS = (*_ENDINGS, *_LOOK_INSIDE)
_FILE_ENDINGS = tuple(ending + compressed for ending in ENDINGS for compressed in ("", *COMPRESSED_ENDINGS))
_HEAD_BYTES, _MAX_LINES = 4096, 20


def find_recordings(paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str]) -> Iterator[tuple[Path, str]]:
    """Yield each file that the paths stand for once, together with a name for its trace.

    Raises InputError if a path matches nothing.
    """
    seen: set[str] = set()
    for path, name in _expand(paths):
        if (real := os.path.realpath(path)) not in seen:
            seen.add(real)
            yield path, name


def _expand(paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str]) -> Iterator[tuple[Path, str]]:
    if not isinstance(paths, str | os.PathLike | Iterable):
        raise InputError(f"expected paths of traces, got {paths!r:.60}")
    for given in [paths] if isinstance(paths, str | os.PathLike) else paths:
        if not isinstance(given, str | os.PathLike):
            raise InputError(f"expected the path of a trace, got {given!r:.60}")
        path = Path(given)
        if not os.fspath(given):
            raise InputError("expected the path of a trace, got an empty text")
        if path.is_dir():
            inside = sorted(_list_traces(path))
            if not inside:
                raise InputError(f"{path} contains no traces: none of its files ends in {', '.join(ENDINGS)}")
            yield from ((file, file.relative_to(path).as_posix()) for file in inside)
        elif os.path.lexists(path):
            yield path, path.name
        elif matches := sorted(glob.glob(str(given), recursive=True)):
            yield from _expand(matches)
        else:
            raise InputError(f"{path} does not exist")


def kind_of(path: Path) -> str:
    """Return the format of a file, inside its compression; empty if it is unknown.

    Raises InputError if the file cannot be read, and MissingExtra if it cannot be decompressed.
    """
    with open_recording(path, Problems(path)) as file:  # the reader will find the same problems
        head = file.read(_HEAD_BYTES)
    for magic, kind in registry.MAGICS.items():
        if head.startswith(magic):
            return kind
    ending = strip_compression(path).suffix.lower()
    return _ENDINGS.get(ending) or _kind_by_contents(head) or _LOOK_INSIDE.get(ending, "")


def _list_traces(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that have a known ending.

    A .txt file must also look like a trace, because most .txt files are something else.
    """
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(root, name) for name in names if name.lower().endswith(_FILE_ENDINGS)):
            if strip_compression(path).suffix.lower() != ".txt" or _looks_like_a_trace(path):
                yield path


def _looks_like_a_trace(path: Path) -> bool:
    try:
        return path.is_file() and bool(kind_of(path))
    except (OSError, InputError, MissingExtra):
        return True  # reading it later reports the error


def _kind_by_contents(head: bytes) -> str:
    lines = head.decode(find_encoding(head), "replace").splitlines()[:_MAX_LINES]
    return next(filter(None, map(_kind_by_line, lines)), "")


def _kind_by_line(line: str) -> str:
    if kind := registry.kind_of_line(line):
        return kind
    if {"kind", "operation"} <= set(line.replace(" ", "").lower().split(",")):
        return "table"
    if line.lstrip().startswith('{"'):
        return "json lines"
    return "lines" if events.LINE.fullmatch(line.strip()) else ""
