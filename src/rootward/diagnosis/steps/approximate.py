"""Approximate a failure that has no simple condition, by a rule whose accuracy is measured on fresh runs.

A claim that fresh runs refute again and again, or that the search itself gave up on, is not worth stating as it is.
Several rules compete: the claim, its simpler versions that were refuted and repaired before, all of these without their
exceptions, a small decision tree over all runs and some further ones, and each of these within some remainders of an
integer. All are measured on fresh random runs, half of them near failing ones, and the best one is stated, with its
precision and recall; if several are equally good, the shortest. If none is better than chance, no rule is stated, only
the fields that matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Routine
from rootward.diagnosis.refutation import Sampling
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.verify import Judged, repeat_suspicious, run_fresh
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause
from rootward.explanation.facts import Check, NoSimpleCondition
from rootward.rules import Atom, Conjunction, Literal, Quantity, Rule, Term
from rootward.searches.conditions.approximation import abridge, approximate_rules, narrow_to_remainders
from rootward.space.candidate import Configuration
from rootward.space.space import Text


def approximate(state: DiagnosisState, claim: Claim, failing: Configuration) -> Routine[None]:
    """Replace a claim that cannot be repaired by the best approximation of it."""
    if "verify" not in state.plan or not claim.is_hopeless:
        return
    yield from repeat_suspicious(state, claim)  # a flaky failure has no simple condition, either
    state.begin("verify")
    names = sorted(claim.examined | {name for name in claim.rule.fields if name in claim.space})
    fields = [name for name in claim.space.names if name in names] or list(claim.space.names)
    yield from _run_random(state, claim, fields, failing, "looking closer")
    known = list(claim.runs.values())
    rules = [claim.rule, *claim.refuted]
    rules += [abridge(rule, known, _worth) for rule in rules]
    rules += approximate_rules(claim.space, fields, failing, known, claim.rng)
    rules += [made for rule in rules if (made := narrow_to_remainders(rule, claim.space, fields, known)) is not None]
    judged = yield from _run_random(state, claim, fields, failing, "how good is the approximate rule?")
    rounded = [_round_numbers(rule) for rule in rules if rule.terms and all(rule.terms)]
    checks = {rule: Check.of(rule, [("directed", one, fails) for _, one, fails in judged]) for rule in rounded}
    best = max(checks, key=lambda rule: (_worth(_accuracy(checks[rule]), len(str(rule))), -rule.length), default=None)
    useful = best is not None and _accuracy(checks[best]) >= TUNING.min_useful_accuracy
    claim.causes = [FailureCause(best, failing)] if useful and best is not None else []
    claim.check = checks[best] if useful and best is not None else None
    claim.doubts, claim.approximate = [NoSimpleCondition(tuple(fields))], True
    state.end([claim.check] if claim.check is not None else claim.doubts)


def _round_numbers(rule: Rule) -> Rule:
    """Return a rule with three digits of each decimal number: more would pretend that an approximation is exact."""

    def round_part(part: Any) -> Any:
        if isinstance(part, Quantity):
            return Quantity(part.op, *map(round_part, part.parts))
        return float(f"{part:.3g}") if isinstance(part, float) else part

    def round_literal(literal: Literal) -> Literal:
        field = round_part(literal.field)
        rounded = ([Atom(field, atom.op, round_part(atom.value)) for atom in one] for one in literal.alternatives)
        return Literal(field, map(Conjunction, rounded))

    return Rule.of_terms(Term(map(round_literal, term)) for term in rule.terms)


def _accuracy(check: Check) -> float:
    return check.score.balanced_accuracy.value


def _worth(accuracy: float, characters: int) -> float:
    """Return the accuracy of a rule, less if it is long: nobody reads ten lines of an approximation."""
    return accuracy - TUNING.character_worth * max(0, characters - TUNING.max_read_characters)


def _run_random(
    state: DiagnosisState, claim: Claim, fields: Sequence[str], failing: Configuration, note: str
) -> Routine[list[Judged]]:
    """Run random configurations: half anywhere, half failing runs with some fields changed.

    Half of the texts among the changed fields are variations of the text that failed.
    """
    sampling = Sampling(claim.space, claim.rule, known=claim.runs, never=claim.never, rng=claim.rng, key=claim.key)
    failed = [one for one, fails in claim.runs.values() if fails] or [failing]
    drawn: list[tuple[str, dict[str, Any]]] = []
    for turn in range(TUNING.draws_per_run * TUNING.approximate_runs):
        if len(drawn) == TUNING.approximate_runs:
            break
        one = sampling.draw_any()
        if turn % 2:
            start = failed[int(claim.rng.integers(len(failed)))]
            some = claim.rng.choice(fields, size=int(claim.rng.integers(1, len(fields) + 1)), replace=False)
            changed = [str(name) for name in some]
            texts = [name for name in changed if turn % 4 == 1 and isinstance(claim.space[name], Text)]
            other = {name: sampling.vary_value(name, start[name]) if name in texts else one[name] for name in changed}
            one = claim.order_fields({**start, **other})
        if sampling.is_new(one):
            drawn.append(("directed", one))
    return (yield from run_fresh(state, drawn, Rule.never(), claim.view, claim.explanation()))
