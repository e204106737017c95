"""A small YAML file that a tracker wrote, checked to be what is expected and not to be larger than it looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import yaml

from rootward.errors import InputError
from rootward.space.fields import show

T = TypeVar("T", dict[str, Any], list[Any])
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NODES = 100_000
"""Values in one file; a few aliases of aliases would make more of them than any memory holds."""
EXPECTED = {dict: "a mapping such as rate: 0.1", list: "a list such as [rate=0.1]"}


def read(path: Path, kind: type[T]) -> T:
    """What the file holds: a mapping, or a list."""
    found = value(path)
    if not isinstance(found, kind):
        raise InputError(f"{path}: expected {EXPECTED[kind]}, got {show(found)}")
    return found


def value(path: Path) -> Any:
    """What the file holds, whatever it is; a .json file is read as such, for YAML takes 1e-5 as text."""
    form = "JSON" if path.suffix.lower() == ".json" else "YAML"
    try:
        text = path.read_text(encoding="utf-8-sig")
        found = json.loads(text) if form == "JSON" else yaml.load(text, LOADER)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
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
        if seen > NODES:
            raise InputError(f"{path} has more than {NODES:,} values")
        left.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
