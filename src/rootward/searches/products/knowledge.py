"""Column group testing: change all fields at once, so that a run that still fails clears one value of every field.

The idea. The failing configuration is changed in every field at the same time, each to a value of its own that was not
tried yet. If it still fails, all these values trigger the fault: N values are known after one run. If it passes, some
field *stopped* the failure, and group testing in a line (`sweep`) finds the first one in about log2(N / k) runs. That
field matters. It leaves the line, and its other values are tried one by one (`suspects`).

Two observations bring the number of runs close to the information limit. First, a run that tries one value of a field
that matters is a coin toss, while a run of the whole line nearly always fails, which says little. So the two share a
run, and the rounds over the line cost nothing extra. Second, the number of fields that matter is estimated on the way,
so that each window of the line has the size at which both answers are equally likely.

This module holds what is known and chooses the next run. It is a state that proposes a run (``propose``), learns its
outcome (``learn``) and can be copied (``fork``), so that idle workers can try what will be asked after either answer.
The runs, in the order in which they are considered::

    run                               why                         fails                      passes
    one value, to confirm it          it may be the first stopper it triggers; a conflict?   its field matters
    a window of the line              it tells most               its values trigger         find the first stopper
    the whole line and one value      nearly sure, plus a coin    both are known             the value waits (_pending)
    one value                         the line is empty           it triggers                it stops the failure
    the most doubtful stopping value  the failure is flaky        it triggers after all      it is more certain

It ends when every value of every field is known to trigger or to stop the failure; if the failure is flaky, when in
addition all stopping values together are certain enough (``error``). It also stops at a ``conflict``: values that fail
one by one but pass together, which no product set can explain.

To add a kind of run, return it from ``propose`` as a ``Query`` and handle its outcome in ``learn``. Both must depend on
the state alone, and ``fork`` must copy everything that they change. The numbers are in ``tuning.py``, with their
influence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rootward.searches.products.problem import Problem
from rootward.searches.products.suspects import Suspect
from rootward.searches.products.sweep import ItemSweep, information
from rootward.searches.products.tuning import TUNING
from rootward.words import count

Item = tuple[int, int]
"""A field and the place of a value."""
Line = tuple[NDArray[np.int32], NDArray[np.int16]]
"""Several items: their fields, and the places of their values."""
NOTHING: Line = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int16))


@dataclass(frozen=True)
class Query:
    """A run to make.

    It tries the items of the line up to ``end``, or one value of a field that matters (``single``), or both.
    """

    line: Line
    end: int | None = None
    single: Item | None = None

    @property
    def items(self) -> list[Item]:
        single = [] if self.single is None else [self.single]
        return [*zip(self.line[0].tolist(), self.line[1].tolist(), strict=True), *single]


class Knowledge:
    """The state of knowledge about a product set. ``rate``: how often a triggering configuration fails (1: always)."""

    def __init__(self, problem: Problem, *, rate: float = 1.0, error: float = 0.03, seed: int = 0) -> None:
        self.problem, self.rate, self.error = problem, rate, error
        rng = np.random.default_rng(seed)
        self._shuffled = rng.permutation(len(problem))
        self._orders = _draw_orders(problem, rng)
        self._aligned = [rng.permutation(TUNING.max_values + 1).tolist() for _ in range(TUNING.aligned_rounds)]
        self.known_counts = np.zeros(len(problem), dtype=np.int64)
        """Number of values of each field that are known to trigger the fault, for fields that are not suspected."""
        self.suspects: dict[int, Suspect] = {}
        self.interacting: set[int] = set()
        """The fields that interact with others: each is changed on its own."""
        self.changed_together: dict[Item, Line] = {}
        """The items that changed along with a single value when it was seen to trigger."""
        self.conflict: tuple[Item, ...] | None = None
        """Items that fail one by one but pass together."""
        self._confirm: Item | None = None
        self._pending: list[Item] = []
        """Single values that passed together with the whole line: they are stoppers if nothing in the line is."""
        self._start_line()

    def fork(self) -> Knowledge:
        other = object.__new__(Knowledge)
        other.__dict__.update(self.__dict__)
        other.known_counts, other._sweep = self.known_counts.copy(), self._sweep.fork()
        other._aligned = list(self._aligned)
        other.changed_together = dict(self.changed_together)
        other.suspects = {i: suspect.fork() for i, suspect in self.suspects.items()}
        other.interacting, other._pending = set(self.interacting), list(self._pending)
        return other

    @property
    def open_count(self) -> int:
        """Number of fields with values that are not known yet."""
        plain = int(np.count_nonzero(self.known_counts < self.problem.other_counts))
        return plain + sum(bool(suspect.chances) for suspect in self.suspects.values())

    @property
    def confidence(self) -> float:
        """The chance that every stopping value really is one."""
        return max(0.0, 1 - sum(self._list_doubts().values()))

    @property
    def note(self) -> str:
        """The progress of the search, in words."""
        values = sum(len(suspect.chances) for suspect in self.suspects.values())
        rounds = int((self.problem.other_counts - self.known_counts).max(initial=0))
        left = [f"{values:,} of their values"] if values else []
        left += [f"up to {count(rounds, 'value')} of each other field"] if rounds else []
        if left:
            doing = f"still to try: {' and '.join(left)}"
        else:
            doing = f"repeating runs to be sure ({self.confidence:.0%} so far)"
        return f"{len(self.suspects) or 'no'} field{'' if len(self.suspects) == 1 else 's'} found to matter; {doing}"

    def _list_doubts(self) -> dict[Item, float]:
        if self.rate == 1:
            return {}
        return {(i, v): suspect.doubt(v) for i, suspect in self.suspects.items() for v in suspect.bad}

    # The line

    def _start_line(self) -> None:
        """Start a new line of values to try.

        It has an untried value of every field that is not suspected, and values of suspected fields that are likely to
        trigger. Fields with the most untried values come first, because they need the most runs. Other fields can join
        any of these runs.
        """
        left = (self.problem.other_counts - self.known_counts)[self._shuffled]
        fields = self._shuffled[np.argsort(-left, kind="stable")][: np.count_nonzero(left)]
        ages, others = self.known_counts[fields], self.problem.other_counts[fields]
        unit = (others + 1) / (others * (ages + 1) * (ages + 2))
        if self._aligned and self._estimate_share() * unit.sum() < TUNING.whole_line_stoppers:
            self._align(fields, self._aligned.pop())
        likely = [(i, suspect.find_likeliest()) for i, suspect in self.suspects.items() if i not in self.interacting]
        joined = [(i, v) for i, v in likely if v is not None and self.suspects[i].chances[v] < TUNING.line_chance]
        more = np.array(joined, dtype=np.int32).reshape(-1, 2).T
        self._fields = np.concatenate((fields, more[0]), dtype=np.int32, casting="same_kind")
        self._places = np.concatenate((self._orders[fields, ages], more[1]), dtype=np.int16, casting="same_kind")
        self._unit = np.concatenate((unit, np.zeros(len(joined))))
        self._fixed = np.concatenate((np.zeros(len(fields)), [self.suspects[i].chances[v] for i, v in joined]))
        self._sweep = ItemSweep(len(self._fields), self.rate)

    def _item_at(self, at: int) -> Item:
        return int(self._fields[at]), int(self._places[at])

    def _cut(self, start: int, end: int) -> Line:
        return self._fields[start:end], self._places[start:end]

    def _align(self, fields: NDArray[np.int64], preferred: list[int]) -> None:
        """Reorder untried values so that fields with the same list of values try the same value next."""
        self._orders = self._orders.copy()  # a fork may share it
        alike: dict[int, list[int]] = {}
        for i in fields.tolist():
            alike.setdefault(id(self.problem.domains[i].whole), []).append(i)
        for group in alike.values():
            size = len(self.problem.domains[group[0]])
            place = next(place for place in preferred if place < size)
            rows = np.array(group)
            at = np.argmax(self._orders[rows] == place, axis=1)
            swapped = (self._orders[rows, at] == place) & (at > self.known_counts[rows]) & (at < size - 1)
            rows, at = rows[swapped], at[swapped]
            now = self._orders[rows, self.known_counts[rows]]
            self._orders[rows, self.known_counts[rows]], self._orders[rows, at] = place, now

    def _estimate_share(self) -> float:
        """Estimate the share of fields that matter.

        Uses the number of such fields found so far, and how many values of the other fields were tried. A field that
        matters is assumed to have 1, 2, ... stopping values, each number equally likely.
        """
        m, age = self.problem.other_counts, self.known_counts
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = np.where(m > 0, 1 - (m - age) / (m * (age + 1)), 0.0)
        exposed = float(seen.sum()) + len(self.problem) / TUNING.expected_fields
        return min(0.5, (len(self.suspects) + 1) / exposed)

    def _compute_hazards(self) -> NDArray[np.float64]:
        """Return, for each item of the line, the chance that it stops the failure if no item before it does."""
        hazards: NDArray[np.float64] = np.minimum(self._estimate_share() * self._unit + self._fixed, 0.9)
        return hazards

    # Choosing

    def propose(self) -> Query | None:
        """Return the next run.

        None if all is known, or if there is a ``conflict`` to explain first.
        """
        if self.conflict is not None:
            return None
        if self._confirm is not None:
            return Query(NOTHING, single=self._confirm)
        if not self._sweep.passes and not self._pending:
            self._start_line()
        if self._sweep.is_done:
            return self._propose_single() or self._propose_doubtful()
        whole = float(np.prod([self._pass_chance(item) for item in self._pending]))
        weights = self._sweep.weights(self._compute_hazards(), whole)
        end, bits = self._sweep.window(weights)
        partner = self._choose_partner()
        if partner is not None:
            chance = weights[-1] * self.suspects[partner[0]].doubt(partner[1])
            if information(np.array([chance]), self.rate)[0] >= bits:
                end = self._sweep.length
                return Query(self._cut(self._sweep.clear, end), end=end, single=partner)
        return Query(self._cut(self._sweep.clear, end), end=end)

    def _pass_chance(self, item: Item) -> float:
        """Return the chance that a run passes if only this item could stop the failure."""
        return 1 - self.rate * self.suspects[item[0]].doubt(item[1])

    def _singles(self) -> Iterable[Item]:
        for i, suspect in self.suspects.items():
            if (place := suspect.choose_next()) is not None:
                yield i, place

    def _choose_partner(self) -> Item | None:
        """Return the value to try along with the whole line.

        It is the value whose chance of triggering is closest to one half. None if no chance is close enough.
        """
        waiting = {i for i, _ in self._pending}
        lined = set(self._fields[self._fixed > 0].tolist())
        options = [item for item in self._singles() if item[0] not in waiting and item[0] not in lined]
        unfair = {item: abs(self.suspects[item[0]].doubt(item[1]) - 0.5) for item in options}
        fair = [item for item in options if unfair[item] < TUNING.max_unfairness]
        return min(fair, key=lambda item: unfair[item], default=None)

    def _propose_single(self) -> Query | None:
        for item in self._singles():
            return Query(NOTHING, single=item)
        return None

    def _propose_doubtful(self) -> Query | None:
        """Return a run that tries the least certain stopping value again.

        None if the stopping values are certain enough, all together.
        """
        doubts = self._list_doubts()
        if sum(doubts.values()) <= self.error:
            return None
        worst = max(doubts, key=lambda item: doubts[item])
        return Query(NOTHING, single=worst)

    # Learning

    def learn(self, query: Query, failed: bool) -> None:
        """Learn the outcome of a run."""
        if self._confirm is not None:
            self._learn_confirmation(failed)
        elif failed:
            self._learn_failure(query)
        else:
            self._learn_pass(query)
        self._find_stopper()

    def _learn_failure(self, query: Query) -> None:
        if query.end is not None:
            self._clear_window(query.end)
        if query.single is not None:
            i, place = query.single
            self.suspects[i].record_failure(place)
            if query.end is None:
                self.suspects[i].tried_alone.add(place)
            else:
                self.changed_together[query.single] = query.line

    def _clear_window(self, end: int) -> None:
        fields, places = self._cut(self._sweep.clear, end)
        known = self._fixed[self._sweep.clear : end] > 0
        self.known_counts[fields[~known]] += 1
        for i, place in zip(fields[known].tolist(), places[known].tolist(), strict=True):
            self.suspects[i].record_failure(place)
        self._sweep.record_failure(end)
        if self._sweep.is_done:
            for i, place in self._pending:
                self.suspects[i].record_pass(place, TUNING.settled_error)
            self._pending = []

    def _learn_pass(self, query: Query) -> None:
        if query.end is None:
            assert query.single is not None
            self.suspects[query.single[0]].record_pass(query.single[1], TUNING.settled_error)
            self.suspects[query.single[0]].tried_alone.add(query.single[1])
        elif query.single is None:
            self._sweep.record_pass(query.end)
        else:
            self._pending.append(query.single)

    def _find_stopper(self) -> None:
        """Check if the first stopper of the line is known now.

        If it was run alone, record it. Otherwise, run it alone next.
        """
        if self._sweep.is_done or not self._sweep.passes:
            return
        weights = self._sweep.weights(self._compute_hazards())
        if weights[0] < 1 - TUNING.settled_error:
            return
        item = self._item_at(self._sweep.clear)
        if self._sweep.is_confirmed:
            self._record_stopper(item)
        else:
            self._confirm = item

    def _learn_confirmation(self, failed: bool) -> None:
        item, self._confirm = self._confirm, None
        assert item is not None
        if not failed:
            self._sweep.record_pass(self._sweep.clear + 1)
            return
        windows = [window for window in self._sweep.passes if window[1] <= self._sweep.clear + 1]
        self._clear_window(self._sweep.clear + 1)
        if windows and self.rate == 1:
            start, end = windows[-1]
            self.conflict = tuple(self._item_at(at) for at in range(start, end))
            self._sweep.passes, self._pending = [], []

    def _record_stopper(self, item: Item) -> None:
        i, place = item
        seen = sum(window == (self._sweep.clear, self._sweep.clear + 1) for window in self._sweep.passes)
        self.suspect(i).mark_stopping(place, max(seen, 1))
        self.suspect(i).tried_alone.add(place)
        self._sweep.skip()
        self._pending = []

    def suspect(self, i: int) -> Suspect:
        """Return the knowledge about field ``i``, which counts as a field that matters from now on."""
        if i not in self.suspects:
            good = {self.problem.own_places[i], *self._orders[i, : self.known_counts[i]].tolist()}
            domain = self.problem.domains[i]
            self.suspects[i] = Suspect(len(domain), ordered=domain.ordered, rate=self.rate, good=good)
            self.known_counts[i] = self.problem.other_counts[i]
        return self.suspects[i]

    def record_stop(self, i: int, place: int) -> None:
        """Record that a value stops the failure alone, although it was thought to trigger."""
        suspect = self.suspect(i)
        suspect.good.discard(place)
        suspect.mark_stopping(place)

    def separate(self, fields: Iterable[int]) -> None:
        """Record that these fields interact. From now on, each of them is changed alone."""
        for i in fields:
            self.suspect(i)
            self.interacting.add(i)


def _draw_orders(problem: Problem, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return, for each field, the random order in which its values are tried.

    The values are given by their places. The value in the failing run is left out.
    """
    orders = np.zeros((len(problem), int(problem.other_counts.max(initial=0))), dtype=np.int16)
    alike: dict[tuple[int, int], list[int]] = {}
    for i, domain in enumerate(problem.domains):
        alike.setdefault((len(domain), problem.own_places[i]), []).append(i)
    for (size, own), fields in alike.items():
        places = np.array([place for place in range(size) if place != own], dtype=np.int16)
        orders[fields, : size - 1] = rng.permuted(np.tile(places, (len(fields), 1)), axis=1)
    return orders
