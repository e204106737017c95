"""A real browser, and the page that tests share in it."""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

PROGRAMS = ["chromium-headless-shell", "chromium"]
"""The first one that is there is taken: without windows it needs two thirds of the CPU."""
QUIET = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"


class Tab:
    """A page of the browser, with all that it says and asks for."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.asked.append(request.url))

    def _dismiss(self, dialog: Dialog) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def reset(self, offline: bool) -> None:
        """Make it as it was when it was new, but for its size."""
        self.context.set_offline(offline)
        self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        self.page.goto("about:blank")
        self.said.clear()
        self.asked.clear()


class Chromium:
    """A real browser, shared by all tests that follow one another.

    It is closed before a test that does not need it: while Playwright runs, nothing else here could use asyncio.
    """

    def __init__(self) -> None:
        self._opened = contextlib.ExitStack()
        self._browser: Browser | None = None
        self._tab: Tab | None = None

    def open(self) -> Browser:
        if self._browser is None:
            program = next(filter(None, map(shutil.which, PROGRAMS)), None)
            if program is None:
                pytest.skip(f"there is no {PROGRAMS[0]}: `./dev` installs it")
            from playwright.sync_api import sync_playwright

            flags = [*QUIET.split(), "--disable-component-update", "--disable-sync"]
            playwright = self._opened.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=program, args=flags, timeout=1000 * PATIENCE)
            self._opened.callback(self._browser.close)
        return self._browser

    def tab(self) -> Tab:
        """Return a page that all tests share: a new one starts processes, which costs more than most tests do."""
        self._tab = self._tab or Tab(self.open())
        return self._tab

    def close(self) -> None:
        self._browser = self._tab = None
        self._opened.close()


CHROMIUM = Chromium()
