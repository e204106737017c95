"""What holds for all tests."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["pytester"]
settings.register_profile("rootward", deadline=None)  # a busy machine is no mistake
settings.load_profile("rootward")

QUIET = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first: else, of several workers, one would be left with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A real Chromium. Not for the whole session: while Playwright runs, no other test could use asyncio."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium: `./dev` installs it")
    from playwright.sync_api import sync_playwright

    flags = [*QUIET.split(), "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=flags)
        yield opened
        opened.close()
