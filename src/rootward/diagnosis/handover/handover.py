"""Everything that a reproducer or a test needs to run the subject elsewhere: its location and its input.

A study file has both. If the study was made in Python, a function is found by its module, if that can be imported. A
flaky failure must be run several times to be seen: ``runs_to_see`` computes the number.
"""

from __future__ import annotations

import inspect
import os
import sys
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from rootward.diagnosis.handover.source import source
from rootward.diagnosis.state import subject_of
from rootward.errors import InputError
from rootward.formats.documents.registry import Document, document_to_render
from rootward.formats.files import read_text
from rootward.rules import Estimate
from rootward.search import repeat
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import realise
from rootward.study import Study
from rootward.study.sections import DataVersions
from rootward.subjects import Subject
from rootward.subjects.command import Command
from rootward.subjects.function import Function, as_subject
from rootward.subjects.table_patches import PatchedFile, TableSubject

MISS_CHANCE = 0.01
"""Tolerated chance of missing the failure."""
BESIDE = "-file"
"""Ends the stem of a file that would otherwise have the same name as the file of the fields."""
MAX_RUNS = 60
"""Maximum number of runs to see the failure."""


@dataclass(frozen=True)
class Handover:
    """The study, and the folder that is handed over."""

    study: Study
    folder: Path

    @cached_property
    def subject(self) -> Subject:
        """The subject to run. If the settings can name a table, it takes settings rather than patches of that table."""
        found = subject_of(self.study)
        return found.subject if isinstance(found, TableSubject) else as_subject(found, isolate=False)

    @property
    def has_file(self) -> bool:
        """True if the study has a file."""
        return self.study.path.is_file()

    @property
    def home(self) -> Path:
        """The folder in which a person types commands."""
        return self.study.path.absolute().parent if self.has_file else Path.cwd()

    @cached_property
    def document(self) -> Document | None:
        """The document that the elements are parts of; None if they are plain values."""
        elements = self.study.elements
        return document_to_render(cast(Document, elements)) if hasattr(elements, "render") else None

    @cached_property
    def _tables(self) -> Mapping[str, Any]:
        return tomllib.loads(read_text(self.study.path)) if self.has_file else {}

    @cached_property
    def open_options(self) -> dict[str, str]:
        """The options with which the study opens its document."""
        table = self._tables.get("elements") or {}
        return {name: table[name] for name in ("by", "timing") if name in table}

    @cached_property
    def target(self) -> tuple[str, str]:
        """The module and the name of the function that is run. Raises InputError if the function cannot be imported."""
        if named := (self._tables.get("subject") or {}).get("function"):
            module, _, name = str(named).partition(":")
            return module, name
        if not isinstance(self.subject, Function):
            raise InputError(
                f"a subject of type {type(self.subject).__name__} can only be run by the program that made it"
            )
        function = self.subject.function
        inner = inspect.unwrap(function)
        module, own = getattr(inner, "__module__", ""), getattr(inner, "__qualname__", "")
        held = [name for name, value in vars(sys.modules.get(module)).items() if value is function] if module else []
        if module == "__main__" or not (held or ("<" not in own and inner is function and own)):
            name = own or repr(function)
            raise InputError(
                f"the function {name} cannot be imported: define it at the top level of an importable module"
            )
        return module, held[0] if held else own

    @property
    def module_folder(self) -> Path:
        """The folder in which Python finds the module of ``target``."""
        if self.has_file:
            return self.home
        module = self.target[0]
        file = getattr(sys.modules[module], "__file__", None)
        return self.home if file is None else Path(file).absolute().parents[module.count(".")]

    def relative_path(self, path: Path) -> str:
        """Return ``path`` relative to the folder that is handed over, for use in a page or a test in this folder."""
        return Path(os.path.relpath(path.absolute(), self.folder.absolute())).as_posix()

    def typed_path(self, path: Path) -> str:
        """Return a path relative to the folder in which commands are typed."""
        return os.path.relpath(path.absolute(), self.home)

    def is_file(self, candidate: Any) -> bool:
        """Return True if the subject gets the candidate as a file that is not a table of values."""
        if isinstance(candidate, Mapping | Patch | PatchedSettings):
            return False
        if isinstance(self.subject, Command):
            return "file" in self.subject.inputs(realise(candidate))
        return self.document is not None

    def file_name(self, stem: str, inputs: Collection[str]) -> str:
        """Return the name of the file that holds a candidate. ``inputs``: the placeholders of all files."""
        beside = BESIDE if "config" in inputs and self.suffix == ".json" else ""
        return f"{stem}{beside}{self.suffix}"

    def input_file(self, candidate: Any, stem: str) -> str:
        """Return the name of the reproducer's file that holds the candidate; empty if there is none."""
        if not self.is_file(candidate):
            return ""
        subject = self.subject
        return self.file_name(stem, subject.inputs(realise(candidate)) if isinstance(subject, Command) else ())

    def table(self, patch: Patch) -> tuple[str, bytes]:
        """Return the patched table as a file: the suffix of its name, and its content."""
        path = self.data.folder / self.data.bad
        return path.suffix, bytes(PatchedFile(self.data.tables, path).render(patch))

    @property
    def data(self) -> DataVersions:
        """The tables that candidates are patches of."""
        assert self.study.data is not None
        return self.study.data

    @property
    def suffix(self) -> str:
        """The file name suffix (such as ``.json``) of a candidate that is written to a file; may be empty."""
        subject = self.subject
        if self.document is not None:
            return self.document.path.suffix
        return Path(subject.file_name).suffix if isinstance(subject, Command) else ""


def as_patch_source(candidate: Patch | PatchedSettings) -> str:
    """Return the Python source of a patch, with its settings if it has any."""
    if isinstance(candidate, Patch):
        return repr(candidate)
    return f"PatchedSettings({source(realise(candidate.settings), 8)}, {candidate.patch!r})"


def runs_to_see(rate: Estimate) -> int:
    """Return the number of runs after which the failure was missed with a chance of at most ``MISS_CHANCE``.

    The number is based on the lower end of the measured rate, and is at most ``MAX_RUNS``.
    """
    if not rate.value < 1:  # it always fails, or the rate is unknown
        return 1
    chance = rate.low if rate.low > 0 else rate.value
    return MAX_RUNS if chance <= 0 else min(MAX_RUNS, repeat.runs_to_see(chance, missed=MISS_CHANCE))
