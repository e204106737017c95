"""The blocks of a page, as a reader meets them.

A block is what stands between fences, with its language. One with a file name above it (``:caption: study.toml``) is
the content of that file. An HTML comment right before a block says that it cannot be run here, and why::

    <!-- not run: needs Gazebo -->

and one that begins with ``setup`` holds commands that a reader need not see: they make the files that a page takes for
granted, such as *your* program.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

PART = re.compile(
    r"^<!-- not run: (?P<reason>.+?) -->\n"
    r"|^<!-- setup\n(?P<setup>.*?)^-->\n"
    r"|^(?P<indent> *)(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^ *(?P=fence) *\n",
    re.MULTILINE | re.DOTALL,
)
OPTIONS = re.compile(r"(?::\w+: .*\n)*\n?")


@dataclass(frozen=True)
class Block:
    line: int
    language: str
    text: str
    file: str = ""
    """The name of the file whose content this is."""
    reason: str = ""
    """Why it is not run."""
    adjacent: bool = False
    """Whether nothing but blank lines stands between this block and the one before it."""


def blocks(page: str) -> Iterator[Block]:
    reason, end = "", -1
    for part in PART.finditer(page):
        line = page.count("\n", 0, part.start()) + 1
        adjacent = end >= 0 and not page[end : part.start()].strip()
        end = part.end()
        if part["reason"]:
            reason = part["reason"]
        elif part["setup"]:
            yield Block(line, "setup", part["setup"])
        else:
            language, file, text = opened(part["info"].strip(), textwrap.dedent(part["body"]))
            yield Block(line, language, text, file, reason if adjacent else "", adjacent)
            reason = ""


def opened(info: str, body: str) -> tuple[str, str, str]:
    """The language of a block, the file that it is, and its text."""
    if not info.startswith("{code-block}"):
        return re.sub(r"(?<=\}).*", "", info), "", body  # of a directive, its name
    options = OPTIONS.match(body)
    assert options is not None
    caption = re.search(r":caption: (.*)", options[0])
    return info.removeprefix("{code-block}").strip(), caption[1] if caption else "", body[options.end() :]


def commands(transcript: str) -> Iterator[tuple[str, str]]:
    """What is typed after each ``$`` of a console, and what the page says that it prints."""
    for part in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        typed = re.match(r"(?:.*\\\n)*.*\n?", part)
        assert typed is not None
        yield typed[0].rstrip("\n"), part[typed.end() :]


def agrees(printed: str, shown: str) -> bool:
    """Whether a page shows what was printed. Three dots stand for anything: in a line, or for whole lines."""
    pattern = re.escape(shown.rstrip("\n"))
    pattern = re.sub(r"(?m)^ *\\\.\\\.\\\.$", r"(?s:.*)", pattern.replace(r"\ ", " ").replace("\\\n", "\n"))
    return re.fullmatch(pattern.replace(r"\.\.\.", ".*"), printed.rstrip("\n")) is not None
