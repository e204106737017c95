"""The outcome of one run of the subject.

There are four verdicts, not two: a candidate that fails *differently* (``OTHER``) or cannot be judged at all
(``UNRESOLVED``) must not be mistaken for the failure being diagnosed, nor for a pass.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Verdict(enum.Enum):
    """The answer to "does this candidate show the failure?"."""

    PASS = "pass"
    FAIL = "fail"
    OTHER = "other"
    UNRESOLVED = "unresolved"

    def __repr__(self) -> str:
        return self.name


PASS, FAIL, OTHER, UNRESOLVED = Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """Verdict, signature, measures and artifacts of one run.

    ``signature`` names the failure and distinguishes it from others; ``measures`` are numbers that the subject reports;
    ``artifacts`` maps names to files; ``detail`` is for a person: a line, or the last lines of the error text. If
    several runs decided the verdict, ``votes`` holds the verdict of each.
    """

    verdict: Verdict
    signature: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    artifacts: Mapping[str, str | Path] = field(default_factory=dict)
    detail: str = ""
    votes: tuple[Verdict, ...] = ()
    unstarted: bool = False
    """True if the program seems not to have come as far as its input: it was not found, or could not be loaded."""
    killed: bool = False
    """True if a signal ended the program that somebody else may have sent. A lab runs the trial again to find out, so
    this is never stored."""

    @property
    def runs(self) -> int:
        """Number of runs that decided this verdict."""
        return len(self.votes) or 1

    @property
    def fails(self) -> int:
        """Number of those runs that failed."""
        return self.votes.count(FAIL) if self.votes else int(self.verdict is FAIL)

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict.value,
            "signature": self.signature,
            "measures": dict(self.measures),
            "artifacts": dict(self.artifacts),
            "detail": self.detail,
            "votes": [vote.value for vote in self.votes],
            "unstarted": self.unstarted,
        }
