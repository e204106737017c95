"""examples/pytest prints what its README says."""

import re
from pathlib import Path

import pytest

from .conftest import Run

FOLDER = Path(__file__).parents[2] / "examples" / "pytest"


def test_the_example_prints_what_its_readme_says(run: Run, pytester: pytest.Pytester) -> None:
    for file in FOLDER.glob("*.py"):
        (pytester.path / file.name).write_text(file.read_text())
    pytester.syspathinsert()
    result = run("", "--tb=short", "test_images.py")
    assert result.parseoutcomes() == {"failed": 4, "passed": 44}
    said = [re.sub(r"\d:\d\d\b", "0:00", line) for line in result.outlines]
    [shown] = re.findall(r"^```console\n(.*?)^```", (FOLDER / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    for line in re.sub(r"\d:\d\d\b", "0:00", shown).splitlines():
        assert line == "..." or line.startswith("$") or line in said, line
