"""Texts in Markdown: whatever comes from the subject is shown and never obeyed.

It can make no link, picture, mention, table or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rootward.words import visible

SHOWN = 30
"""So many lines of an explanation are shown."""
WIDE = 300
"""Longer lines are cut ..."""
COMMAND = 4_000
"""... but a command only beyond this: it is to be copied."""
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
    """A part of a text that is a name or a condition, and shown as code."""

    __slots__ = ()


def marked(parts: Iterable[str], *, cell: bool = False) -> str:
    """A text of such parts and of words, on one line. ``cell``: it stands in a table."""
    line = ""
    for part in parts:
        shown = span(part, cell=cell) if isinstance(part, Code) else _words(part)
        line += f" {shown}" if line[-1:] == shown[:1] == "`" else shown  # two fences would be one
    return line.strip()


def _words(text: str) -> str:
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{escaped(text)}{after}" if text.strip() else before


def span(text: str, *, cell: bool = False) -> str:
    """Text as code within a line."""
    line = " ".join(visible(text).split())
    if not line or (cell and "\\|" in line):  # readers disagree about which of the two is escaped
        return escaped(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    space = " " if line[0] == "`" or line[-1] == "`" else ""
    shown = line.replace("|", r"\|") if cell else line
    return f"{fence}{space}{shown}{space}{fence}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: one line, nothing in it has a meaning."""
    line = _ACTIVE.sub(lambda found: "".join(f"&#{ord(c)};" for c in found[0]), " ".join(visible(text).split()))
    return _NUMBERED.sub(lambda found: f"{found[1]}&#{ord(found[2])};", line)


def code(text: str, language: str = "", wide: int = WIDE, shown: int = SHOWN) -> str:
    """A block of text as it is, whatever fences it holds itself."""
    lines = text.split("\n")
    if len(lines) > shown:
        lines[shown - 1 :] = [f"... and {len(lines) - shown + 1} more lines"]
    body = "\n".join(visible(line if len(line) <= wide else f"{line[: wide - 1]}…") for line in lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    return f"{fence}{language}\n{body}\n{fence}"
