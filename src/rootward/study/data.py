"""``[data]``: a version of a table with which it fails, and versions with which it passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError, StudyError

if TYPE_CHECKING:
    from rootward.searches.rows.tables import Tables
    from rootward.space import Space


@dataclass(frozen=True)
class Data:
    """Where the tables are, and how they are compared."""

    folder: Path
    """What the paths are relative to."""
    bad: str
    good: tuple[str, ...]
    """Values for repair come from the first."""
    key: tuple[str, ...]
    """The columns by which a row is known."""
    columns: tuple[str, ...] | None = None
    """Only these are looked at; None: all."""
    text: bool = False
    """Leave the cells of CSV files as they are: what is run gets a file, and not values."""
    where: str = ""
    """The place in the study file, for mistakes that show only when the tables are opened."""

    @cached_property
    def tables(self) -> Tables:
        """The tables, which are opened now. They are called what the study calls them."""
        from rootward.searches.rows.tables import Tables

        bad, *good = (self.folder / name for name in (self.bad, *self.good))
        try:
            return Tables.of(bad, good, self.key, self.columns, text=self.text, names=[self.bad, *self.good])
        except InputError as error:
            raise StudyError(f"{self.where}: {error}") from error

    def fields(self, space: Space) -> tuple[str, ...]:
        """The fields that have the path of the bad table among their values."""
        return tuple(name for name, field in space.items() if self.bad in field.values)

    def named_in(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The settings that are the path of the bad table."""
        return tuple(name for name, value in settings.items() if value == self.bad)
