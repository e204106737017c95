"""A report as a file: its ending says in which form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rootward.formats.files import replacing


def write(document: dict[str, Any], path: Path) -> Path:
    """``.json``: the document itself; ``.md``: a summary in Markdown; anything else: a page."""
    text = rendered(document, path.suffix, path.parent)
    with replacing(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    return path


def rendered(document: dict[str, Any], suffix: str, folder: Path | None = None) -> str:
    """The document in the form that a file with this ending has."""
    if suffix == ".json":
        return f"{json.dumps(document, indent=1, allow_nan=False)}\n"
    if suffix == ".md":
        from rootward.report.issue import summary

        return summary(document)
    from rootward.report.page import page

    return page(document, folder)
