"""What the values of two fields that act together have in common, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rootward.facts import Fact


@dataclass(frozen=True)
class Compared(Fact):
    """It fails where one field compares so with the other."""

    one: str
    sign: str
    other: str


@dataclass(frozen=True)
class EitherTriggers(Fact):
    """It fails where at least one of the two has a value that triggers it."""

    one: str
    other: str


@dataclass(frozen=True)
class Limited(Fact):
    """It fails where the sum, difference or product of two fields is beyond a limit between two numbers."""

    one: str
    sign: str
    other: str
    above: bool
    low: Any
    high: Any
