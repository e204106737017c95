"""A file as a whole, for a search that changes its text freely instead of selecting parts of it.

A folder or archive is a `Bundle`: here it is one byte string that holds all of its members. A member can be removed,
and its content changed like that of a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rootward.formats.bundles import Bundle, DamagedBundle, flatten, open_bundle, spans, unflatten
from rootward.formats.documents.languages import recognise
from rootward.formats.documents.parts import name_reduced
from rootward.formats.documents.syntax import CharactersParsed, ChunksParsed, Parsed, Syntax, TextSection, grammar
from rootward.formats.files import read_bytes
from rootward.space.candidate import Piece, Version
from rootward.space.keys import key

MAX_PARSED_BYTES = 1 << 20
"""Maximum size of a version that is parsed: its nodes take a hundred times as much memory, and seconds to make."""


class WholeFile:
    """The bytes of a file or bundle and its languages, with the ways to parse and to write a changed version."""

    noun = "byte"

    def __init__(self, path: str | Path, language: str | None = None) -> None:
        """``language``: a name of tree-sitter's, ``csv``, ``text`` or ``bytes``; by default it is recognised."""
        self.path = Path(path)
        self.damage = ""
        """The reason why an archive or image could not be opened, if so: it is then reduced like any other data."""
        self.bundle: Bundle | None = None
        if language is None:
            try:
                self.bundle = open_bundle(self.path)
            except DamagedBundle as error:
                self.damage, language = str(error), "bytes"
        if self.bundle is None:
            self.data = read_bytes(self.path)
            self.language = language or recognise(self.path.name, self.data)
        else:
            self.data = flatten(self.bundle.members)
            self.language = self.bundle.kind
            self._languages = {one.name: recognise(one.name, one.data) for one in self.bundle.members}

    def can_hold(self, text: bytes) -> bool:
        """Return True if a version may hold this text. A bundle cannot hold the text that marks its headers."""
        return self.bundle is None or self.data.partition(b" ")[0] not in text

    @property
    def member_noun(self) -> str:
        """The word for one member of a bundle."""
        return "file" if self.bundle is None else self.bundle.noun

    def __len__(self) -> int:
        return len(self.data)

    @property
    def identity(self) -> str:
        """A short name that changes with the content."""
        return key([self.path.name, self.language, self.data])

    @property
    def reduced_path(self) -> Path:
        """The default path of the reduced version, such as ``crash.reduced.json``."""
        return name_reduced(self.path.absolute() if self.path.name in ("", "..") else self.path)

    @property
    def original(self) -> Version:
        return self.content(self.data, [(0, len(self.data))])

    def content(self, data: bytes, pieces: Iterable[Piece]) -> Version:
        """Return a version as a candidate; ``pieces`` says what is left of the original."""
        return Version(data, pieces, len(self.data), self.realise)

    def syntax(self, data: bytes) -> Syntax:
        """Return the structure of a version. While it is large, that is a coarse one."""
        large = len(data) > MAX_PARSED_BYTES
        if self.bundle is None:
            return Syntax(data, [TextSection(0, 0, len(data), "", _parse("chunks" if large else self.language, data))])
        sections = []
        for start, content, end, name in spans(data):
            language = "chunks" if large else self._languages[name]
            sections.append(TextSection(start, content, end, name, _parse(language, data[content:end])))
        return Syntax(data, sections)

    def characters(self, data: bytes) -> Syntax:
        """Return the structure of a version in which each character, or byte of binary data, is a node."""
        if self.bundle is None:
            return Syntax(data, [TextSection(0, 0, len(data), "", CharactersParsed(data, self.language))])
        sections = []
        for start, content, end, name in spans(data):
            parsed = CharactersParsed(data[content:end], self._languages[name])
            sections.append(TextSection(start, content, end, name, parsed))
        return Syntax(data, sections)

    def texts(self, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and language of each text in a version: the file itself, or the content of each member."""
        if self.bundle is None:
            yield 0, len(data), self.language
            return
        for _, start, end, name in spans(data):
            yield start, end, self._languages[name]

    def realise(self, data: bytes) -> Any:
        """Return what a subject gets for a version: its bytes, or the members of a bundle."""
        return data if self.bundle is None else unflatten(data, self.bundle.members)

    def write(self, version: Any, target: Path) -> None:
        """Write a version that ``realise`` returned."""
        if self.bundle is None:
            target.write_bytes(version)
        else:
            self.bundle.write(version, target)

    def count(self, data: bytes) -> int:
        """Return the number of bytes of a version, without what a bundle adds to them."""
        if self.bundle is None:
            return len(data)
        return sum(end - content for _, content, end, _ in spans(data))


@lru_cache(maxsize=4096)
def _parse(language: str, data: bytes) -> Parsed:
    if language == "chunks":
        return ChunksParsed(data)
    return grammar(language).parse(data)
