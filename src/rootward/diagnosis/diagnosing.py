"""The course of a diagnosis: from what a study has to the investigations that explain its failures."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from rootward.diagnosis.conductor import MEASURED, Conductor, View
from rootward.diagnosis.diagnosis import UNMEASURED, Diagnosis, Explanation
from rootward.diagnosis.elements import altered, put_in_order, rate_of, reduced, values_in
from rootward.diagnosis.investigation import Investigation
from rootward.rules import Estimate
from rootward.search import Answers, Ask, Search
from rootward.searches.reduction.task import Task
from rootward.space import Space
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, Outcome

STEADY, SEEDED = 5, 8
"""How many runs show that it fails every time; more if the subject takes a seed."""
Doing = Generator[Ask[Any], Answers, None]


class Diagnosing:
    """One diagnosis of one study."""

    def __init__(self, study: Study, conductor: Conductor, *, seed: int) -> None:
        self.study, self.conductor, self.seed = study, conductor, seed
        self.subject = as_subject(study.subject, isolate=False)

    @property
    def failing(self) -> Any:
        """The candidate that fails, if one is known."""
        return self.task.elements.all if self.study.elements is not None else self.study.failing

    @cached_property
    def task(self) -> Task[Any]:
        return Task.of(self.study.elements or (), supports=getattr(self.subject, "supports", None))

    def search(self) -> Search[Any, Diagnosis]:
        reference, rate = yield from self._reproduced(self.failing)
        self.conductor.draft = Explanation(reference.signature, rate, self.failing)
        view = View(reference=reference, alike=getattr(self.subject, "alike", None))
        if self.study.elements is not None:
            yield from self._of_elements(view, rate)
        elif self.study.space is not None and self.study.failing is not None:
            yield from self._of_fields(self.study.space, self.study.failing, view, rate)
        return self.conductor.diagnosis

    # Fields

    def _of_fields(self, space: Space, failing: Mapping[str, Any], view: View, rate: Estimate) -> Doing:
        """Explain the failure of a configuration."""
        conductor, draft = self.conductor, self.conductor.draft
        assert draft is not None
        often = 1.0 if rate.value == 1 else (rate.low + rate.value) / 2
        never = self.study.constraints if self.study.elements is None else None
        draft = replace(draft, show=view.show)
        inquiry = Investigation(conductor, space, failing, view=view, rate=often, never=never, seed=self.seed)
        conductor.explanations.append((yield from inquiry.run(draft)))
        conductor.draft = None

    # Elements

    def _of_elements(self, view: View, rate: Estimate) -> Doing:
        """Leave out elements, then look into those that are left."""
        conductor, seeded = self.conductor, self.subject.seeded
        flaky = seeded or rate.value < 1
        found = yield from reduced(conductor, self.task, view, flaky=flaky, replays=seeded, seed=self.seed)
        inner = values_in(self.study.elements, found.selection, self.study.space)
        if inner is not None and inner.ordered and "order" in conductor.plan:
            yield from put_in_order(conductor, inner, found.selection, view)
        if inner is not None and "rule" in conductor.plan:
            view = replace(view, show=partial(altered, inner, found.selection))
            yield from self._of_fields(inner.space, inner.failing, view, rate_of(found, rate))
        elif conductor.draft is not None:
            conductor.explanations.append(conductor.draft)
            conductor.draft = None

    # Reproducing

    def _reproduced(self, failing: Any) -> Generator[Ask[Any], Answers, tuple[Outcome, Estimate]]:
        """The failure, and how often it shows."""
        self.conductor.begin("reproduce")
        runs = SEEDED if self.subject.seeded else STEADY
        outcomes: list[Outcome] = []
        while len(outcomes) < runs:
            ask = Ask([failing] * (runs - len(outcomes)), fresh=True, note="does it fail every time?")
            outcomes += [o for o in (yield from self.conductor.ask(ask, View(), Explanation())) if o is not None]
            if any(outcome.verdict is not FAIL for outcome in outcomes):
                runs = MEASURED
        failed = [outcome for outcome in outcomes if outcome.verdict is FAIL]
        rate = Estimate.of(len(failed), len(outcomes), confidence=0.8) if failed else UNMEASURED
        every = "every time" if len(failed) == len(outcomes) else "not every time"
        self.conductor.end(f"It failed in {len(failed)} of {len(outcomes)} runs: {every}.")
        return failed[0], rate
