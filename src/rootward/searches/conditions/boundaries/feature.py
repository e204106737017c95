"""Features: the expressions that code compares with a constant, as one number for every point.

A feature is a small formula over fields, such as ``x * y`` or ``x - k * y``. Formulas are written once, in Python, over
the letters a, b, c; they are compiled for speed, and become a `Quantity` when the rule is told. A feature that is a
difference tells, compared with zero, which of two expressions is larger.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import least, most
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.simplicity import price, simplest
from rootward.searches.conditions.boundaries.tuning import TUNING

if TYPE_CHECKING:
    from rootward.searches.conditions.boundaries.axis import Bracket

Point = tuple[Any, ...]
NAN = math.nan


def _trunc(value: float) -> float:
    return math.trunc(value) if math.isfinite(value) else NAN


def _ratio(one: float, other: float) -> float:
    return one / other if other else NAN


def _minus(one: float, other: float) -> float:
    """The difference; of two that are the same, infinities too, zero."""
    return 0 if one == other else one - other


def _wrap(value: int, bits: int) -> int:
    half = 1 << bits - 1
    return (value + half) % (1 << bits) - half


_NAMES = {"trunc": _trunc, "ratio": _ratio, "minus": _minus, "wrap": _wrap, "abs": abs, "min": least, "max": most}


def _parsed(formula: str) -> ast.Expression:
    """Python before 3.11.8 stumbles if garbage is collected meanwhile and another thread gets a turn: once more."""
    try:
        return ast.parse(formula, mode="eval")
    except SystemError:
        return ast.parse(formula, mode="eval")


@lru_cache(maxsize=4096)
def _compiled(formula: str) -> Callable[..., Callable[[Point], Any]]:
    """From the indices of its fields to the formula as a function of a point: compiled once, for whatever fields."""
    body = ast.unparse(_Subscripted().visit(_parsed(formula)))
    made: Callable[..., Callable[[Point], Any]] = eval(
        f"lambda a, b=0, c=0: lambda p: {body}", {**_NAMES, "__builtins__": {}}
    )
    return made


class _Subscripted(ast.NodeTransformer):
    """Each letter becomes the point's value at the index of that name."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return node if len(node.id) > 1 else ast.Subscript(ast.Name("p", ast.Load()), node, ast.Load())


def blur(*sizes: float) -> float:
    """How far rounding can shift a comparison of sums of such numbers."""
    return max((4 * math.ulp(one) for one in map(float, sizes) if math.isfinite(one)), default=0.0)


class Feature:
    """A formula over the fields at ``indices``; ``price``: the bits that it takes to name it."""

    def __init__(self, formula: str, indices: Sequence[int], price: float, most: float = math.inf) -> None:
        """``most``: the bits of evidence that one bracket can be, for a feature that comes back again and again."""
        self.formula, self.indices, self.price = formula, tuple(indices), price
        self.most = self.usual = most
        self._function = _compiled(formula)(*self.indices)
        self._values: list[Any] = []
        self._spans: list[tuple[int, Any, Any]] = []
        self._spanned = 0
        self.reached: tuple[float, int, float] = (0.0, 0, 0.0)
        """What a cut of it gained at best, among how many brackets, and ``most`` then."""

    @property
    def identity(self) -> tuple[str, tuple[int, ...]]:
        return self.formula, self.indices

    def value(self, point: Point) -> Any:
        """The feature at a point; NaN where it has none."""
        try:
            return self._function(point)
        except (OverflowError, ValueError, TypeError):
            return NAN

    def exact(self, point: Point) -> bool:
        """Whether nothing is rounded on the way to the value."""
        try:
            numbers = list(point)
            for i in self.indices:
                numbers[i] = Fraction(point[i]) if isinstance(point[i], float) else point[i]
            return bool(self._function(tuple(numbers)) == self._function(point))
        except (OverflowError, ValueError, TypeError):
            return False

    def values(self, points: Sequence[Point]) -> list[Any]:
        """The feature at each of a growing list of points."""
        known = self._values
        while len(known) < len(points):
            known.append(self.value(points[len(known)]))
        return known

    def spans(self, brackets: Sequence[Bracket], points: Sequence[Point]) -> list[tuple[int, Any, Any]]:
        """For each of a growing list of brackets that it can explain: its number, and the values at both points."""
        while self._spanned < len(brackets):
            one = brackets[self._spanned]
            if one.ordered:
                values = self.values(points)
                low, high = sorted((values[one.one], values[one.other]))
                if one.exact and self.difference:
                    low, high = self._unrounded(low, high, points[one.one])
                if low < high:
                    self._spans.append((self._spanned, low, high))
            self._spanned += 1
        return self._spans

    def _unrounded(self, low: Any, high: Any, point: Point) -> tuple[Any, Any]:
        """The same interval, or a wider one if rounding would hide a simple constant: ``y - 2 * x`` beside 10."""
        if low <= 0 <= high or not isinstance(low, float) or not low < high:
            return low, high
        slack = blur(*self.parts(point))
        wide = low - slack, high + slack
        hidden = price(simplest(*wide)) < TUNING.max_constant_bits < price(simplest(low, high))
        return wide if hidden else (low, high)

    def parts(self, point: Point) -> tuple[Any, Any]:
        """Of a difference: both sides at a point."""
        try:
            return self._parts(point)
        except (OverflowError, ValueError, TypeError):
            return NAN, NAN

    @cached_property
    def _parts(self) -> Callable[[Point], tuple[Any, Any]]:
        assert isinstance(self.tree, ast.Call)
        return _compiled(f"({', '.join(map(ast.unparse, self.tree.args))})")(*self.indices)

    @cached_property
    def tree(self) -> ast.expr:
        return _parsed(self.formula).body

    @cached_property
    def periodic(self) -> bool:
        """Whether it comes back again and again: a remainder or a bit."""
        return isinstance(self.tree, ast.BinOp) and isinstance(self.tree.op, ast.Mod | ast.BitAnd)

    @property
    def total(self) -> bool:
        """Whether finite numbers always have a value."""
        return "ratio" not in self.formula

    @cached_property
    def difference(self) -> bool:
        return _called(self.tree) == "minus"

    def quantity(self, names: Sequence[str]) -> str:
        """What stands in an atom: a field's name, or a quantity of fields."""
        found = _quantity(self.tree, [names[i] for i in self.indices])
        assert isinstance(found, str)
        return found

    def sides(self, names: Sequence[str]) -> tuple[Any, Any]:
        """Of a difference: what is compared with what."""
        assert isinstance(self.tree, ast.Call)
        chosen = [names[i] for i in self.indices]
        return _quantity(self.tree.args[0], chosen), _quantity(self.tree.args[1], chosen)

    def distance(self, names: Sequence[str]) -> tuple[Any, Any] | None:
        """Of an absolute value: the two that are equal where it is zero."""
        chosen = [names[i] for i in self.indices]
        match self.tree:
            case ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]):
                return _quantity(left, chosen), _quantity(right, chosen)
            case ast.Call(func=ast.Name(id="abs"), args=[ast.Name() as alone]):
                return _quantity(alone, chosen), 0
        return None

    def __repr__(self) -> str:
        return f"<{self.formula} of {self.indices}>"


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.BitAnd: "&"}
_CALLS = {"trunc": "int", "ratio": "/", "minus": "-"}


def _called(node: ast.expr) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _quantity(node: ast.expr, names: Sequence[str]) -> Any:
    match node:
        case ast.Name(id=letter):
            return names[ord(letter) - ord("a")]
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return -value  # type: ignore[operator]
        case ast.BinOp(left=left, op=op, right=right):
            return Quantity(_OPERATORS[type(op)], _quantity(left, names), _quantity(right, names))
        case ast.Call(args=arguments):
            name = _called(node) or ""
            parts = [_quantity(one, names) for one in arguments]
            return Quantity(_CALLS.get(name, name), *parts, *([True] if name == "wrap" else []))
    raise AssertionError(ast.dump(node))
