"""A report as GitHub-flavoured Markdown: what a comment under a pull request has room for.

Whatever comes from the subject is shown and never obeyed: it can make no link, picture, mention, table or HTML.
"""

from __future__ import annotations

import re
from typing import Any

from rootward.report.answer import sentence
from rootward.words import visible

SHOWN = 30
"""So many lines of an explanation are shown."""
WIDE = 300
"""Longer lines are cut ..."""
COMMAND = 4_000
"""... but a command only beyond this: it is to be copied."""
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>&@:$^=])")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: one line, nothing in it has a meaning."""
    line = " ".join(visible(text).split())
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", line)


def code(text: str, language: str = "", wide: int = WIDE) -> str:
    """A block of text as it is, whatever fences it holds itself."""
    lines = text.split("\n")
    if len(lines) > SHOWN:
        lines[SHOWN - 1 :] = [f"... and {len(lines) - SHOWN + 1} more lines"]
    body = "\n".join(visible(line if len(line) <= wide else f"{line[: wide - 1]}…") for line in lines)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    return f"{fence}{language}\n{body}\n{fence}"


def summary(document: dict[str, Any]) -> str:
    """All runs of a report, each with its explanation, its cost and how to reproduce it."""
    return "\n\n".join(["## Rootward", *(_section(run) for run in document["runs"])]) + "\n"


def _section(run: dict[str, Any]) -> str:
    finding = run["finding"]
    title = [f"### {escaped(run['name'][:WIDE])}"] if run["name"] else []
    if finding is None:
        return "\n\n".join([*title, f"{sentence(run)} ({escaped(run['status'])})"])
    return "\n\n".join(filter(None, [*title, code(finding["explanation"], "text"), _cost(finding), _again(run)]))


def _cost(finding: dict[str, Any]) -> str:
    if not finding["asked"]:
        return ""
    runs = f"{finding['trials']:,} trial{'' if finding['trials'] == 1 else 's'}"
    ended = "" if finding["complete"] else f" Not final: {escaped(finding['stopped'] or 'unfinished')}."
    return f"After {runs}.{ended}"


def _again(run: dict[str, Any]) -> str:
    command, seed = run["reproduce"]["command"], run["reproduce"]["seed"]
    if not command:
        return "" if seed is None else f"Seed {seed}."
    seeded = "" if seed is None else f"\n\nSeed {seed}."
    return f"<details><summary>How to reproduce it</summary>\n\n{code(command, 'sh', COMMAND)}{seeded}\n\n</details>"
