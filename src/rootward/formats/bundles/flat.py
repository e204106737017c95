"""A bundle as one byte string, so that a search that edits bytes works on all members at once.

In the byte string, each member is a header and its content::

    <marker> 0 src/main.c
    int main(void) { return 0; }
    <marker> 1 src/unused.c
    ...

The search may change any content, and may remove a member whole, but changes nothing inside a header (``spans`` says
where the headers are). ``unflatten`` turns the result into members again.

The *marker* occurs in no content, so a header is recognised by it. It is one byte that no member contains, usually the
ASCII record separator. If the members contain every byte that could be one, it is a text of 17 bytes that none of them
contains. A search that only removes bytes cannot create a marker of one byte, and will not create one of 17 bytes by
chance. What it adds must not contain the marker. The marker is not stored anywhere: it is what the byte string begins
with, up to the first space.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.formats.bundles.bundle import Member


class Span(NamedTuple):
    """The place of a member in a flat bundle."""

    start: int
    """The beginning of its header."""
    content_start: int
    end: int
    name: str


_MARKERS = bytes([0x1E, 0x1D, 0x1C, 0x1F, 0xFF, 0xFE, 0xC0, 0xC1, *range(0xF5, 0xFE), *range(2, 9), *range(11, 0x1C)])
"""Bytes that can be the marker, the first choice first. None of them is printable: they do not occur in headers. 0
and 1 are none of them, because a search may set any byte to these."""


def flatten(members: Sequence[Member]) -> bytes:
    """Return all members as one byte string, each with a header."""
    marker = _choose_marker([member.data for member in members])
    parts = []
    for index, member in enumerate(members):
        # Escaped, so that a name with line feeds stays on its line.
        parts += [b"%s %d %s\n" % (marker, index, member.name.encode("unicode_escape")), member.data]
    return b"".join(parts)


def unflatten(flat: bytes, members: Sequence[Member]) -> list[Member]:
    """Return the members that are left in a byte string that ``flatten(members)`` returned, with their new contents.

    Raises InputError if a header is damaged.
    """
    found = []
    for index, span in _find_members(flat):
        if index >= len(members):
            raise InputError(f"there is no member {index}: a header was changed")
        content = flat[span.content_start : span.end]
        unchanged = content == members[index].data
        found.append(members[index] if unchanged else replace(members[index], data=content))
    return found


def spans(flat: bytes) -> list[Span]:
    """Return where the members are in a flat bundle. Raises InputError if a header is damaged."""
    return [span for _, span in _find_members(flat)]


def _find_members(flat: bytes) -> Iterator[tuple[int, Span]]:
    """Yield the number and the place of each member."""
    if not flat:
        return
    marker = flat.partition(b" ")[0]
    if not marker or marker[0] not in _MARKERS:
        raise InputError("the header at byte 0 was changed")
    header = re.compile(re.escape(marker) + rb" (\d+) ([ -~]*)\n")
    starts = [match.start() for match in re.finditer(re.escape(marker), flat)]
    for start, end in zip(starts, [*starts[1:], len(flat)], strict=True):
        match = header.match(flat, start, end)
        if match is None:
            raise InputError(f"the header at byte {start:,} was changed")
        name = match[2].decode("unicode_escape")
        yield int(match[1]), Span(start, match.end(), end, name)


def _choose_marker(contents: Sequence[bytes]) -> bytes:
    """Return a byte, or else a longer marker, that occurs in none of the contents."""
    longer = (b"\x1e%x" % number for number in itertools.count(1 << 60, 0x9E3779B97F4A7C15))
    markers = itertools.chain((bytes([byte]) for byte in _MARKERS), longer)
    return next(marker for marker in markers if not any(marker in content for content in contents))
