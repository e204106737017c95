"""The error text of a command: its last lines for a person, and a name by which failures are told apart.

Two runs fail alike if they end with the same message, but the same message is rarely the same text: it contains
addresses, times, line numbers, paths of the trial's folder, and above all the input itself ("speed 38 is too high").
If these counted, nearly every run would be a failure of its own, and a search would see no failure twice. So a name
keeps the words of the last line and replaces everything that may differ: numbers, ids, quoted texts, paths, and
the values of the candidate. A name that is too coarse mixes two failures, as the exit code alone does; one that is
too fine tears one failure apart. In doubt it is coarse.

Of a Python traceback, the type of the exception and the function that raised it are the name. The message does not
count.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

MAX_LINES = 3
"""Maximum number of lines of the error text that are shown."""
MAX_LINE_LENGTH = 300
"""Maximum length of a shown line, in characters."""
MAX_NAME_LENGTH = 120
"""Maximum length of the text in a failure's name, in characters."""
MASK = "…"
"""Stands in a name for a part that may differ between equal failures."""
MAX_MASKED_VALUES = 20_000
"""Maximum number of values of a candidate that are looked for in the error text."""
_WORDS = "a all an and are as at by can for from in is it no not of off on or out the to was with"
COMMON_WORDS = frozenset(re.findall(r"\w+", _WORDS))
"""Words that are not replaced even if they are values of the candidate, because they belong to the sentence."""

MAX_START_LINES = 10
"""Maximum number of lines at the end of the error text in which a failed start is looked for."""

_MISSING = re.compile(
    r"can(?:no|')t (?:open|find|execute)|no such file|not found|no module named|permission denied"
    r"|could not find or load|unable to access",
    re.IGNORECASE,
)
_TRACEBACK = "Traceback (most recent call last):"
_FRAME = re.compile(r'\s+File "(?P<file>.*)", line \d+, in (?P<function>.+)')
_SOURCE = re.compile(r'\s+File "(?P<file>.*)", line \d+(?:, in (?P<function>.+))?')
_EXCEPTION = re.compile(r"(?P<kind>[A-Za-z_][\w.]*)(:\s.*)?")
_LIBRARY = re.compile(r"[/\\](site-packages|dist-packages|lib[/\\]python[\d.]*)[/\\]|^<frozen ")
_QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|`[^`']*['`]|\u2018[^\u2019]*\u2019|\u201c[^\u201d]*\u201d")
_PATH = re.compile(r"(?<![\w.])(?:[A-Za-z]:)?[\w.~+-]*(?:[/\\][\w.~+@%=-]+)+[/\\]?")
_VOLATILE = re.compile(
    r"0[xX][0-9a-fA-F]+"  # an address
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"  # a UUID
    r"|\b(?=[a-fA-F]*\d)[0-9a-fA-F]{8,}\b"  # a hash
    r"|[-+]?(?:\d+[.,:/_-]?)*\d+(?:\.\d*)?(?:[eE][-+]?\d+)?"  # a number, a date, a time, a version
    r"|\b(?:nan|inf|infinity)\b",
    re.IGNORECASE,
)
_MASKS = re.compile(rf"(?:[-+]?{MASK}[\s,.:;=()\[\]{{}}-]*)*{MASK}")


def tells_of_failed_start(code: int, text: str, words: Collection[str]) -> bool:
    """Return True if the error text says that the program itself could not be found or loaded.

    ``words``: the words of the command, without those that contain a placeholder. A message about another file, such
    as the input, does not count.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return False
    names = {name for word in words if len(word) > 1 for name in (word, re.split(r"[/\\]", word)[-1]) if name}
    if any(_MISSING.search(line) and _names_one_of(line, names) for line in lines[-MAX_START_LINES:]):
        return True
    if code in (126, 127):
        return _MISSING.search(lines[-1]) is not None
    return _fails_to_load(lines, names)


def _names_one_of(line: str, names: Collection[str]) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]\w)", line) for name in names)


def _fails_to_load(lines: list[str], names: Collection[str]) -> bool:
    """Return True if Python could not compile a script of the command, or could not import what it begins with."""
    kind = _EXCEPTION.fullmatch(lines[-1])
    files = [found for line in lines if (found := _SOURCE.fullmatch(line))]
    if kind is None or not files:
        return False
    if kind["kind"] in ("SyntaxError", "IndentationError", "TabError"):
        return _names_one_of(files[-1]["file"], names)
    own = [frame for frame in files if not _LIBRARY.search(frame["file"])]
    missing = kind["kind"] in ("ImportError", "ModuleNotFoundError")
    return missing and bool(own) and all(frame["function"] == "<module>" for frame in own)


def last_lines(text: str) -> str:
    """Return the last lines of a text that are not blank."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(line.strip()[:MAX_LINE_LENGTH] for line in lines[-MAX_LINES:])


def name_error(text: str, candidate: Any = None) -> str:
    """Return the name of a failure, given its error text; empty if the text says nothing."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    return _name_exception(lines) or mask(lines[-1].strip(), candidate)


def _name_exception(lines: list[str]) -> str:
    """Return the exception of the last Python traceback, and the function that raised it; empty if there is none.

    Functions of installed libraries are left out, if one of the user's own is among the callers.
    """
    starts = [place for place, line in enumerate(lines) if line.strip() == _TRACEBACK]
    if not starts:
        return ""
    frames: list[re.Match[str]] = []
    for line in lines[starts[-1] + 1 :]:
        if (frame := _FRAME.fullmatch(line)) is not None:
            frames.append(frame)
        elif not line[0].isspace():
            found = _EXCEPTION.fullmatch(line)
            own = [frame for frame in frames if not _LIBRARY.search(frame["file"])] or frames
            place = f" in {own[-1]['function']}" if own and own[-1]["function"] != "<module>" else ""
            return f"{found['kind']}{place}" if found else ""
    return ""


def mask(line: str, candidate: Any = None) -> str:
    """Return a message with everything replaced that may differ between two runs with the same failure.

    It is empty if no word is left.
    """
    for value in _texts_in(candidate):
        if value in line and value.lower() not in COMMON_WORDS:
            line = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", MASK, line)
    for pattern in (_QUOTED, _PATH, _VOLATILE):
        line = pattern.sub(MASK, line)
    line = " ".join(_MASKS.sub(MASK, line).split())
    if not any(map(str.isalpha, line)):
        return ""
    return line if len(line) <= MAX_NAME_LENGTH else f"{line[: MAX_NAME_LENGTH - 1]}{MASK}"


def _texts_in(candidate: Any) -> list[str]:
    """Return the texts that a candidate consists of, the longest first."""
    found = {text.strip() for text in _walk(candidate)}
    return sorted((text for text in found if len(text) > 1), key=lambda text: (-len(text), text))[:MAX_MASKED_VALUES]


def _walk(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _walk(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _walk(inner)
