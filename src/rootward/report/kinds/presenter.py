"""What a presenter offers. Each kind of finding has one, in a chapter of its own, that overrides what differs.

A finding holds facts. A presenter makes words of the finding itself, which is what ``str`` prints, and a part of a page
of the finding's data, which may come from a store or from a page that was made long ago. So the methods for a page get
``data``, what ``to_dict`` gave, or ``run``, the member of the document that holds it; and no method reads a fact out of
a sentence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from markupsafe import Markup

from rootward.report.text import cut
from rootward.rules import Rule
from rootward.search.finding import Finding
from rootward.words import count, first_sentence

F = TypeVar("F", bound=Finding)
Data = Mapping[str, Any]
"""A finding as JSON data, or a part of one."""
Run = Mapping[str, Any]
"""A run as the document of a report holds it."""


@dataclass(frozen=True)
class Certainty:
    """How sure an answer is: a sentence that says what was done to find out, and a measure where there is one."""

    said: str
    name: str = ""
    """What was measured."""
    value: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def measured(cls, said: str, name: str, measure: Data) -> Certainty:
        return cls(said, name, measure["value"], measure["low"], measure["high"])


class Presenter(Generic[F]):
    """For a kind without a chapter: its words are shown as they are."""

    template = "plain.html"
    joined_by = ""
    """The word between its conditions."""
    checked_later = False
    """Whether a diagnosis checks it in another step, so that its own step does not say that it was not checked."""

    # Words, from the finding itself

    def words(self, finding: F) -> str:
        """All that is said of it; the first line is its headline."""
        shown = (field.name for field in dataclasses.fields(finding) if field.repr)
        return f"{type(finding).__name__}({', '.join(f'{name}={getattr(finding, name)!r}' for name in shown)})"

    def line(self, finding: F) -> str:
        """The answer in a line."""
        return first_sentence(str(finding))

    def cost(self, finding: F) -> str:
        """How much was run, and whether the answer is final."""
        runs = f"{finding.trials} trial{'' if finding.trials == 1 else 's'} run"
        if finding.asked != finding.trials:
            runs += f" to answer {finding.asked} question{'' if finding.asked == 1 else 's'}"
        return runs if finding.complete else f"{runs}; not final ({finding.stopped or 'unfinished'})"

    def about(self, finding: F, name: str) -> str:
        """Its headline, with the name of what fails in place of ``It``."""
        return self.words(finding).partition("\n")[0]

    def remarks(self, finding: F) -> list[str]:
        """What a person should know beside the answer, in sentences."""
        return []

    # The top of a page

    def head(self, data: Data) -> str:
        """What was found: a sentence, or its beginning if ``conditions`` end it."""
        return str(data["explanation"]).partition("\n")[0]

    def conditions(self, data: Data) -> list[str]:
        """What the sentence speaks of, each shown as code."""
        return []

    def titles(self, run: Run) -> list[list[str]]:
        """The answer in ever fewer words, each part by part: the first that is short enough is the page's title."""
        return []

    def certainty(self, data: Data) -> Certainty | None:
        """How sure it is; None where nothing is to be said."""
        return None

    def basis(self, run: Run, data: Data) -> Markup:
        """What the answer is based on, and whether it is final."""
        state = Markup("Final answer") if data["complete"] else not_final(data)
        runs = count(data["trials"], "trial")
        if data["asked"] != data["trials"]:
            runs += f", run to answer {count(data['asked'], 'question')} of the search"
        return Markup("{}\nafter {}.").format(state, runs)

    # Its part of a page

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        """The figures, and the rows of tables, that its template shows."""
        return {"rest": str(data["explanation"]).partition("\n")[2]}

    def located(self, data: Data, folder: Path) -> Data:
        """The data with the way from the folder of the page to the files that it speaks of."""
        return data

    # Its trials

    def fields(self, data: Data) -> list[str]:
        """The fields that the answer speaks of, in its order: they come first in the table of trials."""
        return list(Rule.from_dict(data["rule"]).fields) if "rule" in data else []

    def is_about(self, trials: Data, data: Data) -> bool:
        """Whether the answer rests on trials of this kind (``of`` so many elements, or of these ``fields``)."""
        return trials["of"] is None and set(self.fields(data)) <= set(trials["fields"])

    # An issue

    def issue(self, run: Run) -> str | None:
        """The whole text of an issue in a tracker, in Markdown; None where its words are enough."""
        return None


class Nothing(Presenter[Any]):
    """For a run that has found nothing, or nothing yet."""

    def basis(self, run: Run, data: Data) -> Markup:
        return Markup("<strong>Not final</strong> ({}).").format(cut(run["status"]))


def not_final(data: Data) -> Markup:
    why = Markup(" ({})").format(data["stopped"]) if data["stopped"] else ""
    return Markup("<strong>Not final</strong>{}").format(why)
