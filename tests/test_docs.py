"""Every Python block in the README and in docs/ runs, and prints what the text block after it says.

Blocks of one page share their names.
"""

import re
from pathlib import Path

import pytest

from rootward import load_model
from rootward.traces.linting import lint

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    pattern = r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?"
    for block, printed in re.findall(pattern, page.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block, "example.py", "exec"), names)
        said = capsys.readouterr().out
        assert not printed or said == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_models_in_yaml_have_no_errors(page: Path, tmp_path: Path) -> None:
    for block in re.findall(r"^```yaml\n(model: .*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        (tmp_path / "model.yaml").write_text(block)
        assert [str(one) for one in lint(load_model(tmp_path / "model.yaml"))] == []
