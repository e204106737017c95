"""What a search for bad rows proposes to run: the bad table with some of its differences repaired.

A patch holds numbers only, so it is small however large the tables are: the differences stand in an order, and those
that are repaired are a few spans of it. The tables stay where they are held once, with the subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Patch:
    """Differences that are repaired, by their numbers in one of the orders of ``Tables``."""

    tables: str
    """The digest of the tables: the same numbers mean something else in others."""
    order: str
    spans: tuple[Span, ...]
    """``(first, behind the last)`` of each run of numbers, ascending."""

    def __len__(self) -> int:
        return sum(end - start for start, end in self.spans)

    def __str__(self) -> str:
        if not self.spans:
            return "nothing repaired"
        shown = ",".join(str(start) if end - start == 1 else f"{start}-{end - 1}" for start, end in self.spans)
        return f"repaired {shown} by {self.order}"


@dataclass(frozen=True)
class PatchedSettings:
    """Settings that name the bad table, and what is repaired in the table that they are to name instead."""

    settings: Mapping[str, Any]
    patch: Patch

    @property
    def told(self) -> dict[str, str]:
        """Under names that no field has: it is no run of these settings as they are."""
        settings = ", ".join(f"{name} = {value}" for name, value in self.settings.items())
        return {"(settings)": settings, "(rows)": str(self.patch)}


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Ascending spans without empty ones, neighbours made one: the same numbers, always written in the same way."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and merged[-1][1] >= start:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
