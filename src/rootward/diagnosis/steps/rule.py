"""Learn the exact condition under which it fails.

The condition is learnt on the fields that matter (``searches/conditions``); all others keep the values of the failing
configuration. Nothing is run where a known cause holds: so the result is another cause, which is added to the claim.

A bound on one field is exact if two neighbouring values have different verdicts. A bound on ``width * height`` is not:
neighbours in one field lie far apart in the product, and the learnt constant is just the roundest one between them. So
further runs are made on either side of the constant, with products as close to it as can be found; a run that refutes
the constant narrows the range for the next one (``narrow_constants``).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rootward.diagnosis.claim import Claim
from rootward.diagnosis.notable_values import find_border
from rootward.diagnosis.questions import Routine, StepView, ask, run_search
from rootward.diagnosis.state import DiagnosisState
from rootward.diagnosis.steps.fields import find_fields, leave_other_failures
from rootward.diagnosis.steps.slices import widen_finding
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.explanation.facts import Condition, CutShort, NoSimpleCondition, Result
from rootward.facts import Fact
from rootward.rules import Atom, Conjunction, Literal, Quantity, Rule, Term
from rootward.search.ask import Ask
from rootward.search.relay import relay
from rootward.searches.conditions import METHODS
from rootward.searches.conditions.boundaries.simplicity import find_simplest
from rootward.searches.conditions.facts import NoCondition, OpenBound
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.space.candidate import Configuration
from rootward.space.keys import canonical
from rootward.space.space import Float, Int, Space
from rootward.verdict import PASS

if TYPE_CHECKING:
    import numpy as np


Known = Iterable[tuple[Configuration, bool]]
Narrowing = Generator[Sequence[Configuration], Known, tuple[Rule, list[Fact]]]


def learn_cause(state: DiagnosisState, claim: Claim, failing: Configuration) -> Routine[None]:
    """Learn the cause that a failing configuration shows, and add it to the claim.

    The fields that matter are found first, then the rule. ``failing`` must lie outside of all known causes.
    """
    failing = yield from leave_other_failures(state, claim, failing)
    yield from learn_rule(state, claim, failing, (yield from find_fields(state, claim, failing)))


def learn_rule(
    state: DiagnosisState,
    claim: Claim,
    failing: Configuration,
    fields: Iterable[str],
    also: Iterable[Configuration] = (),
) -> Routine[None]:
    """Learn a condition, and add it to the claim as a cause.

    The condition is about ``fields`` and about the fields of known causes. ``also``: configurations that refuted an
    earlier condition; the new one must explain them, too.
    """
    wanted = {*fields, *claim.fields}
    names = [name for name in claim.space.names if name in wanted]
    names = [name for name in names if name not in claim.sliced] or names
    if not names:
        claim.causes.append(FailureCause(Rule.always(), failing))
        return
    if "rule" not in state.plan:
        return
    if state.is_used_up and state.is_cut_short:  # said already
        claim.unknown.append(CutShort("rule"))
        return
    state.begin("rule")
    claim.examined.update(names)
    terms = [*(claim.elsewhere.terms if claim.elsewhere else ()), *claim.rule.terms]
    view = replace(claim.unresolved_view, explained=Rule.of_terms(terms) if terms else None)
    search = partial(
        METHODS["boundaries"],
        claim.space,
        failing,
        fields=names,
        verify=TUNING.rule_fresh_runs,
        derived=state.list_derived(claim.space),
        also=[*also, *_known_runs(claim, failing, names)],
    )
    learn = partial(run_search, state, draft=partial(_make_draft, claim, failing))
    found: RuleFinding = yield from learn(search(seed=claim.seed + claim.repairs), view)
    if found.complete and found.fails and found.unjudged and not found.passes:
        # It fails everywhere. Count the runs that fail in another way as passes: this failure does not show there.
        view = replace(view, explained=claim.rule, other=PASS)
        found = yield from learn(search(seed=claim.seed + claim.repairs), view)
    if found.found and found.complete:
        found = yield from _make_exact(state, claim, found, view, _make_draft(claim, failing, found))
    if claim.sliced and found.complete and not set(names) & set(claim.sliced):
        found = yield from widen_finding(state, claim, found, failing, names, _make_draft(claim, failing, found))
    result: Fact = Condition(found.rule, sure=found.complete) if found.found else Result.FOUND
    result = NoSimpleCondition(claim.select_relevant(names)) if found.gave_up else result
    state.end([result], found, complete=found.complete)
    if not found.complete:
        state.hold_back(claim.approximation_trials)
    claim.require_steady(found.unsteady)
    add_cause(claim, found, failing)


def _known_runs(claim: Claim, failing: Configuration, names: Sequence[str]) -> list[Configuration]:
    """Return earlier runs that differ from ``failing`` only in the fields ``names``: they cost nothing.

    They are used only once a claim has been refuted; the first search asks better questions of its own.
    """
    if not claim.repairs and not claim.causes:
        return []
    rest = [name for name in claim.space.names if name not in set(names)]
    own = [canonical(failing[name]) for name in rest]
    alike = [one for one, _ in claim.runs.values() if [canonical(one[name]) for name in rest] == own]
    return alike[-TUNING.max_reused :]


def add_cause(claim: Claim, found: RuleFinding, failing: Configuration) -> None:
    """Add the learnt rule to the claim as a cause. If no rule was found, add a fact that says what is unknown."""
    unended = () if found.complete else (CutShort("rule"),)
    if found.found:
        claim.causes.append(FailureCause(found.rule, failing, open=(*found.open, *found.unknown, *unended)))
        claim.edges += found.edges
    elif found.fails and not found.passes and all(fails for _, fails in claim.runs.values()):
        claim.causes.append(FailureCause(Rule.always(), failing, open=unended))
    else:
        unknown = NoCondition(found.fails, found.passes, found.of) if found.complete else CutShort("rule")
        claim.unknown.append(unknown)


def _make_draft(claim: Claim, failing: Configuration, found: RuleFinding) -> Explanation:
    """Return the explanation so far, while the condition is learnt."""
    causes = [FailureCause(found.rule, failing)] if found.found else []
    return replace(
        claim.draft, causes=(*claim.causes, *causes), relevant=found.rule.fields, unknown=(CutShort("rule"),)
    )


# Bounds on quantities


def _make_exact(
    state: DiagnosisState, claim: Claim, found: RuleFinding, view: StepView, so_far: Explanation
) -> Routine[RuleFinding]:
    """Return the same rule, with the constants of its quantities narrowed by further runs."""

    def run(wanted: Sequence[Configuration]) -> Routine[Known]:
        question = Ask([claim.order_fields(one) for one in wanted], note="where exactly does it begin to fail?")
        yield from ask(state, question, view, so_far)
        return list(claim.runs.values())

    search = narrow_constants(claim.space, found.rule, list(claim.runs.values()), claim.rng)
    rule, open_bounds = yield from relay(search, run)
    return replace(found, rule=rule, open=(*found.open, *open_bounds))


@dataclass(frozen=True)
class TermBound:
    """A comparison of a quantity with a number, in a term of a rule."""

    term: Term
    literal: Literal
    atom: Atom

    @property
    def quantity(self) -> Quantity:
        assert isinstance(self.literal.field, Quantity)
        return self.literal.field

    def others_hold(self, configuration: Configuration) -> bool:
        """Return True if all other conditions of the term hold.

        This comparison alone then decides if the term holds.
        """
        return all(one.holds(configuration) for one in self.term if one is not self.literal)

    def with_constant(self, constant: Any) -> TermBound:
        """Return the same comparison with another constant."""
        atom = Atom(self.quantity, self.atom.op, constant)
        literal = Literal(self.quantity, [Conjunction([atom])])
        return TermBound(Term(literal if one is self.literal else one for one in self.term), literal, atom)


def _find_bounds(rule: Rule) -> Iterator[TermBound]:
    """Yield the bounds of a rule: conditions that say that a quantity is less or greater than a number."""
    for term in rule.terms:
        for literal in term:
            if isinstance(literal.field, Quantity) and not literal.field.is_comparison and literal.length == 1:
                [[atom]] = literal.alternatives
                if atom.op in ("<", "<=", ">", ">=") and atom.value != 0:
                    yield TermBound(term, literal, atom)


def narrow_constants(space: Space, rule: Rule, known: Known, rng: np.random.Generator) -> Narrowing:
    """Narrow the constants of the rule's quantities by runs. Return the new rule, and the bounds that are still open.

    Yields configurations to run, and is sent all known runs.
    """
    open_: list[Fact] = []
    for bound in list(_find_bounds(rule)):
        search = _Narrowing(space, rule, bound, rng)
        for turn in range(TUNING.max_narrowed):
            if not search.learn(known):
                break
            wanted = search.nearest(halving=turn >= TUNING.round_first)
            if not wanted:
                break
            known = yield wanted
        else:
            open_.append(search.open_bound())
        rule = search.rule
    return rule, open_


class _Narrowing:
    """One bound, with the range in which its constant lies."""

    def __init__(self, space: Space, rule: Rule, bound: TermBound, rng: np.random.Generator) -> None:
        self._space, self._rng, self._bound = space, rng, bound
        self._others = Rule.of_terms(term for term in rule.terms if term != bound.term)
        self._upwards = bound.atom.op in (">", ">=")
        self._low: Any = None
        self._high: Any = None
        self._start: list[Configuration] = []

    @property
    def rule(self) -> Rule:
        return Rule.of_terms([*self._others.terms, self._bound.term])

    def learn(self, known: Known) -> bool:
        """Update the range from all known runs. Return False if no range agrees with them."""
        here = [(one, fails) for one, fails in known if self._decides(one)]
        values = [(self._bound.quantity.of(one), fails) for one, fails in here]
        below = [value for value, fails in values if fails is not self._upwards]
        above = [value for value, fails in values if fails is self._upwards]
        if not below or not above or not max(below) < min(above):
            return False
        self._low, self._high, self._start = max(below), min(above), [one for one, _ in here]
        if not self._agrees(self._bound.atom.value):
            whole = isinstance(self._low, int) and isinstance(self._high, int)
            last = self._high - 1 if whole and self._bound.atom.op in (">", "<=") else self._high
            first = self._low + 1 if whole and self._bound.atom.op in (">=", "<") else self._low
            self._bound = self._bound.with_constant(find_simplest(first, last, whole=whole))
        return True

    def _agrees(self, constant: Any) -> bool:
        """Return True if the constant agrees with the known runs."""
        if self._bound.atom.op in (">", "<="):
            return bool(self._low <= constant < self._high)
        return bool(self._low < constant <= self._high)

    def _decides(self, configuration: Configuration) -> bool:
        value = self._bound.quantity.of(configuration)
        return value == value and self._bound.others_hold(configuration) and not self._others.holds(configuration)

    def nearest(self, *, halving: bool) -> list[Configuration]:
        """Return configurations inside of the range that lie nearest to the constant.

        There is one on either side, if one was found. ``halving``: use the middle of the range instead of the constant.
        """
        goal = (self._low + self._high) / 2 if halving else self._bound.atom.value
        found: dict[bool, tuple[Any, Configuration]] = {}
        for turn in range(TUNING.max_pairs):
            if turn >= TUNING.first_pairs and found:
                break
            for one in self._draw_pair():
                value = self._bound.quantity.of(one)
                if self._low < value < self._high and self._decides(one):
                    side, far = value > goal, abs(value - goal)
                    if side not in found or far < found[side][0]:
                        found[side] = far, one
        return [one for _, one in found.values()]

    def _draw_pair(self) -> Iterator[Configuration]:
        """Yield two configurations that differ in one field, one on either side of the constant.

        Most of the other fields of the quantity get random values.
        """
        start = dict(self._start[int(self._rng.integers(len(self._start)))])
        names = [name for name in self._bound.quantity.fields if isinstance(self._space[name], Int | Float)]
        if not names:
            return
        pivot = names[int(self._rng.integers(len(names)))]
        for name in names:
            if name != pivot and self._rng.random() < 0.7:
                start[name] = self._space[name].sample(self._rng)
        yield from self._cross_constant(start, pivot)

    def _cross_constant(self, start: Mapping[str, Any], pivot: str) -> Iterator[Configuration]:
        field, holds = self._space[pivot], self._bound.literal.holds
        low, high = (field.decompress(place) for place in field.span)
        first = holds({**start, pivot: low})
        if first is holds({**start, pivot: high}):
            return
        for value in find_border(field, low, high, lambda value: holds({**start, pivot: value}) is first):
            yield {**start, pivot: value}

    def open_bound(self) -> Fact:
        return OpenBound(self._bound.quantity, self._low, self._high)
