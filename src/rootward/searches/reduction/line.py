"""The order in which the sieve tries to remove elements (``Line``), and what is known about them (``Ground``).

Elements that are least likely to be needed come first. Among equals, the last in the list comes first, because later
lines and messages tend to depend on earlier ones. In a tree, each level has its own line.

An element's weight says how likely it is to be needed, before anything was removed. Weights are only relative: the
search learns how many elements are needed, and with that how far to trust the weights (sweep.py). Elements that the
robot touched weigh most, then those in contact with them, then those that the robot came near or sensed. In a tree, a
large branch is likelier to contain something needed than a small one.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rootward.formats.documents.parts import NOUNS
from rootward.search.ask import Answers, Ask
from rootward.searches.reduction.reduction import count_left
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.sweep import Sweep, predict_states
from rootward.space.candidate import Elements, Selection
from rootward.verdict import Outcome

E = TypeVar("E")
T = TypeVar("T")
Asking = Generator[Ask[Selection[E]], Answers, T]
"""A step of a reduction: a generator that asks like a search and returns a T."""


@dataclass
class Ground(Generic[E]):
    """The elements and everything known about them."""

    elements: Elements[E]
    surroundings: Surroundings
    require: tuple[frozenset[int], ...]

    def __post_init__(self) -> None:
        self.before: Surroundings | None = None

    def learn(self, failing: Outcome | None) -> None:
        """Use the report of a failing run. The first call must be for the run of the whole list."""
        if failing is not None:
            self.surroundings = self.surroundings.learn(failing)
            self.before = self.before or self.surroundings

    @property
    def weights(self) -> list[float]:
        """The weight of each element, given everything known so far."""
        found = weights(len(self.elements), self.elements.parents, self.surroundings)
        for group in self.require:
            for i in group:
                found[i] = max(found[i], TUNING.required_weight / len(group))
        return found

    def removable(self, selection: Selection[E]) -> list[int]:
        """Return the elements that may be removed one by one, in the order of the list."""
        return [i for i in selection.free if not (self.require and self.refuses(selection.without([i])))]

    def refuses(self, selection: Selection[E]) -> bool:
        """Return True if the selection cannot fail because it has no element of some required set."""
        kept = set(selection.kept) if self.require else set()
        return any(kept.isdisjoint(group) for group in self.require)

    @property
    def is_text(self) -> bool:
        """True if the elements are lines, words or characters: they often depend on each other."""
        return self.elements.noun in NOUNS.values() and self.elements.parents is None

    @property
    def depth(self) -> int:
        """Number of levels of the tree; a list has one."""
        return max(self.elements.depths, default=0) + 1


@dataclass(frozen=True)
class Line(Generic[E]):
    """The elements of one level that may be removed from a selection, in the order in which to try them."""

    ground: Ground[E]
    current: Selection[E]
    order: list[int]
    weights: list[float]

    @classmethod
    def build(cls, ground: Ground[E], current: Selection[E], level: int) -> Line[E]:
        depths, weight = ground.elements.depths, ground.weights
        order = sorted((i for i in reversed(current.free) if depths[i] == level), key=weight.__getitem__)
        return cls(ground, current, order, [weight[i] for i in order])

    def without(self, sweep: Sweep, cut: Sequence[int] = ()) -> Selection[E]:
        """Return the selection that the sweep has left so far, without the elements ``cut``."""
        return self.current.without({*self.order}.difference(sweep.needed, sweep.rest).union(cut))

    def expect_runs(self, sweep: Sweep) -> float:
        """Return how many runs the rest of the sweep takes if as many elements are needed there as before."""
        share = len(sweep.needed) / max(1, len(self.order) - len(sweep.rest))
        return share * len(sweep.rest) * (1 - math.log2(share)) if share else 0.0

    def note(self, sweep: Sweep, left: Selection[E]) -> str:
        return f"{count_left(left)}, {len(sweep.needed)} known to be needed"

    def predict_selections(self, sweep: Sweep) -> Iterator[Selection[E]]:
        """Yield selections that the search may ask for next, as hints for idle workers.

        These are the next cuts of the sweep. If the sweep may be over by then, they are also the remaining selection
        without each single element.
        """
        for state in predict_states(sweep):
            left = self.without(state)
            wanted = [left.without([i]) for i in left.free] if state.done else [self.without(state, state.cut)]
            yield from (one for one in wanted if len(one) < len(self.current) and not self.ground.refuses(one))


# Weights


def weights(count: int, parents: Sequence[int | None] | None, surroundings: Surroundings) -> list[float]:
    """Return one weight per element.

    In a tree, the weight depends on the size of the element's branch; in a list, on its surroundings.
    """
    if parents is not None:
        return [math.sqrt(size) for size in _sizes(parents)]
    if not (surroundings.positions or surroundings.contacts or surroundings.sensed):
        return [1.0] * count
    return [_weight(i, surroundings) for i in range(count)]


def _weight(element: int, known: Surroundings) -> float:
    contact, distance = known.contacts.get(element), known.distance(element)
    weight = 1.0 if distance is None else 1.0 + TUNING.path_weight * math.exp(-distance / TUNING.path_reach)
    if contact is not None:
        return weight * (TUNING.touched_weight if contact <= 1 else TUNING.linked_weight)
    return weight * (TUNING.sensed_weight if element in known.sensed else 1.0)


def _sizes(parents: Sequence[int | None]) -> list[int]:
    """Return the number of elements in each branch, including its root."""
    sizes = [1] * len(parents)
    for i in range(len(parents) - 1, -1, -1):  # parents come first
        parent = parents[i]
        if parent is not None:
            sizes[parent] += sizes[i]
    return sizes
