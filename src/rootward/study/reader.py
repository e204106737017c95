"""Read a study file into a ``Study``. Every mistake is reported with its line and with what is expected."""

from __future__ import annotations

import contextlib
import datetime as dt
import glob
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from rootward.errors import InputError, StudyError
from rootward.formats.documents.registry import Document, document_to_render, open_document
from rootward.formats.files import check_file, read_bytes
from rootward.formats.tables.history import HistoryTable, read_history
from rootward.rules import Rule, Term
from rootward.rules.derivation import Definition, derive
from rootward.rules.expressions import is_reference
from rootward.search.repeat import Repeat
from rootward.searches.reduction.task import Task
from rootward.space.fields import show
from rootward.space.space import Field, Space
from rootward.study import tables
from rootward.study.history import StoredRuns, from_tracker, parse_literal
from rootward.study.interface import import_object, make_stand_in, read_configuration, read_interface
from rootward.study.mistakes import (
    KeyPath,
    explain,
    explain_syntax_error,
    format_key,
    key_lines,
    line_of,
    show_with_suggestion,
    suggest,
)
from rootward.study.sections import DataVersions, PipelineGraph, RecordedSubject, Recordings
from rootward.study.study import Study
from rootward.subjects import Subject, bytes_of
from rootward.subjects.command import Command
from rootward.subjects.function import Function
from rootward.subjects.judge import Judge
from rootward.subjects.local_files import CommandFolders, find_local_files

BUILT_IN = {
    "config": "the path of the candidate's file",
    "file": "the path of the reduced input",
    "seed": "the seed of the trial",
    "dir": "the folder of the trial",
}
_PLACEHOLDER = re.compile(r"(?<!\$)\{([\w.:/-]+)\}")  # not ${HOME}, which belongs to the shell
MAX_DEPTH = 50
"""Maximum depth of nested lists and tables: a study needs a few, and Python's stack is limited."""
MAX_INTEGER_BITS = 4096
"""Maximum length of an integer. Python writes no integer of more than 4,300 digits."""
T = TypeVar("T", bound=tables.Section)


def read(path: Path, as_of: str | dt.date | None = None, *, runs: bool = True) -> Study:
    """Read a study file; see ``rootward.load_study``.

    :param runs: False if the subject will only be shown; then its module is not imported, if that can be avoided
    """
    return _StudyReader(path, as_of, runs).study()


def _check_values(data: object, depth: int = 0) -> None:
    """Raise RecursionError or ValueError for values that are too deep or too long to be worked with."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(data, int) and data.bit_length() > MAX_INTEGER_BITS:
        raise ValueError(f"an integer has more than {MAX_INTEGER_BITS:,} bits")
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        _check_values(one, depth + 1)


class _StudyReader:
    """Reads one study file, and knows the line of each key."""

    def __init__(self, path: Path, as_of: str | dt.date | None, runs: bool) -> None:
        self.path, self.folder, self.as_of, self.runs = path, path.absolute().parent, as_of, runs
        try:
            text = read_bytes(path).decode("utf-8")
            self.data = tomllib.loads(text)
            _check_values(self.data)
            self.lines = key_lines(text)
        except InputError as error:
            raise StudyError(str(error)) from error
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise StudyError(f"{path}:{line}: a study file must be UTF-8, but this line is not") from error
        except tomllib.TOMLDecodeError as error:
            raise StudyError(explain_syntax_error(path, text, str(error))) from error
        except ValueError as error:  # a number of thousands of digits
            raise StudyError(f"{path} cannot be read: {error}") from error
        except RecursionError:
            raise StudyError(f"{path} cannot be read: it is nested too deeply") from None

    def study(self) -> Study:
        file = self.check_table(tables.StudyDocument, self.data, ())
        if file.history is None and self.as_of is not None:
            raise StudyError(f"{self.path} has no [history], so the date {self.as_of} has no effect: remove it")
        if file.traces is not None:
            return self.read_recordings_study(file, file.traces)
        history = None if file.history is None else self.history(file.history)
        space = self.space(file, history)
        elements = None if file.elements is None else self.elements(file.elements)
        subject = self.subject(file.subject, elements, space or (), nested="csv" not in (file.interface or {"csv"}))
        data = None
        if file.data is not None:
            data = self.read_data(file.data, text=space is not None or isinstance(subject, Command))
            if space is None and elements is None and history is None:
                subject = self.check_uses_table(subject, data)
        return Study(
            name=file.name or self.path.stem,
            path=self.path,
            subject=subject,
            space=space,
            failing=self.failing(file, space),
            nominal=self.nominal(file, space),
            elements=elements,
            keep=() if elements is None else self.keep(elements),
            history=history,
            pipeline=None if file.pipeline is None else self.pipeline(file, file.pipeline, space),
            data=data,
            derived={} if file.derived is None else self.read_derived(file.derived, space),
            constraints=None if file.constraints is None else self.constraints(file.constraints, space),
            lab={} if file.lab is None else self.lab(file.lab),
        )

    def read_recordings_study(self, file: tables.StudyDocument, said: object) -> Study:
        """Read a study of recordings, which may only have the tables [traces] and [lab]."""
        for name in sorted(file.model_fields_set - {"name", "traces", "lab"}, key=list(self.data).index):
            raise self.error_at(
                (name,),
                "not allowed beside [traces], because recordings are only examined and nothing is run: remove it",
            )
        return Study(
            name=file.name or self.path.stem,
            path=self.path,
            subject=RecordedSubject(self.path.name),
            traces=self.traces(said),
            lab={} if file.lab is None else self.lab(file.lab),
        )

    # Mistakes

    def check_table(self, model: type[T], data: object, at: KeyPath) -> T:
        """Check a table against its model. Raises StudyError for the first mistake."""
        try:
            return model.model_validate(data)
        except ValidationError as error:
            raise self.error_at(*explain(model, data, at, error)) from None

    def error_at(self, at: KeyPath, message: str) -> StudyError:
        return StudyError(f"{self.locate(at)}: {message}")

    def locate(self, at: KeyPath) -> str:
        """Return the path of the file, the line and the name of a key, as the beginning of an error message."""
        where = f"{self.path}:{line_of(self.lines, at)}"
        return f"{where}: {format_key(at)}" if at else where

    @contextlib.contextmanager
    def errors_at(self, *at: str | int) -> Iterator[None]:
        """Turn an InputError that is raised in the block into a StudyError that names the key ``at``."""
        try:
            yield
        except StudyError:
            raise
        except InputError as error:
            raise self.error_at(at, str(error)) from error

    # The tables

    def space(self, file: tables.StudyDocument, history: HistoryTable | StoredRuns | None) -> Space | None:
        """Return the space of the study.

        It has the fields of [history] and [interface]. Fields of [fields] are added, or replace those with the same
        name.
        """
        fields: dict[str, Field] = {}
        if file.interface is not None:
            table = self.check_table(tables.InterfaceSection, file.interface, ("interface",))
            with self.errors_at("interface"):
                fields.update(read_interface(table, self.folder).items())
        fields.update((name, self.field(name, said)) for name, said in (file.fields or {}).items())
        if isinstance(history, HistoryTable):
            self.check_history(fields, history.space)
            fields = {**dict(history.space.items()), **fields}
        return Space(fields) if fields else None

    def check_history(self, fields: Mapping[str, Field], seen: Space) -> None:
        """Raise StudyError if the earlier runs do not fit the fields."""
        for name, field in fields.items():
            at = ("fields", name) if ("fields", name) in self.lines else ("interface",)
            if name not in seen:
                raise self.error_at(at, f"the history has no column {name!r}{suggest(name, dict(seen.items()))}")
            for value in seen.values(name):
                if not field.contains(value):
                    raise self.error_at(
                        at, f"the history has {name} = {show(value)}, but the field allows only {field}"
                    )

    def field(self, name: str, said: object) -> Field:
        at = ("fields", name)
        table = {"type": said} if isinstance(said, str) else said
        if not isinstance(table, Mapping) or "type" not in table:
            raise self.error_at(at, f'expected a field such as "bool" or {{ type = "int", lo = 0 }}, got {show(said)}')
        options = dict(table)
        kind = options.pop("type")
        if not isinstance(kind, str) or kind not in tables.KINDS:
            raise self.error_at(
                (*at, "type"),
                f"expected one of {', '.join(tables.KINDS)}, got {show_with_suggestion(kind, tables.KINDS)}",
            )
        model, make = tables.KINDS[kind]
        given = self.check_table(model, options, at).model_dump(exclude_unset=True)
        with self.errors_at(*at):
            return make(**given)

    def read_derived(self, said: Mapping[str, Any], space: Space | None) -> dict[str, Definition]:
        """Return the derived quantities. A function is imported."""
        if space is None:
            raise self.error_at(("derived",), "derived quantities need fields: add [fields] or [interface]")
        found: dict[str, Definition] = {}
        for name, definition in said.items():
            if not isinstance(definition, str):
                wanted = 'an expression such as "width * height", or "package.module:name"'
                raise self.error_at(("derived", name), f"expected {wanted}, got {show(definition)}")
            with self.errors_at("derived", name):
                function = import_object(definition, self.folder) if is_reference(definition) else None
                found[name] = definition if function is None else function
                derive(space, {name: found[name]})
        return found

    def failing(self, file: tables.StudyDocument, space: Space | None) -> dict[str, Any] | None:
        said = file.failing
        if said is None and file.nominal is None:
            said = (file.interface or {}).get("document")  # the sample document fails, unless the study says otherwise
        return None if said is None else self.configuration(said, ("failing",), space)

    def nominal(self, file: tables.StudyDocument, space: Space | None) -> tuple[dict[str, Any], ...]:
        if not isinstance(file.nominal, list):
            return () if file.nominal is None else (self.configuration(file.nominal, ("nominal",), space),)
        for number, said in enumerate(file.nominal):
            if not isinstance(said, Mapping | str):
                raise self.error_at(
                    ("nominal", number), f"expected a table or the path of a JSON file, got {show(said)}"
                )
        return tuple(self.configuration(said, ("nominal", number), space) for number, said in enumerate(file.nominal))

    def configuration(self, said: object, at: KeyPath, space: Space | None) -> dict[str, Any]:
        """Return a configuration that is written in the study or in a file."""
        if space is None:
            raise self.error_at(at, f"a {at[0]} configuration needs fields: add [fields] or [interface]")
        if not isinstance(said, Mapping):
            with self.errors_at(*at):
                return space.check(read_configuration(cast(str | list[Any], said), self.folder, space))
        for name, value in said.items():
            with self.errors_at(*at, name):
                field = space[name]
            if not field.contains(value):
                raise self.error_at((*at, name), f"expected {field}, got {show(value)}")
        with self.errors_at(*at):
            return space.check(said)

    def history(self, said: object) -> HistoryTable | StoredRuns:
        table = self.check_table(tables.HistorySection, said, ("history",))
        given = [name for name in tables.HISTORY_KEYS if getattr(table, name)]
        if len(given) != 1:
            raise self.error_at(
                ("history",), 'expected exactly one of file = "runs.csv", source = "mlflow.db", store = true'
            )
        for name in sorted(table.model_fields_set - tables.HISTORY_KEYS[given[0]] - tables.HISTORY_KEYS.keys()):
            raise self.error_at(("history", name), f"not allowed beside {given[0]}: remove it")
        as_of = self.as_of or table.as_of
        if table.store:
            with self.errors_at("history", "as_of"):
                return StoredRuns(as_of)
        options = table.model_dump(exclude_unset=True, exclude={"as_of", *tables.HISTORY_KEYS})
        with self.errors_at("history"):
            if table.source is not None:
                return from_tracker(table.source, self.folder, as_of=as_of, **options)
            return read_history(self.folder / str(table.file), as_of=as_of, **options)

    def pipeline(self, file: tables.StudyDocument, said: object, space: Space | None) -> PipelineGraph:
        table = self.check_table(tables.PipelineSection, said, ("pipeline",))
        if space is None or file.history is None:
            raise self.error_at(("pipeline",), "a pipeline needs earlier runs: add [history]")
        checks = () if table.checks is None else self.strings(("pipeline", "checks"), table.checks)
        with self.errors_at("pipeline", "graph"):
            found = PipelineGraph.read(self.folder / table.graph, space)
        with self.errors_at("pipeline", "checks"):
            return found.with_checks(checks, space)

    def constraints(self, said: object, space: Space | None) -> Rule:
        table = self.check_table(tables.ConstraintsSection, said, ("constraints",))
        if space is None:
            raise self.error_at(("constraints",), "constraints need fields: add [fields], [interface] or [history]")
        return Rule.of_terms(self.combination(one, number, space) for number, one in enumerate(table.never))

    def combination(self, said: object, number: int, space: Space) -> Term:
        at = ("constraints", "never", number)
        if not isinstance(said, Mapping) or not said:
            raise self.error_at(at, f'expected a combination such as {{ solver = "lbfgs" }}, got {show(said)}')
        literals = []
        for name, value in said.items():
            with self.errors_at(*at, name):
                literals.append(parse_literal(name, value, space))
        return Term(literals)

    def elements(self, said: object) -> Sequence[Any]:
        table = self.check_table(tables.ElementsSection, said, ("elements",))
        if (table.file is None) == (table.list is None):
            raise self.error_at(("elements",), 'expected either file = "input.txt" or list = ["a", "b"], and not both')
        if table.file is None:
            for name in {"by", "timing"} & table.model_fields_set:
                raise self.error_at(("elements", name), "only allowed beside file, not beside list: remove it")
            return tuple(table.list or ())
        with self.errors_at("elements", "file"):
            return cast(Sequence[Any], open_document(self.folder / table.file, table.by, timing=table.timing))

    def keep(self, elements: Sequence[Any]) -> tuple[str, ...]:
        """Return the names or patterns of the elements that must stay.

        Raises StudyError if one of them fits no element.
        """
        keep = tuple(self.check_table(tables.ElementsSection, self.data["elements"], ("elements",)).keep)
        with self.errors_at("elements", "keep"):
            Task.of(elements, keep=keep)
        return keep

    def subject(
        self, said: object | None, elements: Sequence[Any] | None, names: Iterable[str], *, nested: bool
    ) -> Subject:
        if said is None:
            raise self.error_at(("subject",), "missing: expected a table [subject], which says what to run")
        table = self.check_table(tables.SubjectSection, said, ("subject",))
        if (table.command is None) == (table.function is None):
            raise self.error_at(
                ("subject",), 'expected either command = [...] or function = "module:name", and not both'
            )
        with self.errors_at("subject", "memory"):
            memory = None if table.memory is None else bytes_of(table.memory)
        if table.function is not None:
            for name in tables.COMMAND_ONLY & table.model_fields_set:
                raise self.error_at(("subject", name), "only allowed with a command, not with a function: remove it")
            with self.errors_at("subject", "function"):
                shown = None if self.runs else make_stand_in(table.function, self.folder)
                found = shown or import_object(table.function, self.folder)
                if isinstance(found, Subject) and not isinstance(found, type):
                    return self.check_ready_made(found, table)
                return Function(found, timeout=table.timeout, memory=memory)
        options = table.model_dump(
            include={"timeout", "env", "verdict", "signature", "shell", "measures", "tolerance", "sandbox"},
            exclude_unset=True,
        )
        for name in ("verdict", "signature", "measures"):
            with self.errors_at("subject", name):
                Judge(**{name: getattr(table, name)})
        self.check_placeholders(table, list(names))
        if hasattr(elements, "render"):
            document = cast(Document, elements)
            options |= {"file_name": document.path.name, "document": document_to_render(document)}
        if nested:
            options["nested"] = True
        if table.files:
            options["files"] = self._files_of_command(table.files)
        with self.errors_at("subject", "command"):
            return Command(table.command or "", cwd=self._cwd(table.cwd), memory=memory, **options)

    def read_data(self, said: object, *, text: bool) -> DataVersions:
        """Return the tables of [data].

        With ``text``, the subject gets the tables as files, so cells stay as they are written.
        """
        table = self.check_table(tables.DataSection, said, ("data",))
        good, key = (self.strings(("data", name), getattr(table, name)) for name in ("good", "key"))
        columns = None if table.columns is None else self.strings(("data", "columns"), table.columns)
        for at, name in [(("bad",), table.bad), *((("good",), one) for one in good)]:
            with self.errors_at("data", *at):
                check_file(self.folder / name)
        return DataVersions(self.folder, table.bad, good, key, columns, text, self.locate(("data",)))

    def check_uses_table(self, subject: Subject, data: DataVersions) -> Subject:
        """Return the subject of a study that varies only a table.

        Raises StudyError if the command of the subject does not use the table.
        """
        if not isinstance(subject, Command):
            return subject
        if not any("{file}" in text for text in (str(subject), *subject.env.values())):
            raise self.error_at(("subject", "command"), "the command does not use the table: write {file} for its path")
        return replace(subject, file_name=Path(data.bad).name)

    def traces(self, said: object) -> Recordings:
        from rootward.traces.languages import open_model
        from rootward.traces.recordings.files import find_recordings
        from rootward.traces.recordings.talk import check_ecus, parse_addresses

        table = self.check_table(tables.TracesSection, said, ("traces",))
        with self.errors_at("traces", "model"):
            model, own = open_model(self.folder / table.model, table.params, table.variant)
        patterns = [Path(glob.escape(str(self.folder)), one) for one in self.strings(("traces", "files"), table.files)]
        with self.errors_at("traces", "files"):
            files = tuple(find_recordings(patterns))
        with self.errors_at("traces", "ecus"):
            return Recordings(model, files, check_ecus(parse_addresses(table.ecus) or own or None))

    def strings(self, at: KeyPath, said: str | Sequence[Any]) -> tuple[str, ...]:
        """Return a string, or a list of strings, as a tuple."""
        several = [said] if isinstance(said, str) else said
        if not several or not all(isinstance(one, str) for one in several):
            raise self.error_at(at, f"expected a string or a list of strings, got {show(said)}")
        return tuple(several)

    def check_ready_made(self, subject: Subject, said: tables.SubjectSection) -> Subject:
        """Return a subject that was built in Python, such as a robot in a simulated world."""
        for name in {"timeout", "memory"} & said.model_fields_set:
            raise self.error_at(
                ("subject", name), f"not allowed here: set the limits of the {type(subject).__name__} in Python"
            )
        return subject

    def check_placeholders(self, said: tables.SubjectSection, fields: Collection[str]) -> None:
        """Raise StudyError for a name in braces that is ambiguous or seems to be misspelt.

        Ambiguous: both a field and a built-in placeholder. Misspelt: unknown, but similar to a known name that is used
        nowhere. Other braces belong to the command, which may contain awk or JSON.
        """
        words = [said.command] if isinstance(said.command, str) else said.command or []
        templates = {"command": words, "env": list(said.env.values()), "cwd": [said.cwd or ""]}
        used = {key: _PLACEHOLDER.findall("\n".join(texts)) for key, texts in templates.items()}
        everywhere = {name for names in used.values() for name in names}
        for name in BUILT_IN.keys() & everywhere & set(fields):
            message = f"{{{name}}} in the command already stands for {BUILT_IN[name]}: rename this field"
            raise self.error_at(("fields", name), message)
        known = [*fields, *BUILT_IN]
        for name in _PLACEHOLDER.findall(str(self.folder)):
            if name in known:
                raise self.error_at(
                    ("subject",), f"{{{name}}} in the name of the folder {self.folder} would be replaced: rename it"
                )
        lacking = [name for name in known if name not in everywhere]
        for key, names in used.items():
            for name in names:
                near = [] if name in known else get_close_matches(name, lacking, n=1, cutoff=0.8)
                if near:
                    raise self.error_at(
                        ("subject", key), f"unknown placeholder {{{name}}}; did you mean {{{near[0]}}}?"
                    )

    def _files_of_command(self, patterns: Sequence[str]) -> list[str]:
        """Return the names and patterns of [subject] files, as absolute ones."""
        for pattern in patterns:
            if not find_local_files([], CommandFolders(self.folder), [pattern]):
                raise self.error_at(("subject", "files"), f"there is no file {pattern} in {self.folder}")
        return [str(self.folder / pattern) for pattern in patterns]

    def _cwd(self, said: str | None) -> str:
        return str(self.folder / (said or "")) if said is None or not said.startswith("{") else said

    def lab(self, said: object) -> dict[str, Any]:
        table = self.check_table(tables.LabSection, said, ("lab",))
        options: dict[str, Any] = table.model_dump(include={"jobs", "seed", "trials", "seconds"}, exclude_unset=True)
        if table.repeat is not None:
            with self.errors_at("lab", "repeat"):
                options["repeat"] = Repeat.parse(table.repeat)
        if table.store is not None:
            if "\0" in table.store:
                raise self.error_at(("lab", "store"), "a path cannot contain a NUL character")
            options["store"] = table.store if "://" in table.store else self.folder / table.store
        return options
