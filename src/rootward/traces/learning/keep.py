"""Keep: corrections by hand survive when a model is learned again.

A line of a model file is kept if its comment contains the word ``keep``. A kept line stands for its whole entry: all
that is indented below it, and, in a list of requirements, the whole list, because their order matters. The entry
replaces the learned one with the same keys above it, or is added there. The files are compared as texts, line by line,
so that comments and spelling survive, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rootward.errors import InputError

_KEPT = re.compile(r"\s#.*\bkeep\b", re.IGNORECASE)
_KEY = re.compile(r"(?P<key>[^\s#:'\"{\[-][^:]*):(\s|$)")
KeyPath = tuple[str, ...]


@dataclass(frozen=True)
class FileEntry:
    """An entry of a file: its keys from the top, and its lines."""

    path: KeyPath
    start: int
    end: int
    """The number of the line after its last."""


@dataclass(frozen=True)
class Kept:
    """A new file with the kept entries of an old one."""

    text: str
    lines: tuple[int, ...]
    """The numbers of the kept lines in the old file, from 1."""


def check_marks(old: str, name: str) -> None:
    """Raise InputError if a file keeps nothing: its corrections would be lost."""
    if not _list_marked(old.splitlines()):
        raise InputError(
            f"{name}: no line has the comment `# keep`, so all corrections in it would be lost: put `# keep` beside "
            "each line that you have corrected, or learn into another file without --keep"
        )


def _list_marked(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if _KEPT.search(line)]


def keep_lines(new: str, old: str, name: str) -> Kept:
    """Return the new file with the entries that the old one keeps. ``name`` is the old file, for messages."""
    lines, before = new.splitlines(), old.splitlines()
    marked = _list_marked(before)
    for entry in _find_kept(before, marked, name):
        content = before[entry.start : entry.end]
        entries = {one.path: one for one in _entries(lines)}
        if (found := entries.get(entry.path)) is not None:
            lines[found.start : found.end] = content
            continue
        above = entries.get(entry.path[:-1])
        if above is None or above.end == above.start + 1:
            raise InputError(
                f"{name}, line {entry.start + 1}: it cannot be kept alone, because the learned model has no entry "
                f"{' / '.join(entry.path[:-1])} with lines of its own: put `# keep` beside that entry instead"
            )
        lines[above.end : above.end] = content
    return Kept("\n".join(lines) + "\n", tuple(number + 1 for number in marked))


def _find_kept(lines: list[str], marked: list[int], name: str) -> Iterator[FileEntry]:
    """Yield the smallest entries with these lines; none is inside another."""
    entries = _entries(lines)
    chosen: dict[KeyPath, FileEntry] = {}
    for number in marked:
        around = [one for one in entries if one.start <= number < one.end]
        if not around:
            raise InputError(f"{name}, line {number + 1}: there is nothing to keep in this line")
        chosen[around[-1].path] = around[-1]
    for path, entry in chosen.items():
        if not any(path[:depth] in chosen for depth in range(1, len(path))):
            yield entry


def _entries(lines: list[str]) -> list[FileEntry]:
    """Return all entries of a file, outer ones first. Items of lists belong to the entry of their list."""
    found = []
    stack: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        key = _KEY.match(line.strip())
        if key is None:
            continue
        depth = len(line) - len(line.lstrip())
        stack = [*(one for one in stack if one[0] < depth), (depth, key["key"].strip())]
        found.append(FileEntry(tuple(name for _, name in stack), number, _end(lines, number, depth)))
    return found


def _end(lines: list[str], start: int, depth: int) -> int:
    """Return the line after the last one that is indented below a line."""
    end = start + 1
    for number in range(start + 1, len(lines)):
        text = lines[number].strip()
        if text and not text.startswith("#"):
            if len(lines[number]) - len(lines[number].lstrip()) <= depth:
                break
            end = number + 1
    return end
