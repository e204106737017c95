"""Our search for product sets: column group testing, then a check of what a product set would imply.

The learning is in knowledge.py. What it learns is exact if the fault is a product set; whether it is, is then tried:
random members of the set must fail, and configurations with one stopping value must pass (predictions.py). Where they
do not, the fields that depend on each other are singled out (interaction.py), and a set apart from the first is learnt.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from rootward.candidate import Configuration
from rootward.errors import InputError
from rootward.rules.score import Estimate
from rootward.search import Answers, Ask, Search
from rootward.searches.products import interaction, predictions
from rootward.searches.products.inquiry import Asking, Inquiry, check_samples
from rootward.searches.products.knowledge import Knowledge, Query
from rootward.searches.products.problem import Problem
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.threshold import thresholds
from rootward.space import Space
from rootward.verdict import FAIL

FORESEEN = 15
"""For so many questions, what comes after either answer is worked out for idle workers: four answers deep."""
MEASURED = 20
"""Runs of the failing configuration that tell how often it fails, if that is not given."""
FEW = 4
"""So many fields that matter are all tried at a stopping value, however short the search was."""
PRECISELY = "clopper-pearson"
SURPRISES = 3
"""How many contradictions of the same kind are explained; more of them add little."""


def columns(
    space: Space,
    failing: Mapping[str, Any],
    *,
    flaky: bool | float = False,
    samples: int | None = None,
    seed: int = 0,
) -> Search[Configuration, ProductSet]:
    """The product set around a failing configuration.

    ``flaky``: how often a triggering configuration fails (True: measure it first). ``samples``: how many fresh random
    members of the set measure its precision, by default a sixteenth of the questions asked.
    """
    check_samples(samples)
    _check_rate(flaky)
    inquiry = Inquiry(Problem(space, failing), seed=seed)
    inquiry.rate = (yield from _measured(inquiry)) if flaky is True else float(flaky or 1)
    return (yield from _Columns(inquiry, seed).search(samples))


def _check_rate(flaky: object) -> None:
    if not (isinstance(flaky, bool) or (isinstance(flaky, int | float) and 0 < flaky <= 1)):
        said = f"flaky = {flaky!r}"
        raise InputError(f"{said}: expected how often it fails, above 0 and at most 1, or True to measure it")


def _measured(inquiry: Inquiry) -> Generator[Asking, Answers, float]:
    """How often the failing configuration fails: the lower end of what its runs leave open, to be on the safe side."""
    note = "how often does the failing configuration fail?"
    answers = yield Ask([inquiry.problem.failing] * MEASURED, fresh=True, best=inquiry.best, note=note)
    fails = sum(outcome is not None and outcome.verdict is FAIL for outcome in answers)
    return Estimate.of(max(fails, 1), MEASURED, confidence=0.8).low


class _Columns:
    """One search, from the first question to its checks."""

    def __init__(self, inquiry: Inquiry, seed: int) -> None:
        self.inquiry, self.problem, self.seed = inquiry, inquiry.problem, seed
        self.knowledge = Knowledge(self.problem, rate=inquiry.rate, seed=seed)
        self.asked = 0
        self.groups: list[set[int]] = []

    def search(self, samples: int | None) -> Search[Configuration, ProductSet]:
        inquiry = self.inquiry
        yield from self.learn()
        count = self._samples if samples is None else samples
        passed = yield from inquiry.verify(count, PRECISELY)
        verified = inquiry.named(inquiry.sets)
        yield from self._check(passed, count)
        yield from self._tabulate()
        yield from thresholds(inquiry)
        if inquiry.thinned or inquiry.named(inquiry.sets) != verified:
            yield from inquiry.verify_whole(count, PRECISELY)
        return inquiry.best

    def _tabulate(self) -> Generator[Asking, Answers, None]:
        """See what the fields of each group do alone and together; if it is not they that are to blame, forget them."""
        inquiry = self.inquiry
        if inquiry.unsteady:
            inquiry.groups, inquiry.others = [], []
            return
        if inquiry.groups:
            yield from self._alone()
        for at, group in enumerate(inquiry.groups):
            inquiry.groups[at] = yield from interaction.observed(inquiry, group)

    def _alone(self) -> Generator[Asking, Answers, None]:
        """Which values the fields may have on their own: some were only tried while others changed, too."""
        suspects = self.knowledge.suspects
        items = [(i, place) for i, s in suspects.items() for place in range(s.size) if place not in s.alone]
        items = [(i, place) for i, place in items if place != self.problem.seed[i]]
        found = yield from self.inquiry.failed([dict([item]) for item in items], "what each of them does on its own")
        for (i, place), fails in zip(items, found, strict=True):
            if fails:
                suspects[i].failed(place)
            else:
                self.knowledge.stops(i, place)
        self._update()

    @property
    def _samples(self) -> int:
        """A sixteenth of the questions; more if they said that nothing matters, which is a bold claim."""
        return max(2 if self.inquiry.sets else 8, self.asked // 16)

    @property
    def _spare(self) -> int:
        """How many questions the check of the model may take: an eighth of those that led to it."""
        return max(4, self.asked // 8)

    def learn(self) -> Generator[Asking, Answers, None]:
        """Ask until every value of every field is known to trigger or to stop it."""
        knowledge, inquiry = self.knowledge, self.inquiry
        while True:
            query = knowledge.propose()
            if query is None and knowledge.conflict is None:
                break
            if query is None:
                yield from self._conflict()
                continue
            candidate = self.problem.configuration(query.items)
            [failed] = yield from inquiry.runs([candidate], knowledge.note, self._ahead(query))
            self.asked += 1
            knowledge.learn(query, failed)
            self._update()
        inquiry.open = 0

    def _ahead(self, query: Query) -> Iterator[Configuration]:
        """What will be asked after either answer, and after the answers to that."""
        asked = deque([(self.knowledge.fork(), query)])
        for _ in range(FORESEEN):
            before, query = asked.popleft()
            for failed in (True, False):
                after = before.fork()
                after.learn(query, failed)
                if (then := after.propose()) is not None:
                    yield self.problem.configuration(then.items)
                    asked.append((after, then))
            if not asked:
                break

    def _update(self) -> None:
        inquiry, knowledge = self.inquiry, self.knowledge
        inquiry.sets = {i: s.good for i, s in knowledge.suspects.items() if s.bad or i in knowledge.apart}
        inquiry.unknown = {i: set(knowledge.suspects[i].chances) for i in inquiry.sets}
        inquiry.open = knowledge.open
        inquiry.confidence = knowledge.confidence

    # Contradictions

    def _conflict(self) -> Generator[Asking, Answers, None]:
        """Values that fail one by one have passed together."""
        items = dict(self.knowledge.conflict or ())
        self.knowledge.conflict = None
        if (yield from self._steady(items)):
            yield from self._pass_together(items)

    def _steady(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, bool]:
        """Whether what passed passes again: if not, it is not the fields that are to blame."""
        inquiry = self.inquiry
        if inquiry.rate == 1 and not inquiry.unsteady:
            candidate = self.problem.configuration(changes)
            [outcome] = yield Ask([candidate], fresh=True, best=inquiry.best, note="does it pass again?")
            inquiry.unsteady = outcome is not None and outcome.verdict is FAIL
        elif inquiry.rate < 1 and len(changes) == 1:
            [fails] = yield from inquiry.failed([changes], "does it pass again?")
            for i, place in changes.items() if fails else ():
                self.knowledge.suspects[i].failed(place)
            self._update()
            return not fails
        return not inquiry.unsteady

    def _pass_together(self, changes: Mapping[int, int]) -> Generator[Asking, Answers, None]:
        note = "which values stop it only together?"
        found = yield from interaction.smallest(self.inquiry, {}, changes, fails=False, note=note)
        if len(found) == 1:
            yield from self._stops_alone(found)
        self._group(set(found))

    def _stops_alone(self, found: dict[int, int]) -> Generator[Asking, Answers, None]:
        """A value that triggered in company stops it on its own: the company tells with what it interacts."""
        [(i, place)] = found.items()
        self.knowledge.stops(i, place)
        self._update()
        if (line := self.knowledge.company.get((i, place))) is not None:
            yield from self._fails_again(found, dict(Query(line).items))
        else:
            yield from self._outside([found] * 2 * SURPRISES)

    def _group(self, fields: set[int]) -> None:
        """These fields interact; groups that share a field are one."""
        if len(fields) < 2:
            return
        touching = [group for group in self.groups if group & fields]
        self.groups = [group for group in self.groups if not group & fields] + [fields.union(*touching)]
        self.knowledge.separate(fields)
        self._update()
        self.inquiry.groups = [interaction.named(self.inquiry, sorted(group)) for group in self.groups]

    # Checks

    def _check(self, passed: list[dict[int, int]], samples: int) -> Generator[Asking, Answers, None]:
        """Try what a product set implies, until nothing new turns up. ``passed``: members that did not fail."""
        inquiry = self.inquiry
        alone = {i: suspect.alone for i, suspect in self.knowledge.suspects.items()}
        ends = predictions.corners(inquiry) + predictions.unaccompanied(inquiry, alone, self._spare // 4)
        found = yield from inquiry.failed(ends, "checking the ends of the set")
        passed += [end for end, fails in zip(ends, found, strict=True) if not fails]
        for _ in range(SURPRISES):
            before = [set(group) for group in self.groups]
            yield from self._inside(passed)
            yield from self._outside_all()
            if inquiry.unsteady or before == self.groups:
                break
            members = [inquiry.member(self._own(self.knowledge.apart)) for _ in range(max(2, samples))]
            found = yield from inquiry.failed(members, "checking members that leave the group alone")
            passed = [member for member, fails in zip(members, found, strict=True) if not fails]

    def _own(self, fields: set[int]) -> dict[int, int]:
        return {i: self.problem.seed[i] for i in fields}

    def _inside(self, passed: list[dict[int, int]]) -> Generator[Asking, Answers, None]:
        """Members of the set that passed: which of their values stop it together?"""
        for member in passed[:SURPRISES]:
            changes = {i: v for i, v in member.items() if v != self.problem.seed[i] and i not in self.knowledge.apart}
            if self.groups:
                [fails] = yield from self.inquiry.failed([changes], "is that explained?")
                if fails:
                    continue
            if not (yield from self._steady(changes)):
                return
            yield from self._pass_together(changes)

    def _outside_all(self) -> Generator[Asking, Answers, None]:
        """Configurations with a stopping value: do all of them pass?"""
        inquiry, apart = self.inquiry, self.knowledge.apart
        pairs = predictions.pairs_alike(inquiry, self._spare // 4) + predictions.beyond(inquiry, SURPRISES)
        yield from self._pass([pair for pair in pairs if apart.isdisjoint(pair[0])])
        bases = [base for base in predictions.stopping(inquiry) if apart.isdisjoint(base)]
        tries = max(2 * min(len(bases), FEW) + 4, self._spare // 2)
        chosen = [bases[at] for at in inquiry.rng.permutation(len(bases))[: tries // 2]]
        turns = int(self.problem.others.max())  # after so many, every value of every other field had its turn
        yield from self._outside((chosen * turns)[:tries])

    def _outside(self, bases: list[dict[int, int]]) -> Generator[Asking, Answers, None]:
        """Vary everything around a stopping value, in another way each time that it comes up."""
        turns: Counter[int] = Counter()
        tries = []
        for base in bases:
            [i] = base
            tries.append((base, predictions.held(self.inquiry, base, turns[i])))
            turns[i] += 1
        yield from self._pass(tries)

    def _pass(self, tries: list[tuple[dict[int, int], dict[int, int]]]) -> Generator[Asking, Answers, None]:
        """Each a base that passes, and changes after which it should still do so."""
        runs = [{**base, **changes} for base, changes in tries]
        note = "does it fail with a stopping value, too?"
        found = yield from self.inquiry.failed(runs, note, once=True)
        failing = [one for one, fails in zip(tries, found, strict=True) if fails]
        for base, changes in failing:
            if self.knowledge.apart.isdisjoint(base) and (yield from self._steady(base)):
                yield from self._fails_again(base, changes)

    def _fails_again(self, base: dict[int, int], changes: dict[int, int]) -> Generator[Asking, Answers, None]:
        """A stopping value no longer stops it, with these changes."""
        note = "what makes it fail again?"
        found = yield from interaction.smallest(self.inquiry, base, changes, fails=True, note=note)
        if self.inquiry.sets.keys().isdisjoint(found):
            yield from self._other(base, found)
        self._group({*base, *found})

    def _other(self, base: dict[int, int], found: dict[int, int]) -> Generator[Asking, Answers, None]:
        """Fields that did not matter make it fail: another product set, around another failing configuration.

        The field with the stopping value keeps to such, so that nothing fails for the first reason meanwhile.
        """
        fields = (self.inquiry.sets.keys() | found.keys()) - base.keys()
        problem = Problem(self.problem.space, self.problem.configuration({**base, **found}), only=fields)
        inquiry = Inquiry(problem, rate=self.inquiry.rate, seed=self.seed, within=self.inquiry)
        yield from _Columns(inquiry, self.seed).learn()
        [i] = base
        also = yield from self._also(i, {**base, **found})
        indifferent = len(also) + len(self.inquiry.sets[i]) == len(self.problem.domains[i])
        for sets in [dict(inquiry.sets)] * indifferent + [{**inquiry.sets, i: also}]:
            members = [self._around(sets) for _ in range(self._samples)]
            confirmed = yield from self.inquiry.failed(members, "checking members of another set")
            if all(confirmed):
                # Where the field triggers the first failure, nobody can tell whether it would stop the other one.
                first = {j: self.inquiry.sets[j] if j == i else () for j in sets}
                self.inquiry.others.append(
                    {self.problem.names[j]: self.inquiry.values(j, sets[j], first[j]) for j in sorted(sets)}
                )
                return

    def _also(self, i: int, changes: dict[int, int]) -> Generator[Asking, Answers, set[int]]:
        """The values of a field that stop the first failure and do not stop the other one."""
        stopping = sorted(set(range(len(self.problem.domains[i]))) - self.inquiry.sets[i])
        tries = [{**changes, i: place} for place in stopping]
        found = yield from self.inquiry.failed(tries, "which other values fail again?")
        return {place for place, fails in zip(stopping, found, strict=True) if fails}

    def _around(self, sets: Mapping[int, set[int]]) -> dict[int, int]:
        """A random member of another set."""
        places = dict(enumerate(self.inquiry.rng.integers(self.problem.others + 1).tolist()))
        return places | {i: int(self.inquiry.rng.choice(sorted(good))) for i, good in sets.items()}
