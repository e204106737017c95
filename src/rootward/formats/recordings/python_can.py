"""CAN logs that python-can reads: its own CSV, and the traces of PEAK (TRC).

Its readers stop at the first broken line. So they are fed line by line, and started again after a line that they do
not survive.
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
from rootward.formats.recordings.problems import Problems, numbered, short

if TYPE_CHECKING:
    from can import Message

CSV_HEADER = "timestamp,arbitration_id,extended,remote,error,dlc,data"
"""By which python-can's CSV is told from others."""
_NO_FRAMES = frozenset({"ST", "ER", "EC", "EV", "RR", "Error", "Warng", "Event", "RTR", "FFFFFFFF"})
"""Words of the lines of a TRC file that are about something else."""


def read_csv(path: Path, problems: Problems) -> Iterator[Frame]:
    """The data frames of what python-can's CSVWriter wrote."""
    reader = _python_can("a CAN log in CSV").CSVReader
    return _fed(reader, lambda number, line: number == 1, lambda line: True, path, problems)


def read_trc(path: Path, problems: Problems) -> Iterator[Frame]:
    """The data frames of a PEAK trace."""
    reader = _python_can("a TRC file").TRCReader
    # It logs the lines that it leaves out; they are told as problems.
    logging.getLogger("can.io.trc").addHandler(logging.NullHandler())

    def counts(line: str) -> bool:
        return not line.lstrip().startswith(";") and not _NO_FRAMES & {*line.split()}

    return _fed(reader, lambda number, line: line.startswith(";"), counts, path, problems)


class _Feed(io.TextIOBase):
    """A text for python-can: a header, then the lines not yet read."""

    def __init__(self, header: list[str], lines: Iterator[tuple[int, str]]) -> None:
        self._header, self._lines = iter(header), lines
        self.given: list[tuple[int, str]] = []
        """The lines handed out since it was last emptied."""

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        if (line := next(self._header, None)) is not None:
            return line + "\n"
        if (found := next(self._lines, None)) is None:
            return ""
        self.given.append(found)
        return found[1] + "\n"


def _fed(
    reader: Callable[[Any], Iterable[Message]],
    heads: Callable[[int, str], bool],
    counts: Callable[[str], bool],
    path: Path,
    problems: Problems,
) -> Iterator[Frame]:
    """The frames that a reader of python-can finds. ``heads`` tells the header, ``counts`` which lines have a frame."""
    header, lines = _parted(numbered(path, problems), heads)
    going = True
    while going:
        feed, going = _Feed(header, lines), False
        try:
            for message in reader(feed):
                frame = from_message(message, feed.given[-1][0])
                feed.given.pop()
                _tell(feed.given, counts, problems)
                if frame:
                    yield frame
        except Exception as error:  # whatever python-can makes of a broken line
            going = bool(feed.given)
            where, what = (f"line {feed.given[-1][0]}", short(feed.given.pop()[1])) if going else ("the header", "")
            problems.add(where, f"{str(error) or type(error).__name__}: {what}")
        _tell(feed.given, counts, problems)


def _parted(
    lines: Iterator[tuple[int, str]], heads: Callable[[int, str], bool]
) -> tuple[list[str], Iterator[tuple[int, str]]]:
    header: list[str] = []
    for number, line in lines:
        if not heads(number, line):
            return header, chain([(number, line)], lines)
        header.append(line)
    return header, lines


def _tell(left_out: list[tuple[int, str]], counts: Callable[[str], bool], problems: Problems) -> None:
    """Lines that the reader passed over without a word."""
    for number, line in left_out:
        if line.strip() and counts(line):
            problems.add(f"line {number}", f"cannot be read: {short(line)}")
    left_out.clear()


def _python_can(what: str) -> Any:
    try:
        import can
    except ImportError as error:
        raise MissingExtra(what, "can") from error
    return can
