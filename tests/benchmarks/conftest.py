"""The helpers of the benchmarks are no installed package: they are found beside the scripts that use them.

They are no part of the product, and slow to import, so their tests are left to `./dev test --rest`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    return None if config.getoption("rest") else True


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.rest)
