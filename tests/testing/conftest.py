"""A project of its own for each test, on which pytest is run with the plugin."""

from collections.abc import Callable

import pytest

import rootward.verbs  # noqa: F401 - NumPy can be loaded once only, and each run forgets what it loaded
from tests.waiting import PATIENCE

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run(source, *arguments)``: pytest on a file with that source; with the flag, unless it is among them."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the plugins of this machine
    monkeypatch.setenv("PYTEST_ADDOPTS", f"-p rootward.testing --rootward-seconds={PATIENCE}")

    def start(source: str, *arguments: str, flag: bool = True, **files: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=f"import pytest\nimport rootward as rw\n{source}", **files)
        flags = ["--rootward"] if flag else []
        return pytester.runpytest_inprocess("-W", "default", *flags, *arguments, no_reraise_ctrlc=True)

    return start
