"""Texts in Markdown: whatever comes from the subject is shown and never obeyed.

It can make no link, picture, mention, table or HTML.
"""

from __future__ import annotations

import re

from rootward.words import visible

SHOWN = 30
"""So many lines of an explanation are shown."""
WIDE = 300
"""Longer lines are cut ..."""
COMMAND = 4_000
"""... but a command only beyond this: it is to be copied."""
_ACTIVE = re.compile(
    r"""[\\`*_\[\]#|~<&@$]            # anywhere
    | ^[-+=>]                          # lists, headings, quotes
    | :(?=\S) | (?<=www)\. | (?<=GH)-  # addresses, emoji, issues
    | [{}](?=[{}%\#]) | (?<=[{}%\#])[{}]  # templates of a site""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(\d+)([.)])")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: one line, nothing in it has a meaning."""
    line = _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", " ".join(visible(text).split()))
    return _NUMBERED.sub(lambda found: f"{found[1]}&#{ord(found[2])};", line)


def code(text: str, language: str = "", wide: int = WIDE, shown: int = SHOWN) -> str:
    """A block of text as it is, whatever fences it holds itself."""
    lines = text.split("\n")
    if len(lines) > shown:
        lines[shown - 1 :] = [f"... and {len(lines) - shown + 1} more lines"]
    body = "\n".join(visible(line if len(line) <= wide else f"{line[: wide - 1]}…") for line in lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    return f"{fence}{language}\n{body}\n{fence}"
