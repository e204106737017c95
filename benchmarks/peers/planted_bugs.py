"""Bugs planted in interfaces of 20 to 2,000 fields, each with a failing input and a known cause.

A bug is a line below: the fields that matter and the condition; its name ends in the size of the interface. A seed
draws the constants, the limits of the types, the order of the fields and the failing input, in which fields that do not
matter have ordinary values. If a bug has two causes, the failing input shows only the first. Bugs that depend on the
order of messages or on a row of a table are in `peers/planted_lists.py`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import rootward as rw
from peers import bug_interfaces
from peers.condition_kinds import read_fields
from peers.condition_points import draw
from peers.conditions import Bug
from rootward.study import Study
from rootward.verdict import FAIL, PASS

RATE = 0.7
"""Probability that a flaky bug fails when it is triggered."""


@dataclass(frozen=True)
class Template:
    """The template of a bug. ``fails``: its causes; ``draws``: the constants in them; ``same``: two fields that are
    equal in the failing input."""

    fields: str
    fails: tuple[str, ...]
    draws: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    same: tuple[str, str] | None = None
    start: Mapping[str, Any] = field(default_factory=dict)
    """Values of the failing input that are too rare to be drawn."""


GEARS, MODES = ("P", "R", "N", "D", "S"), ("manual", "auto", "guided", "rtl", "land")
SINGLE = {
    "single-gear-20": Template("gear:enum:P,R,N,D,S", ("gear == {m!r}",), {"m": GEARS}),
    "single-zero-50": Template("divisor:int16[-400,400]", ("divisor == 0",), start={"divisor": 0}),
    "single-full-200": Template("slot:uint8[0,255]", ("slot == {c}",), {"c": (255, 127, 128)}, start={"slot": "c"}),
    "single-nan-1000": Template("drift:float64", ("isnan(drift)",), start={"drift": math.nan}),
    "single-code-2000": Template("code:uint16[0,9999]", ("code == {c}",), {"c": range(100, 9999)}, start={"code": "c"}),
    "single-setting-50": Template("codec:enum:raw,zip,lz4,zstd,brotli,snappy", ("codec == 'lz4'",)),
}
RANGE = {
    "range-above-20": Template("oil:float32[-40,150]", ("oil > {c}",), {"c": (85, 95.5, 105, 110, 120)}),
    "range-inside-50": Template(
        "angle:int16[-900,900]",
        ("{a} <= angle <= {b}",),
        {"a": range(-300, -20), "b": range(40, 700)},
    ),
    "range-outside-200": Template(
        "slip:float64[-1,1]", ("not {a} <= slip <= {b}",), {"a": (-0.5, -0.25, -0.3), "b": (0.2, 0.35, 0.6)}
    ),
    "range-below-1000": Template("altitude:int32[-500,9000]", ("altitude < {c}",), {"c": range(-90, 1500)}),
    "range-window-2000": Template(
        "rpm:float64[0,8000]", ("{a} < rpm < {b}",), {"a": (800, 1250, 1733.5), "b": (2600, 3000.5, 4200)}
    ),
    "range-severity-50": Template("alarm:ordinal:info,low,medium,high,critical", ("alarm in ('high', 'critical')",)),
}
RELATION = {
    "relation-less-20": Template("soc:float32[0,100] reserve:float32[0,100]", ("soc < reserve",)),
    "relation-sum-50": Template(
        "front:uint16[0,3000] rear:uint16[0,3000]", ("front + rear > {c}",), {"c": range(2500, 4800)}
    ),
    "relation-equal-200": Template(
        "sender:uint8[0,255] target:uint8[0,255]", ("sender == target",), same=("sender", "target")
    ),
    "relation-area-1000": Template(
        "width:int32[1,200000] height:int32[1,200000]", ("width * height > {c}",), {"c": (2147483647, 16777216, 10**9)}
    ),
    "relation-late-2000": Template(
        "now:int32[0,100000] last:int32[0,100000]", ("now - last > {c}",), {"c": (500, 1000, 5000, 20000)}
    ),
    "relation-cells-200": Template(
        "cells:uint8[1,12] pack:float64[0,60]", ("pack > cells * {c}",), {"c": (4.2, 3.65, 4.35)}
    ),
}
CONJUNCTION = {
    "conjunction-two-20": Template(
        "speed:float64[0,80] parked:bool", ("speed > {c} and parked",), {"c": (5, 12.5, 30, 50)}
    ),
    "conjunction-three-50": Template(
        "flight:enum:manual,auto,guided,rtl,land fix:uint8[0,6] home_set:bool",
        ("flight == {m!r} and fix < {c} and not home_set",),
        {"m": MODES, "c": (2, 3, 4)},
    ),
    "conjunction-two-200": Template(
        "load:float32[0,100] fan:int16[0,5000]",
        ("load > {c} and fan < {d}",),
        {"c": (60, 75.5, 80), "d": range(900, 2500)},
    ),
    "conjunction-four-1000": Template(
        "inlet:float64[0,300] gate:enum:open,closed,stuck remote:bool tries:uint8[0,20]",
        ("inlet > {c} and gate == 'stuck' and remote and tries >= {d}",),
        {"c": (120, 150.5, 180), "d": (3, 4, 8)},
    ),
    "conjunction-three-2000": Template(
        "depth:int32[-100,5000] lamp:enum:off,dim,full sealed:bool",
        ("{a} <= depth <= {b} and lamp != 'off' and not sealed",),
        {"a": range(100, 900), "b": range(1500, 4000)},
    ),
    "conjunction-settings-50": Template(
        "store:enum:memory,disk,cloud,tape shards:ordinal:1,2,4,8,16 sync:bool",
        ("store == {m!r} and shards in ('8', '16') and not sync",),
        {"m": ("disk", "cloud", "tape")},
    ),
}
DISJUNCTION = {
    "disjunction-heat-20": Template(
        "case:float32[-40,150] relief:enum:open,closed,stuck feed:bool",
        ("case > {c}", "relief == 'stuck' and feed"),
        {"c": (80, 95, 110.5)},
    ),
    "disjunction-retry-50": Template(
        "attempts:uint8[0,20] hatch:enum:open,ajar,shut,locked",
        ("attempts >= {c}", "hatch == {m!r}"),
        {"c": (9, 12, 15), "m": ("open", "ajar")},
    ),
    "disjunction-level-200": Template(
        "sump:int16[0,1000] duty:enum:eco,normal,boost,limp",
        ("sump < {c}", "duty == {m!r}"),
        {"c": range(60, 400), "m": ("boost", "limp")},
    ),
    "disjunction-guard-1000": Template(
        "torque:float64[-500,500] manual:bool grip:int16[0,900]",
        ("torque > {c}", "manual and grip < {d}"),
        {"c": (180, 250, 320.5), "d": range(200, 500)},
    ),
    "disjunction-state-2000": Template(
        "phase:enum:idle,boot,run,hold,stop link:enum:up,down,flapping armed:bool",
        ("phase == {m!r}", "link == 'flapping' and armed"),
        {"m": ("boot", "hold", "stop")},
    ),
    "disjunction-settings-50": Template(
        "solver:enum:cg,gmres,lu,qr precision:enum:half,single,double cache:bool",
        ("solver == {m!r} and precision == 'half'", "solver == 'lu' and not cache"),
        {"m": ("cg", "gmres", "qr")},
    ),
}
KINDS: dict[str, dict[str, Template]] = {
    "single value": SINGLE,
    "range": RANGE,
    "relation": RELATION,
    "conjunction": CONJUNCTION,
    "disjunction": DISJUNCTION,
}
FLAKY = ("single-gear-20", "range-above-20", "relation-sum-50", "conjunction-two-200", "conjunction-three-2000")
FINITE = "setting", "severity"
"""Words in the names of bugs whose interface has few values in each field."""


@dataclass(frozen=True)
class Configured:
    """A bug in a configuration: it fails where the condition holds, regardless of the other fields."""

    name: str
    kind: str
    seed: int
    space: rw.Space
    core: Bug
    """Only the fields that matter."""
    causes: tuple[str, ...]
    failing: dict[str, Any]
    nominal: dict[str, Any]
    rate: float = 1.0

    @property
    def size(self) -> int:
        return len(self.space)

    @property
    def finite(self) -> bool:
        return all(isinstance(one, rw.Bool | rw.Choice | rw.Ordinal) for _, one in self.space.items())

    def triggered(self, configuration: Mapping[str, Any]) -> bool:
        return self.core.fails(configuration)

    @cached_property
    def subject(self) -> Any:
        return Shown(self) if self.rate == 1 else Flaky(self, self.rate)

    @property
    def study(self) -> Study:
        return Study(
            name=self.name,
            path=Path(f"{self.name}.toml"),
            subject=rw.Function(self.subject),
            space=self.space,
            failing=self.failing,
        )

    @property
    def truth(self) -> str:
        return self.core.condition

    def measures(self, count: int = 20_000) -> list[float]:
        """Return how often each cause holds for random configurations drawn by the space."""
        rng = np.random.default_rng(0)
        points = [self.core.space.sample(rng) for _ in range(count)]
        judges = [Bug("", self.core.space, cause, {}, {}, {}, self.core.variables) for cause in self.causes]
        return [sum(map(judge.fails, points)) / count for judge in judges]


@dataclass(frozen=True)
class Shown:
    """The subject of a bug that fails on every triggering run."""

    bug: Any

    def __call__(self, candidate: Any) -> rw.Verdict:
        return FAIL if self.bug.triggered(candidate) else PASS


@dataclass(frozen=True)
class Flaky:
    """The subject of a bug that fails at this rate, decided by the seed of the trial."""

    bug: Any
    rate: float

    def __call__(self, candidate: Any, seed: int) -> rw.Verdict:
        return FAIL if self.bug.triggered(candidate) and random.Random(seed).random() < self.rate else PASS


def configured(name: str, kind: str, seed: int, rate: float = 1.0) -> Configured:
    """Return the bug of that name, as drawn by the seed."""
    template = next(templates[name] for templates in KINDS.values() if name in templates)
    rng = np.random.default_rng([seed, *name.encode()])
    constants = {key: options[int(rng.integers(len(options)))] for key, options in sorted(template.draws.items())}
    causes = tuple(cause.format(**constants) for cause in template.fails)
    core = _core(name, template, causes, constants, rng)
    size = int(name.rpartition("-")[2])
    finite = any(word in name for word in FINITE)
    around = bug_interfaces.fields(rng, size - len(core.space), finite=finite, taken=frozenset(core.space.names))
    named = [*((field, core.space[field], core.nominal[field]) for field in core.space.names), *around]
    named = [named[i] for i in rng.permutation(len(named))]
    space = rw.Space({field: kind for field, kind, _ in named})
    failing = space.check({**bug_interfaces.ordinary(named, rng), **core.failing})
    return Configured(name, kind, seed, space, core, causes, failing, {field: range for field, _, range in named}, rate)


def _core(
    name: str, template: Template, causes: tuple[str, ...], constants: Mapping[str, Any], rng: np.random.Generator
) -> Bug:
    """Return the fields that matter, each in its own system, a point that fails by the first cause, and one that
    passes."""
    lines = read_fields(template.fields)
    systems = rng.permutation(len(bug_interfaces.SYSTEMS))
    names = [f"{bug_interfaces.SYSTEMS[i]}.{field}" for i, (field, _, _) in zip(systems, lines, strict=False)]
    kinds = [bug_interfaces.field_of(kind, nominal, rng) for _, kind, nominal in lines]
    nominal = {full: range for full, (_, _, range) in zip(names, lines, strict=True)}
    variables = tuple(field for field, _, _ in lines)
    condition = " or ".join(f"({cause})" for cause in causes) if len(causes) > 1 else causes[0]
    bug = Bug(name, rw.Space(zip(names, kinds, strict=True)), condition, {}, {}, nominal, variables)
    only = " and ".join([causes[0], *(f"not ({cause})" for cause in causes[1:])])
    start = {key: constants.get(str(value), value) for key, value in template.start.items()}
    failing = _point(bug, only, rng, template.same, start)
    passing = _point(bug, f"not ({condition})", rng)
    return Bug(name, bug.space, condition, failing, passing, nominal, variables)


def _point(
    bug: Bug,
    condition: str,
    rng: np.random.Generator,
    same: tuple[str, str] | None = None,
    start: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Draw an ordinary point for which the condition holds."""
    judge = Bug("", bug.space, condition, {}, {}, bug.nominal, bug.variables)
    for drawn in draw(bug, "human", rng, 20_000):
        point = {**dict(zip(bug.variables, drawn, strict=True)), **(start or {})}
        if same:
            point[same[1]] = point[same[0]]
        if judge.function(*point.values()):
            return bug.space.check(dict(zip(bug.space.names, point.values(), strict=True)))
    raise AssertionError(f"no point of {bug.id} for {condition}")
