"""A test for pytest that fails as long as the fault is there, and passes once it is mended.

It needs nothing of the diagnosis: the inputs stand in it, and the study file says how to run and to judge them. Without
one, a command is made again, and a function imported.

What failed must pass, and what passed next to it must go on passing. So each cause gives the example that failed
because of it, and runs on either side of its border: whoever mends the fault must neither miss it nor shift it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rootward.diagnosis.handover.handover import Handover, runs_to_see
from rootward.diagnosis.handover.source import docstring, source
from rootward.diagnosis.state import only_rows
from rootward.errors import InputError
from rootward.explanation.diagnosis import TEST, Artifact, Cause, Diagnosis, Explanation
from rootward.explanation.facts import NoArtifact, NoPytest, RegressionBroken, RegressionRun
from rootward.rules import Rule
from rootward.searches.conditions.rule_finding import Edge, RuleFinding
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.space.candidate import key_of
from rootward.subjects.command import Command

STUDY = "ROOTWARD_STUDY"
"""The environment variable that says where the study file is, if it was moved."""
EDGES = 3
"""So many places at the border of a cause are tried again."""
FAILING, PASSING = "test_it_no_longer_fails", "test_it_still_passes"
HEAD = '''{title}

{imports}

{needs}
RUNS = {runs}
"""So often what failed is run: that hardly misses a failure that does not show every time."""


@pytest.fixture(scope="module")
def subject():
    return {subject}


def check(subject, candidate, folder, runs, seed=0):
{opened}    for run in range(runs):
        outcome = subject.run(copy.deepcopy(candidate), seed=seed + run, place=folder / f"run-{{run}}")
        if outcome.verdict is rw.Verdict.UNRESOLVED:
            pytest.skip(f"this input can no longer be judged: {{outcome.detail}}")
        assert outcome.verdict is rw.Verdict.PASS, outcome.signature or outcome.detail
'''
PART = """

{name} = [
{cases}
]


@pytest.mark.parametrize({parameters}, {name})
def {test}(subject, tmp_path, {arguments}):
    check(subject, candidate, tmp_path, {runs}{seed})
"""
CASE = """    pytest.param(
        {candidate},
{seed}        id={name},
    ),"""


def regression_test(
    diagnosis: Diagnosis, handover: Handover, cases: Sequence[Case], seeds: Mapping[str, int]
) -> Artifact | None:
    """None if nothing is known to fail; one that cannot be written says why. ``seeds``: with which candidates failed,
    by their keys."""
    if not any(case.fails for case in cases):
        return None
    try:
        text = _text(diagnosis, handover, cases, seeds)
    except InputError as error:
        return Artifact(TEST, tried=NoArtifact(str(error)))
    path = Path(handover.folder, f"test_{slug(diagnosis.study)}.py")
    return Artifact(TEST, path.name, text.encode(), f"pytest {shlex.quote(handover.typed(path))}")


def slug(name: str) -> str:
    """A name that a file of Python can have."""
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()[:60] or "diagnosis"


def _text(diagnosis: Diagnosis, handover: Handover, cases: Sequence[Case], seeds: Mapping[str, int]) -> str:
    files = any(handover.is_file(case.candidate) for case in cases)
    patches = any(isinstance(case.candidate, Patch | PatchedSettings) for case in cases)
    way = access(handover, files=files, patches=patches)
    head = HEAD.format(
        title=docstring(_title(diagnosis, handover)),
        imports=way.imports,
        needs=way.needs,
        runs=max(runs_to_see(one.rate) for one in diagnosis.explanations),
        subject=way.made,
        opened=_opening(handover) if files and not isinstance(handover.subject, Command) else "",
    )
    parts = [("FAILED", FAILING, "RUNS", True), ("PASSED", PASSING, "1", False)]
    return head + "".join(
        PART.format(name=name, test=test, runs=runs, cases="\n".join(lines), **_seeding(handover))
        for name, test, runs, fails in parts
        if (lines := [_case(one, handover, seeds) for one in cases if one.fails is fails])
    )


def _seeding(handover: Handover) -> dict[str, str]:
    """How a test takes its input: with a seed, if that reaches the subject."""
    if not handover.subject.seeded:
        return {"parameters": '"candidate"', "arguments": "candidate", "seed": ""}
    return {"parameters": '("candidate", "seed")', "arguments": "candidate, seed", "seed": ", seed"}


def _title(diagnosis: Diagnosis, handover: Handover) -> str:
    parts = [
        f"Regression test of {diagnosis.study or 'a diagnosis'}.",
        *(one.headline() for one in diagnosis.explanations),
        "What failed when Rootward wrote this (FAILED) passes once the fault is mended; what passed next to it "
        "(PASSED) must go on passing.",
        f"The study file is looked for from here, unless the variable {STUDY} says where it is."
        if handover.filed
        else "",
    ]
    return "\n\n".join("\n".join(textwrap.wrap(part, 100)) for part in parts if part)


def _case(case: Case, handover: Handover, seeds: Mapping[str, int]) -> str:
    seed = f"        {seeds.get(key_of(case.candidate), 0)},\n" if handover.subject.seeded else ""
    return CASE.format(candidate=handover.given(case.candidate), seed=seed, name=source(case.name))


def _opening(handover: Handover) -> str:
    """The lines that make a candidate of the pieces of a file."""
    options = "".join(f", {key}={source(value)}" for key, value in handover.opening.items())
    name = source(f"input{handover.suffix}")
    return (
        f'    (folder / {name}).write_bytes(b"".join(candidate))\n'
        f"    candidate = list(rw.open_document(folder / {name}{options}))\n"
    )


# What the test runs


@dataclass(frozen=True)
class Case:
    """One input, and what it did."""

    name: str
    candidate: Any
    fails: bool
    failure: int
    """Which of the failures it shows, or is next to, counted from 1."""


def cases(diagnosis: Diagnosis) -> list[Case]:
    """Those of every cause, each input once."""
    found: dict[str, Case] = {}
    edges = [edge for step in diagnosis.steps if isinstance(step.finding, RuleFinding) for edge in step.finding.edges]
    for number, explanation in enumerate(diagnosis.explanations, 1):
        for name, candidate, fails in _of(explanation, edges):
            several = f"failure-{number}-{name}" if len(diagnosis.explanations) > 1 else name
            found.setdefault(key_of(candidate), Case(several, candidate, fails, number))
    return list(found.values())


def _of(explanation: Explanation, edges: list[Edge]) -> Iterator[tuple[str, Any, bool]]:
    if explanation.failing is not None:
        yield "smallest", explanation.failing, True
    beside = explanation.settings
    for detail in explanation.details:
        if isinstance(detail, BadRows) and detail.passes:
            patch = detail.patch
            yield "repaired", patch if beside is None else PatchedSettings(beside, patch), False
    show = explanation.show
    for number, cause in enumerate(explanation.causes, 1):
        yield f"cause-{number}", show(cause.example), True
        for place, edge in enumerate(_at_border(cause, explanation.rule, edges), 1):
            yield f"cause-{number}-border-{place}", show({**cause.example, **edge.fails}), True
            yield f"beside-cause-{number}-{place}", show({**cause.example, **edge.passes}), False


def _at_border(cause: Cause, whole: Rule, edges: list[Edge]) -> list[Edge]:
    """Runs that show where the cause begins, and agree with the explanation."""
    own = [edge for edge in edges if _holds(cause.rule, edge.fails) and _holds(whole, edge.passes) is False]
    chosen: list[Edge] = []
    known, changed = {key_of(cause.example)}, set[tuple[str, ...]]()
    while own and len(chosen) < EDGES:  # each says something that the others do not, as far as possible
        best = min(own, key=lambda edge: (edge.changed in changed, _key(cause, edge) in known))
        own.remove(best)
        chosen.append(best)
        known.add(_key(cause, best))
        changed.add(best.changed)
    return chosen


def _key(cause: Cause, edge: Edge) -> str:
    return key_of({**cause.example, **edge.fails})


def _holds(rule: Rule, configuration: Mapping[str, Any]) -> bool | None:
    """None if the configuration does not say."""
    try:
        return rule.holds(configuration)
    except InputError:
        return None


# How the test gets hold of the subject


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
        "rw.load_study(STUDY).subject",
        f'STUDY = Path(os.environ.get("{STUDY}", Path(__file__).parent / {way}))',
        ("import os", "from pathlib import Path"),
    )


def _of_patches(handover: Handover) -> Access:
    """The tables are opened where the study has them; a patch is too small to hold any of that."""
    if not handover.filed:
        raise InputError("only a study file says where the tables are")
    found = _by_study(handover)
    kinds = "Patch" if only_rows(handover.study) else "Patch, PatchedSettings"
    own = ("from rootward.diagnosis.state import subject_of", f"from rootward.searches.rows.patch import {kinds}")
    return replace(found, made="subject_of(rw.load_study(STUDY))", own=own)


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


# Whether it fails now


def checked(test: Artifact, folder: Path) -> Artifact:
    """The test, which is in the folder, with what came of running it."""
    if not test.name:
        return test
    if find_spec("pytest") is None:
        return replace(test, tried=NoPytest())
    with tempfile.TemporaryDirectory(prefix="rootward-") as place:
        told = Path(place, "told.xml")
        # Whatever the project asks of its own tests, this one stands alone.
        alone = ["-c", os.devnull, f"--rootdir={folder.absolute()}", "-p", "no:cacheprovider"]
        command = [sys.executable, "-B", "-m", "pytest", "-q", "--tb=no", *alone, f"--junit-xml={told}", test.name]
        env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
        done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        seen = list(ElementTree.parse(told).iter("testcase")) if told.is_file() else []
    errors = [error.get("message", "") for case in seen for error in case.iter("error")]
    if errors or not seen:
        said = errors or (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()[-1:]
        return replace(test, tried=RegressionBroken(" ".join(said[:1])))
    (failed, inputs), (wrong, others) = (_counted(seen, name) for name in (FAILING, PASSING))
    return replace(test, tried=RegressionRun(failed, inputs, others - wrong, others))


def _counted(seen: Sequence[ElementTree.Element], name: str) -> tuple[int, int]:
    """How many cases of a test failed, of how many."""
    own = [case for case in seen if case.get("name", "").partition("[")[0] == name]
    return sum(case.find("failure") is not None for case in own), len(own)
