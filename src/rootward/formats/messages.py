"""A list of messages with their times: which of them are needed to fail?

A message that is left out leaves a gap. With ``timing="keep"`` it stays, and every message comes when it came. With
``timing="close"`` each message comes as long after the one before it as it came, in the original, after *its*
predecessor there; the first one comes when the list began.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from io import StringIO
from pathlib import Path
from typing import TypeVar

from rootward.errors import InputError
from rootward.formats.json_tree import LINES, grown
from rootward.formats.parts import Part, Parts, Passage, fingerprint, shown
from rootward.formats.tree import encoded, text_of

TIMES = ("time", "t", "timestamp", "stamp")
"""What a time is called; the first of these names that is there counts."""
TIMINGS = ("keep", "close")

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,2})?")
_MEMBER = re.compile(rf'"({"|".join(TIMES)})"[ \t\n\r]*:[ \t\n\r]*')
_CELL = re.compile(r'(?:"(?:[^"]|"")*+"[^,\r\n]*+|[^,\r\n]*+)')
T = TypeVar("T", int, Decimal)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Message(Part):
    """One message, which can be left out."""

    time: float
    """In the unit of the file; of a bag, in seconds."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a message stands in the text, and where its time."""

    span: Span
    stamp: Span


class Messages(Parts[Message]):
    """The messages of a file: JSON lines, or CSV with a header. Each has a time, called as in ``TIMES``."""

    noun = "message"

    def __init__(self, path: Path, timing: str = "keep") -> None:
        self.path, self.timing = path, check_timing(timing)
        self.text, self.codec = text_of(path)
        kind = path.suffix.lower()
        if kind != ".csv" and kind not in LINES:
            raise InputError(f"{path.name} must end in .csv, {', '.join(LINES)}, .bag or .mcap to be read as messages")
        self._found = list((_rows if kind == ".csv" else _objects)(path, self.text))
        self._times = [self._time(found.stamp) for found in self._found]
        source = fingerprint(encoded(self.text, self.codec), self.noun, timing)
        self.parts = tuple(
            Message(i, shown(self.text[slice(*found.span)].strip()), source, float(time))
            for i, (found, time) in enumerate(zip(self._found, self._times, strict=True))
        )

    def _time(self, stamp: Span) -> Decimal:
        text = self.text[slice(*stamp)].strip().strip('"')
        if not _NUMBER.fullmatch(text):
            line = self.text.count("\n", 0, stamp[0]) + 1
            raise InputError(f"{self.path}, line {line}: the time {shown(text)!r} is not a number of seconds")
        return Decimal(text)

    def render(self, kept: Sequence[Message]) -> bytes:
        """The file with these messages only, at the times that ``timing`` gives them."""
        there = sorted(part.index for part in kept)
        times = dict(zip(there, closed(self._times, there), strict=True)) if self.timing == "close" else {}
        pieces, at, chosen = [], 0, set(there)
        for i, found in enumerate(self._found):
            pieces.append(self.text[at : found.span[0]])
            if i in chosen:
                pieces.append(self._at(i, times.get(i, self._times[i])))
            at = found.span[1]
        return encoded("".join([*pieces, self.text[at:]]), self.codec)

    def passages(self, kept: Collection[int]) -> Iterator[Passage]:
        """The file as it was recorded, message by message."""
        at = 0
        for i, found in enumerate(self._found):
            yield self.text[at : found.span[0]], True
            yield self.text[slice(*found.span)], i in kept
            at = found.span[1]
        yield self.text[at:], True

    def _at(self, i: int, time: Decimal) -> str:
        """The text of a message with another time."""
        (start, end), (first, last) = self._found[i].span, self._found[i].stamp
        if time == self._times[i]:
            return self.text[start:end]
        return f"{self.text[start:first]}{time:f}{self.text[last:end]}"


def check_timing(timing: str) -> str:
    if timing not in TIMINGS:
        raise InputError(f"the gaps that messages leave are dealt with by {' or '.join(TIMINGS)}, not {timing!r}")
    return timing


def closed(times: Sequence[T], kept: Sequence[int]) -> list[T]:
    """The times of the kept messages, given by their positions, when the gaps of the others are closed."""
    new: list[T] = []
    with localcontext() as context:
        context.prec = 300  # exact: a number in a file has far fewer digits
        for i in kept:
            new.append(new[-1] + (times[i] - times[i - 1]) if new else times[0])
    return new


def _objects(path: Path, text: str) -> Iterator[_Found]:
    growth = grown(path, text, lines=True)
    stamps: dict[int, tuple[int, Span]] = {}
    for (start, end), parent in zip(growth.spans, growth.parents, strict=True):
        if parent is None or growth.parents[parent] is not None or not (member := _MEMBER.match(text, start)):
            continue
        rank = TIMES.index(member[1])
        if parent not in stamps or rank <= stamps[parent][0]:  # of two members of one name, the last one counts
            stamps[parent] = rank, (member.end(), end)
    for i in growth.collections[None].items:
        if i not in stamps:
            line = text.count("\n", 0, growth.spans[i][0]) + 1
            raise InputError(f"{path}, line {line}: this message has no time: expected a member {', '.join(TIMES)}")
        yield _Found(growth.spans[i], stamps[i][1])


def _rows(path: Path, text: str) -> Iterator[_Found]:
    lines = list(StringIO(text, newline=""))
    reader, column, line, at = csv.reader(lines), None, 0, 0
    try:
        for row in reader:
            start, at, line = at, at + sum(map(len, lines[line : reader.line_num])), reader.line_num
            if row and column is None:
                column = _column(path, row)
            elif row and column is not None:
                yield _Found((start, at), _cell(path, text, start, line, column, row))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from error
    if column is None:
        _column(path, [])


def _column(path: Path, header: Sequence[str]) -> int:
    names = [cell.strip().lower() for cell in header]
    for name in TIMES:
        if name in names:
            return names.index(name)
    raise InputError(f"{path} has no column of times: expected a header with {', '.join(TIMES)}")


def _cell(path: Path, text: str, start: int, line: int, column: int, row: Sequence[str]) -> Span:
    """Where the cell of that column stands in the row that begins at ``start``."""
    end = start - 1
    for _ in row[: column + 1]:
        start = end + 1
        found = _CELL.match(text, start)
        end = found.end() if found else start
    if column >= len(row) or text[start:end].strip('"') != row[column]:
        raise InputError(f"{path}, line {line}: the row has no plain number in the column of times")
    return start, end
