"""A report as HTML: one self-contained page to mail, a section of the live page, or a fragment for a notebook.

Text from a subject is escaped by the template engine, cut if it is too long, and freed of characters that change how
others are shown. A page loads nothing. The words and figures of a finding come from its presenter in `kinds`, and the
template of that kind lays them out.
"""

from __future__ import annotations

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from rootward.report import assets, text, trials
from rootward.report.answer import answer, finding_of, sentence, title
from rootward.report.data import block
from rootward.report.kinds import presenter_for
from rootward.report.kinds.diagnosis import step_run
from rootward.report.kinds.presenter import Data, Run
from rootward.words import plural


def page(document: Data, folder: Path | None = None) -> str:
    """Return a whole page.

    ``folder`` is the folder where the page will be saved. It is needed for links to the recordings.
    """
    runs = [run if folder is None else _link_files(run, folder) for run in document["runs"]]
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


def fragment(run: Run) -> str:
    """Return one run with its style, to be embedded, for example below a cell of a notebook."""
    known = json.dumps([run["store"], run["run"], run["name"], run["finding"]]).encode()
    own = {**run, "id": f"run-{zlib.crc32(known):08x}"}  # another cell may show another run
    return f'<div class="rootward">\n<style>\n{assets.style()}</style>\n{section(own)}</div>\n'


def section(run: Run, *, listing: bool = True) -> str:
    """Return one run without style and frame. The page that includes it must have these.

    ``listing``: list the trials of the run.
    """
    return _render("finding.html", {**_template_variables(run), "listing": listing})


def step(run: Run, number: int) -> Markup:
    """Return the finding of one step of a diagnosis, with its figures."""
    return Markup(_render("step.html", _template_variables(step_run(run, number))))


def _link_files(run: Run, folder: Path) -> Run:
    data = run["finding"]
    return {**run, "finding": presenter_for(data["finding"]).add_links(data, folder)} if data else run


def _template_variables(run: Run) -> dict[str, Any]:
    """Return the variables of a finding's templates.

    Some are the same for every kind of finding, and the others come from the finding's presenter.
    """
    finding = finding_of(run)
    kind = presenter_for(finding["finding"])
    return {
        "run": run,
        "finding": finding,
        "answer": answer(run),
        "certainty": kind.certainty(finding),
        "checked_later": kind.checked_later,
        "basis": kind.basis(run, finding),
        "body": f"kinds/{kind.template}",
        **kind.show(run, finding),
    }


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets.FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        finalize=_cut_text,
    )
    environment.filters["plural"] = plural
    environment.filters["whole"] = lambda words: Markup(escape(text.cut(words, text.MAX_WHOLE_TEXT)))
    environment.filters |= {"amount": text.amount, "brief": text.to_one_line}
    environment.globals |= {
        "share": text.share,
        "moment": text.moment,
        "lasted": text.rough_duration,
        "cut": text.cut,
        "columns": trials.columns,
        "table": trials.first_rows,
        "shares": trials.verdict_counts,
        "earlier": trials.count_earlier,
        "step": step,
    }
    return environment


def _cut_text(value: Any) -> Any:
    """Cut a long text that is written into a page. Markup made by Rootward stays whole."""
    return text.cut(value, text.MAX_TEXT) if isinstance(value, str) and not isinstance(value, Markup) else value


def _render(template: str, known: dict[str, Any]) -> str:
    return text.visible(_templates().get_template(template).render(known))
