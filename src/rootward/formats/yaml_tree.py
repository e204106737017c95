"""YAML as a tree: the entries of mappings and the items of sequences are its parts, in blocks and in brackets.

It is read as events, never as objects: no tag is obeyed and no alias followed, so neither costs anything. An alias
needs its anchor: the part it stands in goes with the part that has the anchor. A key is one thing, even if it is a
collection. Of several documents, each is a part.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rootward.errors import InputError
from rootward.formats.tree import Growth, Plain, Separated, Tree, text_of
from rootward.formats.yaml_blocks import DEEPEST, LOADER, Block, Documents, Places, TooDeep
from rootward.interfaces.paths import Step


class YamlTree(Tree):
    """The entries and items of a YAML file; InputError if it is none."""

    def __init__(self, path: Path) -> None:
        text, codec = text_of(path)
        try:
            growth = _Reader(text).read()
        except TooDeep as error:
            raise InputError(f"{path}, line {error}: more than {DEEPEST:,} levels: cut it by lines or chars") from None
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
    """Whose content it is."""
    items: Separated | Block | None = None
    """None if its items are no parts of their own."""
    mapping: bool = False
    block: bool = False
    key: bool = False
    """Whether this is, or lies in, the key of a mapping."""
    nodes: int = 0
    item: int | None = None
    """The part that is being read in it."""

    @property
    def at_key(self) -> bool:
        return self.mapping and self.nodes % 2 == 0


class _Reader:
    def __init__(self, text: str) -> None:
        self.places = Places(text)
        self.text, self.growth = text, Growth()
        self._dashes, self._keys = deque(self.places.dashes), deque(self.places.keys)
        self._anchors: dict[str, int | None] = {}
        self._levels: list[_Level] = []

    def read(self) -> Growth:
        events: list[Any] = list(yaml.parse(self.text, Loader=LOADER))
        several = sum(isinstance(event, yaml.DocumentStartEvent) for event in events) > 1
        documents = Documents(len(self.text)) if several else None
        self.growth.collections[None] = documents or Plain()
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
        """An item begins with this node; in a mapping, the node is its key."""
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
            raise yaml.MarkedYAMLError(problem=f"*{event.anchor} has no anchor", problem_mark=event.start_mark)
        anchored = self._anchors[event.anchor]
        if part is not None and anchored is not None and anchored != part:
            self.growth.needs.setdefault(part, set()).add(anchored)

    def _open(self, event: Any, level: _Level, key: bool) -> None:
        mapping, block = isinstance(event, yaml.MappingStartEvent), not event.flow_style
        items: Separated | Block | None = None
        if key or (mapping and not block and self.text[event.end_mark.index - 1] != "{"):
            pass  # the pair in [a: 1] has no braces that could be left
        elif block:
            # A list may stand in the column of the key it belongs to, but its brackets may not.
            items = Block("{}" if mapping else " []" if level.mapping and level.block else "[]")
        else:
            items = Separated(event.end_mark.index)
        if items is not None:
            self.growth.collections[level.item] = items
        self._levels.append(_Level(level.item, items, mapping, block, key, item=level.item))

    def _close(self, event: Any) -> None:
        level, end = self._levels.pop(), event.start_mark.index
        if level.items is None or not level.items.items:
            return
        starts = [self.growth.spans[i][0] for i in level.items.items]
        if isinstance(level.items, Separated):
            level.items.end = end
            spans = [(a, self.places.flow_end(b)) for a, b in zip(starts, [*starts[1:], end], strict=True)]
        else:
            spans = list(level.items.close(self.places, starts, end))
        for i, span in zip(level.items.items, spans, strict=True):
            self.growth.spans[i] = span


def _step(key: Any) -> Step:
    """How a key is named in a path; one that is a collection has no name."""
    if isinstance(key, yaml.AliasEvent):
        return f"*{key.anchor}"
    return str(key.value) if isinstance(key, yaml.ScalarEvent) else "?"
