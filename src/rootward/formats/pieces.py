"""A file as a list of pieces, cut so that putting all of them together gives the same bytes again.

Whatever the file holds: a line keeps its ending, the last one may have none, and bytes that are not UTF-8 are
characters of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from rootward.errors import InputError
from rootward.formats.files import replacing


def lines(data: bytes) -> list[bytes]:
    """Cut after each line feed, as ``grep -n`` counts."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def characters(data: bytes) -> list[bytes]:
    """Cut between characters of UTF-8; a byte that belongs to none is one of its own."""
    return [char.encode("utf-8", "surrogateescape") for char in data.decode("utf-8", "surrogateescape")]


CUTS: dict[str, Callable[[bytes], list[bytes]]] = {"lines": lines, "chars": characters}
NOUNS = {"lines": "line", "chars": "character"}


@dataclass(frozen=True)
class Pieces(Sequence[bytes]):
    """The pieces of one file, read once."""

    path: Path
    by: str = "lines"
    pieces: tuple[bytes, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.by not in CUTS:
            raise InputError(f"a file is cut by {' or '.join(CUTS)}, not {self.by!r}")
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror}") from error
        object.__setattr__(self, "pieces", tuple(CUTS[self.by](data)))

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[bytes, ...]: ...
    def __getitem__(self, index: int | slice) -> bytes | tuple[bytes, ...]:
        return self.pieces[index]

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)

    @property
    def noun(self) -> str:
        """What one of them is called."""
        return NOUNS[self.by]

    @property
    def reduced(self) -> Path:
        """Where the reduced file goes unless the user says: ``crash.reduced.json`` beside ``crash.json``."""
        return self.path.with_name(f"{self.path.stem}.reduced{self.path.suffix}")


def write(path: Path, kept: Iterable[bytes]) -> None:
    """Put the kept pieces together as a file."""
    with replacing(path) as file:
        file.writelines(kept)
