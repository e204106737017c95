"""The pages as HTML. Each has parts that the browser fetches again when something has changed.

The template engine escapes everything that comes from a subject; text that is too long to read is cut.
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
from rootward.report.data import block, document, run_from_store
from rootward.report.trials import kept_of
from rootward.store.rows import RunRecord
from rootward.store.store import Store
from rootward.web.state import RunStatus, figures, meters, state_of
from rootward.words import make_visible

MAX_TRIALS_SHOWN = 6
"""Maximum number of trials on the page of a run, the newest ones."""
MAX_RUNS_LISTED = 500
"""Maximum number of runs in the list, the newest ones."""


def list_variables(store: Store | None, where: str, problem: str = "") -> dict[str, Any]:
    """Return the variables of the list of runs."""
    records = store.runs() if store else []
    listed = [(record, state_of(record)) for record in reversed(records[-MAX_RUNS_LISTED:])]
    going = sum(state.is_going for _, state in listed)
    title = f"{going} running" if going else "Runs"
    return {
        "title": title,
        "where": where,
        "problem": problem,
        "exists": store is not None,
        "runs": listed,
        "left_out": len(records) - len(listed),
        "warning": store.warning if store else "",
    }


def run_variables(store: Store, record: RunRecord) -> dict[str, Any]:
    """Return the variables of the page of one run, except its finding."""
    state = state_of(record)
    latest = store.last_trials(record.id, MAX_TRIALS_SHOWN) if state.is_going or state.tone == "silent" else []
    return {
        "title": f"{record.name}: {state.word}",
        "where": str(store),
        "record": record,
        "state": state,
        "figures": figures(record),
        "meters": meters(record),
        "note": record.progress.get("note", "") if state.is_going else "",
        "trials": latest,
        "warning": store.warning,
    }


def finding_variables(record: RunRecord, section: str) -> dict[str, Any]:
    """Return the variables of the finding, which may take a while to draw."""
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
    """Return the first line of a text, with control characters escaped, cut to the length."""
    line = text[: length + 1].partition("\n")[0]
    return make_visible(line) if len(line) <= length else f"{make_visible(line[:length])}…"


def _moment(seconds: float, form: str) -> str:
    return time.strftime({"iso": "%Y-%m-%dT%H:%M:%SZ", "text": "%Y-%m-%d %H:%M UTC"}[form], time.gmtime(seconds))


def _plain(candidate: Any) -> str:
    """Format a candidate as one line."""
    if kept_of(candidate)[1] is not None:
        return f"kept {candidate['kept'] or 'nothing'} of {candidate['of']}"
    if isinstance(candidate, dict):
        return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)[:60]}" for name, value in candidate.items())
    return json.dumps(candidate, ensure_ascii=False)


# The finding of a run, rendered as in its report: the only place where the live page uses the report


PAUSE = 4.0
"""While a run goes on, a section that took t seconds to render is rendered again after ``PAUSE * t`` seconds at the
earliest, because the run needs the processor more."""

MAX_CACHED_SECTIONS = 20
"""Maximum number of runs whose sections are cached."""


@dataclass(frozen=True, slots=True)
class _CachedSection:
    stamp: tuple[float, RunStatus]
    text: str
    until: float
    """The time from which it may be rendered again."""


class Sections:
    """The findings of runs, rendered with figures. Each is cached until the run has a newer finding."""

    def __init__(self) -> None:
        self._made: dict[int, _CachedSection] = {}

    def of(self, store: Store, record: RunRecord) -> str:
        """Return the section of a run; empty before there is a finding."""
        state, made, now = state_of(record), self._made.get(record.id), time.monotonic()
        if made and made.stamp == (record.updated, state):
            return made.text
        if made and made.stamp[1] == state and state.is_going and now < made.until:
            return made.text
        text = _render_section(store, record)
        done = time.monotonic()
        self._made[record.id] = _CachedSection((record.updated, state), text, done + PAUSE * (done - now))
        if len(self._made) > MAX_CACHED_SECTIONS:
            self._made.pop(next(iter(self._made)))
        return text


def _render_section(store: Store, record: RunRecord) -> str:
    """Render the finding of a run.

    The trials are not listed while the run goes on, because the table would change while it is read.
    """
    run = run_from_store(store, record)
    found = run["finding"]
    if not found or not (found["asked"] or found["complete"]):
        return ""
    if state_of(record).is_going:
        return report.section(run, listing=False)
    return report.section(run) + str(block(document([run])))


def report_page(store: Store, record: RunRecord) -> str:
    """Return the report as one page to download; empty before there is a finding."""
    run = run_from_store(store, record)
    return report.page(document([run])) if run["finding"] else ""
