"""Logs of ``candump -L``: one frame per line, ``(1794704810.854038) can0 7E0#0322F190``.

Parsed here and not by python-can, whose reader stops at the first broken line and reports no line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rootward.formats.recordings.frame import MAX_DATA_BYTES, Frame, parse_seconds
from rootward.formats.recordings.problems import Problems, quote
from rootward.formats.recordings.source import read_lines

LINE = re.compile(
    r"\s*\((\d{1,20})\.(\d{1,12})\)\s+(\S+)\s+([0-9A-Fa-f]{1,8})#(?:#[0-9A-Fa-f])?(?:((?:[0-9A-Fa-f]{2})*)|(R)\w*)"
    r"(?:\s+[RTrt])?\s*",
    re.ASCII,
)
_ERROR = 0x20000000
"""The bit that marks the id of an error frame."""


def read_candump(path: Path, problems: Problems) -> Iterator[Frame]:
    """Yield the data frames of a candump log, in file order. Broken lines are skipped and added to ``problems``."""
    for number, line in read_lines(path, problems):
        try:
            frame = _parse_line(line, number)
        except ValueError as error:
            problems.add(f"line {number}", error)
        else:
            if frame is not None:
                yield frame


def _parse_line(line: str, number: int) -> Frame | None:
    """Parse a line. Returns None if the line is blank or not a data frame. Raises ValueError if the line is broken."""
    if (found := LINE.fullmatch(line)) is None:
        if line.strip():
            raise ValueError(
                f"not a valid candump line: expected one such as '(1.000000) can0 7E0#023E00', got {quote(line)}"
            )
        return None
    whole, fraction, channel, word, digits, remote = found.groups()
    identifier = int(word, 16)
    if remote or identifier & _ERROR:
        return None
    if len(digits) > 2 * MAX_DATA_BYTES:
        raise ValueError(f"{len(digits) // 2} bytes do not fit into a frame (at most {MAX_DATA_BYTES})")
    return Frame(
        parse_seconds(whole, fraction), identifier & 0x1FFFFFFF, len(word) > 3, bytes.fromhex(digits), channel, number
    )
