"""Each test file in docs/pytest.md, run by pytest, says what the text after it says."""

import re
from pathlib import Path

import pytest

from .conftest import Run

PAGE = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text()
BLOCKS = re.findall(r"^```py\n(.*?)^```\n.*?^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("source", "shown"), BLOCKS, ids=["combinations", "table", "numbers"])
def test_the_page_shows_what_pytest_prints(run: Run, source: str, shown: str) -> None:
    assert shown in run(source).stdout.str()
