"""Read a small YAML file of a tracker, with a check of its type and its expanded size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import yaml

from rootward.errors import InputError
from rootward.formats.files import read_bytes
from rootward.space.fields import show

T = TypeVar("T", dict[str, Any], list[Any])
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_NODES = 100_000
"""Maximum number of values in one file; a few aliases of aliases can expand to more than any memory holds."""
EXPECTED = {dict: "a mapping such as rate: 0.1", list: "a list such as [rate=0.1]"}


def read(path: Path, kind: type[T]) -> T:
    """Read a file that must hold a mapping or a list."""
    found = value(path)
    if not isinstance(found, kind):
        raise InputError(f"{path}: expected {EXPECTED[kind]}, got {show(found)}")
    return found


def value(path: Path) -> Any:
    """Read the value in a file. A .json file is read as JSON, because YAML reads 1e-5 as text."""
    form = "JSON" if path.suffix.lower() == ".json" else "YAML"
    try:
        text = read_bytes(path).decode("utf-8-sig")
        found = json.loads(text) if form == "JSON" else yaml.load(text, LOADER)
    except InputError:
        raise
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{path} is not {form}: {reason}") from error
    _check_size(found, path)
    return found


def _check_size(found: Any, path: Path) -> None:
    left, seen = [found], 0
    while left:
        node = left.pop()
        seen += 1
        if seen > MAX_NODES:
            raise InputError(f"{path} has more than {MAX_NODES:,} values, the limit")
        left.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
