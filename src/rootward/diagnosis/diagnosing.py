"""The course of a diagnosis: from what a study has to the investigations that explain its failures."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from rootward.candidate import key_of, realise
from rootward.diagnosis import rows
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Diagnosis, Explanation
from rootward.diagnosis.elements import altered, put_in_order, rate_of, reduced, values_in
from rootward.diagnosis.investigation import Investigation
from rootward.diagnosis.named_table import looked_into
from rootward.diagnosis.rates import cautious
from rootward.diagnosis.settings import explained
from rootward.diagnosis.view import View
from rootward.rules import Estimate, Rule
from rootward.search import Answers, Ask, Search
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.exploration import METHODS as EXPLORATIONS
from rootward.searches.exploration.failures import Failures
from rootward.searches.reduction.task import Task
from rootward.space import Space
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, Outcome, Verdict

STEADY, SEEDED = 5, 12
"""How many runs show that it fails every time; more if the subject takes a seed."""
KINDS = 4
"""So many failures are explained."""
CALM = "None of the earlier runs failed: causes of failures that were not found now may be missing."
Doing = Generator[Ask[Any], Answers, None]
History = Iterable[tuple[Mapping[str, Any], Verdict]]
"""Earlier runs, which can be read more than once."""
Explaining = Generator[Ask[Any], Answers, Explanation]
Explain = Callable[[Any, View, Estimate], Explaining]


class Diagnosing:
    """One diagnosis of one study."""

    def __init__(self, study: Study, conductor: Conductor, *, history: History, seed: int) -> None:
        self.study, self.conductor, self.history, self.seed = study, conductor, history, seed
        self.checkpoint: Checkpoint | None = None
        self.data = study.data if rows.only_rows(study) else None
        self.subject = as_subject(rows.subject_of(study), isolate=False)

    @property
    def failing(self) -> Any:
        """The candidate that fails, if one is known."""
        if self.study.elements is not None:
            return self.task.elements.all
        return self.study.failing if self.data is None else self.data.tables.failing

    @cached_property
    def task(self) -> Task[Any]:
        return Task.of(
            self.study.elements or (), keep=self.study.keep, supports=getattr(self.subject, "supports", None)
        )

    def search(self) -> Search[Any, Diagnosis]:
        yield from self._course()
        while self.conductor.again():
            yield from self._course()
        return self.conductor.diagnosis

    def _course(self) -> Doing:
        if self.study.elements is not None:
            yield from self._explained(self.failing, self._of_elements)
        elif self.study.history is not None:
            yield from self._of_settings()
        elif self.study.failing is not None:
            yield from self._explained(self.failing, self._of_fields)
        elif self.data is not None:
            yield from self._explained(self.failing, self._of_rows)
        else:
            yield from self._found()
        yield from self._met()

    def _met(self) -> Doing:
        """Go on with failures that were met while others were explained, as far as one can start from a candidate."""
        explained = self.conductor.explanations
        while self.study.elements is None and self.study.space is not None and len(explained) < KINDS:
            waiting = self.conductor.strangers.waiting({one.signature for one in explained})
            if not waiting:
                return
            self.conductor.part(min(len(waiting), KINDS - len(explained)))
            yield from self._explained(realise(waiting[0].candidate), self._of_fields, waiting[0].outcome)

    def _explained(self, failing: Any, explain: Explain, known: Outcome | None = None) -> Doing:
        """Reproduce a failure, then explain it; ``known`` tells it from others that the same candidate may show."""
        self.conductor.failing = key_of(failing)
        self.conductor.draft = Explanation(known.signature if known else None)
        runs = SEEDED if self.subject.seeded else STEADY
        reference, rate = yield from self.conductor.reproduced(failing, View(reference=known), runs)
        name = reference.signature if reference else self.conductor.draft.signature
        draft = self.conductor.draft = Explanation(name, rate, failing)
        if reference is None:
            explanation = replace(draft, unknown=("It failed once, and not again when it was run again.",))
        else:
            view = View(reference=reference, alike=getattr(self.subject, "alike", None))
            explanation = yield from explain(failing, view, rate)
            if (data := rows.named(self.study)) is not None and self.study.space is not None:
                varied = {name for name, field in self.study.space.items() if len(field.values) > 1}
                explanation = yield from looked_into(self.conductor, data, explanation, view, varied=varied)
        self.conductor.explanations.append(explanation)
        self.conductor.draft = None

    # Fields

    def _of_fields(self, failing: Mapping[str, Any], view: View, rate: Estimate) -> Explaining:
        assert self.study.space is not None
        return (yield from self._investigated(self.study.space, failing, view, rate, self.study.constraints))

    def _investigated(
        self, space: Space, failing: Mapping[str, Any], view: View, rate: Estimate, never: Rule | None = None
    ) -> Explaining:
        assert self.conductor.draft is not None
        draft = replace(self.conductor.draft, show=view.show)
        others = self.conductor.diagnosis.rule.terms if self.study.elements is None else ()
        # One that claims what fails here, too, does not tell them apart.
        elsewhere = Rule.of_terms(term for term in others if not term.holds(failing))
        inquiry = Investigation(
            self.conductor,
            space,
            view=view,
            rate=_often(rate),
            never=never,
            seed=self.seed,
            elsewhere=elsewhere,
            seeded=self.subject.seeded,
        )
        return (yield from inquiry.run(failing, draft))

    def _found(self) -> Doing:
        """Look for failures; then explain each kind of them."""
        kinds = (yield from self._looked_for()).failures[:KINDS]
        for left, failure in zip(range(len(kinds), 0, -1), kinds, strict=True):
            self.conductor.part(left)
            known = None if failure.signature is None else Outcome(FAIL, failure.signature)
            yield from self._explained(dict(failure.configuration), self._of_fields, known)

    def _looked_for(self) -> Generator[Ask[Any], Answers, Failures]:
        study = self.study
        assert study.space is not None
        self.conductor.begin("find")
        search = EXPLORATIONS["stages"](study.space, nominal=study.nominal, never=study.constraints, seed=self.seed)
        found: Failures = yield from self.conductor.search(search, View(), _met_first)
        self.conductor.end(found.headline(), found, complete=found.complete)
        return found

    # Settings

    def _of_settings(self) -> Doing:
        """Start from earlier runs."""
        assert self.study.space is not None
        self.checkpoint = self._instrumented(self.study.space)
        explain = partial(self._of_history, self.history)
        failed = next((dict(one) for one, verdict in self.history if verdict is FAIL), None)
        if failed is None:
            found = (yield from self._looked_for()) if "find" in self.conductor.plan else Failures()
            if not found.failures:
                return
            failing = [dict(one.configuration) for one in found.failures]
            history, failed = [*((one, FAIL) for one in failing), *self.history], failing[0]
            explain = partial(self._of_history, history, open=(CALM,))
        yield from self._explained(failed, explain)

    def _instrumented(self, space: Space) -> Checkpoint | None:
        """Where a check helps most, if the subject has one there: a step that runs nothing."""
        pipeline = self.study.pipeline
        if pipeline is None or "instrument" not in self.conductor.plan:
            return None
        self.conductor.begin("instrument")
        found = pipeline.checkpoint(space)
        used = bool(pipeline.checks) and found.node is not None
        then = " The causes are searched for with that check." if used else ""
        self.conductor.end(found.headline() + then, found)
        return found if used else None

    def _of_history(
        self, history: History, failing: Mapping[str, Any], view: View, rate: Estimate, open: tuple[str, ...] = ()
    ) -> Explaining:
        never, space = self.study.constraints, self.study.space
        assert space is not None
        # What the earlier runs failed of is not known: any failure counts.
        view, often = replace(view, reference=None), _often(rate)
        options: dict[str, Any] = {"rate": often, "never": never, "seed": self.seed, "checkpoint": self.checkpoint}
        options["seeded"] = self.subject.seeded
        found = yield from explained(self.conductor, space, history, view=view, **options)
        return replace(found, unknown=(*found.unknown, *open))

    # Rows

    def _of_rows(self, failing: Any, view: View, rate: Estimate) -> Explaining:
        assert self.data is not None
        return (yield from rows.explained(self.conductor, self.data.tables, view=view, rate=_often(rate)))

    # Elements

    def _of_elements(self, failing: Any, view: View, rate: Estimate) -> Explaining:
        """Leave out elements, then look into those that are left."""
        conductor, seeded = self.conductor, self.subject.seeded
        flaky = seeded or rate.value < 1
        found = yield from reduced(conductor, self.task, view, flaky=flaky, replays=seeded, seed=self.seed)
        inner = values_in(self.study.elements, found.selection, self.study.space)
        if inner is not None and conductor.draft is not None:
            conductor.draft = replace(conductor.draft, names=inner.names)
        if inner is not None and inner.ordered and "order" in conductor.plan:
            yield from put_in_order(conductor, inner, found.selection, view)
        if inner is None or "rule" not in conductor.plan:
            assert conductor.draft is not None
            return conductor.draft
        view = replace(view, show=partial(altered, inner, found.selection))
        return (yield from self._investigated(inner.space, inner.failing, view, rate_of(found, rate)))


def _met_first(found: Failures) -> Explanation | None:
    """What is known while failures are looked for: the first one, and what shows it."""
    first = next(iter(found.failures), None)
    return None if first is None else Explanation(first.signature, failing=dict(first.configuration))


def _often(rate: Estimate) -> float:
    """How often to expect it: rather too rarely, if that is not every time."""
    return 1.0 if rate.value == 1 else cautious(rate)
