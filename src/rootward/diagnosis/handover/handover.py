"""What a file that is handed over needs to run the subject elsewhere: where it is found, and what it is given.

A study file says both. Of a study that was made in Python, a function is found by its module, if that can be imported.
A failure that does not show every time has to be run several times to be seen: ``runs_to_see`` says how often.
"""

from __future__ import annotations

import inspect
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from rootward.diagnosis.handover.source import source
from rootward.diagnosis.state import subject_of
from rootward.errors import InputError
from rootward.formats.documents.registry import Document, framed
from rootward.rules import Estimate
from rootward.search import repeat
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import realise
from rootward.study import Study
from rootward.study.sections import Data
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function, as_subject
from rootward.subjects.table_patches import Naming, PatchedFile

MISSED = 0.01
"""The failure may be missed in one of so many tries."""
MAX_RUNS = 60
"""Maximum number of runs made to see the failure."""


@dataclass(frozen=True)
class Handover:
    """The study, seen from the folder that is handed over."""

    study: Study
    folder: Path

    @cached_property
    def subject(self) -> Subject:
        """What is run: where settings name a table, these are all that it gets."""
        found = subject_of(self.study)
        return found.subject if isinstance(found, Naming) else as_subject(found, isolate=False)

    @property
    def filed(self) -> bool:
        """Whether there is a study file."""
        return self.study.path.is_file()

    @property
    def home(self) -> Path:
        """Where a person types commands."""
        return self.study.path.absolute().parent if self.filed else Path.cwd()

    @cached_property
    def document(self) -> Document | None:
        """What the elements are parts of, if they are no plain values."""
        elements = self.study.elements
        return framed(cast(Document, elements)) if hasattr(elements, "render") else None

    @cached_property
    def _said(self) -> Mapping[str, Any]:
        return tomllib.loads(self.study.path.read_text("utf-8")) if self.filed else {}

    @cached_property
    def opening(self) -> dict[str, str]:
        """How the study cuts its document, beyond what the ending says."""
        table = self._said.get("elements") or {}
        return {name: table[name] for name in ("by", "timing") if name in table}

    @cached_property
    def target(self) -> tuple[str, str]:
        """The module and the name of the function; InputError if it can be found under none."""
        if named := (self._said.get("subject") or {}).get("function"):
            module, _, name = str(named).partition(":")
            return module, name
        if not isinstance(self.subject, Function):
            raise InputError(f"a {type(self.subject).__name__} can be run only where it was made")
        function = self.subject.function
        inner = inspect.unwrap(function)
        module, own = getattr(inner, "__module__", ""), getattr(inner, "__qualname__", "")
        held = [name for name, value in vars(sys.modules.get(module)).items() if value is function] if module else []
        if module == "__main__" or not (held or ("<" not in own and inner is function and own)):
            raise InputError(f"the function {own or function!r} cannot be imported from anywhere")
        return module, held[0] if held else own

    @property
    def module_folder(self) -> Path:
        """Where Python has to look for that module."""
        if self.filed:
            return self.home
        module = self.target[0]
        file = getattr(sys.modules[module], "__file__", None)
        return self.home if file is None else Path(file).absolute().parents[module.count(".")]

    def way_to(self, path: Path) -> str:
        """From the folder, as a page or a test in it would write it."""
        return Path(os.path.relpath(path.absolute(), self.folder.absolute())).as_posix()

    def typed(self, path: Path) -> str:
        """As a person writes it who types commands."""
        return os.path.relpath(path.absolute(), self.home)

    def given(self, candidate: Any) -> str:
        """The candidate as Python source: a configuration, a list, or the pieces of the file that it stands for. A
        patch of a table is given as such: the table stays where the study has it."""
        if isinstance(candidate, Patch | PatchedSettings):
            return _rebuilt(candidate)
        realised = realise(candidate)
        if isinstance(realised, Mapping) or self.document is None:
            return source(realised, 8)
        return source(self.document.render(realised).splitlines(keepends=True), 8)

    def is_file(self, candidate: Any) -> bool:
        """Whether ``given`` gives the pieces of a file."""
        return self.document is not None and not isinstance(candidate, Mapping)

    def table(self, patch: Patch) -> tuple[str, bytes]:
        """The patched table as a file: how its name ends, and what it holds."""
        path = self.data.folder / self.data.bad
        return path.suffix, bytes(PatchedFile(self.data.tables, path).render(patch))

    @property
    def data(self) -> Data:
        """The tables, of which a candidate is a patch."""
        assert self.study.data is not None
        return self.study.data

    @property
    def suffix(self) -> str:
        """How the file ends that the candidate stands for."""
        subject = self.subject
        if self.document is not None:
            return self.document.path.suffix
        return Path(subject.file_name).suffix if isinstance(subject, Command) else ""


def _rebuilt(candidate: Patch | PatchedSettings) -> str:
    """The source of a patch, and of the settings if there are any."""
    if isinstance(candidate, Patch):
        return repr(candidate)
    return f"PatchedSettings({source(realise(candidate.settings), 8)}, {candidate.patch!r})"


def runs_to_see(rate: Estimate) -> int:
    """So many runs miss it with a chance below ``MISSED``, if it fails as rarely as was measured, or more often."""
    if not rate.value < 1:  # always, or not known to be rare
        return 1
    chance = rate.low if rate.low > 0 else rate.value
    return MAX_RUNS if chance <= 0 else min(MAX_RUNS, repeat.runs_to_see(chance, missed=MISSED))
