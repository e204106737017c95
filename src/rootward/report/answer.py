"""What was found, as the top of a page says it: a sentence, and below it the conditions that it speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Data, Run
from rootward.report.text import cut

SHOWN = 10
"""So many conditions stand at the top; all of them are below."""
LONG = 400
"""Longer ones are cut there."""
TITLE = 100
"""A title is not longer than this."""

_UNKNOWN = {
    "not reproduced": "The input that should fail did not fail when it was run.",
    "running": "Nothing is known yet.",
}


@dataclass(frozen=True)
class Answer:
    head: str
    """A sentence, or its beginning."""
    conditions: list[str]
    word: str
    """What joins the conditions."""
    more: int
    """How many conditions are not shown."""


def found_by(run: Run) -> Data:
    """The finding of a run; if it has none, one that says so."""
    known = {"complete": False, "stopped": None, "signature": None, "trials": 0, "asked": 0}
    said = _UNKNOWN.get(run["status"], "Nothing was found.")
    finding: Data = run["finding"] or {"finding": "nothing", "explanation": said, **known}
    return finding


def answer(run: Run) -> Answer:
    """What the run found."""
    finding = found_by(run)
    kind = presenter_for(finding["finding"])
    found = kind.conditions(finding)
    shown = [cut(text, LONG) for text in found[:SHOWN]]
    return Answer(kind.head(finding), shown, kind.joined_by, max(0, len(found) - SHOWN))


def sentence(run: Run) -> str:
    """The same in one line."""
    said = answer(run)
    if not said.conditions:
        return said.head
    more = [f"{said.more:,} more"] if said.more else []
    return f"{said.head.rstrip(':.')}: {f' {said.word} '.join([*said.conditions, *more])}"


def title(run: Run) -> list[str]:
    """The same in few words, part by part."""
    forms = presenter_for(found_by(run)["finding"]).titles(run)
    for form in forms:
        if len("".join(form)) <= TITLE:
            return form
    said = sentence(run)
    return [said if len(said) <= TITLE else f"{said[: TITLE - 1]}…"]
