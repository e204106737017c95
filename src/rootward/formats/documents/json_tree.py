"""JSON as a tree: the members of objects and the items of arrays are its parts.

It accepts what Python's ``json`` accepts, including ``NaN``, at any depth; two members with the same name are two
parts. The outermost value stays; in JSON lines, each line is a part.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.parts import text_of
from rootward.formats.documents.tree import Growth, PlainItems, SeparatedItems, Tree

_SCALARS = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BLANK = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"[ \t\r]*(?:\n|\Z)")
_CLOSERS = {"{": "}", "[": "]"}
LINES_EXTENSIONS = (".jsonl", ".ndjson")
"""File name extensions of JSON lines; any other file with several values, each on a new line, is read the same way."""


class JsonTree(Tree):
    """The members and items of a JSON file; InputError if it is not JSON."""

    def __init__(self, path: Path) -> None:
        text, codec = text_of(path)
        super().__init__(path, "value", text, codec, parse_tree(path, text, path.suffix.lower() in LINES_EXTENSIONS))


def parse_tree(path: Path, text: str, lines: bool) -> Growth:
    """Parse a text into a tree. Raises an InputError that names the file if the text is not JSON."""
    try:
        return _JsonReader(text).lines() if lines else _read_value(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None


def _read_value(text: str) -> Growth:
    reader = _JsonReader(text)
    reader.growth.collections[None] = PlainItems()
    end = reader.value(reader.blank(0), None)
    after = reader.blank(end)
    if after == len(text):
        return reader.growth
    if "\n" not in text[end:after]:
        raise json.JSONDecodeError("Extra data", text, after)
    return _JsonReader(text).lines()


class _JsonReader:
    """Reads a text in one pass, without recursion, so that Python's stack does not limit the depth."""

    def __init__(self, text: str) -> None:
        self.text, self.growth = text, Growth()

    def lines(self) -> Growth:
        """Read a file of values, each of which begins on a new line."""
        self.growth.collections[None] = values = PlainItems()
        at = self.blank(0)
        while at < len(self.text):
            name = self.growth.name(None, len(values.items))
            part = self.growth.add(None, name, self.text.rfind("\n", 0, at) + 1)
            at = self.value(at, part)
            if not (end := _LINE_END.match(self.text, at)):
                raise json.JSONDecodeError("Extra data", self.text, at)
            self.growth.end(part, end.end())
            at = self.blank(end.end())
        return self.growth

    def value(self, at: int, part: int | None) -> int:
        """Read the value that begins at ``at`` and return its end. The value is the content of ``part``."""
        around: list[tuple[int | None, str]] = []
        while True:
            closer = _CLOSERS.get(self.text[at : at + 1])
            if closer is None:
                at = self.scalar(at)
            else:
                self.growth.collections[part] = inside = SeparatedItems(at + 1)
                at = inside.end = self.blank(at + 1)
                if self.text[at : at + 1] != closer:
                    around.append((part, closer))
                    part, at = self.item(part, closer, at)
                    continue
                at += 1
            part, at, done = self.leave(around, part, at)
            if done:
                return at

    def leave(self, around: list[tuple[int | None, str]], part: int | None, at: int) -> tuple[int | None, int, bool]:
        """Move on from the end of a value to the next part.

        Returns the next part, the start of its value, and False. If no part follows, returns the outermost part, the
        end of its value, and True.
        """
        while around:
            if part is not None:
                self.growth.end(part, at)
            part, closer = around[-1]
            at = self.blank(at)
            found = self.text[at : at + 1]
            if found == ",":
                return *self.item(part, closer, self.blank(at + 1)), False
            if found != closer:
                raise json.JSONDecodeError(f"Expecting ',' or '{closer}'", self.text, at)
            around.pop()
            inside = self.growth.collections[part]
            assert isinstance(inside, SeparatedItems)
            inside.end, at = at, at + 1
        return part, at, True

    def item(self, parent: int | None, closer: str, at: int) -> tuple[int, int]:
        """Add the member or item that begins at ``at``. Return its number and the start of its value."""
        if closer == "]":
            step = len(self.growth.collections[parent].items)
            return self.growth.add(parent, self.growth.name(parent, step), at), at
        if self.text[at : at + 1] != '"':
            raise json.JSONDecodeError("Expecting a name in double quotes", self.text, at)
        key, colon = _SCALARS.raw_decode(self.text, at)
        colon = self.blank(colon)
        if self.text[colon : colon + 1] != ":":
            raise json.JSONDecodeError("Expecting ':'", self.text, colon)
        return self.growth.add(parent, self.growth.name(parent, key), at), self.blank(colon + 1)

    def scalar(self, at: int) -> int:
        return _SCALARS.raw_decode(self.text, at)[1]

    def blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at
