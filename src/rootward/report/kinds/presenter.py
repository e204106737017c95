"""The base class of presenters. Each kind of finding has one, in a module of its own, that overrides what differs.

A finding holds facts, and a presenter turns them into words and pictures, in two ways. The methods under *Words* take
the finding itself; ``str(finding)`` prints their result. The methods for a page take ``data``, the result of
``to_dict``, or ``run``, the part of the document that holds it, because a page may be made from a store or from an old
page. No method reads a fact out of a sentence.
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
    """The certainty of an answer: a sentence about how it was checked, and a measure if there is one."""

    said: str
    name: str = ""
    """Name of the measure, such as precision."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    question: str = "How sure is that?"
    """The question that it answers."""

    @classmethod
    def of_measure(cls, said: str, name: str, measure: Data) -> Certainty:
        return cls(said, name, measure["value"], measure["low"], measure["high"])


class Presenter(Generic[F]):
    """Shows a finding as its explanation in plain text.

    It is the base class of all presenters, and is used for kinds of findings that have no presenter of their own.
    """

    template = "plain.html"
    joined_by = ""
    """The word between the conditions of the answer."""
    checked_later = False
    """True if a diagnosis checks the answer in a later step, so that this step need not say that it is unchecked."""

    # Words, from the finding itself

    def words(self, finding: F) -> str:
        """Return the whole text of the finding; its first line is the headline."""
        shown = (field.name for field in dataclasses.fields(finding) if field.repr)
        return f"{type(finding).__name__}({', '.join(f'{name}={getattr(finding, name)!r}' for name in shown)})"

    def answer_words(self, finding: F) -> str:
        """Return the text of the finding without the way that led to it."""
        return self.words(finding)

    def line(self, finding: F) -> str:
        """Return the answer in one line."""
        return first_sentence(str(finding))

    def cost(self, finding: F) -> str:
        """Say how much was run, and whether the answer is final."""
        runs = f"{finding.trials} trial{'' if finding.trials == 1 else 's'} run"
        if finding.asked != finding.trials:
            runs += f" to answer {finding.asked} question{'' if finding.asked == 1 else 's'}"
        return runs if finding.complete else f"{runs}; not final ({finding.stopped or 'unfinished'})"

    def about(self, finding: F, name: str) -> str:
        """Return the headline, with the name of the failing system in place of ``It``."""
        return self.words(finding).partition("\n")[0]

    def remarks(self, finding: F) -> list[str]:
        """Return sentences that the user should read besides the answer."""
        return []

    # The top of a page

    def head(self, data: Data) -> str:
        """Return the answer: a whole sentence, or its beginning if ``conditions`` complete it."""
        return str(data["explanation"]).partition("\n")[0]

    def conditions(self, data: Data) -> list[str]:
        """Return the conditions that complete the sentence of ``head``. Each is shown as code."""
        return []

    def titles(self, run: Run) -> list[list[str]]:
        """Return possible titles of the page, from long to short. The first one that fits is used.

        Each title is a list of parts.
        """
        return []

    def certainty(self, data: Data) -> Certainty | None:
        """Return the certainty of the answer; None if there is nothing to say."""
        return None

    def basis(self, run: Run, data: Data) -> Markup:
        """Say what the answer is based on, and whether it is final."""
        state = Markup("Final answer") if data["complete"] else not_final(data)
        runs = count(data["trials"], "trial")
        if data["asked"] != data["trials"]:
            runs += f", run to answer {count(data['asked'], 'question')}"
        return Markup("{}\nafter {}.").format(state, runs)

    # The body of a page

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        """Return the variables of the finding's template: figures, and rows of tables."""
        return {"rest": str(data["explanation"]).partition("\n")[2]}

    def add_links(self, data: Data, folder: Path) -> Data:
        """Return the data with links to the files that it names.

        The links are relative to ``folder``, the folder of the page.
        """
        return data

    # Trials

    def fields(self, data: Data) -> list[str]:
        """Return the fields that the answer names, in the order of the answer.

        These fields come first in the table of trials.
        """
        return list(Rule.from_dict(data["rule"]).fields) if "rule" in data else []

    def is_about(self, trials: Data, data: Data) -> bool:
        """Return True if the answer is based on trials of this kind.

        In this class, these are trials of configurations that have all fields of the answer. ``trials`` describes the
        kind: ``fields`` holds the fields of its configurations. If its candidates are selections of elements, ``of`` is
        the number of elements to select from, otherwise None.
        """
        return trials["of"] is None and set(self.fields(data)) <= set(trials["fields"])

    # An issue

    def issue(self, run: Run) -> str | None:
        """Return the text of an issue for a tracker, in Markdown; None to use the explanation instead."""
        return None


class EmptyPresenter(Presenter[Any]):
    """The presenter of a run that has found nothing, or nothing yet."""

    def basis(self, run: Run, data: Data) -> Markup:
        return Markup("<strong>Not final</strong> ({}).").format(cut(run["status"]))


def failure_lines(signature: str | None, error: str) -> list[str]:
    """Return the name of a failure and, below it, the last lines of its error text.

    The text is left out if the name says it all.
    """
    known = signature or ""
    shown = [] if error in known else [f"  | {line}" for line in error.splitlines()]
    if not known:
        return [f"Failure: {error.splitlines()[-1]}"] if shown else []
    return [f"Failure: {known}", *shown]


def steadiness_lines(finding: Finding) -> list[str]:
    """Say that the failure turned out to be flaky, if it did."""
    seen = finding.steadiness
    if seen is None or seen.is_steady:
        return []
    how = f"a failing input failed in {seen.fails} of {seen.runs} runs"
    if seen.changed:
        how += f", and {count(seen.changed, 'repeated run')} had another verdict than before"
    return [f"It does not fail every time: {how}. So runs were repeated."]


def not_final(data: Data) -> Markup:
    why = Markup(" ({})").format(data["stopped"]) if data["stopped"] else ""
    return Markup("<strong>Not final</strong>{}").format(why)
