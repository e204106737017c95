"""Subjects: systems under test, as objects that can be run on a candidate."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from rootward.errors import InputError
from rootward.verdict import FAIL, Outcome

_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


def check_limits(timeout: float | None, memory: int | None) -> None:
    """Raise InputError if a limit is not a positive number."""
    if timeout is not None and not (timeout > 0 and math.isfinite(timeout)):
        raise InputError(f"timeout must be a positive number of seconds, got {timeout!r}")
    if memory is not None and not memory > 0:
        raise InputError(f"memory must be a positive number of bytes, got {memory!r}")


def bytes_of(size: str | int) -> int:
    """Convert a size such as ``2G``, ``1.5 GiB`` or ``4096`` to a number of bytes; K is 1024."""
    match = _SIZE.fullmatch(str(size))
    amount = int(float(match[1]) * 1024 ** _POWERS[match[2].upper()]) if match else 0
    if amount < 1:
        raise InputError(f"expected an amount of memory such as 512M or 2G, got {size!r}")
    return amount


def out_of_memory(limit: int) -> Outcome:
    """Return the outcome of a run whose processes exceeded the limit of memory together."""
    detail = f"its processes used more than {limit / 1024**2:,.4g} MiB of memory together"
    return Outcome(FAIL, signature="memory", detail=detail)


@runtime_checkable
class Subject(Protocol):
    """The interface of the systems that the lab runs.

    ``rootward.subjects.function.Function`` turns a plain callable into a subject.

    A subject may also have two further methods. ``alike(outcome, reference) -> bool`` returns True if a failing run
    fails like the one that is being diagnosed; a subject needs it if the signatures of its failures do not distinguish
    them. ``picture(candidate, seed=..., marked=...) -> str | None`` draws a run: see
    ``rootward.diagnosis.handover.bundle``.
    """

    @property
    def identity(self) -> str:
        """A text that identifies the system.

        Trials are stored under this text, so it must change when the system changes.
        """
        ...

    @property
    def seeded(self) -> bool:
        """True if the system uses the seed. If it does not, a stored trial counts for every seed."""
        ...

    @property
    def inline(self) -> bool:
        """True if the subject runs in the lab's own thread. This is fast, but without time-out and parallelism."""
        ...

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        """Run the candidate once.

        ``place`` is the path of a folder for this trial only; create the folder if it is needed.
        """
        ...

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        """Return the command that a person types to repeat a run."""
        ...


def with_timeout(subject: Subject, seconds: float) -> Subject:
    """Return the same subject with a time-out for each run."""
    if "timeout" not in getattr(subject, "__dataclass_fields__", {}):
        raise InputError(f"{type(subject).__name__} does not support a time-out: it must limit its runs itself")
    changed: Subject = dataclasses.replace(cast(Any, subject), timeout=seconds)
    return changed
