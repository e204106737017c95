"""A file that goes with a diagnosis: the smallest input that fails, or the test that fails until the fault is mended.

Whoever gets it must be able to use it without asking. So it comes with the command that a person types, and with what
came of typing it: an artifact that nobody has tried says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

REPRODUCER, TEST = "reproducer", "test"


@dataclass(frozen=True)
class Artifact:
    """One file, or a command alone."""

    kind: str
    """``reproducer`` or ``test``."""
    name: str = ""
    """The name of the file; empty if there is none."""
    content: bytes = field(default=b"", repr=False)
    command: str = ""
    """What a person types in the folder of the study."""
    checked: str = ""
    """What came of that, or why there is nothing to type."""
    failure: int = 1
    """Which of the failures it shows, counted from 1; a test is about all of them."""

    @property
    def text(self) -> str:
        """What it holds, if that is text."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            return ""

    def to_dict(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in ("kind", "name", "text", "command", "checked", "failure")}
        return {**told, "bytes": len(self.content)}
