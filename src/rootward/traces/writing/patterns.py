"""Patterns of events that somebody wrote: they have to compile, and to be quick on whatever event comes.

A regular expression takes a time without end if a repeated group can match the same text in two ways. So a group that
is repeated may have no choice in it.
"""

from __future__ import annotations

import re

from rootward.errors import InputError
from rootward.traces.pattern import Pattern
from rootward.traces.writing.nodes import Node

LONGEST = 1000
"""Characters of a pattern."""
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w*>|\(\?[:=!]|\(\?<[=!]|[(){*+?|]|[^\\\[(){*+?|]+|.", re.DOTALL
)
_TIMES = re.compile(r"\{\d+\}")


def pattern(node: Node) -> Pattern:
    """A pattern that compiles."""
    text = node.text("a pattern such as `req ECU set <value>`")
    if not text.strip() or len(text) > LONGEST:
        raise node.wrong(f"a pattern has 1 to {LONGEST:,} characters, such as `req ECU set <value>`")
    if repeats_a_choice(text):
        raise node.wrong(
            f"pattern {text!r}: a repeated group may have no | * + ? or {{n,m}} in it: it can take for ever"
        )
    found = Pattern(text)
    try:
        _ = found.params
    except InputError as error:
        raise node.wrong(str(error)) from None
    return found


def repeats_a_choice(text: str) -> bool:
    """Whether a group with a choice in it is repeated."""
    choices = [False]
    closed = False
    """Whether what ends here is a group with a choice."""
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece.startswith("("):
            choices.append(False)
            closed = False
        elif piece == ")" and len(choices) > 1:
            closed = choices.pop()
            choices[-1] |= closed
        elif piece in ("*", "+", "{", "?", "|"):
            if closed and piece in ("*", "+", "{"):
                return True
            choices[-1] |= not _TIMES.match(text, found.start())
            closed = False
        else:
            closed = False
    return False
