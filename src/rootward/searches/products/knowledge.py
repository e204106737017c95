"""Column group testing: all fields change at once, and what still fails clears one value of every field.

The failing configuration is changed in every field at the same time, each to a value of its own that was not tried yet.
If it still fails, all these values trigger the fault, for all N fields, at the price of one run. If not, some field
stopped it, and group testing in a line (sweep.py) finds it in about log2(N / k) runs. That field matters: it leaves the
line, and its other values are tried one by one (suspect.py). Two observations make the whole come close to the
information limit. A run that tries one value of a field that matters is a coin toss; a round over all other fields
nearly always fails: so both share a run, and rounds are free. And how many fields matter is learnt on the way, so that
windows have the size at which either answer is equally likely.

This module is the knowledge and the choice of the next run: a state that proposes a run, learns its outcome and can be
forked, so that a lab with idle workers may try what will be asked after either answer. What it asks for, and why::

    a window of the line        which telling most?       fails: its values trigger; passes: look for the first stopper
    the whole line and a value  nearly sure, and a coin   fails: both are known; passes: the value waits (_pending)
    one value, to confirm it    the first stopper         passes: its field matters; fails: a conflict
    one value                   the line is empty         fails: it triggers; passes: it stops the failure
    the most doubtful stopper   only if it may not show   until all together are certain enough (error)

Its numbers are in ``tuning.py``, with how much they matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.searches.products.problem import Problem
from rootward.searches.products.suspects import Suspect
from rootward.searches.products.sweep import Sweep, information
from rootward.searches.products.tuning import TUNING

Item = tuple[int, int]
"""A field and the place of a value."""
Line = tuple[NDArray[np.int32], NDArray[np.int16]]
"""Items: their fields, and the places of their values."""
NOTHING: Line = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int16))


@dataclass(frozen=True)
class Query:
    """A run to make: the items of the line up to ``end``, or one value of a field that matters, or both."""

    line: Line
    end: int | None = None
    single: Item | None = None

    @property
    def items(self) -> list[Item]:
        single = [] if self.single is None else [self.single]
        return [*zip(self.line[0].tolist(), self.line[1].tolist(), strict=True), *single]


class Knowledge:
    """What is known of a product set. ``rate``: how often a triggering configuration fails; 1 is always."""

    def __init__(self, problem: Problem, *, rate: float = 1.0, error: float = 0.03, seed: int = 0) -> None:
        self.problem, self.rate, self.error = problem, rate, error
        rng = np.random.default_rng(seed)
        self._shuffled = rng.permutation(len(problem))
        self._orders = _orders(problem, rng)
        self._aligned = [rng.permutation(TUNING.max_values + 1).tolist() for _ in range(TUNING.aligned_rounds)]
        self.age = np.zeros(len(problem), dtype=np.int64)
        """How many values of each field that is not suspected are known to trigger the fault."""
        self.suspects: dict[int, Suspect] = {}
        self.apart: set[int] = set()
        """The fields that interact with others: they are changed one at a time."""
        self.company: dict[Item, Line] = {}
        """What changed along with a single value when it was seen to trigger."""
        self.conflict: tuple[Item, ...] | None = None
        """Items each of which fails on its own, but which pass together."""
        self._confirm: Item | None = None
        self._pending: list[Item] = []
        """Single values that passed together with the whole line: they stop it if the line does not."""
        self._begin()

    def fork(self) -> Knowledge:
        other = object.__new__(Knowledge)
        other.__dict__.update(self.__dict__)
        other.age, other._sweep = self.age.copy(), self._sweep.fork()
        other._aligned = list(self._aligned)
        other.company = dict(self.company)
        other.suspects = {i: suspect.fork() for i, suspect in self.suspects.items()}
        other.apart, other._pending = set(self.apart), list(self._pending)
        return other

    @property
    def open(self) -> int:
        """How many fields have values that are not known yet."""
        plain = int(np.count_nonzero(self.age < self.problem.others))
        return plain + sum(bool(suspect.chances) for suspect in self.suspects.values())

    @property
    def confidence(self) -> float:
        """How sure it is that every stopping value is one."""
        return max(0.0, 1 - sum(self._doubts().values()))

    @property
    def note(self) -> str:
        """Where the search is, in words."""
        values = sum(len(suspect.chances) for suspect in self.suspects.values())
        rounds = int((self.problem.others - self.age).max(initial=0))
        left = [f"{values} of their values"] if values else []
        left += [f"up to {rounds} of each other field"] if rounds else []
        doing = f"{' and '.join(left)} to go" if left else f"making sure of it ({self.confidence:.0%} so far)"
        return f"{len(self.suspects) or 'no'} field{'' if len(self.suspects) == 1 else 's'} found to matter; {doing}"

    def _doubts(self) -> dict[Item, float]:
        if self.rate == 1:
            return {}
        return {(i, v): suspect.doubt(v) for i, suspect in self.suspects.items() for v in suspect.bad}

    # The line

    def _begin(self) -> None:
        """A new line: an untried value of every field that is not suspected, and the values likely to trigger.

        Fields with many values to go come first: they need the most runs, and the others can join any of these.
        """
        left = (self.problem.others - self.age)[self._shuffled]
        fields = self._shuffled[np.argsort(-left, kind="stable")][: np.count_nonzero(left)]
        ages, others = self.age[fields], self.problem.others[fields]
        unit = (others + 1) / (others * (ages + 1) * (ages + 2))
        if self._aligned and self._share() * unit.sum() < TUNING.whole_line_stoppers:
            self._align(fields, self._aligned.pop())
        likely = [(i, suspect.likely()) for i, suspect in self.suspects.items() if i not in self.apart]
        joined = [(i, v) for i, v in likely if v is not None and self.suspects[i].chances[v] < TUNING.line_chance]
        more = np.array(joined, dtype=np.int32).reshape(-1, 2).T
        self._fields = np.concatenate((fields, more[0]), dtype=np.int32, casting="same_kind")
        self._places = np.concatenate((self._orders[fields, ages], more[1]), dtype=np.int16, casting="same_kind")
        self._unit = np.concatenate((unit, np.zeros(len(joined))))
        self._fixed = np.concatenate((np.zeros(len(fields)), [self.suspects[i].chances[v] for i, v in joined]))
        self._sweep = Sweep(len(self._fields), self.rate)

    def _item(self, at: int) -> Item:
        return int(self._fields[at]), int(self._places[at])

    def _cut(self, start: int, end: int) -> Line:
        return self._fields[start:end], self._places[start:end]

    def _align(self, fields: NDArray[np.int64], preferred: list[int]) -> None:
        """Let fields with the same values try the same one next."""
        self._orders = self._orders.copy()  # a fork may share it
        alike: dict[int, list[int]] = {}
        for i in fields.tolist():
            alike.setdefault(id(self.problem.domains[i].whole), []).append(i)
        for group in alike.values():
            size = len(self.problem.domains[group[0]])
            place = next(place for place in preferred if place < size)
            rows = np.array(group)
            at = np.argmax(self._orders[rows] == place, axis=1)
            swapped = (self._orders[rows, at] == place) & (at > self.age[rows]) & (at < size - 1)
            rows, at = rows[swapped], at[swapped]
            now = self._orders[rows, self.age[rows]]
            self._orders[rows, self.age[rows]], self._orders[rows, at] = place, now

    def _share(self) -> float:
        """The share of fields that matter, estimated from those found and from how much of the others was tried.

        A field that matters has 1, 2, ... stopping values, each number as likely.
        """
        m, age = self.problem.others, self.age
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = np.where(m > 0, 1 - (m - age) / (m * (age + 1)), 0.0)
        exposed = float(seen.sum()) + len(self.problem) / TUNING.expected_fields
        return min(0.5, (len(self.suspects) + 1) / exposed)

    def _hazards(self) -> NDArray[np.float64]:
        """The chance of each item of the line to stop the failure, if none before it does."""
        hazards: NDArray[np.float64] = np.minimum(self._share() * self._unit + self._fixed, 0.9)
        return hazards

    # Choosing

    def propose(self) -> Query | None:
        """The next run; None if all is known, or there is a ``conflict`` to be explained first."""
        if self.conflict is not None:
            return None
        if self._confirm is not None:
            return Query(NOTHING, single=self._confirm)
        if not self._sweep.passes and not self._pending:
            self._begin()
        if self._sweep.done:
            return self._single() or self._doubtful()
        whole = float(np.prod([self._pass_chance(item) for item in self._pending]))
        weights = self._sweep.weights(self._hazards(), whole)
        end, bits = self._sweep.window(weights)
        partner = self._partner()
        if partner is not None:
            chance = weights[-1] * self.suspects[partner[0]].doubt(partner[1])
            if information(np.array([chance]), self.rate)[0] >= bits:
                end = self._sweep.length
                return Query(self._cut(self._sweep.clear, end), end=end, single=partner)
        return Query(self._cut(self._sweep.clear, end), end=end)

    def _pass_chance(self, item: Item) -> float:
        """The chance that a run passes in which only this item could stop it."""
        return 1 - self.rate * self.suspects[item[0]].doubt(item[1])

    def _singles(self) -> Iterable[Item]:
        for i, suspect in self.suspects.items():
            if (place := suspect.next()) is not None:
                yield i, place

    def _partner(self) -> Item | None:
        """A value that is tried along with the whole line: the one that is nearest to a coin toss."""
        waiting = {i for i, _ in self._pending}
        lined = set(self._fields[self._fixed > 0].tolist())
        options = [item for item in self._singles() if item[0] not in waiting and item[0] not in lined]
        unfair = {item: abs(self.suspects[item[0]].doubt(item[1]) - 0.5) for item in options}
        fair = [item for item in options if unfair[item] < TUNING.max_unfairness]
        return min(fair, key=lambda item: unfair[item], default=None)

    def _single(self) -> Query | None:
        for item in self._singles():
            return Query(NOTHING, single=item)
        return None

    def _doubtful(self) -> Query | None:
        """The stopping value that is least certain, while all together are not certain enough."""
        doubts = self._doubts()
        if sum(doubts.values()) <= self.error:
            return None
        worst = max(doubts, key=lambda item: doubts[item])
        return Query(NOTHING, single=worst)

    # Learning

    def learn(self, query: Query, failed: bool) -> None:
        """What the run said."""
        if self._confirm is not None:
            self._confirmed(failed)
        elif failed:
            self._failed(query)
        else:
            self._passed(query)
        self._look()

    def _failed(self, query: Query) -> None:
        if query.end is not None:
            self._clear(query.end)
        if query.single is not None:
            i, place = query.single
            self.suspects[i].failed(place)
            if query.end is None:
                self.suspects[i].alone.add(place)
            else:
                self.company[query.single] = query.line

    def _clear(self, end: int) -> None:
        fields, places = self._cut(self._sweep.clear, end)
        known = self._fixed[self._sweep.clear : end] > 0
        self.age[fields[~known]] += 1
        for i, place in zip(fields[known].tolist(), places[known].tolist(), strict=True):
            self.suspects[i].failed(place)
        self._sweep.failed(end)
        if self._sweep.done:
            for i, place in self._pending:
                self.suspects[i].passed(place, TUNING.settled_error)
            self._pending = []

    def _passed(self, query: Query) -> None:
        if query.end is None:
            assert query.single is not None
            self.suspects[query.single[0]].passed(query.single[1], TUNING.settled_error)
            self.suspects[query.single[0]].alone.add(query.single[1])
        elif query.single is None:
            self._sweep.passed(query.end)
        else:
            self._pending.append(query.single)

    def _look(self) -> None:
        """Is there a first stopper now?"""
        if self._sweep.done or not self._sweep.passes:
            return
        weights = self._sweep.weights(self._hazards())
        if weights[0] < 1 - TUNING.settled_error:
            return
        item = self._item(self._sweep.clear)
        if self._sweep.alone:
            self._stopper(item)
        else:
            self._confirm = item

    def _confirmed(self, failed: bool) -> None:
        item, self._confirm = self._confirm, None
        assert item is not None
        if not failed:
            self._sweep.passed(self._sweep.clear + 1)
            return
        windows = [window for window in self._sweep.passes if window[1] <= self._sweep.clear + 1]
        self._clear(self._sweep.clear + 1)
        if windows and self.rate == 1:
            start, end = windows[-1]
            self.conflict = tuple(self._item(at) for at in range(start, end))
            self._sweep.passes, self._pending = [], []

    def _stopper(self, item: Item) -> None:
        i, place = item
        count = sum(window == (self._sweep.clear, self._sweep.clear + 1) for window in self._sweep.passes)
        self.suspect(i).stopped(place, max(count, 1))
        self.suspect(i).alone.add(place)
        self._sweep.skip()
        self._pending = []

    def suspect(self, i: int) -> Suspect:
        """The field, which matters from now on."""
        if i not in self.suspects:
            good = {self.problem.seed[i], *self._orders[i, : self.age[i]].tolist()}
            domain = self.problem.domains[i]
            self.suspects[i] = Suspect(len(domain), ordered=domain.ordered, rate=self.rate, good=good)
            self.age[i] = self.problem.others[i]
        return self.suspects[i]

    def stops(self, i: int, place: int) -> None:
        """A value that was taken to trigger the fault stops it, on its own."""
        suspect = self.suspect(i)
        suspect.good.discard(place)
        suspect.stopped(place)

    def separate(self, fields: Iterable[int]) -> None:
        """These fields interact: from now on each of them is changed on its own."""
        for i in fields:
            self.suspect(i)
            self.apart.add(i)


def _orders(problem: Problem, rng: np.random.Generator) -> NDArray[np.int16]:
    """For each field, in a row, the places of its values but its own, in the order in which they are tried."""
    orders = np.zeros((len(problem), int(problem.others.max(initial=0))), dtype=np.int16)
    alike: dict[tuple[int, int], list[int]] = {}
    for i, domain in enumerate(problem.domains):
        alike.setdefault((len(domain), problem.seed[i]), []).append(i)
    for (size, own), fields in alike.items():
        places = np.array([place for place in range(size) if place != own], dtype=np.int16)
        orders[fields, : size - 1] = rng.permuted(np.tile(places, (len(fields), 1)), axis=1)
    return orders
