"""Write a report to a file; the ending of its name decides the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rootward.formats.files import replace_file


def write(document: dict[str, Any], path: Path) -> Path:
    """Write the document: as data to ``.json``, as a summary in Markdown to ``.md``, else as a page."""
    text = render(document, path.suffix, path.parent)
    with replace_file(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    return path


def render(document: dict[str, Any], suffix: str, folder: Path | None = None) -> str:
    """Return the document in the format of files with this ending."""
    if suffix == ".json":
        return f"{json.dumps(document, indent=1, allow_nan=False)}\n"
    if suffix == ".md":
        from rootward.report.issue import summary

        return summary(document)
    from rootward.report.page import page

    return page(document, folder)
