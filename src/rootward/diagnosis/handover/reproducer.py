"""The smallest failing input as files, with the command that fails on it. The command is run before it is handed over.

A subject that is a command gets the document or the JSON file with which it failed. For a function, a script is written
that calls it.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover.handover import Handover, runs_to_see
from rootward.diagnosis.handover.source import docstring, source
from rootward.errors import InputError
from rootward.explanation.diagnosis import REPRODUCER, Artifact, Explanation
from rootward.explanation.facts import CommandFailed, CommandPassed, NoArtifact
from rootward.facts import Fact
from rootward.formats.files import make_relative
from rootward.formats.ownership import temporary_folder
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import realise
from rootward.subjects import process
from rootward.subjects.command import Command
from rootward.subjects.judge import Judge, output_in
from rootward.subjects.table_patches import replace_table
from rootward.verdict import FAIL, Outcome

MAX_SCRIPT_SECONDS = 600.0
"""Maximum duration of a script if the function has no time-out."""


@dataclass(frozen=True)
class _CheckRun:
    """The run that shows if the command of a reproducer fails as it should."""

    command: str
    """The command of the reproducer, whose program replaces the shell that runs it."""
    candidate: Any = None
    """The input of the command."""
    file_names: Mapping[str, str] = field(default_factory=dict)
    """The names that the files have in a trial, by the paths that the command gives them."""

    def rename_files(self, errors: str) -> str:
        """Return an error text with the names that the files have in a trial.

        A failure is named after its error text, in which whole paths do not count, but names do.
        """
        for path, name in self.file_names.items():
            errors = errors.replace(path, f"/{name}").replace(Path(path).name, name)
        return errors


@dataclass(frozen=True)
class Reproducer:
    """The files that reproduce one failure; the first artifact has the command."""

    artifacts: tuple[Artifact, ...]
    explanation: Explanation
    handover: Handover
    check: _CheckRun | None
    """None if there is no command."""

    @classmethod
    def of(
        cls, explanation: Explanation, handover: Handover, *, seed: int = 0, failure: int = 1, stem: str = REPRODUCER
    ) -> Reproducer | None:
        """Make the reproducer; None if no failing candidate is known.

        If the reproducer cannot be written, its artifact says why. ``stem``: the name of its files, without suffix.
        """
        if explanation.failing is None:
            return None
        make = _for_command if isinstance(handover.subject, Command) else _for_function
        try:
            made, check = make(explanation, handover, seed, stem)
        except InputError as error:
            made, check = [Artifact(REPRODUCER, tried=NoArtifact(str(error)))], None
        return cls(tuple(replace(one, failure=failure) for one in made), explanation, handover, check)

    def run(self) -> Reproducer:
        """Run the command, and return the reproducer with the result. Its files must have been written."""
        first, *others = self.artifacts
        if self.check is None:
            return self
        result = _run_until_it_fails(self.check, self.explanation, self.handover)
        return replace(self, artifacts=(replace(first, tried=result), *others))


def _for_command(
    explanation: Explanation, handover: Handover, seed: int, stem: str
) -> tuple[list[Artifact], _CheckRun]:
    subject, candidate = handover.subject, realise(explanation.failing)
    assert isinstance(subject, Command)
    tables: list[Artifact] = []
    here = Path(handover.home, subject.cwd or "")
    if isinstance(candidate, PatchedSettings):
        tables = [_table(candidate.patch, handover, stem)]
        path = os.path.relpath(handover.folder.absolute() / tables[0].name, here)
        candidate = replace_table(candidate.settings, handover.data.bad, path)
    inputs = subject.inputs(candidate)
    names = {"config": f"{stem}.json", "file": handover.file_name(stem, inputs)}
    places = {name: handover.folder / names[name] for name in inputs} | {"dir": handover.folder / f"{stem}-files"}
    typed = partial(subject.command_line, candidate, seed=seed, places=places, folder=handover.home)
    files = [Artifact(REPRODUCER, names[name], bytes(content)) for name, content in inputs.items()]
    first, *others = [*files, *tables] or [Artifact(REPRODUCER)]
    trial_names = {"config": "0.json", "file": subject.file_name}
    file_names = {make_relative(here, places[name]): trial_names[name] for name in inputs}
    check = _CheckRun(typed(replaces_shell=True), candidate, file_names)
    return [replace(first, command=typed()), *others], check


SCRIPT = """{title}

import importlib
import sys
from pathlib import Path

{more}sys.path.insert(0, str(Path(__file__).parent / {folder}))
subject = importlib.import_module({module}).{name}
candidate = {candidate}

said = subject(candidate{seed})
verdict = getattr(said, "verdict", said)
if getattr(verdict, "name", "PASS") == "FAIL":
    sys.exit(f"It fails: {{getattr(said, 'signature', None) or verdict.name}}")
"""


def _for_function(
    explanation: Explanation, handover: Handover, seed: int, stem: str
) -> tuple[list[Artifact], _CheckRun]:
    module, name = handover.target
    files: list[Artifact] = []
    needed = "rootward"
    if isinstance(explanation.failing, Patch):
        files = [_table(explanation.failing, handover, stem)]
        needed = "rootward.formats.tables.table"
        candidate = f"{needed}.read(Path(__file__).parent / {source(files[0].name)})"
    elif isinstance(explanation.failing, PatchedSettings):
        settings = explanation.failing.settings
        files = [_table(explanation.failing.patch, handover, stem)]
        needed = ""
        path = f"str(Path(__file__).parent / {source(files[0].name)})"
        named = (f"candidate[{source(name)}] = {path}" for name in handover.data.settings_with_table(settings))
        candidate = "\n".join([source(realise(settings)), *named])
    elif handover.is_file(explanation.failing):
        assert handover.document is not None
        content = handover.document.render(realise(explanation.failing))
        files = [Artifact(REPRODUCER, handover.file_name(stem, ()), content)]
        options = "".join(f", {key}={source(value)}" for key, value in handover.open_options.items())
        candidate = f"list(rootward.open_document(Path(__file__).parent / {source(files[0].name)}{options}))"
    else:
        candidate = source(realise(explanation.failing))
    subject = handover.subject
    script = SCRIPT.format(
        title=docstring(f"{explanation.headline()}\n\nExit code 1 means that it still fails."),
        more=f"import {needed}\n\n" if files and needed else "",
        folder=source(handover.relative_path(handover.module_folder)),
        module=source(module),
        name=name,
        candidate=candidate,
        seed=f", seed={seed}" if subject.seeded else "",
    )
    written = handover.folder / f"{stem}.py"
    command = f"python {shlex.quote(handover.typed_path(written))}"
    return [Artifact(REPRODUCER, written.name, script.encode(), command), *files], _CheckRun(f"exec {command}")


def _table(patch: Patch, handover: Handover, stem: str) -> Artifact:
    ending, content = handover.table(patch)
    return Artifact(REPRODUCER, f"{stem}{ending}", content)


# Running the command


def _run_until_it_fails(check: _CheckRun, explanation: Explanation, handover: Handover) -> Fact:
    """Run the command until it fails, and return the result.

    The number of runs is limited to the number that is needed to see the failure.
    """
    max_runs, subject = runs_to_see(explanation.rate), handover.subject
    for run in range(1, max_runs + 1):
        outcome, end = _run_in_shell(check, subject, handover.home)
        if outcome.verdict is FAIL:
            rate = None if max_runs == 1 else explanation.rate.value
            return CommandFailed(end, rate, run, _name_other_failure(outcome, explanation.signature, subject))
    return CommandPassed(end, max_runs)


def _name_other_failure(outcome: Outcome, wanted: str | None, subject: Any) -> str:
    """Return the failure that occurred instead of ``wanted``; empty if ``wanted`` occurred or is not known."""
    if wanted is None:
        return ""
    if isinstance(subject, Command):
        return "" if outcome.signature == wanted else outcome.signature or "without a name"
    # A script that cannot find its function also ends with exit code 1: so its output must name the failure.
    kind, output = wanted.partition(" in ")[0].partition("(")[0], outcome.detail.strip()
    return output.splitlines()[-1] if output and kind not in output and kind != "SystemExit" else ""


def _run_in_shell(check: _CheckRun, subject: Any, home: Path) -> tuple[Outcome, str]:
    """Run the command in a shell, and return its outcome, named as in a trial, and the way it ended."""
    is_command = isinstance(subject, Command)
    limit = getattr(subject, "timeout", None) or (None if is_command else MAX_SCRIPT_SECONDS)
    with temporary_folder() as folder:
        output = output_in(Path(folder))
        memory = getattr(subject, "memory", None)
        options = {"cwd": str(home), "env": {} if is_command else _own_python()}
        files = {1: output.file.fileno(), 2: output.error_file.fileno()}
        shell = ["sh", "-c", check.command]
        with process.run_process(shell, files=files, memory=memory, address_space=memory, **options) as leader:
            trouble = process.wait(leader, limit, lambda: output.trouble)
        kept, errors = output.keep(Path(folder, "kept"))
        code = leader.returncode
        if is_command:
            outcome = subject.judge_end(check.candidate, code, trouble, kept, check.rename_files(errors))
        elif trouble:
            outcome = Outcome(FAIL, signature=trouble)
        else:
            outcome = Judge()(code, kept, {})
            if code == 1 and kept:
                outcome = replace(outcome, detail=kept.read_text("utf-8", "replace"))
    if trouble == "timeout":
        return outcome, f"timed out after {limit:g} s"
    return outcome, trouble or process.exit_name(code)


def _own_python() -> dict[str, str]:
    """Return an environment in which ``python`` is the interpreter that runs this code."""
    return {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])}
