"""What a search returns: an answer, what it cost, and whether it is final.

A search fills in its answer; the lab fills in the cost. Two findings are equal when their answers are: how many trials
it took, or how wide the lab was, does not matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from reprlib import recursive_repr
from typing import Any

from rootward.search.evidence import Evidence
from rootward.words import visible

WIDE = 120
"""A finding's repr is not longer than this."""


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

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the repr of a finding: ``@dataclass`` would write one that lists the fields."""
        super().__init_subclass__(**options)
        kinds = (base for base in cls.__mro__ if issubclass(base, Finding))
        written = next(kind.__dict__["__repr__"] for kind in kinds if "__repr__" in kind.__dict__)
        cls.__repr__ = written  # type: ignore[method-assign]

    def __str__(self) -> str:
        return str(presenter_of(self.kind).words(self))

    @recursive_repr("…")  # of words that are a repr
    def __repr__(self) -> str:
        """The answer in one line."""
        name = type(self).__name__
        try:
            said = visible(" ".join(str(presenter_of(self.kind).line(self)).split()))
        except Exception:  # whoever debugs a finding that is not whole needs to see that it is one
            return f"<{name}>"
        partial = "" if self.complete else " (not final)"
        room = WIDE - len(f"<{name}: {partial}>")
        return f"<{name}: {said if len(said) <= room else f'{said[: room - 1]}…'}{partial}>"

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
        return str(presenter_of(self.kind).cost(self))

    def report(self, path: str | Path) -> Path:
        """Write the finding as one self-contained HTML file; as data if it is called ``.json``, as a summary if
        ``.md``."""
        from rootward.report.data import document, run_of
        from rootward.report.files import write

        return write(document([run_of(self)]), Path(path))

    def save(self, folder: str | Path) -> Path:
        """Write the finding into a folder: ``page.html``, ``finding.json`` (what ``to_dict`` gives) and, if there were
        trials, ``trials.csv`` (what ``table`` gives). The folder is made if there is none; one that holds anything but
        a finding is refused. A diagnosis adds what it hands over. Returns the folder."""
        from rootward.report.folder import save

        return save(self, folder)

    def table(self) -> Any:
        """The trials as a Polars data frame, or as a pandas one if there is no Polars: a row for each trial.

        The first columns say what was run: the fields of a configuration, or ``kept``, the positions of the kept
        elements in the original list, counted from 0. The others are ``verdict``, ``signature``, ``seed``, ``attempt``
        and ``seconds``. InputError if nothing was run.
        """
        from rootward.report.table import data_frame, trials_of

        return data_frame(trials_of(self))

    def _repr_html_(self) -> str:
        from rootward.report.data import run_of
        from rootward.report.page import fragment

        return fragment(run_of(self))
