"""A parametrised test as a subject: each trial is one more run of it, through pytest's own protocol.

A run makes an item of the same test with other parameters and lets pytest set it up, call it and tear it down, with all
its fixtures and the hooks of all plugins, but does not report it. Only a failure of the test itself counts: a run that
is skipped, expected to fail, or fails during setup is UNRESOLVED.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from rootward.space.keys import canonical
from rootward.subjects.function import one_line, signature
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome, Verdict

OUTCOMES = pytest.StashKey[list[Outcome]]()
"""The outcomes of an item that is run again, on its stash."""


class Rerun:
    """The test of ``item`` as a subject.

    For an instance in ``known``, the first attempt is not run again: its outcome is that of pytest's own run.
    """

    inline = True
    seeded = False

    def __init__(self, item: pytest.Function, known: Mapping[bytes, Outcome], specs: Mapping[bytes, Any]) -> None:
        """``known``: outcomes of instances that pytest ran. ``specs``: pytest's call specifications of all instances.

        In both, the key identifies the parameters of an instance.
        """
        self.item, self.identity, self.runs = item, f"pytest {item.nodeid}", 0
        self.verdicts: list[tuple[dict[str, Any], Verdict]] = []
        """The verdicts of the runs made here."""
        self._known, self._specs = dict(known), specs

    def run(self, candidate: Mapping[str, Any], *, seed: int, place: Path) -> Outcome:
        seen = self._known.pop(
            canonical(dict(candidate)), None
        )  # only for the first attempt: later ones of a flaky test are runs
        if seen is not None:
            return seen
        self.runs += 1
        outcome = self._run(self._make_item(candidate))
        self.verdicts.append((dict(candidate), outcome.verdict))
        return outcome

    def _run(self, item: pytest.Function) -> Outcome:
        heard: list[Outcome] = []
        item.stash[OUTCOMES] = heard
        with _hide_output(item.config):
            try:
                item.ihook.pytest_runtest_protocol(item=item, nextitem=self.item)
            except pytest.exit.Exception as error:
                return Outcome(UNRESOLVED, detail=f"the test ends the session: {one_line(error)}")
        return heard[0] if heard else Outcome(UNRESOLVED, detail="the test was not run")

    def by_hand(self, candidate: Mapping[str, Any], *, seed: int, place: Path) -> str:
        return f"pytest {self.item.nodeid!r}"

    def _make_item(self, candidate: Mapping[str, Any]) -> pytest.Function:
        """Return an item of the test with the parameters of ``candidate``.

        Parameters that are not in ``candidate`` keep their values.
        """
        own = self.item.callspec
        spec = self._specs.get(canonical(dict(candidate)))
        if spec is None:
            spec = dataclasses.replace(own, params={**own.params, **candidate}, _idlist=("rootward",))
        name = self.item.originalname
        made = type(self.item).from_parent(
            self.item.parent,
            name=f"{name}[{spec.id}]" if spec._idlist else name,
            callspec=spec,
            fixtureinfo=self.item._fixtureinfo,
            keywords={spec.id: True},
            originalname=name,
        )
        added = [mark for mark in self.item.own_markers if mark not in made.own_markers and mark not in own.marks]
        for mark in added:  # by a conftest.py, for instance
            made.own_markers.append(mark)
            made.keywords[mark.name] = mark
        return made


def run_quietly(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run an item that Rootward runs again, without reports.

    Returns None for any other item, which pytest then runs as usual.
    """
    if OUTCOMES not in item.stash:
        return None
    runtestprotocol(item, log=False, nextitem=nextitem)
    return True


def judge_phase(report: pytest.TestReport, call: pytest.CallInfo[None]) -> Outcome | None:
    """Return the outcome of a test if this phase decides it. Returns None if the next phase decides it."""
    if report.when == "teardown" or (report.when == "setup" and report.passed):
        return None
    error = call.excinfo.value if call.excinfo is not None else None
    if report.when == "setup" or report.skipped or hasattr(report, "wasxfail"):
        return Outcome(UNRESOLVED, detail=f"{report.when}: {one_line(error) if error else report.outcome}")
    if report.passed:
        return Outcome(PASS)
    if error is None:  # it was expected to fail, but passed
        return Outcome(UNRESOLVED, detail=str(report.longrepr))
    return Outcome(FAIL, signature=signature(error), detail=one_line(error))


@contextlib.contextmanager
def share_fixtures(session: pytest.Session) -> Iterator[None]:
    """Keep fixtures of modules and of the session alive from run to run, until this context ends."""
    # After -x, pytest would tear them down after every single run.
    kept = {name: vars(session).get(name, False) for name in ("_shouldfail", "_shouldstop")}
    vars(session).update(dict.fromkeys(kept, False))
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            session._setupstate.teardown_exact(None)
        vars(session).update(kept)


@contextlib.contextmanager
def _hide_output(config: pytest.Config) -> Iterator[None]:
    """Hide what a run prints, even if pytest does not capture it."""
    if config.getoption("capture") != "no":
        yield
        return
    with contextlib.ExitStack() as stack, open(os.devnull, "w") as nowhere:
        for number, stream in ((1, sys.stdout), (2, sys.stderr)):
            stream.flush()
            saved = os.dup(number)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, number)
            os.dup2(nowhere.fileno(), number)
        stack.enter_context(contextlib.redirect_stdout(nowhere))
        stack.enter_context(contextlib.redirect_stderr(nowhere))
        yield
