"""The conductor: takes the steps of the plan, in an order that depends on the study and on what the steps find.

A diagnosis is one search: a generator that runs the searches of its steps one after another. All questions of the steps
pass through ``questions.py`` to the lab, and everything that is known is in the ``DiagnosisState``. So the conductor
only has to say which step comes next:

1. Start from something that fails: the elements of an input, an earlier run, a configuration, a table. If none is
   given, look for failures (``find``), and explain each kind of failure that turns up.
2. For each failure, ``reproduce`` it, which also measures how often it shows. Then explain it:

   * Elements: remove those that are not needed (``reduce``), find out if the ``order`` of the others matters, and
     continue with the values inside of them as with fields.
   * Earlier runs: search for the combinations of settings that fail (``causes``), and ``verify`` them.
   * Fields: find the fields that matter (``triggers``) and learn the condition of one cause (``rule``), look for
     failures outside of it (``others``), which show further causes, find a simple input that fails
     (``simplify``), and test the whole claim on fresh runs (``verify``), which repair it if they refute it. If that
     is hopeless, learn the condition slice by slice (``slices``); if that is hopeless, too, ``approximate`` it.
   * A table: search for the ``rows`` that make it fail.

   If a repeated run changes its verdict (``UnsteadyFailure``), recorded passes may be chance: start over with the
   measured rate, a limited number of times.
3. Failures of other kinds that occurred on the way are then explained like the first one.
4. If the budget ended a step early and some of it is left at the end, begin another *turn*: go through the plan again.
   All runs are remembered, so each step gets to the same point for free and continues from there. The diagnosis ends
   when no step was cut short, the budget is spent, a turn ran nothing new, or the maximum number of turns is reached.

Only the plan decides if a step is taken (``"order" in state.plan``): steps that the user skips are not in it. To add a
step, write it in ``steps/`` as a generator that calls ``state.begin`` and ``state.end``, put it into the plan, and call
it here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.diagnosis.claim import Claim, UnsteadyFailure
from rootward.diagnosis.domain import domain_values
from rootward.diagnosis.questions import Routine, StepView, conservative_rate, expected_rate
from rootward.diagnosis.state import DiagnosisState, only_rows
from rootward.diagnosis.steps.approximate import approximate, approximate_known
from rootward.diagnosis.steps.other_failures import find_failures, find_others
from rootward.diagnosis.steps.reduce import alter, examine_order, rate_of, reduce, values_in
from rootward.diagnosis.steps.reproduce import reproduce
from rootward.diagnosis.steps.rows import explain_named_table, explain_rows
from rootward.diagnosis.steps.rule import learn_cause
from rootward.diagnosis.steps.settings import explain_settings, place_check, with_failures
from rootward.diagnosis.steps.simplify import simplify
from rootward.diagnosis.steps.tabulate import tabulate
from rootward.diagnosis.steps.verify import verify
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Diagnosis, Explanation
from rootward.explanation.facts import Gap
from rootward.rules import Estimate, Rule
from rootward.search.ask import Search
from rootward.search.failure_rate import steady_runs_of
from rootward.space.candidate import key_of, realise
from rootward.space.space import Space
from rootward.verdict import FAIL, Outcome

Explain = Callable[[Any, StepView, Estimate], Routine[Explanation]]
"""Explains a failure, given a failing candidate, the view to ask the subject with, and the rate of the failure."""


CLAIMED_PARTS = "causes", "relevant", "seen", "check", "approximate", "hidden", "unknown"
"""The parts of an explanation that come from its claim."""


class Conductor:
    """Runs the steps of one diagnosis."""

    def __init__(self, state: DiagnosisState) -> None:
        self.state = state
        self._claims: dict[int, Claim] = {}
        """The claims about the fields of the study, by the number of their explanation."""
        self._latest: dict[str | None, Claim] = {}
        """The latest claim about each failure, by its signature."""

    def search(self) -> Search[Any, Diagnosis]:
        """Run the whole diagnosis, as one search."""
        yield from self._turn()
        while self.state.begin_next_turn():
            yield from self._turn()
        return self.state.diagnosis

    def settle(self, found: Diagnosis) -> Diagnosis:
        """Replace the conditions that runs of the diagnosis contradict: the budget ended before they were repaired."""
        return replace(found, explanations=tuple(map(self._settle, found.explanations)))

    def _settle(self, one: Explanation) -> Explanation:
        claim = self._latest.get(one.signature)
        if claim is None or not one.causes or one.approximate or claim.rate < 1 or "verify" not in self.state.plan:
            return one
        claim.causes = list(one.causes)
        if not claim.is_contradicted:
            return one
        approximate_known(self.state, claim)
        now = claim.explanation()
        return replace(one, **{name: getattr(now, name) for name in CLAIMED_PARTS})

    def _turn(self) -> Routine[None]:
        """Go through the plan once."""
        self._claims.clear()
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
        yield from self._explain_other_failures()
        yield from self._compare_claims()

    def _explain_found(self) -> Routine[None]:
        """Look for failures, then explain each kind."""
        kinds = (yield from find_failures(self.state)).failures[: TUNING.max_failures]
        for left, failure in zip(range(len(kinds), 0, -1), kinds, strict=True):
            self.state.divide_budget(left)
            known = None if failure.signature is None else Outcome(FAIL, failure.signature)
            yield from self._explain(dict(failure.configuration), self._explain_fields, known)

    def _explain_history(self) -> Routine[None]:
        """Explain a failure among the earlier runs. If none of them failed, look for failures now."""
        checkpoint = place_check(self.state)
        history, unknown = yield from with_failures(self.state)
        failed = next((dict(one) for one, verdict in history if verdict is FAIL), None)
        if failed is not None:
            yield from self._explain(failed, partial(explain_settings, self.state, history, unknown, checkpoint))

    def _explain_other_failures(self) -> Routine[None]:
        """Explain the failures that occurred while another failure was being explained.

        A failure that no configuration shows is left out.
        """
        state = self.state
        while state.study.elements is None and state.study.space is not None:
            waiting = state.others.list_unexplained({one.signature for one in state.explanations})
            if not waiting or len(state.explanations) >= TUNING.max_failures:
                return
            state.divide_budget(min(len(waiting), TUNING.max_failures - len(state.explanations)))
            yield from self._explain(realise(waiting[0].candidate), self._explain_fields, waiting[0].outcome)

    def _compare_claims(self) -> Routine[None]:
        """Compare each claim with the runs that were made for the other failures, and repair it if they refute it."""
        state = self.state
        for at, claim in self._claims.items() if len(self._claims) > 1 else ():
            for other in self._claims.values():
                claim.learn_from(other)
            claim.drop_hidden_options()
            self._restate(at, claim)  # first: the budget may end while the claim is being repaired
            if claim.is_contradicted and not claim.approximate:
                state.draft = claim.draft
                yield from verify(state, claim)
                state.draft = None
                self._restate(at, claim)

    def _restate(self, at: int, claim: Claim) -> None:
        """Bring an explanation up to date with the runs of its claim."""
        now = claim.explanation()
        changed = {name: getattr(now, name) for name in CLAIMED_PARTS}
        self.state.explanations[at] = replace(self.state.explanations[at], **changed)

    # One failure

    def _explain(self, failing: Any, explain: Explain, known: Outcome | None = None) -> Routine[None]:
        """Reproduce a failure, then explain it.

        ``known``: an outcome with this failure, needed if the same candidate may also fail in other ways.
        """
        state = self.state
        state.failing_key = key_of(failing)
        state.draft = Explanation(known.signature if known else None, failing=failing)
        runs = steady_runs_of(state.subject.seeded)
        reference, rate = yield from reproduce(state, failing, StepView(reference=known), runs)
        name = reference.signature if reference else state.draft.signature
        draft = state.draft = Explanation(name, rate, failing, error=reference.detail if reference else "")
        if reference is None:
            explanation = replace(draft, unknown=(Gap.NOT_REPRODUCED,))
        else:
            view = StepView(reference=reference, alike=getattr(state.subject, "alike", None))
            explanation = yield from explain(failing, view, rate)
            explanation = yield from explain_named_table(state, explanation, view)
        state.explanations.append(explanation)
        state.draft = None

    def _explain_elements(self, failing: Any, view: StepView, rate: Estimate) -> Routine[Explanation]:
        """Remove the elements that are not needed, then examine the order and the values of the remaining ones."""
        state = self.state
        found = yield from reduce(state, view, rate)
        inner = values_in(state.study.elements, found.selection, state.study.space)
        assert state.draft is not None
        if inner is None:
            return state.draft
        state.draft = replace(state.draft, names=inner.names)
        if inner.reorderable and "order" in state.plan:
            yield from examine_order(state, inner, found.selection, view)
        if "rule" not in state.plan:
            return state.draft
        view = replace(view, show=partial(alter, inner, found.selection))
        rate = rate_of(found, rate)
        return (yield from self._explain_space(inner.space, inner.failing, view, rate))

    def _explain_fields(self, failing: Mapping[str, Any], view: StepView, rate: Estimate) -> Routine[Explanation]:
        study = self.state.study
        assert study.space is not None
        return (yield from self._explain_space(study.space, failing, view, rate, study.constraints))

    def _explain_rows(self, failing: Any, view: StepView, rate: Estimate) -> Routine[Explanation]:
        data = self.state.study.data
        assert data is not None
        return (yield from explain_rows(self.state, data.tables, view, expected_rate(rate)))

    def _explain_space(
        self, space: Space, failing: Mapping[str, Any], view: StepView, rate: Estimate, never: Rule | None = None
    ) -> Routine[Explanation]:
        """Find all causes of a failure, starting from one configuration of the space that shows it."""
        state = self.state
        assert state.draft is not None
        others = state.diagnosis.rule.terms if state.study.elements is None else ()
        claim = Claim(
            space,
            view=view,
            draft=replace(state.draft, show=view.show, of=len(space)),
            rate=expected_rate(rate),
            never=never,
            seed=state.seed,
            elsewhere=Rule.of_terms(term for term in others if not term.holds(failing)),
            # Where a condition of another failure holds here, too, it does not say which of the two shows.
            separated=any(term.holds(failing) for term in others),
            seeded=state.subject.seeded,
            domain=domain_values(state.study, state.subject, view.reference),
            derived=state.list_derived(space),
        )
        if space is state.study.space:
            self._claims[len(state.explanations)] = claim
        self._latest[claim.draft.signature] = claim
        state.release()
        return (yield from find_causes(state, claim, failing))


def find_causes(state: DiagnosisState, claim: Claim, failing: Mapping[str, Any]) -> Routine[Explanation]:
    """Find all causes of one failure: learn one cause, look for others, verify them.

    ``failing``: a configuration that shows the failure, to start from. If a repeated run changes its verdict, recorded
    passes may be chance, so the search starts over.
    """
    claim.failing = failing = claim.space.check(failing)
    for start in range(TUNING.max_starts):
        try:
            if start:
                yield from _start_over(state, claim, failing)
            yield from _make_claim(state, claim, failing)
            yield from tabulate(state, claim, failing)
            while claim.is_hopeless and claim.can_divide:
                causes, check = claim.causes, claim.check
                state.hold_back(claim.approximation_trials)
                claim.divide()
                yield from _make_claim(state, claim, failing)
                if not claim.causes and not claim.has_no_simple_condition:  # the budget did not suffice for slices
                    claim.causes, claim.check = causes, check
                    break
            yield from approximate(state, claim)
            return claim.explanation()
        except UnsteadyFailure:
            continue
    claim.unknown.append(Gap.UNSTEADY)
    yield from approximate(state, claim, steady=False)
    return claim.explanation()


def _make_claim(state: DiagnosisState, claim: Claim, failing: Mapping[str, Any]) -> Routine[None]:
    """Learn one cause, look for others, verify them."""
    yield from learn_cause(state, claim, failing)
    if not claim.has_no_simple_condition:
        yield from find_others(state, claim)
    if not claim.has_no_simple_condition:
        yield from simplify(state, claim)
        yield from verify(state, claim)


def _start_over(state: DiagnosisState, claim: Claim, failing: Mapping[str, Any]) -> Routine[None]:
    """Forget the claim. If the failure was assumed to show every time, measure its rate first.

    If the failure was already known to be flaky, the reason for starting over is a pass that was chance. The rate is
    then not measured again: the lab has since recorded a failing run of that configuration, so its verdict is now
    right.
    """
    if claim.rate < 1:
        claim.start_over()
        return
    _, measured = yield from reproduce(state, failing, claim.view)
    claim.expect_rate(max(conservative_rate(measured), TUNING.min_rate))
    claim.start_over(measured)
