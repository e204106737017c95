"""Find failures that nothing explains yet: the first ones, if none is given, and further ones outside of all causes.

Both use the same exploration (``searches/exploration``). At the start it looks everywhere, and distinguishes all kinds
of failures that it finds. Later it looks where the claim predicts a pass, and the first failure there ends it: this
failure shows another cause, which is learnt before the search continues. The search ends when a given number of runs
outside of the claim did not fail, when the maximum number of causes is reached, or when a failure turns up that no
condition explains, because the same search would only find it again.
"""

from __future__ import annotations

from dataclasses import replace

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Routine, StepView, run_search
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.rule import learn_cause
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import CutShort, OutsideRuns, Result
from rootward.search.repeat import Once
from rootward.searches.exploration import METHODS
from rootward.searches.exploration.failures import Failures
from rootward.verdict import PASS


def find_failures(state: DiagnosisState) -> Routine[Failures]:
    """Look for failing configurations anywhere in the space."""
    study = state.study
    assert study.space is not None
    state.begin("find")
    search = METHODS["stages"](study.space, nominal=study.nominal, never=study.constraints, seed=state.seed)
    found: Failures = yield from run_search(state, search, StepView(), _make_draft)
    state.end([Result.FOUND], found, complete=found.complete)
    return found


def _make_draft(found: Failures) -> Explanation | None:
    """Return the explanation so far, while failures are searched for: the first failure, with its configuration."""
    first = next(iter(found.failures), None)
    return None if first is None else Explanation(first.signature, failing=dict(first.configuration), error=first.error)


def find_others(state: DiagnosisState, claim: Claim) -> Routine[None]:
    """Look for failures that no known cause explains, until none turns up."""
    if claim.sliced:
        yield from _explain_known(state, claim)
    while "others" in state.plan and claim.causes and len(claim.causes) < claim.max_causes:
        state.begin("others")
        passing = [one for one, fails in claim.runs.values() if not fails and not claim.rule.holds(one)]
        passing = passing[: TUNING.other_starts]
        search = METHODS["stages"](
            claim.space,
            nominal=passing,
            never=claim.never,
            outside=claim.rule,
            most=len(passing) + TUNING.other_runs,
            enough=0,
            seed=claim.seed + len(claim.causes),
        )
        # A different failure counts as a pass: it must not end the search for this one. And a new configuration tells
        # more than a repeated run.
        view = replace(claim.view, other=PASS, repeat=Once())
        found: Failures = yield from run_search(state, search, view, lambda _: claim.explanation())
        runs = max(found.runs - len(passing), state.step.trials)  # the last ones, if it was cut short, have no finding
        elsewhere = OutsideRuns(bool(found.failures), runs, found.complete)
        state.end([elsewhere], found, complete=found.complete)
        if not found.complete:
            claim.unknown.append(CutShort("others"))
        if not found.failures:
            return
        claim.draft, known = claim.explanation(), len(claim.causes)
        yield from learn_cause(state, claim, dict(found.failures[0].configuration))
        if len(claim.causes) == known:
            return  # no condition was found for it: the same search would only find it again
        if claim.sliced:
            yield from _explain_known(state, claim)


def _explain_known(state: DiagnosisState, claim: Claim) -> Routine[None]:
    """Learn the causes of known failures that no cause explains: other slices showed them."""
    while len(claim.causes) < claim.max_causes and not claim.has_no_simple_condition:
        rule, known = claim.rule, len(claim.causes)
        failing = next((one for one, fails in claim.runs.values() if fails and not rule.holds(one)), None)
        if failing is None:
            return
        yield from learn_cause(state, claim, failing)
        if len(claim.causes) == known:
            return
