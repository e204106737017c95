"""The pages as HTML. Each has parts that a browser fetches again when something has changed.

Everything that comes from a subject is escaped by the template engine, and cut if it is too long to be read.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from rootward.report import page as report
from rootward.report.data import block, document, stored_run
from rootward.report.trials import kept_of
from rootward.store.store import RunRecord, Store
from rootward.web.state import State, figures, meters, state_of
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


# What a run has found, shown as its report shows it: the one place where the live page and the report meet


PAUSE = 4.0
"""A drawing that took a second to make is made again after so many at the earliest, as long as the run goes on: it
needs the processor more."""

KEPT_SECTIONS = 20
"""How many runs are kept."""


@dataclass(frozen=True, slots=True)
class _Made:
    stamp: tuple[float, State]
    text: str
    until: float
    """When it may be made again."""


class Sections:
    """The findings of runs, or the best ones so far, with their figures; each is kept until there is a newer one."""

    def __init__(self) -> None:
        self._made: dict[int, _Made] = {}

    def of(self, store: Store, record: RunRecord) -> str:
        """Empty before anything is known."""
        state, made, now = state_of(record), self._made.get(record.id), time.monotonic()
        if made and made.stamp == (record.updated, state):
            return made.text
        if made and made.stamp[1] == state and state.going and now < made.until:
            return made.text
        text = _section(store, record)
        done = time.monotonic()
        self._made[record.id] = _Made((record.updated, state), text, done + PAUSE * (done - now))
        if len(self._made) > KEPT_SECTIONS:
            self._made.pop(next(iter(self._made)))
        return text


def _section(store: Store, record: RunRecord) -> str:
    """While the run goes on, its trials are not all listed: a table would change under the reader's hands."""
    run = stored_run(store, record)
    found = run["finding"]
    if not found or not (found["asked"] or found["complete"]):
        return ""
    if state_of(record).going:
        return report.section(run, listing=False)
    return report.section(run) + str(block(document([run])))


def report_page(store: Store, record: RunRecord) -> str:
    """The same as one page to keep; empty before there is any finding."""
    run = stored_run(store, record)
    return report.page(document([run])) if run["finding"] else ""
