"""The line in which the sieve tries elements, and the ground that it stands on: the elements and what is known of them.

The least likely to be needed come first; of equals the last in the list, because later lines and messages tend to need
earlier ones. In a tree, each level has a line of its own.

How likely an element is to be needed, before anything was left out, is its weight. A weight only means more or less
than another's: how many elements are needed is learnt by the search (sweep.py), and so is whether these guesses were
any good. What the robot touched counts most, then what touches that, then what it came near or sensed. In a tree, a
large branch is likelier to hold something needed than a small one.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rootward.search.ask import Answers, Ask
from rootward.searches.reduction.sieve_tuning import TUNING
from rootward.searches.reduction.surroundings import Surroundings
from rootward.searches.reduction.sweep import Sweep, ahead
from rootward.space.candidate import Elements, Selection
from rootward.verdict import Outcome

E = TypeVar("E")
T = TypeVar("T")
Asking = Generator[Ask[Selection[E]], Answers, T]
"""A part of a reduction: it asks like a search, and returns a T."""


@dataclass
class Ground(Generic[E]):
    """The elements with all that is known about them."""

    elements: Elements[E]
    surroundings: Surroundings
    require: tuple[frozenset[int], ...]

    def __post_init__(self) -> None:
        self.before: Surroundings | None = None

    def learn(self, failing: Outcome | None) -> None:
        """Take in what a failing run reported; the first is that of the whole."""
        if failing is not None:
            self.surroundings = self.surroundings.learn(failing)
            self.before = self.before or self.surroundings

    @property
    def weights(self) -> list[float]:
        """How likely each element is to be needed, beside the others, as far as is known now."""
        found = weights(len(self.elements), self.elements.parents, self.surroundings)
        for group in self.require:
            for i in group:
                found[i] = max(found[i], TUNING.required_weight / len(group))
        return found

    def removable(self, selection: Selection[E]) -> list[int]:
        """What can be left out alone without being refused, in the order of the list."""
        return [i for i in selection.free if not (self.require and self.refuses(selection.without([i])))]

    def refuses(self, selection: Selection[E]) -> bool:
        """Whether nothing can fail without what this leaves out."""
        kept = set(selection.kept) if self.require else set()
        return any(kept.isdisjoint(group) for group in self.require)

    @property
    def depth(self) -> int:
        """How many levels the tree has; a list has one."""
        return max(self.elements.depths, default=0) + 1


@dataclass(frozen=True)
class Line(Generic[E]):
    """What may be left out of a selection, in the order in which that is tried."""

    ground: Ground[E]
    current: Selection[E]
    order: list[int]
    weights: list[float]

    @classmethod
    def over(cls, ground: Ground[E], current: Selection[E], level: int) -> Line[E]:
        depths, weight = ground.elements.depths, ground.weights
        order = sorted((i for i in current.free if depths[i] == level), key=lambda i: (weight[i], -i))
        return cls(ground, current, order, [weight[i] for i in order])

    def without(self, sweep: Sweep, cut: Sequence[int] = ()) -> Selection[E]:
        """What is there after the sweep so far, if ``cut`` is left out as well."""
        return self.current.without({*self.order}.difference(sweep.needed, sweep.rest).union(cut))

    def note(self, sweep: Sweep, left: Selection[E]) -> str:
        return f"{len(left)} of {len(self.ground.elements)} left, {len(sweep.needed)} needed"

    def ahead(self, sweep: Sweep) -> Iterator[Selection[E]]:
        """What may be asked next: the cuts of the sweep and, when it is over, what is left without each single one."""
        for state in ahead(sweep):
            left = self.without(state)
            wanted = [left.without([i]) for i in left.free] if state.done else [self.without(state, state.cut)]
            yield from (one for one in wanted if len(one) < len(self.current) and not self.ground.refuses(one))


# Weights


def weights(count: int, parents: Sequence[int | None] | None, surroundings: Surroundings) -> list[float]:
    """One weight per element."""
    if parents is not None:
        return [math.sqrt(size) for size in _sizes(parents)]
    return [_weight(i, surroundings) for i in range(count)]


def _weight(element: int, known: Surroundings) -> float:
    contact, distance = known.contacts.get(element), known.distance(element)
    weight = 1.0 if distance is None else 1.0 + TUNING.path_weight * math.exp(-distance / TUNING.path_reach)
    if contact is not None:
        return weight * (TUNING.touched_weight if contact <= 1 else TUNING.linked_weight)
    return weight * (TUNING.sensed_weight if element in known.sensed else 1.0)


def _sizes(parents: Sequence[int | None]) -> list[int]:
    """How many elements lie in each, itself included."""
    sizes = [1] * len(parents)
    for i in range(len(parents) - 1, -1, -1):  # parents come first
        parent = parents[i]
        if parent is not None:
            sizes[parent] += sizes[i]
    return sizes
