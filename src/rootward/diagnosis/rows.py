"""From a bad table to the cells that make it fail, and back: do these cells alone make a good table fail?

The search repairs cells of the bad table until it passes. That shows what has to be repaired. Whether nothing else is
needed to make it fail is another question, and the good table with these cells broken answers it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Explanation
from rootward.diagnosis.rates import often_enough
from rootward.diagnosis.view import View
from rootward.search import Answers, Ask
from rootward.searches.rows import METHODS
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import Patch
from rootward.searches.rows.tables import Tables
from rootward.study import Study
from rootward.study.data import Data
from rootward.subjects import Subject
from rootward.subjects.function import as_subject
from rootward.subjects.naming import Naming
from rootward.subjects.patched import PatchedFile, patched
from rootward.verdict import FAIL, PASS, Outcome
from rootward.words import count

FRESH = 3
"""How many fresh runs at least check each side of the claim."""
FEW = 8
"""So many cells are also tried one by one."""
Asking = Generator[Ask[Any], Answers, Explanation]


def only_rows(study: Study) -> bool:
    """Whether there is nothing to vary but the rows of a table."""
    others = (study.space, study.elements, study.history)
    return study.data is not None and all(one is None for one in others)


def named(study: Study) -> Data | None:
    """The tables of the study, if there are settings that name the bad one."""
    if study.data is None or study.space is None or study.elements is not None:
        return None
    return study.data if study.data.fields(study.space) else None


def subject_of(study: Study) -> Subject:
    """What a diagnosis of the study runs: its subject, or that as one of patches of a table."""
    if study.data is not None and only_rows(study):
        return patched(study.subject, study.data.tables)
    data = named(study)
    if data is None:
        return study.subject
    return Naming(as_subject(study.subject, isolate=False), PatchedFile(data.tables, data.folder / data.bad))


def explained(conductor: Conductor, tables: Tables, *, view: View, rate: float) -> Asking:
    """The rows and cells that make it fail, checked on fresh runs."""
    draft = conductor.draft or Explanation()
    if "rows" not in conductor.plan:
        return replace(draft, unknown=("Which rows make it fail was not asked.",))
    conductor.begin("rows")
    view = replace(view, repeat=often_enough(rate))
    found: BadRows = yield from conductor.search(METHODS["adaptive"](tables), view, partial(_drafted, draft))
    conductor.end(found.headline(), found, complete=found.complete)
    if found.passes is False and draft.settings is not None:
        return replace(draft, settings=None, seen=(*draft.seen, draft.because(found)))
    conductor.draft = _drafted(draft, found)
    if not found.passes or not found.complete or "verify" not in conductor.plan:
        return conductor.draft
    return (yield from _Check(conductor, tables, found, view).made(conductor.draft))


def _drafted(draft: Explanation, found: BadRows) -> Explanation:
    if not found.complete:
        unknown = "The search for the rows that make it fail has not ended."
    else:
        unknown = "" if found.passes else "Why it fails is not known."
    return replace(draft, details=(found,), unknown=(*draft.unknown, unknown) if unknown else draft.unknown)


class _Check:
    """Fresh runs of what was found, from both sides."""

    def __init__(self, conductor: Conductor, tables: Tables, found: BadRows, view: View) -> None:
        self.conductor, self.tables, self.found, self.view = conductor, tables, found, view
        self.runs = max(FRESH, view.repeat.limit)
        self.seen: list[str] = []
        self.unknown: list[str] = []

    def made(self, claimed: Explanation) -> Asking:
        """The explanation, with what fresh runs say of it."""
        self.conductor.begin("verify", after="rows")
        yield from self._repaired()
        failing = yield from self._broken()
        self.conductor.end(" ".join(self.seen))
        unknown = (*claimed.unknown, *self.unknown)
        smallest = claimed.failing if failing is None else self.view.show(failing)
        return replace(claimed, failing=smallest, seen=(*claimed.seen, *self.seen), unknown=unknown)

    def _repaired(self) -> Generator[Ask[Any], Answers, None]:
        """Does the bad table pass, every time, with these cells repaired?"""
        outcomes = yield from self._fresh(self.found.patch, "does it pass with these repaired?")
        passed = sum(outcome.verdict is PASS for outcome in outcomes)
        these = "this" if len(_numbers(self.found.patch)) == 1 else "these"
        self.seen.append(f"With {these} repaired, it passed in {passed} of {count(len(outcomes), 'fresh run')}.")
        if passed < len(outcomes):
            self.unknown.append("Repaired, it does not pass every time: that it passed before may have been chance.")

    def _broken(self) -> Generator[Ask[Any], Answers, Patch | None]:
        """Does the good table fail with nothing but these cells as in the bad one? If so, that is what fails."""
        cells = _numbers(self.found.patch)
        broken, good = self._but(cells), self.tables.names[1]
        if not len(broken):
            self.seen.append(f"Nothing else differs from {good}.")
            return None
        outcomes = yield from self._fresh(broken, "does a good table fail with these?")
        failed = sum(outcome.verdict is FAIL for outcome in outcomes)
        these = f"{'this' if len(cells) == 1 else 'these'} as in {self.tables.names[0]}"
        self.seen.append(f"{good}, with only {these}, failed in {failed} of {count(len(outcomes), 'fresh run')}.")
        if not failed:
            self.unknown.append(f"{good} does not fail with only {these}: something else that differs takes part.")
            return None
        if 1 < len(cells) <= FEW:
            yield from self._each(cells)
        return broken

    def _each(self, cells: Sequence[int]) -> Generator[Ask[Any], Answers, None]:
        """Which of the cells are enough by themselves?"""
        alone = [self._but([cell]) for cell in cells]
        outcomes = yield from self.conductor.ask(Ask(alone, note="is each of them enough?"), self.view)
        enough = sum(outcome is not None and outcome.verdict is FAIL for outcome in outcomes)
        some = f"{enough} of these {len(cells)} alone {'is' if enough == 1 else 'are'}"
        which = "Each of them alone is" if enough == len(cells) else some if enough else "None of them alone is"
        self.seen.append(f"{which} enough to make it fail.")

    def _fresh(self, patch: Patch, note: str) -> Generator[Ask[Any], Answers, list[Outcome]]:
        once = replace(self.view, repeat=View().repeat)
        outcomes = yield from self.conductor.ask(Ask([patch] * self.runs, fresh=True, note=note), once)
        return [outcome for outcome in outcomes if outcome is not None]

    def _but(self, cells: Sequence[int]) -> Patch:
        """Every difference repaired but these, by their numbers in the order of what was found."""
        ends = [-1, *cells, len(self.tables)]
        return self.tables.patch(self.found.patch.order, [(left + 1, right) for left, right in pairwise(ends)])


def _numbers(patch: Patch) -> list[int]:
    return [number for start, end in patch.spans for number in range(start, end)]
