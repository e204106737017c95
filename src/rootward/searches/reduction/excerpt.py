"""The original with what is kept and what was left out of it, short enough to be read and to be stored.

A document is shown line by line as it stands in its file, each line cut into kept and removed parts; of any other list,
an element is a line. Long stretches of removed lines are counted, but for their ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from rootward.space.candidate import Selection

ENDS = 2
"""So many lines are shown at either end of a removed stretch."""
ROWS = 300
"""More rows are counted only."""
PARTS = 60
"""The most parts of one line."""
LONG = {True: 300, False: 80}
"""Longer parts of a line lose their middle: kept ones, and removed ones."""

Part = tuple[str, bool]
"""A piece of text, and whether it is kept."""
Line = list[Part]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def excerpt(selection: Selection[Any]) -> dict[str, Any] | None:
    """None if nothing was removed, or if elements are no text: they have a place on a map, or nothing to compare."""
    elements = selection.elements
    kept = set(selection.kept)
    if len(kept) == len(elements):
        return None
    if elements.passages is not None:
        return _of_lines("line", _lines(elements.passages(kept)))
    if not all(isinstance(item, str | bytes) for item in elements.items):
        return None
    texts = [item if isinstance(item, str) else item.decode("utf-8", "backslashreplace") for item in elements.items]
    if all(len(text) == 1 for text in texts):
        return _of_lines("line", _lines((text, i in kept) for i, text in enumerate(texts)))
    return _of_lines(elements.noun, ([(text.rstrip("\r\n"), i in kept)] for i, text in enumerate(texts)))


def _lines(passages: Iterable[Part]) -> Iterator[Line]:
    """Text cut after each line feed."""
    line: Line = []
    for text, kept in passages:
        for piece in _LINE.findall(text):
            line.append((piece, kept))
            if piece.endswith("\n"):
                yield _joined(line)
                line = []
    if line:
        yield _joined(line)


def _joined(line: Line) -> Line:
    """Neighbours that are both kept or both removed are one part."""
    groups = groupby(line, key=lambda part: part[1])
    return [("".join(text for text, _ in group), kept) for kept, group in groups]


def _of_lines(unit: str, lines: Iterable[Line]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    total = more = 0
    for gone, group in groupby(enumerate(lines, 1), key=lambda one: _is_gone(one[1])):
        stretch = list(group)
        total += len(stretch)
        if len(rows) >= ROWS:
            more += len(stretch)
            continue
        collapsed = len(stretch) - 2 * ENDS if gone and len(stretch) > 2 * ENDS + 1 else 0
        shown = [*stretch[:ENDS], *stretch[-ENDS:]] if collapsed else stretch
        for place, (at, line) in enumerate(shown):
            if collapsed and place == ENDS:
                rows.append({"removed": collapsed})
            rows.append({"number": at, "parts": _short(line)})
    more += max(0, len(rows) - ROWS)
    return {"unit": unit, "of": total, "rows": rows[:ROWS], "more": more}


def _is_gone(line: Line) -> bool:
    """Whether nothing but blanks is left of it."""
    return not all(kept for _, kept in line) and not any(kept and text.strip() for text, kept in line)


def _short(line: Line) -> list[list[Any]]:
    """The parts of a line without their line feed, cut to what can be read."""
    parts = [[_middle(text.rstrip("\r\n"), LONG[kept]), kept] for text, kept in line[:PARTS]]
    return [*parts, ["…", True]] if len(line) > PARTS else parts


def _middle(text: str, limit: int) -> str:
    """Without its middle, if it is long."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]} … {len(text) - 2 * half:,} characters … {text[-half:]}"
