"""Where things stand in a YAML text, and how what stands on lines of its own is taken out.

The tokens of PyYAML say where they begin and end; a block has neither brackets nor commas, so the end of an item is the
end of the line of its last token. Blanks and comments between items stay where they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from rootward.formats.parts import Edit

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 1000
"""Levels; the time that libyaml takes grows with their square."""

BREAKS = "\n\r\x85\u2028\u2029"
_LINE = re.compile(rf"[^{BREAKS}]*(?:\r\n|[{BREAKS}]|\Z)")
_OPEN = (
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
)
_CLOSE = (yaml.BlockEndToken, yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
_SILENT = (yaml.StreamStartToken, yaml.StreamEndToken, yaml.FlowEntryToken)


class TooDeep(Exception):
    """More levels than can be read; the argument is the line."""


class Places:
    """The tokens of a text, by their places."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.dashes: list[int] = []
        self.keys: list[int] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._scalars: list[int] = []
        depth = 0
        for token in yaml.scan(text, Loader=LOADER):
            depth += isinstance(token, _OPEN) - isinstance(token, _CLOSE)
            if depth > DEEPEST:
                raise TooDeep(token.start_mark.line + 1)
            self._add(token, token.start_mark.index, token.end_mark.index)

    def _add(self, token: Any, start: int, end: int) -> None:
        if isinstance(token, yaml.BlockEntryToken):
            self.dashes.append(start)
        elif isinstance(token, yaml.KeyToken):
            self.keys.append(start)
        elif isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            self._scalars.append(start)
        if end > start and not isinstance(token, _SILENT):
            self._starts.append(start)
            self._ends.append(end)

    def end(self, limit: int) -> int:
        """The end of the last token that begins before the limit; commas do not count."""
        return self._ends[bisect_left(self._starts, limit) - 1]

    def onward(self, start: int) -> int:
        """The beginning of the line of the first token from here on; without one, the end of the text."""
        place = bisect_left(self._starts, start)
        return self.line_start(self._starts[place]) if place < len(self._starts) else len(self.text)

    def lettered(self, start: int, end: int) -> bool:
        """Whether a scalar of several lines (``|`` or ``>``) begins here: it may swallow what follows it."""
        return bisect_left(self._scalars, start) < bisect_left(self._scalars, end)

    def line_start(self, at: int) -> int:
        """Before the blanks in front of this place."""
        while at and self.text[at - 1] in " \t":
            at -= 1
        return at

    def opens_line(self, at: int) -> bool:
        start = self.line_start(at)
        return not start or self.text[start - 1] in BREAKS

    def line_end(self, at: int) -> int:
        """After the end of the line; a scalar of several lines ends there already."""
        found = None if at and self.text[at - 1] in BREAKS else _LINE.match(self.text, at)
        return found.end() if found else at

    def flow_end(self, limit: int) -> int:
        """The end of an item in brackets, and of a comment right after it, which would become text without it."""
        at = self.end(limit)
        found = _LINE.match(self.text, at) if self.text.startswith("#", at) else None
        return at + len(found[0].rstrip(BREAKS)) if found else at


@dataclass(slots=True)
class Block:
    """Items on lines of their own, all in one column. The first one may follow what the block lies in: ``- a: 1``."""

    empty: str
    """What is written in the place of the last item that goes."""
    items: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    inline: bool = False
    lettered: list[bool] = field(default_factory=list)
    onward: list[int] = field(default_factory=list)
    end: int = 0

    def close(self, places: Places, starts: list[int], limit: int) -> Iterator[tuple[int, int]]:
        """The lines of each item, now that the place of what follows the block is known."""
        self.starts, self.inline = starts, not places.opens_line(starts[0])
        inside = places.text[starts[-1] : places.end(limit)]
        self.end = starts[-1] + len(inside.rstrip(" \t" + BREAKS))
        for start, following in zip(starts, [*starts[1:], limit], strict=True):
            end = places.end(following)
            self.lettered.append(places.lettered(start, end))
            self.onward.append(places.onward(end))
            yield places.line_start(start), places.line_end(end)

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        first = next((place for place, i in enumerate(self.items) if i in there), None)
        if first is None:
            yield self.starts[0], self.end, self.empty
            return
        if self.inline and first:
            yield self.starts[0], self.starts[first], ""
        swallows = False
        for place, i in enumerate(self.items):
            if i in there:
                swallows = self.lettered[place]
            elif place > first or not self.inline:
                start, end = spans[i]
                yield start, self.onward[place] if swallows else end, ""


@dataclass(slots=True)
class Documents:
    """The documents of a stream. The mark ``...`` after one stays, since the next one may rely on it."""

    end: int
    """That of the stream."""
    items: list[int] = field(default_factory=list)
    directed: set[int] = field(default_factory=set)
    """Those that begin with directives, which must not follow the text of another one without a mark."""

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        first = next((i for i in self.items if i in there), None)
        if first != self.items[0]:  # a stream cannot begin with the mark
            yield spans[self.items[0]][0], self.end if first is None else spans[first][0], ""
        for i, following in zip(self.items, [*self.items[1:], None], strict=True):
            if first is not None and i > first and i not in there:
                yield *spans[i], "...\n" if following in self.directed else ""
