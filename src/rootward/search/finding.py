"""Findings: the answer of a search, its cost, and a flag that says if it is final.

The search fills in the answer, the lab the cost. Two findings are equal if their answers are: the number of trials and
the number of workers do not count.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from reprlib import recursive_repr
from typing import Any

from rootward.facts import Fact
from rootward.search.evidence import Evidence
from rootward.words import make_visible

MAX_REPR_LENGTH = 120
"""Maximum length of a finding's repr, in characters."""


def presenter_of(kind: str) -> Any:
    """Return the presenter that turns this kind of finding into words.

    Presenters belong to the report, which is imported only when words are needed.
    """
    from rootward.report.kinds import presenter_for

    return presenter_for(kind)


@dataclass(frozen=True)
class Steadiness(Fact):
    """Counts of the runs that show if a failure is steady: of the failing input, and of repeated ones."""

    fails: int
    runs: int
    repeated: int = 0
    """Number of repetitions of runs that the answer rests on."""
    changed: int = 0
    """Number of these repetitions with another verdict."""

    @property
    def is_steady(self) -> bool:
        return self.fails == self.runs and not self.changed


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The part that all findings share; the finding of each verb adds its answer.

    A finding holds facts. The sentences that ``str`` prints, and those in its data, are written by its presenter in the
    report.
    """

    complete: bool = True
    trials: int = field(default=0, compare=False)
    """Runs executed, including repetitions and runs made in advance."""
    asked: int = field(default=0, compare=False)
    """Candidates the search asked for, including those whose verdict was known."""
    stopped: str | None = field(default=None, compare=False)
    """The reason the search ended early: ``budget``, ``interrupted``, ``asked to stop``, ``executor lost``,
    ``store lost`` or ``machine trouble``; None if it did not. A complete finding can be ``interrupted``, too, if that
    happened at the very end."""

    signature: str | None = field(default=None, compare=False)
    """The signature of the failure that the search was about, if it has one."""

    error: str = field(default="", compare=False)
    """The last lines of the error text of a run with this failure; empty if it has none."""

    steadiness: Steadiness | None = field(default=None, compare=False)
    """Failures and runs of the failing input, if they were counted."""

    evidence: Evidence | None = field(default=None, compare=False, repr=False)
    """The run that produced the finding, and its trials."""

    def answer(self) -> dict[str, Any]:
        """Return the answer as plain JSON data."""
        raise NotImplementedError

    @property
    def kind(self) -> str:
        """The name of this kind of finding in its data, such as ``product_set``."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()

    def __init_subclass__(cls, **options: Any) -> None:
        """Make subclasses keep the repr of a finding. ``@dataclass`` would replace it by one that lists the fields."""
        super().__init_subclass__(**options)
        kinds = (base for base in cls.__mro__ if issubclass(base, Finding))
        written = next(kind.__dict__["__repr__"] for kind in kinds if "__repr__" in kind.__dict__)
        cls.__repr__ = written  # type: ignore[method-assign]

    def __str__(self) -> str:
        return str(presenter_of(self.kind).words(self))

    @recursive_repr("…")  # a presenter's words may contain the repr of the finding
    def __repr__(self) -> str:
        """Return the answer in one line."""
        name = type(self).__name__
        try:
            line = make_visible(" ".join(str(presenter_of(self.kind).line(self)).split()))
        except Exception:  # a half-built finding in a debugger must still show what it is
            return f"<{name}>"
        partial = "" if self.complete else " (not final)"
        room = MAX_REPR_LENGTH - len(f"<{name}: {partial}>")
        return f"<{name}: {line if len(line) <= room else f'{line[: room - 1]}…'}{partial}>"

    def headline(self) -> str:
        """Return the first line of the explanation."""
        return str(self).partition("\n")[0]

    def remarks(self) -> list[str]:
        """Return sentences about everything a reader should know besides the answer."""
        return list(presenter_of(self.kind).remarks(self))

    def to_dict(self) -> dict[str, Any]:
        return {
            "finding": self.kind,
            "explanation": str(self),
            "complete": self.complete,
            "stopped": self.stopped,
            "signature": self.signature,
            "error": self.error,
            "steadiness": None if self.steadiness is None else asdict(self.steadiness),
            "trials": self.trials,
            "asked": self.asked,
            **self.answer(),
        }

    def cost(self) -> str:
        """Return one line that says how much was run and whether the answer is final."""
        return str(presenter_of(self.kind).cost(self))

    def report(self, path: str | Path) -> Path:
        """Write the finding to a file.

        A name ending in ``.json`` gives data, one ending in ``.md`` a summary, and any other a self-contained HTML
        page.
        """
        from rootward.report.data import document, run_of
        from rootward.report.files import write

        return write(document([run_of(self)]), Path(path))

    def save(self, folder: str | Path) -> Path:
        """Write the finding into a folder, and return the folder.

        The folder gets ``page.html``, ``finding.json`` (the result of ``to_dict``) and, if there were trials,
        ``trials.csv`` (the result of ``table``). A diagnosis adds its reproducer and its test. The folder is created if
        it does not exist. A folder that holds anything but a finding is refused.
        """
        from rootward.report.folder import save

        return save(self, folder)

    def table(self) -> Any:
        """Return the trials as a data frame with one row per trial.

        It is a Polars data frame, or a pandas one if Polars is not installed. The first columns are the candidate: the
        fields of a configuration, or ``kept``, the positions of the kept elements in the original list, counted from 0.
        The other columns are ``verdict``, ``signature``, ``seed``, ``attempt`` and ``seconds``. Raises InputError if
        nothing was run.
        """
        from rootward.report.table import data_frame, trials_of

        return data_frame(trials_of(self))

    def _repr_html_(self) -> str:
        from rootward.report.data import run_of
        from rootward.report.page import fragment

        return fragment(run_of(self))
