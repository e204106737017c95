"""Sets of small integers as the bits of one: union, intersection and inclusion are single operations."""

from __future__ import annotations

from collections.abc import Iterator


def bits(number: int) -> Iterator[int]:
    """The places of the ones, lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
