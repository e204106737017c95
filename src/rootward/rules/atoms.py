"""Atoms and conjunctions: what one comparison means, for every value a subject can be given.

An engineer reads ``x = 0`` as code reads ``x == 0``, but Python's ``==`` says that ``True == 1`` and that NaN is not
itself. So: ``=`` means *the same value* (a bool is no number, 1 is 1.0, NaN is NaN, ``= 0`` holds for both zeros and
``= -0.0`` for the negative one alone), ``!=`` is its exact negation, and the orderings are those of IEEE 754 for
numbers and of code points for text: whatever is not of the constant's kind fails every ordering, and nothing raises.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from operator import ge, gt, le, lt
from typing import Any

from rootward.errors import InputError
from rootward.keys import canonical
from rootward.plain import scalar
from rootward.rules.quantity import Quantity, fields_of, is_comparison

Configuration = Mapping[str, Any]

ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
OPERATORS = ("=", "!=", *ORDERINGS)

_KINDS = {bool: "bool", int: "number", float: "number", str: "text"}


def kind(value: object) -> str:
    """``bool``, ``number``, ``text`` or ``other``: only values of one kind can be the same or be ordered."""
    if found := _KINDS.get(type(value)):
        return found
    if isinstance(value, enum.Enum):
        return "other"
    return next((name for base, name in _KINDS.items() if isinstance(value, base)), "other")


def is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def is_negative_zero(value: object) -> bool:
    return isinstance(value, float) and value == 0 and math.copysign(1, value) < 0


def same(value: Any, constant: Any) -> bool:
    """Whether ``value = constant`` holds; not symmetric in the sign of zero, for which see the module."""
    if (of := kind(constant)) != kind(value):
        return False
    if of == "number":
        if constant == 0:
            return value == 0 and (not is_negative_zero(constant) or is_negative_zero(value))
        return bool(value == constant) or (is_nan(constant) and is_nan(value))
    return bool(value == constant) if of != "other" else canonical(value) == canonical(constant)


def value_order(value: Any) -> tuple[Any, ...]:
    """A total order of values of all kinds, numbers and text in their own order, the same in every process."""
    encoded = canonical(value)
    match kind(value):
        case "bool":
            return 1, value, encoded
        case "number":
            return (3, 0, encoded) if is_nan(value) else (2, value, not is_negative_zero(value), encoded)
        case "text":
            return 4, value, encoded
    return (0 if value is None else 5), encoded


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """One comparison of a field or a quantity with a constant. Equal atoms have constants equal in type and value."""

    field: str
    op: str
    value: Any
    order: tuple[Any, ...] = dataclasses.field(init=False, repr=False)  # a sort key, and the identity

    def __post_init__(self) -> None:
        if not isinstance(self.field, str):
            raise InputError(f"an atom needs the name of a field: expected text, not {self.field!r}")
        if self.op not in OPERATORS:
            raise InputError(f"{self.field} {self.op!r} ...: expected one of {' '.join(OPERATORS)}")
        object.__setattr__(self, "value", scalar(self.value))
        if self.op in ORDERINGS and kind(self.value) not in ("number", "text"):
            raise InputError(f"{self.field} {self.op} {self.value!r}: an ordering needs a number or text")
        if isinstance(self.field, Quantity) and kind(self.value) != ("bool" if is_comparison(self.field) else "number"):
            wanted = "True or False" if is_comparison(self.field) else "a number"
            raise InputError(f"({self.field}) {self.op} {self.value!r}: expected {wanted}")
        object.__setattr__(self, "order", (self.field, OPERATORS.index(self.op), value_order(self.value)))

    def holds(self, configuration: Configuration) -> bool:
        """Whether the field's value in ``configuration`` fits; InputError if the field is missing."""
        if isinstance(self.field, Quantity):
            return self.accepts(self.field.of(configuration))
        try:
            value = configuration[self.field]
        except KeyError:
            raise InputError(f"the configuration has no field {self.field!r}: expected a value for it") from None
        return self.accepts(value)

    def accepts(self, value: Any) -> bool:
        """Whether the comparison holds for ``value``."""
        value = scalar(value)
        if compare := ORDERINGS.get(self.op):
            return kind(value) == kind(self.value) and compare(value, self.value)
        return same(value, self.value) == (self.op == "=")

    def __eq__(self, other: object) -> bool:
        return self.order == other.order if isinstance(other, Atom) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.order)

    def __lt__(self, other: Atom) -> bool:
        return self.order < other.order

    def __str__(self) -> str:
        from rootward.rules.text import literal_text

        return literal_text(self.field, (Conjunction((self,)),))


class Conjunction(frozenset[Atom]):
    """A frozen set of atoms that all have to hold; the empty one always does."""

    def __new__(cls, atoms: Iterable[Atom] = ()) -> Conjunction:
        made = super().__new__(cls, atoms)
        strangers: list[Any] = [atom for atom in frozenset.__iter__(made) if type(atom) is not Atom]
        if strangers:
            raise InputError(f"a conjunction is made of atoms, not of {strangers[0]!r}")
        return made

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """The atoms in an order that is the same in every process."""
        return tuple(sorted(frozenset.__iter__(self)))

    @cached_property
    def order(self) -> tuple[Any, ...]:
        """A sort key."""
        return tuple(atom.order for atom in self.atoms)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the atoms read."""
        return tuple(dict.fromkeys(name for atom in self.atoms for name in fields_of(atom.field)))

    def holds(self, configuration: Configuration) -> bool:
        """Whether all atoms hold; InputError if one of their fields is missing."""
        return all(atom.holds(configuration) for atom in self.atoms)

    def contradictory(self, space: Any = None) -> bool:
        """Whether no configuration (of the space) can fulfil it."""
        from rootward.rules.rule import Rule

        return not Rule([self]).satisfiable(space)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.atoms)

    def __and__(self, other: Any) -> Conjunction:
        """The atoms that both have, as for any set: what two causes share."""
        return Conjunction(super().__and__(other))

    def __or__(self, other: Any) -> Conjunction:
        """The atoms of either, as for any set: it holds where both hold."""
        return Conjunction(super().__or__(other))

    def __str__(self) -> str:
        from rootward.rules.rule import Rule

        return str(Rule([self]))

    def __repr__(self) -> str:
        return f"Conjunction({list(self.atoms)!r})"
