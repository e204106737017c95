"""Write a report to a file; the ending of its name decides the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.files import check_target, replace_file

ENDINGS = (".html", ".json", ".md")


def check_report(path: Path) -> Path:
    """Return the path if a report can be written to it, otherwise raise InputError.

    This is checked before the first trial, so that no runs are wasted.
    """
    if path.suffix not in ENDINGS:
        raise InputError(
            f"the report {path} must end in .html (a page), .json (data) or .md (a summary): the ending decides the "
            "format"
        )
    return check_target(path)


def write(document: dict[str, Any], path: Path) -> Path:
    """Write the document to a file, in the format of its ending.

    ``.json`` holds the data, ``.md`` a summary in Markdown, any other ending a page.
    """
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
