"""A test for pytest that fails as long as the fault is there, and passes once it is mended.

It needs nothing of the diagnosis: the inputs stand in it, and the study file says how to run and to judge them. What
failed must pass, and what passed next to it must go on passing.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from rootward.candidate import key_of
from rootward.diagnosis.diagnosis import Diagnosis
from rootward.diagnosis.handover.access import STUDY, access
from rootward.diagnosis.handover.artifact import TEST, Artifact
from rootward.diagnosis.handover.cases import Case
from rootward.diagnosis.handover.chances import runs_to_see
from rootward.diagnosis.handover.handover import Handover
from rootward.diagnosis.handover.source import docstring, source
from rootward.errors import InputError
from rootward.searches.rows.patch import Patch, PatchedSettings
from rootward.subjects.command import Command
from rootward.words import count

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
        return Artifact(TEST, checked=f"There is none: {error}.")
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


# Whether it fails now


def checked(test: Artifact, folder: Path) -> Artifact:
    """The test, which is in the folder, with what came of running it."""
    if not test.name:
        return test
    if find_spec("pytest") is None:
        return replace(test, checked="not run: pytest is not installed")
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
        return replace(test, checked=f"cannot be run: {' '.join(said[:1])}")
    return replace(test, checked=_said(*(_counted(seen, name) for name in (FAILING, PASSING))))


def _counted(seen: Sequence[ElementTree.Element], name: str) -> tuple[int, int]:
    """How many cases of a test failed, of how many."""
    own = [case for case in seen if case.get("name", "").partition("[")[0] == name]
    return sum(case.find("failure") is not None for case in own), len(own)


def _said(failing: tuple[int, int], passing: tuple[int, int]) -> str:
    (failed, of), (wrong, others) = failing, passing
    now = f"fails now, with {failed} of {count(of, 'input')}" if failed else f"does not fail now, with {of} tried"
    return f"{now}; {others - wrong} of {others} next to these pass" if others else now
