"""YAML as a tree: the entries of mappings and the items of sequences are its parts, in block and in flow style.

The file is read as events, never as objects: tags are not applied and aliases not expanded, so neither can be abused.
An alias needs its anchor: removing the part with the anchor also removes the part with the alias. A key is not cut
into parts, even if it is a collection. In a stream of several documents, each document is a part.

PyYAML's tokens have exact positions. A block has neither brackets nor commas, so an item ends at the end of the line of
its last token. Blank lines and comments between items stay where they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rootward.errors import InputError
from rootward.formats.documents.parts import Edit, text_of
from rootward.formats.documents.paths import Step
from rootward.formats.documents.tree import Growth, PlainItems, SeparatedItems, Tree

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_DEPTH = 1000
"""Maximum number of nested levels; libyaml's time grows with their square."""

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


class YamlTree(Tree):
    """The entries and items of a YAML file; InputError if it is not YAML."""

    def __init__(self, path: Path) -> None:
        text, codec = text_of(path)
        try:
            growth = _YamlReader(text).read()
        except TooDeep as error:
            raise InputError(
                f"{path}, line {error}: nested more than {MAX_DEPTH:,} levels deep: cut it by lines or chars"
            ) from None
        except (yaml.YAMLError, ValueError) as error:
            raise InputError(f"{path} is not YAML: {_reason(error)}") from None
        super().__init__(path, "value", text, codec, growth)


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).splitlines()[0]
    return reason if mark is None else f"line {mark.line + 1}, column {mark.column + 1}: {reason}"


@dataclass(slots=True)
class _Level:
    """A collection that is being read."""

    part: int | None
    """The part whose content it is; None for the document."""
    items: SeparatedItems | Block | None = None
    """None if its items are not parts."""
    mapping: bool = False
    block: bool = False
    key: bool = False
    """True if this collection is, or lies in, the key of a mapping."""
    nodes: int = 0
    item: int | None = None
    """The part of this collection that is being read."""

    @property
    def at_key(self) -> bool:
        return self.mapping and self.nodes % 2 == 0


class _YamlReader:
    def __init__(self, text: str) -> None:
        self.places = TokenPlaces(text)
        self.text, self.growth = text, Growth()
        self._dashes, self._keys = deque(self.places.dashes), deque(self.places.keys)
        self._anchors: dict[str, int | None] = {}
        self._levels: list[_Level] = []

    def read(self) -> Growth:
        events: list[Any] = list(yaml.parse(self.text, Loader=LOADER))
        several = sum(isinstance(event, yaml.DocumentStartEvent) for event in events) > 1
        documents = Documents(len(self.text)) if several else None
        self.growth.collections[None] = documents or PlainItems()
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._begin(event, documents)
            elif isinstance(event, yaml.DocumentEndEvent):
                self._finish(event, documents)
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(event)
        return self.growth

    def _begin(self, event: Any, documents: Documents | None) -> None:
        part = None
        if documents is not None:
            name = self.growth.name(None, len(documents.items))
            part = self.growth.add(None, name, self.places.line_start(event.start_mark.index))
            if self.text.startswith("%", event.start_mark.index):
                documents.directed.add(part)
        self._anchors = {}
        self._levels = [_Level(part, item=part)]

    def _finish(self, event: Any, documents: Documents | None) -> None:
        if documents is not None:
            self.growth.end(documents.items[-1], event.start_mark.index)

    def _node(self, event: Any) -> None:
        level = self._levels[-1]
        key = level.key or level.at_key
        if level.at_key or not level.mapping:
            self._item(level, event)
        level.nodes += 1
        if isinstance(event, yaml.AliasEvent):
            self._alias(event, level.item)
        elif event.anchor is not None:
            self._anchors[event.anchor] = level.item
        if isinstance(event, yaml.CollectionStartEvent):
            self._open(event, level, key)

    def _item(self, level: _Level, event: Any) -> None:
        """Begin an item at the node of ``event``. In a mapping, this node is the item's key."""
        start = event.start_mark.index
        if level.mapping and self._keys and self._keys[0] <= start:
            start = self._keys.popleft()
        elif level.block and not level.mapping:
            start = self._dashes.popleft()
        if level.items is not None:
            step = _step(event) if level.mapping else len(level.items.items)
            level.item = self.growth.add(level.part, self.growth.name(level.part, step), start)

    def _alias(self, event: Any, part: int | None) -> None:
        if event.anchor not in self._anchors:
            problem = f"the alias *{event.anchor} has no anchor &{event.anchor}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        anchored = self._anchors[event.anchor]
        if part is not None and anchored is not None and anchored != part:
            self.growth.needs.setdefault(part, set()).add(anchored)

    def _open(self, event: Any, level: _Level, key: bool) -> None:
        mapping, block = isinstance(event, yaml.MappingStartEvent), not event.flow_style
        items: SeparatedItems | Block | None = None
        if key or (mapping and not block and self.text[event.end_mark.index - 1] != "{"):
            pass  # the pair in [a: 1] has no braces that could stay empty
        elif block:
            # A block list may begin in the same column as its key; the brackets of an empty one may not.
            items = Block("{}" if mapping else " []" if level.mapping and level.block else "[]")
        else:
            items = SeparatedItems(event.end_mark.index)
        if items is not None:
            self.growth.collections[level.item] = items
        self._levels.append(_Level(level.item, items, mapping, block, key, item=level.item))

    def _close(self, event: Any) -> None:
        level, end = self._levels.pop(), event.start_mark.index
        if level.items is None or not level.items.items:
            return
        starts = [self.growth.spans[i][0] for i in level.items.items]
        if isinstance(level.items, SeparatedItems):
            level.items.end = end
            spans = [(a, self.places.flow_end(b)) for a, b in zip(starts, [*starts[1:], end], strict=True)]
        else:
            spans = list(level.items.close(self.places, starts, end))
        for i, span in zip(level.items.items, spans, strict=True):
            self.growth.spans[i] = span


def _step(key: Any) -> Step:
    """Return the name of a key in a path. A key that is a collection is written ``?``."""
    if isinstance(key, yaml.AliasEvent):
        return f"*{key.anchor}"
    return str(key.value) if isinstance(key, yaml.ScalarEvent) else "?"


# The positions of tokens in the text, and the removal of items that have lines of their own


class TooDeep(Exception):
    """Raised for a document with more than MAX_DEPTH levels. The argument is the line number."""


class TokenPlaces:
    """The positions of the tokens of a text."""

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
            if depth > MAX_DEPTH:
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
        """Return the end of the last token that begins before ``limit``. Commas are ignored."""
        return self._ends[bisect_left(self._starts, limit) - 1]

    def next_line(self, start: int) -> int:
        """Find the first token at or after ``start`` and return the start of its line.

        Returns the end of the text if there is no such token.
        """
        place = bisect_left(self._starts, start)
        return self.line_start(self._starts[place]) if place < len(self._starts) else len(self.text)

    def has_block_scalar(self, start: int, end: int) -> bool:
        """Return True if a block scalar (``|`` or ``>``) begins between ``start`` and ``end``.

        A block scalar may swallow the text after it.
        """
        return bisect_left(self._scalars, start) < bisect_left(self._scalars, end)

    def line_start(self, at: int) -> int:
        """Return the position before the blanks that precede ``at``."""
        while at and self.text[at - 1] in " \t":
            at -= 1
        return at

    def opens_line(self, at: int) -> bool:
        start = self.line_start(at)
        return not start or self.text[start - 1] in BREAKS

    def line_end(self, at: int) -> int:
        """Return the position after the end of the line that contains ``at``.

        Returns ``at`` itself directly after a block scalar, because a block scalar includes its line end.
        """
        found = None if at and self.text[at - 1] in BREAKS else _LINE.match(self.text, at)
        return found.end() if found else at

    def flow_end(self, limit: int) -> int:
        """Return the end of an item in brackets, including a comment that follows without a blank.

        If the item were removed without that comment, the comment would be read as text.
        """
        at = self.end(limit)
        found = _LINE.match(self.text, at) if self.text.startswith("#", at) else None
        return at + len(found[0].rstrip(BREAKS)) if found else at


@dataclass(slots=True)
class Block:
    """Items that each begin a line, all in one column.

    The first item may stand on the line of its parent: ``- a: 1``.
    """

    empty: str
    """The text that replaces the items when all of them are removed."""
    items: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    inline: bool = False
    has_block_scalar: list[bool] = field(default_factory=list)
    next_lines: list[int] = field(default_factory=list)
    end: int = 0

    def close(self, places: TokenPlaces, starts: list[int], limit: int) -> Iterator[tuple[int, int]]:
        """Yield the span of lines of each item. ``limit`` is the position of what follows the block."""
        self.starts, self.inline = starts, not places.opens_line(starts[0])
        inside = places.text[starts[-1] : places.end(limit)]
        self.end = starts[-1] + len(inside.rstrip(" \t" + BREAKS))
        for start, following in zip(starts, [*starts[1:], limit], strict=True):
            end = places.end(following)
            self.has_block_scalar.append(places.has_block_scalar(start, end))
            self.next_lines.append(places.next_line(end))
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
                swallows = self.has_block_scalar[place]
            elif place > first or not self.inline:
                start, end = spans[i]
                yield start, self.next_lines[place] if swallows else end, ""


@dataclass(slots=True)
class Documents:
    """The documents of a stream.

    If a document is removed, the mark ``...`` stays in its place if the next document needs it.
    """

    end: int
    """The end of the stream."""
    items: list[int] = field(default_factory=list)
    directed: set[int] = field(default_factory=set)
    """Documents that begin with directives. Between them and a preceding document, the mark ``...`` is needed."""

    def cuts(self, there: set[int], spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        first = next((i for i in self.items if i in there), None)
        if first != self.items[0]:  # a stream cannot begin with the mark
            yield spans[self.items[0]][0], self.end if first is None else spans[first][0], ""
        for i, following in zip(self.items, [*self.items[1:], None], strict=True):
            if first is not None and i > first and i not in there:
                yield *spans[i], "...\n" if following in self.directed else ""
