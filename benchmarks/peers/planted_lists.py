"""Bugs planted in lists: message sequences that fail because of their order, tables that fail because of a row.

A bug names its *roles*: messages of some type, or rows of any kind. It fails if the list has an element for each role,
in the order of the roles if that matters, and the condition holds for their fields. Elements are plain data, as read
from a recording or a table. The list also has other messages and rows, some of the same types.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import rootward as rw
from peers import bug_interfaces
from peers.bug_interfaces import Named
from peers.condition_kinds import read_fields
from peers.condition_points import human_values
from peers.conditions import FUNCTIONS, make_field, mentioned
from peers.planted_bugs import Flaky, Shown
from rootward.study import Study

TYPE = "message"
"""Key of a message that holds its type."""
TYPES = ("Heartbeat", "Status", "Diagnostic", "TimeSync", "Position", "Ack", "Log", "Ping", "Alarm", "Battery")
Element = dict[str, Any]
Condition = Any


@dataclass(frozen=True)
class ListTemplate:
    """The template of a bug. ``fails`` reads the fields of the first role as ``a_name``, those of the second as
    ``b_name``, and so on."""

    roles: tuple[str, ...]
    """The fields of each role, after its type if it is a message: ``SetMode mode:uint8[0,5]``."""
    fails: str = "True"
    draws: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ordered: bool = True
    length: int = 20
    width: int = 3
    """Number of other fields of an element."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """Values that are too rare to be drawn; the name of a constant stands for it."""


MESSAGES = {
    "order-reset-10": ListTemplate(("Reset", "Calibrate"), length=10),
    "order-mode-30": ListTemplate(
        ("SetMode mode:uint8[0,5]", "Engage"), "a_mode == {c}", {"c": (1, 2, 3, 4)}, length=30
    ),
    "order-torque-50": ListTemplate(
        ("Unlock", "Drive torque:int16[-300,900]"), "b_torque > {c}", {"c": range(100, 500)}, length=50, width=6
    ),
    "order-three-60": ListTemplate(("OpenSession", "Erase", "Commit"), length=60, width=4),
    "order-free-40": ListTemplate(
        ("Subscribe rate:uint16[1,1000]", "Compress"), "a_rate > {c}", {"c": range(120, 600)}, ordered=False, length=40
    ),
    "order-handle-100": ListTemplate(
        ("Release handle:uint8[0,40]", "Use handle:uint8[0,40]"), "a_handle == b_handle", length=100, width=18
    ),
}
ROWS = {
    "row-unit-50": ListTemplate(
        ("unit:enum:kg,g",), "a_unit == {m!r}", {"m": ("lb", "oz")}, start={"unit": "m"}, length=50, width=4
    ),
    "row-zero-100": ListTemplate(
        ("quantity:uint16[1,500]",), "a_quantity == 0", start={"quantity": 0}, length=100, width=7
    ),
    "row-discount-200": ListTemplate(
        ("discount:float64[0,0.5]",),
        "a_discount > {c}",
        {"c": (0.8, 0.9, 1.0)},
        start={"discount": 1.25},
        length=200,
        width=9,
    ),
    "row-tax-120": ListTemplate(
        ("country:enum:DE,FR,CH,NO,US tax:uint8[1,25]",),
        "a_country == {m!r} and a_tax < {c}",
        {"m": ("CH", "NO", "US"), "c": (3, 5)},
        start={"country": "m", "tax": 1},
        length=120,
        width=11,
    ),
    "row-dates-500": ListTemplate(
        ("begin:uint32[0,20000] days:uint16[1,300] end:uint32[20400,40000]",),
        "a_end < a_begin",
        start={"end": 3500, "begin": 9125},
        length=500,
        width=17,
    ),
    "row-total-80": ListTemplate(
        ("price:float64[0.5,90] pieces:uint16[1,90]",),
        "a_price * a_pieces > {c}",
        {"c": (10000, 25000, 50000)},
        start={"price": 899.5, "pieces": 88},
        length=80,
        width=14,
    ),
}
FLAKY = ("order-mode-30", "row-tax-120")


@dataclass(frozen=True)
class Listed:
    """A bug in a list: it fails if some elements fill the roles."""

    name: str
    kind: str
    seed: int
    elements: list[Element]
    roles: tuple[str | None, ...]
    """The type of message that each role requires."""
    condition: str
    ordered: bool
    rate: float = 1.0

    @property
    def size(self) -> int:
        return sum(map(len, self.elements))

    def triggered(self, elements: Sequence[Element]) -> bool:
        places = [[i for i, one in enumerate(elements) if role is None or one.get(TYPE) == role] for role in self.roles]
        return any(
            len({*chosen}) == len(chosen) and self._holds([elements[i] for i in chosen])
            for chosen in itertools.product(*places)
            if not self.ordered or all(one < other for one, other in itertools.pairwise(chosen))
        )

    def _holds(self, chosen: Sequence[Element]) -> bool:
        values = []
        for letter, name in self.variables:
            one = chosen["abc".index(letter)]
            if name not in one:
                return False
            values.append(one[name])
        return bool(self._function(*values))

    @cached_property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """The fields that the condition reads, as (role, name)."""
        return tuple((name[0], name[2:]) for name in sorted(mentioned(self.condition)))

    @cached_property
    def _function(self) -> Condition:
        names = ", ".join(f"{role}_{name}" for role, name in self.variables)
        return eval(f"lambda {names}: {self.condition}", dict(FUNCTIONS))

    @cached_property
    def subject(self) -> Any:
        return Shown(self) if self.rate == 1 else Flaky(self, self.rate)

    @property
    def study(self) -> Study:
        return Study(
            name=self.name, path=Path(f"{self.name}.toml"), subject=rw.Function(self.subject), elements=self.elements
        )

    @property
    def truth(self) -> str:
        named = [f"{letter} = {role or 'a row'}" for letter, role in zip("abc", self.roles, strict=False)]
        order = " in this order" if self.ordered and len(self.roles) > 1 else ""
        return f"{', '.join(named)}{order}; {self.condition}"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_function", "subject")}


def listed(name: str, kind: str, seed: int, rate: float = 1.0) -> Listed:
    """Return the bug of that name, as drawn by the seed, with the first random list that fails."""
    template = (MESSAGES | ROWS)[name]
    rng = np.random.default_rng([seed, *name.encode()])
    constants = {key: options[int(rng.integers(len(options)))] for key, options in sorted(template.draws.items())}
    types = tuple(_type(role) for role in template.roles)
    bug = Listed(name, kind, seed, [], types, template.fails.format(**constants), template.ordered, rate)
    for _ in range(1000):
        elements = list((_messages if name in MESSAGES else _rows)(template, constants, rng))
        if bug.triggered(elements):
            return Listed(name, kind, seed, elements, types, bug.condition, bug.ordered, rate)
    raise AssertionError(f"no list of {name} fails")


def _type(role: str) -> str | None:
    first = role.split()[0]
    return None if ":" in first else first


def _messages(template: ListTemplate, constants: Mapping[str, Any], rng: np.random.Generator) -> Iterator[Element]:
    """Yield random messages, including those of the roles."""
    own = {_type(role): _role_fields(role.partition(" ")[2]) for role in template.roles}
    types = [*own, *TYPES]
    fields = {one: (*_other_fields(template.width, rng), *own.get(one, ())) for one in types}
    for i in rng.integers(len(types), size=template.length):
        yield {TYPE: types[i], **bug_interfaces.ordinary(fields[types[i]], rng)}


def _rows(template: ListTemplate, constants: Mapping[str, Any], rng: np.random.Generator) -> Iterator[Element]:
    """Yield good rows and a bad one."""
    fields = (*_other_fields(template.width, rng), *_role_fields(template.roles[0]))
    bad = int(rng.integers(template.length))
    columns = [human_values(field, nominal, rng, template.length) for _, field, nominal in fields]
    for i, values in enumerate(zip(*columns, strict=True)):
        row = dict(zip((name for name, _, _ in fields), values, strict=True))
        yield (
            {**row, **{name: constants.get(value, value) for name, value in template.start.items()}}
            if i == bad
            else row
        )


def _other_fields(width: int, rng: np.random.Generator) -> tuple[Named, ...]:
    """Return fields that do not matter."""
    names = list(bug_interfaces.SIGNALS)
    return bug_interfaces.plain_fields(tuple(names[i] for i in rng.permutation(len(names))[:width]))


def _role_fields(line: str) -> tuple[Named, ...]:
    """Return the fields of a role."""
    return tuple((name, make_field(kind, nominal), nominal) for name, kind, nominal in read_fields(line))
