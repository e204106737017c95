"""Failures that nothing explains yet: the first ones, if none is given, and further ones outside of all known causes.

Both are the same exploration (``searches/exploration``). At the start it looks everywhere, and tells apart all kinds
of failures that it meets. Later it looks where the claim says that it passes, and the first failure there ends it:
that one shows another cause, which is learnt before the search goes on. It ends when so many runs elsewhere have not
failed, when there are enough causes, or when a failure turns up that cannot be explained, for the same search would
only meet it again.
"""

from __future__ import annotations

from dataclasses import replace

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Doing, View, run_search
from rootward.diagnosis.state import State
from rootward.diagnosis.steps.rule import learn_cause
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import Elsewhere, Result, Unended
from rootward.search.repeat import Once
from rootward.searches.exploration import METHODS
from rootward.searches.exploration.failures import Failures
from rootward.verdict import PASS


def find_failures(state: State) -> Doing[Failures]:
    """Look for failing configurations, anywhere in the space."""
    study = state.study
    assert study.space is not None
    state.begin("find")
    search = METHODS["stages"](study.space, nominal=study.nominal, never=study.constraints, seed=state.seed)
    found: Failures = yield from run_search(state, search, View(), _first_met)
    state.end([Result.FOUND], found, complete=found.complete)
    return found


def _first_met(found: Failures) -> Explanation | None:
    """What is known while failures are looked for: the first one, and what shows it."""
    first = next(iter(found.failures), None)
    return None if first is None else Explanation(first.signature, failing=dict(first.configuration))


def find_others(state: State, claim: Claim) -> Doing[None]:
    """Look for failures that no known cause explains, until none turns up."""
    while "others" in state.plan and claim.causes and len(claim.causes) < TUNING.max_causes:
        state.begin("others")
        calm = [one for one, fails in claim.runs.values() if not fails and not claim.rule.holds(one)]
        calm = calm[: TUNING.other_starts]
        search = METHODS["stages"](
            claim.space,
            nominal=calm,
            never=claim.never,
            outside=claim.rule,
            most=len(calm) + TUNING.other_runs,
            enough=0,
            seed=claim.seed + len(claim.causes),
        )
        # Another failure is none here: it must not end the search for this one. And rather than to repeat a run,
        # make another one.
        view = replace(claim.view, other=PASS, repeat=Once())
        found: Failures = yield from run_search(state, search, view, lambda _: claim.explanation())
        elsewhere = Elsewhere(bool(found.failures), max(0, found.runs - len(calm)), found.complete)
        state.end([elsewhere], found, complete=found.complete)
        if not found.complete:
            claim.unknown.append(Unended("others"))
        if not found.failures:
            return
        claim.draft, known = claim.explanation(), len(claim.causes)
        yield from learn_cause(state, claim, dict(found.failures[0].configuration))
        if len(claim.causes) == known:
            return  # it fails there for a reason that was not found: the same search would only meet it again
