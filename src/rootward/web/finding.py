"""What a run has found, shown as its report shows it: the one place where the live page and the report meet."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rootward.report import embed, html
from rootward.report.data import document, stored_run
from rootward.store import RunRecord, Store
from rootward.web.state import State, state_of

PAUSE = 4.0
"""A drawing that took a second to make is made again after so many at the earliest, as long as the run goes on: it
needs the processor more."""

KEPT = 20
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
        if len(self._made) > KEPT:
            self._made.pop(next(iter(self._made)))
        return text


def _section(store: Store, record: RunRecord) -> str:
    """While the run goes on, its trials are not all listed: a table would change under the reader's hands."""
    run = stored_run(store, record)
    found = run["finding"]
    if not found or not (found["asked"] or found["complete"]):
        return ""
    if state_of(record).going:
        return html.section(run, listing=False)
    return html.section(run) + str(embed.block(document([run])))


def page(store: Store, record: RunRecord) -> str:
    """The same as one page to keep; empty before there is any finding."""
    run = stored_run(store, record)
    return html.page(document([run])) if run["finding"] else ""
