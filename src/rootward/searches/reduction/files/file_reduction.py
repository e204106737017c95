"""``FileReduction``: the finding of a search that makes a file smaller, and the course of the search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rootward.rules.score import Estimate
from rootward.search.finding import Finding
from rootward.searches.reduction.excerpt import excerpt_text
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Version

LEVELS = ("parts", "tokens", "characters")
"""The levels of the search: whole parts; names, numbers and strings, too; single characters, too."""
MAX_CONTENT_BYTES = 1 << 16
"""A result with more bytes is not part of the data of a finding; it is in the reduced file."""
MAX_LINES, MAX_MEMBERS = 1000, 200
"""Maximum number of original lines, and of members, in the data of a finding."""


@dataclass(frozen=True)
class Stage:
    """One way to make the file smaller, and what it achieved."""

    name: str
    """The kind of things that it leaves out or makes shorter: one of ``LEVELS``."""
    removed: int
    """The number of bytes that it saved."""
    versions: int
    """The number of smaller versions that it found."""


@dataclass(frozen=True, kw_only=True)
class FileReduction(Finding):
    """The smallest version of a file that was seen to fail."""

    original: Version
    content: Version
    name: str = ""
    """The name of the file."""
    language: str = ""
    noun: str = "file"
    """The word for one member of a folder or archive: file, chunk."""
    minimal: bool = False
    """True if the search ended because nothing more could be left out at its finest level."""
    until: str = LEVELS[-1]
    """The finest level that was tried."""
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    course: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """A pair (answers so far, bytes left) for each time that the file became smaller."""
    parts: Reduction[Any] | None = None
    """The reduction of a world or a list of messages that came first."""
    before: Rate | None = None
    """For a flaky failure: failures and runs of the original."""
    result: Rate | None = None
    """For a flaky failure: failures and runs of the result, counting only runs made to measure it."""
    share: float = 1.0
    confidence: float | None = None
    """The probability that the result fails at least ``share`` times as often as the original, if that was tested."""

    @property
    def kept(self) -> bytes:
        """The content of the reduced file."""
        return self.content.data

    @property
    def members(self) -> list[tuple[str, bytes]] | None:
        """Name and content of each file that is left of a folder or archive; None for an ordinary file."""
        version = self.content.convert(self.content.data)
        return [(member.name, member.data) for member in version] if isinstance(version, list) else None

    @property
    def size(self) -> int:
        """The bytes that are left, without what a folder or archive adds to its files."""
        return count_bytes(self.content)

    @property
    def total(self) -> int:
        """The bytes of the original, counted likewise."""
        return count_bytes(self.original)

    @property
    def gone(self) -> float:
        """The share of the bytes that was removed, from 0 to 1."""
        return 1 - len(self.content) / len(self.original) if len(self.original) else 0.0

    @property
    def lines(self) -> list[int]:
        """The numbers of the original lines, from 1, of which something is left."""
        data, found = self.original.data, list[int]()
        number, at = 1, 0
        for piece in self.content.pieces:
            if isinstance(piece, bytes):
                continue
            start, end = piece
            number, at = number + data.count(b"\n", at, start), start
            for line in data[start:end].splitlines(keepends=True):
                if line.strip() and (not found or found[-1] != number):
                    found.append(number)
                number += line.endswith(b"\n")
                at += len(line)
        return sorted(set(found))

    def _excerpt(self) -> dict[str, Any] | None:
        """Return the original with what is left of it marked; None if nothing was left out, or if it is not text."""
        data = self.original.data
        if self.content == self.original or b"\0" in data:
            return None
        passages, at = list[tuple[str, bool]](), 0
        for piece in self.content.pieces:
            if isinstance(piece, tuple) and piece[0] >= at:
                passages.append((data[at : piece[0]].decode("utf-8", "backslashreplace"), False))
                passages.append((data[piece[0] : piece[1]].decode("utf-8", "backslashreplace"), True))
                at = piece[1]
        return excerpt_text([*passages, (data[at:].decode("utf-8", "backslashreplace"), False)])

    def answer(self) -> dict[str, Any]:
        small = len(self.content) <= MAX_CONTENT_BYTES
        members = self.members
        return {
            "name": self.name,
            "language": self.language,
            "of": self.total,
            "bytes": self.size,
            "content": self.content.data.decode("utf-8", "backslashreplace") if small and members is None else None,
            "members": None if members is None else [_member_data(*one, small) for one in members[:MAX_MEMBERS]],
            "excerpt": self._excerpt() if members is None else None,
            "lines": [] if members is not None else self.lines[:MAX_LINES],
            "minimal": self.minimal,
            "until": self.until,
            "stages": [{"name": one.name, "removed": one.removed, "versions": one.versions} for one in self.stages],
            "course": [list(step) for step in self.course],
            "parts": None if self.parts is None else self.parts.answer(),
            "original": rate_data(self.before),
            "result": rate_data(self.result),
            "share": self.share,
            "confidence": self.confidence,
        }


def _member_data(name: str, data: bytes, small: bool) -> dict[str, Any]:
    return {"name": name, "content": data.decode("utf-8", "backslashreplace") if small else None, "bytes": len(data)}


def count_bytes(content: Version) -> int:
    """Return the number of bytes of a version, without what a bundle adds to its members."""
    version = content.convert(content.data)
    return sum(len(member.data) for member in version) if isinstance(version, list) else len(content)


def rate_data(rate: Rate | None, often: Estimate | None = None) -> dict[str, Any] | None:
    """Return a rate as data; None if it was not measured."""
    if rate is None or rate.runs == 0:
        return None
    value, low, high = often or rate.estimate
    return {"fails": rate.fails, "runs": rate.runs, "value": value, "low": low, "high": high}
