"""The claim: what a diagnosis believes about one failure. Its causes, the runs behind them, and what is still open.

The claim says: the system fails where at least one of the causes holds, and nowhere else. It starts empty. The steps
``rule`` and ``others`` add causes; ``verify`` tests the claim on runs that could refute it, and retracts a cause that
is refuted, to learn it again with another field.

The claim's ``view`` reports every run of every step to ``_record_run``. So the claim always rests on all runs, and a
run that contradicts it is kept even if the step that made it was looking for something else. ``explanation`` turns the
claim into facts: each cause with its counts of runs, the result of the latest check, and everything that is open.

A claim relies on verdicts. If the failure was assumed to show every time and a repeated run changes its verdict, some
recorded passes may be chance: the step raises ``UnsteadyFailure``, and the conductor starts over with a measured rate
(``start_over`` forgets all runs and causes, ``expect_rate`` sets the number of runs per verdict).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import xor
from typing import Any

from rootward.diagnosis.notable_values import allowed_options
from rootward.diagnosis.questions import StepView, policy_for_rate
from rootward.diagnosis.refutation import agrees, all_configurations, constants_of, contradicts, left_to_run
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation, FailureCause, claim_of
from rootward.explanation.facts import Check, Contradicted, OtherTexts, TextsTried
from rootward.facts import Fact
from rootward.rules import Estimate, Literal, Quantity, Rule, Term
from rootward.rules.predicates import NAMED, SETS
from rootward.rules.terms import equalities
from rootward.searches.conditions.facts import FewTried, NoCondition, NotSimple, UndefinedQuantity
from rootward.searches.conditions.rule_finding import EdgePair
from rootward.space.candidate import Configuration, key_of
from rootward.space.keys import canonical
from rootward.space.space import Float, Int, Space, Text
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome

PATTERNS = {*NAMED, *SETS, "any", "later"}
"""Predicates that hold for texts with some characters, or with a shape."""
Run = tuple[Configuration, bool]
"""A configuration that was run, and True if it failed."""


class UnsteadyFailure(Exception):
    """A verdict on which the claim rests turned out to be wrong.

    Either the failure was assumed to show every time, but the same configuration both failed and passed.
    Or the failure is known to be flaky, and a pass turned out to be chance.
    """


class Claim:
    """All known causes of one failure."""

    def __init__(
        self,
        space: Space,
        *,
        view: StepView,
        draft: Explanation | None = None,
        rate: float = 1.0,
        never: Rule | None = None,
        seed: int = 0,
        runs: Mapping[str, Run] | None = None,
        elsewhere: Rule | None = None,
        seeded: bool = False,
        domain: Sequence[Any] = (),
        separated: bool = False,
        derived: Sequence[Quantity] = (),
    ) -> None:
        """``space``: the fields that the causes are about.
        ``view``: the way to ask the subject about configurations of that space.
        ``draft``: the explanation so far.
        ``rate``: the share of runs in which the failure shows.
        ``never``: configurations for which this rule holds must not be run.
        ``runs``: imported runs, by their keys.
        ``elsewhere``: a rule that holds where another failure is already explained. Rules are first learnt without runs
        there.
        ``seeded``: True if a repeated run may have another verdict.
        ``domain``: values that the user's examples, the error text or the source of the subject mention.
        ``separated``: True if other failures count as passes, because they occur where this one does.
        ``derived``: quantities that the causes may name like fields.
        """
        import numpy as np

        self.space, self.never, self.seed, self.elsewhere, self.seeded = space, never, seed, elsewhere, seeded
        self.domain, self.derived = domain, derived
        self.view = replace(view, on_answer=self._record_run, never=never, other=PASS if separated else view.other)
        self.draft = draft or Explanation()
        self.expect_rate(rate)
        self.separated = separated
        self.rng = np.random.default_rng([seed, 0xD1A6])
        self.runs = dict(runs or {})
        """The configurations that were run, by key, each with True if it failed."""
        self.ways: Counter[str] = Counter()
        """Number of failing runs by signature: more than one signature only if any failure counts."""
        self.failed_differently: dict[str, Configuration] = {}
        """The configurations that failed in another way, by key."""
        self.outcomes: dict[str, tuple[Configuration, Outcome]] = {}
        """The outcome of each run, by key."""
        self.doubts: list[Fact] = []
        """Facts that keep the claim from being certain although no run refutes it."""
        self.failing: Configuration = {}
        """The configuration to start from."""
        self.approximate = False
        """True if the causes are only an approximation, because there is no simple condition."""
        self.causes: list[FailureCause] = []
        self.edges: list[EdgePair] = []
        """Pairs of runs on either side of a border."""
        self.examined: set[str] = set()
        """Fields that a rule was learnt on."""
        self.sliced: tuple[str, ...] = ()
        """Fields that keep their values while a condition is learnt, because the condition differs by them."""
        self.repairs = 0
        """Number of causes retracted so far; part of the seed, so that the next attempt asks other questions."""
        self.vain_repairs = 0
        """Number of causes that were learnt again although no field had been overlooked."""
        self.refuted: list[Rule] = []
        """The claims that were refuted and repaired, in their order."""
        self.unknown: list[Fact] = []
        self.check: Check | None = None
        self.inside_drawn = 0
        """Random runs inside of the claim in the latest check, with those that failed in another way."""
        self.exhausted = False
        """True if every configuration that may be run was run."""
        self._imported = frozenset(self.runs)
        self.considered = set(self.runs)
        """The keys of runs already checked against the claim, or imported."""

    def expect_rate(self, rate: float) -> None:
        """Set the assumed rate of the failure, and with it the number of runs that decide a verdict."""
        self.rate = rate
        self.view = replace(self.view, repeat=policy_for_rate(rate))

    def start_over(self, rate: Estimate | None = None) -> None:
        """Forget all runs and causes.

        ``rate``: the measured rate of the failure; None if it was not measured.
        """
        self.draft = replace(self.draft, causes=(), check=None, rate=self.draft.rate if rate is None else rate)
        self.runs, self.causes, self.edges, self.unknown, self.check = {}, [], [], [], None
        self.doubts, self.approximate, self.refuted = [], False, []
        self.exhausted, self.sliced, self.vain_repairs = False, (), 0

    def divide(self) -> bool:
        """Drop a claim that cannot be repaired, to learn it slice by slice. Return False if nothing can be fixed."""
        if not self.can_divide:
            return False
        self.sliced, self.repairs, self.vain_repairs = self._next_slices(), self.repairs + 1, 0
        self.causes, self.edges, self.unknown, self.doubts, self.check = [], [], [], [], None
        self.considered = set(self._imported)
        return True

    @property
    def can_divide(self) -> bool:
        """True if further fields can be fixed, to learn the condition slice by slice."""
        return len(self._next_slices()) > len(self.sliced)

    def _next_slices(self) -> tuple[str, ...]:
        """Return the fields to fix next: fields that matter and have few values.

        Unordered fields come first, then also small integers. At least one number is left.
        """
        fixable = [name for name in self.space.names if name in self.examined and self._may_fix(name)]
        choices = [name for name in fixable if not isinstance(self.space[name], Int)]
        numbers = {name for name in self.examined if isinstance(self.space[name], Int | Float)}
        for names in (choices, fixable):
            relevant = self.select_relevant(names)
            fixed = tuple(name for name in names if name in self.sliced or name in relevant)
            if len(fixed) > len(self.sliced) and numbers - set(fixed):
                return fixed
        return self.sliced

    def unite_slices(self) -> None:
        """Write the causes of all slices as one short rule, with a cause for each of its terms.

        Causes of different slices overlap: ``value < 0`` may hold in many, each with its own upper bound.
        """
        if not self.sliced or len(self.causes) < 2:
            return
        self.unknown += [fact for cause in self.causes for fact in cause.open]
        self.state(self.rule.condense(self.space), self.causes[0].example)

    def state(self, rule: Rule, spare: Configuration) -> None:
        """Replace the causes by one for each term of a rule. ``spare``: the example of a term without a failing run."""
        rules = [Rule.of_terms([term]) for term in rule.terms]
        self.causes = [FailureCause(one, self.example_of(one) or spare) for one in rules]

    def _may_fix(self, name: str) -> bool:
        field = self.space[name]
        few = isinstance(field, Int) and field.size <= TUNING.max_slice_values
        return few or not isinstance(field, Int | Float | Text)

    def select_relevant(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of the fields ``names`` that runs show to matter: two that differ only there differ in verdict.

        A run is the combination of the marks of its values, so that leaving out one field takes one operation.
        """
        if not (wanted := tuple(names)):
            return ()
        marked = [
            ({name: int(key_of([name, one[name]]), 16) for name in self.space.names}, fails)
            for one, fails in self.runs.values()
        ]
        whole = [(reduce(xor, marks.values(), 0), marks, fails) for marks, fails in marked]

        def matters(name: str) -> bool:
            seen: dict[int, bool] = {}
            return any(seen.setdefault(run ^ marks[name], fails) is not fails for run, marks, fails in whole)

        return tuple(name for name in wanted if matters(name))

    @property
    def max_causes(self) -> int:
        """The maximum number of causes: in slices, each may have its own."""
        return TUNING.max_sliced_causes if self.sliced else TUNING.max_causes

    @property
    def rule(self) -> Rule:
        """The rule that holds where at least one of the causes holds."""
        return claim_of(self.causes)

    @property
    def has_no_simple_condition(self) -> bool:
        """True if a search for the condition gave up or found nothing."""
        gave_up = any(isinstance(fact, NotSimple) for cause in self.causes for fact in cause.open)
        return gave_up or any(isinstance(fact, NoCondition) for fact in self.unknown)

    @property
    def is_hopeless(self) -> bool:
        """True if there is no simple condition, or if runs still contradict the claim after all repairs."""
        return self.has_no_simple_condition or (self.check is not None and bool(self.check.refuting))

    @property
    def approximation_trials(self) -> int:
        """The number of trials that an approximation takes: three sets of runs."""
        return 3 * TUNING.approximate_runs * self.view.repeat.limit

    @property
    def fields(self) -> set[str]:
        """The fields that the causes name."""
        return {name for cause in self.causes for name in cause.rule.fields}

    def example_of(self, rule: Rule) -> Configuration | None:
        """Return a failing configuration for which the rule holds; None if none is known."""
        return next((one for one, fails in self.runs.values() if fails and rule.holds(one)), None)

    def key(self, configuration: Configuration) -> str:
        """Return the key of the candidate that the subject gets for a configuration."""
        return key_of(self.view.show(configuration))

    def order_fields(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return a configuration with its fields in the order of the space."""
        return {name: values[name] for name in self.space}

    def require_steady(self, unsteady: bool) -> None:
        """Raise UnsteadyFailure if ``unsteady`` is True and the failure was assumed to show every time."""
        if unsteady and self.rate == 1:
            raise UnsteadyFailure

    @property
    def unresolved_view(self) -> StepView:
        """The view of a search that must not mistake another failure for a pass.

        Another failure may hide this one, so its verdict is unknown there; but if failures are separated, it counts as
        a pass.
        """
        return replace(self.view, other=PASS if self.separated else UNRESOLVED)

    def separate_failures(self) -> None:
        """From now on, count other failures as passes.

        A failure that comes first hides this one, so the simplest condition ignores it. But if it comes first in most
        places, that condition misleads: the condition must say where this failure shows instead of the other.
        """
        self.separated, self.elsewhere = True, None
        self.view = replace(self.view, other=PASS)
        self.runs.update({key: (one, False) for key, one in self.failed_differently.items()})
        self.failed_differently.clear()

    def drop_unneeded_terms(self) -> None:
        """Remove the terms that no failing run needs, the longest first: a cause learnt later explains them."""
        failed = [one for one, fails in self.runs.values() if fails]
        terms = sorted((term for cause in self.causes for term in cause.rule.terms), key=lambda term: -term.length)
        kept = list(terms)
        for term in terms:
            others = [one for one in kept if one is not term]
            if others and not any(term.holds(one) and not any(o.holds(one) for o in others) for one in failed):
                kept = others
        rules = [Rule.of_terms(term for term in cause.rule.terms if term in kept) for cause in self.causes]
        self.causes = [replace(c, rule=rule) for c, rule in zip(self.causes, rules, strict=True) if rule.terms]

    def drop_hidden_options(self) -> None:
        """Remove from the causes the options with which every run failed in another way."""
        hidden = list(self.failed_differently.values())
        judged = [one for one, _ in self.runs.values()]
        for at, cause in enumerate(self.causes):
            terms = [_without_hidden(self.space, term, judged, hidden) for term in cause.rule.terms]
            self.causes[at] = replace(cause, rule=Rule.of_terms(terms))

    def left_to_run(self, most: int) -> list[dict[str, Any]] | None:
        """Return the configurations of a small space that were not run yet.

        None if they are more than ``most``, or if one run does not decide a verdict.
        """
        if self.rate < 1 or self.seeded:
            return None
        ran = self.runs.keys() | self.failed_differently.keys()
        return left_to_run(self.space, ran, never=self.never, key=self.key, most=most)

    def learn_from(self, other: Claim) -> None:
        """Take over the runs that were made for another failure. A flaky failure may have passed there by chance."""
        if self.rate < 1 or other.rate < 1:
            return
        for key, (configuration, outcome) in other.outcomes.items():
            if key not in self.outcomes:
                failed = outcome.verdict in (FAIL, OTHER) or outcome.signature is not None
                again = self.view.judge(replace(outcome, verdict=FAIL)) if failed else outcome
                self._record_run(key, configuration, again)

    @property
    def is_contradicted(self) -> bool:
        """True if a run contradicts the claim."""
        return not agrees(self.rule, self.runs.values())

    def _record_run(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        self.outcomes[key] = configuration, outcome
        if outcome.verdict is FAIL:
            self.ways[outcome.signature or ""] += 1
        if outcome.verdict is OTHER:
            self.failed_differently[key] = configuration
        elif outcome.verdict is not UNRESOLVED:
            self.runs[key] = configuration, outcome.verdict is FAIL

    # The result

    def explanation(self) -> Explanation:
        """Return the explanation of the failure so far.

        It has each cause with its counts of runs, and the facts that are still open. Nothing is open if the whole space
        was run and agrees with the claim.
        """
        rule, known = self.rule, list(self.runs.values())
        runs = [one for one, _ in known]
        against = sum(contradicts(rule, one, fails) for one, fails in known)
        hidden = sum(rule.holds(one) for one in self.failed_differently.values())
        unknown = [*self.unknown, *([Contradicted(against)] if against and not self.approximate else [])]
        unknown += self.doubts
        unknown += [one for cause in self.causes for one in cause.open]
        unknown += _find_untried_values(self.space, rule, self.examined, runs)
        check = None if self.check is None else self.complete_check(self.check)
        return replace(
            self.draft,
            causes=tuple(_count_runs(cause, known) for cause in self.causes),
            relevant=tuple(name for name in self.space.names if name in set(rule.fields)),
            seen=(*_texts_tried(self.space, rule, runs), *UndefinedQuantity.among(self.derived, runs))
            if check is not None
            else (),
            check=check,
            approximate=self.approximate,
            hidden=hidden,
            unknown=() if check is not None and check.whole else tuple(dict.fromkeys(unknown)),
        )

    def complete_check(self, check: Check) -> Check:
        """Return the check, completed if the whole space was run.

        If all of the space was run and agrees with the claim, the size of the space is added. Otherwise the check is
        returned as it is.
        """
        if not self.exhausted or not agrees(self.rule, self.runs.values()):
            return check
        every = sum(1 for _ in all_configurations(self.space, self.never))
        return replace(check, whole=every, barred=int(self.space.size) - every, hidden=len(self.failed_differently))


def _count_runs(cause: FailureCause, runs: Iterable[Run]) -> FailureCause:
    inside = [fails for one, fails in runs if cause.rule.holds(one)]
    return replace(cause, fails=sum(inside), runs=len(inside))


def _without_hidden(space: Space, term: Term, judged: Sequence[Configuration], hidden: Sequence[Configuration]) -> Term:
    """Return a term without those options with which all runs are in ``hidden`` and none in ``judged``."""
    literals = []
    judged, hidden = [one for one in judged if term.holds(one)], [one for one in hidden if term.holds(one)]
    for literal in term:
        options = allowed_options(space, literal)
        gone = {canonical(one[literal.field]) for one in hidden} if options else set()
        gone -= {canonical(one[literal.field]) for one in judged} if gone else set()
        left = [value for value in options if canonical(value) not in gone]
        literals.append(Literal(literal.field, equalities(literal.field, left)) if gone and left else literal)
    return Term(literals)


def _texts_tried(space: Space, rule: Rule, known: Sequence[Configuration]) -> list[Fact]:
    """Return, for each text field that the rule names, the number of texts that were tried in that field."""
    texts = [name for name in rule.fields if name in space and isinstance(space[name], Text)]
    return [TextsTried(name, _count_values(name, known)) for name in texts if known]


def _find_untried_values(
    space: Space, rule: Rule, examined: set[str], known: Sequence[Configuration]
) -> Iterator[Fact]:
    """Yield facts about unordered values that were not tried.

    Considers the text fields that the rule names, and those other fields that are in ``examined``. The remaining fields
    do not matter.
    """
    for name in space.names if known else ():
        field = space[name]
        if isinstance(field, Int | Float):
            continue
        if isinstance(field, Text):
            # A rule that names a text may have a list behind it, of which nobody has mentioned the rest; and of a class
            # of characters or a shape, only examples were tried.
            if _names_whole_text(rule, name) or _names_pattern(rule, name):
                yield OtherTexts(name)
        elif name in examined and _count_values(name, known) < len(field.values):
            yield FewTried.among(name, field, (one[name] for one in known))


def _names_pattern(rule: Rule, name: str) -> bool:
    """Return True if a rule speaks of the characters or the shape of a text, or of a character that few texts have."""
    fields = [literal.field for term in rule.terms for literal in term if isinstance(literal.field, Quantity)]
    return any(name in field.fields and (field.op in PATTERNS or _is_rare_character(field)) for field in fields)


def _is_rare_character(field: Quantity) -> bool:
    """Return True if a text is searched for one character outside of ASCII, which may stand for others of its kind."""
    part = field.parts[1].text if field.op in ("contains", "starts", "ends") else ""
    return len(part) == 1 and not (part.isascii() and part.isprintable())


def _names_whole_text(rule: Rule, name: str) -> bool:
    """Return True if a rule says that a field is equal to a text, or not equal to it; the empty text does not count."""
    if any(isinstance(text, str) and text for text in constants_of(rule, name)):
        return True
    fields = (literal.field for term in rule.terms for literal in term if isinstance(literal.field, Quantity))
    return any(field.op == "folded" and field.fields == (name,) for field in fields)


def _count_values(name: str, known: Iterable[Configuration]) -> int:
    return len({canonical(one[name]) for one in known})
