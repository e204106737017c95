"""Contradictions: what follows when a run refutes the product set.

There are three possible reasons, and they are tested in this order:

1. The failure is unsteady. The surprising run is repeated; if its verdict changes, no field is to blame, and the search
   looks no further.
2. Fields interact. The surprising run has a neighbour that behaves as predicted, and a smallest set of changes between
   the two (`interaction`) names the fields. Two groups that share a field become one. From then on each of these fields
   is changed on its own, so that the rest can be learnt as before.
3. There is a second cause. If only fields that did not matter before make it fail again despite a stopping value,
   another product set is learnt around the new failing configuration. It is reported if random members of it fail.

Explaining one contradiction ends when its smallest set of changes is known. The caller (`columns`) limits how many are
explained. A new kind of contradiction needs a base run with a known verdict and the changes that should not have
altered it; hand both to ``check_passes``, or hand members that passed to ``explain_pass``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping

from rootward.search.ask import Answers
from rootward.search.reruns import run_again
from rootward.searches.products import interaction, predictions
from rootward.searches.products.knowledge import Query
from rootward.searches.products.learner import Learner
from rootward.searches.products.predictions import Changed, Prediction
from rootward.searches.products.problem import Problem
from rootward.searches.products.queries import Asking, ProductQueries
from rootward.searches.products.tuning import TUNING
from rootward.space.candidate import Configuration


class ContradictionLog:
    """Explains the contradictions of one search, and keeps the groups of fields that they reveal."""

    def __init__(self, learning: Learner) -> None:
        self.learning, self.queries, self.problem = learning, learning.queries, learning.problem
        self.knowledge = learning.knowledge
        self._groups: list[set[int]] = []

    def explain_conflict(self) -> Generator[Asking, Answers, None]:
        """Explain a conflict that learning met: values that each fail alone passed together."""
        items = dict(self.knowledge.conflict or ())
        self.knowledge.conflict = None
        if (yield from self.check_steady(items)):
            yield from self.explain_pass(items)

    def check_steady(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, bool]:
        """Repeat a run that passed. Return False if it fails now.

        Then the failure is unsteady, and no field is to blame for the pass.
        """
        queries = self.queries
        if queries.rate == 1 and not queries.unsteady:
            passed: Configuration = self.problem.configuration(changes)
            note = "checking that it passes again"
            failed = yield from run_again([(passed, False)], best=queries.best, note=note)
            queries.unsteady = bool(failed)
        elif queries.rate < 1 and len(changes) == 1:
            [fails] = yield from queries.check_changes([changes], "checking that it passes again")
            for i, place in changes.items() if fails else ():
                self.knowledge.suspects[i].record_failure(place)
            self.learning.update()
            return not fails
        return not queries.unsteady

    def explain_pass(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, None]:
        """Explain why ``changes`` pass together although each of them triggers alone."""
        note = "isolating values that stop it only together"
        found = yield from interaction.isolate_changes(self.queries, {}, changes, fails=False, note=note)
        if len(found) == 1:
            yield from self._explain_single(found)
        self._add_group(set(found))

    def _explain_single(self, found: dict[int, int]) -> Generator[Asking, Answers, None]:
        """Explain a value that stops the failure alone, although it triggered while other fields changed.

        The field interacts with some of the other fields.
        """
        [(i, place)] = found.items()
        self.knowledge.record_stop(i, place)
        self.learning.update()
        if (line := self.knowledge.changed_together.get((i, place))) is not None:
            yield from self._explain_failure(found, dict(Query(line).items))
        else:
            yield from self.vary_around([found] * TUNING.vary_turns)

    def _add_group(self, fields: set[int]) -> None:
        """Record that these fields interact, and join groups that share a field."""
        if len(fields) < 2:
            return
        touching = [group for group in self._groups if group & fields]
        self._groups = [group for group in self._groups if not group & fields] + [fields.union(*touching)]
        self.knowledge.separate(fields)
        self.learning.update()
        self.queries.groups = [interaction.make_group(self.queries, sorted(group)) for group in self._groups]

    def vary_around(self, bases: list[Changed]) -> Generator[Asking, Answers, None]:
        """Check that stopping values still stop the failure while all other fields change.

        ``bases``: the stopping values to check. If a field occurs several times, all other fields change differently
        each time.
        """
        turns: Counter[int] = Counter()
        tries = []
        for base in bases:
            [i] = base
            tries.append((base, predictions.vary_others(self.queries, base, turns[i])))
            turns[i] += 1
        yield from self.check_passes(tries)

    def check_passes(self, tries: list[Prediction]) -> Generator[Asking, Answers, None]:
        """Run predictions and explain those that fail.

        A prediction is a base that passes, and changes after which it should still pass.
        """
        runs = [{**base, **changes} for base, changes in tries]
        note = "checking that stopping values always stop it"
        found = yield from self.queries.check_changes(runs, note, once=True)
        failing = [one for one, fails in zip(tries, found, strict=True) if fails]
        for base, changes in failing:
            if self.knowledge.interacting.isdisjoint(base) and (yield from self.check_steady(base)):
                yield from self._explain_failure(base, changes)

    def _explain_failure(self, base: Changed, changes: Changed) -> Generator[Asking, Answers, None]:
        """Explain a failure in spite of the stopping value in ``base``.

        ``changes``: the further changes with which it fails.
        """
        note = "isolating what makes it fail again"
        found = yield from interaction.isolate_changes(self.queries, base, changes, fails=True, note=note)
        if self.queries.sets.keys().isdisjoint(found):
            yield from self._learn_other(base, found)
        self._add_group({*base, *found})

    def _learn_other(self, base: Changed, found: Changed) -> Generator[Asking, Answers, None]:
        """Learn a second product set, around the configuration that fails with ``base`` and ``found``.

        It fails because of fields that did not matter for the first set. The field in ``base`` keeps a stopping value,
        so that nothing fails for the first reason meanwhile.
        """
        fields = (self.queries.sets.keys() | found.keys()) - base.keys()
        problem = Problem(self.problem.space, self.problem.configuration({**base, **found}), only=fields)
        queries = ProductQueries(problem, rate=self.queries.rate, seed=self.learning.seed, within=self.queries)
        other = Learner(queries, self.learning.seed)
        yield from other.learn()
        [i] = base
        also = yield from self._find_other_values(i, {**base, **found})
        if other.knowledge.conflict is not None or not also:
            return
        indifferent = len(also) + len(self.queries.sets[i]) == len(self.problem.domains[i])
        for sets in [dict(queries.sets)] * indifferent + [{**queries.sets, i: also}]:
            members = [self._draw_member(sets) for _ in range(TUNING.confirming_runs)]
            confirmed = yield from self.queries.check_changes(members, "checking members of a second set")
            if all(confirmed):
                # Values of the field that trigger the first failure hide whether they would stop the other one.
                first = {j: self.queries.sets[j] if j == i else () for j in sets}
                self.queries.others.append(
                    {self.problem.names[j]: self.queries.values(j, sets[j], first[j]) for j in sorted(sets)}
                )
                return

    def _find_other_values(self, i: int, changes: Changed) -> Generator[Asking, Answers, set[int]]:
        """Return the values of field ``i`` that stop the first failure but not the second one."""
        stopping = sorted(set(range(len(self.problem.domains[i]))) - self.queries.sets[i])
        tries = [{**changes, i: place} for place in stopping]
        found = yield from self.queries.check_changes(tries, "trying other values for a second set")
        return {place for place, fails in zip(stopping, found, strict=True) if fails}

    def _draw_member(self, sets: Mapping[int, set[int]]) -> Changed:
        """Return a random member of the product set ``sets``."""
        places = dict(enumerate(self.queries.rng.integers(self.problem.other_counts + 1).tolist()))
        return places | {i: int(self.queries.rng.choice(sorted(good))) for i, good in sets.items()}
