"""The plugin in a pytest session: it records all runs, and when all tests have run, it explains the failing ones.

With xdist, tests run in worker processes. There, the plugin adds the parameters of a test to its report. The main
process reads them and explains from these runs alone, because it cannot run a test.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from rootward.errors import InputError, NotReproduced
from rootward.lab.budget import Budget
from rootward.subjects.function import one_line
from rootward.testing.display import Display
from rootward.testing.explanation import INTERRUPTED, TestExplanation, TestQuestion, markdown
from rootward.testing.parameters import plain_parameters
from rootward.testing.parametrised_test import Marker, ParametrisedTest, PytestRun, function_of, read, write
from rootward.testing.rerun import OUTCOMES, judge_phase, run_quietly, share_fixtures
from rootward.words import make_visible

NOT_REPRODUCED = (
    "the test passed when it was run again. It may depend on tests that ran before it. "
    "If it fails only sometimes, mark it with @pytest.mark.rootward(flaky=True)."
)


class Plugin:
    """Hooks of a session with ``--rootward``."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._trials, self._seconds = config.getoption("rootward_trials"), config.getoption("rootward_seconds")
        self._target = config.getoption("rootward_markdown")
        self._is_worker = hasattr(config, "workerinput")
        self._display = Display(config)
        self.tests: dict[str, ParametrisedTest] = {}
        self.explanations: list[TestExplanation] = []
        if self._trials < 0 or not self._seconds >= 0:
            raise pytest.UsageError("--rootward-trials and --rootward-seconds must be numbers, 0 or more")
        if self._target is not None and not self._target.absolute().parent.is_dir():
            raise pytest.UsageError(f"--rootward-markdown: there is no folder {str(self._target.parent)!r}")

    # Collection

    @pytest.hookimpl(wrapper=True)
    def pytest_pycollect_makeitem(self) -> Generator[None, Any, Any]:
        """Record all instances of a test, even if ``--lf`` or the command line leaves some of them out later."""
        made = yield
        found = [one for one in made if hasattr(one, "callspec")] if isinstance(made, list) else []
        if found:
            rows = plain_parameters([one.callspec for one in found])
            test = self.tests[function_of(found[0])] = ParametrisedTest(function_of(found[0]))
            test.specs = {one.nodeid: (row, one.callspec) for one, row in zip(found, rows, strict=True)}
        return made

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        """Record the selected instances.

        Instances that ``-k``, ``-m`` or ``--deselect`` excludes are not run for explanations either.
        """
        if self._is_worker:
            return
        for item in items:
            mark = item.get_closest_marker("rootward")
            test = self._test_of(item)
            if mark is not None:
                parameters = item.callspec.params if isinstance(item, pytest.Function) and test is not None else {}
                marker = _read_marker(item, mark, parameters)
                if test is not None:
                    test.marker = marker
            if test is not None and isinstance(item, pytest.Function):
                test.items[item.nodeid] = item
        if any(self._config.getoption(name) for name in ("keyword", "markexpr", "deselect")):
            for test in self.tests.values():
                test.specs = {nodeid: spec for nodeid, spec in test.specs.items() if nodeid in test.items}

    def _test_of(self, item: pytest.Item) -> ParametrisedTest | None:
        if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
            return None
        return self.tests.get(function_of(item))

    # Runs

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        return run_quietly(item, nextitem)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        outcome = judge_phase(report, call)
        if outcome is None:
            return report
        if OUTCOMES in item.stash:
            item.stash[OUTCOMES].append(outcome)
        elif (test := self._test_of(item)) is not None and item.nodeid in test.specs:
            values, _ = test.specs[item.nodeid]
            vars(report)["rootward"] = write(test.name, values, outcome)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        written = vars(report).get("rootward")
        if written is not None and not self._is_worker and report.outcome in ("passed", "failed", "skipped"):
            function, values, outcome = read(written)
            self.tests.setdefault(function, ParametrisedTest(function)).add(PytestRun(values, outcome, report))

    # Explanations

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        try:
            result = yield
        except (session.Failed, session.Interrupted):  # -x and the like
            self._explain_all(session)
            raise
        self._explain_all(session)
        return result

    def _explain_all(self, session: pytest.Session) -> None:
        failing = [test for test in self.tests.values() if test.failing]
        if self._is_worker or not failing:
            return
        if self._config.getoption("usepdb", False):
            self._display.say("rootward: no explanations, because --pdb is on")
            return
        end = time.monotonic() + self._seconds
        with share_fixtures(session), self._display.without_new_warnings():
            for index, test in enumerate(failing):
                # Time that one test leaves over is shared by the following ones.
                share = max(0.0, end - time.monotonic()) / (len(failing) - index)
                explanation = self._explain(test, share)
                self.explanations.append(explanation)
                test.failing[0].report.sections.append(("rootward", make_visible(str(explanation))))
                if explanation.interrupted:
                    break

    def _explain(self, test: ParametrisedTest, seconds: float) -> TestExplanation:
        """Explain one test.

        Never raises, because pytest must still report everything else.
        """
        started = time.monotonic()
        runs = self._trials if test.marker.trials is None else test.marker.trials
        subject = None
        try:
            question = TestQuestion(test)
            subject = question.make_subject()
            with self._display.show_progress(test.name, subject, runs) as on_event:
                finding = question.answer(subject, Budget(trials=runs, seconds=seconds), on_event)
        except KeyboardInterrupt:
            return TestExplanation(test, problem=INTERRUPTED)
        except Exception as error:
            return TestExplanation(test, problem=_describe_problem(error))
        return TestExplanation(test, finding, subject.runs if subject else 0, time.monotonic() - started)

    # Output

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the explanations separately if pytest's options hide the sections of failures."""
        options = self._config.option
        if self.explanations and (options.tbstyle == "no" or options.showcapture != "all"):
            terminalreporter.write_sep("=", "rootward")
            for one in self.explanations:
                terminalreporter.write_line(make_visible(one.test.failing[0].report.nodeid))
                terminalreporter.write_line(make_visible(str(one)))

    def pytest_sessionfinish(self) -> None:
        if self._target is not None and not self._is_worker:
            self._target.write_text(markdown(self.explanations), encoding="utf-8")


def _describe_problem(error: Exception) -> str:
    if isinstance(error, NotReproduced):
        return NOT_REPRODUCED
    return f"{error}." if isinstance(error, InputError) else f"{one_line(error)}."


def _read_marker(item: pytest.Item, mark: pytest.Mark, parameters: dict[str, object]) -> Marker:
    try:
        return Marker.read(mark.args, mark.kwargs, parameters)
    except InputError as error:
        raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.rootward: {error}") from None
