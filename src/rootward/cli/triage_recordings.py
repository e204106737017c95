"""The recordings of ``rootward triage``: read one by one, and failing ones a second time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.traces.fault import Fault
    from rootward.traces.model.event import Trace
    from rootward.traces.model.model import Model
    from rootward.traces.output.junit import Name
    from rootward.traces.recordings.talk import Ecus
    from rootward.traces.triage import Triage

MAX_LISTED_PROBLEMS = 5
"""Maximum number of problems to print; the others are counted."""


@dataclass
class TraceReader:
    """Reads traces one by one, so that they need not all be in memory."""

    files: list[tuple[Path, str]]
    ecus: Ecus | None
    model: Model
    marks: str | None = None
    """The regular expression for marks of the test environment."""
    names: list[Name] = field(default_factory=list)
    """The names and paths of the traces examined so far, in order."""

    def __iter__(self) -> Iterator[Trace]:
        from rootward.traces.recordings import read_trace

        return (read_trace(path, name=name, ecus=self.ecus, marks=self.marks) for path, name in self.files)

    @property
    def files_examined(self) -> int:
        """Number of files examined so far."""
        return len({path for _, path in self.names})

    def reread_failing(self, finding: Triage) -> Iterator[tuple[Trace, list[Fault]]]:
        """Read the failing traces a second time, and yield each with its faults."""
        from rootward.traces.recordings import read_trace
        from rootward.traces.scope import split_conversations

        by_trace: dict[Name, list[Fault]] = {}
        for fault in finding.faults:
            by_trace.setdefault((fault.trace, fault.path), []).append(fault)
        failing = {path for _, path in by_trace}
        for path, name in self.files:
            if str(path) in failing:
                for trace in split_conversations(self.model, read_trace(path, name=name, ecus=self.ecus)):
                    if (trace.name, trace.path) in by_trace:
                        yield trace, by_trace[trace.name, trace.path]


def print_problems(finding: Triage, quiet: bool) -> None:
    """Print the first problems unless ``quiet``. Raises InputError if no trace could be judged."""
    from rootward.words import count, make_visible

    if finding.blind:
        raise InputError(f"no trace could be judged; the reason for the first: {finding.unjudged[0].reason}")
    if not quiet:
        for text in finding.problems[:MAX_LISTED_PROBLEMS]:
            print(make_visible(f"rootward: {text}"), file=sys.stderr)
        if len(finding.problems) > MAX_LISTED_PROBLEMS:
            print(
                f"rootward: and {count(len(finding.problems) - MAX_LISTED_PROBLEMS, 'more problem')}", file=sys.stderr
            )


def parse_ecus(said: list[str] | None) -> dict[str, int | tuple[int, int]]:
    """Parse the values of ``--ecu``, such as ``Body=7E0/7E8``."""
    from rootward.traces.recordings.talk import parse_addresses

    found: dict[str, int | tuple[int, int]] = {}
    for text in said or []:
        name, equals, where = text.partition("=")
        if not name or not equals or name.split() != [name]:
            raise InputError(
                f"--ecu {text}: expected a name with two CAN ids, such as Body=7E0/7E8, or with a DoIP address, "
                "such as Gateway=1001"
            )
        found |= parse_addresses({name: where})
    return found
