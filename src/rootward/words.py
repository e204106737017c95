"""Small formatters for messages: safe text for terminals, durations, numbers with their nouns."""

from __future__ import annotations

import re

_PASSWORD = re.compile(r"(://[^:/@]*:)[^@]*(?=@)|([?&](?:ssl)?password=)[^&]*", re.IGNORECASE)


def make_visible(text: str) -> str:
    """Escape control characters, except line feeds. A terminal then shows them instead of obeying them."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def hide_password(text: str) -> str:
    """Replace the password in the URL of a database by ``***``; other texts stay as they are."""
    return _PASSWORD.sub(r"\1\2***", text)


def first_sentence(text: str) -> str:
    """Return the first line of a text. If this line ends in a colon, the next line is added."""
    head, _, rest = text.partition("\n")
    announced = rest.partition("\n")[0].strip() if head.endswith(":") else ""
    return f"{head} {announced}" if announced else head.rstrip(":.")


def show_size(size: int) -> str:
    """Format a number of bytes: ``2.5 MB``."""
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"


def clock(seconds: float) -> str:
    """Format a duration: ``0:07``, ``12:34`` or ``1:02:03``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def count(number: int, noun: str) -> str:
    """Format a number with its noun: ``1 run``, ``1,024 runs``."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a noun: ``runs``, ``bodies``, ``joys``."""
    return f"{noun[:-1]}ies" if re.search("[^aeiou]y$", noun) else f"{noun}s"
