"""Is the claim true of runs that have not been seen?

Fresh runs try it (``diagnosis/refutation``), and before them the runs of earlier steps that do not agree with it:
these are remembered, and cost nothing. What refutes the claim mends it. A failure where it says that it passes shows another
cause. A pass where it says that it fails shows a field that was overlooked: the cause is taken back, and learnt anew
with that field. Then the mended claim is tried again, a few rounds at most.

A failure that does not show every time passes now and then however often it is run, and among many fresh runs one such
pass is likely. It would refute what is true. So a pass that a claim depends on is repeated before it is believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.diagnosis.claim import Claim, Run, Unsteady
from rootward.diagnosis.questions import ONCE, Doing, View, ask
from rootward.diagnosis.refutation import by_side, fresh_runs
from rootward.diagnosis.state import State
from rootward.diagnosis.steps.fields import find_overlooked
from rootward.diagnosis.steps.reproduce import do_otherwise, fail_again, suspicious_passes
from rootward.diagnosis.steps.rule import learn_cause, learn_rule
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import Check, RefutedByEarlier
from rootward.rules import Rule
from rootward.search.ask import Ask
from rootward.search.repeat import Once, Policy, Repeat
from rootward.space.candidate import Configuration
from rootward.verdict import FAIL, PASS, UNRESOLVED
from rootward.words import count

Placed = tuple[str, Mapping[str, Any]]
"""Where a run lies (inside, outside, border), and its configuration."""
Told = tuple[str, Mapping[str, Any], bool]
"""The same, and whether it failed."""


def verify(state: State, claim: Claim) -> Doing[None]:
    """Try the claim on runs that could refute it; while they do, mend it."""
    if "verify" not in state.plan or not claim.causes:
        return
    for _ in range(TUNING.max_repairs):
        refuting = (yield from _earlier_runs(state, claim)) or (yield from _fresh_runs(state, claim))
        if not refuting:
            return (yield from _repeat_suspicious(state, claim))
        claim.draft = claim.explanation()
        yield from mend(state, claim, refuting)
    yield from _fresh_runs(state, claim)


def _earlier_runs(state: State, claim: Claim) -> Doing[list[Run]]:
    """Runs of earlier steps that the claim does not agree with."""
    rule = claim.rule
    against = [key for key, (one, fails) in claim.runs.items() if rule.holds(one) is not fails]
    new = [key for key in against if key not in claim.considered][: TUNING.max_contradicting]
    if not new or claim.rate < 1 or "rule" not in state.plan:
        return []
    state.begin("verify")
    claim.considered.update(new)
    runs = [claim.runs[key][0] for key in new]
    question, view = Ask(runs, note="is it true of earlier runs?"), replace(claim.view, other=UNRESOLVED)
    outcomes = yield from ask(state, question, view, claim.explanation())
    verdicts = [outcome.verdict if outcome is not None else UNRESOLVED for outcome in outcomes]
    told = [(one, verdict is FAIL) for one, verdict in zip(runs, verdicts, strict=True) if verdict in (FAIL, PASS)]
    for key in (key for key, verdict in zip(new, verdicts, strict=True) if verdict not in (FAIL, PASS)):
        del claim.runs[key]  # it failed in another way
        claim.different.add(key)
    if told:
        state.end([RefutedByEarlier(len(told))])
    claim.refuting += told
    return told


def _fresh_runs(state: State, claim: Claim) -> Doing[list[Run]]:
    """Check the claim on fresh runs, or on all that are left of a small space; those that refute it."""
    state.begin("verify")
    rule, rest = claim.rule, claim.left_to_run(state.spent)
    if rest is None:
        draw = partial(fresh_runs, never=claim.never, rng=claim.rng, key=claim.key)
        fresh = draw(claim.space, claim.causes, claim.runs, claim.edges)
    else:
        fresh = by_side(rest, rule)
    told = yield from tried(state, fresh, rule, claim.view, claim.explanation())
    claim.check, claim.exhausted = Check.of(rule, told), claim.left_to_run(state.spent) == []
    state.end([claim.completed(claim.check)])
    return [(one, fails) for _, one, fails in told if rule.holds(one) is not fails]


# Passes by chance


def tried(state: State, fresh: Sequence[Placed], claim: Rule, view: View, so_far: Explanation) -> Doing[list[Told]]:
    """What these runs did; those that could not be judged, or failed in another way, are left out."""
    note = f"is it true? {count(len(fresh), 'fresh run')}"
    outside = [run for run in fresh if run[0] == "outside"]
    others = [run for run in fresh if run[0] != "outside"]
    # Where it should pass, another run tells more than the same one again.
    told = yield from _told(state, outside, note, replace(view, repeat=Once()), so_far)
    told += yield from _told(state, others, note, view, so_far)
    if isinstance(view.repeat, Once):
        return told
    chance = [(part, one) for part, one, fails in told if claim.holds(one) and not fails]
    more = replace(view, repeat=_surer(view.repeat))
    again = yield from _told(state, chance, "do these pass again?", more, so_far)
    failed = [one for _, one, fails in again if fails]
    return [(part, one, fails or one in failed) for part, one, fails in told]


def _told(state: State, runs: Sequence[Placed], note: str, view: View, so_far: Explanation) -> Doing[list[Told]]:
    outcomes = yield from ask(state, Ask([one for _, one in runs], note=note), view, so_far)
    verdicts = [None if outcome is None else outcome.verdict for outcome in outcomes]
    pairs = zip(runs, verdicts, strict=True)
    return [(part, one, verdict is FAIL) for (part, one), verdict in pairs if verdict in (FAIL, PASS)]


def _surer(policy: Policy) -> Policy:
    """Twice as many runs decide."""
    return Repeat.k_of_n(1, TUNING.pass_factor * policy.limit)


def _repeat_suspicious(state: State, claim: Claim) -> Doing[None]:
    """Before a claim is believed: do the passes amid failures, of which its exceptions are made, pass again?"""
    suspects = suspicious_passes(claim.space, claim.rule, claim.runs.values())
    steady = claim.rate == 1
    view = replace(claim.view, repeat=ONCE if steady else _surer(claim.view.repeat))
    if (yield from fail_again(state, suspects, view, claim.explanation(), fresh=steady)):
        raise Unsteady


# Mending


def mend(state: State, claim: Claim, refuting: Sequence[Run]) -> Doing[None]:
    """A failure elsewhere shows another cause; a pass where it should fail shows a field that was overlooked."""
    if claim.rate == 1:  # before a run that refutes the claim is believed: does it do the same again?
        claim.must_be_steady((yield from do_otherwise(state, refuting, claim.view, claim.draft)))
    for one, fails in refuting:
        if fails is claim.rule.holds(one):
            continue  # an earlier one has mended it
        if fails and len(claim.causes) < TUNING.max_causes:
            yield from learn_cause(state, claim, one)
        elif not fails:
            yield from _widen(state, claim, one)


def _widen(state: State, claim: Claim, passing: Configuration) -> Doing[None]:
    """Find what keeps it from failing where the claim says that it fails, and learn that cause anew with it."""
    at = next(i for i, cause in enumerate(claim.causes) if cause.rule.holds(passing))
    cause, claim.mended = claim.causes.pop(at), claim.mended + 1
    found = yield from find_overlooked(state, claim, cause, passing)
    yield from learn_rule(state, claim, cause.example, [*cause.rule.fields, *found])
