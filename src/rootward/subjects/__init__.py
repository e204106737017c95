"""Systems under test, as something that can be run on a candidate."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from rootward.errors import InputError
from rootward.verdict import Outcome

_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


def check_limits(timeout: float | None, memory: int | None) -> None:
    """Refuse limits under which no run could ever end well."""
    if timeout is not None and not (timeout > 0 and math.isfinite(timeout)):
        raise InputError(f"a time-out is a positive number of seconds, not {timeout!r}")
    if memory is not None and not memory > 0:
        raise InputError(f"a limit of memory is a positive number of bytes, not {memory!r}")


def bytes_of(size: str | int) -> int:
    """``2G``, ``1.5 GiB`` or ``4096`` as a number of bytes; K is 1024."""
    match = _SIZE.fullmatch(str(size))
    amount = int(float(match[1]) * 1024 ** _POWERS[match[2].upper()]) if match else 0
    if amount < 1:
        raise InputError(f"expected an amount of memory such as 512M or 2G, got {size!r}")
    return amount


@runtime_checkable
class Subject(Protocol):
    """What the lab runs. Plain callables become one through ``rootward.subjects.function.Function``.

    A subject whose failures have no name that tells them apart may also have ``alike(outcome, reference) -> bool``:
    whether a failing run fails like the one that is being diagnosed. One that can draw may have ``picture(candidate,
    seed=..., marked=...) -> str | None``: see ``rootward.diagnosis.handover.bundle``.
    """

    @property
    def identity(self) -> str:
        """A text that names the system: trials are remembered under it, so it changes when the system does."""
        ...

    @property
    def seeded(self) -> bool:
        """Whether the seed reaches the system: if not, trials are remembered for every seed alike."""
        ...

    @property
    def inline(self) -> bool:
        """Whether it must run in the lab's own thread: fast, but with no time-out and no parallelism."""
        ...

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        """Run once. ``place`` is a folder of this trial's own; make it if it is needed."""
        ...

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        """What a person types to do the same."""
        ...


def with_timeout(subject: Subject, seconds: float) -> Subject:
    """The same subject, each run of which ends after so many seconds."""
    if "timeout" not in getattr(subject, "__dataclass_fields__", {}):
        raise InputError(f"{type(subject).__name__} has no time-out that could be set: let it end its runs itself")
    changed: Subject = dataclasses.replace(cast(Any, subject), timeout=seconds)
    return changed
