"""What a search returns: an answer, what it cost, and whether it is final.

A search fills in its answer; the lab fills in the cost. Two findings are equal when their answers are: how many trials
it took, or how wide the lab was, does not matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rootward.search.evidence import Evidence


def presenter_of(kind: str) -> Any:
    """What turns this kind of finding into words. It belongs to the report, and is loaded when words are needed."""
    from rootward.report.kinds import presenter_for

    return presenter_for(kind)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The part that all findings share; each verb's finding adds its answer. It holds facts: what ``str`` prints, and
    what its data says in sentences, is written by its presenter in the report."""

    complete: bool = True
    trials: int = field(default=0, compare=False)
    """Runs executed, repetitions and runs ahead of need included."""
    asked: int = field(default=0, compare=False)
    """Candidates the search asked for, those already known included."""
    stopped: str | None = field(default=None, compare=False)
    """Why the search ended early, if it did: ``budget``, ``interrupted``, ``asked to stop``, ``executor lost`` or
    ``store lost``. A complete one may be ``interrupted``, too: at its very end."""

    signature: str | None = field(default=None, compare=False)
    """The failure that the search was about, where it has a name."""

    evidence: Evidence | None = field(default=None, compare=False, repr=False)
    """The run that made it, and its trials."""

    def answer(self) -> dict[str, Any]:
        """The answer as plain JSON data."""
        raise NotImplementedError

    @property
    def kind(self) -> str:
        """What its data calls it, such as ``product_set``."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()

    def __str__(self) -> str:
        return str(presenter_of(self.kind).words(self))

    def headline(self) -> str:
        """The first line of what it says."""
        return str(self).partition("\n")[0]

    def remarks(self) -> list[str]:
        """What a person should know beside the answer, in sentences."""
        return list(presenter_of(self.kind).remarks(self))

    def to_dict(self) -> dict[str, Any]:
        return {
            "finding": self.kind,
            "explanation": str(self),
            "complete": self.complete,
            "stopped": self.stopped,
            "signature": self.signature,
            "trials": self.trials,
            "asked": self.asked,
            **self.answer(),
        }

    def cost(self) -> str:
        """One line: how much was run, and whether the answer is final."""
        runs = f"{self.trials} trial{'' if self.trials == 1 else 's'} run, {self.asked} asked for"
        return runs if self.complete else f"{runs}; not final ({self.stopped or 'unfinished'})"

    def report(self, path: str | Path) -> Path:
        """Write the finding as one self-contained HTML file; as data if it is called ``.json``, as a summary if
        ``.md``."""
        from rootward.report.data import document, run_of
        from rootward.report.files import write

        return write(document([run_of(self)]), Path(path))

    def _repr_html_(self) -> str:
        from rootward.report.data import run_of
        from rootward.report.page import fragment

        return fragment(run_of(self))
