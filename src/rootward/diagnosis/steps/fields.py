"""Find the fields that matter.

With a few fields, the condition can be learnt on all of them at once. With many, those that matter are found first
(``searches/products/relevant_fields``).

A field that was overlooked shows when a run passes where the claim predicts a failure. Then there are two
configurations, one that fails and one that passes, and the smallest difference between them that changes the verdict is
isolated (``find_overlooked``).

Where another failure comes first, most changes of a failing configuration show that one, and nothing can be learnt from
them. So a search does not start there: the failing configuration gets the values of a passing one, except where it
needs its own (``leave_other_failures``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Routine, ask, run_search
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.explanation.facts import CutShort, OverlookedFields, Result, Simplified
from rootward.search.ask import Ask
from rootward.search.isolate import ChangeSet, isolate
from rootward.search.relay import relay
from rootward.search.repeat import Once
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.relevant_fields import search_fields
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.verdict import FAIL


def find_fields(state: DiagnosisState, claim: Claim, failing: Configuration) -> Routine[Sequence[str]]:
    """Return the fields that matter for a failure.

    ``failing`` lies outside of all known causes. The fields that these causes name keep their values in ``failing``, so
    that all runs stay outside of the causes.
    """
    fixed = claim.fields
    free = [name for name in claim.space.names if name not in fixed]
    if len(free) <= TUNING.few_fields or "triggers" not in state.plan:
        return free
    state.begin("triggers")
    search = search_fields(claim.space, failing, fixed=fixed, rate=claim.rate, seed=claim.seed)
    view = replace(claim.view, repeat=Once())
    found: ProductSet = yield from run_search(state, search, view, partial(_make_draft, claim, failing))
    state.end([Result.FOUND], found, complete=found.complete)
    claim.require_steady(found.unsteady)
    claim.unknown += [] if found.complete else [CutShort("triggers")]
    return found.fields


def _make_draft(claim: Claim, failing: Configuration, found: ProductSet) -> Explanation:
    """Return the explanation so far, while the fields that matter are searched for."""
    sets = [FailureCause(found.rule, failing)] if found.sets and not claim.causes else []
    return replace(
        claim.draft, causes=(*claim.causes, *sets), relevant=tuple(found.sets), unknown=(CutShort("triggers"),)
    )


# Overlooked fields


def find_overlooked(
    state: DiagnosisState, claim: Claim, cause: FailureCause, passing: Configuration
) -> Routine[list[str]]:
    """Return the fields whose values make ``passing`` pass, although the cause holds for it."""
    base = {**cause.example, **{name: passing[name] for name in cause.rule.fields}}

    def makes_it_pass(part: ChangeSet[str]) -> Routine[bool]:
        changed = {**base, **{name: passing[name] for name in part.changes}}
        question = Ask([claim.order_fields(changed)], note="which difference makes it pass?")
        [outcome] = yield from ask(state, question, claim.view, claim.draft)
        return outcome is not None and outcome.verdict is not FAIL

    state.begin("triggers")
    found: list[str] = []
    if not (yield from makes_it_pass(ChangeSet([]))):
        differing = [name for name in claim.space.names if canonical(base[name]) != canonical(passing[name])]
        found = yield from relay(isolate(differing, limit=TUNING.max_isolated), makes_it_pass)
    state.end([OverlookedFields(tuple(found))])
    return found


# Other failures


def leave_other_failures(state: DiagnosisState, claim: Claim, failing: Configuration) -> Routine[Configuration]:
    """Return a failing configuration, outside of all known causes, that is as far from other failures as a pass is."""
    hidden = claim.failed_differently.values()
    passing = [one for one, fails in claim.runs.values() if not fails]
    if not hidden or not passing or "simplify" not in state.plan:
        return failing
    shared = {name: Counter(canonical(one[name]) for one in hidden) for name in claim.space.names}
    far = min(passing, key=lambda one: sum(shared[name][canonical(one[name])] for name in shared))
    differing = [name for name in claim.space.names if canonical(far[name]) != canonical(failing[name])]
    found = failing

    def makes_it_fail(part: ChangeSet[str]) -> Routine[bool]:
        nonlocal found
        changed = claim.order_fields({**far, **{name: failing[name] for name in part.changes}})
        if claim.rule.holds(changed):
            return False
        question = Ask([changed], note="does it fail far from other failures?")
        [outcome] = yield from ask(state, question, claim.view, claim.draft)
        fails = outcome is not None and outcome.verdict is FAIL
        found = changed if fails else found
        return fails

    state.begin("simplify")
    yield from relay(isolate(differing, limit=TUNING.max_isolated), makes_it_fail)
    changed = [name for name in differing if canonical(found[name]) != canonical(failing[name])]
    state.end([Simplified(tuple(changed), len(claim.space))])
    return found
