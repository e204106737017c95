"""Atoms: single comparisons, defined for every value that a subject can be given.

``=`` means *the same value*, in the sense of `rootward.rules.constants`, and ``!=`` is its exact negation. The
orderings are those of IEEE 754 for numbers and of code points for text: for a value of another kind than the
constant, no ordering holds, and nothing raises.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.rules.constants import kind, same, value_order
from rootward.rules.quantity import Quantity, is_comparison
from rootward.rules.text import literal_text
from rootward.space.values import scalar

if TYPE_CHECKING:
    from rootward.space.candidate import Configuration

ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
OPERATORS = ("=", "!=", *ORDERINGS)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """One comparison of a field or a quantity with a constant.

    Two atoms are equal only if their constants are equal in type and value.
    """

    field: str
    op: str
    value: Any
    order: tuple[Any, ...] = dataclasses.field(init=False, repr=False)  # a sort key, and the identity

    def __post_init__(self) -> None:
        if not isinstance(self.field, str):
            raise InputError(f"an atom needs the name of a field: expected text, got {self.field!r}")
        if self.op not in OPERATORS:
            raise InputError(f"unknown comparison {self.op!r} of {self.field}: expected one of {' '.join(OPERATORS)}")
        object.__setattr__(self, "value", scalar(self.value))
        if self.op in ORDERINGS and kind(self.value) not in ("number", "text"):
            raise InputError(f"{self.field} {self.op} {self.value!r}: an ordering needs a number or text")
        of_kind = "bool" if is_comparison(self.field) else "number"
        if isinstance(self.field, Quantity) and not self.field.is_derived and kind(self.value) != of_kind:
            wanted = "True or False" if is_comparison(self.field) else "a number"
            raise InputError(f"({self.field}) {self.op} {self.value!r}: expected {wanted}")
        object.__setattr__(self, "order", (self.field, OPERATORS.index(self.op), value_order(self.value)))

    def holds(self, configuration: Configuration) -> bool:
        """Return True if the comparison holds in ``configuration``. Raises InputError if the field is missing."""
        if isinstance(self.field, Quantity):
            return self.accepts(self.field.of(configuration))
        try:
            value = configuration[self.field]
        except KeyError:
            raise InputError(f"the configuration has no value for the field {self.field!r}") from None
        return self.accepts(value)

    def accepts(self, value: Any) -> bool:
        """Return True if the comparison holds for ``value``."""
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
        return literal_text(self.field, [[(self.op, self.value)]])
