"""Constraints: boxes of values that must not all occur together, and whether a part of an instance can be completed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rootward.rules import Literal, Rule

Instance = tuple[int, ...]
"""The place of each parameter's value."""
Box = Mapping[int, NDArray[np.bool_]]
"""The allowed values of some parameters, by place."""
FREE = -1
"""The place of a parameter whose value is not decided."""


def forbidden(names: Sequence[str], values: Sequence[Sequence[object]], never: Rule | None) -> list[Box]:
    """The combinations of these values that the rule holds for, one box for each of its terms."""
    at = {name: i for i, name in enumerate(names)}
    terms = never.terms if never is not None else ()
    return [{at[one.field]: _holding(values[at[one.field]], one) for one in term} for term in terms]


def _holding(values: Sequence[object], literal: Literal) -> NDArray[np.bool_]:
    return np.array([literal.holds({literal.field: value}) for value in values], dtype=bool)


class Constraints:
    """What instances of parameters with so many values must avoid."""

    def __init__(self, sizes: Sequence[int], boxes: Iterable[Box] = ()) -> None:
        self.full = [(1 << int(size)) - 1 for size in sizes]
        self.boxes = [{i: _bits(allowed) for i, allowed in sorted(box.items())} for box in boxes]

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def allow(self, part: Sequence[int]) -> bool:
        """Whether some completion of the part avoids every box."""
        return not self.boxes or self._avoid(self._domains(part)) is not None

    def complete(self, part: Sequence[int], rng: np.random.Generator) -> Instance | None:
        """A completion of the part that avoids every box, values drawn as far as they are free; None if none does."""
        domains = self._domains(part)
        order = [int(i) for i in rng.permutation(len(domains)) if part[i] < 0]
        if self._avoid(domains) is None:
            return None
        for i in order:
            values = [value for value in range(domains[i].bit_length()) if domains[i] >> value & 1]
            for value in rng.permutation(values):
                tried = [*domains[:i], 1 << int(value), *domains[i + 1 :]]
                if self._avoid(tried) is not None:
                    domains = tried
                    break
        return tuple(domain.bit_length() - 1 for domain in domains)

    def _domains(self, part: Sequence[int]) -> list[int]:
        return [full if place < 0 else 1 << int(place) for place, full in zip(part, self.full, strict=True)]

    def _avoid(self, domains: list[int]) -> list[int] | None:
        """Smaller domains of which every choice avoids every box; None if no choice does.

        An instance avoids a box with one parameter outside of it. So take a box that is not avoided yet, and let its
        parameters leave it, one after the other, those before staying inside.
        """
        for box in self.boxes:
            if all(domains[i] & mask for i, mask in box.items()):
                break
        else:
            return domains
        inside = list(domains)
        for i, mask in box.items():
            if outside := inside[i] & ~mask:
                found = self._avoid([*inside[:i], outside, *inside[i + 1 :]])
                if found is not None:
                    return found
            inside[i] &= mask
        return None


def _bits(allowed: NDArray[np.bool_]) -> int:
    return sum(1 << int(place) for place in np.flatnonzero(allowed))
