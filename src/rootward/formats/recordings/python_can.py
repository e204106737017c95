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
from rootward.formats.recordings.frame import Frame, from_message
from rootward.formats.recordings.problems import Problems, quote
from rootward.formats.recordings.source import read_lines

if TYPE_CHECKING:
    from can import Message

CSV_HEADER = "timestamp,arbitration_id,extended,remote,error,dlc,data"
"""The header that identifies python-can's CSV."""
_NOT_FRAMES = frozenset({"ST", "ER", "EC", "EV", "RR", "Error", "Warng", "Event", "RTR", "FFFFFFFF"})
"""Words that mark the lines of a TRC file that are not data frames."""


def read_csv(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the data frames of a log written by python-can's CSVWriter."""
    reader = _import_can("a CAN log in CSV").CSVReader
    lines = _LineKinds(f"a line of {CSV_HEADER}", lambda number, line: number == 1, lambda line: True)
    return _feed_lines(reader, lines, path, problems)


def read_trc(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the data frames of a PEAK trace."""
    reader = _import_can("a TRC file").TRCReader
    # It logs the lines that it skips; they are reported as problems instead.
    logging.getLogger("can.io.trc").addHandler(logging.NullHandler())

    expected = "a TRC line: a number, a time, a CAN id and data, in the columns that the header names"

    def counts(line: str) -> bool:
        return not line.lstrip().startswith(";") and not _NOT_FRAMES & {*line.split()}

    return _feed_lines(reader, _LineKinds(expected, lambda number, line: line.startswith(";"), counts), path, problems)


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
    reader: Callable[[Any], Iterable[Message]], kinds: _LineKinds, path: Path, problems: Problems
) -> Iterator[Frame]:
    """Yield the frames that a reader of python-can finds."""
    header, lines = _split_header(read_lines(path, problems), kinds.is_header)
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
