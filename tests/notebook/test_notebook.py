"""A verb in a notebook: how it goes, how it is interrupted, and what its finding looks like, in a real kernel."""

import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import rootward as rw
from rootward import notebook
from rootward.lab.events import BestChanged, Draining, Event, Progress, RunFinished, RunStarted
from rootward.notebook import DisplayBundle, LiveCell
from rootward.searches.reduction.reduction import Reduction
from tests.waiting import PATIENCE

EXAMPLE = Path(__file__).parents[2] / "examples" / "notebook" / "why.ipynb"
AT = Progress(
    executed=12, running=4, remembered=3, charged=10, asked=20, budget_trials=100, budget_seconds=90, seconds=7.2
)
HOSTILE = "<script>alert(1)</script>{{ 7 }}\x1b[31m\u202e" + "x" * 1_000_000
INTERRUPTED = """
import os, signal
calls = []
def slow(kept):
    calls.append(kept)
    if len(calls) == 5:
        os.kill(os.getpid(), signal.SIGINT)
    if {3, 77} <= set(kept):
        raise RuntimeError("<script>")
found = rw.reduce(range(200), slow)
print(found.complete, found.stopped, len(calls))
"""


@pytest.fixture(scope="module")
def cells() -> list[nbformat.NotebookNode]:
    """The cells of code of the example, executed, and one more."""
    book = nbformat.read(EXAMPLE, 4)
    book.cells.append(nbformat.v4.new_code_cell(INTERRUPTED))
    NotebookClient(book, timeout=PATIENCE, startup_timeout=PATIENCE).execute()
    return [cell for cell in book.cells if cell.cell_type == "code"]


def test_progress_ends_as_one_quiet_line(cells: list[nbformat.NotebookNode]) -> None:
    shown = [output.data["text/plain"] for output in cells[0].outputs if output.output_type == "display_data"]
    assert len(shown) <= 1
    made = re.search(r"after (\d+) trials", cells[0].outputs[-1].data["text/html"])
    assert made is not None
    assert all(re.fullmatch(rf"rule: \d:\d\d, {made[1]} trials, done", line) for line in shown)


def test_a_finding_shows_itself_and_touches_nothing_else(cells: list[nbformat.NotebookNode]) -> None:
    for cell, said in zip(cells[:2], ["width &gt; 128 * height", "2 of 200 elements"], strict=True):
        markup = cell.outputs[-1].data["text/html"]
        assert said in markup
        assert not re.search(r"<script|<link|<iframe|\bon\w+=|https?://(?!www\.w3\.org)", markup)
        for style in re.findall(r"<style>(.*?)</style>", markup, re.DOTALL):
            for selector in outermost(style):
                assert re.search(r"\.(rootward|rw-)", selector), selector


def outermost(style: str) -> list[str]:
    """The selectors of rules that are not inside of others."""
    found: list[str] = []
    around: list[str] = []
    for text, end in re.findall(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)):
        if end == "{":
            if not text.strip().startswith("@") and all(one.startswith("@") for one in around):
                found += text.split(",")
            around.append(text.strip())
        elif end == "}":
            around.pop()
    return found


def test_interrupting_gives_the_best_so_far(cells: list[nbformat.NotebookNode]) -> None:
    [said] = [output.text for output in cells[-1].outputs if output.output_type == "stream"]
    assert said == "False interrupted 5\n"


def events(name: str = "reduce") -> list[Event]:
    best = Reduction(selection=rw.Elements([HOSTILE, "b"]).pick([0]), complete=False)
    return [
        RunStarted(name, 3, 1234, AT),
        BestChanged(best, HOSTILE, AT),
        Draining("interrupted", AT),
        RunFinished(best, AT),
    ]


def test_what_is_shown_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "INTERVAL", 0.0)
    shown: list[DisplayBundle] = []
    cell = LiveCell(shown.append)
    for event in events(HOSTILE):
        cell(event)
    cell.close()
    for one in shown:
        assert not re.search(r"<(?!/?(div|br|progress)\b)", one._repr_html_())
        assert len(repr(one)) < 1000
        assert not re.search("[\x1b\u202e]", repr(one) + one._repr_html_())
    assert '<progress value="0.100"' in shown[0]._repr_html_()
    assert "waiting for 4 running trials" in repr(shown[2])
    assert repr(shown[-1]).startswith("<script>")
    assert len(shown) == 4


def test_nothing_is_shown_of_a_run_that_is_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    shown: list[DisplayBundle] = []
    cell = LiveCell(shown.append)
    for event in events():
        cell(event)
    cell.close()
    assert shown == []


def test_elsewhere_nothing_changes() -> None:
    assert not notebook.in_kernel()
    assert "IPython" not in sys.modules or sys.modules["IPython"].get_ipython() is None
