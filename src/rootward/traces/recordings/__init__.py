"""Read recordings of every kind as traces, one after another. A broken recording never stops the others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rootward.errors import trouble_of
from rootward.formats.files import UnreadableFile
from rootward.formats.recordings.frame import Frame
from rootward.formats.recordings.problems import Problems, RecordingSpan
from rootward.formats.recordings.registry import READERS
from rootward.traces.model.event import Event, Trace, TraceMark
from rootward.traces.recordings.comments import MarkCollector, check_pattern
from rootward.traces.recordings.events import read_json_lines, read_paper_lines, read_table
from rootward.traces.recordings.files import ENDINGS, find_recordings, kind_of
from rootward.traces.recordings.talk import Ecus, can_events, check_ecus, network_events

__all__ = ["Ecus", "read_trace", "read_traces", "uds_trace"]

_EVENTS = {"table": read_table, "json lines": read_json_lines, "lines": read_paper_lines}


def read_traces(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    ecus: Ecus | None = None,
    marks: str | None = None,
) -> Iterator[Trace]:
    """Read the traces of files, folders (with what is in them) and patterns such as ``runs/*.asc``, in the given order.

    The iterator reads each trace when it gets there. CAN logs (ASC, BLF, candump, python-can's CSV, TRC, MF4) and
    network recordings with CAN frames or DoIP (pcap, pcapng) are decoded to UDS; tables, JSON lines and the paper's
    line format contain events directly. Each of them may be compressed with gzip or Zstandard. If times go back, this
    is reported as a problem and the events are sorted by time; frames with an impossible time are reported and left
    out. Raises InputError if a path does not exist; everything else that is wrong is among the problems of the trace.

    :param paths: one file, folder or pattern, or several
    :param ecus: the ECUs by name: for CAN, each with the ids of its requests and responses,
        ``{"ECU": (0x7E0, 0x7E8)}`` (instead of an id, a pair of id and address byte is possible); for DoIP, each with
        its logical address, ``{"Gateway": 0x1001}``. Without ``ecus``, the standard ids are used
    :param marks: a regular expression for the comments with which the test environment marks an error; without it,
        their words decide ("failed", "error", "not ok", ...)
    """
    files, known = list(find_recordings(paths)), check_ecus(ecus)
    check_pattern(marks)
    return (read_trace(path, name=name, ecus=known, marks=marks) for path, name in files)


def read_trace(
    path: str | os.PathLike[str], *, name: str = "", ecus: Ecus | None = None, marks: str | None = None
) -> Trace:
    """Read one trace. It contains the events that could be read, and the problems with everything else.

    Raises MachineTrouble if the file could be read at another time, as when too many files are open.
    """
    path = Path(path)
    problems, span, events, collector = Problems(path), RecordingSpan(), list[Event](), MarkCollector(marks)
    try:
        events = _events(path, ecus, problems, span, collector)
    except UnreadableFile as error:
        _raise_trouble(error.__cause__)
        problems.add("", f"cannot be read: {error.reason}")
    except OSError as error:
        _raise_trouble(error)
        problems.add("", f"cannot be read: {error.strerror or error}")
    return _trace(name or path.name, events, span, problems, str(path), collector.marks(span.first or 0))


def _raise_trouble(error: BaseException | None) -> None:
    """Raise MachineTrouble if the machine caused an error: then it says nothing about the file."""
    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
        trouble = trouble_of(error)
        if trouble.may_pass:
            raise trouble from error


def uds_trace(name: str, frames: Iterable[Frame], *, ecus: Ecus | None = None) -> Trace:
    """Build a trace from CAN frames that do not come from a file, but from a bus or a simulated bus."""
    problems, span = Problems(name), RecordingSpan()
    return _trace(name, can_events(frames, check_ecus(ecus), problems, span), span, problems)


def _trace(
    name: str,
    events: list[Event],
    span: RecordingSpan,
    problems: Problems,
    path: str = "",
    marks: tuple[TraceMark, ...] = (),
) -> Trace:
    span.report(problems)
    end = None if span.first is None else span.last - span.first
    return Trace(name, tuple(events), end, path, problems.texts, marks)


def _events(
    path: Path, ecus: Ecus | None, problems: Problems, span: RecordingSpan, collector: MarkCollector
) -> list[Event]:
    """Read the events of a file.

    ``span`` collects the times at which the recording begins and ends, ``collector`` the marks of the test environment.
    """
    kind = kind_of(path)
    if not kind:
        problems.add("", f"unknown format: expected a CAN log, a network recording or events ({', '.join(ENDINGS)})")
        return []
    if kind == "pcap":
        return network_events(path, ecus, problems, span)
    if kind not in _EVENTS:
        return can_events(collector.take_from(READERS[kind](path, problems)), ecus, problems, span)
    events = _EVENTS[kind](path, problems, span, collector)
    if not events:
        problems.add("", "no events")
    return events
