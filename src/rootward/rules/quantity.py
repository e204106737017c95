"""Quantities: what code computes from fields before it compares, such as ``width * height`` or ``abs(x)``.

A quantity stands in an atom in place of the name of a field, so it is a text: the one a person reads. That is why its
text is written here. It is never equal to a plain text, and two quantities are equal if they are built alike, whatever
their texts. A comparison of two expressions is a quantity as well, which is true or false: ``height <= sink_rate *
flare``.

Evaluation must be fast, so a quantity is compiled once, from the Python expression that `python_source` writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from rootward.errors import InputError
from rootward.rules.arithmetic import NAMES, OPERATIONS, Number
from rootward.rules.constants import RESERVED, constant_text, number_source, quoted
from rootward.space.keys import canonical
from rootward.space.values import scalar

if TYPE_CHECKING:
    from rootward.space.candidate import Configuration

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
INTEGRAL = ("&", "|", "^", "<<", ">>")
BITS = 1024
"""The widest wrap-around."""
Part = str | int | float
"""A field, a quantity (which is a text) or a number; the last part of ``wrap`` is a bool."""
_PARTS = {"abs": 1, "int": 1, "sqrt": 1, "wrap": 3}
_NAME = re.compile(r"[^\W\d][\w.\-\[\]/:]*")
_LEVELS = (COMPARISONS, ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_BINDING = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_TIGHT = 9


class Quantity(str):
    """An expression over fields: an operator and its parts (names of fields, numbers, quantities)."""

    op: str
    parts: tuple[Any, ...]  # each a Part; which one depends on the operator
    order: tuple[str, bytes]  # a sort key, and the identity

    def __new__(cls, op: str, *parts: Part) -> Quantity:
        parts = tuple(map(scalar, parts))
        _check(op, parts)
        made = super().__new__(cls, _text(op, parts))
        made.op, made.parts = op, parts
        made.order = (str.__str__(made), b"".join([op.encode(), b"(", *map(encoded, parts), b")"]))
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.op, *self.parts)

    def __getstate__(self) -> None:
        """What it is made of says it all."""

    @property
    def is_comparison(self) -> bool:
        """Whether it is true or false, and no number."""
        return self.op in COMPARISONS

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields it reads, in the order of their first use."""
        found = [part.fields if isinstance(part, Quantity) else (part,) for part in self.parts if isinstance(part, str)]
        return tuple(dict.fromkeys(name for names in found for name in names))

    @cached_property
    def size(self) -> int:
        """How many names, numbers and operators a reader has to read."""
        return 1 + sum(part.size if isinstance(part, Quantity) else 1 for part in self.parts)

    def of(self, configuration: Configuration) -> Number:
        """Its number (NaN where it is not defined), or True or False; InputError if a field is missing."""
        try:
            return self._function(configuration)
        except KeyError as error:
            raise InputError(f"the configuration has no field {error.args[0]!r}: expected a value for it") from None

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> list[Number]:
        """``of`` for each row of columns given by field."""
        found = [columns[name] for name in self.fields]
        names = [f"v{index}" for index in range(len(found))]
        source = f"lambda {', '.join(names)}: {python_source(self, dict(zip(self.fields, names, strict=True)))}"
        return list(map(_compiled(source), *found))

    @cached_property
    def _function(self) -> Callable[[Configuration], Number]:
        return _compiled(f"lambda c: {python_source(self, {name: f'c[{name!r}]' for name in self.fields})}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.order == other.order

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.order)

    def __lt__(self, other: str) -> bool:
        return self.order < _order(other)

    def __le__(self, other: str) -> bool:
        return self.order <= _order(other)

    def __gt__(self, other: str) -> bool:
        return self.order > _order(other)

    def __ge__(self, other: str) -> bool:
        return self.order >= _order(other)

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return f"Quantity({', '.join(map(repr, (self.op, *self.parts)))})"


def is_comparison(field: str) -> TypeGuard[Quantity]:
    return isinstance(field, Quantity) and field.is_comparison


def fields_of(field: str) -> tuple[str, ...]:
    """The fields that are read to know the field, or the quantity."""
    return field.fields if isinstance(field, Quantity) else (field,)


def python_source(part: Part, names: Mapping[str, str]) -> str:
    """A part as a Python expression, given how each field is read; see `rootward.rules.arithmetic`."""
    if not isinstance(part, str):
        return number_source(part) if not isinstance(part, bool) else str(part)
    if not isinstance(part, Quantity):
        return f"number({names[part]})"
    sources = [python_source(one, names) for one in part.parts]
    if part.is_comparison:
        return f"{sources[0]} {part.op} {sources[1]}"
    if part.op in ("+", "-", "*") and any(type(one) is int and abs(one) <= 2**53 for one in part.parts):
        return f"({sources[0]} {part.op} {sources[1]})"  # a small integer meets any number without raising
    return f"{OPERATIONS[part.op].__name__}({', '.join(sources)})"


def _compiled(source: str) -> Callable[..., Number]:
    made: Callable[..., Number] = eval(source, {"math": math, **NAMES})
    return made


def _order(text: str) -> tuple[str, bytes]:
    return text.order if isinstance(text, Quantity) else (text, b"")


def encoded(part: Part) -> bytes:
    """The identity of a part."""
    return b"q" + part.order[1] if isinstance(part, Quantity) else canonical(part)


# Writing


def name_text(name: str) -> str:
    """The name of a field: bare where it cannot be taken for anything else."""
    return name if _NAME.fullmatch(name) and name.lower() not in RESERVED else quoted(name)


def _text(op: str, parts: Sequence[Any]) -> str:
    """An expression with as few parentheses as a reader of code needs."""
    if op == "wrap":
        inner, bits, signed = parts
        return f"{'' if signed else 'u'}int{bits}({_part_text(inner)})"
    if op not in _BINDING:
        return f"{op}({', '.join(map(_part_text, parts))})"
    left, right = parts
    if op == "+" and not isinstance(right, str) and right < 0:
        op, right = "-", -right
    return f"{_operand_text(op, left, 0)} {op} {_operand_text(op, right, 1)}"


def _operand_text(op: str, part: Part, place: int) -> str:
    """Equal operators stand without parentheses on the left only: floats are not associative."""
    text = _part_text(part)
    mixed = isinstance(part, Quantity) and part.op in _BINDING and (op in INTEGRAL or part.op in INTEGRAL)
    return f"({text})" if mixed or _binding(part, text, place) < _BINDING[op] + place else text


def _part_text(part: Part) -> str:
    if isinstance(part, Quantity):
        return str(part)
    return name_text(part) if isinstance(part, str) else constant_text(part)


def _binding(part: Part, text: str, place: int) -> int:
    """How tightly a part holds together."""
    if isinstance(part, Quantity):
        return _BINDING.get(part.op, _TIGHT)
    if isinstance(part, str):
        return _TIGHT
    sums, products = re.search(r" [+-] ", text), re.search(r" [*/] ", text)
    return _BINDING["+"] if sums or (place and text[0] == "-") else _BINDING["*"] if products else _TIGHT


# Checking


def _check(op: str, parts: tuple[Any, ...]) -> None:
    if op not in OPERATIONS and op not in COMPARISONS:
        raise InputError(f"a quantity with {op!r}: expected one of {' '.join((*OPERATIONS, *COMPARISONS))}")
    wanted = _PARTS.get(op, 2)
    if len(parts) != wanted and not (op in ("min", "max") and len(parts) > wanted):
        raise InputError(f"{op} takes {wanted} part{'s' * (wanted > 1)}, not {len(parts)}")
    for part in parts[:1] if op == "wrap" else parts:
        if isinstance(part, bool) or not isinstance(part, str | int | float):
            raise InputError(f"a part of a quantity is a field, a number or a quantity, not {part!r}")
        if isinstance(part, Quantity) and part.is_comparison:
            raise InputError(f"{part} is true or false and no number: it cannot be a part of a quantity")
    if op == "wrap" and not (_is_integer(parts[1]) and 1 <= parts[1] <= BITS and isinstance(parts[2], bool)):
        raise InputError(f"wrap takes an expression, 1 to {BITS} bits and whether it is signed, not {parts[1:]!r}")
    if op == "%" and not (_is_integer(parts[1]) and parts[1] > 0):
        raise InputError(f"% takes a positive integer on its right, not {parts[1]!r}: use rem for others")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
