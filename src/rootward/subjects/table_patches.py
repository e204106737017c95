"""Turn a subject of tables into a subject of patches: it stores the tables once, and each trial is a small patch.

A function gets the patched table; a command gets it as a file, at ``{file}``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field, replace
from pathlib import Path
from typing import Any

from rootward.errors import InputError, SubjectError
from rootward.formats.ownership import temporary_folder
from rootward.formats.tables.table import writer
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.searches.rows.tables import Tables
from rootward.space.candidate import realise
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function
from rootward.verdict import UNRESOLVED, Outcome


@dataclass(frozen=True)
class PatchedFunction:
    """A function of a table, turned into a function of a patch.

    The tables are not part of the subject's identity, because every patch identifies its tables.
    """

    function: Callable[..., Any]
    tables: InitVar[Tables]

    def __post_init__(self, tables: Tables) -> None:
        object.__setattr__(self, "_tables", tables)
        object.__setattr__(self, "__wrapped__", self.function)  # for its name and its parameters

    def __call__(self, patch: Patch, **seed: int) -> Any:
        tables: Tables = self._tables  # type: ignore[attr-defined]
        try:
            table = tables.give(tables.apply_patch(patch))
        except Exception as error:  # which is not the function's failure
            raise SubjectError(f"the patched table cannot be made: {error}") from error
        return self.function(table, **seed)


class PatchedFile:
    """The document of a command: the bad table's file, patched."""

    noun = "difference"

    def __init__(self, tables: Tables, path: Path) -> None:
        self.tables, self.path, self._write = tables, path, writer(path)
        self.digest = tables.digest
        self.reduced_path = path.with_name(f"{path.stem}.repaired{path.suffix}")

    def render(self, patch: Any) -> Any:
        """Return the content of the file after this patch.

        If ``patch`` is not a patch, return the content of the bad table.
        """
        frame = self.tables.apply_patch(patch) if isinstance(patch, Patch) else self.tables.bad
        return self._write(frame)

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[Any]:
        return iter(())


def patch_subject(subject: Subject | Callable[..., Any], tables: Tables) -> Subject:
    """Turn a subject of tables into a subject of patches.

    A command gets a file in the format of the bad table, or in CSV if the bad table does not come from a file.
    """
    if isinstance(subject, Command):
        if subject.document is not None:
            return subject
        path = tables.path or Path("table.csv")
        return replace(subject, document=PatchedFile(tables, path), file_name=path.name)
    if isinstance(subject, Function):
        return replace(subject, function=PatchedFunction(subject.function, tables))
    if isinstance(subject, Subject):
        return subject
    if not callable(subject):
        raise InputError(f"a subject must be a function of a table, or a command, got {subject!r:.80}")
    return Function(PatchedFunction(subject, tables))


# A subject whose settings name a table, as a subject of settings and a patch: the patched table is written to a file,
# and the settings name that file. The subject still gets plain settings, so it need not know about the patch.


@dataclass(frozen=True)
class TableSubject:
    """Runs a subject on settings. For patched settings, it first writes the patched table to a file."""

    subject: Subject
    table: PatchedFile = field(repr=False, compare=False)

    @property
    def identity(self) -> str:
        """The identity of the wrapped subject.

        It does not include the tables, because each patch identifies its tables.
        """
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

    def isolate(self) -> TableSubject:
        """Return the same subject. If it wraps a function, the function is run in worker processes."""
        return replace(self, subject=self.subject.isolate()) if isinstance(self.subject, Function) else self

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        if not isinstance(candidate, PatchedSettings):
            return self.subject.run(candidate, seed=seed, place=place)
        with temporary_folder() as folder:
            try:
                settings = self._write_table(candidate, Path(folder))
            except InputError as error:  # the tables have changed
                return Outcome(UNRESOLVED, detail=str(error))
            return self.subject.run(settings, seed=seed, place=place)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        if isinstance(candidate, PatchedSettings):
            place.parent.mkdir(parents=True, exist_ok=True)
            candidate = self._write_table(candidate, Path(tempfile.mkdtemp(dir=place.parent)))
        return self.subject.by_hand(candidate, seed=seed, place=place)

    def _write_table(self, candidate: PatchedSettings, folder: Path) -> dict[str, Any]:
        """Write the patched table to the folder; return the settings that name it."""
        file = folder / self.table.path.name
        try:
            file.write_bytes(self.table.render(candidate.patch))
        except OSError as error:  # which is not the subject's failure
            raise SubjectError(f"the patched table cannot be written: {error}") from error
        return replace_table(candidate.settings, self.table.tables.names[0], str(file))


def replace_table(settings: Mapping[str, Any], bad: str, other: str) -> dict[str, Any]:
    """Return the settings with the path ``bad`` of the bad table replaced by the path ``other``."""
    return {name: other if value == bad else value for name, value in realise(settings).items()}
