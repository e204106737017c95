"""Small files read with errors that name them, files replaced whole or not at all, and paths as people write them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rootward.errors import InputError


def read_text(path: str | Path) -> str:
    """The text of a file; InputError if there is none."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def read_json(path: str | Path) -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} is nested too deeply to be read") from None


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when the block ends well and is gone when it does not.

    Whoever looks at ``path``, at whatever moment, sees one version in full.
    """
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


def seen_from(folder: Path, path: Path) -> str:
    """The way to a path from a folder, unless the two have nothing in common: a text need not tell where a home is."""
    here, there = folder.absolute(), path.absolute()
    shared = os.path.commonpath([here, there])
    return str(there) if shared == there.anchor else os.path.relpath(there, here)


def for_reading(path: Path) -> str:
    """The same from the current folder, for a text and not for a shell: ``~`` stands for home."""
    near = seen_from(Path.cwd(), path)
    home = Path(os.path.expanduser("~"))
    return f"~/{Path(near).relative_to(home)}" if Path(near).is_relative_to(home) else near
