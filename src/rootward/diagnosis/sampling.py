"""Fresh configurations inside and outside of a claim: what could refute it.

The fields that the claim does not name get any value: exceptional ones and ordinary ones alike, for the claim is that
they do not matter. Those that it names are walked: from a run that is known to lie inside, a field at a time takes a
value of another run, one from its list or a random one, and the step is kept if it does not leave the region. So a
region is met however small it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rootward.candidate import Configuration, key_of
from rootward.rules import Rule
from rootward.space import Space

if TYPE_CHECKING:
    import numpy as np

Stays = Callable[[Configuration], bool]
ROUNDS = 3
"""How often each field that matters may take a step."""
TRIES = 40
"""How many configurations are drawn for each one that is wanted."""


class Sampling:
    """Draws configurations of a space for one claim."""

    def __init__(
        self,
        space: Space,
        rule: Rule,
        *,
        known: Iterable[str],
        never: Rule | None,
        rng: np.random.Generator,
        key: Callable[[Configuration], str] = key_of,
    ) -> None:
        """``known``: the keys of what need not be drawn, as ``key`` makes them."""
        self._space, self._rule, self._never, self._rng, self._key = space, rule, never, rng, key
        self._named = [name for name in rule.fields if name in space]
        self._rest = [name for name in space.names if name not in set(self._named)]
        self._drawn = set(known)

    def inside(self, start: Sequence[Configuration], wanted: int) -> list[dict[str, Any]]:
        """New configurations where the claim holds, each from one of ``start``, which lie there."""
        return self._walked(start, wanted, self._rule.holds)

    def outside(self, start: Sequence[Configuration], wanted: int) -> list[dict[str, Any]]:
        """The same where it does not hold."""
        return self._walked(start, wanted, lambda one: not self._rule.holds(one))

    def elsewhere(self, known: Configuration) -> dict[str, Any]:
        """The same values of all fields that the claim names, any others."""
        return self._ordered({**known, **{name: self._any(name) for name in self._rest}})

    def new(self, configuration: Configuration) -> bool:
        """Whether it was not drawn before, and may be run."""
        name = self._key(configuration)
        if name in self._drawn or (self._never is not None and self._never.holds(configuration)):
            return False
        self._drawn.add(name)
        return True

    def _walked(self, start: Sequence[Configuration], wanted: int, stays: Stays) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for _, one in zip(range(wanted * TRIES if start else 0), self._walks(start, stays), strict=False):
            if len(found) == wanted:
                break
            if self.new(one):
                found.append(one)
        return found

    def _walks(self, start: Sequence[Configuration], stays: Stays) -> Iterator[dict[str, Any]]:
        while True:
            known = start[int(self._rng.integers(len(start)))]
            named = {name: known[name] for name in self._named}  # all that the claim looks at
            for name in [*self._named] * ROUNDS:
                changed = {**named, name: self._other(name, start)}
                if self._rng.random() < 0.5 and stays(changed):
                    named = changed
            yield self.elsewhere({**known, **named})

    def _other(self, name: str, known: Sequence[Mapping[str, Any]]) -> Any:
        return known[int(self._rng.integers(len(known)))][name] if self._rng.random() < 1 / 3 else self._any(name)

    def _any(self, name: str) -> Any:
        """Any value of a field; every other time one from its list."""
        field = self._space[name]
        if self._rng.random() < 0.5:
            return field.values[int(self._rng.integers(len(field.values)))]
        return field.sample(self._rng)

    def _ordered(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values[name] for name in self._space}
