"""A subject of tables as a subject of patches: the tables are held with it once, and each trial brings a small patch.

A function gets the patched table; a command gets it as a file, at ``{file}``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field, replace
from pathlib import Path
from typing import Any

from rootward.errors import InputError, SubjectError
from rootward.formats.tables.table import writer
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.searches.rows.tables import Tables
from rootward.space.candidate import realise
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function
from rootward.verdict import UNRESOLVED, Outcome


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


# A subject whose settings name a table, as one of settings and a patch: the patched table is a file, and they name it.
# What the subject gets is settings as ever, so it need not know that somebody repairs its table.


@dataclass(frozen=True)
class Naming:
    """The subject itself, for settings; for patched ones, the subject with a table of their own."""

    subject: Subject
    table: PatchedFile = field(repr=False, compare=False)

    @property
    def identity(self) -> str:
        """Settings are run as ever, and a patch says of which tables it is one."""
        return self.subject.identity

    @property
    def seeded(self) -> bool:
        return self.subject.seeded

    @property
    def inline(self) -> bool:
        return self.subject.inline

    @property
    def alike(self) -> Callable[[Outcome, Outcome], bool] | None:
        return getattr(self.subject, "alike", None)

    def isolate(self) -> Naming:
        """The same, with a function in worker processes."""
        return replace(self, subject=self.subject.isolate()) if isinstance(self.subject, Function) else self

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        if not isinstance(candidate, PatchedSettings):
            return self.subject.run(candidate, seed=seed, place=place)
        with tempfile.TemporaryDirectory(prefix="rootward-") as folder:
            try:
                settings = self._written(candidate, Path(folder))
            except InputError as error:  # the tables are others by now
                return Outcome(UNRESOLVED, detail=str(error))
            return self.subject.run(settings, seed=seed, place=place)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        if isinstance(candidate, PatchedSettings):
            place.parent.mkdir(parents=True, exist_ok=True)
            candidate = self._written(candidate, Path(tempfile.mkdtemp(dir=place.parent)))
        return self.subject.by_hand(candidate, seed=seed, place=place)

    def _written(self, candidate: PatchedSettings, folder: Path) -> dict[str, Any]:
        """The settings that name the patched table, which is in the folder from now on."""
        file = folder / self.table.path.name
        try:
            file.write_bytes(self.table.render(candidate.patch))
        except OSError as error:  # which is not the subject's failure
            raise SubjectError(f"the patched table cannot be written: {error}") from error
        return naming(candidate.settings, self.table.tables.names[0], str(file))


def naming(settings: Mapping[str, Any], bad: str, other: str) -> dict[str, Any]:
    """The settings, with the path of another table wherever they have that of the bad one."""
    return {name: other if value == bad else value for name, value in realise(settings).items()}
