"""Annotate a recording: write a copy in ASC format, with a comment before each frame that matters.

An ASC file is copied line by line, unchanged. From other CAN logs, the frames and their comments are written in ASC
format. Recordings without frames are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from rootward.formats.files import replace_file
from rootward.formats.recordings.frame import Comment, Frame
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.registry import READERS
from rootward.formats.recordings.source import open_recording
from rootward.traces.fault import Fault
from rootward.traces.model.event import Trace
from rootward.traces.output.words import expected_text, observed_text
from rootward.traces.recordings.comments import OWN_SIGN
from rootward.traces.recordings.files import kind_of

SIGN = f"// {OWN_SIGN}"
MAX_CLASSIC_BYTES = 8
"""Maximum number of data bytes of a frame that is not CAN FD."""
END = -1
"""The position of remarks that come after all frames."""
_HEADER = ("date Thu Jan 1 00:00:00.000 am 1970", "base hex  timestamps absolute", "no internal events logged")

Remarks = Mapping[int, Sequence[str]]
"""Remarks by the number of the line or frame before which they are inserted."""


def remarks(trace: Trace, faults: Iterable[tuple[Fault, str]]) -> dict[int, list[str]]:
    """Return the remarks on the faults of a trace. Each fault is paired with the text of its cause."""
    found: dict[int, list[str]] = {}
    for fault, why in faults:
        for number, index in enumerate(fault.kept, 1):
            if index < len(trace.events) and index != fault.index:
                event = trace.events[index]
                said = f"relevant message {number} of {len(fault.kept)}: {event.text}"
                found.setdefault(event.line or END, []).append(said)
        where = (fault.event.line or END) if fault.event is not None else END
        found.setdefault(where, []).extend(_describe(fault, why))
    return found


def _describe(fault: Fault, why: str) -> Iterator[str]:
    yield f"FAULT: {why}"
    yield f"expected {expected_text(fault)}"
    yield f"observed {observed_text(fault)}"
    if fault.requirement:
        yield f"required: {fault.requirement}"


def annotate(trace: Trace, said: Remarks, target: Path) -> bool:
    """Write the annotated copy of a recording to ``target``. Return False if the recording has no frames."""
    path = Path(trace.path)
    kind = kind_of(path)
    if kind not in READERS:
        return False
    if kind == "asc":
        lines = _copy_lines(path, said)
    else:
        frames = READERS[kind](path, Problems(path))
        if (first := next(frames, None)) is None:
            return False
        lines = _write_frames(chain([first], frames), said)
    with replace_file(target) as file:
        file.writelines(lines)
    return True


def _copy_lines(path: Path, said: Remarks) -> Iterator[bytes]:
    newline, ended = b"\n", True
    with open_recording(path, Problems(path)) as file:
        for number, line in enumerate(file, 1):
            newline = b"\r\n" if line.endswith(b"\r\n") else b"\n"
            yield from (_comment(text) + newline for text in said.get(number, ()))
            ended = line.endswith(b"\n")
            yield line
    if END in said and not ended:
        yield newline
    yield from (_comment(text) + newline for text in said.get(END, ()))


def _write_frames(frames: Iterable[Frame | Comment], said: Remarks) -> Iterator[bytes]:
    yield from (f"{line}\n".encode() for line in _HEADER)
    channels: dict[str, int] = {}
    start = None
    for frame in frames:
        if isinstance(frame, Comment):
            yield _comment(frame.text, "//") + b"\n"
            continue
        start = frame.time if start is None else start
        yield from (_comment(text) + b"\n" for text in said.get(frame.number, ()))
        channel = channels.setdefault(frame.channel, len(channels) + 1)
        yield f"{_line(frame, max(0, frame.time - start), channel)}\n".encode()
    yield from (_comment(text) + b"\n" for text in said.get(END, ()))


def _line(frame: Frame, time: int, channel: int) -> str:
    when = f"{time // 1_000_000:4}.{time % 1_000_000:06}"
    who = f"{frame.id:X}{'x' if frame.extended else ''}"
    size, data = len(frame.data), frame.data.hex(" ").upper()
    if size <= MAX_CLASSIC_BYTES:
        return f"{when} {channel}  {who:<15} Rx   d {size:X} {data}"
    return f"{when} CANFD {channel} Rx {who:<10} 0 0 {_length_code(size):x} {size:2} {data}"


def _length_code(size: int) -> int:
    """Return the data length code (DLC) of CAN FD for a number of bytes above 8."""
    return next((9 + i for i, most in enumerate((12, 16, 20, 24, 32, 48)) if size <= most), 15)


def _comment(text: str, sign: str = SIGN) -> bytes:
    return f"{sign} {' '.join(text.split())}".encode("utf-8", "backslashreplace")
