"""The parts of a document: what it is cut into, and what can be left out.

A part is told apart by its number and by the document it comes from, never by its content: it stays small however
large the document is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, overload

from rootward.errors import InputError
from rootward.keys import key

LONGEST = 200
"""So many characters of a part's text are shown at most."""


@dataclass(frozen=True, slots=True)
class Part:
    """One element of a document, which can be left out."""

    index: int
    """Its number in the document, from 0."""
    text: str
    """What a person reads."""
    source: str
    """The fingerprint of the whole document: parts of a file that was changed are other parts."""

    def __str__(self) -> str:
        return self.text


Span = tuple[int, int]
Edit = tuple[int, int, str]
"""From, to, and what is written instead, in the text of a document."""


@dataclass(frozen=True, slots=True)
class Rewritten(Part):
    """A part with other values in it, or with those of another one."""

    origin: int
    """The part that stands here as far as it is not edited."""
    edits: tuple[Edit, ...]


Passage = tuple[str, bool]
"""A piece of a document's text, and whether it is left."""
P = TypeVar("P")


class Parts(Sequence[P], Generic[P]):
    """The parts of one document, in the order of the file."""

    path: Path
    noun: str
    parts: tuple[P, ...]

    @overload
    def __getitem__(self, index: int) -> P: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[P, ...]: ...
    def __getitem__(self, index: int | slice) -> P | tuple[P, ...]:
        return self.parts[index]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[P]:
        return iter(self.parts)

    @property
    def reduced(self) -> Path:
        """Where the reduced document goes unless the user says."""
        return reduced(self.path)


def read(path: Path) -> bytes:
    """What the file holds; InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def reduced(path: Path) -> Path:
    """``crash.reduced.json`` beside ``crash.json``."""
    return path.with_name(f"{path.stem}.reduced{path.suffix}")


def edited(text: str, edits: Iterable[Edit], start: int = 0, stop: int | None = None) -> str:
    """That piece of the text with these edits; one that lies within another, which comes before it, is void."""
    pieces, at = [], start
    for first, last, instead in sorted(edits, key=lambda edit: edit[:2]):
        if first >= at or last > at:
            pieces += [text[at:first], instead]
            at = last
    return "".join([*pieces, text[at:stop]])


def moved(text: str, origin: Span, edits: Iterable[Edit], place: Span) -> str:
    """What stands at ``origin``, with these edits, as it is written at ``place``: the lines there keep their ends."""
    end = origin[1] - len(_ending(text[slice(*origin)]))
    return edited(text, edits, origin[0], end) + _ending(text[slice(*place)])


def _ending(piece: str) -> str:
    return piece[len(piece.rstrip("\r\n")) :]


def passages(text: str, spans: Sequence[Span], kept: Collection[int]) -> Iterator[Passage]:
    """The text, cut at these spans, of which some are kept; what lies between them is."""
    at = 0
    for i, (start, end) in enumerate(spans):
        yield text[at:start], True
        yield text[start:end], i in kept
        at = end
    yield text[at:], True


def edits_of(parts: Iterable[object]) -> list[Edit]:
    """What is written otherwise in those that are altered."""
    return [edit for part in parts for edit in getattr(part, "edits", ())]


def fingerprint(data: bytes, *options: str) -> str:
    """A short name for a document and the options it was opened with."""
    return key([*options, data])[:16]


def shown(text: str) -> str:
    """The text on one line, shortened in the middle."""
    line = text if text.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]}…{line[-LONGEST // 2 + 1 :]}"
