"""An axis for one setting: where each of its values is, from 0 (below) to 1 (above).

Few values have a slot each, evenly apart; many numbers lie on a compressed axis; of many other values, the most
frequent have slots, and the rest share one (two, if a cause allows some of them).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rootward.report.instances import Setting
from rootward.rules.text import value_text
from rootward.space.compression import compress

SLOTS = 10
"""So many values have a place of their own."""
LEVELS = 9
"""Places on an axis of many numbers."""
TICKS = 30
"""Of no more numbers, all are written for which there is room."""
ODD = 0.16
"""The part of an axis of numbers that is left to what is no number."""
LONG = 200
"""Longer texts are cut before they are looked at more closely."""


@dataclass(frozen=True)
class Axis:
    name: str
    place: Sequence[float]
    """Of each value of the setting."""
    labels: Sequence[tuple[float, str]]
    allowed: Sequence[tuple[float, float]] | None = None
    """The parts, from and to, that a cause allows; None if it does not speak of this setting."""
    half: float = 0.0
    """How far a slot reaches from its middle; 0 on an axis of many numbers."""
    rising: bool = False
    """Whether it is one of numbers."""


def axis(setting: Setting, accepted: Sequence[bool] | None = None) -> Axis:
    """``accepted``: which of its values a cause allows."""
    values = setting.values
    numbers = [_number(value) for value in values]
    if len(values) <= SLOTS:
        rising = None not in numbers  # as numbers do on any axis
        order = list(range(len(values)))[:: -1 if rising else 1]
        labels = [text(values[place]) for place in order]
        return replace(_slots(setting.name, [[place] for place in order], labels, accepted), rising=rising)
    if sum(number is None for number in numbers) <= 3:
        return _scale(setting.name, values, numbers, accepted)
    return _frequent(setting, accepted)


def text(value: Any) -> str:
    """A value in a few words: a text of a million characters is not read to its end."""
    return value_text(value[:LONG]) if isinstance(value, str) else value_text(value)[:LONG]


def _slots(name: str, groups: Sequence[Sequence[int]], labels: Sequence[str], accepted: Sequence[bool] | None) -> Axis:
    """A slot for each group of values, the first above, as one reads."""
    half = 0.5 / max(1, len(groups))
    middles = [1 - half * (2 * number + 1) for number in range(len(groups))]
    place = {value: middle for group, middle in zip(groups, middles, strict=True) for value in group}
    allowed = None
    if accepted is not None:
        allowed = _stretches([(m, accepted[group[0]]) for group, m in zip(groups, middles, strict=True)], half)
    shown = list(zip(middles, labels, strict=True))
    return Axis(name, [place[value] for value in range(len(place))], shown, allowed, half)


def _frequent(setting: Setting, accepted: Sequence[bool] | None) -> Axis:
    often = [place for place, _ in Counter(setting.index).most_common(SLOTS - 2)]
    chosen = sorted(often)
    rest = [place for place in range(len(setting.values)) if place not in set(often)]
    halves = [
        [place for place in rest if accepted is not None and accepted[place] == wanted] for wanted in (True, False)
    ]
    others = [half for half in (halves if accepted is not None else [rest]) if half]
    labels = [text(setting.values[place]) for place in chosen] + [
        f"{len(half)} others" if len(half) > 1 else text(setting.values[half[0]]) for half in others
    ]
    return _slots(setting.name, [[place] for place in chosen] + others, labels, accepted)


def _scale(name: str, values: Sequence[Any], numbers: Sequence[float | None], accepted: Sequence[bool] | None) -> Axis:
    known = [number for number in numbers if number is not None]
    low, high, odd = min(known), max(known), [at for at, number in enumerate(numbers) if number is None]
    floor, wide = (ODD if odd else 0.0), high - low or 1.0
    aside = {at: ODD * 0.7 * turn / len(odd) for turn, at in enumerate(odd)}
    place = [
        aside[at] if number is None else floor + (1 - floor) * round((number - low) / wide * LEVELS * 4) / (LEVELS * 4)
        for at, number in enumerate(numbers)
    ]
    ends = [numbers.index(low), numbers.index(high)]
    allowed = None
    if accepted is not None:
        allowed = _stretches([(place[at], accepted[at]) for at in range(len(values))])
        inside = [at for at in range(len(values)) if accepted[at]]
        for low, high in allowed:
            ends = [min(at for at in inside if place[at] == low), max(at for at in inside if place[at] == high), *ends]
    ends += range(len(values)) if len(values) <= TICKS else []
    said = {at: text(values[at]) if at in aside else f"{_float(values[at]):.4g}" for at in [*odd, *ends]}
    labels = _apart([(place[at], label) for at, label in said.items()])
    return Axis(name, place, labels, allowed, rising=True)


def _stretches(places: Sequence[tuple[float, bool]], half: float = 0.0) -> list[tuple[float, float]]:
    """From and to of neighbours that are all allowed."""
    found: list[tuple[float, float]] = []
    before = False
    for place, allowed in sorted(places):
        if allowed:
            low = found.pop()[0] if before else place - half
            found.append((low, place + half))
        before = allowed
    return found


def _apart(labels: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Those that leave room for each other, the first ones first."""
    found: list[tuple[float, str]] = []
    for place, label in labels:
        if all(abs(place - other) >= 0.07 for other, _ in found):
            found.append((place, label))
    return found


def _number(value: Any) -> float | None:
    """Its place among numbers of every magnitude."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(_float(value)):
        return None
    return compress(_float(value))


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
