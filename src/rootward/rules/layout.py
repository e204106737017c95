"""A boolean expression on as many lines as it takes: one part a line, in parentheses, where one line would be too wide.

An expression is a text that stays as it is, parts that are joined by one word, or a list of values that one is looked
for in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

WIDE = 100
"""Columns of a line."""
STEP = 4


@dataclass(frozen=True)
class Joined:
    """``a and b``, ``a or b``; a single part stands for itself."""

    word: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Among:
    """``name in (1, 2)``."""

    name: str
    values: tuple[str, ...]


Expression = str | Joined | Among


def on_one_line(expression: Expression) -> str:
    known = _bare(expression)
    if isinstance(known, Joined):
        return f" {known.word} ".join(_part(part, known.word) for part in known.parts)
    return known if isinstance(known, str) else f"{known.name} in ({', '.join(known.values)})"


def on_lines(expression: Expression, indent: int) -> str:
    """The same below each other, as it stands within parentheses."""
    return "\n".join(_lines(expression, "", indent, ""))


def _bare(expression: Expression) -> Expression:
    while isinstance(expression, Joined) and len(expression.parts) == 1:
        [expression] = expression.parts
    return expression


def _part(expression: Expression, word: str) -> str:
    """As it stands among others that are joined by the word: in parentheses if its own word is another one."""
    known = _bare(expression)
    text = on_one_line(known)
    return f"({text})" if isinstance(known, Joined) and known.word != word else text


def _lines(expression: Expression, lead: str, indent: int, word: str) -> Iterator[str]:
    """``lead`` stands before it, and ``word``, if any, joins it to its neighbours."""
    known, margin = _bare(expression), " " * indent
    line = f"{margin}{lead}{_part(known, word) if word else on_one_line(known)}"
    if len(line) <= WIDE or isinstance(known, str):
        yield line
    elif isinstance(known, Among):
        yield f"{margin}{lead}{known.name} in ("
        yield from _filled(known.values, indent + STEP)
        yield f"{margin})"
    elif word in ("", known.word):
        for place, part in enumerate(known.parts):
            yield from _lines(part, f"{known.word} " if place else lead, indent, known.word)
    else:
        yield f"{margin}{lead}("
        yield from _lines(known, "", indent + STEP, "")
        yield f"{margin})"


def _filled(values: tuple[str, ...], indent: int) -> Iterator[str]:
    """As many on a line as there is room for."""
    line = ""
    for value in values:
        more = f"{line} {value}," if line else f"{' ' * indent}{value},"
        if line and len(more) > WIDE:
            yield line
            more = f"{' ' * indent}{value},"
        line = more
    yield line
