"""Where the time of the tests goes: `./dev test --profile` prints it.

Each phase of a test has a wall time, the CPU time of this process (all threads) and that of the children it waited
for; the rest of the wall time is waiting. Collecting a test module is mostly importing it, so that is shown apart.
With xdist, each worker measures and sends its figures along with the test's report. If ROOTWARD_PROFILE names a file,
the figures of every test are written there as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.properties import is_property

PHASES = {"setup": "set-up", "call": "test", "teardown": "tear-down"}
MAX_ROWS = 40


@dataclass
class Cost:
    """Seconds spent, and on what."""

    wall: float = 0.0
    cpu: float = 0.0
    children: float = 0.0

    @classmethod
    def so_far(cls) -> Cost:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cls(time.perf_counter(), time.process_time(), children.ru_utime + children.ru_stime)

    @property
    def waiting(self) -> float:
        return max(self.wall - self.cpu - self.children, 0.0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.cpu + other.cpu, self.children + other.children)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.wall - other.wall, self.cpu - other.cpu, self.children - other.children)


def kind_of(item: pytest.Item) -> str:
    """Return what makes a test expensive: a browser, a server, a property, or nothing in particular."""
    fixtures = set(getattr(item, "fixturenames", ()))
    if "browser" in fixtures:
        return "browser"
    if fixtures & {"postgres", "postgres_server"}:
        return "postgres"
    if fixtures & {"cluster", "standing_cluster"}:
        return "dask"
    return "property" if is_property(item) else "example"


class Profile:
    """Measures in every process that runs tests; the process that reports adds up what the others send."""

    def __init__(self) -> None:
        self.collected = Cost()
        self.phases: dict[tuple[str, str, str], Cost] = {}
        """By test, kind and phase."""
        self.collections: list[Cost] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, Any, Any]:
        start = Cost.so_far()
        result = yield
        self.collected = Cost.so_far() - start
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        item.stash[STARTED] = Cost.so_far()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = Cost.so_far()
        report.cost = (kind_of(item), *astuple(now - item.stash[STARTED]))  # type: ignore[attr-defined]
        item.stash[STARTED] = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if cost := getattr(report, "cost", None):
            kind, *seconds = cost
            self.phases[report.nodeid, kind, report.when or ""] = Cost(*seconds)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["collected"] = astuple(self.collected)
        elif self.collected.wall and session.config.getoption("dist", "no") == "no":
            self.collections.append(self.collected)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        if collected := getattr(node, "workeroutput", {}).get("collected"):
            self.collections.append(Cost(*collected))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        say = terminalreporter.write_line
        terminalreporter.section("where the time went, in seconds")
        for title, key in VIEWS.items():
            say(f"\n{title:44} {'tests':>6} {'wall':>8} {'own CPU':>8} {'children':>8} {'waiting':>8}")
            if title == "by phase":
                for cost in self.collections:
                    say(_row("imports and collection, one process", 0, cost))
            for name, tests, cost in self._sums(key):
                say(_row(name, tests, cost))
        if path := os.environ.get("ROOTWARD_PROFILE"):
            rows = [(*test, *astuple(cost)) for test, cost in self.phases.items()]
            Path(path).write_text(json.dumps(rows))

    def _sums(self, key: Callable[[str, str, str], str]) -> Iterable[tuple[str, int, Cost]]:
        """Return name, number of tests and cost of each group, the most expensive first."""
        sums: dict[str, Cost] = defaultdict(Cost)
        tests: dict[str, set[str]] = defaultdict(set)
        for (test, kind, phase), cost in self.phases.items():
            name = key(test, kind, phase)
            sums[name] += cost
            tests[name].add(test)
        ordered = sorted(sums, key=lambda name: -sums[name].wall)
        return [(name, len(tests[name]), sums[name]) for name in ordered[:MAX_ROWS]]


STARTED = pytest.StashKey[Cost]()


def _folder(test: str) -> str:
    parts = test.split("::")[0].split("/")[1:]
    return parts[0] if len(parts) > 1 else "(top)"


VIEWS: dict[str, Callable[[str, str, str], str]] = {
    "by phase": lambda test, kind, phase: PHASES[phase],
    "by kind": lambda test, kind, phase: kind,
    "by folder": lambda test, kind, phase: _folder(test),
    "by file": lambda test, kind, phase: test.split("::")[0],
    "by test": lambda test, kind, phase: test.split("::", 1)[-1][:60],
}


def _row(name: str, tests: int, cost: Cost) -> str:
    seconds = "".join(f" {value:8.1f}" for value in (cost.wall, cost.cpu, cost.children, cost.waiting))
    return f"{name[:44]:44} {tests or '':>6}{seconds}"
