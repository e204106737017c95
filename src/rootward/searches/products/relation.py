"""The simple relations between two fields that a table of combinations may agree with.

This names what is seen, and claims no more: the first relation that every row agrees with, if there is one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from rootward.rules.atoms import kind
from rootward.rules.text import field_text, value_text

Rows = Sequence[tuple[tuple[Any, ...], bool]]
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMBINED: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def relation(names: Sequence[str], rows: Rows) -> str | None:
    """What all rows agree with, in words; None if it is nothing that simple, or the rows say too little."""
    if len({fails for _, fails in rows}) < 2:
        return None
    words = [field_text(name) for name in names]
    if len(names) == 2:
        alternatives = (_comparison(words, rows), _either(words, rows), _threshold(words, rows))
        return next((text for text in alternatives if text is not None), None)
    return None


def _comparison(words: Sequence[str], rows: Rows) -> str | None:
    for sign, holds in _COMPARED.items():
        try:
            if all(holds(*values) == fails for values, fails in rows):
                return f"{words[0]} {sign} {words[1]}"
        except TypeError:
            continue
    return None


def _either(words: Sequence[str], rows: Rows) -> str | None:
    """At least one of the two has a value that always triggers."""
    always: list[list[Any]] = []
    for side in (0, 1):
        stopped = [values[side] for values, fails in rows if not fails]
        always.append([values[side] for values, _ in rows if not _among(values[side], stopped)])
    if not all(always):
        return None
    agreed = all(fails == (_among(values[0], always[0]) or _among(values[1], always[1])) for values, fails in rows)
    return f"at least one of {words[0]} and {words[1]} has a value that triggers it" if agreed else None


def _among(value: Any, values: Sequence[Any]) -> bool:
    return any(value is other or value == other for other in values)


def _threshold(words: Sequence[str], rows: Rows) -> str | None:
    """A sum, difference or product beyond some number."""
    if not all(kind(value) == "number" for values, _ in rows for value in values):
        return None
    for sign, combine in _COMBINED.items():
        failing = [combine(*values) for values, fails in rows if fails]
        passing = [combine(*values) for values, fails in rows if not fails]
        if any(number != number for number in (*failing, *passing)):
            continue
        text = f"{words[0]} {sign} {words[1]}"
        if max(passing) < min(failing):
            return f"{text} exceeds a limit between {value_text(max(passing))} and {value_text(min(failing))}"
        if max(failing) < min(passing):
            return f"{text} is below a limit between {value_text(max(failing))} and {value_text(min(passing))}"
    return None
