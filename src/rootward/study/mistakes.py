"""What is said of a mistake in a study file: at which key, what is expected there, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.fields import show

if TYPE_CHECKING:
    from pydantic import ValidationError

    from rootward.study import tables

At = tuple[str | int, ...]
"""The way to a key, from the top of the file."""


def explain(model: type[tables.Table], data: object, at: At, error: ValidationError) -> tuple[At, str]:
    """The first mistake in a table: at which key, and what is expected there."""
    first = error.errors()[0]
    name = next(iter(first["loc"]), None)
    if not isinstance(name, str) or not isinstance(data, Mapping):
        return at, f"expected a table, got {show(data)}"
    if first["type"] == "extra_forbidden":
        return (*at, name), f"there is no such key{likely(name, model.model_fields)}"
    expected = model.model_fields[name].description
    if name not in data:
        return (*at, name), f"missing: expected {expected}"
    return (*at, name), f"expected {expected}, got {show(data[name])}"


def likely(name: str, names: Mapping[str, Any]) -> str:
    """What a name that does not exist was probably meant to be; else, what there is."""
    near = get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there is {', '.join(names)}" if names else ""


def named(said: object, names: Mapping[str, Any]) -> str:
    """What was said, and which of the names it is near to."""
    near = get_close_matches(said, names, n=1) if isinstance(said, str) else []
    return show(said) + (f" (did you mean {near[0]!r}?)" if near else "")


def dotted(at: At) -> str:
    """The key as it would be written in TOML."""
    words = [str(part) if re.fullmatch(r"[\w-]+", str(part)) else f'"{part}"' for part in at]
    return ".".join(words)


def syntax(path: Path, text: str, message: str) -> str:
    """Where a text stops being TOML, from the message of the parser."""
    what, _, where = message.partition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", where)
    line = found[1] if found else text.count("\n") + (not text.endswith("\n"))
    column = f" (column {found[2]})" if found else " (at the end)"
    return f"{path}:{line}: this is not TOML: {what[:1].lower()}{what[1:]}{column}"
