"""One pass over a line of elements that sorts them into needed and not, one frontier after the other.

A ``Sweep`` is a value: what to ask next, and the sweep after either answer. So the same few lines drive the search and
look ahead for workers that have nothing to do.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rootward.searches.reduction.frontier import Array, Density, Frontier, Noise

RELAX = 0.05
"""How far the rate of a failure may differ from one frontier to the next: the share of doubt that is mixed in."""
PATIENCE = 12
"""Runs, and three for each doubling of the line, after which the next element is kept unless that is clearly needless:
some failures fade rather than end."""
RETURNS = 4
"""How often a sweep goes back before it takes things as they are."""
SUSPECT = 3.0
"""How much likelier an element is to be needed once its removal turned out to have cost the failure."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """The state of the pass. ``theta`` is the probability at which a frontier counts as found."""

    needed: tuple[int, ...]
    """What was found to be needed, in the order of finding."""
    rest: tuple[int, ...]
    """What is undecided, in the order of the line."""
    weights: Array
    frontier: Frontier
    theta: float
    enough: float
    """The probability at which an element is kept for the time being."""
    doubts: tuple[tuple[int, float], ...] = ()
    """For each needed one, the chance that it is not."""
    before: Sweep | None = None
    """The state at the beginning of the frontier before this one, to go back to if something was lost there."""
    tries: int = 0
    """Runs spent on this frontier."""
    returns: int = 0
    """How often it went back."""

    @classmethod
    def over(
        cls,
        line: Sequence[int],
        weights: Sequence[float],
        noise: Noise,
        *,
        theta: float,
        enough: float,
        lost: float = 0.0,
    ) -> Sweep:
        array = np.asarray(weights, dtype=float)
        frontier = Frontier.over(array, Density.over(array), noise, lost)
        return cls((), tuple(line), array, frontier, theta, enough)._decided()

    @property
    def _steady(self) -> bool:
        """Whether the failure shows every time: then there is always an end to find, and nothing gets lost."""
        return len(self.frontier.noise.rates) == 1

    @property
    def done(self) -> bool:
        return not self.rest

    @property
    def cut(self) -> tuple[int, ...]:
        """What the next run leaves out."""
        return self.rest[: self.frontier.cut]

    @property
    def chance(self) -> float:
        """How likely that run is to fail."""
        return self.frontier.fails(self.frontier.cut)

    def after(self, failed: bool, ceiling: float = 1.0) -> Sweep:
        frontier = self.frontier.after(self.frontier.cut, failed, ceiling)
        return replace(self, frontier=frontier, tries=self.tries + 1)._decided()

    def cleared(self, cut: int, noise: Noise) -> Sweep:
        """The same if what is left without the first ``cut`` elements was seen to fail often enough, by itself."""
        return replace(self, frontier=self.frontier.cleared(cut, noise))._decided()

    def barred(self) -> Sweep:
        """The same if that run cannot fail, whatever happens."""
        return replace(self, frontier=self.frontier.barred(self.frontier.cut))._decided()

    def _decided(self) -> Sweep:
        """Move on if the frontier is found, or if it took too long to tell where it is."""
        places = self.frontier.places
        place = int(places.argmax())
        if not self.rest or not (
            self.tries or self._steady
        ):  # what was needed before proves nothing of what comes next
            return self
        if not self._found(place):
            if self.tries < PATIENCE + 3 * math.log2(len(self.rest)) or self._steady:
                return self
            place = int(np.searchsorted(np.cumsum(places), 1 - self.theta))  # up to there hardly anything is needed
        if place == 0 and self.returns < RETURNS:
            return self._back()
        if place == len(self.rest) + 1:
            return replace(self, rest=(), weights=self.weights[:0])
        place = max(place, 1)
        return self._on(place - 1, lost=float(places[:place].sum()), spare=float(places[place + 1 :].sum()))

    def _found(self, place: int) -> bool:
        """To keep one too many costs a few runs later; to lose a needed one costs the failure."""
        places = self.frontier.places
        last = place in (0, len(self.rest) + 1)
        return bool(places[place] >= (self.theta if last else self.enough) and places[:place].sum() <= 1 - self.theta)

    def _on(self, place: int, *, lost: float, spare: float) -> Sweep:
        """The element at that place is needed, and those before it are not."""
        weights, noise = self.weights[place + 1 :], _relaxed(self.frontier.rates)
        density = self.frontier.learnt(place)
        found = self.rest[place]
        frontier = Frontier.over(weights, density, noise, 0.0 if self._steady else min(0.3, max(0.01, lost)))
        return replace(
            self,
            needed=(*self.needed, found),
            rest=self.rest[place + 1 :],
            weights=weights,
            frontier=frontier,
            doubts=(*self.doubts, (found, spare)),
            before=None if self._steady else self,
            tries=0,
        )._decided()

    def _back(self) -> Sweep:
        """Something needed went with the last removal: do it again, with more suspicion."""
        last = self.before
        if last is None:  # nothing was removed: it fails more rarely than it seemed
            frontier = Frontier.over(self.weights, self.frontier.density, _relaxed(self.frontier.noise))
            return replace(self, frontier=frontier, tries=0, returns=self.returns + 1)
        removed = len(last.rest) - len(self.rest) - 1
        weights = last.weights.copy()
        weights[:removed] *= SUSPECT
        frontier = Frontier.over(weights, last.frontier.density, _relaxed(last.frontier.noise), 0.02)
        return replace(last, weights=weights, frontier=frontier, tries=0, returns=self.returns + 1)


def ahead(sweep: Sweep, most: int = 40) -> Iterator[Sweep]:
    """The states that may come, the likeliest first, those in which the pass is over included."""
    order = itertools.count()
    heap = [(-1.0, next(order), sweep)]
    for _ in range(most):
        if not heap:
            return
        chance, _, state = heapq.heappop(heap)
        if state is not sweep:
            yield state
        if state.done:
            continue
        fails = state.chance
        for failed, share in ((True, fails), (False, 1 - fails)):
            if share > 1e-6:
                heapq.heappush(heap, (chance * share, next(order), state.after(failed)))


def _relaxed(noise: Noise) -> Noise:
    return replace(noise, chances=(1 - RELAX) * noise.chances + RELAX * noise.before)
