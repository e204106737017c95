"""The conductor: takes the steps of the plan in an order that depends on what the study has and on what they find.

The life of a diagnosis:

1. Start from what is known to fail: the elements of an input, an earlier run, a configuration, a table. If nothing is,
   look for failures (``find``), and explain each kind of them.
2. For each failure: ``reproduce`` it; then explain it. Of elements, leave out those that are not needed (``reduce``),
   ask whether the ``order`` of the rest matters, and go on with the values inside of them as with any other fields. Of
   earlier runs, search for the combinations that fail (``causes``). Of a table, search for the ``rows``. Of fields,
   learn one cause (``triggers``, ``rule``), look for failures that it does not explain (``others``), and try all of it
   on fresh runs (``verify``). If runs turn out not to do the same again, start over with the rate
   that was measured.
3. Failures of other kinds that were met on the way are explained like the first one.
4. If a step was cut short by its share of the budget, and some of it is left, go through all of it again: what was run
   is remembered, so each step goes as far as it did for free, and then on.

Which steps are taken is asked of the plan alone (``"order" in state.plan``): what a user skips is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.diagnosis.claim import Claim, Unsteady
from rootward.diagnosis.questions import Doing, View, cautious, expected
from rootward.diagnosis.state import State, only_rows
from rootward.diagnosis.steps.other_failures import find_failures, find_others
from rootward.diagnosis.steps.reduce import altered, put_in_order, rate_of, reduce, values_in
from rootward.diagnosis.steps.reproduce import reproduce
from rootward.diagnosis.steps.rows import explain_named_table, explain_rows
from rootward.diagnosis.steps.rule import learn_cause
from rootward.diagnosis.steps.settings import explain_settings, place_check, with_failures
from rootward.diagnosis.steps.verify import verify
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Diagnosis, Explanation
from rootward.explanation.facts import Gap
from rootward.rules import Estimate, Rule
from rootward.search import failure_rate
from rootward.search.ask import Search
from rootward.space.candidate import key_of, realise
from rootward.space.space import Space
from rootward.verdict import FAIL, Outcome

Explain = Callable[[Any, View, Estimate], Doing[Explanation]]
"""Explains a failure: what shows it, how the subject is asked about it, how often it fails."""


class Conductor:
    """Drives one diagnosis."""

    def __init__(self, state: State) -> None:
        self.state = state

    def search(self) -> Search[Any, Diagnosis]:
        """The whole diagnosis, as one search."""
        yield from self._turn()
        while self.state.again():
            yield from self._turn()
        return self.state.diagnosis

    def _turn(self) -> Doing[None]:
        """Go through the plan once."""
        study = self.state.study
        if study.elements is not None:
            yield from self._explain(self.state.failing, self._explain_elements)
        elif study.history is not None:
            yield from self._explain_history()
        elif study.failing is not None:
            yield from self._explain(self.state.failing, self._explain_fields)
        elif only_rows(study):
            yield from self._explain(self.state.failing, self._explain_rows)
        else:
            yield from self._explain_found()
        yield from self._explain_met()

    def _explain_found(self) -> Doing[None]:
        """Look for failures; then explain each kind of them."""
        kinds = (yield from find_failures(self.state)).failures[: TUNING.max_failures]
        for left, failure in zip(range(len(kinds), 0, -1), kinds, strict=True):
            self.state.part(left)
            known = None if failure.signature is None else Outcome(FAIL, failure.signature)
            yield from self._explain(dict(failure.configuration), self._explain_fields, known)

    def _explain_history(self) -> Doing[None]:
        """Start from earlier runs."""
        checkpoint = place_check(self.state)
        history, unknown = yield from with_failures(self.state)
        failed = next((dict(one) for one, verdict in history if verdict is FAIL), None)
        if failed is not None:
            yield from self._explain(failed, partial(explain_settings, self.state, history, unknown, checkpoint))

    def _explain_met(self) -> Doing[None]:
        """Go on with failures that were met while others were explained, as far as one can start from a candidate."""
        state = self.state
        while state.study.elements is None and state.study.space is not None:
            waiting = state.others.waiting({one.signature for one in state.explanations})
            if not waiting or len(state.explanations) >= TUNING.max_failures:
                return
            state.part(min(len(waiting), TUNING.max_failures - len(state.explanations)))
            yield from self._explain(realise(waiting[0].candidate), self._explain_fields, waiting[0].outcome)

    # One failure

    def _explain(self, failing: Any, explain: Explain, known: Outcome | None = None) -> Doing[None]:
        """Reproduce a failure, then explain it; ``known`` tells it from others that the same candidate may show."""
        state = self.state
        state.failing_key = key_of(failing)
        state.draft = Explanation(known.signature if known else None)
        runs = failure_rate.TUNING.steady_runs if state.subject.seeded else TUNING.steady_runs
        reference, rate = yield from reproduce(state, failing, View(reference=known), runs)
        name = reference.signature if reference else state.draft.signature
        draft = state.draft = Explanation(name, rate, failing)
        if reference is None:
            explanation = replace(draft, unknown=(Gap.NOT_AGAIN,))
        else:
            view = View(reference=reference, alike=getattr(state.subject, "alike", None))
            explanation = yield from explain(failing, view, rate)
            explanation = yield from explain_named_table(state, explanation, view)
        state.explanations.append(explanation)
        state.draft = None

    def _explain_elements(self, failing: Any, view: View, rate: Estimate) -> Doing[Explanation]:
        """Leave out elements, then look into those that are left."""
        state = self.state
        found = yield from reduce(state, view, rate)
        inner = values_in(state.study.elements, found.selection, state.study.space)
        assert state.draft is not None
        if inner is None:
            return state.draft
        state.draft = replace(state.draft, names=inner.names)
        if inner.ordered and "order" in state.plan:
            yield from put_in_order(state, inner, found.selection, view)
        if "rule" not in state.plan:
            return state.draft
        view = replace(view, show=partial(altered, inner, found.selection))
        rate = rate_of(found, rate)
        return (yield from self._explain_space(inner.space, inner.failing, view, rate))

    def _explain_fields(self, failing: Mapping[str, Any], view: View, rate: Estimate) -> Doing[Explanation]:
        study = self.state.study
        assert study.space is not None
        return (yield from self._explain_space(study.space, failing, view, rate, study.constraints))

    def _explain_rows(self, failing: Any, view: View, rate: Estimate) -> Doing[Explanation]:
        data = self.state.study.data
        assert data is not None
        return (yield from explain_rows(self.state, data.tables, view, expected(rate)))

    def _explain_space(
        self, space: Space, failing: Mapping[str, Any], view: View, rate: Estimate, never: Rule | None = None
    ) -> Doing[Explanation]:
        """All causes of a failure, around one configuration of the space that shows it."""
        state = self.state
        assert state.draft is not None
        others = state.diagnosis.rule.terms if state.study.elements is None else ()
        claim = Claim(
            space,
            view=view,
            draft=replace(state.draft, show=view.show, of=len(space)),
            rate=expected(rate),
            never=never,
            seed=state.seed,
            # One that claims what fails here, too, does not tell them apart.
            elsewhere=Rule.of_terms(term for term in others if not term.holds(failing)),
            seeded=state.subject.seeded,
        )
        return (yield from find_causes(state, claim, failing))


def find_causes(state: State, claim: Claim, failing: Mapping[str, Any]) -> Doing[Explanation]:
    """All causes of one failure, from a configuration that shows it: learn one, look for others, verify.

    If runs that it rested on do otherwise when they are made again, what passed may not have been a pass: start over.
    """
    failing = claim.space.check(failing)
    for start in range(TUNING.max_starts):
        try:
            if start:
                yield from _start_over(state, claim, failing)
            yield from learn_cause(state, claim, failing)
            yield from find_others(state, claim)
            yield from verify(state, claim)
            return claim.explanation()
        except Unsteady:
            continue
    claim.unknown.append(Gap.UNSTEADY)
    return claim.explanation()


def _start_over(state: State, claim: Claim, failing: Mapping[str, Any]) -> Doing[None]:
    """Either it does not fail every time, though that was not seen at first: then measure how often. Or that was known,
    and a pass was chance, of which the lab now knows better."""
    if claim.rate < 1:
        claim.start_over()
        return
    _, measured = yield from reproduce(state, failing, claim.view)
    claim.expect(max(cautious(measured), TUNING.min_rate))
    claim.start_over(measured)
