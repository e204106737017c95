"""An axis for one setting: the place of each of its values, from 0 (bottom) to 1 (top).

A few values have an evenly spaced slot each. Many numbers lie on a compressed axis. If there are many other values, the
most frequent have slots, and the rest share one (or two, if a cause allows some of them).
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

MAX_SLOTS = 10
"""Maximum number of slots."""
PLACE_COUNT = 9
"""Number of steps on an axis of many numbers if lines are merged; otherwise it has four times as many."""
MAX_LABELLED = 30
"""If an axis has at most this many values, all of them are labelled, as far as there is room."""
NON_NUMERIC_SHARE = 0.16
"""Share of a numeric axis that is reserved for values that are not numbers."""
MAX_TEXT = 200
"""Maximum length of a text, in characters."""


@dataclass(frozen=True)
class SettingAxis:
    name: str
    place: Sequence[float]
    """The place of each value of the setting."""
    labels: Sequence[tuple[float, str]]
    allowed: Sequence[tuple[float, float]] | None = None
    """The parts, as (from, to), that a cause allows; None if it does not name this setting."""
    half: float = 0.0
    """Half the height of a slot; 0 on an axis of many numbers."""
    is_numeric: bool = False
    """True if the axis is numeric."""


def axis(setting: Setting, accepted: Sequence[bool] | None = None) -> SettingAxis:
    """Return the axis of a setting; ``accepted`` says for each value whether a cause allows it."""
    values = setting.values
    numbers = [_compressed_place(value) for value in values]
    if len(values) <= MAX_SLOTS:
        rising = None not in numbers  # numbers rise from bottom to top
        order = list(range(len(values)))[:: -1 if rising else 1]
        labels = [text(values[place]) for place in order]
        return replace(_slots(setting.name, [[place] for place in order], labels, accepted), is_numeric=rising)
    if sum(number is None for number in numbers) <= 3:
        return _scale(setting.name, values, numbers, accepted)
    return _frequent_slots(setting, accepted)


def text(value: Any) -> str:
    """Write a value of a setting.

    A text may have a million characters, so it is cut before it is quoted.
    """
    return value_text(value[:MAX_TEXT]) if isinstance(value, str) else value_text(value)[:MAX_TEXT]


def _slots(
    name: str, groups: Sequence[Sequence[int]], labels: Sequence[str], accepted: Sequence[bool] | None
) -> SettingAxis:
    """Return an axis with a slot for each group of values, the first at the top."""
    half = 0.5 / max(1, len(groups))
    middles = [1 - half * (2 * number + 1) for number in range(len(groups))]
    place = {value: middle for group, middle in zip(groups, middles, strict=True) for value in group}
    allowed = None
    if accepted is not None:
        allowed = _stretches([(m, accepted[group[0]]) for group, m in zip(groups, middles, strict=True)], half)
    shown = list(zip(middles, labels, strict=True))
    return SettingAxis(name, [place[value] for value in range(len(place))], shown, allowed, half)


def _frequent_slots(setting: Setting, accepted: Sequence[bool] | None) -> SettingAxis:
    often = [place for place, _ in Counter(setting.index).most_common(MAX_SLOTS - 2)]
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


def _scale(
    name: str, values: Sequence[Any], numbers: Sequence[float | None], accepted: Sequence[bool] | None
) -> SettingAxis:
    known = [number for number in numbers if number is not None]
    low, high, odd = min(known), max(known), [at for at, number in enumerate(numbers) if number is None]
    floor, wide = (NON_NUMERIC_SHARE if odd else 0.0), high - low or 1.0
    aside = {at: NON_NUMERIC_SHARE * 0.7 * turn / len(odd) for turn, at in enumerate(odd)}
    place = [
        aside[at]
        if number is None
        else floor + (1 - floor) * round((number - low) / wide * PLACE_COUNT * 4) / (PLACE_COUNT * 4)
        for at, number in enumerate(numbers)
    ]
    ends = [numbers.index(low), numbers.index(high)]
    allowed = None
    if accepted is not None:
        allowed = _stretches([(place[at], accepted[at]) for at in range(len(values))])
        inside = [at for at in range(len(values)) if accepted[at]]
        for low, high in allowed:
            ends = [min(at for at in inside if place[at] == low), max(at for at in inside if place[at] == high), *ends]
    ends += range(len(values)) if len(values) <= MAX_LABELLED else []
    said = {at: text(values[at]) if at in aside else f"{_float(values[at]):.4g}" for at in [*odd, *ends]}
    labels = _drop_overlaps([(place[at], label) for at, label in said.items()])
    return SettingAxis(name, place, labels, allowed, is_numeric=True)


def _stretches(places: Sequence[tuple[float, bool]], half: float = 0.0) -> list[tuple[float, float]]:
    """Return the stretches of neighbouring places that are all allowed, as pairs of start and end.

    Each place comes with True if it is allowed, and extends by ``half`` to both sides.
    """
    found: list[tuple[float, float]] = []
    before = False
    for place, allowed in sorted(places):
        if allowed:
            low = found.pop()[0] if before else place - half
            found.append((low, place + half))
        before = allowed
    return found


def _drop_overlaps(labels: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Drop labels that would overlap; earlier ones take precedence."""
    found: list[tuple[float, str]] = []
    for place, label in labels:
        if all(abs(place - other) >= 0.07 for other, _ in found):
            found.append((place, label))
    return found


def _compressed_place(value: Any) -> float | None:
    """Return the place of a finite number on a compressed scale; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(_float(value)):
        return None
    return compress(_float(value))


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
