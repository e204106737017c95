"""A path as a person writes it who is in some folder: what is passed on need not tell where anybody's home is."""

from __future__ import annotations

import os
from pathlib import Path


def seen_from(folder: Path, path: Path) -> str:
    """The way to a path from a folder, unless the two have nothing in common."""
    here, there = folder.absolute(), path.absolute()
    shared = os.path.commonpath([here, there])
    return str(there) if shared == there.anchor else os.path.relpath(there, here)


def for_reading(path: Path) -> str:
    """The same from the current folder, for a text and not for a shell: ``~`` stands for home."""
    near = seen_from(Path.cwd(), path)
    home = Path(os.path.expanduser("~"))
    return f"~/{Path(near).relative_to(home)}" if Path(near).is_relative_to(home) else near
