"""The smallest failing input as files, and the command that fails with it: tried, before anybody is sent it.

A command of the study gets its own input: the document or the JSON file that it was given when it failed. A function
gets a script that calls it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover.handover import Handover, runs_to_see
from rootward.diagnosis.handover.source import docstring, source
from rootward.errors import InputError
from rootward.explanation.diagnosis import REPRODUCER, Artifact, Explanation
from rootward.explanation.facts import CommandFailed, CommandPassed, NoArtifact
from rootward.facts import Fact
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import realise
from rootward.subjects import process
from rootward.subjects.command import Command
from rootward.subjects.judge import Judge
from rootward.subjects.table_patches import naming
from rootward.verdict import FAIL, Outcome

SIGNALLED = 128
"""A shell adds the number of the signal that ended a command to this."""
LONG = 600.0
"""A script of a function without a time-out is ended after so many seconds."""


@dataclass(frozen=True)
class Reproducer:
    """The files of one failure; the first artifact has the command."""

    artifacts: tuple[Artifact, ...]
    explanation: Explanation
    handover: Handover

    @classmethod
    def of(cls, explanation: Explanation, handover: Handover, *, seed: int = 0, failure: int = 1) -> Reproducer | None:
        """None if no failing candidate is known; one that cannot be written down says why."""
        if explanation.failing is None:
            return None
        stem = "reproducer" if failure == 1 else f"reproducer-{failure}"
        make = _of_command if isinstance(handover.subject, Command) else _of_function
        try:
            made = make(explanation, handover, seed, stem)
        except InputError as error:
            made = [Artifact(REPRODUCER, tried=NoArtifact(str(error)))]
        return cls(tuple(replace(one, failure=failure) for one in made), explanation, handover)

    def checked(self) -> Reproducer:
        """The same, with what came of typing the command; its files are where they belong."""
        first, *others = self.artifacts
        if not first.command:
            return self
        tried = _tried(first.command, self.explanation, self.handover)
        return replace(self, artifacts=(replace(first, tried=tried), *others))


def _of_command(explanation: Explanation, handover: Handover, seed: int, stem: str) -> list[Artifact]:
    subject, candidate = handover.subject, realise(explanation.failing)
    assert isinstance(subject, Command)
    tables: list[Artifact] = []
    if isinstance(candidate, PatchedSettings):
        tables = [_table(candidate.patch, handover, stem)]
        here = Path(handover.home, subject.cwd or "")
        path = os.path.relpath(handover.folder.absolute() / tables[0].name, here)
        candidate = naming(candidate.settings, handover.data.bad, path)
    inputs = subject.inputs(candidate)
    names = {"config": f"{stem}.json", "file": f"{stem}{handover.suffix}"}
    if len(inputs) == 2 and names["config"] == names["file"]:
        names["file"] = f"{stem}-file{handover.suffix}"
    places = {name: handover.folder / names[name] for name in inputs} | {"dir": handover.folder / f"{stem}-files"}
    command = subject.typed(candidate, seed=seed, places=places, folder=handover.home)
    files = [Artifact(REPRODUCER, names[name], bytes(content)) for name, content in inputs.items()]
    first, *others = [*files, *tables] or [Artifact(REPRODUCER)]
    return [replace(first, command=command), *others]


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


def _of_function(explanation: Explanation, handover: Handover, seed: int, stem: str) -> list[Artifact]:
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
        named = (f"candidate[{source(name)}] = {path}" for name in handover.data.named_in(settings))
        candidate = "\n".join([source(realise(settings)), *named])
    elif handover.is_file(explanation.failing):
        assert handover.document is not None
        content = handover.document.render(realise(explanation.failing))
        files = [Artifact(REPRODUCER, f"{stem}{handover.suffix}", content)]
        options = "".join(f", {key}={source(value)}" for key, value in handover.opening.items())
        candidate = f"list(rootward.open_document(Path(__file__).parent / {source(files[0].name)}{options}))"
    else:
        candidate = source(realise(explanation.failing))
    subject = handover.subject
    script = SCRIPT.format(
        title=docstring(f"{explanation.headline()}\n\nExit code 1 says that it does."),
        more=f"import {needed}\n\n" if files and needed else "",
        folder=source(handover.way_to(handover.module_folder)),
        module=source(module),
        name=name,
        candidate=candidate,
        seed=f", seed={seed}" if subject.seeded else "",
    )
    written = handover.folder / f"{stem}.py"
    command = f"python {shlex.quote(handover.typed(written))}"
    return [Artifact(REPRODUCER, written.name, script.encode(), command), *files]


def _table(patch: Patch, handover: Handover, stem: str) -> Artifact:
    ending, content = handover.table(patch)
    return Artifact(REPRODUCER, f"{stem}{ending}", content)


# Whether it fails


def _tried(command: str, explanation: Explanation, handover: Handover) -> Fact:
    """What came of typing the command, as often as it takes to see the failure."""
    most, subject = runs_to_see(explanation.rate), handover.subject
    for run in range(1, most + 1):
        outcome, end = _typed(command, subject, handover.home)
        if outcome.verdict is FAIL:
            rate = None if most == 1 else explanation.rate.value
            return CommandFailed(end, rate, run, _other(outcome, explanation.signature, subject))
    return CommandPassed(end, most)


def _other(outcome: Outcome, wanted: str | None, subject: Any) -> str:
    """What failed in place of the failure that is to be shown, as far as that can be told; empty if that one did."""
    if wanted is None:
        return ""
    if isinstance(subject, Command):
        return "" if outcome.signature == wanted else outcome.signature or "without a name"
    # A script that only cannot find its function ends with exit code 1, too: what it says has to name the failure.
    kind, said = wanted.partition(" in ")[0].partition("(")[0], outcome.detail.strip()
    return said.splitlines()[-1] if said and kind not in said and kind != "SystemExit" else ""


def _typed(command: str, subject: Any, home: Path) -> tuple[Outcome, str]:
    """What the command does in a shell, and how it ended."""
    judge = subject.judge if isinstance(subject, Command) else Judge()
    limit = getattr(subject, "timeout", None) or (None if isinstance(subject, Command) else LONG)
    with tempfile.TemporaryDirectory(prefix="rootward-") as folder:
        output = Path(folder, "output")
        with open(output, "wb") as file:
            streams = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": file}
            options = {"cwd": str(home), "env": {} if isinstance(subject, Command) else _own_python(), **streams}
            with process.started(["sh", "-c", command], **options) as leader:
                process.limit_memory(leader.pid, getattr(subject, "memory", None))
                trouble = process.wait(leader, limit)
        if trouble is not None:
            return Outcome(FAIL, signature=trouble), f"ended after {limit:g} s"
        code = leader.returncode if leader.returncode <= SIGNALLED else SIGNALLED - leader.returncode
        outcome = judge(code, output, {})
        if code == 1 and not isinstance(subject, Command):
            outcome = replace(outcome, detail=output.read_text("utf-8", "replace"))
        return outcome, process.exit_name(code)


def _own_python() -> dict[str, str]:
    """An environment in which ``python`` is the one that runs this."""
    return {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])}
