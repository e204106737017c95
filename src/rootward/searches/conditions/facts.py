"""What a search for a condition does not know, as facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rootward.facts import Fact
from rootward.space.keys import canonical
from rootward.space.space import Field, Text


@dataclass(frozen=True)
class NoCondition(Fact):
    """Runs that show no condition: none was judged, all ended alike, or nothing tells them apart."""

    fails: int
    passes: int
    of: int
    """How many fields there are."""


@dataclass(frozen=True)
class NotSimple(Fact):
    """No simple condition explains all runs: the search gave up."""


@dataclass(frozen=True)
class FewTried(Fact):
    """Not all values of a field were tried."""

    field: str
    tried: int
    values: int | None
    """How many there are; None for texts, of which nobody can try all."""

    @classmethod
    def among(cls, name: str, field: Field, tried: Iterable[Any]) -> FewTried:
        """From the values that were tried, the same ones more than once."""
        seen = len({canonical(value) for value in tried})
        return cls(name, seen, None if isinstance(field, Text) else len(field.values))


@dataclass(frozen=True)
class OpenConstant(Fact):
    """The constant with which a field or a quantity is compared is known only between two bounds."""

    quantity: str
    constant: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class OpenBound(Fact):
    """The same, where the rule does not say the constant as it was learnt."""

    quantity: str
    low: Any
    high: Any
