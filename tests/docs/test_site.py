"""The site is built without a warning, and shows itself to a reader who has no network.

One test, because it is built once: tests of one file may be spread over several workers.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rootward
from tests.waiting import PATIENCE

pytest.importorskip("furo", reason='the site needs "rootward[docs]"')

ROOT = Path(__file__).parents[2]
COMMANDS = ["find", "reduce", "triggers", "rule", "causes", "rows", "instrument", "triage", "runs-show", "model-verify"]
SHOWN = ["index.html", "tutorials/robot.html", "how-to/rule.html", "reference/cli.html", "reference/python/verbs.html"]
LOADED = re.compile(
    r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"|url\(([^)]*)\)|@import\s+(\S+)"
)


@pytest.mark.rest
@pytest.mark.slow
def test_the_site(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    build(tmp_path)
    check_that_nothing_is_loaded_from_elsewhere(tmp_path)
    check_that_the_reference_is_complete(tmp_path)
    open_it(tmp_path, request.getfixturevalue("browser"))


def build(site: Path) -> None:
    command: list[str | Path] = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", ROOT / "docs", site]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check_that_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for file in (file for file in site.rglob("*") if file.suffix in (".html", ".css")):
        for parts in LOADED.findall(file.read_text(encoding="utf-8")):
            assert not re.match(r"['\"]?(https?:)?//", "".join(parts)), f"{file.relative_to(site)}: {parts}"


def check_that_the_reference_is_complete(site: Path) -> None:
    commands = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f'id="rootward-{name}"' not in commands] == []
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "python").glob("*.html"))
    assert [name for name in rootward.__all__ if f'id="rootward.{name}"' not in pages] == []


def open_it(site: Path, browser) -> None:
    """On a phone, without a network: nothing is asked for, nothing complains, nothing is wider than the screen."""
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    context.set_default_timeout(1000 * PATIENCE)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith("file:") or complaints.append(asked.url))
    for name in SHOWN:
        page.goto((site / name).as_uri())
        assert page.locator("h1").first.is_visible(), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than a phone"
    context.close()
    assert complaints == []
