"""Patches: the candidates of a search for bad rows. A patch is the bad table with some of its differences repaired.

A patch holds numbers only, so it is small however large the tables are: the differences are in some order, and the
repaired ones are a few spans of it. The tables themselves are held once, with the subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Patch:
    """Differences to repair, by their numbers in one of the orders of ``Tables``."""

    tables: str
    """The digest of the tables, because the same numbers mean something else in other tables."""
    order: str
    spans: tuple[Span, ...]
    """``(first, last + 1)`` of each run of numbers, ascending."""

    def __len__(self) -> int:
        return sum(end - start for start, end in self.spans)

    def __str__(self) -> str:
        if not self.spans:
            return "nothing repaired"
        shown = ",".join(str(start) if end - start == 1 else f"{start}-{end - 1}" for start, end in self.spans)
        return f"repaired {shown} by {self.order}"


@dataclass(frozen=True)
class PatchedSettings:
    """Settings that name the bad table, and a patch: the repairs in the table that replaces it."""

    settings: Mapping[str, Any]
    patch: Patch

    @property
    def told(self) -> dict[str, str]:
        """The settings and the patch as text.

        No field has these names, so that the trial is not mistaken for a run of the settings with the original table.
        """
        settings = ", ".join(f"{name} = {value}" for name, value in self.settings.items())
        return {"(settings)": settings, "(rows)": str(self.patch)}


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans in ascending order, without empty spans and with adjacent spans merged.

    Equal sets of numbers therefore give equal spans.
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and merged[-1][1] >= start:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
