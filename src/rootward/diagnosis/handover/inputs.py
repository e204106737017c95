"""The inputs of a regression test, written as one input and the values in which each case differs from it.

A whole input for each case would hide what matters: six copies of a simulated world that differ in one number. So the
test has one input, the smallest that failed, and for each case only the fields that differ. A configuration stands in
the test itself. A file is the reproducer beside the test; its fields are those of the diagnosis (``beam.z``), and
``formats/parameters`` puts their values into the file, as it did during the diagnosis.

A case that cannot be written like that, because reading the file again does not give the same input, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover.handover import Handover, as_patch_source
from rootward.diagnosis.handover.source import source
from rootward.errors import InputError
from rootward.formats.documents.registry import open_document
from rootward.formats.parameters import Parameters, parameters
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import Altered, Selection, key_of, realise
from rootward.space.keys import canonical
from rootward.subjects.command import Command

PATCHED = "return copy.deepcopy(case)"
CONFIGURATION = "return copy.deepcopy({**INPUT, **case})"
LIST = "return copy.deepcopy(INPUT)"
ALTERED_LIST = "return parameters(INPUT, range(len(INPUT))).alter(case)"
COMMAND_FILE = "return [INPUT.read_bytes()]"
ALTERED_COMMAND_FILE = """document = rw.open_document(INPUT{options})
    return [document.render(parameters(document, range(len(document))).alter(case))]"""
FILE = "return list(rw.open_document(INPUT{options}))"
ALTERED_FILE = """document = rw.open_document(INPUT{options})
    return parameters(document, range(len(document))).alter(case)"""


@dataclass(frozen=True)
class SharedInput:
    """The input that all cases share, and the code that makes the input of a case from it."""

    handover: Handover
    base: Any
    """The candidate that all others are compared with."""
    cases: Sequence[Any]
    """The candidates of all cases."""
    file: str = ""
    """The name of the file that holds the shared input; empty if it stands in the test."""
    place: Path = Path()
    """A folder for a copy of that file, to see if its fields can be changed."""

    @property
    def is_patch(self) -> bool:
        """True if the candidates are patches of a table, which are short by themselves."""
        return any(isinstance(one, Patch | PatchedSettings) for one in self.cases)

    @property
    def statement(self) -> str:
        """The statement that defines the shared input; empty if there is none."""
        if self.is_patch:
            return ""
        if self.file:
            return f"INPUT = Path(__file__).parent / {source(self.file)}\n"
        return f"INPUT = {source(realise(self.base))}\n"

    @property
    def body(self) -> str:
        """The body of the function that makes the input of a case."""
        if self.is_patch:
            return PATCHED
        if isinstance(self.base, Mapping):
            return CONFIGURATION
        if not self.file:
            return ALTERED_LIST if self._alters else LIST
        options = "".join(f", {key}={source(value)}" for key, value in self.handover.open_options.items())
        if isinstance(self.handover.subject, Command):
            return ALTERED_COMMAND_FILE.format(options=options) if self._alters else COMMAND_FILE
        return (ALTERED_FILE if self._alters else FILE).format(options=options)

    @property
    def imports(self) -> tuple[str, ...]:
        """The imports from Rootward that the body needs."""
        return ("from rootward.formats.parameters import parameters",) if self._alters else ()

    @cached_property
    def _alters(self) -> bool:
        """True if some case changes values inside of elements."""
        if self.is_patch or isinstance(self.base, Mapping):
            return False
        return any(self.write_case(one) not in (None, "{}") for one in self.cases)

    def write_case(self, candidate: Any) -> str | None:
        """Return what a case holds, as Python source; None if it cannot be written."""
        if isinstance(candidate, Patch | PatchedSettings):
            return as_patch_source(candidate)
        if isinstance(candidate, Mapping) and isinstance(self.base, Mapping):
            changed = {name: value for name, value in candidate.items() if _differ(value, self.base.get(name, _NONE))}
            return source(changed, 4)
        if key_of(candidate) == key_of(self.base):
            return "{}"
        found = self._find_changes(candidate)
        return None if found is None else source(found, 4)

    def _find_changes(self, candidate: Any) -> dict[str, Any] | None:
        """Return the values in which altered elements differ from the shared ones, by their names in the shared input.

        Returns None if the shared input with these values is another input.
        """
        if not isinstance(candidate, Altered) or not isinstance(self.base, Selection) or candidate.order:
            return None
        before, after = parameters(self.handover.study.elements or (), self.base.kept), self._parameters
        if before is None or after is None:
            return None
        names = dict(zip(before.space.names, after.space.names, strict=False))
        changes = {
            names[name]: value
            for name, value in candidate.configuration.items()
            if name in names and _differ(value, before.failing[name])
        }
        try:
            made = after.alter(changes)
        except InputError:
            return None
        wanted = realise(candidate)
        same = key_of(made) == key_of(wanted)
        if self.file and self.handover.document is not None:
            same = self._alone.render(made) == self.handover.document.render(wanted)
        return changes if same else None

    @cached_property
    def _alone(self) -> Any:
        """The shared elements as the test gets them: read from the file, or a list."""
        items = realise(self.base)
        if not self.file or self.handover.document is None:
            return items
        copy = self.place / self.file
        copy.write_bytes(self.handover.document.render(items))
        return open_document(copy, **self.handover.open_options)

    @cached_property
    def _parameters(self) -> Parameters | None:
        """The values inside of the shared elements as the test gets them."""
        return parameters(self._alone, range(len(self._alone)))


_NONE = object()


def _differ(one: Any, other: Any) -> bool:
    return other is _NONE or canonical(one) != canonical(other)
