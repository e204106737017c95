"""``[data]``: a version of a table with which it fails, and versions with which it passes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError, StudyError

if TYPE_CHECKING:
    from rootward.searches.rows.tables import Tables


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
    """Leave the cells of CSV files as they are: a command gets a file, and not values."""
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
