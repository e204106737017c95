"""What a wrong prediction means: an unsteady failure, fields that interact, or a second cause.

A run that contradicts the product set has a run next to it that does not; the changes between them name the fields
(interaction.py). Fields that interact are one group if they share a field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping

from rootward.search.ask import Answers
from rootward.search.reruns import run_again
from rootward.searches.products import interaction, predictions
from rootward.searches.products.knowledge import Query
from rootward.searches.products.learner import Learning
from rootward.searches.products.predictions import Changed, Prediction
from rootward.searches.products.problem import Problem
from rootward.searches.products.queries import Asking, Inquiry
from rootward.searches.products.tuning import TUNING
from rootward.space.candidate import Configuration


class Contradictions:
    """The contradictions of one search, and the groups of fields that explain them."""

    def __init__(self, learning: Learning) -> None:
        self.learning, self.inquiry, self.problem = learning, learning.inquiry, learning.problem
        self.knowledge = learning.knowledge
        self._groups: list[set[int]] = []

    def conflict(self) -> Generator[Asking, Answers, None]:
        """Values that fail one by one have passed together while they were learnt."""
        items = dict(self.knowledge.conflict or ())
        self.knowledge.conflict = None
        if (yield from self.steady(items)):
            yield from self.passed(items)

    def steady(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, bool]:
        """Whether what passed passes again: if not, it is not the fields that are to blame."""
        inquiry = self.inquiry
        if inquiry.rate == 1 and not inquiry.unsteady:
            passed: Configuration = self.problem.configuration(changes)
            failed = yield from run_again([(passed, False)], best=inquiry.best, note="does it pass again?")
            inquiry.unsteady = bool(failed)
        elif inquiry.rate < 1 and len(changes) == 1:
            [fails] = yield from inquiry.failed([changes], "does it pass again?")
            for i, place in changes.items() if fails else ():
                self.knowledge.suspects[i].failed(place)
            self.learning.update()
            return not fails
        return not inquiry.unsteady

    def passed(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, None]:
        """Values that trigger one by one pass together."""
        note = "which values stop it only together?"
        found = yield from interaction.smallest(self.inquiry, {}, changes, fails=False, note=note)
        if len(found) == 1:
            yield from self._stops_alone(found)
        self._group(set(found))

    def _stops_alone(self, found: dict[int, int]) -> Generator[Asking, Answers, None]:
        """A value that triggered in company stops it on its own: the company tells with what it interacts."""
        [(i, place)] = found.items()
        self.knowledge.stops(i, place)
        self.learning.update()
        if (line := self.knowledge.company.get((i, place))) is not None:
            yield from self._fails_again(found, dict(Query(line).items))
        else:
            yield from self.around([found] * TUNING.vary_turns)

    def _group(self, fields: set[int]) -> None:
        """These fields interact; groups that share a field are one."""
        if len(fields) < 2:
            return
        touching = [group for group in self._groups if group & fields]
        self._groups = [group for group in self._groups if not group & fields] + [fields.union(*touching)]
        self.knowledge.separate(fields)
        self.learning.update()
        self.inquiry.groups = [interaction.named(self.inquiry, sorted(group)) for group in self._groups]

    def around(self, bases: list[Changed]) -> Generator[Asking, Answers, None]:
        """Vary everything around a stopping value, in another way each time that it comes up."""
        turns: Counter[int] = Counter()
        tries = []
        for base in bases:
            [i] = base
            tries.append((base, predictions.held(self.inquiry, base, turns[i])))
            turns[i] += 1
        yield from self.still_pass(tries)

    def still_pass(self, tries: list[Prediction]) -> Generator[Asking, Answers, None]:
        """Each a base that passes, and changes after which it should still do so."""
        runs = [{**base, **changes} for base, changes in tries]
        note = "does it fail with a stopping value, too?"
        found = yield from self.inquiry.failed(runs, note, once=True)
        failing = [one for one, fails in zip(tries, found, strict=True) if fails]
        for base, changes in failing:
            if self.knowledge.apart.isdisjoint(base) and (yield from self.steady(base)):
                yield from self._fails_again(base, changes)

    def _fails_again(self, base: Changed, changes: Changed) -> Generator[Asking, Answers, None]:
        """A stopping value no longer stops it, with these changes."""
        note = "what makes it fail again?"
        found = yield from interaction.smallest(self.inquiry, base, changes, fails=True, note=note)
        if self.inquiry.sets.keys().isdisjoint(found):
            yield from self._other(base, found)
        self._group({*base, *found})

    def _other(self, base: Changed, found: Changed) -> Generator[Asking, Answers, None]:
        """Fields that did not matter make it fail: another product set, around another failing configuration.

        The field with the stopping value keeps to such, so that nothing fails for the first reason meanwhile.
        """
        fields = (self.inquiry.sets.keys() | found.keys()) - base.keys()
        problem = Problem(self.problem.space, self.problem.configuration({**base, **found}), only=fields)
        inquiry = Inquiry(problem, rate=self.inquiry.rate, seed=self.learning.seed, within=self.inquiry)
        other = Learning(inquiry, self.learning.seed)
        yield from other.learn()
        [i] = base
        also = yield from self._also(i, {**base, **found})
        if other.knowledge.conflict is not None or not also:
            return
        indifferent = len(also) + len(self.inquiry.sets[i]) == len(self.problem.domains[i])
        for sets in [dict(inquiry.sets)] * indifferent + [{**inquiry.sets, i: also}]:
            members = [self._drawn(sets) for _ in range(TUNING.confirming_runs)]
            confirmed = yield from self.inquiry.failed(members, "checking members of another set")
            if all(confirmed):
                # Where the field triggers the first failure, nobody can tell whether it would stop the other one.
                first = {j: self.inquiry.sets[j] if j == i else () for j in sets}
                self.inquiry.others.append(
                    {self.problem.names[j]: self.inquiry.values(j, sets[j], first[j]) for j in sorted(sets)}
                )
                return

    def _also(self, i: int, changes: Changed) -> Generator[Asking, Answers, set[int]]:
        """The values of a field that stop the first failure and do not stop the other one."""
        stopping = sorted(set(range(len(self.problem.domains[i]))) - self.inquiry.sets[i])
        tries = [{**changes, i: place} for place in stopping]
        found = yield from self.inquiry.failed(tries, "which other values fail again?")
        return {place for place, fails in zip(stopping, found, strict=True) if fails}

    def _drawn(self, sets: Mapping[int, set[int]]) -> Changed:
        """A random member of another set."""
        places = dict(enumerate(self.inquiry.rng.integers(self.problem.others + 1).tolist()))
        return places | {i: int(self.inquiry.rng.choice(sorted(good))) for i, good in sets.items()}
