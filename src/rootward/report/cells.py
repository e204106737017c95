"""Values and texts as a page shows them: on one line or few, with nothing hidden in them.

``script.js`` writes values in the same way: what it lists must look like what stands in the page already.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rootward.plain import from_json
from rootward.rules.text import value_text

CELL = 120
"""Longer texts are cut in a table ..."""
TEXT = 2_000
"""... and these anywhere, ..."""
WHOLE = 20_000
"""... unless they are meant to be read as a whole, such as code."""

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def cut(text: str, limit: int = CELL) -> str:
    """The text, or its beginning and how long it is."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def visible(text: str) -> str:
    """The text with the characters spelled out that cannot be seen, or change how the others are shown."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def duration(seconds: float) -> str:
    """How long a trial took."""
    if seconds >= 100:
        return f"{seconds:.0f} s"
    size, unit = (1.0, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "µs")
    return f"{float(f'{seconds * size:.3g}'):g} {unit}"


def text(value: Any) -> str:
    """A value of a document."""
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    if not isinstance(value, dict):
        return value_text(value)
    ((kind, content),) = value.items()
    return visible(_KINDS[kind](content) if kind in _KINDS else value_text(from_json(value)))


_KINDS: dict[str, Callable[[Any], str]] = {
    "bytes": lambda content: f"bytes {content}",
    "set": lambda content: "{" + ", ".join(sorted(map(text, content))) + "}",
    "map": lambda content: "{" + ", ".join(f"{text(key)}: {text(item)}" for key, item in content) + "}",
    "enum": lambda content: str(content[2]),
    "object": str,
}
