"""On which line of a TOML text a key stands. ``tomllib`` reads values but forgets where they were.

This is a scanner, not a second parser: it is given text that ``tomllib`` accepts, so it may trust the syntax and only
has to know where keys and values begin and end.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\]|\\.)*\"|'[^']*'")
_VALUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"""+|' + r"'''.*?'''+|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|" + r"[^\s,\]}#][^,\]}#\n]*",
    re.DOTALL,
)


def line_of(lines: Mapping[Path, int], path: Sequence[str | int]) -> int:
    """The line of that key, or of the nearest one around it that is written down."""
    for end in range(len(path), 0, -1):
        if (line := lines.get(tuple(path[:end]))) is not None:
            return line
    return 1


def key_lines(text: str) -> dict[Path, int]:
    """The line of every key, table and array element of a valid TOML text."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}  # how many elements each array of tables has so far
        self._line, self._counted = 1, 0

    def scan(self) -> dict[Path, int]:
        table: Path = ()
        while self.skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.entry(table)
        return self.lines

    def header(self) -> Path:
        """``[a.b]`` or ``[[a.b]]``; a name on the way that is an array of tables means its last element."""
        line, double = self.line(), self.text.startswith("[[", self.at)
        self.at += 1 + double
        path: Path = ()
        keys = self.keys()
        for name in keys[:-1]:
            path = self.last((*path, name))
            self.lines.setdefault(path, line)
        path = (*path, keys[-1])
        if double:
            self.lines.setdefault(path, line)
            self.tables[path] = self.tables.get(path, -1) + 1
        path = self.last(path)
        self.lines[path] = line
        self.at += 1 + double
        return path

    def last(self, path: Path) -> Path:
        return (*path, self.tables[path]) if path in self.tables else path

    def entry(self, table: Path) -> None:
        """``a.b = value``: each part of a dotted key stands on this line."""
        line, path = self.line(), table
        for name in self.keys():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def value(self, path: Path) -> None:
        opening = self.text[self.at]
        if opening == "[":
            self.array(path)
        elif opening == "{":
            self.inline(path)
        else:
            self.skip(_VALUE)

    def array(self, path: Path) -> None:
        self.at += 1
        index = 0
        while self.more("]"):
            self.lines[(*path, index)] = self.line()
            self.value((*path, index))
            index += 1

    def inline(self, path: Path) -> None:
        self.at += 1
        while self.more("}"):
            self.entry(path)

    def more(self, closing: str) -> bool:
        """Go to the next member; False, and past the end, if there is none."""
        self.skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_BLANK)
        if self.text[self.at] != closing:
            return True
        self.at += 1
        return False

    def keys(self) -> list[str]:
        """A dotted key, and where it ends: at an equals sign or a closing bracket."""
        names = []
        while True:
            self.skip(_SPACE)
            start = self.at
            self.skip(_KEY)
            names.append(_unquoted(self.text[start : self.at]))
            self.skip(_SPACE)
            if self.text[self.at] != ".":
                return names
            self.at += 1

    def skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None, f"no TOML at {self.text[self.at : self.at + 40]!r}"
        self.at = match.end()
        return self.at

    def line(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line


def _unquoted(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
