"""The pages as HTML. Each has parts that a browser fetches again when something has changed.

Everything that comes from a subject is escaped by the template engine, and cut if it is too long to be read.
"""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from rootward.report.trials import kept_of
from rootward.store import RunRecord, Store
from rootward.web.state import figures, meters, state_of
from rootward.words import visible

LAST = 6
"""How many trials are shown."""
LISTED = 500
"""How many runs are listed."""


def runs(store: Store | None, where: str, problem: str = "") -> dict[str, Any]:
    """What the list of runs shows."""
    records = store.runs() if store else []
    listed = [(record, state_of(record)) for record in reversed(records[-LISTED:])]
    going = sum(state.going for _, state in listed)
    title = f"{going} running" if going else "Runs"
    return {
        "title": title,
        "where": where,
        "problem": problem,
        "exists": store is not None,
        "runs": listed,
        "left_out": len(records) - len(listed),
    }


def run(store: Store, record: RunRecord) -> dict[str, Any]:
    """What the page of one run shows, apart from what it has found."""
    state = state_of(record)
    return {
        "title": f"{record.name}: {state.word}",
        "where": str(store),
        "record": record,
        "state": state,
        "figures": figures(record),
        "meters": meters(record),
        "note": record.progress.get("note", "") if state.going else "",
        "trials": store.last_trials(record.id, LAST) if state.going or state.tone == "silent" else [],
    }


def found(record: RunRecord, section: str) -> dict[str, Any]:
    """What it has found, which may take a while to draw."""
    return {"record": record, "state": state_of(record), "found": Markup(section)}


def render(template: str, **known: Any) -> str:
    text = _templates().get_template(template).render(known)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"short": _short, "moment": _moment, "plain": _plain}
    return environment


def _short(text: str, length: int = 160) -> str:
    """Text for one line: what cannot be seen is written out, what is too long is cut."""
    line = text[: length + 1].partition("\n")[0]
    return visible(line) if len(line) <= length else f"{visible(line[:length])}…"


def _moment(seconds: float, form: str) -> str:
    return time.strftime({"iso": "%Y-%m-%dT%H:%M:%SZ", "text": "%Y-%m-%d %H:%M UTC"}[form], time.gmtime(seconds))


def _plain(candidate: Any) -> str:
    """A candidate in a line, as far as it fits."""
    if kept_of(candidate)[1] is not None:
        return f"kept {candidate['kept'] or 'nothing'} of {candidate['of']}"
    if isinstance(candidate, dict):
        return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)[:60]}" for name, value in candidate.items())
    return json.dumps(candidate, ensure_ascii=False)
