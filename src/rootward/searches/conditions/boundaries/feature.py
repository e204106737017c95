"""Features: expressions that code may compare with a constant, such as ``x * y`` or ``x - k * y``.

A feature maps every point to one number, or to NaN where it has no value. Its formula is Python over the letters a
to d, which stand for fields. Formulas are compiled for speed, and become a `Quantity` when the rule is worded. A
difference is written ``minus(a, b)``; comparing it with zero tells which of two expressions is larger.

Each feature has a ``price``: the bits that it takes to name it, so that simpler explanations win (cut.py). It remembers
its values at all points and the intervals that it spans in all brackets, because both lists only grow during a search.

Rounding matters: ``y > 2 * x + 10`` and ``y - 2 * x > 10`` differ for some floats. So an interval is widened if that
reveals a simple constant (``_widen_for_rounding``), and ``exact`` says whether a value was computed without rounding.

To add an expression, add its formula to library.py. A new function in formulas must also be added to ``_NAMES``, and to
``_CALLS`` if quantities call it differently.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from rootward.rules.arithmetic import decimal_length, least, mod, most
from rootward.rules.quantity import Quantity
from rootward.searches.conditions.boundaries.simplicity import find_simplest, has_simple_number, price
from rootward.searches.conditions.boundaries.tuning import TUNING

if TYPE_CHECKING:
    from rootward.searches.conditions.boundaries.axis import Bracket

Point = tuple[Any, ...]
NAN = math.nan
ROUNDING = 8 * sys.float_info.epsilon
"""Share of its value by which rounding can change a product of a few numbers."""


def _trunc(value: float) -> float:
    return math.trunc(value) if math.isfinite(value) else NAN


def _ratio(one: float, other: float) -> float:
    return one / other if other else NAN


def _minus(one: float, other: float) -> float:
    """Return the difference; it is 0 for equal numbers, including infinities."""
    return 0 if one == other else one - other


def _wrap(value: int, bits: int) -> int:
    half = 1 << bits - 1
    return (value + half) % (1 << bits) - half


_NAMES = {
    "trunc": _trunc,
    "ratio": _ratio,
    "minus": _minus,
    "wrap": _wrap,
    "mod": mod,
    "abs": abs,
    "min": least,
    "max": most,
    "length": decimal_length,
    "size": len,
}


def _parse(formula: str) -> ast.Expression:
    """Parse a formula. Before Python 3.11.8, parsing may fail if garbage is collected meanwhile: then try again."""
    try:
        return ast.parse(formula, mode="eval")
    except SystemError:
        return ast.parse(formula, mode="eval")


@lru_cache(maxsize=4096)
def _tree(formula: str) -> ast.expr:
    return _parse(formula).body


@lru_cache(maxsize=4096)
def _compile(formula: str) -> Callable[..., Callable[[Point], Any]]:
    """Compile a formula, once for all fields.

    The result is a function that takes field indices and returns a function of a point.
    """
    body = ast.unparse(_SubscriptLetters().visit(_parse(formula)))
    made: Callable[..., Callable[[Point], Any]] = eval(
        f"lambda a, b=0, c=0, d=0: lambda p: {body}", {**_NAMES, "__builtins__": {}}
    )
    return made


class _SubscriptLetters(ast.NodeTransformer):
    """Replaces each letter, such as ``a``, by ``p[a]``: the value of the point ``p`` in the field with index ``a``."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return node if len(node.id) > 1 else ast.Subscript(ast.Name("p", ast.Load()), node, ast.Load())


def blur(*sizes: float) -> float:
    """Return the largest shift that rounding can cause in a comparison of sums of numbers of these sizes."""
    return max((4 * math.ulp(one) for one in map(float, sizes) if math.isfinite(one)), default=0.0)


class Feature:
    """A formula over the fields at ``indices``. ``price`` is the number of bits needed to name the feature."""

    def __init__(
        self,
        formula: str,
        indices: Sequence[int],
        price: float,
        max_evidence: float = math.inf,
        bits: float | None = None,
        max_constant_bits: float = math.inf,
        tolerance: float = 0.0,
    ) -> None:
        """Create the feature. ``max_evidence`` is the maximum number of bits of evidence from one bracket.

        Periodic features need this limit because they explain many brackets by chance. ``bits`` is the part of the
        price for the formula alone, without the fields. ``max_constant_bits`` is the maximum price of a constant: it
        takes no more than 8 bits to say which of 256 values is meant. ``tolerance`` is the share of its value by which
        the boundary of a product may be off, because of rounding or because it is not quite sharp.
        """
        self.formula, self.indices, self.price = formula, tuple(indices), price
        self.letters = self.indices
        """The fields that the letters stand for; those in ``indices`` have an order, and boundaries along them."""
        self.bits = price if bits is None else bits
        self.max_evidence = self.default_max_evidence = max_evidence
        self.max_constant_bits, self.tolerance = max_constant_bits, tolerance
        self._function = _compile(formula)(*self.indices)
        self._values: list[Any] = []
        self.spans: dict[int, tuple[Any, Any]] = {}
        """The interval of each bracket that the feature can explain."""
        self._spanned = 0

    @cached_property
    def has_several_fields(self) -> bool:
        return len({*self.letters, *self.indices}) > 1

    @cached_property
    def is_extreme(self) -> bool:
        return _function_name(self.tree) in ("min", "max")

    @cached_property
    def is_absolute(self) -> bool:
        return _function_name(self.tree) == "abs"

    @property
    def fits_lists(self) -> bool:
        """True if the formula, of several fields, would explain a mere list of values of one of them by chance.

        A remainder does not, because the evidence of each bracket for it is limited.
        """
        return self.has_several_fields and math.isinf(self.default_max_evidence)

    @property
    def is_contrived(self) -> bool:
        """True if the formula combines several fields in a way that needs strong evidence."""
        return self.has_several_fields and self.bits > TUNING.contrived_bits

    @cached_property
    def min_unmoved_bits(self) -> float:
        """The least that a cut of this feature pays if its boundary was not seen to move."""
        return 0.0 if self.is_extreme else self.unmoved_bits(0)

    def unmoved_bits(self, constant: Any) -> float:
        """Return the price of a comparison of several fields whose boundary was not seen to move.

        It grows with the comparison: ``a < b`` may well be what decides, ``a * b + c < 7`` is a coincidence.
        """
        if not self.has_several_fields:
            return 0.0
        return min(TUNING.unmoved_bits, TUNING.unmoved_factor * (self.bits + price(constant)))

    def price_constant(self, constant: Any) -> float:
        """Return the bits that it takes to name a constant which the feature is compared with."""
        return min(price(constant), self.max_constant_bits)

    @property
    def identity(self) -> tuple[str, tuple[int, ...]]:
        return self.formula, self.letters

    def value(self, point: Point) -> Any:
        """Return the value at a point, or NaN if the feature has no value there."""
        try:
            return self._function(point)
        except (OverflowError, ValueError, TypeError):
            return NAN

    def exact(self, point: Point) -> bool:
        """Return True if the value at a point is computed without rounding.

        With a decimal multiplier, which is rounded itself, it is not.
        """
        try:
            numbers = list(point)
            for i in self.indices:
                numbers[i] = Fraction(point[i]) if isinstance(point[i], float) else point[i]
            exact = self._function(tuple(numbers))
            return not isinstance(exact, float) and bool(exact == self._function(point))
        except (OverflowError, ValueError, TypeError):
            return False

    def values(self, points: Sequence[Point]) -> list[Any]:
        """Return the value at each point.

        Values are kept, so the next call must pass the same list, possibly longer.
        """
        known = self._values
        while len(known) < len(points):
            known.append(self.value(points[len(known)]))
        return known

    def add_spans(self, brackets: Sequence[Bracket], points: Sequence[Point]) -> dict[int, tuple[Any, Any]]:
        """Find the interval (low, high) of each new bracket that the feature can explain; return the new ones.

        ``low`` and ``high`` are the feature's values at the two points of the bracket. Results are kept in ``spans``,
        so the next call must pass the same list of brackets, possibly longer.
        """
        found = {}
        for number in range(self._spanned, len(brackets)):
            one = brackets[number]
            if not one.ordered:
                continue
            low, high = self.value(points[one.one]), self.value(points[one.other])
            if low > high:
                low, high = high, low
            if one.exact and self.is_difference:
                low, high = self._widen_for_rounding(low, high, points[one.one])
            if low < high and self.tolerance:
                low, high = low - self.tolerance * abs(low), high + self.tolerance * abs(high)
            if low < high:
                found[number] = low, high
        self._spanned = len(brackets)
        self.spans.update(found)
        return found

    def _widen_for_rounding(self, low: Any, high: Any, point: Point) -> tuple[Any, Any]:
        """Return the interval ``low..high``, widened if rounding would otherwise hide a simple constant.

        An example of such a constant is 10 in ``y - 2 * x > 10``.
        """
        if low <= 0 <= high or not isinstance(low, float) or not low < high:
            return low, high
        slack = blur(*self.parts(point))
        wide = low - slack, high + slack
        if not has_simple_number(*wide, TUNING.max_constant_bits):
            return low, high
        return wide if price(find_simplest(low, high)) > TUNING.max_constant_bits else (low, high)

    def parts(self, point: Point) -> tuple[Any, Any]:
        """Return the values of both sides of a difference at a point."""
        try:
            return self._parts(point)
        except (OverflowError, ValueError, TypeError):
            return NAN, NAN

    @cached_property
    def _parts(self) -> Callable[[Point], tuple[Any, Any]]:
        assert isinstance(self.tree, ast.Call)
        return _compile(f"({', '.join(map(ast.unparse, self.tree.args))})")(*self.letters)

    @property
    def tree(self) -> ast.expr:
        return _tree(self.formula)

    @cached_property
    def is_periodic(self) -> bool:
        """True if the formula is a remainder or a bit, whose values repeat along a field."""
        return self.period > 0

    @property
    def period(self) -> int:
        """The distance after which the values repeat along a field; 0 if they do not."""
        match self.tree:
            case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int(modulus))):
                return modulus
            case ast.BinOp(op=ast.BitAnd(), right=ast.Constant(value=int(bit))):
                return 2 * bit
        return 0

    @property
    def is_total(self) -> bool:
        """True if the feature has a value for all finite numbers."""
        return "ratio" not in self.formula and "mod" not in self.formula

    @cached_property
    def is_difference(self) -> bool:
        return _function_name(self.tree) == "minus"

    def quantity(self, names: Sequence[str]) -> str:
        """Return the feature as it stands in an atom: a field's name, or a quantity of fields."""
        found = _to_quantity(self.tree, [names[i] for i in self.letters])
        assert isinstance(found, str)
        return found

    def sides(self, names: Sequence[str]) -> tuple[Any, Any]:
        """Return the two quantities that a difference compares."""
        assert isinstance(self.tree, ast.Call)
        chosen = [names[i] for i in self.letters]
        return _to_quantity(self.tree.args[0], chosen), _to_quantity(self.tree.args[1], chosen)

    def distance(self, names: Sequence[str]) -> tuple[Any, Any] | None:
        """Return the two quantities whose distance the formula is: (a, b) for ``abs(a - b)``, (a, 0) for ``abs(a)``.

        Other formulas give None.
        """
        chosen = [names[i] for i in self.letters]
        match self.tree:
            case ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]):
                return _to_quantity(left, chosen), _to_quantity(right, chosen)
            case ast.Call(func=ast.Name(id="abs"), args=[ast.Name() as alone]):
                return _to_quantity(alone, chosen), 0
        return None

    def __repr__(self) -> str:
        return f"<{self.formula} of {self.letters}>"


class SizeFeature(Feature):
    """A formula over the length of a text and some numbers. Its boundary is found along these: texts have no order."""

    def __init__(self, formula: str, text: int, numbers: Sequence[int], price: float, bits: float) -> None:
        super().__init__(formula, (text, *numbers), price, bits=bits)
        self.indices = tuple(numbers)


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.BitAnd: "&"}
_CALLS = {"trunc": "int", "ratio": "/", "minus": "-", "mod": "%", "length": "len_str", "size": "len"}


def _function_name(node: ast.expr) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _to_quantity(node: ast.expr, names: Sequence[str]) -> Any:
    match node:
        case ast.Name(id=letter):
            return names[ord(letter) - ord("a")]
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return -value  # type: ignore[operator]
        case ast.BinOp(left=left, op=op, right=right):
            return Quantity(_OPERATORS[type(op)], _to_quantity(left, names), _to_quantity(right, names))
        case ast.Call(args=arguments):
            name = _function_name(node) or ""
            parts = [_to_quantity(one, names) for one in arguments]
            return Quantity(_CALLS.get(name, name), *parts, *([True] if name == "wrap" else []))
    raise AssertionError(ast.dump(node))
