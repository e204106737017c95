"""A report as HTML: one self-contained page to mail, a section of the live page, or a fragment for a notebook.

Everything that comes from the subject is escaped by the template engine, cut if it is too long to be read, and
without characters that change how others are shown; nothing is loaded from anywhere.
"""

from __future__ import annotations

import datetime
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from rootward.report import assets, bug, cells, figures, table
from rootward.report.answer import answer, found_by, sentence, title
from rootward.report.certainty import certainty, number
from rootward.report.embed import block
from rootward.report.figures.lanes import span
from rootward.report.instances import instances
from rootward.report.links import linked
from rootward.report.messages import rows
from rootward.report.neighbours import neighbours
from rootward.report.steps import step_run
from rootward.report.support import amount, brief, listed, weighed

BODIES = {"reduction", "product_set", "rule_finding", "causes", "bad_rows", "checkpoint", "triage", "diagnosis"}
"""Kinds of findings with a template of their own."""


def page(document: dict[str, Any], folder: Path | None = None) -> str:
    """A whole page, from a report's document. In ``folder``, it links to the files that it is about."""
    runs = [run if folder is None else linked(run, folder) for run in document["runs"]]
    heads = [sentence(run) for run in runs]
    known = {
        "document": document,
        "heads": heads,
        "title": "".join(title(runs[0])) if len(runs) == 1 else f"{len(heads)} runs",
        "bodies": [Markup(section(run)) for run in runs],
        "policy": Markup(assets.policy()),
        "style": Markup(assets.style()),
        "script": Markup(assets.script()),
        "data": block(document),
    }
    return _render("page.html", known)


def fragment(run: dict[str, Any]) -> str:
    """One run with its style, to be shown among other things, such as the cells of a notebook."""
    known = json.dumps([run["store"], run["run"], run["name"], run["finding"]]).encode()
    own = {**run, "id": f"run-{zlib.crc32(known):08x}"}  # another cell may show another run
    return f'<div class="rootward">\n<style>\n{assets.style()}</style>\n{section(own)}</div>\n'


def section(run: dict[str, Any], *, listing: bool = True) -> str:
    """One run without any frame: its page has the style. ``listing``: whether its trials are listed."""
    return _render("finding.html", {**_known(run), "listing": listing})


def step(run: dict[str, Any], number: int) -> Markup:
    """What one step of a diagnosis found, with its figures."""
    return Markup(_render("step.html", _known(step_run(run, number))))


def _known(run: dict[str, Any]) -> dict[str, Any]:
    """What the templates of a finding need."""
    finding = found_by(run)
    kind = finding["finding"]
    return {
        "run": run,
        "finding": finding,
        "answer": answer(run),
        "rest": finding["explanation"].partition("\n")[2],
        "body": f"{kind}.html" if kind in BODIES else "plain.html",
        "pictures": figures.pictures(finding),
    }


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets.FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        finalize=_short,
    )
    environment.filters["whole"] = lambda text: Markup(escape(cells.cut(text, cells.WHOLE)))
    environment.filters |= {"amount": amount, "brief": brief}
    environment.globals |= {
        "figures": figures,
        "instances": instances,
        "listed": listed,
        "weighed": weighed,
        "neighbours": neighbours,
        "rows": rows,
        "span": span,
        "certainty": certainty,
        "share": number,
        "columns": table.columns,
        "table": table.rows,
        "shares": table.shares,
        "earlier": table.earlier,
        "moment": _moment,
        "lasted": _lasted,
        "cut": cells.cut,
        "bug": bug,
        "step": step,
    }
    return environment


def _short(value: Any) -> Any:
    """Whatever is written into a page, and is no markup of ours."""
    return cells.cut(value, cells.TEXT) if isinstance(value, str) and not isinstance(value, Markup) else value


def _moment(seconds: float) -> str:
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.UTC):%Y-%m-%dT%H:%MZ}"


def _lasted(seconds: float) -> str:
    """A duration as one says it."""
    if seconds < 120:
        return cells.duration(seconds)
    minutes, hours = seconds / 60, seconds / 3600
    return f"{minutes:.0f} min" if minutes < 120 else f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"


def _render(template: str, known: dict[str, Any]) -> str:
    return cells.visible(_templates().get_template(template).render(known))
