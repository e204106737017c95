"""How a test that stands alone gets hold of the subject, as Python source.

Through the study file if there is one: it says how to run and to judge, whatever kind of subject it is. Otherwise a
command is made again, and a function imported.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace

from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.source import source
from rootward.diagnosis.rows import only_rows
from rootward.errors import InputError
from rootward.subjects.command import Command

STUDY = "ROOTWARD_STUDY"
"""The environment variable that says where the study file is, if it was moved."""


@dataclass(frozen=True)
class Access:
    """An expression for the subject, and what it needs."""

    made: str
    needs: str = ""
    """A statement before it."""
    standard: tuple[str, ...] = ()
    """Imports of the standard library ..."""
    own: tuple[str, ...] = ()
    """... and of Rootward."""

    @property
    def imports(self) -> str:
        standard = sorted({"import copy", *self.standard}, key=lambda line: (line.startswith("from"), line))
        return "\n".join([*standard, "", "import pytest", "import rootward as rw", *self.own])


def access(handover: Handover, *, files: bool, patches: bool) -> Access:
    """``files``: whether its candidates are whole files; ``patches``: whether some are patches of a table. InputError
    if the subject can be found nowhere."""
    subject = handover.subject
    if patches:
        found = _of_patches(handover)
    elif handover.filed:
        found = _by_study(handover)
    elif isinstance(subject, Command):
        found = Access(f"rw.Command({_options(subject)})")
    else:
        found = _by_import(handover)
    if files and isinstance(subject, Command):
        made = f"dataclasses.replace({found.made}, document=None)  # the files are whole already"
        return replace(found, made=made, standard=("import dataclasses", *found.standard))
    return found


def _by_study(handover: Handover) -> Access:
    way = source(handover.way_to(handover.study.path))
    return Access(
        "load(STUDY).subject",
        f'STUDY = Path(os.environ.get("{STUDY}", Path(__file__).parent / {way}))',
        ("import os", "from pathlib import Path"),
        ("from rootward.study import load",),
    )


def _of_patches(handover: Handover) -> Access:
    """The tables are opened where the study has them; a patch is too small to hold any of that."""
    if not handover.filed:
        raise InputError("only a study file says where the tables are")
    found = _by_study(handover)
    kinds = "Patch" if only_rows(handover.study) else "Patch, PatchedSettings"
    own = ("from rootward.diagnosis.rows import subject_of", f"from rootward.searches.rows.patch import {kinds}")
    return replace(found, made="subject_of(load(STUDY))", own=(*own, *found.own))


def _by_import(handover: Handover) -> Access:
    module, name = handover.target
    limits = {one: getattr(handover.subject, one, None) for one in ("timeout", "memory")}
    options = "".join(f", {one}={source(value)}" for one, value in limits.items() if value is not None)
    return Access(
        f"Function(importlib.import_module({source(module)}).{name}{options})",
        f"sys.path.insert(0, str(Path(__file__).parent / {source(handover.way_to(handover.module_folder))}))",
        ("import importlib", "import sys", "from pathlib import Path"),
        ("from rootward.subjects.function import Function",),
    )


def _options(command: Command) -> str:
    """What the command was made of, but for its document."""
    told = [source(command.argv)]
    for one in fields(Command)[1:]:
        usual = one.default if one.default is not MISSING else {}
        value = getattr(command, one.name)
        if one.name != "document" and value != usual:
            told.append(f"{one.name}={source(value)}")
    return ", ".join(told)
