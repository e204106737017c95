"""Bugs with a known condition: a space, a condition over its fields, and a configuration that fails.

Conditions are Python expressions: integers are exact, floats are 64-bit and overflow to infinity, and every comparison
with NaN is false. 16 bugs come from public fixes and from the papers (`benchmarks/data/bugs.json`). The others are
invented, of the same kinds (`peers/condition_kinds.py`), or generated from a grammar (`peers/condition_grammar.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import rootward as rw

DATA = Path(__file__).parents[1] / "data" / "bugs.json"
Configuration = Mapping[str, Any]
Range = tuple[float, float]


@dataclass(frozen=True)
class Bug:
    """A bug that fails where its condition holds."""

    id: str
    space: rw.Space
    condition: str
    """A Python expression over the variables."""
    failing: dict[str, Any]
    passing: dict[str, Any]
    nominal: dict[str, Range | None]
    """The documented range of each field; None if there is none, or if the field is not a number."""
    variables: tuple[str, ...] = ()
    """The variable of each field; by default its name."""
    status: str = "made"
    source: str = field(default="", repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return self.variables or self.space.names

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that matter."""
        used = mentioned(self.condition)
        return tuple(name for name, variable in zip(self.space.names, self.names, strict=True) if variable in used)

    @property
    def relevant(self) -> int:
        return len(self.fields)

    def fails(self, configuration: Configuration) -> bool:
        return self.function(*[configuration[name] for name in self.space.names])

    @property
    def function(self) -> Callable[..., bool]:
        """The condition as a function of the fields' values, in the order of the space."""
        return _function(self.condition, self.names)

    def __str__(self) -> str:
        return f"{self.id}: {self.condition}"


@cache
def _function(condition: str, names: tuple[str, ...]) -> Callable[..., bool]:
    made: Callable[..., bool] = eval(f"lambda {', '.join(names)}: bool({condition})", dict(FUNCTIONS))
    return made


def mentioned(condition: str) -> frozenset[str]:
    """Return the variables of a condition."""
    code: CodeType = compile(condition, "condition", "eval")
    return frozenset(code.co_names) - FUNCTIONS.keys()


# Functions for conditions


def wrap(value: int, bits: int, signed: bool) -> int:
    """Wrap ``value`` to an integer of that width."""
    kept = value & ((1 << bits) - 1)
    return kept - (1 << bits) if signed and kept >> (bits - 1) else kept


def trunc(value: float) -> float:
    """Cast to an integer, towards zero; NaN if not finite."""
    return int(value) if math.isfinite(value) else math.nan


def least(*values: float) -> float:
    """Return the smallest value; NaN if one is NaN."""
    return math.nan if any(value != value for value in values) else min(values)


def most(*values: float) -> float:
    """Return the largest value; NaN if one is NaN."""
    return math.nan if any(value != value for value in values) else max(values)


def div(above: float, below: float) -> float:
    """Divide; NaN for a division by zero."""
    return above / below if below else math.nan


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": least,
    "max": most,
    "bool": bool,
    "int": int,
    "isnan": math.isnan,
    "isinf": math.isinf,
    "wrap": wrap,
    "trunc": trunc,
    "div": div,
}


# Fields


def make_field(kind: str, limits: Range | None = None) -> Any:
    """Return the field of a type as named in the data: int16, uint8, float32, bool, enum:0,1,2; within limits, if
    given."""
    if kind == "bool":
        return rw.Bool()
    if kind.startswith("enum:"):
        return rw.Choice([_member(text) for text in kind.removeprefix("enum:").split(",")])
    base = kind.rstrip("0123456789")
    bits = int(kind.removeprefix(base))
    if base == "float":
        return rw.Float(*(limits or ()), bits=bits)
    return rw.Int(*map(int, limits or ()), bits=bits, signed=base == "int")


def _member(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text


def make_space(fields: Sequence[tuple[str, str, Range | None]], bounded: bool = False) -> rw.Space:
    """Return the space of these (name, type, nominal range); ``bounded``: limit every field to its nominal range."""
    return rw.Space({name: make_field(kind, nominal if bounded else None) for name, kind, nominal in fields})


def make_bug(
    name: str,
    fields: Sequence[tuple[str, str, Range | None]],
    condition: str,
    failing: Sequence[Any],
    passing: Sequence[Any],
    **more: Any,
) -> Bug:
    space = make_space(fields)
    configurations = [space.check(dict(zip(space.names, values, strict=True))) for values in (failing, passing)]
    return Bug(name, space, condition, *configurations, {field: nominal for field, _, nominal in fields}, **more)


@cache
def published() -> tuple[Bug, ...]:
    """Return the bugs of public fixes and of the papers."""
    return tuple(_read(one) for one in json.loads(DATA.read_text()))


def _read(one: Mapping[str, Any]) -> Bug:
    fields = [(f["name"], f["type"], tuple(f["nominal"]) if f["nominal"] else None) for f in one["fields"]]
    told = {"variables": tuple(one["names"]), "status": one["status"], "source": one["source"]}
    return make_bug(one["id"], fields, one["fails_when"], one["failing"], one["passing"], **told)


@cache
def named_bugs() -> tuple[Bug, ...]:
    """Return the published bugs, then one of each further kind."""
    from peers.condition_kinds import kinds

    return (*published(), *kinds())
