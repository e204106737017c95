"""Suspects: what is known about the values of one field that matters, and what to expect of the others.

A value certainly triggers the fault once a run with it fails. It stops the failure if a run passes in which nothing
else could have stopped it; if the failure is flaky, each such run only makes that likelier.
"""

from __future__ import annotations

from itertools import pairwise


class Suspect:
    """A field with ``size`` values. Those at the places ``good`` trigger the fault, those at ``bad`` stop it."""

    def __init__(self, size: int, *, ordered: bool, rate: float, good: set[int]) -> None:
        self.size, self.ordered, self.rate, self.good = size, ordered, rate, good
        self.bad: set[int] = set()
        self.passes: dict[int, int] = {}
        """Number of times that a value passed where nothing else could have stopped the failure."""
        self.tried_alone: set[int] = set()
        """The values that were tried with all other fields unchanged."""
        self._priors: dict[int, float] = {}
        """For each stopping value, its chance to stop the failure as estimated before it was known to; at most 0.5."""
        self._chances: dict[int, float] | None = None

    def fork(self) -> Suspect:
        other = Suspect(self.size, ordered=self.ordered, rate=self.rate, good=set(self.good))
        other.bad, other.passes, other._chances = set(self.bad), dict(self.passes), self._chances
        other.tried_alone, other._priors = set(self.tried_alone), dict(self._priors)
        return other

    def record_failure(self, place: int) -> None:
        """Record that a run with this value failed."""
        self.good.add(place)
        self.bad.discard(place)
        self._chances = None

    def record_pass(self, place: int, enough: float) -> None:
        """Record that the value passed alone.

        The value counts as stopping if the chance that it triggers all the same is at most ``enough``.
        """
        self.passes[place] = self.passes.get(place, 0) + 1
        if place not in self.bad and self.doubt(place) <= enough:
            self.mark_stopping(place, self.passes[place])

    def mark_stopping(self, place: int, passes: int = 1) -> None:
        """Record that the value stops the failure, after it passed ``passes`` times alone."""
        self._priors[place] = min(self.chances.get(place, 0.5), 0.5)
        self.passes[place] = passes
        self.bad.add(place)
        self._chances = None

    def doubt(self, place: int) -> float:
        """Return the chance that a value triggers in spite of its passes so far.

        Must not be used for values that are known to trigger.
        """
        chance = self._priors[place] if place in self.bad else self.chances.get(place, 0.5)
        missed: float = (1 - chance) * (1 - self.rate) ** self.passes.get(place, 0)
        return missed / (chance + missed)

    @property
    def chances(self) -> dict[int, float]:
        """The chance of each unknown value to stop the failure, ignoring the passes of this value.

        If the values are ordered, the chance follows from the nearest known neighbours. They count more if neighbours
        often agree in this field. Without order, the chance is the share of known values that stop the failure.
        """
        if self._chances is None:
            self._chances = self._estimate_by_neighbours() if self.ordered else self._estimate_by_share()
        return self._chances

    def choose_next(self) -> int | None:
        """Return the unknown value to try next.

        For ordered values, it is in the middle of the widest gap between known values. None if all are known.
        """
        unknown = self.chances
        if not self.ordered or not unknown:
            return next(iter(unknown), None)
        known = sorted(self.good | self.bad)
        options = [(known[0], 0), (self.size - 1 - known[-1], self.size - 1)]
        options += [((above - below) // 2, (above + below) // 2) for below, above in pairwise(known)]
        return max(options, key=lambda option: option[0])[1]

    def find_likeliest(self) -> int | None:
        """Return the unknown value that is most likely to trigger."""
        return min(self.chances, key=lambda place: self.chances[place], default=None)

    @property
    def _unknown(self) -> list[int]:
        return [place for place in range(self.size) if place not in self.good and place not in self.bad]

    def _estimate_by_share(self) -> dict[int, float]:
        chance = (len(self.bad) + 1) / (len(self.bad) + len(self.good) + 2)
        return dict.fromkeys(self._unknown, chance)

    def _estimate_by_neighbours(self) -> dict[int, float]:
        known = sorted(self.good | self.bad)
        agree = sum((one in self.bad) == (two in self.bad) for one, two in pairwise(known))
        # The field's own value and the first stopping one were chosen because they differ, so they do not count.
        alike = (agree + 2) / (len(known) + 2)
        odds = {place: alike / (1 - alike) if place in self.bad else (1 - alike) / alike for place in known}
        sides = [1.0, *(odds[place] for place in known), 1.0]
        ends = [-1, *known, self.size]
        chances = {}
        for i, (below, above) in enumerate(pairwise(ends)):
            both = sides[i] * sides[i + 1]
            chances.update(dict.fromkeys(range(below + 1, above), both / (1 + both)))
        return chances
