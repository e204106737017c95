"""Tables of one schema: the same columns hold the same types, so that a value can move from one to the other.

A file has no types. A single ``n/a`` makes a column of numbers a column of text; that very cell may be what is looked
for, so such a column is compared as text, and becomes numbers again in a patched table without the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.formats.tables import polars

if TYPE_CHECKING:
    import polars as pl


def alike(
    frames: Sequence[pl.DataFrame], names: Sequence[str]
) -> tuple[pl.DataFrame, list[pl.DataFrame], dict[str, Any]]:
    """The bad table and the good ones with common types; and the type that each column of mixed ones should have, which
    is that of the first good one."""
    changes: dict[Any, Any] = {}
    back: dict[str, Any] = {}
    for name in frames[0].columns:
        types = [frame[name].dtype for frame in frames]
        if any(one != types[0] for one in types):
            changes[name] = _common(name, types, names)
            if changes[name] == polars().String and types[1] != polars().String:
                back[name] = types[1]
    bad, *good = [frame.cast(changes) if changes else frame for frame in frames]
    return bad, good, back


def _common(name: str, types: Sequence[Any], names: Sequence[str]) -> Any:
    pl = polars()
    known = [one for one in types if one != pl.Null]
    if all(one == known[0] for one in known):
        return known[0]
    if all(one.is_numeric() for one in known):
        return pl.Float64
    if any(one == pl.String for one in known) and not any(one.is_nested() for one in known):
        return pl.String
    other = next(i for i, one in enumerate(types) if one != types[0])
    raise InputError(
        f"{name} is {types[0]} in {names[0]} and {types[other]} in {names[other]}: all tables must have the same types"
    )
