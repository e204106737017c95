"""Test the claim on new runs, and repair it if they refute it.

First come the runs of earlier steps that contradict the claim, because their verdicts are known and cost nothing; then
fresh runs (``diagnosis/challenges``). A run that refutes the claim repairs it. A failure where the claim predicts a
pass shows another cause. A pass where it predicts a failure shows a field that was overlooked: the cause is retracted,
and learnt again with that field. Then the repaired claim is tested again, for a limited number of rounds.

A flaky failure passes by chance now and then, even if a verdict takes several runs, and among many fresh runs one such
pass is likely. It would refute a true claim. So a pass that a claim depends on is repeated before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rootward.diagnosis.certainty import doubts_about, outside_in_doubt
from rootward.diagnosis.challenges import Basis, Challenger
from rootward.diagnosis.claim import Claim, Run, UnsteadyFailure
from rootward.diagnosis.questions import ONCE, Routine, StepView, ask
from rootward.diagnosis.refutation import contradicts, sort_by_side
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.fields import find_overlooked
from rootward.diagnosis.steps.reproduce import any_changed, any_fails_again, suspicious_passes
from rootward.diagnosis.steps.rule import learn_cause, learn_rule
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation
from rootward.explanation.facts import Check, CutShort, RefutedByEarlier
from rootward.rules import Rule
from rootward.search.ask import Ask
from rootward.search.repeat import Once, Policy, Repeat
from rootward.space.candidate import Configuration
from rootward.verdict import FAIL, PASS, UNRESOLVED
from rootward.words import count

Placed = tuple[str, Mapping[str, Any]]
"""The family that chose a run (inside, outside, border, ...), and its configuration."""
Judged = tuple[str, Mapping[str, Any], bool]
"""The family that chose a run, its configuration, and True if it failed."""


def verify(state: DiagnosisState, claim: Claim) -> Routine[None]:
    """Test the claim on runs that could refute it. Repair the claim as long as a run refutes it."""
    if "verify" not in state.plan or not claim.causes:
        return
    if not claim.refuted:
        state.release()
    for _ in range(TUNING.max_repairs):
        claim.unite_slices()
        refuting = (yield from _check_earlier_runs(state, claim)) or (yield from _check_fresh_runs(state, claim))
        if not refuting:
            if claim.separated or not _is_mostly_hidden(claim):
                return (yield from repeat_suspicious(state, claim))
            claim.separate_failures()
        claim.draft = claim.explanation()
        if refuting:
            state.hold_back(claim.approximation_trials)
        if refuting and (state.is_used_up or (claim.vain_repairs and claim.can_divide)):
            return
        if refuting:
            claim.refuted.append(claim.rule)
            yield from repair(state, claim, refuting)
        if claim.has_no_simple_condition:
            return
    yield from _check_fresh_runs(state, claim)


def _check_earlier_runs(state: DiagnosisState, claim: Claim) -> Routine[list[Run]]:
    """Return runs of earlier steps that contradict the claim and were not considered before.

    A flaky failure may have passed by chance, so its passes are repeated first.
    """
    rule = claim.rule
    against = [key for key, (one, fails) in claim.runs.items() if contradicts(rule, one, fails)]
    new = [key for key in against if key not in claim.considered][: TUNING.max_contradicting]
    if not new or "rule" not in state.plan:
        return []
    state.begin("verify")
    claim.considered.update(new)
    runs = [claim.runs[key][0] for key in new]
    question, view = Ask(runs, note="is the claim true of earlier runs?"), claim.unresolved_view
    view = view if claim.rate == 1 else replace(view, repeat=_repeat_more(view.repeat))
    outcomes = yield from ask(state, question, view, claim.explanation())
    verdicts = [outcome.verdict if outcome is not None else UNRESOLVED for outcome in outcomes]
    judged = [(one, verdict is FAIL) for one, verdict in zip(runs, verdicts, strict=True) if verdict in (FAIL, PASS)]
    refuting = [(one, fails) for one, fails in judged if contradicts(rule, one, fails)]
    for key in (key for key, verdict in zip(new, verdicts, strict=True) if verdict not in (FAIL, PASS)):
        claim.failed_differently[key] = claim.runs.pop(key)[0]
    if refuting:
        state.end([RefutedByEarlier(len(refuting))])
    return refuting


def _check_fresh_runs(state: DiagnosisState, claim: Claim) -> Routine[list[Run]]:
    """Challenge the claim with fresh runs, and return the runs that refute it.

    The first batches are small, because a refuted claim needs no more runs. If the space is small, the fresh runs are
    all that are left of it.
    """
    state.begin("verify")
    most = int(min(max(TUNING.rest_runs, TUNING.rest_factor * state.ledger.needed), state.fair_allowance))
    rule, rest = claim.rule, claim.left_to_run(most)
    basis = Basis(claim.runs, claim.edges, claim.domain)
    challenger = Challenger(claim.space, claim.causes, basis, never=claim.never, rng=claim.rng, key=claim.key)
    fresh: Iterator[Placed] = challenger.draw() if rest is None else iter(sort_by_side(rest, rule))
    judged: list[Judged] = []
    refuting: list[Run] = []
    size = TUNING.first_batch if rest is None else len(rest)
    before = state.spent
    end = before + state.fair_allowance
    claim.inside_drawn = outside_drawn = left = 0
    while not refuting:
        repeats_turn = state.before is not None and state.spent == before
        size = int(min(size, max(1, end - state.spent)))
        batch, size = list(islice(fresh, size)), 2 * size
        if not batch:
            break
        if state.spent >= end and not repeats_turn:
            left = len(batch) + sum(1 for _ in fresh)
            break
        claim.inside_drawn += sum(family == "inside" for family, _ in batch)
        outside_drawn += sum(family == "outside" for family, _ in batch)
        new = yield from run_fresh(state, batch, rule, claim.view, claim.explanation())
        judged += [run for run in new if rule.holds(run[1]) is run[2] or contradicts(rule, *run[1:])]
        refuting = [(one, fails) for _, one, fails in judged if rule.holds(one) is not fails]
    if not refuting:
        claim.drop_hidden_options()
        rule = claim.rule
    cut_short = [CutShort("verify", left)] if left else []
    claim.check = None if cut_short and not judged else Check.of(rule, judged)
    claim.exhausted = claim.left_to_run(most) == []
    hidden = claim.failed_differently.values()
    claim.doubts = (
        [] if refuting else doubts_about(claim.space, rule, claim.runs, challenger.crossings, claim.key, hidden)
    )
    if claim.check is not None and not refuting and not cut_short:
        claim.doubts += outside_in_doubt(claim.space, rule, outside_drawn, len(claim.runs))
    claim.doubts += cut_short
    results = cut_short if claim.check is None else [claim.complete_check(claim.check)]
    state.end(results, complete=not cut_short)
    return refuting


def _is_mostly_hidden(claim: Claim) -> bool:
    """Return True if more than three of four random runs inside of the claim failed in another way."""
    return claim.check is not None and claim.inside_drawn > 4 * claim.check.inside[1]


# Passes by chance


def run_fresh(
    state: DiagnosisState, fresh: Sequence[Placed], claim: Rule, view: StepView, so_far: Explanation
) -> Routine[list[Judged]]:
    """Make the runs in ``fresh``, and return those that passed or showed the failure being explained."""
    note = f"is the claim true? {count(len(fresh), 'fresh run')}"
    outside = [run for run in fresh if run[0] == "outside"]
    others = [run for run in fresh if run[0] != "outside"]
    # Where a pass is predicted, a new configuration tells more than a repeated run.
    judged = yield from _run(state, outside, note, replace(view, repeat=Once()), so_far)
    judged += yield from _run(state, others, note, view, so_far)
    if isinstance(view.repeat, Once):
        return judged
    chance = [(part, one) for part, one, fails in judged if claim.holds(one) and not fails]
    more = replace(view, repeat=_repeat_more(view.repeat))
    again = yield from _run(state, chance, "do these runs pass again?", more, so_far)
    failed = [one for _, one, fails in again if fails]
    return [(part, one, fails or one in failed) for part, one, fails in judged]


def _run(
    state: DiagnosisState, runs: Sequence[Placed], note: str, view: StepView, so_far: Explanation
) -> Routine[list[Judged]]:
    outcomes = yield from ask(state, Ask([one for _, one in runs], note=note), view, so_far)
    verdicts = [None if outcome is None else outcome.verdict for outcome in outcomes]
    pairs = zip(runs, verdicts, strict=True)
    return [(part, one, verdict is FAIL) for (part, one), verdict in pairs if verdict in (FAIL, PASS)]


def _repeat_more(policy: Policy) -> Policy:
    """Return a policy that decides a verdict after ``pass_factor`` times as many runs as ``policy``."""
    return Repeat.k_of_n(1, TUNING.pass_factor * policy.limit)


def repeat_suspicious(state: DiagnosisState, claim: Claim) -> Routine[None]:
    """Repeat passing runs that lie among failing ones. Raise UnsteadyFailure if one of them fails now.

    The exceptions of the claim rest on such passes.
    """
    suspects = suspicious_passes(claim.space, claim.rule, claim.runs.values())
    steady = claim.rate == 1
    view = replace(claim.view, repeat=ONCE if steady else _repeat_more(claim.view.repeat))
    if (yield from any_fails_again(state, suspects, view, claim.explanation(), fresh=steady)):
        raise UnsteadyFailure


# Repairing


def repair(state: DiagnosisState, claim: Claim, refuting: Sequence[Run]) -> Routine[None]:
    """Repair the claim after runs have refuted it.

    A failure outside of the claim shows another cause, which is learnt. A pass inside of the claim shows that a field
    was overlooked: the cause is learnt again with this field.
    """
    if claim.rate == 1:  # a run that refutes the claim is believed only if it has the same verdict again
        claim.require_steady((yield from any_changed(state, refuting, claim.view, claim.draft)))
    for one, fails in refuting:
        if not contradicts(claim.rule, one, fails):
            continue  # the repair for an earlier run covers this one, too
        if fails and len(claim.causes) < claim.max_causes:
            yield from learn_cause(state, claim, one)
        elif not fails:
            yield from _relearn(state, claim, one)
    claim.drop_unneeded_terms()


def _relearn(state: DiagnosisState, claim: Claim, passing: Configuration) -> Routine[None]:
    """Learn the cause again that wrongly predicts a failure for ``passing``.

    The old cause is removed. The new one may also use the fields whose values make ``passing`` pass.
    """
    at = next(i for i, cause in enumerate(claim.causes) if cause.rule.holds(passing))
    cause, claim.repairs = claim.causes.pop(at), claim.repairs + 1
    found = yield from find_overlooked(state, claim, cause, passing)
    claim.vain_repairs += not found
    others = len(claim.causes)
    yield from learn_rule(state, claim, cause.example, [*cause.rule.fields, *found], [passing])
    if len(claim.causes) == others and not claim.has_no_simple_condition:  # the budget did not suffice to learn it
        claim.causes.insert(at, cause)
