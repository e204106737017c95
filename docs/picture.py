"""Make the pictures in the README, from what Rootward really prints and writes: ./dev exec python docs/picture.py

docs/demo.svg shows the output of the demo, and docs/report.png the top of the report of examples/ardupilot.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def draw_demo() -> None:
    printed = subprocess.run(
        [sys.executable, "examples/husky/demo.py"],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    ).stdout
    console = Console(record=True, width=112, file=open("/dev/null", "w"), force_terminal=True)  # noqa: SIM115
    for line in printed.splitlines():
        bold = re.match(r"\$|It fails when|\S.* are enough to make it fail", line) is not None
        console.print(Text(line, style="bold" if bold else ""))
    picture = console.export_svg(title="./dev demo")
    picture = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", picture, flags=re.DOTALL)  # a picture fetches nothing
    (HERE / "demo.svg").write_text(picture)


def draw_report() -> None:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        study = shutil.copytree(EXAMPLES / "ardupilot", Path(folder) / "ardupilot")
        command = [sys.executable, "-m", "rootward", "rule", "study.toml", "--report", "roll-limit.html"]
        subprocess.run(command, cwd=study, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 1010})
        page.goto((study / "roll-limit.html").as_uri())
        page.screenshot(path=HERE / "report.png")
        browser.close()


if __name__ == "__main__":
    draw_demo()
    draw_report()
