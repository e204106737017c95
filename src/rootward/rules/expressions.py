"""Expressions that a user writes over fields, such as ``width * height``: checked, evaluated, and written as Python.

An expression is Python, but only the part of it that is listed here: arithmetic, comparisons, a few functions and
methods of texts. Anything else is refused before it is evaluated, so an expression can read nothing but the fields. A
field whose name is not an identifier is written as it is named, if that is Python: ``wheels[0].speed``.

Instead of an expression, a function can be given. It is called with the values of the fields that its parameters name.
A function is referred to as ``module:name``. Functions that were given as objects are remembered under this reference;
others are looked up among the imported modules, because reading a rule must not import code.

An expression that raises, or whose value is not a number, a text or a bool, is undefined: its value is NaN.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from functools import lru_cache
from operator import attrgetter
from typing import Any

from rootward.errors import InputError
from rootward.space.values import scalar

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    one.__name__: one for one in (len, abs, min, max, round, math.floor, math.ceil, int, float, str)
}
"""The functions that an expression may call."""
METHODS = ("startswith", "endswith", "lower", "upper", "strip")
"""The methods of a text that an expression may call."""
MAX_EXPONENT = 64
"""Maximum exponent of a power and maximum length of a shift, which must be constants: others could fill the memory."""
_NODES = (
    *(ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Constant, ast.Name, ast.Tuple),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Load, ast.Attribute),
)
_REFERENCE = re.compile(r"[\w.]+:[\w.<>]+( line \d+)?")
_PLACEHOLDER = "field_{}"

_known_functions: dict[str, Callable[..., Any]] = {}


def is_reference(source: str) -> bool:
    """Return True if the source refers to a function instead of being an expression."""
    return _REFERENCE.fullmatch(source) is not None


def remember_function(function: Callable[..., Any], fields: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return the reference of a function, and the fields that its parameters name."""
    name = getattr(function, "__qualname__", "")
    if not name:
        raise InputError(f"{function!r} has no name: give a function")
    reference = f"{function.__module__}:{name}"
    if "<" in name:
        code = getattr(function, "__code__", None)
        reference += f" line {code.co_firstlineno}" if code is not None else ""
    wanted = tuple(inspect.signature(function).parameters)
    if unknown := [one for one in wanted if one not in fields]:
        raise InputError(f"the parameter {unknown[0]!r} of {name} is not a field: expected some of {', '.join(fields)}")
    if not wanted:
        raise InputError(f"{name} has no parameters: they must be named like the fields that it reads")
    _known_functions[reference] = function
    return reference, wanted


def fields_in(source: str, fields: Collection[str]) -> tuple[str, ...]:
    """Return the fields that an expression reads. Raises InputError if it is not an expression over these fields."""
    return _parse(source, tuple(fields))[1]


def inline_source(source: str, names: Mapping[str, str]) -> str:
    """Write an expression as Python. ``names`` maps each field to the source that reads it."""
    known, fields = _parse(source, tuple(names))
    tree = deepcopy(known)
    for name, function in FUNCTIONS.items():
        if function.__module__ == "math":
            tree = _Substitution(name, f"math.{name}").visit(tree)
    for index, field in enumerate(fields):
        tree = _Substitution(_PLACEHOLDER.format(index), names[field]).visit(tree)
    return ast.unparse(tree)


def expression_tree(source: str, fields: Sequence[str]) -> tuple[ast.expr, dict[str, str]]:
    """Return the syntax tree of an expression, and the field that each of its names stands for."""
    tree, found = _parse(source, tuple(fields))
    return tree.body, {_PLACEHOLDER.format(index): field for index, field in enumerate(found)}


@lru_cache(maxsize=256)
def derived_function(source: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    """Return the function that computes an expression, or a referenced function, from the values of ``fields``."""
    function = _definition(source, fields)

    def compute(*values: Any) -> Any:
        try:
            found = scalar(function(*values))
        except Exception:  # a function of the user may raise anything
            return math.nan
        return found if isinstance(found, bool | int | float | str) else math.nan

    return compute


def explain_undefined(source: str, fields: tuple[str, ...], values: Sequence[Any]) -> str:
    """Say why an expression, or a referenced function, has no value for these values of ``fields``."""
    try:
        found = _definition(source, fields)(*values)
    except Exception as error:
        return f"it raises {type(error).__name__}: {error}"
    return f"its value is {found!r:.80}"


def _definition(source: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    return _resolve(source) if is_reference(source) else _compile(source, fields)


def _resolve(reference: str) -> Callable[..., Any]:
    if reference in _known_functions:
        return _known_functions[reference]
    module, _, name = reference.partition(":")
    try:
        found: Callable[..., Any] = attrgetter(name)(sys.modules[module])
    except (KeyError, AttributeError):
        raise InputError(f"{reference} is not known here: import {module} first") from None
    return found


def _compile(source: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    tree, found = _parse(source, fields)
    places = {field: _PLACEHOLDER.format(index) for index, field in enumerate(found)}
    arguments = ", ".join(places.get(field, f"unused_{index}") for index, field in enumerate(fields))
    made: Callable[..., Any] = eval(f"lambda {arguments}: {ast.unparse(tree)}", {"__builtins__": {}, **FUNCTIONS})
    return made


@lru_cache(maxsize=256)
def _parse(source: str, fields: tuple[str, ...]) -> tuple[ast.Expression, tuple[str, ...]]:
    """Return the tree of an expression, with a placeholder for each field, and the fields in order of first use."""
    tree = _read(source)
    names = _FieldNames(fields)
    tree = names.visit(tree)
    places = {_PLACEHOLDER.format(index) for index in range(len(names.found))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS and node.id not in places:
            near = get_close_matches(node.id, fields, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise InputError(f"{source!r}: unknown field {node.id!r}{hint}")
        _check(node, source, names.found)
    if not names.found:
        raise InputError(f"{source!r} reads no field")
    return tree, tuple(names.found)


def _read(source: str) -> ast.Expression:
    """Parse an expression. Before Python 3.11.8, parsing may fail if garbage is collected meanwhile: then try again."""
    for last in (False, True):
        try:
            return ast.parse(source.strip(), mode="eval")
        except SystemError:
            if last:
                raise
        except (SyntaxError, ValueError) as error:
            raise InputError(f"{source!r} is not an expression: {error}") from None
    raise AssertionError


class _FieldNames(ast.NodeTransformer):
    """Replaces each field by a placeholder."""

    def __init__(self, fields: Collection[str]) -> None:
        self.fields = frozenset(fields)
        self.found: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and (name := ast.unparse(node)) in self.fields:
            if name not in self.found:
                self.found.append(name)
            return ast.Name(_PLACEHOLDER.format(self.found.index(name)), ast.Load())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            node.args = [self.visit(one) for one in node.args]
            return node
        return self.generic_visit(node)


class _Substitution(ast.NodeTransformer):
    """Replaces a name by an expression."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _read(self.source).body if node.id == self.name else node


def _check(node: ast.AST, source: str, fields: Sequence[str]) -> None:
    """Raise InputError if an expression must not contain this node."""
    allowed = isinstance(node, _NODES)
    if isinstance(node, ast.Call):
        is_function = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in METHODS
        allowed = (is_function or is_method) and not node.keywords
    if isinstance(node, ast.Attribute):
        allowed = node.attr in METHODS
    if isinstance(node, ast.Constant):
        allowed = isinstance(node.value, bool | int | float | str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift | ast.MatMult):
        right = node.right.value if isinstance(node.right, ast.Constant) else None
        if isinstance(node.op, ast.MatMult) or not (isinstance(right, int) and 0 <= right <= MAX_EXPONENT):
            raise InputError(f"{source!r}: the right side of ** and << must be an integer from 0 to {MAX_EXPONENT}")
    if not allowed:
        shown = ast.unparse(node)
        for index, field in enumerate(fields):
            shown = shown.replace(_PLACEHOLDER.format(index), field)
        raise InputError(
            f"{source!r}: {shown} is not allowed: use arithmetic, comparisons, in, "
            f"{', '.join(FUNCTIONS)}, and the methods {', '.join(METHODS)}; for anything else, give a function"
        )
