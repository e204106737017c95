"""Quantities: expressions that code computes from fields before it compares, such as ``width * height`` or ``abs(x)``.

An atom compares a field, given by its name, with a constant; a quantity can take the place of that name. So `Quantity`
is a subclass of `str`, and everything that sorts, groups or prints atoms by field works for quantities as well. Its
text, which is written when it is created, is what a person reads. Its identity is its structure, not its text: a
quantity never equals a plain string, and two quantities are equal if they have the same operator and the same parts.

A comparison of two expressions, such as ``height <= sink_rate * flare``, is a quantity too, and so is a predicate, such
as ``path contains "//"`` or ``source = target`` (`rootward.rules.predicates`). Their values are True and False, and
they cannot be part of another quantity. Nor can a derived quantity (`rootward.rules.derivation`), whose values may be
of any kind.

Evaluation must be fast and must not raise. `python_source` writes a quantity as a Python expression that calls the
functions of `rootward.rules.arithmetic`, which return NaN where the result is undefined; it is compiled once. To add an
operator, add its function to ``OPERATIONS`` there, its range to `rootward.rules.ranges`, and its form to the exporters
in `rootward.rules.export`; if it is written between its operands, it needs a place in ``_LEVELS``, from the loosest
binding to the tightest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from rootward.errors import InputError
from rootward.rules.arithmetic import NAMES, OPERATIONS, Number
from rootward.rules.constants import NUMBER_NAMES, RESERVED, constant_text, number_source, quote
from rootward.rules.expressions import derived_function
from rootward.rules.predicates import (
    NAMED,
    PREDICATES,
    SETS,
    TextConstant,
    order_pattern,
    predicate_source,
    set_pattern,
)
from rootward.space.keys import canonical
from rootward.space.values import scalar

if TYPE_CHECKING:
    from rootward.space.candidate import Configuration

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
INTEGRAL = ("&", "|", "^", "<<", ">>")
MAX_BITS = 1024
"""Maximum number of bits of a wrap-around."""
Part = str | int | float
"""A field, a quantity (which is a text) or a number; the last part of ``wrap`` is a bool."""
_PARTS = {"abs": 1, "int": 1, "sqrt": 1, "len": 1, "len_str": 1, "wrap": 3}
_NAME = re.compile(r"[^\W\d][\w.\-\[\]/:]*")
_LEVELS = (COMPARISONS, ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_BINDING = {op: level for level, ops in enumerate(_LEVELS) for op in ops}
_TIGHT = 9


class Quantity(str):
    """An expression over fields: an operator and its parts (names of fields, numbers, quantities)."""

    op: str
    parts: tuple[Any, ...]  # each a Part; which one depends on the operator
    order: tuple[str, bytes]  # a sort key, and the identity

    def __new__(cls, op: str, *given: Part | TextConstant) -> Quantity:
        parts = tuple(map(scalar, given))
        _check(op, parts)
        made = super().__new__(cls, _text(op, parts))
        made.op, made.parts = op, parts
        made.order = (str.__str__(made), b"".join([op.encode(), b"(", *map(encode_part, parts), b")"]))
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.op, *self.parts)

    def __getstate__(self) -> None:
        """Return no state. The arguments of ``__new__`` are enough to restore a quantity."""

    @property
    def is_comparison(self) -> bool:
        """True if the values of the quantity are True and False instead of numbers."""
        return self.op in COMPARISONS or self.op in PREDICATES

    @property
    def is_predicate(self) -> bool:
        """True if it is a predicate about a text, or says that two fields are equal."""
        return self.op in PREDICATES

    @property
    def is_derived(self) -> bool:
        """True if a user defined it and gave it a name."""
        return self.op == "derived"

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that it reads, in the order of their first use."""
        found = [part.fields if isinstance(part, Quantity) else (part,) for part in self.parts if isinstance(part, str)]
        return tuple(dict.fromkeys(name for names in found for name in names))

    @cached_property
    def size(self) -> int:
        """Number of names, numbers and operators in its text."""
        if self.is_derived:
            return 1
        return 1 + sum(part.size if isinstance(part, Quantity) else 1 for part in self.parts)

    def of(self, configuration: Configuration) -> Number:
        """Return the value of the quantity in ``configuration``. Raises InputError if a field is missing.

        The value of a comparison is True or False. Any other value is a number: NaN if the quantity is undefined.
        """
        try:
            return self._function(configuration)
        except KeyError as error:
            raise InputError(f"the configuration has no value for the field {error.args[0]!r}") from None

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> list[Number]:
        """Return the value of the quantity for each row. ``columns`` are given by field."""
        found = [columns[name] for name in self.fields]
        names = [f"v{index}" for index in range(len(found))]
        source = f"lambda {', '.join(names)}: {python_source(self, dict(zip(self.fields, names, strict=True)))}"
        return list(map(_compile(source), *found))

    @cached_property
    def _function(self) -> Callable[[Configuration], Number]:
        return _compile(f"lambda c: {python_source(self, {name: f'c[{name!r}]' for name in self.fields})}")

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
    """Return the fields that a quantity reads. If ``field`` is just the name of a field, return only this name."""
    return field.fields if isinstance(field, Quantity) else (field,)


def inner_quantities(field: str) -> Iterator[Quantity]:
    """Yield a quantity and all quantities inside of it; nothing if ``field`` is just the name of a field."""
    if isinstance(field, Quantity):
        yield field
        for part in field.parts:
            yield from inner_quantities(part)


def python_source(part: Part, names: Mapping[str, str]) -> str:
    """Write a part as a Python expression.

    ``names`` maps each field to the source that reads the field. The expression calls functions of
    `rootward.rules.arithmetic`.
    """
    if not isinstance(part, str):
        return number_source(part) if not isinstance(part, bool) else str(part)
    if not isinstance(part, Quantity):
        return f"number({names[part]})"
    if part.is_derived:
        values = ", ".join(names[name] for name in part.fields)
        return f"derived_function({part.parts[1].text!r}, {part.fields!r})({values})"
    if part.is_predicate or part.op == "len":
        return " and ".join(text_sources(part, names)) if part.is_predicate else f"length({names[part.parts[0]]})"
    sources = [python_source(one, names) for one in part.parts]
    if part.is_comparison:
        return f"{sources[0]} {part.op} {sources[1]}"
    if part.op in ("+", "-", "*") and any(type(one) is int and abs(one) <= 2**53 for one in part.parts):
        return f"({sources[0]} {part.op} {sources[1]})"  # with a small integer, Python's operator never raises
    return f"{OPERATIONS[part.op].__name__}({', '.join(sources)})"


def text_sources(quantity: Quantity, names: Mapping[str, str]) -> tuple[str, str]:
    """Write a predicate, or the length of a text, as Python: a condition on the types, and the expression itself."""
    first, *rest = quantity.parts
    value = names[first]
    if quantity.op == "len":
        return f"type({value}) is str", f"len({value})"
    [other] = rest
    return predicate_source(quantity.op, value, names[other] if isinstance(other, str) else other.text)


def _compile(source: str) -> Callable[..., Number]:
    made: Callable[..., Number] = eval(source, {"math": math, "re": re, "derived_function": derived_function, **NAMES})
    return made


def _order(text: str) -> tuple[str, bytes]:
    return text.order if isinstance(text, Quantity) else (text, b"")


def encode_part(part: Part) -> bytes:
    """Return the identity of a part as bytes."""
    return b"q" + part.order[1] if isinstance(part, Quantity) else canonical(part)


# Writing


def name_text(name: str, *, is_operand: bool = False) -> str:
    """Write the name of a field. It is quoted if it could be mistaken for something else.

    ``is_operand``: a number could stand in its place, so that ``inf`` would be ambiguous.
    """
    reserved = RESERVED if is_operand else RESERVED - NUMBER_NAMES
    return name if _NAME.fullmatch(name) and name.lower() not in reserved else quote(name)


def _text(op: str, parts: Sequence[Any]) -> str:
    """Write an expression with as few parentheses as a reader of code needs."""
    if op == "wrap":
        inner, bits, signed = parts
        return f"{'' if signed else 'u'}int{bits}({_part_text(inner)})"
    if op == "len_str":
        return f"len(str({_part_text(parts[0])}))"
    if op == "derived":
        return name_text(parts[0].text, is_operand=True)
    if op in PREDICATES:
        return predicate_text(op, parts, wanted=True)
    if op not in _BINDING:
        return f"{op}({', '.join(map(_part_text, parts))})"
    left, right = parts
    if op == "+" and not isinstance(right, str) and right < 0:
        op, right = "-", -right
    return f"{_operand_text(op, left, 0)} {op} {_operand_text(op, right, 1)}"


def predicate_text(op: str, parts: Sequence[Any], *, wanted: bool) -> str:
    """Write a predicate, or its negation if it is not ``wanted``."""
    field, other = parts
    constant = other.text if isinstance(other, TextConstant) else name_text(other, is_operand=True)
    said = quote(constant) if op in ("any", "contains", "starts", "ends", "folded") else constant
    return f"{name_text(field)} {PREDICATES[op][not wanted]} {said}"


def balanced_text(quantity: Quantity, op: str, constant: int | float) -> str | None:
    """Write the comparison of a difference with a constant so that nothing is subtracted on either side.

    ``size - 3 * width > -6.0`` is ``size + 6 > 3 * width``. Return None if no field is subtracted anyway, if the
    difference contains another constant, or if it is the distance of two fields: ``beam.z - ramp.z <= 1.08``.
    """
    terms = list(_list_terms(quantity, 1))
    plain = all(sign > 0 for sign, _ in terms) or not all(isinstance(part, str) for _, part in terms)
    distance = constant > 0 and len(terms) == 2 and not any(isinstance(part, Quantity) for _, part in terms)
    if plain or distance or not math.isfinite(constant):
        return None
    if isinstance(constant, float) and constant.is_integer() and abs(constant) < 2**53:
        constant = int(constant)
    if constant:
        terms.append((-1 if constant > 0 else 1, abs(constant)))
    left, right = (
        " + ".join(_operand_text("+", part, place > 0) for place, part in enumerate(some)) or "0"
        for some in ([part for sign, part in terms if sign == wanted] for wanted in (1, -1))
    )
    return f"{left} {op} {right}"


def _list_terms(part: Part, sign: int) -> Iterator[tuple[int, Part]]:
    """Yield the terms of a sum, each with its sign."""
    if isinstance(part, Quantity) and part.op in ("+", "-"):
        yield from _list_terms(part.parts[0], sign)
        yield from _list_terms(part.parts[1], sign if part.op == "+" else -sign)
    else:
        yield sign, part


def _operand_text(op: str, part: Part, place: int) -> str:
    """Write an operand, in parentheses if it needs them.

    An operand to the right of an operator of the same level needs them, because arithmetic on floats is not
    associative.
    """
    text = _part_text(part)
    mixed = isinstance(part, Quantity) and part.op in _BINDING and (op in INTEGRAL or part.op in INTEGRAL)
    return f"({text})" if mixed or _binding(part, text, place) < _BINDING[op] + place else text


def _part_text(part: Part) -> str:
    if isinstance(part, Quantity):
        return str(part)
    return name_text(part, is_operand=True) if isinstance(part, str) else constant_text(part)


def _binding(part: Part, text: str, place: int) -> int:
    """Return the binding level of a part: the higher, the tighter."""
    if isinstance(part, Quantity):
        return _BINDING.get(part.op, _TIGHT)
    if isinstance(part, str):
        return _TIGHT
    sums, products = re.search(r" [+-] ", text), re.search(r" [*/] ", text)
    return _BINDING["+"] if sums or (place and text[0] == "-") else _BINDING["*"] if products else _TIGHT


# Checking


def _check(op: str, parts: tuple[Any, ...]) -> None:
    if op == "derived":
        _check_derived(parts)
        return
    if op not in OPERATIONS and op not in COMPARISONS and op not in PREDICATES:
        known = (*OPERATIONS, *COMPARISONS, *PREDICATES)
        raise InputError(f"unknown operator {op!r} of a quantity: expected one of {' '.join(known)}")
    wanted = _PARTS.get(op, 2)
    if len(parts) != wanted and not (op in ("min", "max") and len(parts) > wanted):
        raise InputError(f"{op} takes {wanted} part{'s' * (wanted > 1)}, got {len(parts)}")
    if op in PREDICATES:
        _check_predicate(op, parts)
        return
    for part in parts[:1] if op == "wrap" else parts:
        if isinstance(part, bool) or not isinstance(part, str | int | float):
            raise InputError(f"a part of a quantity must be a field, a number or a quantity, got {part!r}")
        if isinstance(part, Quantity) and (part.is_comparison or part.is_derived):
            what = "derived" if part.is_derived else "a comparison, not a number"
            raise InputError(f"{part} is {what}: it cannot be a part of a quantity")
    if op == "wrap" and not (_is_integer(parts[1]) and 1 <= parts[1] <= MAX_BITS and isinstance(parts[2], bool)):
        raise InputError(
            f"wrap takes an expression, a number of bits from 1 to {MAX_BITS}, and True (signed) or False, got "
            f"{parts[1:]!r}"
        )
    if op == "%" and not (isinstance(parts[1], str) or (_is_integer(parts[1]) and parts[1] > 0)):
        raise InputError(f"% takes a field or a positive integer on its right, got {parts[1]!r}: use rem for others")


def _check_derived(parts: tuple[Any, ...]) -> None:
    named = len(parts) > 2 and all(isinstance(part, TextConstant) for part in parts[:2])
    if not named or not all(isinstance(part, str) and not isinstance(part, Quantity) for part in parts[2:]):
        raise InputError(f"a derived quantity has a name, a definition and fields, got {parts!r}")


def _check_predicate(op: str, parts: tuple[Any, ...]) -> None:
    field, other = parts
    if not isinstance(field, str) or isinstance(field, Quantity):
        raise InputError(f"{op} is about a field, got {field!r}")
    if op == "same":
        if not isinstance(other, str) or isinstance(other, Quantity):
            raise InputError(f"same compares two fields, got {other!r}")
    elif not isinstance(other, TextConstant):
        raise InputError(f"{op} needs a TextConstant, got {other!r}")
    elif not other.text:
        raise InputError(f"{op} needs a text that is not empty")
    elif op in NAMED and other.text not in NAMED[op]:
        raise InputError(f"{op} {other.text!r}: expected one of {', '.join(NAMED[op])}")
    elif op in SETS:
        set_pattern(other.text)  # raises if it is not a set
    elif op == "later":
        order_pattern(other.text)  # raises if it is not an order


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
