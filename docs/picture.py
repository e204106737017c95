"""Make docs/demo.svg, the picture in the README, from what the demo really prints: ./dev exec python docs/picture.py"""

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent


def main() -> None:
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


if __name__ == "__main__":
    main()
