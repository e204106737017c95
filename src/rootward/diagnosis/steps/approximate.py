"""Approximate a failure that has no simple condition, by a rule whose accuracy is measured on random inputs.

A claim that fresh runs refute again and again, or that the search itself gave up on, is not worth stating as it is.
Several rules compete: the claim, its simpler versions that were refuted and repaired before, all of these without their
exceptions, a small decision tree over all runs and some further ones, and each of these within some remainders of an
integer. They may only name fields that matter: two runs that differ in this field alone ended differently. And they
must hold for the failing input of the user, and for none of the inputs that should work.

Runs near failing ones are needed to tell the rules apart, because failures may be rare. But they say nothing about how
good a rule is where nobody looked. So the rules compete on fresh runs of which half lie near failing ones, and the best
one, or the shortest of several that are equally good, is then measured on other fresh runs: inputs drawn evenly from
the ranges of all fields. It is stated with its precision and recall there, and with the place where it is wrong most
often. If nearly all of these inputs fail, or nearly none, they do not tell a good rule from "it always fails", and the
runs near failing ones measure it. If it is not clearly better than chance, no rule is stated, only the fields that
matter.

If the budget ends before, all known runs choose a short rule, and the answer says that its accuracy was not measured.
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
from rootward.explanation.facts import Check, CutShort, Gap, NoSimpleCondition, NotMeasured, WrongMostOften
from rootward.facts import Fact
from rootward.rules import Atom, Conjunction, Estimate, Literal, Quantity, Rule, Term
from rootward.rules.quantity import fields_of
from rootward.searches.conditions.approximation import abridge, approximate_rules, narrow_to_remainders
from rootward.space.candidate import Configuration
from rootward.space.space import Text

MAX_PARTS = 4
"""Maximum number of alternatives that are tried to make a rule hold for the failing input of the user."""


def approximate(state: DiagnosisState, claim: Claim, *, steady: bool = True) -> Routine[None]:
    """Replace a claim that cannot be repaired by the best approximation of it.

    ``steady``: False if repeated runs are known to change their verdicts, however often a run is repeated.
    """
    state.release()
    contradicted = claim.causes and claim.is_contradicted and (claim.rate == 1 or not steady)
    if "verify" not in state.plan or not (claim.is_hopeless or contradicted):
        return
    if steady:
        yield from repeat_suspicious(state, claim)  # a flaky failure has no simple condition, either
    state.begin("verify")
    affordable = state.fair_runs / claim.view.repeat.limit
    is_affordable = affordable >= 3 * TUNING.approximate_runs
    size = int(min(TUNING.approximate_runs, affordable / 2)) if affordable >= TUNING.min_approximation_runs else 0
    fields = _find_fields(claim)
    # All runs are made before the rules are learnt: that takes time, too, and the budget may end meanwhile.
    closer = yield from _run_mixed(state, claim, fields, size if is_affordable else 0)
    compared = yield from _run_mixed(state, claim, fields, size)
    sample = yield from _run_random(state, claim, size, lambda sampling, _: sampling.draw_evenly())
    if closer or compared or sample:
        _state_best_rule(state, claim, fields, closer, compared, sample)
    else:
        approximate_known(state, claim)
    state.end([claim.check] if claim.check is not None else claim.doubts)


def _find_fields(claim: Claim) -> list[str]:
    names = claim.examined | {name for name in claim.rule.fields if name in claim.space}
    return [name for name in claim.space.names if name in names] or list(claim.space.names)


def _state_best_rule(
    state: DiagnosisState,
    claim: Claim,
    fields: Sequence[str],
    closer: Sequence[Judged],
    compared: Sequence[Judged],
    sample: Sequence[Judged],
) -> None:
    """State the rule that is best on the runs in ``compared``, if fresh runs show that it is better than chance.

    It is measured on ``sample``. If nearly all of these failed, or passed, it is measured on those in ``compared``.
    """
    relevant = claim.select_relevant(fields)
    rules = _competing_rules(state, claim, relevant or fields, closer)
    best = _choose_rule(rules, compared)
    failed = sum(fails for *_, fails in sample)
    tells = min(failed, len(sample) - failed) >= TUNING.min_each_verdict
    runs, drawn = (sample, {"is_sample": True}) if tells else (compared, {"is_near": True})
    check = None if best is None else Check.of(best, runs, **drawn)
    check = check if check is not None and check.beats_chance else None
    random = (0, 0) if check is not None and check.is_sample else (failed, len(sample))
    _retract(claim, NoSimpleCondition(relevant, random, searched=_has_searched(state, claim)))
    if best is not None and check is not None:
        claim.causes, claim.check = [FailureCause(best, claim.failing)], check
        claim.doubts += _find_weakest_place(claim, best, [*compared, *sample])


def approximate_known(state: DiagnosisState, claim: Claim) -> None:
    """Replace a claim that runs contradict by a short rule that agrees with most of them, if the budget has ended."""
    fields = _find_fields(claim)
    relevant = claim.select_relevant(fields)
    known = [("directed", one, fails) for one, fails in claim.runs.values()]
    rules = _competing_rules(state, claim, relevant or fields, [])
    best = _choose_rule([rule for rule in rules if len(str(rule)) <= TUNING.max_read_characters], known)
    _retract(claim, NoSimpleCondition(relevant, searched=_has_searched(state, claim)))
    check = None if best is None else Check.of(best, known)
    if best is None or check is None or not check.beats_chance:
        return
    if len(check.refuting) > TUNING.max_contradicting_share * check.runs:
        return
    claim.causes = [FailureCause(best, claim.failing)]
    claim.approximate = claim.is_contradicted
    claim.doubts = [*claim.doubts, NotMeasured(len(check.refuting), check.runs)] if claim.approximate else []


def _has_searched(state: DiagnosisState, claim: Claim) -> bool:
    """Return True if the search for a condition gave up, or made all its repairs, before the budget ended."""
    return claim.has_no_simple_condition or not (state.is_cut_short or state.is_used_up)


def _retract(claim: Claim, instead: NoSimpleCondition) -> None:
    """Replace the claim by the fact that no condition is known."""
    claim.causes, claim.check, claim.doubts, claim.approximate = [], None, [instead], True
    claim.unknown = [fact for fact in claim.unknown if isinstance(fact, CutShort | Gap)]  # not about its parts


def _choose_rule(rules: Sequence[Rule], runs: Sequence[Judged]) -> Rule | None:
    """Return the rule with the best balanced accuracy on the runs, or a shorter one that is nearly as good."""

    def worth(rule: Rule) -> float:
        accuracy = Check.of(rule, runs).score.balanced_accuracy.value
        accuracy = 1 / 2 if math.isnan(accuracy) else accuracy
        return _worth(accuracy, len(str(rule))) - TUNING.comparison_worth * rule.length

    return max(rules, key=worth, default=None)


def _competing_rules(
    state: DiagnosisState, claim: Claim, fields: Sequence[str], closer: Sequence[Judged]
) -> list[Rule]:
    """Return rules that may approximate the condition; all of them are about ``fields``.

    The trees are learnt from all runs, and from those in ``closer`` alone: a search chooses most runs at borders.
    """
    known = list(claim.runs.values())
    rules = [claim.rule, *claim.refuted]
    rules += [abridge(rule, known, _worth) for rule in rules]
    for runs in (known, [(one, fails) for _, one, fails in closer]):
        rules += approximate_rules(claim.space, fields, claim.failing, runs, claim.rng) if runs else []
    rules += [made for rule in rules if (made := narrow_to_remainders(rule, claim.space, fields, known)) is not None]
    rules = [
        _round_numbers(rule)
        for rule in rules
        if rule.terms and all(rule.terms) and all(name in fields for name in rule.fields)
    ]
    return _fit_inputs(rules, claim.failing, _nominal_inputs(state, claim))


def _nominal_inputs(state: DiagnosisState, claim: Claim) -> list[Configuration]:
    """Return the inputs of the user that should work; without those that failed."""
    given = state.study.nominal if claim.space is state.study.space else ()
    return [one for one in given if one != claim.failing and not claim.runs.get(claim.key(one), (one, False))[1]]


def _fit_inputs(rules: Sequence[Rule], failing: Configuration, nominal: Sequence[Configuration]) -> list[Rule]:
    """Return the rules that hold for the failing input of the user, and for none of the nominal ones.

    A rule that does not hold for the failing input is joined with short alternatives of other rules that do.
    """
    parts = {term for rule in rules for term in rule.terms if term.holds(failing) and not any(map(term.holds, nominal))}
    shortest = sorted(parts, key=lambda term: (len(str(term)), str(term)))[:MAX_PARTS]
    fitted = [rule for rule in rules if rule.holds(failing)]
    missing = [rule for rule in rules if not rule.holds(failing)]
    fitted += [Rule.of_terms([*rule.terms, part]) for rule in missing for part in shortest]
    fitted += [Rule.of_terms([part]) for part in shortest]
    return [rule for rule in dict.fromkeys(fitted) if not any(map(rule.holds, nominal))]


def _find_weakest_place(claim: Claim, rule: Rule, fresh: Sequence[Judged]) -> list[Fact]:
    """Return the place where the rule is wrong most often among fresh runs; nothing if it may be chance.

    The place is about a field of the rule, because nobody would see why it is about another one.
    """
    wrong = [(one, rule.holds(one) is not fails) for _, one, fails in fresh]
    share = sum(is_wrong for _, is_wrong in wrong) / len(wrong)
    *_, found = approximate_rules(claim.space, rule.fields, claim.failing, wrong, claim.rng)
    place = _round_numbers(found)
    there = [is_wrong for one, is_wrong in wrong if place.holds(one)]
    plain = all(len(fields_of(literal.field)) == 1 for term in place.terms for literal in term)
    clear = sum(there) >= TUNING.min_wrong and Estimate.of(sum(there), len(there)).low > share
    told = clear and plain and all(place.terms) and place != rule
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


def _worth(accuracy: float, characters: int) -> float:
    """Return the accuracy of a rule, less if it is long: nobody reads ten lines of an approximation."""
    return accuracy - TUNING.character_worth * max(0, characters - TUNING.max_read_characters)


def _run_mixed(state: DiagnosisState, claim: Claim, fields: Sequence[str], size: int) -> Routine[list[Judged]]:
    """Run random configurations: half anywhere, half failing runs with some fields changed.

    Half of the texts among the changed fields are variations of the text that failed.
    """
    failed = [one for one, fails in claim.runs.values() if fails] or [claim.failing]

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

    return (yield from _run_random(state, claim, size, draw))


def _run_random(
    state: DiagnosisState, claim: Claim, size: int, draw: Callable[[Sampling, int], dict[str, Any]]
) -> Routine[list[Judged]]:
    """Run ``size`` new configurations from ``draw``, which gets the number of the draw."""
    sampling = Sampling(claim.space, claim.rule, known=claim.runs, never=claim.never, rng=claim.rng, key=claim.key)
    drawn = (draw(sampling, turn) for turn in range(TUNING.draws_per_run * size))
    fresh = islice((("directed", one) for one in drawn if sampling.is_new(one)), size)
    return (yield from run_fresh(state, list(fresh), Rule.never(), claim.view, claim.explanation()))
