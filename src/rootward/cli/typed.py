"""What the user typed, for reports that say how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextvars import ContextVar

_typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())

remember = _typed.set
"""Called with the program's arguments before anything else."""


def command_line() -> str:
    """The command that is being run, as a shell takes it; without ``--fresh``, which would not show the same again but
    start over."""
    typed = list(_typed.get())
    end = typed.index("--") if "--" in typed else len(typed)
    options = [word for word in typed[:end] if word != "--fresh"]
    return shlex.join(["rootward", *options, *typed[end:]])
