"""Recordings for ``rootward triage``: read one by one, and what could not be read is remembered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.traces.event import Trace
    from rootward.traces.fault import Fault
    from rootward.traces.output.junit import Name
    from rootward.traces.recordings.ecus import Ecus
    from rootward.traces.triage import Triage

TOLD = 5
"""So many problems with reading are told one by one."""


@dataclass
class Reader:
    """Reads traces one by one, until it is told to stop, and remembers what could not be read."""

    files: list[tuple[Path, str]]
    ecus: Ecus | None
    stop: bool = False
    names: list[Name] = field(default_factory=list)
    unread: dict[Name, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    count: int = 0
    """How many problems there are; only the first ones are kept."""

    def __iter__(self) -> Iterator[Trace]:
        from rootward.traces.recordings import read_trace

        for path, name in self.files:
            if self.stop:
                return
            trace = read_trace(path, name=name, ecus=self.ecus)
            self.count += len(trace.problems)
            self.problems += trace.problems[: TOLD - len(self.problems)]
            if trace.problems and not trace.events:
                self.unread[trace.name, trace.path] = trace.problems[0]
            else:
                self.names.append((trace.name, trace.path))
                yield trace

    def again(self, finding: Triage) -> Iterator[tuple[Trace, list[Fault]]]:
        """The failing traces once more, each with its faults."""
        from rootward.traces.recordings import read_trace

        by_trace: dict[Name, list[Fault]] = {}
        for fault in finding.faults:
            by_trace.setdefault((fault.trace, fault.path), []).append(fault)
        for (name, path), faults in by_trace.items():
            yield read_trace(path, name=name, ecus=self.ecus), faults

    def tell(self, quiet: bool) -> None:
        """InputError if nothing could be read."""
        from rootward.progress import count, visible

        if self.unread and not self.names:
            raise InputError(f"no trace could be read; the first: {next(iter(self.unread.values()))}")
        if not quiet:
            for text in self.problems:
                print(visible(f"rootward: {text}"), file=sys.stderr)
            if self.count > len(self.problems):
                print(f"rootward: and {count(self.count - len(self.problems), 'more problem')}", file=sys.stderr)
