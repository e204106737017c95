"""Interfaces to plant bugs in, of any size, with the kinds of fields that messages of machines have.

Every field has a nominal range, which contains its ordinary values. About half of the numbers are limited to it by
their type; the others accept any value of their width.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

import rootward as rw
from peers.condition_points import human_values
from peers.conditions import Range, make_field

SYSTEMS = (
    *("engine", "battery", "gps", "imu", "brake", "steering", "gearbox", "hvac", "radio", "camera", "lidar", "radar"),
    *("door", "pump", "valve", "heater", "motor", "arm", "gripper", "mission", "logger", "cruise", "lane", "fuel"),
    *("exhaust", "coolant", "tank", "rotor", "winch", "telemetry", "display", "charger"),
)
SIGNALS: dict[str, tuple[str, Range | None]] = {
    "enabled": ("bool", None),
    "valid": ("bool", None),
    "override": ("bool", None),
    "calibrated": ("bool", None),
    "mode": ("enum:off,standby,active,service,fault", None),
    "source": ("enum:internal,external,backup", None),
    "profile": ("enum:0,1,2,3,4,5,6,7", None),
    "severity": ("ordinal:info,low,medium,high,critical", None),
    "temperature": ("float32", (-40, 150)),
    "voltage": ("float32", (0, 60)),
    "current": ("float32", (-100, 100)),
    "pressure": ("float64", (0, 300)),
    "gain": ("float64", (-10, 10)),
    "ratio": ("float64", (0, 1)),
    "heading": ("float64", (0, 360)),
    "count": ("uint16", (0, 1000)),
    "index": ("uint8", (0, 255)),
    "offset": ("int16", (-500, 500)),
    "position": ("int32", (-100_000, 100_000)),
    "timeout_ms": ("uint32", (0, 60_000)),
    "timestamp": ("int64", (0, 10**12)),
    "level": ("int8", (0, 100)),
}
SETTINGS = ("enabled", "valid", "override", "calibrated", "mode", "source", "profile", "severity")
"""Signals with few values."""
Named = tuple[str, Any, Range | None]


def field_of(kind: str, nominal: Range | None, rng: np.random.Generator) -> Any:
    """Return a field of this type; chance decides if a number is limited to its nominal range."""
    if kind.startswith("ordinal:"):
        return rw.Ordinal(kind.removeprefix("ordinal:").split(","))
    bounded = nominal is not None and rng.random() < 0.5
    return make_field(kind, nominal if bounded else None)


def fields(rng: np.random.Generator, count: int, *, finite: bool = False, taken: frozenset[str]) -> list[Named]:
    """Return ``count`` fields with distinct names; ``finite``: with few values each."""
    signals = SETTINGS if finite else tuple(SIGNALS)
    made: list[Named] = []
    for name, signal in _names(signals):
        if len(made) == count:
            break
        if name not in taken:
            kind, nominal = SIGNALS[signal]
            made.append((name, field_of(kind, nominal, rng), nominal))
    return made


def _names(signals: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield ``engine.count``, ``battery.offset``, ...; ``engine2.count`` once all combinations are used."""
    number = 1
    while True:
        for turn in range(len(signals)):
            for place, system in enumerate(SYSTEMS):
                signal = signals[(place + turn) % len(signals)]
                yield f"{system}{number if number > 1 else ''}.{signal}", signal
        number += 1


def ordinary(named: Iterable[Named], rng: np.random.Generator) -> dict[str, Any]:
    """Return an ordinary value of each field, as a system in use would have it."""
    return {name: human_values(field, nominal, rng, 1)[0] for name, field, nominal in named}


@cache
def plain_fields(signals: tuple[str, ...]) -> tuple[Named, ...]:
    """Return fields for these signals as in plain data: limited to their nominal range, and with words unordered."""
    kinds = [(signal, *SIGNALS[signal]) for signal in signals]
    return tuple(
        (name, make_field(kind.replace("ordinal:", "enum:"), nominal), nominal) for name, kind, nominal in kinds
    )
