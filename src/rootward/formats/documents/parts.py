"""The parts of a document: the pieces that a reduction can remove.

A part is identified by its number and by the document it comes from, never by its content, so it stays small however
large the document is. The simplest documents are here, too: `Pieces`, such as lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar, overload

from rootward.errors import InputError
from rootward.formats.files import read_bytes
from rootward.space.keys import key

MAX_SHOWN_CHARACTERS = 200
"""Maximum length of a part's text when it is shown; longer texts are shortened in the middle."""


@dataclass(frozen=True, slots=True)
class Part:
    """One element of a document, which can be removed."""

    index: int
    """Its number in the document, from 0."""
    text: str
    """The text that is shown to people."""
    source: str
    """The fingerprint of the whole document: when the file changes, its parts are different parts."""

    def __str__(self) -> str:
        return self.text


Span = tuple[int, int]
Edit = tuple[int, int, str]
"""Start, end, and replacement text, in the text of a document."""


@dataclass(frozen=True, slots=True)
class Rewritten(Part):
    """A part with other values in it, or with the content of another part."""

    origin: int
    """The number of the part whose content this one has, apart from the edits."""
    edits: tuple[Edit, ...]


Passage = tuple[str, bool]
"""A piece of a document's text; True if it is kept."""
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
    def reduced_path(self) -> Path:
        """The default path of the reduced document."""
        return name_reduced(self.path)


class TextParts(Parts[P]):
    """Parts that follow each other in a text, such as the rows of a table or messages. Each part has one span."""

    text: str
    codec: str
    spans: Sequence[Span]

    def passages(self, kept: Collection[int]) -> Iterator[Passage]:
        """Yield the original text of the file in passages: the parts, and the text between them.

        Text between parts counts as kept.
        """
        at = 0
        for i, (start, end) in enumerate(self.spans):
            yield self.text[at:start], True
            yield self.text[start:end], i in kept
            at = end
        yield self.text[at:], True

    def _join(self, texts: Mapping[int, str]) -> bytes:
        """Return the file with each part replaced by its text in ``texts``.

        The keys are numbers of parts. A part without a key is removed.
        """
        cuts = [(*span, texts.get(i, "")) for i, span in enumerate(self.spans)]
        return encode(apply_edits(self.text, cuts), self.codec)

    def _write_part(self, place: int, origin: int, edits: Iterable[Edit]) -> str:
        """Return the text of part ``origin``, changed by ``edits``, with the line end of part ``place``."""
        (start, end), there = self.spans[origin], self.text[slice(*self.spans[place])]
        return apply_edits(self.text, edits, start, end - len(_ending(self.text[start:end]))) + _ending(there)


def name_reduced(path: Path) -> Path:
    """Return the path of the reduced file, in the same folder: ``crash.reduced.json`` for ``crash.json``."""
    ending = "".join(path.suffixes[-2:]) if path.suffixes[-2:-1] == [".tar"] else path.suffix
    return path.with_name(f"{path.name.removesuffix(ending)}.reduced{ending}")


def apply_edits(text: str, edits: Iterable[Edit], start: int = 0, stop: int | None = None) -> str:
    """Return ``text[start:stop]`` with the edits applied. An edit that lies inside a preceding edit is dropped."""
    pieces, at = [], start
    for first, last, instead in sorted(edits, key=lambda edit: edit[:2]):
        if first >= at or last > at:
            pieces += [text[at:first], instead]
            at = last
    return "".join([*pieces, text[at:stop]])


def _ending(piece: str) -> str:
    return piece[len(piece.rstrip("\r\n")) :]


def origin_of(part: Part) -> tuple[int, tuple[Edit, ...]]:
    """Return the number of the part from which ``part`` takes its content, and the edits to that content.

    A part that is not rewritten has its original content and no edits.
    """
    return getattr(part, "origin", part.index), getattr(part, "edits", ())


def edits_of(parts: Iterable[object]) -> list[Edit]:
    """Return the edits of all rewritten parts among ``parts``."""
    return [edit for part in parts for edit in getattr(part, "edits", ())]


def fingerprint(data: bytes, *options: str) -> str:
    """Return a short hash that identifies a document and the options it was opened with."""
    return key([*options, data])[:16]


def shorten(text: str) -> str:
    """Return the text on one line, shortened in the middle if it is long."""
    line = text if text.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in text).split())
    half = MAX_SHOWN_CHARACTERS // 2
    return line if len(line) <= MAX_SHOWN_CHARACTERS else f"{line[:half]}…{line[-half + 1 :]}"


def text_of(path: Path) -> tuple[str, str]:
    """Return the text of a file and its Unicode encoding; InputError if the file is not Unicode text."""
    data = read_bytes(path)
    codec = json.detect_encoding(data)
    try:
        text = data.decode(codec, "surrogatepass")
        if encode(text, codec) == data:
            return text, codec
    except UnicodeDecodeError:
        pass
    raise InputError(f"{path} is not UTF-8 text: cut it by lines or chars")


def encode(text: str, codec: str) -> bytes:
    return text.encode(codec, "surrogatepass")


# A file as a list of pieces. Joining all of them gives the same bytes again, whatever the file holds: a line keeps its
# ending, the last line may have none, and a byte that is not UTF-8 is a character of its own.


def lines(data: bytes) -> list[bytes]:
    """Cut the data after each line feed, so that line numbers are those of ``grep -n``."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def characters(data: bytes) -> list[bytes]:
    """Cut the data into UTF-8 characters. A byte that is not part of a character becomes one piece."""
    return [char.encode("utf-8", "surrogateescape") for char in data.decode("utf-8", "surrogateescape")]


def tokens(data: bytes) -> list[bytes]:
    """Cut the data into words, numbers, runs of blanks, and single other characters."""
    text = data.decode("utf-8", "surrogateescape")
    return [token.encode("utf-8", "surrogateescape") for token in _TOKEN.findall(text)]


# A number keeps its point and exponent, not its sign: in a-1 that is an operator. Any other character stands alone.
_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\w)|\w+|\s+|.", re.DOTALL)

CUTS: dict[str, Callable[[bytes], list[bytes]]] = {"lines": lines, "chars": characters, "tokens": tokens}
NOUNS = {"lines": "line", "chars": "character", "tokens": "token"}


@dataclass(frozen=True)
class Pieces(Parts[bytes]):
    """A file as a list of lines, characters or tokens, read once."""

    path: Path
    by: str = "lines"
    noun: str = field(init=False, repr=False, compare=False)
    parts: tuple[bytes, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.by not in CUTS:
            raise InputError(f"{self.path} can be cut by {', '.join(CUTS)}, not by {self.by!r}")
        object.__setattr__(self, "noun", NOUNS[self.by])
        object.__setattr__(self, "parts", tuple(CUTS[self.by](read_bytes(self.path))))

    def render(self, kept: Sequence[bytes]) -> bytes:
        """Return the file with these pieces only."""
        return b"".join(kept)

    def passages(self, kept: Collection[int]) -> Iterator[Passage]:
        """Yield the pieces of the file, each with True if it is kept."""
        texts = (part.decode("utf-8", "backslashreplace") for part in self.parts)
        return ((text, i in kept) for i, text in enumerate(texts))
