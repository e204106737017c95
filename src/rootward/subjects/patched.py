"""A subject of tables as a subject of patches: the tables are held with it once, and each trial brings a small patch.

A function gets the patched table; a command gets it as a file, at ``{file}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import InitVar, dataclass, replace
from pathlib import Path
from typing import Any

from rootward.errors import InputError, SubjectError
from rootward.formats.tables import writer
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function


@dataclass(frozen=True)
class Patched:
    """A function of a table, as one of a patch.

    The tables are no field: every patch names them, so they need not be part of what the subject *is* as well.
    """

    function: Callable[..., Any]
    tables: InitVar[Tables]

    def __post_init__(self, tables: Tables) -> None:
        object.__setattr__(self, "_tables", tables)
        object.__setattr__(self, "__wrapped__", self.function)  # for its name and its parameters

    def __call__(self, patch: Patch, **seed: int) -> Any:
        tables: Tables = self._tables  # type: ignore[attr-defined]
        try:
            table = tables.give(tables.patched(patch))
        except Exception as error:  # which is not the function's failure
            raise SubjectError(f"the patched table cannot be made: {error}") from error
        return self.function(table, **seed)


class PatchedFile:
    """The document of a command: the bad table's file, patched."""

    noun = "difference"

    def __init__(self, tables: Tables, path: Path) -> None:
        self.tables, self.path, self._write = tables, path, writer(path)
        self.digest = tables.digest
        self.reduced = path.with_name(f"{path.stem}.repaired{path.suffix}")

    def render(self, patch: Any) -> Any:
        """The file with this patch; without any, as it is."""
        frame = self.tables.patched(patch) if isinstance(patch, Patch) else self.tables.bad
        return self._write(frame)

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[Any]:
        return iter(())


def patched(subject: Subject | Callable[..., Any], tables: Tables) -> Subject:
    """The subject, as one of patches. A command gets a file of the kind that the bad table has, or else CSV."""
    if isinstance(subject, Command):
        if subject.document is not None:
            return subject
        path = tables.path or Path("table.csv")
        return replace(subject, document=PatchedFile(tables, path), file_name=path.name)
    if isinstance(subject, Function):
        return replace(subject, function=Patched(subject.function, tables))
    if isinstance(subject, Subject):
        return subject
    if not callable(subject):
        raise InputError(f"a subject is a function of a table, or a command, not {subject!r:.80}")
    return Function(Patched(subject, tables))
