"""Constraints: boxes of values that must not occur together, and the completion of partial instances around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.rules import Literal, Rule

Instance = tuple[int, ...]
"""For each parameter, the index of its value."""
Box = Mapping[int, NDArray[np.bool_]]
"""For some parameters, by number, a mask of values. An instance lies in the box if the value of each of these
parameters is in its mask."""
FREE = -1
"""Stands in an instance for a value that is not decided."""


def forbidden_boxes(names: Sequence[str], values: Sequence[Sequence[object]], never: Rule | None) -> list[Box]:
    """Return the combinations of values for which the rule holds: one box for each of its terms."""
    at = {name: i for i, name in enumerate(names)}
    terms = never.terms if never is not None else ()
    return [{at[one.field]: _mask(values[at[one.field]], one) for one in term} for term in terms]


def _mask(values: Sequence[object], literal: Literal) -> NDArray[np.bool_]:
    return np.array([literal.holds({literal.field: value}) for value in values], dtype=bool)


class Constraints:
    """Forbidden boxes for instances of parameters with the given numbers of values."""

    def __init__(self, sizes: Sequence[int], boxes: Iterable[Box] = ()) -> None:
        self.full = [(1 << int(size)) - 1 for size in sizes]
        self.boxes = [{i: _bits(allowed) for i, allowed in sorted(box.items())} for box in boxes]

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def allow(self, part: Sequence[int]) -> bool:
        """Return True if some completion of the partial instance avoids every box."""
        return not self.boxes or self._avoid_boxes(self._domains(part)) is not None

    def complete(self, part: Sequence[int], rng: np.random.Generator) -> Instance | None:
        """Return a random completion of the partial instance that avoids every box; None if there is none."""
        domains = self._domains(part)
        order = [int(i) for i in rng.permutation(len(domains)) if part[i] < 0]
        if self._avoid_boxes(domains) is None:
            return None
        for i in order:
            values = [value for value in range(domains[i].bit_length()) if domains[i] >> value & 1]
            for value in rng.permutation(values):
                tried = [*domains[:i], 1 << int(value), *domains[i + 1 :]]
                if self._avoid_boxes(tried) is not None:
                    domains = tried
                    break
        return tuple(domain.bit_length() - 1 for domain in domains)

    def _domains(self, part: Sequence[int]) -> list[int]:
        return [full if place < 0 else 1 << int(place) for place, full in zip(part, self.full, strict=True)]

    def _avoid_boxes(self, domains: list[int]) -> list[int] | None:
        """Return smaller domains such that every choice of values from them avoids every box; None if impossible.

        An instance avoids a box if at least one parameter lies outside of it. So take a box that is not avoided yet and
        try its parameters in turn: move the parameter out of the box, and keep the parameters before it inside.
        """
        for box in self.boxes:
            if all(domains[i] & mask for i, mask in box.items()):
                break
        else:
            return domains
        inside = list(domains)
        for i, mask in box.items():
            if outside := inside[i] & ~mask:
                found = self._avoid_boxes([*inside[:i], outside, *inside[i + 1 :]])
                if found is not None:
                    return found
            inside[i] &= mask
        return None


def _bits(allowed: NDArray[np.bool_]) -> int:
    return sum(1 << int(place) for place in np.flatnonzero(allowed))
