"""The pytest plugin: ``pytest --rootward`` explains for which parameters a parametrised test fails.

pytest loads this module at every start, so it holds only the options; the rest is loaded if the flag is given.
(PYTEST_DONT_REWRITE: this module has no assertions.)
"""

from __future__ import annotations

from pathlib import Path

import pytest

RUNS = 200
"""Default maximum number of runs for each test. A rule such as ``width * height > 1000000`` needs just over 100."""
SECONDS = 120.0
"""Default maximum time for all explanations together."""
MARKER = (
    "rootward(space=None, trials=None, verb=None, flaky=None): how --rootward explains this test if it fails. space: "
    'the values to try, such as {"width": rootward.Int(0, 10000)}, by default those of its parameters; trials: '
    'maximum number of runs; verb: "causes" or "rule"; flaky: how often it fails, such as 0.7.'
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rootward", "explanations for failing parametrised tests")
    group.addoption(
        "--rootward",
        action="store_true",
        help="explain for which parameters a failing parametrised test fails; runs it with other parameters as needed",
    )
    group.addoption(
        "--rootward-trials",
        type=int,
        default=RUNS,
        metavar="N",
        help=f"run each failing test at most N more times (default: {RUNS})",
    )
    group.addoption(
        "--rootward-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"spend at most S seconds on all explanations together (default: {SECONDS:g})",
    )
    group.addoption(
        "--rootward-markdown",
        type=Path,
        metavar="FILE",
        help="also write the explanations to FILE as Markdown, for a comment on a pull request",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    if not config.getoption("rootward"):
        return
    from rootward.testing.plugin import Plugin

    config.pluginmanager.register(Plugin(config), "rootward.testing.plugin")
