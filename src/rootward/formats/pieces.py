"""A file as a list of pieces, cut so that putting all of them together gives the same bytes again.

Whatever the file holds: a line keeps its ending, the last one may have none, and bytes that are not UTF-8 are
characters of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.parts import Parts, Passage, read


def lines(data: bytes) -> list[bytes]:
    """Cut after each line feed, as ``grep -n`` counts."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def characters(data: bytes) -> list[bytes]:
    """Cut between characters of UTF-8; a byte that belongs to none is one of its own."""
    return [char.encode("utf-8", "surrogateescape") for char in data.decode("utf-8", "surrogateescape")]


def tokens(data: bytes) -> list[bytes]:
    """Cut into words, numbers, runs of blanks, and single other characters."""
    text = data.decode("utf-8", "surrogateescape")
    return [token.encode("utf-8", "surrogateescape") for token in _TOKEN.findall(text)]


# A number keeps its point and exponent, not its sign: in a-1 that is an operator. Any other character stands alone.
_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\w)|\w+|\s+|.", re.DOTALL)

CUTS: dict[str, Callable[[bytes], list[bytes]]] = {"lines": lines, "chars": characters, "tokens": tokens}
NOUNS = {"lines": "line", "chars": "character", "tokens": "token"}


@dataclass(frozen=True)
class Pieces(Parts[bytes]):
    """The pieces of one file, read once."""

    path: Path
    by: str = "lines"
    noun: str = field(init=False, repr=False, compare=False)
    parts: tuple[bytes, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.by not in CUTS:
            raise InputError(f"a file is cut by {', '.join(CUTS)}, not {self.by!r}")
        object.__setattr__(self, "noun", NOUNS[self.by])
        object.__setattr__(self, "parts", tuple(CUTS[self.by](read(self.path))))

    def render(self, kept: Sequence[bytes]) -> bytes:
        """The file with these pieces only."""
        return b"".join(kept)

    def passages(self, kept: Collection[int]) -> Iterator[Passage]:
        """The file, piece by piece."""
        texts = (part.decode("utf-8", "backslashreplace") for part in self.parts)
        return ((text, i in kept) for i, text in enumerate(texts))
