"""Approximate a failure that has no simple condition, by a rule whose accuracy is measured on random inputs.

A claim that fresh runs refute again and again, or that the search itself gave up on, is not worth stating as it is.
Several rules compete: the claim, its simpler versions that were refuted and repaired before, all of these without their
exceptions, a small decision tree over all runs and some further ones, and each of these within some remainders of an
integer. They may only name fields that matter: two runs that differ in this field alone ended differently.

Runs near failing ones are needed to tell the rules apart, because failures may be rare. But they say nothing about how
good a rule is where nobody looked. So the rules compete on fresh runs of which half lie near failing ones, and the best
one, or the shortest of several that are equally good, is then measured on other fresh runs: inputs drawn evenly from
the ranges of all fields. It is stated with its precision and recall there, and with the place where it is wrong most
often. If it is no better than chance, no rule is stated, only the fields that matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.questions import Routine
from rootward.diagnosis.refutation import Sampling
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.verify import Judged, repeat_suspicious, run_fresh
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import FailureCause
from rootward.explanation.facts import Check, NoSimpleCondition, WrongMostOften
from rootward.facts import Fact
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
    closer = yield from _run_mixed(state, claim, fields, failing)
    rules = _competing_rules(claim, claim.select_relevant(fields) or fields, failing, closer)
    compared = yield from _run_mixed(state, claim, fields, failing)
    checks = {rule: Check.of(rule, compared) for rule in rules}
    best = max(checks, key=lambda rule: (_worth(_accuracy(checks[rule]), len(str(rule))), -rule.length), default=None)
    sample = yield from _run_random(state, claim, lambda sampling, _: sampling.draw_evenly())
    claim.causes, claim.check, claim.doubts = [], None, [NoSimpleCondition(claim.select_relevant(fields))]
    claim.approximate = True
    if best is not None and _is_useful(checks[best], measured := Check.of(best, sample, is_sample=True)):
        claim.causes, claim.check = [FailureCause(best, failing)], measured
        claim.doubts += _find_weakest_place(claim, best, fields, failing, [*compared, *sample])
    state.end([claim.check] if claim.check is not None else claim.doubts)


def _competing_rules(
    claim: Claim, fields: Sequence[str], failing: Configuration, closer: Sequence[Judged]
) -> list[Rule]:
    """Return rules that may approximate the condition; all of them are about ``fields``.

    The trees are learnt from all runs, and from those in ``closer`` alone: a search chooses most runs at borders.
    """
    known = list(claim.runs.values())
    rules = [claim.rule, *claim.refuted]
    rules += [abridge(rule, known, _worth) for rule in rules]
    for runs in (known, [(one, fails) for _, one, fails in closer]):
        rules += approximate_rules(claim.space, fields, failing, runs, claim.rng)
    rules += [made for rule in rules if (made := narrow_to_remainders(rule, claim.space, fields, known)) is not None]
    return [
        _round_numbers(rule)
        for rule in rules
        if rule.terms and all(rule.terms) and all(name in fields for name in rule.fields)
    ]


def _is_useful(compared: Check, measured: Check) -> bool:
    """Return True if a rule is better than chance, also among random inputs, unless these do not show both verdicts."""
    accuracies = [_accuracy(compared), _accuracy(measured)]
    return all(math.isnan(one) or one >= TUNING.min_useful_accuracy for one in accuracies)


def _find_weakest_place(
    claim: Claim, rule: Rule, fields: Sequence[str], failing: Configuration, fresh: Sequence[Judged]
) -> list[Fact]:
    """Return the place where the rule is wrong most often among fresh runs; nothing if there is no such place."""
    wrong = [(one, rule.holds(one) is not fails) for _, one, fails in fresh]
    *_, found = approximate_rules(claim.space, fields, failing, wrong, claim.rng)
    place = _round_numbers(found)
    there = [is_wrong for one, is_wrong in wrong if place.holds(one)]
    told = any(there) and all(place.terms) and place != rule
    return [WrongMostOften(place, sum(there), len(there))] if told else []


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


def _run_mixed(
    state: DiagnosisState, claim: Claim, fields: Sequence[str], failing: Configuration
) -> Routine[list[Judged]]:
    """Run random configurations: half anywhere, half failing runs with some fields changed.

    Half of the texts among the changed fields are variations of the text that failed.
    """
    failed = [one for one, fails in claim.runs.values() if fails] or [failing]

    def draw(sampling: Sampling, turn: int) -> dict[str, Any]:
        one = sampling.draw_evenly()
        if turn % 2 == 0:
            return one
        start = failed[int(claim.rng.integers(len(failed)))]
        some = claim.rng.choice(fields, size=int(claim.rng.integers(1, len(fields) + 1)), replace=False)
        changed = [str(name) for name in some]
        texts = [name for name in changed if turn % 4 == 1 and isinstance(claim.space[name], Text)]
        other = {name: sampling.vary_value(name, start[name]) if name in texts else one[name] for name in changed}
        return claim.order_fields({**start, **other})

    return (yield from _run_random(state, claim, draw))


def _run_random(
    state: DiagnosisState, claim: Claim, draw: Callable[[Sampling, int], dict[str, Any]]
) -> Routine[list[Judged]]:
    """Run new configurations from ``draw``, which gets the number of the draw."""
    sampling = Sampling(claim.space, claim.rule, known=claim.runs, never=claim.never, rng=claim.rng, key=claim.key)
    drawn = (draw(sampling, turn) for turn in range(TUNING.draws_per_run * TUNING.approximate_runs))
    fresh = islice((("directed", one) for one in drawn if sampling.is_new(one)), TUNING.approximate_runs)
    return (yield from run_fresh(state, list(fresh), Rule.never(), claim.view, claim.explanation()))
