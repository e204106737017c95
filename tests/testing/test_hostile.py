"""Names and values that try to be more than text: on the terminal, and in a comment under a pull request."""

import re

import pytest

from .conftest import Run

HOSTILE = [
    "<script>alert(1)</script>",
    "![x](http://evil/x.png)",
    "@everyone",
    "```\n# big\n```",
    "a|b",
    "\x1b[2Jx",
    "\u202eevil",
    "line\nline",
    "{{ 7 * 7 }}",
]


def test_hostile_values_stay_text(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        f"""
@pytest.mark.parametrize("value", {HOSTILE!r}, ids=[{", ".join(repr(f"{n}-{text}") for n, text in enumerate(HOSTILE))}])
@pytest.mark.parametrize("b", [1, 2])
def test_it(value, b):
    assert b == 1 or "@" in value or "|" in value
""",
        "--rootward-markdown=summary.md",
    )
    said = result.stdout.str()
    assert "\x1b[2J" not in said
    assert "\u202e" not in said[said.index("- rootward -") :]
    text = (pytester.path / "summary.md").read_text()
    assert text.startswith("## Rootward: why tests failed\n\n### test_it")
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert re.fullmatch(r"[\w\s#&;:.]*", outside)  # nothing of the values is outside of the block
    assert 'value not in {"@everyone", "a|b"}' in text


def test_the_summary_of_nothing(run: Run, pytester: pytest.Pytester) -> None:
    assert run("def test_it(): pass", "--rootward-markdown=summary.md").ret == 0
    assert (pytester.path / "summary.md").read_text() == "## Rootward\n\nNo parametrised test failed.\n"
    result = run("def test_it(): pass", "--rootward-markdown=nowhere/summary.md")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "there is no folder 'nowhere'" in result.stderr.str()


def test_with_workers_the_history_alone_tells(run: Run) -> None:
    result = run(
        """
@pytest.mark.rootward(space="wrong")
@pytest.mark.parametrize("mode", ["a", "b"])
@pytest.mark.parametrize("width", [1, 2])
def test_it(width, mode):
    assert mode != "b"
""",
        *("-p", "xdist", "-n1"),
    )
    said = result.stdout.str()
    assert "Judging by the history alone, it seems to fail whenever" in said
    assert "  1. mode = b\n" in said
    assert "with -n, tests run in other processes" in said
    assert re.search("^rootward: test_it.py::test_it: 0 more runs", said, re.MULTILINE)
