"""Fields and conditions as programmers write them, drawn at random: the grammar of `peers/generated_bugs.py`.

The two files are frozen: a test holds their hash. They were written without regard to the conditions that a search can
express, and no search was tuned on what they draw. To change them is to draw other bugs, and to measure again.

A *signal* is a field with its ordinary values. A *term* is a Python expression over signals. Its constants are drawn so
that it separates ordinary values: a threshold of a sum is a quantile of this sum, rounded as people round.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import rootward as rw

Point = Mapping[str, Any]
Random = random.Random

# Fields

INTEGERS: dict[str, tuple[int, int]] = {
    "count": (0, 1000),
    "retries": (0, 10),
    "port": (0, 65_535),
    "slot": (0, 255),
    "offset": (-500, 500),
    "timeout_ms": (0, 60_000),
    "year": (1900, 2100),
    "hour": (0, 23),
    "percent": (0, 100),
    "balance": (-100_000, 100_000),
    "floor": (-5, 120),
    "bitrate": (8, 320),
    "file_size": (0, 5_000_000),
    "threads": (1, 64),
    "page": (1, 500),
    "delta": (-1000, 1000),
    "level": (0, 7),
    "sequence": (0, 40_000),
}
INTEGER_GROUPS: dict[tuple[str, ...], tuple[int, int]] = {
    ("width", "height"): (1, 10_000),
    ("width", "height", "depth"): (1, 2000),
    ("start", "end"): (0, 1000),
    ("front", "rear"): (0, 3000),
    ("head", "tail"): (0, 255),
    ("used", "limit"): (0, 500),
    ("x", "y", "z"): (-200, 200),
    ("rows", "columns"): (0, 5000),
    ("sent", "received"): (0, 20_000),
    ("credit", "debit"): (-5000, 50_000),
    ("first_month", "last_month"): (1, 12),
}
FLOATS: dict[str, tuple[float, float, float]] = {
    "ratio": (0.0, 1.0, 0.01),
    "voltage": (0.0, 60.0, 0.1),
    "speed": (-50.0, 250.0, 0.5),
    "gain": (-10.0, 10.0, 0.1),
    "price": (0.0, 10_000.0, 0.01),
    "temperature": (-40.0, 150.0, 0.5),
    "duration": (0.0, 3600.0, 0.25),
    "weight": (0.0, 800.0, 0.1),
    "humidity": (0.0, 100.0, 0.5),
    "tolerance": (0.0, 0.1, 0.001),
}
FLOAT_GROUPS: dict[tuple[str, ...], tuple[float, float, float]] = {
    ("latitude", "longitude"): (-90.0, 90.0, 0.1),
    ("roll", "pitch"): (-180.0, 180.0, 0.5),
    ("low", "high"): (-100.0, 100.0, 0.5),
    ("mass", "force"): (0.0, 500.0, 0.1),
    ("px", "py", "pz"): (-5.0, 5.0, 0.01),
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "mode": ("off", "standby", "active", "service", "fault"),
    "codec": ("raw", "zip", "lz4", "zstd", "brotli", "snappy"),
    "region": ("eu", "us", "asia"),
    "protocol": ("http", "https", "ftp", "ws"),
    "encoding": ("utf-8", "latin-1", "ascii", "utf-16"),
    "backend": ("memory", "disk", "cloud", "tape"),
    "color": ("red", "green", "blue", "black", "white", "grey", "cyan"),
    "solver": ("cg", "gmres", "lu", "qr", "svd"),
    "version": (1, 2, 3, 5, 8),
    "shell": ("bash", "zsh", "fish", "dash"),
}
CHOICE_GROUPS: dict[tuple[str, ...], tuple[Any, ...]] = {
    ("source", "target"): ("db", "fs", "s3", "mem"),
    ("from_unit", "to_unit"): ("m", "km", "mile", "foot", "inch"),
    ("input_type", "output_type"): ("int", "float", "text"),
}
ORDINALS: dict[str, tuple[Any, ...]] = {
    "severity": ("info", "low", "medium", "high", "critical"),
    "log_level": ("debug", "info", "warning", "error"),
    "shirt": ("XS", "S", "M", "L", "XL", "XXL"),
    "shards": (1, 2, 4, 8, 16, 32),
    "quality": ("draft", "normal", "fine"),
}
FLAGS = (
    *("enabled", "verbose", "secure", "cached", "dry_run", "strict", "remote", "sorted", "signed", "retry", "async_io"),
    *("compressed", "paused", "readonly", "legacy"),
)
TEXTS: dict[str, tuple[str, ...]] = {
    "user": ("alice", "bob", "Carol", "dave_1", "eve", "admin", "Zoë", "o'neil", ""),
    "path": ("/tmp/a.txt", "data/in.csv", "../up.log", "/etc/hosts", "a b.txt", "C:/x.tmp", "notes", "/"),
    "title": ("Hello", "Quarterly report", "a", "UPPER CASE", "trailing ", "dash - ed", "Q&A", "100% sure"),
    "comment": ("", "ok", "see ticket #12", "line one\nline two", "needs, commas", "emoji \U0001f600", "TODO"),
    "sku": ("A-100", "B-2", "AB-7731", "0042", "C_9", "ZZ-0", "7", "a-1x"),
    "amount_text": ("12", "12.50", "-3", "1e5", "1,000", "", "0", "007", "NaN"),
    "date_text": ("2024-01-31", "1999-12-31", "31.01.2024", "2024-2-3", "today", "20240131"),
}
TEXT_GROUPS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("password", "repeated"): ("secret", "hunter2", "pässword", "", "1234", "correct horse"),
    ("first_name", "last_name"): ("Ada", "Bo", "Chloé", "van Dyk", "O'Hara", "Li", "smith"),
}
KIND_WEIGHTS = {"integer": 34, "float": 20, "choice": 14, "ordinal": 7, "flag": 15, "text": 10}
GROUPS: dict[str, Mapping[tuple[str, ...], Any]] = {
    "integer": INTEGER_GROUPS,
    "float": FLOAT_GROUPS,
    "choice": CHOICE_GROUPS,
    "text": TEXT_GROUPS,
}
SINGLES: dict[str, Mapping[str, Any]] = {
    "integer": INTEGERS,
    "float": FLOATS,
    "choice": CHOICES,
    "ordinal": ORDINALS,
    "flag": dict.fromkeys(FLAGS),
    "text": TEXTS,
}
GROUP_SHARE = 0.4
"""Share of the draws that yield several fields of one type, such as a width and a height."""
MAX_DECIMALS = 6
"""Decimals of a multiple of a step; no step has more than three."""
MACHINE_TYPES = ((8, False), (8, True), (16, False), (16, True), (32, True), (32, False))


@dataclass(frozen=True)
class Signal:
    """A field, and the values that are ordinary for it."""

    name: str
    kind: str
    field: Any
    low: float = 0
    """The lowest ordinary number."""
    high: float = 0
    """The highest ordinary number."""
    texts: tuple[str, ...] = ()
    """Ordinary texts."""

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "float")

    @cached_property
    def members(self) -> tuple[Any, ...]:
        """The members of a field that lists them."""
        return tuple(self.field.values)

    @cached_property
    def special_numbers(self) -> tuple[Any, ...]:
        """The ends of the type and of the ordinary range, numbers around zero and at widths, as far as they fit."""
        lo, hi = ends(self)
        values = [lo, hi, lo + 1, hi - 1, self.low, self.high, *SPECIAL_NUMBERS]
        if self.kind == "float":
            values += [0.5, -0.5, math.inf, -math.inf, math.nan]
        return tuple(to_member(self, value) for value in values if _fits(self, value))


def draw_signals(rng: Random, count: int) -> tuple[Signal, ...]:
    """Draw ``count`` fields with distinct names, in random order."""
    made: dict[str, Signal] = {}
    kinds, weights = list(KIND_WEIGHTS), list(KIND_WEIGHTS.values())
    while len(made) < count:
        kind = rng.choices(kinds, weights)[0]
        group = kind in GROUPS and rng.random() < GROUP_SHARE
        names = rng.choice(list(GROUPS[kind])) if group else (rng.choice(list(SINGLES[kind])),)
        given = GROUPS[kind][names] if group else SINGLES[kind][names[0]]
        if len(made) + len(names) > count:
            continue
        suffix = next(text for text in _suffixes() if not any(f"{name}{text}" in made for name in names))
        build = _BUILDERS[kind](rng, given)
        made |= {f"{name}{suffix}": Signal(f"{name}{suffix}", kind, **build) for name in names}
    signals = list(made.values())
    rng.shuffle(signals)
    return tuple(signals)


def _suffixes() -> Iterator[str]:
    yield ""
    yield from (f"_{number}" for number in range(2, 100))


def _integer(rng: Random, given: tuple[int, int]) -> dict[str, Any]:
    """A natural range, or a machine type that contains it."""
    low, high = given
    if rng.random() < 0.7:
        return {"field": rw.Int(low, high), "low": low, "high": high}
    fitting = [
        (bits, signed)
        for bits, signed in MACHINE_TYPES
        if (-(1 << bits - 1) if signed else 0) <= low and high < 1 << bits - signed
    ]
    bits, signed = rng.choice(fitting)
    return {"field": rw.Int(bits=bits, signed=signed), "low": low, "high": high}


def _float(rng: Random, given: tuple[float, float, float]) -> dict[str, Any]:
    """A range with or without steps, or any float."""
    low, high, step = given
    draw = rng.random()
    if draw < 0.4:
        made = rw.Float(low, high, step=step)
    elif draw < 0.8:
        made = rw.Float(low, high)
    else:
        made = rw.Float(bits=rng.choice((32, 64)))
    return {"field": made, "low": low, "high": high}


def _text(rng: Random, given: tuple[str, ...]) -> dict[str, Any]:
    """Any text; in half of the cases the user names texts to try."""
    return {"field": rw.Text(given) if rng.random() < 0.5 else rw.Text(), "texts": given}


_BUILDERS: dict[str, Callable[[Random, Any], dict[str, Any]]] = {
    "integer": _integer,
    "float": _float,
    "choice": lambda rng, given: {"field": rw.Choice(given)},
    "ordinal": lambda rng, given: {"field": rw.Ordinal(given)},
    "flag": lambda rng, given: {"field": rw.Bool()},
    "text": _text,
}


# Values


def ordinary(signal: Signal, rng: Random) -> Any:
    """Draw a value as a system in use would have it."""
    if signal.kind == "integer":
        return rng.randint(int(signal.low), int(signal.high))
    if signal.kind == "float":
        return to_member(signal, round(rng.uniform(signal.low, signal.high), 3))
    if signal.kind == "text":
        return rng.choice(signal.texts)
    return rng.choice(signal.members)


SPECIAL_NUMBERS = (0, 1, -1, 2, 10, 100, 127, 128, 255, 256, 1000, 1024, 32_767, 65_535, 65_536, 2**31 - 1, -(2**31))
PIECES = (
    "",
    " ",
    "a",
    "Z",
    "0",
    "9",
    "-",
    "_",
    ",",
    ".",
    "/",
    "'",
    "%",
    "#",
    "\n",
    "\t",
    "é",
    "ß",
    "\U0001f600",
    "xyz",
)


def special(signal: Signal, rng: Random) -> Any:
    """Draw a value at an end of the type, around zero, or at a width; of a text: something unusual."""
    if signal.kind == "text":
        return _unusual_text(signal, rng)
    if not signal.is_number:
        return rng.choice(signal.members)
    return rng.choice(signal.special_numbers)


def ends(signal: Signal) -> tuple[float, float]:
    """Return the lowest and the highest number of the type; of an unlimited float: 1e9 to both sides."""
    lo, hi = signal.field.lo, signal.field.hi
    return (-1e9 if lo is None else lo), (1e9 if hi is None else hi)


def _fits(signal: Signal, value: float) -> bool:
    if math.isfinite(value):
        lo, hi = ends(signal)
        return lo <= value <= hi
    return bool(signal.field.contains(value))


def to_member(signal: Signal, value: float) -> Any:
    """Return the member of a numeric field that is nearest to a number."""
    if signal.kind == "integer":
        return min(max(round(value), signal.field.lo), signal.field.hi)
    if not math.isfinite(value):
        return value
    lo, hi = ends(signal)
    value = min(max(float(value), lo), hi)
    if step := signal.field.step:
        return round(round(value / step) * step, MAX_DECIMALS)
    return value if signal.field.bits == 64 else signal.field.coerce(value)


def _unusual_text(signal: Signal, rng: Random) -> str:
    text = rng.choice(signal.texts)
    draw = rng.random()
    if draw < 0.3:
        at = rng.randint(0, len(text))
        return text[:at] + rng.choice(PIECES) + text[at:]
    if draw < 0.5:
        return rng.choice(PIECES) * rng.choice((1, 2, 7, 40, 300))
    if draw < 0.7:
        return rng.choice((text.upper(), text.lower(), text[::-1], text.strip(), f" {text}", text * 5))
    return text + rng.choice(PIECES) + rng.choice(signal.texts)


def mixed(signal: Signal, rng: Random) -> Any:
    """Draw an ordinary value, a special value, or one from the whole type."""
    draw = rng.random()
    if draw < 0.5:
        return ordinary(signal, rng)
    if draw < 0.75 or not signal.is_number:
        return special(signal, rng)
    lo, hi = ends(signal)
    if draw < 0.9:
        return to_member(signal, rng.uniform(lo, hi))
    return to_member(signal, math.copysign(10 ** rng.uniform(-2, 9), rng.random() - 0.5))


# Terms

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in (abs, len, str, round, min, max, sum, int, bin)},
    "sin": math.sin,
    "crc": lambda *values: zlib.crc32("/".join(map(repr, values)).encode("utf-8", "surrogatepass")),
}


@cache
def compile_condition(text: str, names: tuple[str, ...]) -> Callable[..., Any]:
    """Return an expression as a function of the values of these fields."""
    made: Callable[..., Any] = eval(f"lambda {', '.join(names)}: {text}", {"__builtins__": {}, **FUNCTIONS})
    return made


@dataclass(frozen=True)
class Term:
    """A condition over some fields."""

    text: str
    fields: tuple[str, ...]
    named: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values that the condition names, by field."""
    parts: tuple[str, ...] = ()
    """Alternatives, each of which is a part of the condition that an example of another part does not show."""

    def holds(self, point: Point) -> bool:
        return bool(compile_condition(self.text, self.fields)(*(point[name] for name in self.fields)))


Draw = Callable[[Random, Sequence[Signal]], Term | None]


def _pick(rng: Random, signals: Sequence[Signal], *kinds: str) -> Signal | None:
    fitting = [one for one in signals if one.kind in kinds]
    return rng.choice(fitting) if fitting else None


def _pick_alike(rng: Random, signals: Sequence[Signal], count: int, *kinds: str) -> list[Signal]:
    """Pick fields that programmers compute with together: of one type if possible, else of one kind; none if there are
    too few."""
    fitting = [one for one in signals if one.kind in kinds]
    if len(fitting) < count:
        return []
    first = rng.choice(fitting)
    alike = [one for one in fitting if one is not first and one.field == first.field]
    others = [one for one in fitting if one is not first and one.kind == first.kind and one not in alike]
    rng.shuffle(alike)
    rng.shuffle(others)
    found = [first, *alike, *others][:count]
    return found if len(found) == count else []


def constant(rng: Random, signal: Signal) -> Any:
    """Draw a number inside the ordinary range, as people choose one."""
    low, high = signal.low, signal.high
    value = rng.uniform(low, high)
    draw = rng.random()
    if draw < 0.35:
        value = round_to_digits(value, rng.choice((1, 2)))
    elif draw < 0.5 and value > 2:
        value = 2 ** round(math.log2(value)) - rng.choice((0, 0, 1))
    elif draw < 0.6:
        value = low + (high - low) * rng.choice((0.25, 0.5, 0.75, 0.9))
    if signal.kind == "float":
        value = round(value, 3 if high <= 1 else rng.choice((0, 1, 2)))
        value = min(max(value, low), high)
        return to_member(signal, value) if signal.field.step else float(value)
    return to_member(signal, min(max(value, low), high))


def round_to_digits(value: float, digits: int) -> float:
    """Round to that many significant digits."""
    return round(value, digits - 1 - math.floor(math.log10(abs(value)))) if value else value


def threshold(rng: Random, text: str, signals: Sequence[Signal]) -> Any:
    """Draw a threshold of an expression: one of its quantiles for ordinary values, rounded as people round."""
    function = compile_condition(text, tuple(one.name for one in signals))
    values = sorted(function(*(ordinary(one, rng) for one in signals)) for _ in range(101))
    value = values[rng.randint(5, 95)]
    draw = rng.random()
    if draw < 0.5:
        value = round_to_digits(value, rng.choice((1, 2, 3)))
    elif draw < 0.65 and value > 2:
        value = 2 ** round(math.log2(value)) - rng.choice((0, 1))
    return int(value) if all(one.kind == "integer" for one in signals) else round(float(value), 3)


def draw_bound(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x > 100``"""
    if not (one := _pick(rng, signals, "integer", "float")):
        return None
    value = constant(rng, one)
    return Term(f"{one.name} {rng.choice(('>', '>=', '<', '<='))} {value!r}", (one.name,), {one.name: (value,)})


def draw_range(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``10 <= x < 20``"""
    if not (one := _pick(rng, signals, "integer", "float")):
        return None
    low, high = sorted((constant(rng, one), constant(rng, one)))
    if low == high:
        return None
    text = f"{low!r} {rng.choice(('<', '<='))} {one.name} {rng.choice(('<', '<='))} {high!r}"
    return Term(text, (one.name,), {one.name: (low, high)})


def draw_outside(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x < 10 or x > 20``"""
    if not (one := _pick(rng, signals, "integer", "float")):
        return None
    low, high = sorted((constant(rng, one), constant(rng, one)))
    if low == high:
        return None
    parts = (f"{one.name} < {low!r}", f"{one.name} > {high!r}")
    return Term(f"({parts[0]} or {parts[1]})", (one.name,), {one.name: (low, high)}, parts)


def draw_equal(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x == 42``"""
    if not (one := _pick(rng, signals, "integer")):
        return None
    value = rng.choice((0, constant(rng, one), constant(rng, one)))
    if not one.field.contains(value):
        return None
    return Term(f"{one.name} == {value!r}", (one.name,), {one.name: (value,)})


def draw_end(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x == 255``, ``x >= 254``: the end of a range"""
    if not (one := _pick(rng, signals, "integer")):
        return None
    lo, hi = ends(one)
    near = rng.choice((0, 0, 1))
    text, value = rng.choice(((f"{one.name} >= {hi - near}", hi - near), (f"{one.name} <= {lo + near}", lo + near)))
    return Term(text, (one.name,), {one.name: (value,)})


def draw_remainder(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x % 4 == 1``, also with a bound"""
    if not (one := _pick(rng, signals, "integer")):
        return None
    modulus = rng.choice((2, 2, 3, 4, 4, 5, 7, 8, 10, 12, 16, 60, 100))
    if modulus >= ends(one)[1] - ends(one)[0]:
        return None
    op = "!=" if modulus > 2 and rng.random() < 0.15 else "=="
    text = f"{one.name} % {modulus} {op} {rng.choice((0, rng.randrange(modulus)))}"
    if rng.random() < 0.7:
        return Term(text, (one.name,))
    value = constant(rng, one)
    return Term(f"{text} and {one.name} > {value!r}", (one.name,), {one.name: (value,)})


def draw_listed(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x in (3, 7, 12)``"""
    one = _pick(rng, [one for one in signals if one.kind == "integer" and one.field.size <= 256], "integer")
    if not one:
        return None
    values = sorted({constant(rng, one) for _ in range(rng.randint(2, 4))})
    if len(values) < 2:
        return None
    parts = tuple(f"{one.name} == {value}" for value in values)
    return Term(f"{one.name} in {tuple(values)}", (one.name,), {one.name: tuple(values)}, parts)


def draw_choice(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``mode == "fault"``"""
    if not (one := _pick(rng, signals, "choice", "ordinal")):
        return None
    value = rng.choice(one.members)
    return Term(f"{one.name} {rng.choice(('==', '==', '==', '!='))} {value!r}", (one.name,), {one.name: (value,)})


def draw_choices(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``mode in ("fault", "service")``"""
    if not (one := _pick(rng, signals, "choice")) or len(one.members) < 4:
        return None
    values = tuple(rng.sample(one.members, rng.randint(2, len(one.members) - 2)))
    return Term(f"{one.name} in {values!r}", (one.name,), {one.name: values})


def draw_rank(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """The highest or lowest members of an ordinal."""
    if not (one := _pick(rng, signals, "ordinal")):
        return None
    cut = rng.randint(1, len(one.members) - 1)
    values = rng.choice((one.members[:cut], one.members[cut:]))
    return Term(f"{one.name} in {values!r}", (one.name,), {one.name: values})


def draw_flag(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``not cached``"""
    if not (one := _pick(rng, signals, "flag")):
        return None
    return Term(rng.choice((one.name, f"not {one.name}")), (one.name,))


def _compare(rng: Random, text: str, signals: Sequence[Signal], ops: Sequence[str] = (">", ">=", "<", "<=")) -> Term:
    bound = threshold(rng, text, signals)
    return Term(f"{text} {rng.choice(ops)} {bound!r}", tuple(one.name for one in signals))


def draw_product(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``width * height > 2147483647``"""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    return _compare(rng, f"{two[0].name} * {two[1].name}", two) if two else None


MULTIPLIERS = (1, 1, 1, 1, 2, 2, 3, 4, 5, -1, -2)


def _draw_sum(rng: Random, signals: Sequence[Signal], count: int) -> Term | None:
    chosen = _pick_alike(rng, signals, count, "integer", "float")
    if not chosen:
        return None
    factors = [rng.choice(MULTIPLIERS) for _ in chosen]
    factors[0] = abs(factors[0])
    texts = [one.name if abs(by) == 1 else f"{abs(by)} * {one.name}" for one, by in zip(chosen, factors, strict=True)]
    text = texts[0] + "".join(
        f" {'-' if by < 0 else '+'} {one}" for one, by in zip(texts[1:], factors[1:], strict=True)
    )
    return _compare(rng, text, chosen)


def draw_sum(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``front + 2 * rear > 4000``"""
    return _draw_sum(rng, signals, 2)


def draw_sum_of_three(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``x + 2 * y - z > 168``"""
    return _draw_sum(rng, signals, 3)


def draw_difference(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``end - start > 500``"""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    return _compare(rng, f"{two[0].name} - {two[1].name}", two) if two else None


def draw_distance(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``abs(x - y) < 5``"""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    return _compare(rng, f"abs({two[0].name} - {two[1].name})", two) if two else None


def draw_same(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``source == target``"""
    two = _pick_alike(rng, signals, 2, "integer", "choice", "text")
    if not two or two[0].field != two[1].field:
        return None
    return Term(f"{two[0].name} {rng.choice(('==', '==', '==', '!='))} {two[1].name}", tuple(one.name for one in two))


def draw_less(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``end <= start``"""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    if not two:
        return None
    return Term(f"{two[0].name} {rng.choice(('<', '<=', '>'))} {two[1].name}", tuple(one.name for one in two))


def draw_dependent(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """A threshold that depends on a choice or a flag."""
    number, by = _pick(rng, signals, "integer", "float"), _pick(rng, signals, "choice", "ordinal", "flag")
    if not number or not by:
        return None
    first, second = constant(rng, number), constant(rng, number)
    if first == second:
        return None
    value = rng.choice(by.members)
    when = by.name if by.kind == "flag" else f"{by.name} == {value!r}"
    text = f"{number.name} {rng.choice(('>', '<', '>='))} ({first!r} if {when} else {second!r})"
    return Term(text, (number.name, by.name), {number.name: (first, second), by.name: (value,)})


def draw_quadratic(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """A circle around any centre, or a square against another field."""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    if not two:
        return None
    one, other = two[0].name, two[1].name
    if rng.random() < 0.3:
        return _compare(rng, f"{one} * {one}{rng.choice((' - ', ' + '))}{rng.choice((2, 4, 10))} * {other}", two)
    centre = (0, 0) if rng.random() < 0.3 else (constant(rng, two[0]), constant(rng, two[1]))
    offsets = [f"({name} - {at!r})" if at else name for name, at in zip((one, other), centre, strict=True)]
    return _compare(rng, " + ".join(f"{text} * {text}" for text in offsets), two)


def draw_wrapped(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """A sum or a difference that wraps around."""
    two = _pick_alike(rng, signals, 2, "integer")
    if not two:
        return None
    bits = rng.choice((8, 16)) if max(one.high for one in two) > 255 else 8
    return _compare(rng, f"({two[0].name} {rng.choice('+-')} {two[1].name}) % {2**bits}", two, (">", "<"))


def draw_ratio(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """``used > 0.9 * limit``"""
    two = _pick_alike(rng, signals, 2, "integer", "float")
    if not two:
        return None
    by = rng.choice((0.25, 0.5, 0.8, 0.9, 1.5, 2, 3, 10))
    return Term(f"{two[0].name} {rng.choice('><')} {by} * {two[1].name}", tuple(one.name for one in two))


def draw_digits(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """The length of a number as text."""
    one = _pick(rng, [one for one in signals if one.kind == "integer" and one.high > 99], "integer")
    if not one:
        return None
    return Term(f"len(str({one.name})) {rng.choice(('>', '=='))} {len(str(int(one.high))) - 1}", (one.name,))


LENGTHS = (3, 5, 8, 12, 16, 20, 31, 32, 63, 64, 255)
LETTERS = ("-", " ", ",", ".", "/", "'", "%", "#", "_", "\n", "é", "0", "a")


def draw_text(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """A property of a text."""
    if not (one := _pick(rng, signals, "text")):
        return None
    name, letter, length = one.name, rng.choice(LETTERS), rng.choice(LENGTHS)
    example = rng.choice([text for text in one.texts if text])
    forms: list[tuple[str, tuple[str, ...]]] = [
        (f"{letter!r} in {name}", (letter,)),
        (f"{letter!r} in {name}", (letter,)),
        (f"{name}.startswith({example[:1]!r})", (example[:1],)),
        (f"{name}.endswith({example[-2:]!r})", (example[-2:],)),
        (f"{name}.endswith({letter!r})", (letter,)),
        (f"len({name}) > {length}", ("a" * length, "a" * (length + 1))),
        (f"len({name}) < {length}", ("a" * length, "a" * (length - 1))),
        (f"{name} == {example!r}", (example,)),
        (f"{name} == ''", ("",)),
        (f"{name}.isdigit()", ("7", "12345")),
        (f"{name} != {name}.strip()", (f"{example} ",)),
        (f"not {name}.isascii()", ("é",)),
        (f"{name}.isupper()", (example.upper(),)),
        (f"{name}.count({letter!r}) > 1", (letter * 2,)),
        (f"{name}[:1].isdigit()", (f"1{example}",)),
    ]
    text, values = rng.choice(forms)
    return Term(text, (name,), {name: values})


TERMS: dict[Draw, int] = {
    draw_bound: 10,
    draw_range: 6,
    draw_outside: 3,
    draw_equal: 4,
    draw_end: 3,
    draw_remainder: 4,
    draw_listed: 2,
    draw_choice: 6,
    draw_choices: 3,
    draw_rank: 4,
    draw_flag: 6,
    draw_product: 3,
    draw_sum: 4,
    draw_sum_of_three: 2,
    draw_difference: 4,
    draw_distance: 2,
    draw_same: 4,
    draw_less: 3,
    draw_dependent: 3,
    draw_quadratic: 3,
    draw_wrapped: 2,
    draw_ratio: 1,
    draw_digits: 1,
    draw_text: 6,
}


def draw_term(rng: Random, signals: Sequence[Signal], forms: Mapping[Draw, int] | None = None) -> Term:
    """Draw a term over some of these fields, which need not allow all forms."""
    forms = TERMS if forms is None else forms
    while True:
        term = rng.choices(list(forms), list(forms.values()))[0](rng, signals)
        if term is not None:
            return term


# No simple condition


def draw_irregular(rng: Random, signals: Sequence[Signal]) -> Term | None:
    """Draw a condition that nobody can state shortly: a hash, a bumpy function, the digits of a number."""
    two = [one for one in signals if one.kind == "integer" or (one.kind == "float" and one.field.lo is not None)]
    if len(two) < 2:
        return None
    chosen = rng.sample(two, 2)
    one, other = (signal.name for signal in chosen)
    scale = [max(abs(signal.low), abs(signal.high)) / rng.uniform(8, 40) for signal in chosen]
    whole = [signal.name for signal in two if signal.kind == "integer"]
    texts = [
        f"crc({one}, {other}) % 100 < {rng.randint(5, 60)}",
        f"sin({one} / {scale[0]:.3g}) + sin({other} / {scale[1]:.3g}) > {rng.choice((0.3, 0.8, 1.1))}",
        f"sin({one} / {scale[0]:.3g}) * sin(({one} + {other}) / {scale[1]:.3g}) > {rng.choice((0.2, 0.5))}",
    ]
    if whole:
        number = rng.choice(whole)
        texts.append(f"bin(abs({number})).count('1') % 3 == {rng.randrange(3)}")
        texts.append(f"sum(int(digit) for digit in str(abs({number}))) % 7 < {rng.randint(1, 4)}")
    text = rng.choice(texts)
    used = [signal.name for signal in two if signal.name in compile_names(text)]
    return Term(text, tuple(used))


def compile_names(text: str) -> frozenset[str]:
    """Return the names in an expression."""
    code = compile(text, "condition", "eval")
    inner = [const.co_names for const in code.co_consts if hasattr(const, "co_names")]
    return frozenset(code.co_names).union(*inner)
