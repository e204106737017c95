"""Read the condition off the table of all verdicts, if the space is small and no search found a certain condition.

Settings that exclude each other in many ways have a condition with a dozen alternatives. A search, which sees a few
runs of each, gives up on it; but the whole space is often small. Then every configuration is run, and the failing ones
are written as one short rule. It is stated only if it is shorter than the table, in bits: a rule that merely lists
failing configurations explains nothing.
"""

from __future__ import annotations

import math

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Routine
from rootward.diagnosis.refutation import members_of, sort_by_side
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.verify import repeat_suspicious, run_fresh
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.facts import Check
from rootward.rules import Atom, Rule
from rootward.searches.conditions.boundaries.simplicity import verdict_bits
from rootward.space.candidate import Configuration
from rootward.space.space import Space


def tabulate(state: DiagnosisState, claim: Claim, failing: Configuration) -> Routine[None]:
    """Run all that is left of a small space if the claim is not certain, and replace it if the table refutes it."""
    open_yet = "verify" in state.plan and "rule" in state.plan and not claim.explanation().certain
    rest = claim.left_to_run(TUNING.table_runs) if open_yet else None
    if rest is None or not (rest or claim.is_hopeless or claim.is_contradicted):
        return
    state.begin("verify")
    if len(rest) > state.fair_allowance:
        state.end(claim.unknown)
        return
    if claim.failed_differently:
        claim.separate_failures()
    judged = yield from run_fresh(state, sort_by_side(rest, claim.rule), claim.rule, claim.view, claim.explanation())
    claim.exhausted = claim.left_to_run(TUNING.table_runs) == []
    failed = [one for one, fails in claim.runs.values() if fails]
    if claim.exhausted and (claim.is_hopeless or claim.is_contradicted):
        rule = Rule([[Atom(name, "=", one[name]) for name in claim.space] for one in failed]).condense(claim.space)
        if _is_shorter_than_table(rule, claim.space, len(failed), len(claim.runs)):
            claim.state(rule, failing)
            claim.unknown, claim.doubts = [], []
    claim.check = Check.of(claim.rule, judged)
    state.end([claim.complete_check(claim.check)])
    yield from repeat_suspicious(state, claim)


def _is_shorter_than_table(rule: Rule, space: Space, failed: int, count: int) -> bool:
    """Return True if it takes fewer bits to write the rule than to say which configurations fail."""
    options = sum(len(list(members_of(space[name]))) for name in space)
    return rule.length * math.log2(2 * options) < verdict_bits(failed, count)
