"""A finding as HTML: one self-contained page to mail, or a fragment for a notebook.

Everything that comes from the subject is escaped by the template engine; nothing is loaded from anywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from rootward.report import figures
from rootward.report.figures.lanes import span
from rootward.report.links import linked
from rootward.report.messages import rows
from rootward.report.neighbours import neighbours


@cache
def _templates() -> jinja2.Environment:
    folder = Path(__file__).parent / "templates"
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )


def page(finding: dict[str, Any], folder: Path | None = None) -> str:
    """A whole document, from ``Finding.to_dict()``. In ``folder``, it links to the files that it is about."""
    if folder is not None and finding["finding"] == "triage":
        finding = linked(finding, folder)
    return _render("page.html", finding)


def fragment(finding: dict[str, Any]) -> str:
    """The same without the frame."""
    return _render("finding.html", finding)


def _render(template: str, finding: dict[str, Any]) -> str:
    headline, _, rest = finding["explanation"].partition("\n")
    known = {"finding": finding, "headline": headline, "rest": rest}
    drawn = {
        "figures": figures,
        "pictures": figures.pictures(finding),
        "neighbours": neighbours,
        "rows": rows,
        "span": span,
    }
    text = _templates().get_template(template).render(known | drawn)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # a lone surrogate cannot be written to a file
