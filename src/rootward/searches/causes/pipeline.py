"""A pipeline (Definition 1 of BugDoc): parameters, the universe of their values, and the instances that may be run.

Searches work on numbers: an *instance* is a tuple with the place of each parameter's value in its universe. Parameters
are sorted by name, and unordered values by a fixed order, so that no answer depends on the order of a dictionary. The
configuration for the subject is built only when it is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rootward.errors import InputError
from rootward.rules import Atom, Conjunction, Literal, Rule, Term
from rootward.rules.constants import is_nan, value_order
from rootward.search.design import Box, Instance, forbidden_boxes
from rootward.space.candidate import Origin, Variation
from rootward.space.exceptional_values import order
from rootward.space.fields import show
from rootward.space.keys import canonical
from rootward.space.space import Field, Float, Int, Ordinal, Space, Text

Values = tuple[Any, ...]

MAX_LISTED_SIZE = 64
"""Maximum size of an integer field whose universe is all of its values."""


def instance_of(row: Iterable[Any]) -> Instance:
    """Return a row of places as an instance."""
    return tuple(map(int, row))


class Pipeline:
    """A space with a finite universe for each parameter.

    ``seen``: values of earlier runs, for numbers and texts. ``never``: combinations that must not be run. ``cost``: the
    cost of running a configuration; without it all cost the same.
    """

    def __init__(
        self,
        space: Space,
        seen: Mapping[str, Iterable[Any]] | None = None,
        *,
        never: Rule | None = None,
        cost: Callable[[Mapping[str, Any]], float] | None = None,
    ) -> None:
        self.space, self.never, self.cost = space, never, cost
        self.names: tuple[str, ...] = tuple(sorted(space.names))
        self.values: tuple[Values, ...] = tuple(
            _list_universe(space[name], (seen or {}).get(name, ())) for name in self.names
        )
        _check_distinguishable(self.names, self.values)
        self.ordered: tuple[bool, ...] = tuple(space[name].ordered for name in self.names)
        self.sizes: NDArray[np.int64] = np.array([len(values) for values in self.values], dtype=np.int64)
        if never is not None and not isinstance(never, Rule):
            raise InputError(f"never (the combinations that must not be run) must be a Rule, not {show(never)}")
        if cost is not None and not callable(cost):
            raise InputError(f"cost must be a function that takes a configuration, not {show(cost)}")
        if never is not None and (unknown := [name for name in never.fields if name not in space]):
            raise InputError(f"the constraints name the unknown field {unknown[0]!r}: it is not in the space")

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def places(self) -> list[dict[bytes, int]]:
        """For each parameter, the place of each value, by the value's canonical encoding."""
        found = [{canonical(value): place for place, value in enumerate(values)} for values in self.values]
        for own in found:
            if (zero := own.get(canonical(0.0))) is not None:
                own.setdefault(canonical(-0.0), zero)
        return found

    @cached_property
    def _origin(self) -> Origin:
        return Origin({name: values[0] for name, values in zip(self.names, self.values, strict=True)})

    @cached_property
    def _encoded(self) -> list[list[bytes]]:
        return [list(map(canonical, values)) for values in self.values]

    @property
    def combinations(self) -> int:
        """Number of instances, including forbidden ones."""
        return math.prod(map(len, self.values))

    def encode(self, configuration: Mapping[str, Any]) -> Instance | None:
        """Return the instance of a configuration; None if a value is not in the universe."""
        places = [own.get(canonical(configuration[name])) for name, own in zip(self.names, self.places, strict=True)]
        return None if None in places else tuple(place for place in places if place is not None)

    def configuration(self, instance: Sequence[int]) -> Variation:
        """Return the configuration of an instance, as the subject gets it."""
        changes = [
            (i, self.values[i][place], self._encoded[i][place]) for i, place in enumerate(map(int, instance)) if place
        ]
        return Variation(self._origin, changes)

    def allows(self, instance: Sequence[int]) -> bool:
        """Return True if the constraints permit the instance."""
        if self.never is None:
            return True
        return not self.never.holds({name: self.values[i][instance[i]] for i, name in self.constrained})

    @cached_property
    def forbidden(self) -> list[Box]:
        """The combinations that the constraints rule out."""
        return forbidden_boxes(self.names, self.values, self.never)

    @cached_property
    def constrained(self) -> list[tuple[int, str]]:
        """The parameters that the constraints name."""
        fields = set(self.never.fields if self.never is not None else ())
        return [(i, name) for i, name in enumerate(self.names) if name in fields]

    def price(self, instance: Sequence[int]) -> float:
        """Return the cost of running the instance."""
        if self.cost is None:
            return 1.0
        price: object = self.cost(self.configuration(instance))
        if isinstance(price, bool) or not isinstance(price, int | float) or not price >= 0:
            raise InputError(f"the cost function returned {show(price)}: it must return a number of at least 0")
        return float(price)

    def atoms(self, parameter: int, allowed: NDArray[np.bool_]) -> list[Atom]:
        """Return the fewest comparisons that leave a parameter exactly the allowed values of its universe."""
        name, values = self.names[parameter], self.values[parameter]
        inside, outside = np.flatnonzero(allowed), np.flatnonzero(~allowed)
        if len(inside) == 1 and len(outside):
            return [Atom(name, "=", values[inside[0]])]
        listed = [Atom(name, "!=", values[place]) for place in outside]
        if not self.comparable[parameter] or not listed or is_nan(values[inside[-1]]):
            return listed
        first, last = int(inside[0]), int(inside[-1])
        holes = [atom for atom, place in zip(listed, outside, strict=True) if first < place < last]
        below = [Atom(name, ">=", values[first])] if first else []
        above = [Atom(name, "<=", values[last])] if last < len(values) - 1 else []
        if above and below and last == len(values) - 2 and is_nan(values[-1]):
            above = []  # a bound already excludes NaN
        return min([*below, *above, *holes], listed, key=len)

    def text(self, box: Box) -> str:
        """Return a box as text.

        For a parameter with unordered values, list the allowed values unless they are more than the forbidden ones.
        """
        literals = []
        for i, allowed in sorted(box.items()):
            few = not self.ordered[i] and allowed.sum() <= (~allowed).sum()
            own = [[Atom(self.names[i], "=", self.values[i][place])] for place in np.flatnonzero(allowed)]
            alternatives = own if few else [self.atoms(i, allowed)]
            literals.append(Literal(self.names[i], map(Conjunction, alternatives)))
        return str(Rule.of_terms([Term(literals)]))

    @cached_property
    def comparable(self) -> tuple[bool, ...]:
        """For each parameter, True if a rule can compare its values by order: numbers, and text by code point."""
        return tuple(
            ordered and _is_ascending(values) for ordered, values in zip(self.ordered, self.values, strict=True)
        )

    def conjunction(self, box: Box) -> Conjunction:
        """Return a box, the allowed values of some parameters, as a conjunction."""
        return Conjunction(atom for i, allowed in sorted(box.items()) for atom in self.atoms(i, allowed))


def _check_distinguishable(names: Sequence[str], values: Sequence[Values]) -> None:
    """Raise InputError if two values of a parameter are equal in every comparison, such as 1 and 1.0."""
    for name, own in zip(names, values, strict=True):
        seen: dict[float, Any] = {}
        for value in own:
            if isinstance(value, int | float) and not isinstance(value, bool) and not is_nan(value):
                if value in seen:
                    both = f"{show(seen[value])} and {show(value)}"
                    raise InputError(f"{name} can be {both}, which no comparison tells apart: keep one of them")
                seen[value] = value


def _list_universe(field: Field, seen: Iterable[Any]) -> Values:
    """Return the values that a search may try.

    A small range of integers has all its values, and a choice those that it lists. Numbers with a list have the list
    and the values seen in earlier runs. Other numbers and texts have only the values seen or, if these are fewer than
    two, also ``field.values``.
    """
    if isinstance(field, Int) and field.size <= MAX_LISTED_SIZE and not field.listed:
        return tuple(range(field.lo, field.hi + 1))
    if not isinstance(field, Int | Float | Text):
        return field.values if isinstance(field, Ordinal) else tuple(sorted(field.values, key=value_order))
    listed = not isinstance(field, Text) and field.listed
    own = {canonical(value): value for value in seen}
    if listed or len(own) < 2:
        own |= {canonical(value): value for value in field.values}
    if canonical(0.0) in own:
        own.pop(canonical(-0.0), None)  # no rule distinguishes the two zeros
    return tuple(sorted(own.values(), key=value_order if isinstance(field, Text) else order))


def _is_ascending(values: Values) -> bool:
    numbers = [value for value in values if not is_nan(value)]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        return all(one <= two for one, two in pairwise(numbers))
    texts = all(isinstance(value, str) for value in values)
    return texts and all(one <= two for one, two in pairwise(values))
