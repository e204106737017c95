"""Files of messages with times, in which each message can be removed.

A removed message leaves a gap in time. With ``timing="keep"`` the gap stays: every kept message has its original time.
With ``timing="close"`` the gap closes: each kept message follows the previous kept one after the interval that
separated it from its original predecessor, and the first kept message gets the time of the first message of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from pathlib import Path
from typing import TypeVar

from rootward.errors import InputError
from rootward.formats.documents.csv_rows import Row, find_cells, find_rows
from rootward.formats.documents.json_tree import LINES_EXTENSIONS, parse_tree
from rootward.formats.documents.parts import (
    Edit,
    Part,
    Span,
    TextParts,
    encode,
    fingerprint,
    origin_of,
    shorten,
    text_of,
)

TIME_NAMES = ("time", "t", "timestamp", "stamp")
"""Names of the column or member that holds a message's time; the first of these that is present counts."""
TIMINGS = ("keep", "close")

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{0,40})?(?:[eE][+-]?[0-9]{1,2})?")
_MEMBER = re.compile(rf'"({"|".join(TIME_NAMES)})"[ \t\n\r]*:[ \t\n\r]*')
T = TypeVar("T", int, Decimal)


@dataclass(frozen=True, slots=True)
class Message(Part):
    """One message, which can be removed."""

    time: float
    """The time, in the unit of the file; in a bag, in seconds."""


@dataclass(frozen=True, slots=True)
class RewrittenMessage(Message):
    """A message with other values, or with the content of another message. Its time is unchanged. See ``Rewritten``."""

    origin: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """The span of a message in the text, and the span of the message's time."""

    span: Span
    stamp: Span


class Messages(TextParts[Message]):
    """The messages of a file of JSON lines, or of a CSV file with a header.

    Each message has a time under one of the names in ``TIME_NAMES``.
    """

    noun = "message"

    def __init__(self, path: Path, timing: str = "keep") -> None:
        self.path, self.timing = path, check_timing(timing)
        self.text, self.codec = text_of(path)
        kind = path.suffix.lower()
        if kind != ".csv" and kind not in LINES_EXTENSIONS:
            raise InputError(
                f"{path.name} cannot be cut into messages: its name must end in .csv, {', '.join(LINES_EXTENSIONS)}, "
                ".bag or .mcap"
            )
        self.found = list((_rows if kind == ".csv" else _objects)(path, self.text))
        self.spans = [found.span for found in self.found]
        self._times = [self._time(found.stamp) for found in self.found]
        source = fingerprint(encode(self.text, self.codec), self.noun, timing)
        self.parts = tuple(
            Message(i, shorten(self.text[slice(*found.span)].strip()), source, float(time))
            for i, (found, time) in enumerate(zip(self.found, self._times, strict=True))
        )

    def _time(self, stamp: Span) -> Decimal:
        text = self.text[slice(*stamp)].strip().strip('"')
        if not _NUMBER.fullmatch(text):
            line = self.text.count("\n", 0, stamp[0]) + 1
            raise InputError(f"{self.path}, line {line}: the time {shorten(text)!r} is not a number")
        return Decimal(text)

    def render(self, kept: Sequence[Message]) -> bytes:
        """Return the file with only the ``kept`` messages, with times according to ``timing``."""
        there = {part.index: part for part in sorted(kept, key=lambda part: part.index)}
        times = close_gaps(self._times, list(there)) if self.timing == "close" else [self._times[i] for i in there]
        return self._join(dict(zip(there, map(self._at, there.values(), times), strict=True)))

    def rewrite(self, part: Message, origin: int, edits: tuple[Edit, ...]) -> RewrittenMessage:
        """Return a message with the time of ``part`` and the content of message ``origin``, changed by ``edits``."""
        moved = RewrittenMessage(part.index, "", part.source, part.time, origin, edits)
        return replace(moved, text=shorten(self._at(moved, self._times[part.index]).strip()))

    def _at(self, part: Message, time: Decimal) -> str:
        """Return the text of a message with another time."""
        origin, edits = origin_of(part)
        if time != self._times[origin]:
            edits = (*edits, (*self.found[origin].stamp, f"{time:f}"))
        return self._write_part(part.index, origin, edits)


def check_timing(timing: str) -> str:
    if timing not in TIMINGS:
        raise InputError(f"timing must be {' or '.join(TIMINGS)}, not {timing!r}")
    return timing


def close_gaps(times: Sequence[T], kept: Sequence[int]) -> list[T]:
    """Return new times for the kept messages, with the gaps closed that the removed messages leave.

    ``kept`` holds the positions of the kept messages in ``times``.
    """
    new: list[T] = []
    with localcontext() as context:
        context.prec = 300  # exact: a number in a file has far fewer digits
        for i in kept:
            new.append(new[-1] + (times[i] - times[i - 1]) if new else times[0])
    return new


def _objects(path: Path, text: str) -> Iterator[MessageSpan]:
    growth = parse_tree(path, text, lines=True)
    stamps: dict[int, tuple[int, Span]] = {}
    for (start, end), parent in zip(growth.spans, growth.parents, strict=True):
        if parent is None or growth.parents[parent] is not None or not (member := _MEMBER.match(text, start)):
            continue
        rank = TIME_NAMES.index(member[1])
        if parent not in stamps or rank <= stamps[parent][0]:  # of two members with the same name, the last one counts
            stamps[parent] = rank, (member.end(), end)
    for i in growth.collections[None].items:
        if i not in stamps:
            line = text.count("\n", 0, growth.spans[i][0]) + 1
            raise InputError(
                f"{path}, line {line}: the message has no time: add a member named {' or '.join(TIME_NAMES)}"
            )
        yield MessageSpan(growth.spans[i], stamps[i][1])


def _rows(path: Path, text: str) -> Iterator[MessageSpan]:
    rows = find_rows(path, text)
    header = next(rows, None)
    column = _column(path, header.cells if header is not None else [])
    for row in rows:
        yield MessageSpan(row.span, _cell(path, text, row, column))


def _column(path: Path, header: Sequence[str]) -> int:
    names = [cell.strip().lower() for cell in header]
    for name in TIME_NAMES:
        if name in names:
            return names.index(name)
    raise InputError(f"{path} has no column with times: its header must name one {' or '.join(TIME_NAMES)}")


def _cell(path: Path, text: str, row: Row, column: int) -> Span:
    """Return the span of the row's cell in ``column``."""
    if column < len(row.cells):
        start, end = find_cells(text, row)[column]
        if text[start:end].strip('"') == row.cells[column]:
            return start, end
    raise InputError(f"{path}, line {row.line}: the row has no plain number in its time column")
