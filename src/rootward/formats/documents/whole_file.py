"""A file as a whole, for a search that changes its text freely instead of selecting parts of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from rootward.formats.documents.languages import recognise
from rootward.formats.documents.parts import fingerprint, name_reduced
from rootward.formats.documents.syntax import Parsed, Syntax, grammar
from rootward.formats.files import read_bytes
from rootward.space.candidate import Content


class WholeFile:
    """The bytes of a file and its language, with the ways to parse and to write a changed version."""

    noun = "byte"

    def __init__(self, path: str | Path, language: str | None = None) -> None:
        """``language``: a name of tree-sitter's, ``text`` or ``bytes``; by default it is recognised."""
        self.path = Path(path)
        self.data = read_bytes(self.path)
        self.language = language or recognise(self.path.name, self.data)
        self._parse = lru_cache(maxsize=4096)(_parse)

    def __len__(self) -> int:
        return len(self.data)

    @property
    def reduced_path(self) -> Path:
        return name_reduced(self.path)

    @property
    def original(self) -> Content:
        return Content(self.data, ((0, len(self.data)),), self.realise)

    def syntax(self, data: bytes) -> Syntax:
        """Return the structure of a version of the file."""
        return Syntax(data, [(0, 0, len(data), _parse(self.language, data))])

    def realise(self, data: bytes) -> Any:
        """Return what a subject gets for a version: its bytes."""
        return data

    def render(self, content: bytes) -> bytes:
        """Return the bytes of the file to write."""
        return content

    def write(self, content: bytes, target: Path) -> None:
        target.write_bytes(content)


def _parse(language: str, data: bytes) -> Parsed:
    return grammar(language).parse(data)
