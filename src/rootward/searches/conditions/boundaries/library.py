"""The library of features: the expressions that are considered, and the price of each in bits.

The expressions come from a small grammar::

    expression = term | sum | product | extreme | quotient | abs(sum) | abs(product) | wrap(sum | product) | powers
                 | term % number | (a - b) % number | a & bit | length | sum of fields and lengths
                 | size(text) + field | size(text) - field | size(text) + field - field
    sum        = term + term | term - term | sum of three terms | product + term | extreme + term | abs(sum) + term
    term       = field | abs(field) | field * field | trunc(field)
    length     = length(field) | length(abs(field)), of an integer in decimal notation
    powers     = product of up to four fields, with exponents from -2 to 2

``PRODUCTIONS`` prices every production of the grammar in bits, and the price of an expression is the sum of the
productions that it uses. A production that was used before in the expression costs one bit only: who squares one field
squares the other, too. There is no other preference between expressions. The grammar is enumerated up to a price, and
operands that can be exchanged come in one order.

Numbers inside an expression are not guessed. Multipliers and centres are computed from brackets (weights.py), also
those of the size of a sum, ``abs(24 * a + b)``, and of sums in nested units (``_fit_units``); moduli are computed from
the distances between values with the same verdict (fitting.py). Each is any number, with the price that
simplicity.py gives it. Nor are exponents guessed: they are those that most brackets agree with (``_fit_powers``).

To add an operation, add its production, and build it in ``_list_pairs`` or ``_list_triples``; feature.py says what a
formula may contain.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations, product, zip_longest
from typing import Any

import numpy as np

from rootward.searches.conditions.boundaries.axis import Bracket, FieldAxis
from rootward.searches.conditions.boundaries.feature import ROUNDING, Feature, Point, SizeFeature
from rootward.searches.conditions.boundaries.simplicity import find_simplest, price
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.searches.conditions.boundaries.weights import Matrix, choose_exponents, fit_weights
from rootward.space.space import Text

PRODUCTIONS = {
    "minus": 1.0,
    "+": 2.0,
    "*": 2.0,
    "abs": 2.0,
    "%": 2.0,
    "trunc": 2.5,
    "&": 6.0,
    "multiplier": 1.0,
    "fraction": 6.0,  # a number with decimals among integers
    "repeat": 8.0,  # a field that occurs in two terms
    "square": 12.0,
    "extreme": 5.0,
    "quotient": 6.0,
    "wrap": 6.0,
    "length": 6.0,
    "about": 4.0,  # a boundary that is not quite sharp
}
"""The price of each production in bits."""
AGAIN_BITS = 1.0
"""The price of a production that the expression used before."""
MAX_PAIR_BITS = 17.0
MAX_TRIPLE_BITS = 18.0
"""Expressions of two or three fields that cost more are not considered, unless brackets yield their numbers."""
MAX_POWERS = 4
"""Maximum number of fields in a product of powers."""
MAX_POWER_GROUPS = 5
"""Maximum number of groups of so many fields whose exponents are sought in one fit."""
WIDTHS = (8, 16, 32, 64)
"""Widths of machine integers."""


@dataclass(frozen=True)
class Expression:
    """A formula over letters, and the productions that it uses."""

    formula: str
    productions: tuple[str, ...] = ()

    @property
    def bits(self) -> float:
        counts = Counter(self.productions)
        return sum(
            PRODUCTIONS[name] + (count - 1) * min(AGAIN_BITS, PRODUCTIONS[name]) for name, count in counts.items()
        )

    def __str__(self) -> str:
        return self.formula


def _apply(form: str, name: str, *parts: Expression) -> Expression:
    """Return an expression made of parts by one more production."""
    return Expression(form.format(*parts), (name, *(one for part in parts for one in part.productions)))


def _plus(one: Expression, other: Expression) -> Expression:
    return _apply("{} + {}", "+", one, other)


def _minus(one: Expression, other: Expression) -> Expression:
    return _apply("minus({}, {})", "minus", one, other)


def _times(one: Expression, other: Expression) -> Expression:
    return _apply("{} * {}", "*", one, other)


def _repeat(term: Expression) -> Expression:
    """Return a term whose fields also occur in another term."""
    return Expression(str(term), (*term.productions, "repeat"))


def _terms(letter: str, real: bool) -> list[Expression]:
    plain = Expression(letter)
    found = [plain, _apply("abs({})", "abs", plain), _apply("{0} * {0}", "square", plain)]
    return [*found, _apply("trunc({})", "trunc", plain)] if real else found


@cache
def _list_pairs(real: bool) -> tuple[Expression, ...]:
    """Return the expressions of two fields. Rounding is only of interest if a field is ``real``."""
    a, b = Expression("a"), Expression("b")
    found = []
    for one, other in product(_terms("a", real), _terms("b", real)):
        found += [_plus(one, other), _minus(one, other)]
        if one.productions == other.productions and "square" not in one.productions:
            inner = _apply("{} - {}", "minus", one, other)
            found += [
                _apply("abs({})", "abs", inner),
                *([_apply("abs({})", "abs", _plus(one, other))] if one == a else []),
            ]
    found += [_times(a, b), _apply("abs({})", "abs", _times(a, b))]
    found += [_times(_terms(x, False)[2], Expression(y)) for x, y in ("ab", "ba")]
    found += [_apply(f"{name}({{}}, {{}})", "extreme", a, b) for name in ("min", "max")]
    found += [_quotient(a, b), _quotient(b, a)]
    return tuple(one for one in found if one.bits <= MAX_PAIR_BITS)


@cache
def _list_triples() -> tuple[Expression, ...]:
    """Return the expressions of three fields."""
    letters = [Expression(letter) for letter in "abc"]
    squares = [_terms(letter, False)[2] for letter in "abc"]
    found = [_times(_times(letters[0], letters[1]), letters[2])]
    for terms in (letters, squares, *([*squares[:i], letters[i], *squares[i + 1 :]] for i in range(3))):
        found.append(_plus(_plus(terms[0], terms[1]), terms[2]))
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        one, other, last = letters[i], letters[j], letters[k]
        for term in (last, squares[k]):
            found += [_minus(term, _plus(one, other)), _minus(_plus(squares[i], squares[j]), term)]
            found += [_minus(term, _times(one, other)), _plus(_times(one, other), term)]
        for name in ("min", "max"):
            extreme = _apply(f"{name}({{}}, {{}})", "extreme", one, other)
            found += [_minus(last, extreme), _plus(extreme, last)]
        distance = _apply("abs({})", "abs", _apply("{} - {}", "minus", one, other))
        found += [_minus(distance, last), _plus(distance, last)]
        for inner in (_plus(one, other), _times(one, other)):
            found.append(_quotient(inner, last))
    return tuple(one for one in found if one.bits <= MAX_TRIPLE_BITS)


@cache
def _list_lengths(size: int, unsigned: bool) -> tuple[tuple[str, Expression], ...]:
    """Return sums and differences of fields in which some are replaced by their length, each after their letters.

    Code that fits numbers into a width compares such sums. If ``unsigned``, the lengths do not count the sign.
    """
    letters = "abc"[:size]
    found = []
    for long in (some for count in range(1, size + 1) for some in combinations(letters, count)):
        terms = [Expression(letter) for letter in letters]
        for at in map(letters.index, long):
            inner = _apply("abs({})", "abs", terms[at]) if unsigned else terms[at]
            terms[at] = _apply("length({})", "length", inner)
        found.append(("".join(long), _add_all(terms)))
        for at in range(size if size > 2 else size - 1):
            found.append(("".join(long), _minus(terms[at], _add_all([*terms[:at], *terms[at + 1 :]]))))
    return tuple(found)


@dataclass(frozen=True)
class Family:
    """A sum of terms with open weights. With ``centred``, the terms are coordinates, and the centre is open."""

    terms: tuple[Expression, ...]
    centred: bool = False

    @property
    def is_plain(self) -> bool:
        """True if the terms are just fields."""
        return not self.centred and not any(term.productions for term in self.terms)

    @property
    def columns(self) -> tuple[Expression, ...]:
        """The terms whose weights are sought. A centre is found from the weights of the coordinates."""
        if not self.centred:
            return self.terms
        squares = Expression(" + ".join(f"{term} * {term}" for term in self.terms))
        return squares, *self.terms

    def with_numbers(self, numbers: Sequence[float]) -> Expression:
        """Return the expression with these weights, or with this centre after the weight of the squares."""
        if self.centred:
            parts = [_square_from(term, centre) for term, centre in zip(self.terms, numbers[1:], strict=True)]
            made = parts[0]
            for part in parts[1:]:
                made = _plus(made, part)
            return made
        if sum(weight < 0 for weight in numbers) > len(numbers) / 2:
            numbers = [-weight for weight in numbers]
        above, below = (
            [_weigh(term, abs(weight)) for term, weight in zip(self.terms, numbers, strict=True) if weight * sign > 0]
            for sign in (1, -1)
        )
        sums = [_add_all(part) for part in (above, below) if part]
        return sums[0] if len(sums) == 1 else _minus(*sums)


def _add_all(parts: Sequence[Expression]) -> Expression:
    made = parts[0]
    for part in parts[1:]:
        made = _plus(made, part)
    return made


def _weigh(term: Expression, weight: float) -> Expression:
    return term if weight == 1 else _apply(f"{format_number(weight)} * {{}}", "multiplier", term)


def _square_from(term: Expression, centre: float) -> Expression:
    moved = f"({term} {'-' if centre > 0 else '+'} {format_number(abs(centre))})" if centre else f"{term}"
    return Expression(f"{moved} * {moved}", ("square", *(("multiplier",) if centre else ())))


def format_number(number: float) -> str:
    """Format a number of a formula; a whole number has no decimal point, so that integers stay exact."""
    return repr(int(number) if float(number).is_integer() else number)


@cache
def _list_families(size: int) -> tuple[Family, ...]:
    """Return the families of expressions of two or three fields, the cheapest first."""
    letters = [Expression(letter) for letter in "abc"[:size]]
    absolute = [_terms(str(letter), False)[1] for letter in letters]
    squares = [_terms(str(letter), False)[2] for letter in letters]
    found = [Family(tuple(letters)), Family(tuple(letters), centred=True)]
    if size == 2:
        (a, b), whole = letters, _times(*letters)
        repeated = _repeat(whole)
        found += [Family(pair) for pair in ((absolute[0], b), (a, absolute[1]), (absolute[0], absolute[1]))]
        found += [
            Family(pair)
            for pair in ((squares[0], b), (a, squares[1]), (squares[0], squares[1]), (repeated, a), (repeated, b))
        ]
        found += [Family((squares[i], _repeat(letters[i]), letters[1 - i])) for i in (0, 1)]
        return tuple(found)
    found.append(Family(tuple(absolute)))
    for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        inner = _times(letters[i], letters[j])
        found += [Family((letters[k], inner)), Family((squares[k], inner))]
        repeated = _repeat(inner)
        found += [Family((letters[k], repeated, letters[one])) for one in (i, j)]
    return tuple(found)


@cache
def _list_exponents(size: int) -> Matrix:
    """Return the exponents of all products of powers of at least two of some fields.

    They have no common factor, and the first is positive: a power or the inverse of a product means the same.
    """
    every = (row for row in product(range(-2, 3), repeat=size) if size - row.count(0) > 1 and math.gcd(*row) == 1)
    return np.array([row for row in every if next(filter(None, row)) > 0], dtype=np.float64)


@cache
def _list_power_bits(size: int) -> Matrix:
    """Return the bits of these products of powers."""
    rows = [_split_powers(tuple(filter(None, row))) for row in _list_exponents(size).astype(int).tolist()]
    return np.array([(_quotient(*sides) if len(sides) > 1 else sides[0]).bits for sides in rows])


@cache
def _split_powers(exponents: tuple[int, ...]) -> tuple[Expression, ...]:
    """Return the factors with positive exponents as a product, then those with negative ones, if there are any.

    Squares come first, as in other products.
    """
    sides = []
    for sign in (1, -1):
        powers = [(chr(ord("a") + i), power * sign) for i, power in enumerate(exponents)]
        factors = [_terms(letter, False)[2] for letter, power in powers if power == 2]
        factors += [Expression(letter) for letter, power in powers if power == 1]
        sides += [reduce(_times, factors)] if factors else []
    return tuple(sides)


def _quotient(above: Expression, below: Expression) -> Expression:
    return _apply("ratio({}, {})", "quotient", above, below)


class Library:
    """Features by formula and fields, created on first use and kept with their values."""

    def __init__(self, axes: Sequence[FieldAxis], with_periods: bool = True) -> None:
        """Create the library. With ``with_periods``, it has remainders and bits."""
        self.axes, self._with_periods = axes, with_periods
        self.numeric = [axis.index for axis in axes if axis.numeric and not axis.is_fixed]
        self._each = math.log2(max(len(self.numeric), 1))
        self._texts = [axis.index for axis in axes if isinstance(axis.field, Text) and not axis.is_fixed]
        self._made: dict[tuple[str, tuple[int, ...], float], Feature] = {}
        self._fitted: dict[tuple[Family, tuple[int, ...]], list[Feature]] = {}
        self._kept: list[Feature] = []
        self._weights: dict[tuple[int, ...], dict[tuple[float, ...], None]] = {}
        """The integer weights of sums of two fields that were found so far."""
        self._units: dict[tuple[int, ...], list[Feature]] = {}
        self._powers: dict[tuple[int, ...], list[Feature]] = {}
        self.moduli: dict[int, list[int]] = {}
        """The moduli to consider for each integer field, by index."""
        self._columns: dict[tuple[str, tuple[int, ...]], tuple[Feature, list[tuple[float, float]]]] = {}

    def feature(
        self,
        formula: str,
        indices: Sequence[int],
        bits: float,
        max_evidence: float = math.inf,
        max_constant_bits: float = math.inf,
        tolerance: float = 0.0,
    ) -> Feature:
        identity = formula, tuple(indices), tolerance
        if identity not in self._made:
            cost = 1.0 + bits + self._each * len(identity[1])
            self._made[identity] = Feature(formula, indices, cost, max_evidence, bits, max_constant_bits, tolerance)
        return self._made[identity]

    def list_features(self, groups: Iterable[tuple[int, ...]]) -> Iterator[Feature]:
        """Yield all features of single fields, all features of the given groups, and all with fitted numbers."""
        for index in self.numeric:
            yield from self.singles(index)
        known = list(groups)
        for group in known:
            yield from self.pairs(*group) if len(group) == 2 else self.triples(*group)
        for group in [*((index,) for index in self.numeric), *(group for group in known if len(group) == 2)]:
            yield from self._list_sizes(group)
        yield from dict.fromkeys([*self._kept, *self._list_fitted()])

    def _list_sizes(self, group: tuple[int, ...]) -> Iterator[Feature]:
        """Yield sums of the length of a text and one or two numbers: code that fits a text into a limit."""
        size, limit, other = _apply("size({})", "length", Expression("a")), Expression("b"), Expression("c")
        made = [_plus(size, limit), _minus(size, limit)]
        if len(group) == 2:
            made = [_minus(_plus(size, limit), other), _minus(_plus(size, other), limit)]
        for text, expression in product(self._texts, made):
            identity = str(expression), (text, *group), 0.0
            if identity not in self._made:
                cost = 1.0 + expression.bits + self._each * (1 + len(group))
                self._made[identity] = SizeFeature(str(expression), text, group, cost, expression.bits)
            yield self._made[identity]

    def _list_fitted(self) -> Iterator[Feature]:
        for some in (*self._fitted.values(), *self._units.values(), *self._powers.values()):
            yield from some

    def singles(self, index: int) -> Iterator[Feature]:
        axis = self.axes[index]
        values = axis.high - axis.low + 1
        most = math.log2(values) if values <= TUNING.max_listed_line else math.inf
        for term in _terms("a", False)[:2]:
            yield self.feature(str(term), (index,), term.bits, max_constant_bits=most)
        yield from self._list_lengths((index,))
        yield from self.periodic(index)

    def periodic(self, index: int) -> Iterator[Feature]:
        """Yield the features whose values repeat along the field: remainders and bits."""
        axis = self.axes[index]
        if axis.is_periodic and self._with_periods:
            for modulus in self.moduli.get(index, ()):
                yield self.remainder(index, modulus)
            for power in range(min(axis.bits, 32)):
                bits = PRODUCTIONS["&"] + price(1 << power)
                yield self.feature(f"a & {1 << power}", (index,), bits, power + 1.0)

    def remainder(self, index: int, modulus: int) -> Feature:
        bits = PRODUCTIONS["%"] + price(modulus)
        return self.feature(f"a % {modulus}", (index,), bits, math.log2(modulus))

    def pairs(self, one: int, other: int) -> Iterator[Feature]:
        both = one, other
        whole = self.axes[one].whole and self.axes[other].whole
        for expression in _list_pairs(not whole):
            yield self.feature(str(expression), both, expression.bits)
        if whole:
            yield from self._list_remainders(both)
            yield from self._list_wrapping(both)
        yield from self._list_lengths(both)

    def _list_lengths(self, group: tuple[int, ...]) -> Iterator[Feature]:
        axes = {letter: self.axes[index] for letter, index in zip("abc", group, strict=False)}
        for unsigned in (False, True):
            for long, expression in _list_lengths(len(group), unsigned):
                if all(axes[letter].has_lengths and (axes[letter].low < 0 or not unsigned) for letter in long):
                    yield self.feature(str(expression), group, expression.bits)

    def _list_remainders(self, both: tuple[int, int]) -> Iterator[Feature]:
        """Yield the remainder of each of two integers by the other.

        If the divisor is 2, every second bracket agrees with it by chance; so each is evidence of one bit.
        """
        for formula in ("mod(a, b)", "mod(b, a)"):
            yield self.feature(formula, both, PRODUCTIONS["%"], 1.0)

    def _list_wrapping(self, both: tuple[int, int]) -> Iterator[Feature]:
        """Yield the expressions of two integers that wrap around: at a modulus of a field, or at a machine's width."""
        difference = PRODUCTIONS["minus"] + PRODUCTIONS["%"]
        for modulus in sorted({m for index in both for m in self.moduli.get(index, ())}):
            yield self.feature(f"(a - b) % {modulus}", both, difference + price(modulus), math.log2(modulus))
        width = max(self.axes[index].bits for index in both)
        inner = [Expression("a + b", ("+",)), Expression("a * b", ("*",)), Expression("a - b", ("minus",))]
        for size, part in product(WIDTHS, inner):
            if size >= width:
                made = _apply(f"wrap({{}}, {size})", "wrap", part)
                yield self.feature(str(made), both, made.bits + (size > width))

    def triples(self, *three: int) -> Iterator[Feature]:
        for expression in _list_triples():
            yield self.feature(str(expression), three, expression.bits)
        yield from self._list_lengths(three)

    # Multipliers and centres

    def fit(self, brackets: Sequence[Bracket], points: Sequence[Point], groups: Iterable[tuple[int, ...]]) -> None:
        """Add features such as ``a - k * b``, with the simplest numbers that explain several brackets.

        The cheapest families come first. Once one explains all brackets of its fields, no other is tried for them.
        """
        closely = [i for i, one in enumerate(brackets) if one.exact or one.weight > TUNING.placed_bits]
        ordered = [i for i in closely if brackets[i].low is not None]
        inside = {group: [i for i in ordered if brackets[i].axis.index in group] for group in groups}
        settled: list[set[int]] = []
        levels = zip_longest(*([(group, family) for family in _list_families(len(group))] for group in inside))
        for group, family in (pair for level in levels for pair in level if pair is not None):
            few = len(inside[group]) < len(family.columns)
            if few or any(len(fields.intersection(group)) > 1 for fields in settled):
                continue
            if self._fit_family(family, group, inside[group], brackets, points):
                settled.append(set(group))
        for group, some in inside.items():
            if len(group) == 3 and all(self.axes[index].whole for index in group):
                self._fit_units(group, some, brackets, points)
        fields = sorted({index for group in inside for index in group})
        for group in list(combinations(fields, min(len(fields), MAX_POWERS)))[:MAX_POWER_GROUPS]:
            if len(group) > 1:
                self._fit_powers(group, ordered, brackets, points)

    def _fit_powers(
        self, group: tuple[int, ...], ordered: Sequence[int], brackets: Sequence[Bracket], points: Sequence[Point]
    ) -> None:
        """Add products of powers, such as ``stiffness * timestep * timestep / mass``.

        Where a divisor may be zero or negative, code compares two products instead: ``a * b * b > 4 * c``.
        """
        inside = [i for i in ordered if brackets[i].axis.index in group]
        if len(inside) < 3:
            return
        columns = [self._column("a", (index,), brackets, points)[inside] for index in group]
        one, other = (np.column_stack([column[:, end] for column in columns]) for end in (0, 1))
        evidence = np.array([brackets[i].weight for i in inside])
        exponents = _list_exponents(len(group))
        costs = _list_power_bits(len(group)) + self._each * np.count_nonzero(exponents, axis=1)
        found: list[Feature] = []
        for row in choose_exponents(one, other, evidence, exponents, costs):
            powers = exponents[row].astype(int).tolist()
            fields = tuple(index for index, power in zip(group, powers, strict=True) if power)
            sides = _split_powers(tuple(filter(None, powers)))
            if len(sides) == 1:
                made = list(sides)
            elif all(self.axes[index].ends[0] > 0 for index in fields):
                made = [_quotient(*sides), _quotient(*reversed(sides))]
            else:
                across = [i for i in inside if brackets[i].axis.index in fields]
                made = [_minus(*sides)]
                found += self._balance(sides, fields, across, brackets, points)
                self._fit_family(Family(sides), fields, across, brackets, points)
            exact = all(self.axes[index].whole for index in fields) or "minus" in made[0].productions
            for law in made:
                found += [self.feature(str(law), fields, law.bits)] if exact else self._list_blurred(law, fields)
        self._powers[group] = found

    def _balance(
        self,
        sides: Sequence[Expression],
        fields: tuple[int, ...],
        inside: Sequence[int],
        brackets: Sequence[Bracket],
        points: Sequence[Point],
    ) -> Iterator[Feature]:
        """Yield the difference of two products, one with a factor: ``a * a - 19.62 * b * c``.

        Every bracket gives an interval for the factor. It is the simplest number in those that most brackets share.
        """
        evidence = np.array([brackets[i].weight for i in inside])
        for above, below in (sides, sides[::-1]):
            ends = np.sort(self._column(str(_quotient(above, below)), fields, brackets, points)[inside], axis=1)
            positive = np.isfinite(ends).all(axis=1) & (ends[:, 0] > 0)
            (low, high), weight = ends[positive].T, evidence[positive]
            if not len(weight):
                return
            low, high = low * (1 - ROUNDING), high * (1 + ROUNDING)
            shared = (low <= low[:, None]) & (low[:, None] <= high)
            agreed = shared[int(np.argmax(shared @ weight))]
            factor = float(find_simplest(float(low[agreed].max()), float(high[agreed].min())))
            if factor != 1:
                made = _minus(above, _weigh(below, factor))
                yield self.feature(str(made), fields, made.bits + price(factor))

    def _list_blurred(self, made: Expression, fields: tuple[int, ...]) -> list[Feature]:
        """Return a product of real numbers as two features: its boundary is exact up to rounding, or not quite sharp.

        A simulation that diverges slowly passes a little beyond the boundary, and how far depends on everything else.
        No bracket then tells more than the precision of the boundary.
        """
        share = TUNING.final_share
        rounded = self.feature(str(made), fields, made.bits, tolerance=ROUNDING)
        about = made.bits + PRODUCTIONS["about"]
        return [rounded, self.feature(str(made), fields, about, max_evidence=-math.log2(share), tolerance=share)]

    def _fit_units(
        self, group: tuple[int, ...], inside: Sequence[int], brackets: Sequence[Bracket], points: Sequence[Point]
    ) -> None:
        """Add sums of three integers in nested units, such as ``1440 * days + 60 * hours + minutes``, and their size.

        Three weights are hard to measure at once, because the smallest unit hardly moves the boundary of the largest
        one. So begin with the sums of two fields that were found. The boundaries along the third field, at different
        values of such a sum, tell the weight of the sum. Those of ``abs(sum)`` lie on both sides of zero. Fold them
        onto one side, and they determine the weight together.
        """
        letters = tuple(Expression(letter) for letter in "abc")
        found: list[Feature] = []
        for first, second, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            along = [i for i in inside if brackets[i].axis.index == group[third]]
            if len(along) < 2:
                continue
            columns = [self._column(str(letter), group, brackets, points)[along] for letter in letters]
            evidence = np.array([brackets[i].weight for i in along])
            for weights in self._weights.get((group[first], group[second]), ()):
                inner = weights[0] * columns[first] + weights[1] * columns[second]
                signs = np.where(inner[:, :1] < 0, -1.0, 1.0)
                for folded in (False, True) if len(set(signs.flat)) > 1 else (False,):
                    ends = np.stack([inner, columns[third]]) * (signs if folded else 1.0)
                    for outer, last in fit_weights(ends[..., 0].T, ends[..., 1].T, evidence):
                        if not (outer.is_integer() and abs(last) == 1 and abs(outer) > 1):
                            continue
                        numbers = [0.0] * 3
                        numbers[first], numbers[second], numbers[third] = outer * weights[0], outer * weights[1], last
                        made = Family(letters).with_numbers(numbers)
                        made = _apply("abs({})", "abs", made) if folded else made
                        cost = sum(price(abs(number)) for number in (outer, *weights) if abs(number) != 1)
                        found.append(self.feature(str(made), group, made.bits + cost))
        self._units[group] = found

    def _fit_family(
        self,
        family: Family,
        group: tuple[int, ...],
        inside: Sequence[int],
        brackets: Sequence[Bracket],
        points: Sequence[Point],
    ) -> bool:
        """Find the numbers of a family; return True if they explain everything and there was enough to explain."""
        columns = [self._column(str(term), group, brackets, points)[inside] for term in family.columns]
        one, other = (np.column_stack([column[:, end] for column in columns]) for end in (0, 1))
        evidence = np.array([brackets[i].weight for i in inside])
        whole = all(self.axes[index].whole for index in group)
        found, most = [], 0.0
        for numbers, explained in fit_weights(one, other, evidence, -2.0 if family.centred else 1.0).items():
            used = [number for number in numbers if abs(number) != 1]
            if not used or (0 in numbers and not family.centred) or not any(numbers[1:]):
                continue
            made = family.with_numbers(numbers)
            cost = sum(price(abs(number)) for number in used if number)
            if whole and not all(number.is_integer() for number in used):
                cost += PRODUCTIONS["fraction"]
            found.append(self.feature(str(made), group, made.bits + cost))
            most = max(most, explained)
            if family.is_plain:
                size = _apply("abs({})", "abs", made)
                found.append(self.feature(str(size), group, size.bits + cost))
                if all(map(float.is_integer, numbers)):
                    self._weights.setdefault(group, {})[numbers] = None
        self._fitted[family, group] = found
        return most >= float(evidence.sum()) and len(inside) > len(columns)

    def keep(self, features: Iterable[Feature]) -> None:
        """Keep these features in the library, even if a later fit finds other numbers."""
        fitted = {*self._list_fitted(), *self._kept}
        self._kept = [one for one in dict.fromkeys(features) if one in fitted]

    def _column(
        self, formula: str, group: tuple[int, ...], brackets: Sequence[Bracket], points: Sequence[Point]
    ) -> Matrix:
        """Return the values of a term at both ends of every bracket."""
        if (formula, group) not in self._columns:
            self._columns[formula, group] = Feature(formula, group, 0.0), []
        feature, known = self._columns[formula, group]
        for one in brackets[len(known) :]:
            known.append((_real(feature.value(points[one.one])), _real(feature.value(points[one.other]))))
        return np.array(known)


def _real(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan
