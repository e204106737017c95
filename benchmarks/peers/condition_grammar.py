"""Bugs whose conditions come from a grammar; every seed gives other bugs.

::

    condition = core | core and gates | core or core | (core or core) and gates | not (core and core)
    core      = an arithmetic condition over one, two or three numbers (the templates below)
    gates     = Booleans, members of an enumeration, thresholds, equalities

Types and widths are random; constants are mostly round numbers or limits of machine types, and occasionally arbitrary;
up to three fields do not matter. A third of the bugs limit all numbers to their nominal range. A bug is rejected if a
class is rarer than 1e-4 of all points, or if a field is named but does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

import rootward as rw
from peers.condition_points import Values, draw
from peers.conditions import Bug, Range, make_space

NAMES = (
    *("speed", "altitude", "pitch", "roll", "yaw", "throttle", "current", "voltage", "load", "torque"),
    *("pressure", "flow", "level", "depth", "range", "angle", "width", "height", "offset", "gain", "rate"),
    *("limit", "count", "index", "size", "length", "weight", "mode", "state", "phase", "step", "slot"),
    *("channel", "epoch", "ticks", "delay"),
)
FLAGS = (
    *("armed", "enabled", "ready", "locked", "manual", "remote", "logging", "calibrated", "braking", "docked"),
    *("charging", "paused"),
)
MEMBERS = ("idle", "run", "hold", "stop", "error", "manual", "auto")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64")
FLOATS = ("float32", "float64")
ROUND = (1, 2, 3, 5, 8, 10, 12, 16, 20, 25, 30, 45, 50, 60, 64, 90, 100, 120, 127)
LARGE = (150, 180, 200, 250, 255, 256, 300, 360, 500, 512, 720, 900, 1000, 1024, 1500, 2000, 2500, 4500, 5000, 9000)
LARGER = (10_000, 12_000, 18_000, 20_000, 32_000, 32_767)
FRACTIONS = (0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.25, 1.5, 1.8, 2.5, 9.81)
ORDER = ("<", "<=", ">", ">=")
ACCEPTANCE_POINTS = 20_000
"""Number of points that decide if a bug is accepted."""


@dataclass
class Draft:
    """A bug under construction: the fields so far, and a source of names, types and constants."""

    rng: np.random.Generator
    fields: list[tuple[str, str, Range | None]] = field(default_factory=list)

    def pick(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def new(self, kind: str, nominal: Range | None) -> str:
        """Add a field with a new name."""
        taken = {name for name, _, _ in self.fields}
        free = [name for name in (FLAGS if kind == "bool" else NAMES) if name not in taken]
        name = str(self.pick(free))
        self.fields.append((name, kind, nominal))
        return name

    def number(self, kinds: tuple[str, ...], most: float) -> str:
        """Add a number whose nominal range extends somewhat beyond ``most``, and below zero if its type does."""
        fitting = [kind for kind in kinds if largest(kind) >= most]
        kind = str(self.pick(fitting))
        high = min(float(self.pick((1.5, 2, 4))) * most, largest(kind))
        low = 0.0 if kind.startswith("u") or self.chance(0.3) else max(-high, -largest(kind))
        return self.new(kind, (low, high))

    def constant(self, whole: bool = False, most: float = 32_767) -> float:
        """Return a constant, mostly a round one."""
        if self.chance(0.15):
            value = float(np.round(np.exp(self.rng.uniform(0, np.log(most))), 0 if whole else 2))
            return int(value) if whole else value
        known = [one for one in (*ROUND, *LARGE, *LARGER) if one <= most]
        if not whole and self.chance(0.25):
            return float(self.pick(FRACTIONS))
        return int(self.pick(known))

    def op(self) -> str:
        return str(self.pick(ORDER))


def largest(kind: str) -> float:
    if kind in FLOATS:
        return 1e30
    bits = int(kind.lstrip("uint"))
    return float(2**bits - 1 if kind.startswith("u") else 2 ** (bits - 1) - 1)


# Cores: arithmetic over one, two or three numbers


def _kinds(draft: Draft) -> tuple[tuple[str, ...], bool]:
    """Return the types to draw from, and True if they are integers."""
    whole = draft.chance(0.5)
    return (INTEGERS if whole else FLOATS), whole


def threshold(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    sign = "-" if draft.chance(0.2) and c else ""
    name = draft.number([kind for kind in kinds if not (sign and kind.startswith("u"))], c)
    return f"{name} {draft.op()} {sign}{c}"


def magnitude(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    return f"abs({draft.number(tuple(kind for kind in kinds if not kind.startswith('u')), c)}) {draft.op()} {c}"


def interval(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    low, high = sorted({draft.constant(whole) for _ in range(2)} | {0})[-2:]
    inside = f"{low} {draft.pick(('<', '<='))} {draft.number(kinds, high)} {draft.pick(('<', '<='))} {high}"
    return inside if draft.chance(0.5) else f"not {inside}"


def two_intervals(draft: Draft) -> str:
    kinds, _ = _kinds(draft)
    a, b, c, d = sorted(int(one) for one in draft.rng.choice((*ROUND, *LARGE), size=4, replace=False))
    name = draft.number(kinds, d)
    return f"{a} <= {name} <= {b} or {c} <= {name} <= {d}"


def equality(draft: Draft) -> str:
    c = draft.constant(True, 200)
    return f"{draft.number(INTEGERS, c)} {draft.pick(('==', '!='))} {c}"


def nan(draft: Draft) -> str:
    c = draft.constant()
    name = draft.number(FLOATS, c)
    return str(draft.pick((f"not {name} <= {c}", f"not {name} >= {c}", f"isnan({name}) or {name} > {c}")))


def total(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    names = [draft.number(kinds, c / 2) for _ in range(2 + draft.chance(0.25))]
    return f"{' + '.join(names)} {draft.op()} {c}"


def difference(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole, 1000)
    one, other = draft.number(kinds, 2 * c), draft.number(kinds, 2 * c)
    return f"abs({one} - {other}) {draft.op()} {c}" if draft.chance(0.3) else f"{one} - {other} {draft.op()} {c}"


def product(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    side = max(float(c) ** 0.5, 1.0)
    one, other = draft.number(kinds, side), draft.number(kinds, side)
    return f"{one} * {other} {draft.op()} {c}"


def overflow(draft: Draft) -> str:
    """A sum, a difference or a product that leaves its type, checked or wrapped around."""
    kind = str(draft.pick(("int8", "uint8", "int16", "uint16", "int32")))
    signed, bits, most = kind.startswith("int"), int(kind.lstrip("uint")), int(largest(kind))
    low = -most - 1 if signed else 0
    one, other = (draft.new(kind, (float(low), float(most))) for _ in range(2))
    form = str(draft.pick(("{0} + {1}", "{0} + {1}", "{0} - {1}", "{0} * {1}"))).format(one, other)
    if signed and draft.chance(0.3) and "*" not in form:
        return f"wrap({form}, {bits}, True) < 0"
    return f"{form} > {most}" if draft.chance(0.5) and " - " not in form else f"not {low} <= {form} <= {most}"


def size(draft: Draft) -> str:
    """The size of a buffer: a * b + c."""
    c = int(draft.pick((256, 1024, 4096, 10_000, 65_535)))
    names = [draft.number(("uint8", "uint16", "uint32", "int32"), one) for one in (c**0.5, c**0.5, c / 10)]
    return f"{names[0]} * {names[1]} + {names[2]} > {c}" if names[0] != names[1] else f"{names[0]} > {c}"


def ratio(draft: Draft) -> str:
    c = draft.constant(most=500)
    one, other = draft.number(FLOATS, c), draft.number(FLOATS, c)
    return f"{one} {draft.op()} {draft.pick((*FRACTIONS[1:], 2, 3, 5, 10))} * {other}"


def comparison(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    return f"{draft.number(kinds, c)} {draft.op()} {draft.number(kinds, c)}"


def same(draft: Draft) -> str:
    kind = str(draft.pick(("uint8", "int16", "uint16", "int32")))
    one, other = (draft.new(kind, (0.0, 100.0)) for _ in range(2))
    return f"{one} == {other}"


def same_whole(draft: Draft) -> str:
    one, other = draft.number(FLOATS, 10), draft.number(FLOATS, 10)
    return f"trunc({one}) == trunc({other})"


def circle(draft: Draft) -> str:
    kinds, _ = _kinds(draft)
    r = int(draft.pick((1, 2, 5, 10, 20, 30, 50, 100, 200)))
    one, other = draft.number(kinds, r), draft.number(kinds, r)
    return f"{one} * {one} + {other} * {other} {draft.op()} {r * r}"


def extreme(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole)
    names = ", ".join(draft.number(kinds, c) for _ in range(2 + draft.chance(0.3)))
    return f"{draft.pick(('min', 'max'))}({names}) {draft.op()} {c}"


def modulo(draft: Draft) -> str:
    m = int(draft.pick((2, 3, 4, 5, 7, 8, 10, 12, 16, 24, 60, 64, 100)))
    rest = 0 if draft.chance(0.5) else int(draft.rng.integers(m))
    return f"{draft.number(INTEGERS, 1.0 * m)} % {m} == {rest}"


def mask(draft: Draft) -> str:
    kind = str(draft.pick(("uint8", "uint16", "uint32")))
    bit = 1 << int(draft.rng.integers(8))
    return f"{draft.new(kind, (0.0, 255.0))} & {bit} {draft.pick(('!=', '=='))} 0"


def affine(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    k, c = int(draft.pick((2, 3, 4, 5, 10, 20, 100, 200))), draft.constant(whole, 5000)
    one, other = draft.number(kinds, c), draft.number(kinds, max(c / k, 1))
    return f"{one} {draft.pick('+-')} {k} * {other} {draft.op()} {c}"


def below_product(draft: Draft) -> str:
    kinds, whole = _kinds(draft)
    c = draft.constant(whole, 1000)
    one = draft.number(kinds, c)
    two, three = draft.number(kinds, max(c**0.5, 1)), draft.number(kinds, max(c**0.5, 1))
    return f"{one} {draft.op()} {two} * {three}"


Template = Callable[[Draft], str]
CORES: tuple[Template, ...] = (
    *(threshold, threshold, threshold, magnitude, magnitude, interval, interval, two_intervals, equality, nan, nan),
    *(total, total, difference, difference, product, product, overflow, overflow, size, ratio, ratio, comparison),
    *(same, same_whole, circle, extreme, extreme, modulo, mask, affine, affine, below_product),
)


# Gates


def gate(draft: Draft) -> str:
    form = draft.rng.random()
    if form < 0.5:
        name = draft.new("bool", None)
        return name if draft.chance(0.5) else f"not {name}"
    if form < 0.75:
        some = list(draft.rng.permutation(MEMBERS))[: int(draft.rng.integers(3, 6))]
        name = draft.new(f"enum:{','.join(some)}", None)
        return f"{name} {'==' if draft.chance(0.7) else '!='} '{some[0]}'"
    if form < 0.85:
        c = int(draft.rng.integers(0, 5))
        return f"{draft.new(str(draft.pick(INTEGERS)), (0.0, 6.0))} == {c}"
    return threshold(draft)


# Whole conditions


def condition(draft: Draft) -> str:
    """Draw one or two cores, and gates for up to nine fields."""
    form = draft.rng.random()
    core = _core(draft)
    if form < 0.25:
        return core
    if form < 0.55:
        return " and ".join([_inside(core), *_gates(draft)])
    if form < 0.75:
        return f"{core} or {_core(draft)}"
    if form < 0.92:
        return " and ".join([f"({core} or {_core(draft)})", *_gates(draft)])
    return f"not ({_inside(core)} and {_inside(_core(draft))})"


def _core(draft: Draft) -> str:
    return str(draft.pick(CORES)(draft))


def _inside(text: str) -> str:
    return f"({text})" if " or " in text else text


def _gates(draft: Draft) -> list[str]:
    wanted = int(draft.pick((1, 1, 1, 2, 2, 3, 4, 6)))
    return [gate(draft) for _ in range(min(wanted, 9 - len(draft.fields)))]


def generated(seed: int, count: int) -> list[Bug]:
    """Return ``count`` different bugs; a larger count begins with the same ones."""
    return list(islice(_bugs(seed), count))


def _bugs(seed: int) -> Iterator[Bug]:
    seen = set[str]()
    for number in range(1_000_000):
        rng = np.random.default_rng([seed, number])
        draft = Draft(rng)
        text = condition(draft)
        for _ in range(int(draft.pick((0, 0, 1, 2, 3)))):
            gate(draft)  # fields that do not matter
        if text not in seen and (bug := _accepted(f"generated_{seed}_{number}", draft, text)):
            seen.add(text)
            yield bug


def _accepted(name: str, draft: Draft, text: str) -> Bug | None:
    """Return the bug, or None if a class is too rare or a field that is named does not matter."""
    fields = [draft.fields[i] for i in draft.rng.permutation(len(draft.fields))]
    nominal = {field: limits for field, _, limits in fields}
    bug = Bug(name, make_space(fields, bounded=draft.chance(1 / 3)), text, {}, {}, nominal, status="generated")
    drawn = [point for scale in ("human", "broad") for point in draw(bug, scale, draft.rng, ACCEPTANCE_POINTS // 2)]
    classes = [[point for point in drawn if bug.function(*point) == fails] for fails in (True, False)]
    if min(map(len, classes)) < 1e-4 * ACCEPTANCE_POINTS or not _all_matter(bug, *classes, draft.rng):
        return None
    failing, passing = (dict(zip(nominal, _round(bug, points[0]), strict=True)) for points in classes)
    return replace(bug, failing=failing, passing=passing)


def _all_matter(bug: Bug, failing: list[Values], passing: list[Values], rng: np.random.Generator) -> bool:
    """Return True if changing one field alone changes the verdict often enough, for every field that is named."""
    tried = [points[int(i)] for points in (failing, passing) for i in rng.integers(len(points), size=300)]
    others = [points[int(i)] for points in (failing, passing) for i in rng.integers(len(points), size=300)]
    return all(_matters(bug, i, tried, others) for i, name in enumerate(bug.space.names) if name in bug.fields)


def _matters(bug: Bug, at: int, points: list[Values], others: list[Values]) -> bool:
    flips = (
        bug.function(*point) != bug.function(*point[:at], other[at], *point[at + 1 :])
        for shift in (0, 151)
        for point, other in zip(points, others[shift:] + others[:shift], strict=True)
    )
    return sum(flips) >= 3


def _round(bug: Bug, point: Values) -> list[Any]:
    """Return the point with its numbers rounded as far as the verdict stays the same."""
    rounded, fails = list(point), bug.function(*point)
    for i, name in enumerate(bug.space.names):
        if isinstance(bug.space[name], rw.Int | rw.Float) and math.isfinite(point[i]):
            shorter = (type(point[i])(float(f"{point[i]:.{digits}g}")) for digits in (1, 2, 3))
            fitting = (bug.space[name].coerce(value) for value in shorter if bug.space[name].contains(value))
            options = (value for value in fitting if bug.function(*rounded[:i], value, *rounded[i + 1 :]) == fails)
            rounded[i] = next(options, point[i])
    return rounded
