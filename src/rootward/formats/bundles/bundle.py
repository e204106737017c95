"""Bundles: folders, archives and images that consist of named members.

A search that shortens bytes cannot shorten a zip archive: it would damage the archive long before it removes anything
that matters. So the bundle is opened. Its *members* are the files of a folder, the entries of an archive, or the chunks
of an image. A search edits them (``flat`` makes one byte string of them), and ``Bundle.write`` packs them again. It
computes checksums, lengths and tables of contents, so what is written is valid.

To add a kind of bundle, write a subclass of ``Bundle`` in ``kinds``, and enter it in ``KINDS`` there.
"""

from __future__ import annotations

import contextlib
import lzma
import struct
import tarfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rootward.errors import InputError
from rootward.formats.files import MAX_BYTES, UnreadableFile
from rootward.words import show_size

MAX_MEMBERS = 100_000
"""Maximum number of members of a bundle. Each trial writes them again."""
DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,  # a way of compressing that zipfile does not know
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
"""The exceptions that libraries raise for archives that are damaged or unusual."""


class DamagedBundle(UnreadableFile):
    """An archive or image cannot be opened. That may be just what makes a program fail."""


@dataclass(frozen=True)
class Member:
    """One member of a bundle."""

    name: str
    data: bytes = b""
    mode: int = 0o644
    """The permissions of a file in a folder."""
    link: str | None = None
    """The target if it is a symbolic link; a link has no data."""
    metadata: Any = field(default=None, compare=False, repr=False)
    """Further facts that its bundle holds: the header in an archive, the time of a file, the checksum of a chunk."""
    original: bytes | None = field(default=None, compare=False, repr=False)
    """The data that it was opened with; None if it was not read from a bundle."""

    @property
    def is_unchanged(self) -> bool:
        return self.data == self.original


class Bundle(ABC):
    """A folder or file that consists of members."""

    kind: ClassVar[str]
    """The word for it, such as ``zip archive``."""
    noun: ClassVar[str]
    """The word for one of its members, such as ``file``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.members: tuple[Member, ...] = tuple(self._read())

    @classmethod
    @abstractmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        """Return True if the path is of this kind. ``head`` is the beginning of the file; of a folder, it is empty."""

    @abstractmethod
    def _read(self) -> Iterator[Member]:
        """Yield the members in their order."""

    @abstractmethod
    def write(self, members: Sequence[Member], target: Path) -> None:
        """Write a bundle of this kind with the given members.

        The same members give the same bytes. A member keeps its metadata, except those that depend on its content. An
        archive or image replaces the file ``target``; a folder must be missing or empty, so that nothing is deleted.
        """

    def refuse(self, why: str) -> InputError:
        return DamagedBundle(self.path, f"this {self.kind} is damaged: {why}")

    @contextlib.contextmanager
    def refuse_damage(self) -> Iterator[None]:
        """Turn what a library raises inside the block into an InputError."""
        try:
            yield
        except InputError:
            raise
        except DAMAGE as error:
            raise self.refuse(str(error) or type(error).__name__) from error


class ReadLimit:
    """Counts the members and bytes that are read. Raises InputError where they become too many."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._members, self._bytes = 0, 0

    def count(self, size: int) -> None:
        self._members += 1
        self._bytes += size
        if self._members > MAX_MEMBERS:
            raise UnreadableFile(self._path, f"it has more than {MAX_MEMBERS:,} members: keep only those needed")
        if self._bytes > MAX_BYTES:
            raise UnreadableFile(
                self._path, f"it has more than {show_size(MAX_BYTES)}: keep only the part that is needed"
            )
