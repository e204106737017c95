"""A file is replaced whole or not at all: whoever looks at it, at whatever moment, sees one version in full."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from rootward.errors import InputError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when the block ends well and is gone when it does not."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(fresh, "wb") as file:
            yield file
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def check_target(path: Path) -> Path:
    """The path, if a file can be put there: better known before the first trial than after the last."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a file that can be replaced")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: the folder {path.parent} is read-only")
    return path
