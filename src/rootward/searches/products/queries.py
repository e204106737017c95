"""Queries: how a search asks about configurations near the failing one, and how the answers become its finding.

All these questions go through ``run_once``. If the failure is flaky, a failing run proves that the fault was
triggered, while a passing one is repeated, each time with the next seed, until it is unlikely that a failure was
missed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence

import numpy as np

from rootward.errors import InputError
from rootward.rules.score import Estimate
from rootward.search.ask import Answers, Ask, LazyCandidates
from rootward.search.repeat import runs_to_see
from rootward.searches.products.bounds import bounds
from rootward.searches.products.problem import Problem
from rootward.searches.products.product_set import UNMEASURED, Interaction, ProductSet
from rootward.searches.products.tuning import TUNING
from rootward.searches.products.values import Values
from rootward.space.candidate import Configuration
from rootward.verdict import FAIL, OTHER, UNRESOLVED

Asking = Ask[Configuration]
Places = Mapping[int, Iterable[int]]
"""The triggering values of fields, by place."""


def check_samples(samples: object) -> None:
    """Raise InputError unless ``samples`` is None or a number of at least 0."""
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 0):
        raise InputError(f"samples must be a number of runs, 0 or more, not {samples!r}")


class ProductQueries:
    """The state of a search for a product set: its problem, its random generator, and its answer so far."""

    def __init__(
        self, problem: Problem, *, rate: float = 1.0, seed: int = 0, within: ProductQueries | None = None
    ) -> None:
        """``within``: the search that this one is a part of. Its answer is shown to the user while this search runs."""
        self.problem, self.rate, self._within = problem, rate, within
        self.rng = np.random.default_rng(seed)
        self.sets: dict[int, set[int]] = {}
        """The values that are known to trigger, for each field that matters."""
        self.unknown: dict[int, set[int]] = {}
        """The values that were not tried yet, for each field that matters."""
        self.extended: dict[int, list[int]] = {}
        """The triggering places among all values, for fields that have too many to try."""
        self.open = len(problem)
        """Number of fields with values that were not tried yet."""
        self.groups: list[Interaction] = []
        self.others: list[dict[str, Values]] = []
        self.precision, self.verified = UNMEASURED, 0
        self.confidence = 1.0
        self.unjudged = 0
        self.unsteady = False
        self.thinned = tuple(problem.names[i] for i, domain in enumerate(problem.domains) if domain.thinned)

    @property
    def best(self) -> ProductSet:
        """The finding so far."""
        if self._within is not None:
            return self._within.best
        return ProductSet(
            sets=self.name_sets(self.sets),
            of=len(self.problem),
            precision=self.precision,
            verified=self.verified,
            groups=tuple(self.groups),
            others=tuple(self.others),
            confidence=self.confidence,
            rate=self.rate,
            open=self.open,
            thinned=self.thinned,
            bounds=bounds(self.problem, self.sets),
            unjudged=self.unjudged,
            unsteady=self.unsteady,
        )

    def name_sets(self, sets: Places) -> dict[str, Values]:
        """Return the sets as a finding has them: by name, in the order of the space."""
        return {self.problem.names[i]: self._values(i, sets[i]) for i in sorted(sets)}

    def _values(self, i: int, places: Iterable[int]) -> Values:
        domain = self.problem.domains[i]
        if i in self.extended:
            return Values(domain.whole, self.extended[i], ordered=True)
        return self.values(i, places, self.unknown.get(i, ()))

    def values(self, i: int, places: Iterable[int], untried: Iterable[int]) -> Values:
        """Return the values of field ``i`` at these places.

        ``untried``: the places of values whose effect is not known yet.
        """
        domain = self.problem.domains[i]
        return Values(domain.values, places, ordered=domain.ordered, untried=untried)

    # Asking

    def check_changes(
        self, batch: Sequence[Mapping[int, int]], note: str, *, once: bool = False
    ) -> Generator[Asking, Answers, list[bool]]:
        """Return, for each of these changes of the failing configuration, True if it fails.

        A pass is repeated if failures are random, unless ``once`` is True.
        """
        candidates = LazyCandidates(len(batch), lambda at: self.problem.configuration(batch[at]))
        return (yield from self.check_configurations(candidates, note, once=once))

    def check_configurations(
        self, candidates: Sequence[Configuration], note: str, *, once: bool = False
    ) -> Generator[Asking, Answers, list[bool]]:
        """Return, for each of these configurations, True if it fails.

        A pass is repeated if failures are random, unless ``once`` is True.
        """
        found = yield from self.run_once(candidates, note)
        for _ in range(0 if once else self._repeats):
            passed = [at for at, fails in enumerate(found) if not fails]
            if not passed:
                break
            again = yield from self.run_once([candidates[at] for at in passed], note)
            for at, fails in zip(passed, again, strict=True):
                found[at] = fails
        return found

    def run_once(
        self, candidates: Sequence[Configuration], note: str, ahead: Iterable[Configuration] = ()
    ) -> Generator[Asking, Answers, list[bool]]:
        """Run each candidate once and return for each True if it fails."""
        answers = yield Ask(candidates, fresh=self.rate < 1, best=self.best, note=note, ahead=ahead)
        outcomes = [outcome for outcome in answers if outcome is not None]
        (self._within or self).unjudged += sum(outcome.verdict in (OTHER, UNRESOLVED) for outcome in outcomes)
        return [outcome.verdict is FAIL for outcome in outcomes]

    @property
    def _repeats(self) -> int:
        return runs_to_see(self.rate, missed=TUNING.missed_chance) - 1

    # Members of the set

    def draw_member(self, held: Mapping[int, int] | None = None) -> dict[int, int]:
        """Return a random member of the set.

        ``held``: fixed values for some fields.
        """
        places = self.rng.integers(self.problem.other_counts + 1)
        changes = dict(enumerate(places.tolist()))
        for i, good in self.sets.items():
            changes[i] = int(self.rng.choice(sorted(good)))
        changes.update(held or {})
        return changes

    def verify(self, samples: int, method: str) -> Generator[Asking, Answers, list[dict[int, int]]]:
        """Measure the precision of the set on random members, and return the members that passed.

        Uses only values that were tried.
        """
        members = [self.draw_member() for _ in range(samples)]
        found = yield from self._measure([self.problem.configuration(member) for member in members], method)
        return [member for member, fails in zip(members, found, strict=True) if not fails]

    def verify_whole(self, samples: int, method: str) -> Generator[Asking, Answers, None]:
        """Measure the precision of the set on random members, including values that were not tried."""
        yield from self._measure(
            [self.problem.configuration(self.draw_member(), self._draw_claimed()) for _ in range(samples)], method
        )

    def _measure(self, candidates: Sequence[Configuration], method: str) -> Generator[Asking, Answers, list[bool]]:
        found = yield from self.check_configurations(candidates, f"running {len(candidates)} random members of the set")
        self.verified = len(candidates)
        self.precision = Estimate.of(sum(found), len(candidates), method=method)
        return found

    def _draw_claimed(self) -> dict[int, int]:
        """Draw a value that is claimed to trigger for each field with too many values to try all.

        Values are given by their places among all values of the field.
        """
        places = {}
        for i, domain in enumerate(self.problem.domains):
            if i in self.extended:
                places[i] = self.extended[i][int(self.rng.integers(len(self.extended[i])))]
            elif domain.thinned and i not in self.sets:
                places[i] = int(self.rng.integers(len(domain.whole)))
        return places
