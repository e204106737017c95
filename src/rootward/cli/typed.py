"""What the user typed, for reports that say how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextvars import ContextVar

_typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())

remember = _typed.set
"""Called with the program's arguments before anything else."""


def command_line() -> str:
    """The command that is being run, as a shell takes it."""
    return shlex.join(["rootward", *_typed.get()])
