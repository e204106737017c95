"""A set of values of one field, with exact membership and a short text.

Membership is by `rootward.space.keys`: 1, 1.0 and True are three values, 0.0 and -0.0 are two, NaN is one, and a list
can be a value. In the text, values next to each other in the field's own list form a range: ``1, ..., 4294967295``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Any

from rootward.rules.text import value_text
from rootward.space.keys import canonical

MAX_WRITTEN_RUN = 3
"""Maximum number of adjacent values to write out; more become a range."""
MAX_WRITTEN_PARTS = 4
"""Maximum number of values to write out; of more, the first ones and the last. With ranges, three times as many."""


class Values(Set[Any]):
    """Values at some places of a list, in its order."""

    def __init__(
        self, listed: Sequence[Any], places: Iterable[int], *, ordered: bool = False, untried: Iterable[int] = ()
    ) -> None:
        self.listed, self.ordered = listed, ordered
        self.places: tuple[int, ...] = tuple(sorted(places))
        self.untried = frozenset(untried)
        """The places of values that are not known yet."""

    @cached_property
    def _keys(self) -> frozenset[bytes]:
        return frozenset(map(canonical, self))

    def __iter__(self) -> Iterator[Any]:
        return map(self.listed.__getitem__, self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, value: object) -> bool:
        return canonical(value) in self._keys

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return NotImplemented
        if isinstance(other, Values) and other.listed is self.listed:
            return self.places == other.places
        return self._keys == (other._keys if isinstance(other, Values) else frozenset(map(canonical, other)))

    __hash__ = None  # type: ignore[assignment]  # it may equal a Python set, whose hash it cannot match

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:
        listed = tuple({canonical(value): value for value in it}.values())
        return cls(listed, range(len(listed)))

    @property
    def border_values(self) -> list[Any]:
        """The known stopping values just before and just after the triggering values.

        The list is empty unless the triggering values form a single range.
        """
        if not self.ordered or len(self.ranges) != 1:
            return []
        ends = (self.places[0] - 1, self.places[-1] + 1)
        return [self.listed[place] for place in ends if 0 <= place < len(self.listed) and place not in self.untried]

    def __repr__(self) -> str:
        return f"<Values {self}>"

    def __str__(self) -> str:
        """Return the values as text, such as ``[ true ]`` or ``[ -inf, ..., -1.0, 5.0 ]``."""
        parts = [part for run in self.ranges for part in self._run_text(run)]
        if len(parts) > MAX_WRITTEN_PARTS + 1 and not any(part == "..." for part in parts):
            parts = [*parts[: MAX_WRITTEN_PARTS - 1], "...", parts[-1]]
        elif len(parts) > 3 * MAX_WRITTEN_PARTS:
            parts = [*parts[: 3 * MAX_WRITTEN_PARTS - 2], "...", parts[-1]]
        return f"[ {', '.join(parts)} ]" if parts else "[ ]"

    @cached_property
    def ranges(self) -> list[list[int]]:
        """The places, grouped into runs of adjacent places.

        If the list has no order, each place is a group.
        """
        runs: list[list[int]] = []
        for place in self.places:
            if self.ordered and runs and runs[-1][-1] == place - 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        return runs

    def _run_text(self, run: list[int]) -> list[str]:
        texts = [
            value_text(self.listed[place]) for place in (run if len(run) <= MAX_WRITTEN_RUN else (run[0], run[-1]))
        ]
        return texts if len(run) <= MAX_WRITTEN_RUN else [texts[0], "...", texts[1]]
