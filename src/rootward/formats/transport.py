"""A message that a transport protocol carried in pieces, or what is left of one."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    data: bytes
    first: int
    """The instant of its first piece, in microseconds."""
    last: int
    first_number: int
    """The place of its first piece in the file."""
    last_number: int
    error: str = ""
    """What went wrong, in a word; ``data`` is what was there then."""
