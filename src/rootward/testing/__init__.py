"""The pytest plugin: ``pytest --rootward`` says for which parameters a parametrised test fails.

pytest loads this module at every start, so it holds the options and nothing else; the rest is loaded with the flag.
(PYTEST_DONT_REWRITE: there is no assertion here.)
"""

from __future__ import annotations

from pathlib import Path

import pytest

RUNS = 200
"""Enough for a rule such as ``width * height > 1000000``, which takes a bit more than a hundred runs."""
SECONDS = 120.0
MARKER = (
    "rootward(space=None, trials=None, verb=None, flaky=None): what --rootward may vary when the test fails: "
    'space={"width": rootward.Int(0, 10000), ...}, or the values of its parameters unless given; at most `trials` '
    'runs; verb is "causes" or "rule"; flaky is how often it fails, such as 0.7.'
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rootward", "why parametrised tests fail")
    group.addoption(
        "--rootward",
        action="store_true",
        help="explain for which parameters a failing parametrised test fails, running it with others as needed",
    )
    group.addoption(
        "--rootward-trials",
        type=int,
        default=RUNS,
        metavar="N",
        help=f"run each failing test at most N times more ({RUNS})",
    )
    group.addoption(
        "--rootward-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"spend at most S seconds on all explanations together ({SECONDS:g})",
    )
    group.addoption(
        "--rootward-markdown",
        type=Path,
        metavar="FILE",
        help="also write the explanations to FILE as Markdown, for a comment under a pull request",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    if not config.getoption("rootward"):
        return
    from rootward.testing.plugin import Plugin

    config.pluginmanager.register(Plugin(config), "rootward.testing.plugin")
