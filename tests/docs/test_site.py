"""The site is built without a warning, and shows itself to a reader who has no network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason='the site needs "rootward[docs]"')
pytest.importorskip("furo")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SHOWN = ["index.html", "tutorials/robot.html", "how-to/rule.html", "reference/cli.html", "reference/python/verbs.html"]
LOADED = re.compile(
    r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=\"([^\"]*)\"|url\(([^)]*)\)|@import\s+(\S+)"
)
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", ROOT / "docs", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr
    return folder


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for file in (file for file in site.rglob("*") if file.suffix in (".html", ".css")):
        for parts in LOADED.findall(file.read_text(encoding="utf-8")):
            assert not re.match(r"['\"]?(https?:)?//", "".join(parts)), f"{file.relative_to(site)}: {parts}"


def test_the_reference_has_every_command_and_name(site: Path) -> None:
    import rootward

    commands = (site / "reference" / "cli.html").read_text()
    assert all(
        f'id="rootward-{verb}"' in commands for verb in ("reduce", "triggers", "causes", "runs-show", "model-verify")
    )
    pages = "".join(page.read_text() for page in (site / "reference" / "python").glob("*.html"))
    assert [name for name in rootward.__all__ if f'id="rootward.{name}"' not in pages] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as play:
        yield play.chromium.launch(executable_path=chromium, args=FLAGS)


def test_pages_open_without_a_network_or_a_complaint(site: Path, browser) -> None:
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
    for name in SHOWN:
        page.goto((site / name).as_uri())
        assert page.locator("h1").first.is_visible(), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than a phone"
    context.close()
    assert complaints == []
