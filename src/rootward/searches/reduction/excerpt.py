"""An excerpt of the original list that marks kept and removed parts, short enough to read and to store.

A document is shown line by line as in its file, each line split into kept and removed parts. Any other list is shown
one element per line. In a long stretch of removed lines, only the first and the last few are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from rootward.space.candidate import Selection

END_LINES = 2
"""Number of lines shown at each end of a removed stretch."""
MAX_ROWS = 300
"""Maximum number of rows in an excerpt; further lines are only counted."""
MAX_LINE_PARTS = 60
"""Maximum number of parts shown of one line."""
MAX_PART_LENGTHS = {True: 300, False: 80}
"""Maximum length of a kept (True) and of a removed (False) part of a line; longer ones lose their middle."""

Part = tuple[str, bool]
"""A piece of text, and True if it is kept."""
Line = list[Part]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def excerpt(selection: Selection[Any]) -> dict[str, Any] | None:
    """Return the excerpt as data, or None if nothing was removed or the elements are not text."""
    elements = selection.elements
    kept = set(selection.kept)
    if len(kept) == len(elements):
        return None
    if elements.passages is not None:
        return excerpt_text(elements.passages(kept))
    if not all(isinstance(item, str | bytes) for item in elements.items):
        return None
    texts = [item if isinstance(item, str) else item.decode("utf-8", "backslashreplace") for item in elements.items]
    if all(len(text) == 1 for text in texts):
        return _list_rows("line", _split_lines((text, i in kept) for i, text in enumerate(texts)))
    return _list_rows(elements.noun, ([(text.rstrip("\r\n"), i in kept)] for i, text in enumerate(texts)))


def excerpt_text(passages: Iterable[Part]) -> dict[str, Any]:
    """Return the excerpt of a text that is given in pieces, each with True if it is kept."""
    return _list_rows("line", _split_lines(passages))


def _split_lines(passages: Iterable[Part]) -> Iterator[Line]:
    """Split the text after each line feed."""
    line: Line = []
    for text, kept in passages:
        for piece in _LINE.findall(text):
            line.append((piece, kept))
            if piece.endswith("\n"):
                yield _merge_parts(line)
                line = []
    if line:
        yield _merge_parts(line)


def _merge_parts(line: Line) -> Line:
    """Merge neighbouring parts that are both kept or both removed."""
    groups = groupby(line, key=lambda part: part[1])
    return [("".join(text for text, _ in group), kept) for kept, group in groups]


def _list_rows(unit: str, lines: Iterable[Line]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    total = more = 0
    for gone, group in groupby(enumerate(lines, 1), key=lambda one: _is_gone(one[1])):
        stretch = list(group)
        total += len(stretch)
        if len(rows) >= MAX_ROWS:
            more += len(stretch)
            continue
        collapsed = len(stretch) - 2 * END_LINES if gone and len(stretch) > 2 * END_LINES + 1 else 0
        shown = [*stretch[:END_LINES], *stretch[-END_LINES:]] if collapsed else stretch
        for place, (at, line) in enumerate(shown):
            if collapsed and place == END_LINES:
                rows.append({"removed": collapsed})
            rows.append({"number": at, "parts": _shorten_line(line)})
    more += max(0, len(rows) - MAX_ROWS)
    return {"unit": unit, "of": total, "rows": rows[:MAX_ROWS], "more": more}


def _is_gone(line: Line) -> bool:
    """Return True if something was removed from the line and only blanks are left."""
    return not all(kept for _, kept in line) and not any(kept and text.strip() for text, kept in line)


def _shorten_line(line: Line) -> list[list[Any]]:
    """Return the parts of a line, without line feeds. There are at most MAX_LINE_PARTS; long parts are shortened."""
    parts = [[_cut_middle(text.rstrip("\r\n"), MAX_PART_LENGTHS[kept]), kept] for text, kept in line[:MAX_LINE_PARTS]]
    return [*parts, ["…", True]] if len(line) > MAX_LINE_PARTS else parts


def _cut_middle(text: str, limit: int) -> str:
    """Replace the middle of a text longer than ``limit`` by the number of characters left out."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"
