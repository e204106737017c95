"""The live page in a real browser: it follows a run from its beginning to its end, whatever happens to the server."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rootward as rw
from rootward.space.keys import key
from rootward.store.store import Store
from rootward.verdict import FAIL, Outcome
from tests.browsing import Tab
from tests.ports import free_port
from tests.properties import few
from tests.waiting import PATIENCE, until
from tests.web.test_pages import HOSTILE, begin, finding

if TYPE_CHECKING:
    from playwright.sync_api import Page

Serve = Callable[..., Any]
AXE = Path(__file__).parents[1] / "vendor" / "axe-core" / "axe.min.js"
COMMAND = """
until [ $(wc -l < runs.log) -lt $(wc -l < may.log) ]; do sleep 0.01; done
grep -q 13 "$1" && grep -q 37 "$1"; said=$?; echo end >> runs.log; [ $said != 0 ]
"""
TRIALS = "() => parseInt(document.querySelector('.figures')?.textContent) || 0"


@pytest.fixture
def page(tab: Tab) -> Iterator[Page]:
    """A page that complains about nothing and asks nobody but the server, which may be away for a while."""
    tab.reset(offline=False)
    tab.page.set_viewport_size({"width": 1000, "height": 800})
    yield tab.page
    assert not [text for text in tab.said if "ERR_CONNECTION_REFUSED" not in text]
    assert not [url for url in tab.asked if not url.startswith(("http://127.0.0.1:", "data:", "about:"))]
    tab.page.goto("about:blank")


def shows(page: Page, trials: int) -> None:
    """Wait until the page counts so many trials."""
    until(lambda: page.evaluate(TRIALS) >= trials, f"the page shows {trials} trials")


class Reducing:
    """``rootward reduce`` as a process. Its trials end one by one, when they may."""

    def __init__(self, folder: Path) -> None:
        (folder / "crash.txt").write_text("".join(f"{i}\n" for i in range(40)))
        self.log, self.may = folder / "runs.log", folder / "may.log"
        self.log.touch()
        self.may.touch()
        argv = [sys.executable, "-m", "rootward", "reduce", "crash.txt", "--store", "store.db", "--method", "ddmin"]
        argv += ["--trials", "100", "--", "sh", "-c", COMMAND, "sh", "{file}"]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(argv, cwd=folder, **pipes)

    @property
    def trials(self) -> int:
        return len(self.log.read_text().splitlines())

    def go_on(self) -> None:
        """Let one more trial end."""
        with open(self.may, "a") as file:
            file.write("one\n")

    def result(self) -> tuple[str, str]:
        """Let it end; what it wrote. It was asked to, but we cannot tell when it has heard."""
        while self.process.poll() is None:
            self.go_on()
            time.sleep(0.2)
        return self.process.communicate(timeout=PATIENCE)


def test_a_run_is_watched_and_stopped_while_the_server_comes_and_goes(page: Page, serve: Serve, tmp_path: Path) -> None:
    served = serve(tmp_path / "store.db", port=free_port())  # it is given back meanwhile
    page.goto(served.url)
    page.get_by_text("There is no store yet").wait_for()
    reducing = Reducing(tmp_path)
    page.get_by_role("link", name="reduce crash.txt").click()

    for trials in (1, 2, 3):
        reducing.go_on()
        shows(page, trials)

    served.stop()
    page.get_by_text("The connection is lost").wait_for()
    reducing.go_on()
    again = serve(tmp_path / "store.db", port=served.port)
    shows(page, 4)
    page.get_by_text("The connection is lost").wait_for(state="hidden")
    assert again.port == served.port

    page.get_by_role("button", name="Stop").click()
    page.locator(".panel .state", has_text="stopping").wait_for()
    out, _ = reducing.result()
    page.locator(".panel .state", has_text="stopped").wait_for()
    assert reducing.process.returncode == 3
    assert "not final (asked to stop)" in out
    assert "Repeat the command to continue from here." in out
    with Store(tmp_path / "store.db") as store:
        (run,) = store.runs()
        found = store.finding(run.id)
    assert found is not None
    assert run.trials == reducing.trials == found["trials"]
    assert page.get_by_role("button", name="Stop").count() == 0
    assert found["explanation"].partition("\n")[0] in page.locator(".found").inner_text()


def test_what_the_reader_does_is_left_alone(page: Page, serve: Serve, tmp_path: Path) -> None:
    with Store(tmp_path / "store.db") as store:
        run = begin(store, partial=finding("one\n" + "\n".join(map(str, range(300)))), progress={"executed": 1})
        page.goto(f"{serve(tmp_path / 'store.db').url}/runs/{run.id}")
        page.get_by_role("button", name="Stop").focus()
        page.evaluate("() => { scrollTo(0, 500); document.querySelector('#stop').dataset.mine = 'yes' }")
        store.update(run.id, seconds=1.0, progress={"executed": 2})
        page.get_by_text("2 trials").wait_for()
        kept = "() => [document.activeElement.dataset.mine, scrollY, document.querySelector('.found pre').isConnected]"
        assert page.evaluate(kept) == ["yes", 500, True]
        store.update(run.id, partial=finding("something better"), progress={"executed": 3})
        page.get_by_text("something better").first.wait_for()
        assert page.evaluate("() => document.activeElement.dataset.mine") == "yes"
        store.update(run.id, status="complete")
        page.locator(".panel .state", has_text="complete").wait_for()
        assert page.evaluate("() => document.activeElement.classList.contains('panel')")
        assert "complete" in page.title()


def test_nothing_stands_in_the_way_of_those_who_cannot_see(page: Page, serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    rw.reduce("abcdef", rw.fails_when(lambda kept: "b" in kept), store=path)
    with Store(path) as store:
        going = begin(store, progress={"executed": 1, "running": 1, "budget_trials": 9}, partial=finding())
        store.add_trials(going, "s", [rw.Trial({"a": 1}, key("k"), 0, 1, Outcome(FAIL, "boom"), 0.25)])
        served = serve(path)
        for address in ("/", "/runs/1", f"/runs/{going.id}"):
            page.goto(served.url + address)
            page.wait_for_selector("html[data-ready]", state="attached")
            page.evaluate(AXE.read_text(encoding="utf-8"))
            found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            bad = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
            assert not bad


@pytest.mark.parametrize("width", few(1, [360, 1000]))
def test_hostile_text_does_nothing(width: int, page: Page, serve: Serve, tmp_path: Path) -> None:
    text = HOSTILE + "x" * 1_000_000
    with Store(tmp_path / "store.db") as store:
        run = begin(store, text, best=text, progress={"note": text}, partial=finding(HOSTILE))
        store.add_trials(run, "s", [rw.Trial({text: text}, key("k"), 0, 1, Outcome(FAIL, text, detail=text), 0.25)])
        served = serve(tmp_path / "store.db")
        page.set_viewport_size({"width": width, "height": 700})
        for path in ("/", f"/runs/{run.id}"):
            page.goto(served.url + path)
            store.update(run.id, best=text + "!", progress={"note": text, "executed": 7})
            page.get_by_text("7").first.wait_for()
            assert page.evaluate("() => [window.hacked, document.querySelector('img')]") == [None, None]
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
