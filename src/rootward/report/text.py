"""Write values, numbers, times and texts for a report: short, and with invisible characters spelled out.

``templates/script/values.js`` writes values in the same way, so that rows added by the script look like those that are
in the page from the start.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Any

from rootward.report.figures.svg import shorten
from rootward.rules.text import value_text
from rootward.space.values import from_json

MAX_CELL = 120
"""Maximum length of a text in a table, in characters."""
MAX_TEXT = 2_000
"""Maximum length of other texts in a page."""
MAX_WHOLE_TEXT = 20_000
"""Maximum length of a text that is meant to be read as a whole, such as code."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def cut(text: str, limit: int = MAX_CELL) -> str:
    """Return the text if it is not longer than the limit. Otherwise return its beginning, followed by its length."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def visible(text: str) -> str:
    """Replace invisible characters, and those that change how others are shown, by their codes."""
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def duration(seconds: float) -> str:
    """Write the duration of a trial."""
    if seconds == 0:
        return "0 s"
    if seconds >= 100:
        return f"{seconds:.0f} s"
    size, unit = (1.0, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "µs")
    return f"{float(f'{seconds * size:.3g}'):g} {unit}"


def rough_duration(seconds: float) -> str:
    """Write a duration roughly: in minutes, hours or days if it is long."""
    if seconds < 120:
        return duration(seconds)
    minutes, hours = seconds / 60, seconds / 3600
    return f"{minutes:.0f} min" if minutes < 120 else f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"


def moment(seconds: float) -> str:
    """Write a point in time, in UTC."""
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%dT%H:%MZ}"


def share(value: float) -> str:
    """Write a share with two digits; ``1.00`` only if it is exactly 1."""
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


def amount(count: int | str) -> str:
    """Write a count. A text is returned unchanged.

    A huge number is written as a power of two, because 60 digits are unreadable.
    """
    if isinstance(count, str):
        return count
    if abs(count) < 10**13:
        return f"{count:,}"
    digits = f"{count:x}"  # decimal digits of a very long integer are refused
    return f"about 2^{4 * (len(digits) - 1) + int(digits[0], 16).bit_length() - 1}"


def to_one_line(words: Any, limit: int = 160) -> str:
    """Shorten a text to one line: a name may have a million characters, and be repeated on a page."""
    return shorten(str(words), limit)


def enumerate_parts(names: Sequence[Sequence[str]]) -> list[str]:
    """Join names as in ``a, b and c``.

    Each name is a list of parts, words or code, and so is the result.
    """
    words = [", "] * (len(names) - 2) + [" and "] * (len(names) > 1) + [""]
    return [part for name, word in zip(names, words, strict=False) for part in (*name, word)]


def write_value(value: Any) -> str:
    """Write a value of a report's document."""
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    if not isinstance(value, dict):
        return value_text(value)
    ((kind, content),) = value.items()
    return visible(_WRITERS[kind](content) if kind in _WRITERS else value_text(from_json(value)))


_WRITERS: dict[str, Callable[[Any], str]] = {
    "bytes": lambda content: f"bytes {content}",
    "set": lambda content: "{" + ", ".join(sorted(map(write_value, content))) + "}",
    "map": lambda content: "{" + ", ".join(f"{write_value(key)}: {write_value(item)}" for key, item in content) + "}",
    "enum": lambda content: str(content[2]),
    "object": str,
}
