"""Error messages for study files: the key and line of a mistake, what is expected there, what was probably meant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.space.fields import show

if TYPE_CHECKING:
    from pydantic import ValidationError

    from rootward.study import tables


KeyPath = tuple[str | int, ...]
"""The path of a key, from the top of the file."""
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\]|\\.)*\"|'[^']*'")
_VALUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"""+|' + r"'''.*?'''+|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|" + r"[^\s,\]}#][^,\]}#\n]*",
    re.DOTALL,
)


def explain(model: type[tables.Section], data: object, at: KeyPath, error: ValidationError) -> tuple[KeyPath, str]:
    """Return the key of the first mistake in a table, and a text that says what is expected for this key."""
    first = error.errors()[0]
    name = next(iter(first["loc"]), None)
    if not isinstance(name, str) or not isinstance(data, Mapping):
        return at, f"expected a table, got {show(data)}"
    if first["type"] == "extra_forbidden":
        return (*at, name), f"unknown key{suggest(name, model.model_fields)}"
    expected = model.model_fields[name].description
    if name not in data:
        return (*at, name), f"missing: expected {expected}"
    return (*at, name), f"expected {expected}, got {show(data[name])}"


def suggest(name: str, names: Mapping[str, Any]) -> str:
    """Return a text that suggests the known name most similar to an unknown one.

    If none is similar, the text lists all names.
    """
    near = get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; expected one of {', '.join(names)}" if names else ""


def show_with_suggestion(said: object, names: Mapping[str, Any]) -> str:
    """Show a value, followed by the name that is most similar to it if there is a similar one."""
    near = get_close_matches(said, names, n=1) if isinstance(said, str) else []
    return show(said) + (f" (did you mean {near[0]!r}?)" if near else "")


def format_key(at: KeyPath) -> str:
    """Return a key as it would be written in TOML."""
    words = [str(part) if re.fullmatch(r"[\w-]+", str(part)) else f'"{part}"' for part in at]
    return ".".join(words)


def explain_syntax_error(path: Path, text: str, message: str) -> str:
    """Return the message of the TOML parser with the path of the file and the line added."""
    what, _, where = message.partition(" (at ")
    found = re.match(r"line (\d+), column (\d+)", where)
    line = found[1] if found else text.count("\n") + (not text.endswith("\n"))
    column = f" (column {found[2]})" if found else " (at the end)"
    return f"{path}:{line}: invalid TOML: {what[:1].lower()}{what[1:]}{column}"


# The line of every key. tomllib returns values without their positions. This is a scanner, not a second parser: it
# only sees text that tomllib accepts, so it can trust the syntax and only needs to know where keys and values begin and
# end.


def line_of(lines: Mapping[KeyPath, int], path: Sequence[str | int]) -> int:
    """Return the line of a key. If the key is not in the file, return that of the innermost enclosing key."""
    for end in range(len(path), 0, -1):
        if (line := lines.get(tuple(path[:end]))) is not None:
            return line
    return 1


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line of every key, table and array element of a valid TOML text."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}  # index of the last element of each array of tables
        self._line, self._counted = 1, 0

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self.skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.entry(table)
        return self.lines

    def header(self) -> KeyPath:
        """Scan ``[a.b]`` or ``[[a.b]]``. The name of an array of tables stands for its last element."""
        line, double = self.line(), self.text.startswith("[[", self.at)
        self.at += 1 + double
        path: KeyPath = ()
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

    def last(self, path: KeyPath) -> KeyPath:
        return (*path, self.tables[path]) if path in self.tables else path

    def entry(self, table: KeyPath) -> None:
        """Scan ``a.b = value``; each part of a dotted key is on this line."""
        line, path = self.line(), table
        for name in self.keys():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def value(self, path: KeyPath) -> None:
        opening = self.text[self.at]
        if opening == "[":
            self.array(path)
        elif opening == "{":
            self.inline(path)
        else:
            self.skip(_VALUE)

    def array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        while self.more("]"):
            self.lines[(*path, index)] = self.line()
            self.value((*path, index))
            index += 1

    def inline(self, path: KeyPath) -> None:
        self.at += 1
        while self.more("}"):
            self.entry(path)

    def more(self, closing: str) -> bool:
        """Go to the next member and return True.

        If there is no further member, go past the closing bracket and return False.
        """
        self.skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self.skip(_BLANK)
        if self.text[self.at] != closing:
            return True
        self.at += 1
        return False

    def keys(self) -> list[str]:
        """Scan a dotted key, up to the equals sign or closing bracket behind it."""
        names = []
        while True:
            self.skip(_SPACE)
            start = self.at
            self.skip(_KEY)
            names.append(_unquote(self.text[start : self.at]))
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


def _unquote(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
