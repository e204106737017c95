"""Vector ASC: one frame per line, among lines about other things. Some of these are comments.

Parsed here and not by python-can, whose reader stops at the first broken line, silently skips others, reports no line
numbers, and takes relative times (``timestamps relative``) for absolute ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rootward.formats.recordings.frame import MAX_DATA_BYTES, Comment, Frame, parse_seconds
from rootward.formats.recordings.problems import Problems, quote
from rootward.formats.recordings.source import read_lines

_TIME = r"\s*(\d{1,20})\.(\d{1,12})\s+"
_TIMED = re.compile(_TIME, re.ASCII)
_ID = r"([0-9A-Fa-f]{1,10})([xX]?)\s+"
# Both cases spelt out, because re.IGNORECASE takes half as long again.
_CLASSIC = re.compile(_TIME + r"(\d+)\s+" + _ID + r"[RrTt][Xx]\s+[Dd]\s+([0-9A-Fa-f]{1,2})((?:\s.*)?)$", re.ASCII)
_FD = re.compile(
    _TIME + r"CANFD\s+(\d+)\s+[RrTt][Xx]\s+" + _ID + r"(?:(?![01]\s)\S+\s+)?"
    r"[01]\s+[01]\s+([0-9A-Fa-f]{1,2})\s+(\d{1,2})((?:\s.*)?)$",
    re.ASCII,
)
_HEADER = re.compile(r"\s*base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?", re.IGNORECASE)
_COMMENTS = r"\s*(?:$|//|date\s|(?:no\s+)?internal\s+events\s+logged|(?:begin|end)\s*triggerblock"
_EVENTS = (
    r"[A-Z]\w*\b(?!\s+\d+\s+[RT]x\s+[0-9A-F]+x?\s)",  # a word, except the CANFD in front of a frame
    r"\d+\s+[A-F0-9]*+[G-Z]\w*+(?<!X)(?!\s+[RT]x\s+d\s)",  # a channel and a word that is not an id: errors, statistics
    r"\d+\s+\w+\s+(?:TxRq\b|[RT]x\s+r\b)",  # requests to send (logged again when sent) and remote frames
    r"CANFD\s+\d+\s+(?:TxRq\b|(?:[RT]x\s+)?ErrorFrame)",
)
_NOT_FRAMES = re.compile(rf"{_COMMENTS}|\d+\.\d+\s+(?:{'|'.join(_EVENTS)}))", re.ASCII | re.IGNORECASE)
"""Valid lines that are not data frames."""
_TEXT = re.compile(
    rf"(?:\s*//|{_TIME}(?!(?:CAN\w*|LIN\w*|ETH\w*|FR|MOST\w*|J1708|J1939\w*|AFDX|A429|WLAN\w*)\s))\s*([A-Z].*?)\s*$",
    re.ASCII | re.IGNORECASE,
)
"""A comment (``// text``), or an event that begins with a word and is not about a bus."""


def read_asc(path: Path, problems: Problems) -> Iterator[Frame | Comment]:
    """Yield the data frames and comments of an ASC file, in file order.

    Broken lines are skipped and added to ``problems``.
    """
    base, relative, now = 16, False, 0
    for number, line in read_lines(path, problems):
        try:
            time, frame = _parse_line(line, base, number)
        except ValueError as error:
            problems.add(f"line {number}", error)
            continue
        if time is not None:
            now = now + time if relative else time
        if frame is not None:
            yield frame._replace(time=now) if relative else frame
        elif found := _HEADER.match(line):
            base = 10 if found[1].lower() == "dec" else 16
            relative = (found[2] or "").lower() == "relative"
        elif found := _TEXT.match(line):
            yield Comment(now, found[3], number)


def _parse_line(line: str, base: int, number: int) -> tuple[int | None, Frame | None]:
    """Parse a line into its time and its frame. Either may be None. Raises ValueError if the line is broken."""
    if found := _CLASSIC.match(line):
        whole, fraction, channel, identifier, extended, length, rest = found.groups()
        size = min(8, _parse_number(length, base))
    elif found := _FD.match(line):
        whole, fraction, channel, identifier, extended, code, length, rest = found.groups()
        size = int(length)
        if size == 0 and int(code, 16):  # a remote frame, which asks for so many bytes
            return parse_seconds(whole, fraction), None
    elif _NOT_FRAMES.match(line) or _HEADER.match(line):
        timed = _TIMED.match(line)
        return (parse_seconds(*timed.groups()) if timed else None), None
    else:
        raise ValueError(f"not a valid ASC line: expected one such as '1.000000 1 7E0 Rx d 2 3E 00', got {quote(line)}")
    time = parse_seconds(whole, fraction)
    return time, Frame(
        time, _parse_id(identifier, base), bool(extended), _parse_data(rest, size, base), channel, number
    )


def _parse_id(text: str, base: int) -> int:
    identifier = _parse_number(text, base)
    if identifier >= 1 << 29:
        raise ValueError(f"{text} is not a CAN id (29 bits at most)")
    return identifier


def _parse_data(text: str, size: int, base: int) -> bytes:
    if base == 16:
        # Fast path: most writers put one space before each pair of digits.
        with suppress(ValueError):
            if len(data := bytes.fromhex(text[: 3 * size])) == size and not text[3 * size : 3 * size + 1].strip():
                return data
    words = text.split(None, size)[:size]
    if len(words) < size or size > MAX_DATA_BYTES:
        raise ValueError(f"{len(words)} of {size} data bytes are present; a frame has at most {MAX_DATA_BYTES}")
    numbers = [_parse_number(word, base) for word in words]
    if wrong := [word for word, number in zip(words, numbers, strict=True) if not 0 <= number < 256]:
        raise ValueError(f"{quote(wrong[0])} is not a data byte (0 to {'FF' if base == 16 else 255})")
    return bytes(numbers)


def _parse_number(text: str, base: int) -> int:
    try:
        return int(text, base)
    except ValueError:
        raise ValueError(
            f"{quote(text)} is not a {'hexadecimal' if base == 16 else 'decimal'} number, which the header promises"
        ) from None
