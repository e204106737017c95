"""The answer at the top of a page: a sentence and, below it, the conditions that complete it."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.report.kinds import presenter_for
from rootward.report.kinds.presenter import Data, Run
from rootward.report.text import cut

MAX_CONDITIONS = 10
"""Maximum number of conditions at the top of a page; the body of the page lists all of them."""
MAX_CONDITION_LENGTH = 400
"""Maximum length of a condition at the top of a page, in characters."""
MAX_TITLE_LENGTH = 100
"""Maximum length of a title, in characters."""

_NO_FINDING = {
    "not reproduced": "The input that should fail did not fail when it was run.",
    "running": "Nothing is known yet.",
}


@dataclass(frozen=True)
class Answer:
    head: str
    """A whole sentence, or its beginning if ``conditions`` complete it."""
    conditions: list[str]
    word: str
    """The word between the conditions."""
    more: int
    """Number of conditions that are not shown."""


def finding_of(run: Run) -> Data:
    """Return the finding of a run, or a stand-in that says why there is none."""
    known = {"complete": False, "stopped": None, "signature": None, "error": "", "trials": 0, "asked": 0}
    said = _NO_FINDING.get(run["status"], "Nothing was found.")
    finding: Data = run["finding"] or {"finding": "nothing", "explanation": said, **known}
    return finding


def answer(run: Run) -> Answer:
    """Return the answer of a run."""
    finding = finding_of(run)
    kind = presenter_for(finding["finding"])
    found = kind.conditions(finding)
    shown = [cut(text, MAX_CONDITION_LENGTH) for text in found[:MAX_CONDITIONS]]
    return Answer(kind.head(finding), shown, kind.joined_by, max(0, len(found) - MAX_CONDITIONS))


def sentence(run: Run) -> str:
    """Return the answer of a run in one line."""
    said = answer(run)
    if not said.conditions:
        return said.head
    more = [f"{said.more:,} more"] if said.more else []
    return f"{said.head.rstrip(':.')}: {f' {said.word} '.join([*said.conditions, *more])}"


def title(run: Run) -> list[str]:
    """Return the answer of a run as a title.

    It is a list of parts, so that names and conditions can be shown differently from the words around them.
    """
    forms = presenter_for(finding_of(run)["finding"]).titles(run)
    for form in forms:
        if len("".join(form)) <= MAX_TITLE_LENGTH:
            return form
    said = sentence(run)
    return [said if len(said) <= MAX_TITLE_LENGTH else f"{said[: MAX_TITLE_LENGTH - 1]}…"]
