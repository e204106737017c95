"""Widen a condition that was learnt in one slice of the space.

The numbers in a condition often depend on a choice: ``value > 127`` for one format, ``value > 32767`` for another. A
search over all fields together would have to find all of these numbers at once, and gives up. But in a *slice* of the
space, where each choice keeps its value in the failing run, the condition is short.

So if a claim cannot be repaired, its choices are fixed (``Claim.divide``), and each condition is learnt in the slice of
its failing run. Most slices share their condition with others, and that is cheap to find out: the border of the
condition is known, so a few runs on either side of it, in another slice, show if the same border is there. ``widen``
first gives all choices random values at once; only if a run contradicts the condition, it examines one choice after
another, and one value after another. The result is the largest product of values that was found: ``value > 127 and
format in {b, B}``.

A slice that does not share the condition may have another one. If nothing is known to fail there, exceptional values of
the numbers are tried. Each failing run that no cause explains is the start of another slice (``other_failures.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from rootward.diagnosis.challenges import Basis, Challenger, Crossing
from rootward.diagnosis.claim import Claim, Run
from rootward.diagnosis.notable_values import small_members
from rootward.diagnosis.questions import Routine, ask
from rootward.diagnosis.refutation import Sampling, members_of
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.rules import Rule
from rootward.search.ask import Ask
from rootward.searches.conditions.facts import NotSimple
from rootward.searches.conditions.rule_finding import EdgePair, RuleFinding
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Float, Int
from rootward.verdict import FAIL, PASS

if TYPE_CHECKING:
    import numpy as np

Box = Mapping[str, Sequence[Any]]
"""Several slices: the values of each fixed field."""


def widen_finding(
    state: DiagnosisState,
    claim: Claim,
    found: RuleFinding,
    failing: Configuration,
    names: Sequence[str],
    so_far: Explanation,
) -> Routine[RuleFinding]:
    """Return what was found in the slice of ``failing``, on the fields ``names``, for all slices that share it.

    A slice is worth learning only if its condition is short. But if it has a single field with few values, all of them
    are run: a table is a condition, too.
    """
    is_long = sum(len(term) for term in found.rule.terms) > TUNING.max_slice_conditions
    if is_long or found.gave_up:
        members = small_members(claim.space[names[0]]) if len(names) == 1 else None
        if members is None:
            return replace(found, unknown=(NotSimple(),))
        found = yield from _list_values(state, claim, found, failing, names[0], members, so_far)
    if not found.fails or (found.passes and not found.found):
        return found
    rule = found.rule if found.passes else Rule.always()
    rule = yield from widen(state, claim, rule, failing, so_far, found.edges)
    return replace(found, rule=rule, passes=sum(not fails for _, fails in claim.runs.values()))


def _list_values(
    state: DiagnosisState,
    claim: Claim,
    found: RuleFinding,
    failing: Configuration,
    name: str,
    members: Sequence[Any],
    so_far: Explanation,
) -> Routine[RuleFinding]:
    """Return a finding that lists the values of a field that fail."""
    runs = [claim.order_fields({**failing, name: value}) for value in members]
    question = Ask(runs, note=f"which values of {name} fail?")
    outcomes = yield from ask(state, question, claim.unresolved_view, so_far)
    verdicts = [None if outcome is None else outcome.verdict for outcome in outcomes]
    failed = [value for value, verdict in zip(members, verdicts, strict=True) if verdict is FAIL]
    rule = Rule.product({name: failed}).condense(claim.space)
    return replace(found, rule=rule, fails=len(failed), passes=verdicts.count(PASS), unknown=(), open=())


def widen(
    state: DiagnosisState,
    claim: Claim,
    rule: Rule,
    failing: Configuration,
    so_far: Explanation,
    edges: Sequence[EdgePair] = (),
) -> Routine[Rule]:
    """Return the rule, restricted to the slices in which it holds.

    ``rule`` was learnt in the slice of ``failing``, where ``edges`` are pairs of runs on either side of its border. It
    does not name the fixed fields.
    """
    search = _Widening(state, claim, rule, failing, so_far, edges)
    every = {name: list(members_of(claim.space[name])) for name in claim.sliced}
    if (yield from search.agrees(every)):
        return rule
    box: dict[str, list[Any]] = {name: [failing[name]] for name in claim.sliced}
    for name in sorted(claim.sliced, key=lambda name: len(every[name])):
        if len(every[name]) > 2 and (yield from search.agrees({**box, name: every[name]})):
            box[name] = every[name]
            continue
        for value in every[name]:
            if canonical(value) == canonical(failing[name]):
                continue
            if (yield from search.agrees({**box, name: [value]})):
                box[name].append(value)
            else:
                yield from search.find_failure({**failing, name: value})
    slices = Rule.product({name: box[name] for name in box if len(box[name]) < len(every[name])})
    return (rule & slices).condense(claim.space)


class _Widening:
    """Tests one rule in other slices."""

    def __init__(
        self,
        state: DiagnosisState,
        claim: Claim,
        rule: Rule,
        failing: Configuration,
        so_far: Explanation,
        edges: Sequence[EdgePair],
    ) -> None:
        self._edges = [(one.fails, one.passes) for one in edges]
        self._state, self._claim, self._rule, self._so_far = state, claim, rule, so_far
        self._failing, self._known_causes = failing, claim.rule
        self._home = {name: failing[name] for name in claim.sliced}

    def agrees(self, box: Box) -> Routine[bool]:
        """Return True if no run in these slices contradicts the rule: neither a known one nor one beside its border."""
        if any(self._contradicts(one, fails) for one, fails in self._runs_in(box).values()):
            return False
        drawn = self._probes(box)
        while probes := list(islice(drawn, TUNING.slice_batch)):
            question = Ask(probes, note="does the condition hold for other choices?")
            outcomes = yield from ask(self._state, question, self._claim.unresolved_view, self._so_far)
            judged = [(one, out.verdict) for one, out in zip(probes, outcomes, strict=True) if out is not None]
            runs = [(one, verdict is FAIL) for one, verdict in judged if verdict in (FAIL, PASS)]
            if any(self._contradicts(one, fails) for one, fails in runs):
                return False
        return True

    def _contradicts(self, one: Configuration, fails: bool) -> bool:
        """Return True if a run shows that its slice has another condition than the slice the rule was learnt in.

        Where a known cause holds in that slice, the rule says nothing.
        """
        is_explained = self._known_causes.holds({**one, **self._home})
        return self._rule.holds(one) is not fails and not (fails and is_explained)

    def _probes(self, box: Box) -> Iterator[dict[str, Any]]:
        """Yield pairs of neighbours on either side of the rule's border, then random runs, in slices of the box.

        The known pairs come first: there is one for nearly every bound. Each value of each fixed field gets pairs of
        its own.
        """
        claim, rng = self._claim, self._claim.rng
        sampling = Sampling(claim.space, self._rule, known=(), never=claim.never, rng=rng, key=claim.key)
        wanted = max(TUNING.slice_pairs, TUNING.value_pairs * max(map(len, box.values())))
        pairs = [(one.inside, one.outside) for one in self._cross_border(wanted)]
        drawn = [*self._edges, *pairs, *((sampling.draw_any(),) for _ in range(TUNING.slice_pairs))]
        choices = {name: _shuffle(values, rng) for name, values in box.items()}
        for group in drawn:
            slice_ = {name: next(values) for name, values in choices.items()}
            placed = (claim.order_fields({**one, **slice_}) for one in group)
            yield from (one for one in placed if sampling.is_new(one))

    def _cross_border(self, count: int) -> list[Crossing]:
        """Return at least ``count`` pairs of neighbours on either side of the rule's border, and one for each bound."""
        claim, cause = self._claim, FailureCause(self._rule, self._failing)
        basis = Basis(self._runs_in({name: [value] for name, value in self._home.items()}))
        challenger = Challenger(claim.space, [cause], basis, never=claim.never, rng=claim.rng, key=claim.key)
        count = max(count, sum(term.length for term in self._rule.terms))
        known = -1
        while known < len(challenger.crossings) < count:
            known = len(challenger.crossings)
            list(islice(challenger.border(), 2 * (count - known)))
        return challenger.crossings

    def _runs_in(self, box: Box) -> dict[str, Run]:
        """Return the known runs in these slices, by key."""
        wanted = {name: {canonical(value) for value in values} for name, values in box.items()}
        runs = self._claim.runs.items()
        return {key: run for key, run in runs if all(canonical(run[0][name]) in wanted[name] for name in wanted)}

    def find_failure(self, start: Configuration) -> Routine[None]:
        """Look for a failure in the slice of ``start``, at exceptional values of its numbers.

        Not needed if a failure is known there that no cause explains, or if many runs there have passed.
        """
        claim = self._claim
        known = self._runs_in({name: [start[name]] for name in claim.sliced}).values()
        unexplained = any(fails and not self._known_causes.holds(one) for one, fails in known)
        if unexplained or len(known) >= TUNING.slice_look:
            return
        numbers = [name for name in self._rule.fields if isinstance(claim.space[name], Int | Float)]
        rows = zip_longest(*([{**start, name: value} for value in claim.space[name].values] for name in numbers))
        tried = [one for row in rows for one in row if one is not None]
        question = Ask(tried[: TUNING.slice_look], until=FAIL, note="does it fail for another choice?")
        yield from ask(self._state, question, claim.unresolved_view, self._so_far)


def _shuffle(values: Sequence[Any], rng: np.random.Generator) -> Iterator[Any]:
    """Yield the values in random order, again and again."""
    while True:
        yield from (values[i] for i in rng.permutation(len(values)))
