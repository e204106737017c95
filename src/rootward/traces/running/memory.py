"""What was worked out once is remembered, but not without end."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

REMEMBERED = 10_000
"""So many answers to one question are remembered."""

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


def remember(known: dict[Key, Found], key: Key, found: Found, most: int = REMEMBERED) -> Found:
    """Remember something; if that is too much, forget the rest."""
    if len(known) > most:
        known.clear()
    known[key] = found
    return found
