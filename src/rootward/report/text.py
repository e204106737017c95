"""Values, numbers, times and texts as a report writes them: on one line or few, with nothing hidden in them.

``script.js`` writes values in the same way: what it lists must look like what stands in the page already.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

from rootward.report.figures.svg import short
from rootward.rules.text import value_text
from rootward.space.values import from_json

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


def lasted(seconds: float) -> str:
    """A duration as one says it."""
    if seconds < 120:
        return duration(seconds)
    minutes, hours = seconds / 60, seconds / 3600
    return f"{minutes:.0f} min" if minutes < 120 else f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"


def moment(seconds: float) -> str:
    """A point in time, in UTC."""
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%dT%H:%MZ}"


def share(value: float) -> str:
    """A share with two digits, but never more than was measured."""
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def amount(count: int | str) -> str:
    """A number for people: no reader counts the digits of 2^200. One that is written already stays as it is."""
    if isinstance(count, str):
        return count
    if abs(count) < 10**13:
        return f"{count:,}"
    digits = f"{count:x}"  # decimal digits of a very long integer are refused
    return f"about 2^{4 * (len(digits) - 1) + int(digits[0], 16).bit_length() - 1}"


def brief(words: Any, limit: int = 160) -> str:
    """What is repeated on a page, in one line: a name may have a million characters."""
    return short(str(words), limit)


def enumerate_parts(names: Sequence[Sequence[str]]) -> list[str]:
    """``a, b and c``, part by part."""
    words = [", "] * (len(names) - 2) + [" and "] * (len(names) > 1) + [""]
    return [part for name, word in zip(names, words, strict=False) for part in (*name, word)]


def write_value(value: Any) -> str:
    """A value of a document."""
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    if not isinstance(value, dict):
        return value_text(value)
    ((kind, content),) = value.items()
    return visible(_KINDS[kind](content) if kind in _KINDS else value_text(from_json(value)))


_KINDS: dict[str, Callable[[Any], str]] = {
    "bytes": lambda content: f"bytes {content}",
    "set": lambda content: "{" + ", ".join(sorted(map(write_value, content))) + "}",
    "map": lambda content: "{" + ", ".join(f"{write_value(key)}: {write_value(item)}" for key, item in content) + "}",
    "enum": lambda content: str(content[2]),
    "object": str,
}
