"""Derived quantities: what a user computes from fields and gives a name, such as ``area = width * height``.

A condition can use a derived quantity like a field, but a search never varies it: it follows from the fields. It is a
`Quantity` with the operator ``derived``. Its parts are its name, its definition (an expression, or the reference of
a function, see `rootward.rules.expressions`) and the fields that it reads. A rule shows only its name.

``expand`` writes a definition with the other operators of quantities, if they suffice. Exports to languages that cannot
evaluate Python use that, and so does the algebra, to know whether the quantity is an integer.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.rules.expressions import (
    explain_undefined,
    expression_tree,
    fields_in,
    is_reference,
    remember_function,
)
from rootward.rules.predicates import TextConstant
from rootward.rules.quantity import Quantity

if TYPE_CHECKING:
    from rootward.space.space import Space

Definition = str | Callable[..., Any]
"""An expression over fields, or a function whose parameters are named like fields."""

MAX_DRAWN = 100
"""Number of random inputs without a value after which a derived quantity is taken for one that has none."""
_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_CALLS = ("abs", "min", "max", "int", "len")


def derive(space: Space, definitions: Mapping[str, Definition]) -> tuple[Quantity, ...]:
    """Return the derived quantities of a space. Raises InputError if a definition does not fit the space."""
    return tuple(_derive_one(space, name, said) for name, said in definitions.items())


def check_defined(space: Space, quantities: Iterable[Quantity], examples: Sequence[Mapping[str, Any]] = ()) -> None:
    """Raise InputError for a derived quantity that has a value neither for an example nor for any random input."""
    import numpy as np

    rng = np.random.default_rng(0)
    for quantity in quantities:
        given = [one for one in examples if all(name in one for name in quantity.fields)]
        drawn = (space.sample(rng) for _ in range(MAX_DRAWN))
        if not any(is_defined(quantity, one) for one in chain(given, drawn)):
            example = given[0] if given else space.sample(rng)
            values = [example[name] for name in quantity.fields]
            why = explain_undefined(definition_of(quantity), quantity.fields, values)
            shown = ", ".join(f"{name} = {value!r:.40}" for name, value in zip(quantity.fields, values, strict=True))
            raise InputError(f"the derived quantity {quantity} has no value for any input: with {shown}, {why}")


def is_defined(quantity: Quantity, configuration: Mapping[str, Any]) -> bool:
    """Return True if a quantity has a value, which is not NaN."""
    value = quantity.of(configuration)
    return bool(value == value)


def _derive_one(space: Space, name: str, said: Definition) -> Quantity:
    if not name:
        raise InputError("a derived quantity needs a name")
    if name in space:
        raise InputError(f"the derived quantity {name!r} has the name of a field: give it another name")
    if isinstance(said, str):
        source, fields = said, fields_in(said, space.names)
    elif callable(said):
        source, fields = remember_function(said, space.names)
    else:
        raise InputError(f"{name} = {said!r}: expected an expression such as 'width * height', or a function")
    return Quantity("derived", TextConstant(name), TextConstant(source), *fields)


def definition_of(quantity: Quantity) -> str:
    """Return the expression, or the reference of the function, that defines a derived quantity."""
    source: str = quantity.parts[1].text
    return source


@lru_cache(maxsize=256)
def expand(quantity: Quantity) -> Quantity | None:
    """Return an equivalent quantity that is not derived. Return None if the operators of quantities do not suffice."""
    source, fields = definition_of(quantity), quantity.fields
    if is_reference(source):
        return None
    tree, names = expression_tree(source, fields)
    try:
        found = _expand(tree, names)
    except (InputError, _NotExpressible):
        return None
    return found if isinstance(found, Quantity) else None


def expand_or_refuse(quantity: Quantity, language: str) -> Quantity:
    """Return an equivalent quantity that is not derived. Raises InputError if there is none."""
    plain = expand(quantity)
    if plain is None:
        raise InputError(
            f"{quantity} ({definition_of(quantity)}) cannot be written in {language}: expected arithmetic on fields"
        )
    return plain


class _NotExpressible(Exception):
    pass


def _expand(node: ast.expr, names: Mapping[str, str]) -> Any:
    match node:
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Constant(value=bool() | str()):
            raise _NotExpressible
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Quantity("-", 0, _expand(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return Quantity(_BINARY[type(op)], _expand(left, names), _expand(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _CALLS:
            return Quantity(name, *(_expand(one, names) for one in arguments))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _expand_comparison(left, op, right, names)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr=("startswith" | "endswith") as method),
            args=[ast.Constant(value=str() as part)],
        ) if name in names:
            return Quantity(method.removesuffix("with"), names[name], TextConstant(part))
    raise _NotExpressible


def _expand_comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, names: Mapping[str, str]) -> Quantity:
    match left, op, right:
        case ast.Constant(value=str() as part), ast.In(), ast.Name(id=name) if name in names:
            return Quantity("contains", names[name], TextConstant(part))
    if type(op) not in _COMPARISONS:
        raise _NotExpressible
    return Quantity(_COMPARISONS[type(op)], _expand(left, names), _expand(right, names))
