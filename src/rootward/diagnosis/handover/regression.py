"""A test for pytest that fails as long as the fault is there, and passes once it is fixed.

It does not need the diagnosis: it contains the inputs (``inputs.py``), and the study file says how to run and to judge
them. Without a study file, the test contains the command, or imports the function.

Inputs that failed must pass, and inputs next to them that passed must keep passing. So each cause contributes an
example that failed because of it, and runs on either side of its border: a fix must neither miss the fault nor shift
it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rootward.diagnosis.handover.handover import Handover, runs_to_see
from rootward.diagnosis.handover.inputs import SharedInput
from rootward.diagnosis.handover.source import docstring, source
from rootward.diagnosis.state import only_rows
from rootward.errors import InputError
from rootward.explanation.diagnosis import REPRODUCER, TEST, Artifact, Diagnosis, Explanation, FailureCause
from rootward.explanation.facts import NoArtifact, NoPytest, RegressionBroken, RegressionRun
from rootward.formats.ownership import temporary_folder
from rootward.rules import Rule
from rootward.searches.conditions.rule_finding import EdgePair, RuleFinding
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import PatchedSettings
from rootward.space.candidate import key_of
from rootward.subjects import process
from rootward.subjects.command import Command

STUDY = "ROOTWARD_STUDY"
"""The environment variable with the path of the study file, for when it was moved."""
MAX_EDGES = 3
"""Maximum number of places at the border of a cause that the test includes."""
FAILING, PASSING = "test_it_no_longer_fails", "test_it_still_passes"
HEAD = '''{title}

{imports}

{needs}
{input}RUNS = {runs}
"""Number of runs of each input that failed: enough to see a failure that does not show every time."""


@pytest.fixture(scope="module")
def subject():
    return {subject}


def make_input(case):
    {body}


def check(subject, case, folder, runs, seed=0):
    for run in range(runs):
        outcome = subject.run(make_input(case), seed=seed + run, place=folder / f"run-{{run}}")
        if outcome.verdict is rw.Verdict.UNRESOLVED:
            pytest.skip(f"this input can no longer be judged: {{outcome.detail}}")
        assert outcome.verdict is rw.Verdict.PASS, outcome.signature or outcome.detail
'''
PART = """

{name} = {{
{cases}
}}


@pytest.mark.parametrize({parameters}, {name}.values(), ids=list({name}))
def {test}(subject, tmp_path, {arguments}):
    check(subject, case, tmp_path, {runs}{seed})
"""


def regression_test(
    diagnosis: Diagnosis,
    handover: Handover,
    cases: Sequence[RegressionCase],
    seeds: Mapping[str, int],
    stem: str = "",
    file_stem: str = REPRODUCER,
) -> Artifact | None:
    """Return the regression test as an artifact; None if no failing input is known.

    If the test cannot be written, the artifact says why. ``seeds``: the seeds with which candidates failed, by their
    keys. ``stem``: the name of the file, without suffix; by default, it is made from the name of the study.
    ``file_stem``: the name, without suffix, of the reproducer of the first failure.
    """
    if not any(case.fails for case in cases):
        return None
    base = next(case.candidate for case in cases if case.fails)
    candidates = [case.candidate for case in cases]
    try:
        with temporary_folder() as place:
            file = handover.input_file(base, file_stem)
            text = _write(diagnosis, cases, SharedInput(handover, base, candidates, file, Path(place)), seeds)
    except InputError as error:
        return Artifact(TEST, tried=NoArtifact(str(error)))
    path = Path(handover.folder, f"{stem or f'test_{slug(diagnosis.study)}'}.py")
    return Artifact(TEST, path.name, text.encode(), f"pytest {shlex.quote(handover.typed_path(path))}")


def slug(name: str) -> str:
    """Return a name that a Python file can have."""
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()[:60] or "diagnosis"


def _write(diagnosis: Diagnosis, cases: Sequence[RegressionCase], shared: SharedInput, seeds: Mapping[str, int]) -> str:
    handover = shared.handover
    way = access(handover, shared)
    head = HEAD.format(
        title=docstring(_write_title(diagnosis, handover, shared)),
        imports=way.imports,
        needs=way.needs,
        input=shared.statement,
        runs=max(runs_to_see(one.rate) for one in diagnosis.explanations),
        subject=way.made,
        body=shared.body,
    )
    parts = [("FAILED", FAILING, "RUNS", True), ("PASSED", PASSING, "1", False)]
    return head + "".join(
        PART.format(name=name, test=test, runs=runs, cases="\n".join(lines), **_seed_arguments(handover))
        for name, test, runs, fails in parts
        if (lines := list(_write_cases([one for one in cases if one.fails is fails], shared, seeds)))
    )


def _seed_arguments(handover: Handover) -> dict[str, str]:
    """Return the parameters of a test: the candidate, and a seed if the subject takes one."""
    if not handover.subject.seeded:
        return {"parameters": '"case"', "arguments": "case", "seed": ""}
    return {"parameters": '("case", "seed")', "arguments": "case, seed", "seed": ", seed"}


def _write_title(diagnosis: Diagnosis, handover: Handover, shared: SharedInput) -> str:
    parts = [
        f"Regression test for {diagnosis.study or 'a diagnosis'}.",
        *(one.headline() for one in diagnosis.explanations),
        "The inputs in FAILED failed when Rootward wrote this test, and pass once the fault is fixed. The inputs in "
        "PASSED are close to them, and must keep passing.",
        "" if shared.is_patch else "Each of them is INPUT with the values that are given changed.",
        f"The file {shared.file} must be beside this one." if shared.file else "",
        f"The path of the study file is relative to this file. If it was moved, set the environment variable {STUDY}."
        if handover.has_file
        else "",
    ]
    return "\n\n".join("\n".join(textwrap.wrap(part, 100)) for part in parts if part)


def _write_cases(cases: Sequence[RegressionCase], shared: SharedInput, seeds: Mapping[str, int]) -> Iterator[str]:
    """Yield a line of the test for each case. A case that cannot be written is left out."""
    for case in cases:
        written = shared.write_case(case.candidate)
        if written is not None and shared.handover.subject.seeded:
            written = f"({written}, {seeds.get(key_of(case.candidate), 0)})"
        if written is not None:
            yield f"    {source(case.name)}: {written},"


# The inputs of the test


@dataclass(frozen=True)
class RegressionCase:
    """One input, with its verdict."""

    name: str
    candidate: Any
    fails: bool
    failure: int
    """The number, counted from 1, of the failure that this input shows, or at whose border it passes."""


def cases(diagnosis: Diagnosis) -> list[RegressionCase]:
    """Return the inputs of all causes, each input once."""
    found: dict[str, RegressionCase] = {}
    edges = [edge for step in diagnosis.steps if isinstance(step.finding, RuleFinding) for edge in step.finding.edges]
    for number, explanation in enumerate(diagnosis.explanations, 1):
        for name, candidate, fails in _find_inputs(explanation, edges):
            several = f"failure-{number}-{name}" if len(diagnosis.explanations) > 1 else name
            found.setdefault(key_of(candidate), RegressionCase(several, candidate, fails, number))
    return list(found.values())


def _find_inputs(explanation: Explanation, edges: list[EdgePair]) -> Iterator[tuple[str, Any, bool]]:
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
        for place, edge in enumerate(cause.border or _find_edges(cause, explanation.rule, edges), 1):
            yield f"cause-{number}-border-{place}", show({**cause.example, **edge.fails}), True
            yield f"beside-cause-{number}-{place}", show({**cause.example, **edge.passes}), False


def _find_edges(cause: FailureCause, whole: Rule, edges: list[EdgePair]) -> list[EdgePair]:
    """Return pairs of a failing and a passing run on either side of the cause's border.

    Only pairs that agree with the whole explanation are returned, at most ``MAX_EDGES``.
    """
    own = [edge for edge in edges if _holds(cause.rule, edge.fails) and _holds(whole, edge.passes) is False]
    chosen: list[EdgePair] = []
    known, changed = {key_of(cause.example)}, set[tuple[str, ...]]()
    while own and len(chosen) < MAX_EDGES:  # prefer those that differ from the chosen ones
        best = min(own, key=lambda edge: (edge.changed in changed, _key(cause, edge) in known))
        own.remove(best)
        chosen.append(best)
        known.add(_key(cause, best))
        changed.add(best.changed)
    return chosen


def _key(cause: FailureCause, edge: EdgePair) -> str:
    return key_of({**cause.example, **edge.fails})


def _holds(rule: Rule, configuration: Mapping[str, Any]) -> bool | None:
    """Return True if the rule holds, False if not, and None if the configuration lacks a field of the rule."""
    try:
        return rule.holds(configuration)
    except InputError:
        return None


# Access to the subject


@dataclass(frozen=True)
class Access:
    """A Python expression that gives the subject, with the imports and the statement that the expression needs."""

    made: str
    needs: str = ""
    """A statement that must come before the expression."""
    standard: tuple[str, ...] = ()
    """Imports from the standard library."""
    own: tuple[str, ...] = ()
    """Imports from Rootward."""

    @property
    def imports(self) -> str:
        standard = sorted(self.standard, key=lambda line: (line.startswith("from"), line))
        return "\n".join([*standard, "", "import pytest", "import rootward as rw", *self.own])


def access(handover: Handover, shared: SharedInput) -> Access:
    """Return the code that makes the subject. Raises InputError if the subject cannot be found from outside."""
    subject = handover.subject
    if shared.is_patch:
        found = _load_for_patches(handover)
    elif handover.has_file:
        found = _load_from_study(handover)
    elif isinstance(subject, Command):
        found = Access(f"rw.Command({_options(subject)})")
    else:
        found = _import_function(handover)
    standard = found.standard if shared.file else ("import copy", *found.standard)
    if shared.file:
        standard = (*standard, "from pathlib import Path")
    if shared.file and isinstance(subject, Command):
        made = f"dataclasses.replace({found.made}, document=None)  # make_input returns a complete file"
        found, standard = replace(found, made=made), ("import dataclasses", *standard)
    return replace(found, standard=tuple(dict.fromkeys(standard)), own=(*found.own, *shared.imports))


def _load_from_study(handover: Handover) -> Access:
    way = source(handover.relative_path(handover.study.path))
    return Access(
        "rw.load_study(STUDY).subject",
        f'STUDY = Path(os.environ.get("{STUDY}", Path(__file__).parent / {way}))',
        ("import os", "from pathlib import Path"),
    )


def _load_for_patches(handover: Handover) -> Access:
    """Return the code that loads the subject from the study file.

    The study file is needed because it names the tables that the patches apply to.
    """
    if not handover.has_file:
        raise InputError("a study file is needed: it says where the tables are")
    found = _load_from_study(handover)
    kinds = "Patch" if only_rows(handover.study) else "Patch, PatchedSettings"
    own = ("from rootward.diagnosis.state import subject_of", f"from rootward.searches.rows.patch import {kinds}")
    return replace(found, made="subject_of(rw.load_study(STUDY))", own=own)


def _import_function(handover: Handover) -> Access:
    module, name = handover.target
    limits = {one: getattr(handover.subject, one, None) for one in ("timeout", "memory")}
    options = "".join(f", {one}={source(value)}" for one, value in limits.items() if value is not None)
    return Access(
        f"Function(importlib.import_module({source(module)}).{name}{options})",
        f"sys.path.insert(0, str(Path(__file__).parent / {source(handover.relative_path(handover.module_folder))}))",
        ("import importlib", "import sys", "from pathlib import Path"),
        ("from rootward.subjects.function import Function",),
    )


def _options(command: Command) -> str:
    """Return the arguments that rebuild the command, without its document and the files that only its store needs."""
    arguments = [source(command.argv)]
    for one in fields(Command)[1:]:
        usual = one.default if one.default is not MISSING else {}
        value = getattr(command, one.name)
        if one.name not in ("document", "files") and value != usual:
            arguments.append(f"{one.name}={source(value)}")
    return ", ".join(arguments)


# Running the test


def run_test(test: Artifact, folder: Path) -> Artifact:
    """Run the test, and return it with the result. ``folder``: the folder that the test is in."""
    if not test.name:
        return test
    if find_spec("pytest") is None:
        return replace(test, tried=NoPytest())
    with temporary_folder() as place:
        results, output = place / "results.xml", place / "output"
        # The settings of the surrounding project's tests must not apply to this one.
        alone = ["-c", os.devnull, f"--rootdir={folder.absolute()}", "-p", "no:cacheprovider"]
        files = [f"--basetemp={place / 'tmp'}", f"--junit-xml={results}"]
        command = [sys.executable, "-B", "-m", "pytest", "-q", "--tb=no", *alone, *files, test.name]
        env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
        with open(output, "wb") as file:
            prints = {1: file.fileno(), 2: file.fileno()}
            with process.run_process(command, files=prints, env=env, cwd=str(folder)) as running:
                process.wait(running, None)
        printed = output.read_text("utf-8", "replace")
        seen = list(ElementTree.parse(results).iter("testcase")) if results.is_file() else []
    errors = [error.get("message", "") for case in seen for error in case.iter("error")]
    if errors or not seen:
        lines = errors or printed.strip().splitlines()[-1:]
        return replace(test, tried=RegressionBroken(" ".join(lines[:1])))
    (failed, inputs), (wrong, others) = (_count_failed(seen, name) for name in (FAILING, PASSING))
    return replace(test, tried=RegressionRun(failed, inputs, others - wrong, others))


def _count_failed(seen: Sequence[ElementTree.Element], name: str) -> tuple[int, int]:
    """Return the number of failed cases of a test, and the number of all its cases."""
    own = [case for case in seen if case.get("name", "").partition("[")[0] == name]
    return sum(case.find("failure") is not None for case in own), len(own)
