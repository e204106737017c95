"""CAN logs read by python-can: its own CSV, and the traces of PEAK (TRC).

Its readers stop at the first broken line, so they are fed line by line and restarted after a line that makes them
raise.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rootward.errors import MissingExtra
from rootward.formats.recordings.frame import Comment, Frame, from_message
from rootward.formats.recordings.problems import Problems, quote
from rootward.formats.recordings.rows import row_comments, split_cells
from rootward.formats.recordings.source import read_lines

if TYPE_CHECKING:
    from can import Message

CSV_HEADER = "timestamp,arbitration_id,extended,remote,error,dlc,data"
"""The header that identifies python-can's CSV."""
_NOT_FRAMES = frozenset({"ST", "ER", "EC", "EV", "RR", "Error", "Warng", "Event", "RTR", "FFFFFFFF"})
"""Words that mark the lines of a TRC file that are not data frames."""


def read_csv(path: Path, problems: Problems) -> Iterator[Frame | Comment]:
    """Yield the data frames of a log written by python-can's CSVWriter, and the comments in columns added to it.

    A comment precedes the frame of its line; if the line has no valid frame, it has the time of the frame before.
    """
    reader = _import_can("a CAN log in CSV").CSVReader
    kinds = _LineKinds(f"a line of {CSV_HEADER}", lambda number, line: number == 1, lambda line: True)
    columns = _AddedColumns(read_lines(path, problems))
    now = 0
    for frame in _feed_lines(reader, kinds, columns.cut(), problems):
        for comment in columns.take():
            yield comment._replace(time=frame.time if comment.number == frame.number else now)
        now = frame.time
        yield frame
    for comment in columns.take():
        yield comment._replace(time=now)


class _AddedColumns:
    """Separates the columns that somebody added to a log of python-can, such as the verdict of a test environment."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._names: list[str] = []
        self._found: list[Comment] = []

    def cut(self) -> Iterator[tuple[int, str]]:
        """Yield the lines with the columns of python-can only."""
        width = CSV_HEADER.count(",") + 1
        for number, line in self._lines:
            cells = split_cells(line)
            if number == 1:
                self._names = [name.strip().lower() for name in cells]
            elif len(cells) > width and len(self._names) > width:
                row = dict(zip(self._names[width:], cells[width:], strict=False))
                self._found += row_comments(row, 0, number)
            yield number, ",".join(cells[:width]) if len(self._names) > width else line

    def take(self) -> list[Comment]:
        """Return the comments of the lines that were read since the last call."""
        found, self._found = self._found, []
        return found


def read_trc(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the data frames of a PEAK trace."""
    reader = _import_can("a TRC file").TRCReader
    # It logs the lines that it skips; they are reported as problems instead.
    logging.getLogger("can.io.trc").addHandler(logging.NullHandler())

    expected = "a TRC line: a number, a time, a CAN id and data, in the columns that the header names"

    def counts(line: str) -> bool:
        return not line.lstrip().startswith(";") and not _NOT_FRAMES & {*line.split()}

    kinds = _LineKinds(expected, lambda number, line: line.startswith(";"), counts)
    return _feed_lines(reader, kinds, read_lines(path, problems), problems)


class _Feed(io.TextIOBase):
    """A text stream for python-can. It consists of a header and the lines that have not been read yet."""

    def __init__(self, header: list[str], lines: Iterator[tuple[int, str]]) -> None:
        self._header, self._lines = iter(header), lines
        self.given: list[tuple[int, str]] = []
        """The lines handed out since this list was last cleared."""

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        if (line := next(self._header, None)) is not None:
            return line + "\n"
        if (found := next(self._lines, None)) is None:
            return ""
        self.given.append(found)
        return found[1] + "\n"


class _LineKinds(NamedTuple):
    """The kinds of lines in a log."""

    expected: str
    """A line with a frame, in words."""
    is_header: Callable[[int, str], bool]
    has_frame: Callable[[str], bool]
    """True for a line that should have a frame."""


def _feed_lines(
    reader: Callable[[Any], Iterable[Message]],
    kinds: _LineKinds,
    every: Iterator[tuple[int, str]],
    problems: Problems,
) -> Iterator[Frame]:
    """Yield the frames that a reader of python-can finds in numbered lines."""
    header, lines = _split_header(every, kinds.is_header)
    restart = True
    while restart:
        feed, restart = _Feed(header, lines), False
        try:
            for message in reader(feed):
                number, _ = feed.given.pop()
                _report_skipped(feed.given, kinds, problems)
                try:
                    frame = from_message(message, number)
                except ValueError as error:
                    problems.add(f"line {number}", error)
                else:
                    if frame:
                        yield frame
        except Exception:  # python-can raises anything for a broken line
            restart = bool(feed.given)
            if restart:
                number, line = feed.given.pop()
                problems.add(f"line {number}", f"expected {kinds.expected}, got {quote(line)}")
            else:
                problems.add("the header", f"it cannot be understood, so no line can: expected {kinds.expected}")
        _report_skipped(feed.given, kinds, problems)


def _split_header(
    lines: Iterator[tuple[int, str]], heads: Callable[[int, str], bool]
) -> tuple[list[str], Iterator[tuple[int, str]]]:
    header: list[str] = []
    for number, line in lines:
        if not heads(number, line):
            return header, chain([(number, line)], lines)
        header.append(line)
    return header, lines


def _report_skipped(left_out: list[tuple[int, str]], kinds: _LineKinds, problems: Problems) -> None:
    """Report lines that the reader skipped silently."""
    for number, line in left_out:
        if line.strip() and kinds.has_frame(line):
            problems.add(f"line {number}", f"expected {kinds.expected}, got {quote(line)}")
    left_out.clear()


def _import_can(what: str) -> Any:
    try:
        import can
    except ImportError as error:
        raise MissingExtra(what, "can") from error
    return can
