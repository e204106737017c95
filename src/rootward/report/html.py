"""A report as HTML: one self-contained page to mail, or a fragment for a notebook.

Everything that comes from the subject is escaped by the template engine; nothing is loaded from anywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from rootward.report import figures
from rootward.report.figures.lanes import span
from rootward.report.links import linked
from rootward.report.messages import rows
from rootward.report.neighbours import neighbours

NOTHING: dict[str, Any] = {
    "finding": "nothing",
    "explanation": "Nothing is known yet.",
    "complete": False,
    "stopped": None,
    "signature": None,
    "trials": 0,
    "asked": 0,
}
"""The finding of a run that has none."""


@cache
def _templates() -> jinja2.Environment:
    folder = Path(__file__).parent / "templates"
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )


def page(document: dict[str, Any], folder: Path | None = None) -> str:
    """A whole page, from a report's document. In ``folder``, it links to the files that it is about."""
    runs = [run if folder is None else linked(run, folder) for run in document["runs"]]
    bodies = [Markup(fragment(run)) for run in runs]
    return _render("page.html", {"document": {**document, "runs": runs}, "title": _title(runs), "bodies": bodies})


def fragment(run: dict[str, Any]) -> str:
    """One run of a document, without the frame."""
    finding = run["finding"] or NOTHING
    headline, _, rest = finding["explanation"].partition("\n")
    known = {"run": run, "finding": finding, "headline": headline, "rest": rest}
    drawn = {
        "figures": figures,
        "pictures": figures.pictures(finding),
        "neighbours": neighbours,
        "rows": rows,
        "span": span,
    }
    return _render("finding.html", known | drawn)


def _title(runs: list[dict[str, Any]]) -> str:
    if len(runs) != 1:
        return f"{len(runs)} runs"
    return str((runs[0]["finding"] or NOTHING)["explanation"]).partition("\n")[0]


def _render(template: str, known: dict[str, Any]) -> str:
    text = _templates().get_template(template).render(known)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # a lone surrogate cannot be written to a file
