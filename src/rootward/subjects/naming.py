"""A subject whose settings name a table, as one of settings and a patch: the patched table is a file, and they name it.

What the subject gets is settings as ever, so it need not know that somebody repairs its table.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rootward.candidate import realise
from rootward.errors import InputError, SubjectError
from rootward.searches.rows.patch import PatchedSettings
from rootward.subjects import Subject
from rootward.subjects.function import Function
from rootward.subjects.patched import PatchedFile
from rootward.verdict import UNRESOLVED, Outcome


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
