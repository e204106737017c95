"""Read small files with errors that name them, replace files atomically, and print paths as people write them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from rootward.errors import InputError


def read_text(path: str | Path) -> str:
    """Return the text of a file; InputError if it cannot be read or is not UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def read_json(path: str | Path) -> Any:
    """Return the parsed content of a JSON file; InputError if it is not JSON."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} cannot be read: its JSON is nested too deeply") from None


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces ``path`` when the block succeeds and is deleted when it raises.

    Readers of ``path`` always see either the old version or the new one, complete.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def check_target(path: Path) -> Path:
    """Return ``path`` if a file can be written there. Raises InputError otherwise.

    Callers check before the first trial, so that a wrong path is refused early.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} cannot be written: it exists and is not a regular file")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: the folder {path.parent} is read-only")
    return path


def make_relative(folder: Path, path: Path) -> str:
    """Return ``path`` relative to ``folder``.

    Returns the absolute path if the two share nothing but the root. A relative path does not reveal where the user's
    home folder is.
    """
    here, there = folder.absolute(), path.absolute()
    shared = os.path.commonpath([here, there])
    return str(there) if shared == there.anchor else os.path.relpath(there, here)


def format_path(path: Path) -> str:
    """Return the path relative to the current folder, with ``~`` for the home folder.

    The result is for people to read, not for a shell.
    """
    relative = make_relative(Path.cwd(), path)
    home = Path(os.path.expanduser("~"))
    return f"~/{Path(relative).relative_to(home)}" if Path(relative).is_relative_to(home) else relative
