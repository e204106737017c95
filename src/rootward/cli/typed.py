"""What the user typed, for reports that say how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path

from rootward.formats.paths import seen_from

_typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())

remember = _typed.set
"""Called with the program's arguments before anything else."""


def command_line() -> str:
    """The command that is being run, as a shell takes it; without ``--fresh``, which would not show the same again but
    start over, and with files as one names them here."""
    typed = list(_typed.get())
    end = typed.index("--") if "--" in typed else len(typed)
    options = [_near(word) for word in typed[:end] if word != "--fresh"]
    return shlex.join(["rootward", *options, *typed[end:]])


def _near(word: str) -> str:
    """A path as one writes it here: who gets the report need not know where home is."""
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    path = Path(value)
    if not path.is_absolute() or not path.exists():
        return word
    near = seen_from(Path.cwd(), path)
    return word if not option and near.startswith("-") else f"{option}{equals}{near}"  # it would be taken for an option
