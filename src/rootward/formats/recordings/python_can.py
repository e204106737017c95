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
from typing import TYPE_CHECKING, Any

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
    return _feed_lines(reader, lambda number, line: number == 1, lambda line: True, path, problems)


def read_trc(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the data frames of a PEAK trace."""
    reader = _import_can("a TRC file").TRCReader
    # It logs the lines that it skips; they are reported as problems instead.
    logging.getLogger("can.io.trc").addHandler(logging.NullHandler())

    def counts(line: str) -> bool:
        return not line.lstrip().startswith(";") and not _NOT_FRAMES & {*line.split()}

    return _feed_lines(reader, lambda number, line: line.startswith(";"), counts, path, problems)


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


def _feed_lines(
    reader: Callable[[Any], Iterable[Message]],
    heads: Callable[[int, str], bool],
    counts: Callable[[str], bool],
    path: Path,
    problems: Problems,
) -> Iterator[Frame]:
    """Yield the frames that a reader of python-can finds.

    ``heads`` returns True for a line of the header. ``counts`` returns True for a line that should have a frame.
    """
    header, lines = _split_header(read_lines(path, problems), heads)
    restart = True
    while restart:
        feed, restart = _Feed(header, lines), False
        try:
            for message in reader(feed):
                frame = from_message(message, feed.given[-1][0])
                feed.given.pop()
                _report_skipped(feed.given, counts, problems)
                if frame:
                    yield frame
        except Exception as error:  # python-can raises anything for a broken line
            restart = bool(feed.given)
            where, what = (f"line {feed.given[-1][0]}", quote(feed.given.pop()[1])) if restart else ("the header", "")
            problems.add(where, f"{str(error) or type(error).__name__}: {what}")
        _report_skipped(feed.given, counts, problems)


def _split_header(
    lines: Iterator[tuple[int, str]], heads: Callable[[int, str], bool]
) -> tuple[list[str], Iterator[tuple[int, str]]]:
    header: list[str] = []
    for number, line in lines:
        if not heads(number, line):
            return header, chain([(number, line)], lines)
        header.append(line)
    return header, lines


def _report_skipped(left_out: list[tuple[int, str]], counts: Callable[[str], bool], problems: Problems) -> None:
    """Report lines that the reader skipped silently."""
    for number, line in left_out:
        if line.strip() and counts(line):
            problems.add(f"line {number}", f"not a valid frame: {quote(line)}")
    left_out.clear()


def _import_can(what: str) -> Any:
    try:
        import can
    except ImportError as error:
        raise MissingExtra(what, "can") from error
    return can
