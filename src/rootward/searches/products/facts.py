"""Relations between the values of two fields that act together, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rootward.facts import Fact


@dataclass(frozen=True)
class Compared(Fact):
    """It fails where this comparison between the two fields holds."""

    one: str
    sign: str
    other: str


@dataclass(frozen=True)
class EitherTriggers(Fact):
    """It fails where at least one of the two fields has a value that triggers it."""

    one: str
    other: str


@dataclass(frozen=True)
class Limited(Fact):
    """It fails where the sum, difference or product of two fields is beyond a limit that lies between two numbers."""

    one: str
    sign: str
    other: str
    above: bool
    low: Any
    high: Any
