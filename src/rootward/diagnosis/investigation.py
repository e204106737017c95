"""From a failing configuration to the condition under which it fails: which fields matter, exactly when, and why else.

Each step starts from what the ones before it have found. Fields that do not matter keep the values of the failing
configuration while the condition is learnt; the fresh runs at the end vary them again, and whatever these refute is
looked into: a field that was taken not to matter joins the others, a failure elsewhere becomes a cause of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rootward.candidate import Configuration, key_of
from rootward.diagnosis import elsewhere
from rootward.diagnosis.bounds import Known, narrowed
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Cause, Check, Explanation, claim_of, shortened
from rootward.diagnosis.fresh import fresh_runs
from rootward.diagnosis.isolation import isolated
from rootward.diagnosis.plan import FEW
from rootward.diagnosis.questions import answered
from rootward.diagnosis.rates import LEAST, Unsteady, cautious, often_enough
from rootward.diagnosis.refuted import surer, tried
from rootward.diagnosis.shortlist import shortlisted
from rootward.diagnosis.steady import do_otherwise, doubtful, fail_again
from rootward.diagnosis.view import ONCE, View
from rootward.diagnosis.weighed import explained
from rootward.diagnosis.whole import agrees, everything, left, parted
from rootward.repeat import Once
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.searches.conditions import METHODS as CONDITIONS
from rootward.searches.conditions.rule_finding import Edge, RuleFinding
from rootward.searches.exploration.failures import Failures
from rootward.searches.products import METHODS as PRODUCTS
from rootward.searches.products.product_set import ProductSet
from rootward.space import Space
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome
from rootward.words import count

VERIFIED = 8
"""How many fresh runs try a condition where it was learnt, before it is believed anywhere else."""
MOST = 6
"""So many causes at most."""
STARTS = 4
"""How often the search begins, if runs that it rested on do otherwise when they are made again."""
ROUNDS = 4
"""How often a claim that runs refute is mended."""
CONTRADICTING = 8
"""So many runs of earlier steps that refute it are looked into at a time."""
FIELDS_OPEN = "The search for the fields that matter has not ended."
RULE_OPEN = "The search for the exact condition has not ended."
OTHERS_OPEN = "The search for further causes has not ended."
Doing = Generator[Ask[Any], Answers, None]
Refuting = Generator[Ask[Any], Answers, list[tuple[Configuration, bool]]]
"""Runs that did not do what is claimed, each with whether it failed."""


class Investigation:
    """The search for all causes of one failure, around one configuration that shows it."""

    def __init__(
        self,
        conductor: Conductor,
        space: Space,
        *,
        view: View,
        rate: float = 1.0,
        never: Rule | None = None,
        seed: int = 0,
        known: Mapping[str, tuple[Configuration, bool]] | None = None,
        elsewhere: Rule | None = None,
        seeded: bool = False,
    ) -> None:
        """``elsewhere``: where it fails in other ways, which are explained: nothing is run there for this one.
        ``seeded``: whether another run of the same may do otherwise."""
        import numpy as np

        self.conductor, self.space, self.elsewhere = conductor, space, elsewhere
        self.rate, self.never, self.seed, self.seeded = rate, never, seed, seeded
        self.view = replace(view, repeat=often_enough(rate), heard=self._hear, never=never)
        self.rng = np.random.default_rng([seed, 0xD1A6])
        self.known = dict(known or {})
        """What was run, by its key, and whether it failed."""
        self.ways: Counter[str] = Counter()
        """How often it failed in each way, by signature: in more than one, if any failure counts."""
        self.different: set[str] = set()
        """What failed in another way."""
        self.causes: list[Cause] = []
        self.edges: list[Edge] = []
        self.looked: set[str] = set()  # fields that a rule was learnt on
        self.turn = 0
        """How often a claim was mended: the next attempt must not ask the same questions."""
        self.unknown: list[str] = []
        self.check: Check | None = None
        self.whole = False  # whether all that can be run was
        self.held: set[str] = set(self.known)
        """What the claim is not held against: it was, or somebody else has run it."""
        self.refuting: list[tuple[Configuration, bool]] = []
        """Runs of earlier steps that a claim did not agree with."""

    def run(self, failing: Mapping[str, Any], draft: Explanation) -> Generator[Ask[Any], Answers, Explanation]:
        """All causes, from a configuration that fails; ``draft`` is what is known of the failure already."""
        failing = self.space.check(failing)
        self.draft = replace(draft, of=len(self.space))
        for start in range(STARTS):
            try:
                if start:
                    yield from self._start_over(failing)
                yield from self._course(failing)
                return self._explanation()
            except Unsteady:
                continue
        self.unknown.append("The same configuration was seen to fail and to pass, more often than expected.")
        return self._explanation()

    def checked(self, draft: Explanation) -> Generator[Ask[Any], Answers, Explanation]:
        """The causes of a draft that was made in another way, tried on fresh runs and mended where these refute it."""
        self.draft, self.causes, self.unknown = draft, list(draft.causes), list(draft.unknown)
        try:
            yield from self.verify()
        except Unsteady:
            self.unknown.append("The same configuration was seen to fail and to pass: the failure may be flaky.")
        return self._explanation()

    def example_of(self, rule: Rule) -> Configuration | None:
        """A configuration that failed and that the rule explains, if one is known."""
        return next((one for one, fails in self.known.values() if fails and rule.holds(one)), None)

    def _course(self, failing: Configuration) -> Doing:
        yield from self.explain(failing)
        yield from self.others()
        yield from self.verify()

    def _start_over(self, failing: Configuration) -> Doing:
        """What passed may not have been a pass: it does not fail every time, though that was not seen at first; or it
        was seen, and a pass was chance, of which the lab now knows better."""
        if self.rate == 1:
            _, estimate = yield from self.conductor.reproduced(failing, self.view)
            self.rate = max(cautious(estimate), LEAST)
            self.draft = replace(self.draft, rate=estimate)
            self.view = replace(self.view, repeat=often_enough(self.rate))
        self.draft = replace(self.draft, causes=(), check=None)
        self.known, self.causes, self.edges, self.unknown, self.refuting, self.check = {}, [], [], [], [], None
        self.whole = False

    # One cause

    def explain(self, failing: Configuration) -> Doing:
        """The cause that a failing configuration, outside of all known ones, shows."""
        yield from self._rule(failing, (yield from self._triggers(failing)))

    def _triggers(self, failing: Configuration) -> Generator[Ask[Any], Answers, Sequence[str]]:
        """The fields that matter around it. Those that known causes name keep its values: so it stays outside."""
        fixed = set(self._rule_fields())
        free = [name for name in self.space.names if name not in fixed]
        if len(free) <= FEW or "triggers" not in self.conductor.plan:
            return free
        self.conductor.begin("triggers")
        around = shortlisted(self.space, {name: failing[name] for name in fixed})
        flaky = False if self.rate == 1 else self.rate
        search = PRODUCTS["columns"](around, failing, flaky=flaky, seed=self.seed)
        view = replace(self.view, repeat=Once())
        found: ProductSet = yield from self.conductor.search(search, view, partial(self._by_sets, failing))
        self.conductor.end(found.headline(), found, complete=found.complete)
        self._must_be_steady(found.unsteady)
        self.unknown += [] if found.complete else [FIELDS_OPEN]
        return found.fields

    def _rule(self, failing: Configuration, fields: Sequence[str]) -> Doing:
        """The condition on these fields, and on those of known causes."""
        names = [name for name in self.space.names if name in {*fields, *self._rule_fields()}]
        if not names:
            self.causes.append(Cause(Rule.always(), failing))
            return
        if "rule" not in self.conductor.plan:
            return
        self.conductor.begin("rule")
        self.looked.update(names)
        terms = [*(self.elsewhere.terms if self.elsewhere else ()), *self._claim.terms]
        # Another failure may hide this one: whether this one would have shown there is not known.
        view = replace(self.view, explained=Rule.of_terms(terms) if terms else None, other=UNRESOLVED)
        search = partial(CONDITIONS["boundaries"], self.space, failing, fields=names, verify=VERIFIED)
        learn = partial(self.conductor.search, draft=partial(self._by_rule, failing))
        found: RuleFinding = yield from learn(search(seed=self.seed + self.turn), view)
        if found.complete and found.fails and found.unjudged and not found.passes:
            # It fails everywhere: where it does so in another way, this failure does not show.
            view = replace(view, explained=self._claim, other=PASS)
            found = yield from learn(search(seed=self.seed + self.turn), view)
        if found.found and found.complete:
            found = yield from self._narrowed(found, view, self._by_rule(failing, found))
        hope = "It fails" if found.complete else "So far, it seems to fail"
        told = f"{hope} when {shortened(str(found.rule))}." if found.found else found.headline()
        self.conductor.end(told, found, complete=found.complete)
        self._must_be_steady(found.unsteady)
        self._take(found, failing)

    def _narrowed(
        self, found: RuleFinding, view: View, so_far: Explanation
    ) -> Generator[Ask[Any], Answers, RuleFinding]:
        """The same rule, with the constants of its quantities made sure."""

        def run(wanted: Sequence[Configuration]) -> Generator[Ask[Any], Answers, Known]:
            ask = Ask([_ordered(self.space, one) for one in wanted], note="where exactly does it begin to fail?")
            yield from self.conductor.ask(ask, view, so_far)
            return list(self.known.values())

        search = narrowed(self.space, found.rule, list(self.known.values()), self.rng)
        rule, vague = yield from answered(search, run)
        return replace(found, rule=rule, open=(*found.open, *vague))

    def _must_be_steady(self, unsteady: bool) -> None:
        if unsteady and self.rate == 1:
            raise Unsteady

    def _take(self, found: RuleFinding, failing: Configuration) -> None:
        unended = () if found.complete else (RULE_OPEN,)
        if found.found:
            self.causes.append(Cause(found.rule, failing, open=(*found.open, *found.unknown, *unended)))
            self.edges += found.edges
        elif found.fails and not found.passes and all(fails for _, fails in self.known.values()):
            self.causes.append(Cause(Rule.always(), failing, open=unended))
        else:
            self.unknown.append(found.headline() if found.complete else RULE_OPEN)

    def _rule_fields(self) -> list[str]:
        return sorted({name for cause in self.causes for name in cause.rule.fields})

    # Further causes

    def others(self) -> Doing:
        """Look for failures that no known cause explains, until none turns up."""
        while "others" in self.conductor.plan and self.causes and len(self.causes) < MOST:
            self.conductor.begin("others")
            calm = [one for one, fails in self.known.values() if not fails and not self._claim.holds(one)][:FEW]
            seed = self.seed + len(self.causes)
            search = elsewhere.searched(self.space, self._claim, calm, never=self.never, seed=seed)
            # Another failure is none here: it must not end the search for this one. And rather than to repeat a run,
            # make another one.
            view = replace(self.view, other=PASS, repeat=Once())
            found: Failures = yield from self.conductor.search(search, view, lambda _: self._explanation())
            self.conductor.end(elsewhere.told(found, calm), found, complete=found.complete)
            if not found.complete:
                self.unknown.append(OTHERS_OPEN)
            if not found.failures:
                return
            self.draft, known = self._explanation(), len(self.causes)
            yield from self.explain(dict(found.failures[0].configuration))
            if len(self.causes) == known:
                return  # it fails there for a reason that was not found: the same search would only meet it again

    # Checking

    def verify(self) -> Doing:
        """Fresh runs; while they refute the claim, mend it."""
        if "verify" not in self.conductor.plan or not self.causes:
            return
        for _ in range(ROUNDS):
            refuting = (yield from self._contradicting()) or (yield from self._checked())
            if not refuting:
                return (yield from self._amid_failures())
            self.draft = self._explanation()
            yield from self._mend(refuting)
        yield from self._checked()

    def _contradicting(self) -> Refuting:
        """Runs of earlier steps that the claim does not agree with: they are remembered, and cost no trial."""
        claim = self._claim
        against = [key for key, (one, fails) in self.known.items() if claim.holds(one) is not fails]
        new = [key for key in against if key not in self.held][:CONTRADICTING]
        if not new or self.rate < 1 or "rule" not in self.conductor.plan:
            return []
        self.conductor.begin("verify")
        self.held.update(new)
        runs = [self.known[key][0] for key in new]
        ask, view = Ask(runs, note="is it true of earlier runs?"), replace(self.view, other=UNRESOLVED)
        outcomes = yield from self.conductor.ask(ask, view, self._explanation())
        verdicts = [outcome.verdict if outcome is not None else UNRESOLVED for outcome in outcomes]
        told = [(one, verdict is FAIL) for one, verdict in zip(runs, verdicts, strict=True) if verdict in (FAIL, PASS)]
        for key in (key for key, verdict in zip(new, verdicts, strict=True) if verdict not in (FAIL, PASS)):
            del self.known[key]  # it failed in another way
            self.different.add(key)
        if told:
            self.conductor.end(f"{count(len(told), 'run')} of earlier steps refute it.")
        self.refuting += told
        return told

    def _checked(self) -> Refuting:
        """What fresh runs say, and those that say otherwise."""
        self.conductor.begin("verify")
        rule = self._claim
        draw = partial(fresh_runs, never=self.never, rng=self.rng, key=self._key)
        rest = self._left()
        fresh = draw(self.space, self.causes, self.known, self.edges) if rest is None else parted(rest, rule)
        told = yield from tried(self.conductor, fresh, rule, self.view, self._explanation())
        self.check, self.whole = Check.of(rule, told), self._left() == []
        self.conductor.end(self._verdict(self.check).verdict)
        return [(one, fails) for _, one, fails in told if rule.holds(one) is not fails]

    def _left(self) -> list[dict[str, Any]] | None:
        """What was not run of a small space; None if it is not small, or if one run does not say what happens."""
        if self.rate < 1 or self.seeded:
            return None
        ran = self.known.keys() | self.different
        return left(self.space, ran, never=self.never, key=self._key, spent=self.conductor.spent)

    @property
    def _claim(self) -> Rule:
        return claim_of(self.causes)

    # Mending

    def _mend(self, refuting: Sequence[tuple[Configuration, bool]]) -> Doing:
        """A failure elsewhere shows another cause; a pass where it should fail shows a field that was overlooked."""
        if self.rate == 1:  # before a run that refutes the claim is believed: does it do the same again?
            self._must_be_steady((yield from do_otherwise(self.conductor, refuting, self.view, self.draft)))
        for one, fails in refuting:
            if fails is self._claim.holds(one):
                continue  # an earlier one has mended it
            if fails and len(self.causes) < MOST:
                yield from self.explain(one)
            elif not fails:
                yield from self._widen(one)

    def _amid_failures(self) -> Doing:
        """Before a claim is believed: do the passes amid failures, of which its exceptions are made, pass again?"""
        strange = doubtful(self.space, self._claim, self.known.values())
        steady = self.rate == 1
        view = replace(self.view, repeat=ONCE if steady else surer(self.view.repeat))
        if (yield from fail_again(self.conductor, strange, view, self._explanation(), fresh=steady)):
            raise Unsteady

    def _widen(self, passing: Configuration) -> Doing:
        """Find what keeps it from failing where the claim says that it fails, and learn that cause anew with it."""
        at = next(i for i, cause in enumerate(self.causes) if cause.rule.holds(passing))
        cause, self.turn = self.causes.pop(at), self.turn + 1
        named = cause.rule.fields
        base = {**cause.example, **{name: passing[name] for name in named}}
        self.conductor.begin("triggers")
        outcome = yield from self._ask(base)
        differing = isolated(base, passing, self.space.names)
        found = (yield from answered(differing, self._ask)) if outcome.verdict is FAIL else []
        self.conductor.end(f"What matters, too: {', '.join(found)}." if found else "All fields that matter were known.")
        names = [name for name in self.space.names if name in {*named, *found}]
        yield from self._rule(cause.example, names)

    # Asking

    def _ask(self, configuration: Configuration) -> Generator[Ask[Any], Answers, Outcome]:
        ask = Ask([_ordered(self.space, configuration)], note="which difference matters?")
        [outcome] = yield from self.conductor.ask(ask, self.view, self.draft)
        assert outcome is not None
        return outcome

    def _key(self, configuration: Configuration) -> str:
        """The name of what the subject gets for it."""
        return key_of(self.view.show(configuration))

    def _hear(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        if outcome.verdict is FAIL:
            self.ways[outcome.signature or ""] += 1
        if outcome.verdict is OTHER:
            self.different.add(key)
        elif outcome.verdict is not UNRESOLVED:
            self.known[key] = configuration, outcome.verdict is FAIL

    # Telling

    def _explanation(self) -> Explanation:
        check = None if self.check is None else self._verdict(self.check)
        said: dict[str, Any] = {"refuting": self.refuting, "unknown": self.unknown, "looked": self.looked}
        return explained(self.draft, self.causes, self.known.values(), self.space, **said, check=check)

    def _verdict(self, check: Check) -> Check:
        """What the runs say of the claim: fresh ones, or all that there can be."""
        if not self.whole or not agrees(self._claim, self.known.values()):
            return check
        every = sum(1 for _ in everything(self.space, self.never))
        return replace(check, whole=every, barred=int(self.space.size) - every, hidden=len(self.different))

    def _by_sets(self, failing: Configuration, found: ProductSet) -> Explanation:
        """What is known while the fields that matter are looked for."""
        sets = [Cause(found.rule, failing)] if found.sets and not self.causes else []
        return replace(self.draft, causes=(*self.causes, *sets), relevant=tuple(found.sets), unknown=(FIELDS_OPEN,))

    def _by_rule(self, failing: Configuration, found: RuleFinding) -> Explanation:
        """What is known while the condition is learnt."""
        causes = [Cause(found.rule, failing)] if found.found else []
        return replace(self.draft, causes=(*self.causes, *causes), relevant=found.rule.fields, unknown=(RULE_OPEN,))


def _ordered(space: Space, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in space}
