"""Write texts in Markdown so that text from a subject is shown literally.

It cannot make a link, a picture, a mention, a table or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rootward.words import make_visible

MAX_LINES = 30
"""Maximum number of lines in a block of code."""
MAX_LINE_LENGTH = 300
"""Maximum length of a line of code, in characters."""
MAX_COMMAND_LENGTH = 4_000
"""Maximum length of a command, which users copy."""
_ACTIVE = re.compile(
    r"""[`\[\]#|~@$]                              # anywhere
    | \\(?=[!-/:-@\[-`{-~]|$)                    # before what it could escape
    | (?<!\w)_++ | _++(?!\w)                     # but not within a word
    | (?<!\s)\* | \*(?!\s)                       # but not between spaces
    | <(?=[a-z/!?]|$) | &(?=[a-z\#]|$)           # tags, entities
    | ^[-+=>]                                    # lists, headings, quotes
    | :(?=\S) | (?<=www)\. | (?<=GH)-            # addresses, emoji, issues
    | [{}](?=[{}%\#]) | (?<=[{}%\#])[{}]         # templates of a site""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")


class Code(str):
    """A part of a text that is a name or a condition, and is shown as code."""

    __slots__ = ()


def join_parts(parts: Iterable[str], *, cell: bool = False) -> str:
    """Join parts, some of them code and some plain words, to one line of Markdown.

    ``cell``: the line is a cell of a table.
    """
    line = ""
    for part in parts:
        shown = inline_code(part, cell=cell) if isinstance(part, Code) else _words(part)
        line += f" {shown}" if line[-1:] == shown[:1] == "`" else shown  # two fences would be one
    return line.strip()


def _words(text: str) -> str:
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{escape_text(text)}{after}" if text.strip() else before


def inline_code(text: str, *, cell: bool = False) -> str:
    """Return the text as inline code."""
    line = " ".join(make_visible(text).split())
    if not line or (cell and "\\|" in line):  # readers disagree about which of the two is escaped
        return escape_text(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    space = " " if line[0] == "`" or line[-1] == "`" else ""
    shown = line.replace("|", r"\|") if cell else line
    return f"{fence}{space}{shown}{space}{fence}"


def escape_text(text: str) -> str:
    """Return the text on one line, with every character escaped that has a meaning in Markdown."""
    line = _ACTIVE.sub(lambda found: "".join(f"&#{ord(c)};" for c in found[0]), " ".join(make_visible(text).split()))
    return _NUMBERED.sub(lambda found: f"{found[1]}&#{ord(found[2])};", line)


def code_block(text: str, language: str = "", wide: int = MAX_LINE_LENGTH, shown: int = MAX_LINES) -> str:
    """Return the text as a block of code, with a fence longer than any inside it."""
    lines = text.split("\n")
    if len(lines) > shown:
        lines[shown - 1 :] = [f"... and {len(lines) - shown + 1} more lines"]
    body = "\n".join(make_visible(line if len(line) <= wide else f"{line[: wide - 1]}…") for line in lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    return f"{fence}{language}\n{body}\n{fence}"
