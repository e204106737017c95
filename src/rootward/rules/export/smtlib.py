"""Write rules as SMT-LIB 2 scripts, with which a solver finds configurations, or proves that two rules are equivalent.

**Sorts.** An integer field is an ``Int`` with assertions for its bounds. A float is a ``FloatingPoint`` of its width;
computations convert it to a double first, as a rule does. Bools are ``Bool``, text is ``String``. A field with a list
of values has an assertion that it is one of them. A string in SMT-LIB has only characters up to U+2FFFF.

**Undefined values.** In a rule, an undefined result is NaN, and NaN satisfies no comparison but ``!=`` and ``= NaN``.
``Int`` has no NaN. So an expression has *guards*: conditions under which it is defined, such as a divisor that is not
zero. A comparison is the conjunction of the guards and the comparison proper; ``= NaN`` holds if a guard does not.

**Integers and floats.** If an integer is combined with a float, it is converted with ``to_fp`` from a real. If they are
only compared, both become reals, with separate cases for infinities and NaN. Both are exact, but hard for a solver; so
constants that are exact as doubles are written as doubles.

**Bits.** ``Int`` has no bit operations. A mask with a constant becomes divisions and remainders by powers of two,
a shift becomes a multiplication or division by a power of two (with one case for each possible shift), and everything
else goes through bit vectors that are wide enough for both operands.

To add an operator, write it in `_of_integers` or `_of_doubles`, with a guard wherever it is undefined.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rootward.errors import InputError
from rootward.rules.arithmetic import Number
from rootward.rules.atoms import Atom
from rootward.rules.constants import is_nan, is_negative_zero, kind
from rootward.rules.derivation import expand_or_refuse
from rootward.rules.predicates import NAMED, SETS, pattern_of
from rootward.rules.quantity import INTEGRAL, Part, Quantity
from rootward.rules.ranges import Range, range_of
from rootward.rules.terms import Literal, Term
from rootward.space.fields import Bool, Text
from rootward.space.numeric_fields import Float, Int

if TYPE_CHECKING:
    from rootward.space.space import Field, Space

MAX_SHIFT_VALUES = 64
"""Maximum number of different values by which a shift can shift."""
_DOUBLE = "(_ to_fp 11 53)"
_FP = {"<": "fp.lt", "<=": "fp.leq", ">": "fp.gt", ">=": "fp.geq", "=": "fp.eq", "==": "fp.eq"}
_FP_OF = {"+": "fp.add RNE", "-": "fp.sub RNE", "*": "fp.mul RNE"}


@dataclass(frozen=True)
class SmtTerm:
    """An SMT-LIB term. Its sort is Int if ``whole``, else a double.

    ``guards`` are the conditions under which the term is defined.
    """

    text: str
    whole: bool
    range: Range
    guards: tuple[str, ...] = ()


class Script:
    """Writes rules over a space as SMT-LIB."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def declarations(self, fields: Iterable[str]) -> list[str]:
        return [line for name in fields for line in self._declare(name, self.space[name])]

    def _declare(self, name: str, field: Field) -> list[str]:
        symbol, sort = symbol_of(name), _sort(name, field)
        declared = f"(declare-const {symbol} {sort})"
        if isinstance(field, Bool | Text):
            return [declared]
        if isinstance(field, Int):
            return [declared, f"(assert (and (<= {_constant(field.lo)} {symbol}) (<= {symbol} {_constant(field.hi)})))"]
        if isinstance(field, Float):
            bounds = [(">=", field.lo), ("<=", field.hi)]
            said = [f"({_FP[op]} {symbol} {_float(end, field.bits)})" for op, end in bounds if end is not None]
            return [declared, *(f"(assert {one})" for one in said)]
        return [declared, f"(assert {_any([f'(= {symbol} {_constant(value)})' for value in field.values])})"]

    def rule(self, terms: Sequence[Term]) -> str:
        return _any([_all([self._literal(literal) for literal in term]) for term in terms])

    def _literal(self, literal: Literal) -> str:
        return _any([_all([self.atom(atom) for atom in one]) for one in literal.alternatives])

    def atom(self, atom: Atom) -> str:
        if isinstance(atom.field, Quantity):
            if atom.field.is_derived:
                return self.atom(Atom(expand_or_refuse(atom.field, "SMT-LIB"), atom.op, atom.value))
            if atom.field.is_comparison:
                holds = self.predicate(atom.field) if atom.field.is_predicate else self.comparison(atom.field)
                return holds if atom.value is (atom.op == "=") else f"(not {holds})"
            return _compare(self.number(atom.field), atom.op, atom.value)
        symbol, sort = symbol_of(atom.field), _sort(atom.field, self.space[atom.field])
        if kind(atom.value) != _KIND.get(sort, "number"):
            return "true" if atom.op == "!=" else "false"
        if sort in _KIND:
            return _compare_listed(symbol, atom.op, _constant(atom.value))
        return _compare(self.number(atom.field), atom.op, atom.value)

    def predicate(self, quantity: Quantity) -> str:
        first, other = quantity.parts
        symbol, sort = symbol_of(first), _sort(first, self.space[first])
        if isinstance(other, str):
            alike = sort == _sort(other, self.space[other])
            equal = "fp.eq" if sort.startswith("Float") else "="
            return f"({equal} {symbol} {symbol_of(other)})" if alike else "false"
        if sort != "String":
            return "false"
        if quantity.op in NAMED or quantity.op in SETS or quantity.op in ("any", "folded", "later"):
            found = pattern_of(quantity.op, other.text).smtlib
            if quantity.op == "other":
                return f"(not (str.in_re {symbol} (re.* {found})))"
            if quantity.op == "inner":
                return f'(not (str.in_re {symbol} (re.++ (re.* {found}) (re.opt (str.to_re "\\u{{a}}")))))'
            before = "re.all" if quantity.op in ("any", "has", "later", "last") else ""
            after = "re.all" if quantity.op in ("any", "has", "later", "first") else ""
            whole = f"(re.++ {' '.join(part for part in (before, found, after) if part)})" if before or after else found
            return f"(str.in_re {symbol} {whole})"
        if quantity.op == "contains":
            return f"(str.contains {symbol} {_text(other.text)})"
        return f"(str.{'prefixof' if quantity.op == 'starts' else 'suffixof'} {_text(other.text)} {symbol})"

    def comparison(self, quantity: Quantity) -> str:
        left, right = (self.number(part) for part in quantity.parts)
        op = "=" if quantity.op in ("==", "!=") else quantity.op
        holds = _all([*left.guards, *right.guards, _compare_numbers(left, op, right)])
        return f"(not {holds})" if quantity.op == "!=" else holds

    def number(self, part: Part) -> SmtTerm:
        """Write a part of a quantity."""
        found = range_of(part, self.space)
        if not isinstance(part, str):
            return SmtTerm(_constant(part), isinstance(part, int), found)
        if isinstance(part, Quantity) and part.op == "len":
            first = part.parts[0]
            if _sort(first, self.space[first]) != "String":
                return SmtTerm(_constant(math.nan), False, found)
            return SmtTerm(f"(str.len {symbol_of(first)})", True, found)
        if isinstance(part, Quantity):
            parts = [self.number(one) for one in part.parts if not isinstance(one, bool)]
            return _compute(part, parts, found)
        sort = _sort(part, self.space[part])
        if sort in _KIND:
            return SmtTerm(_constant(math.nan), False, found)
        text = symbol_of(part)
        return SmtTerm(f"({_DOUBLE} RNE {text})" if sort == "Float32" else text, sort == "Int", found)


def smtlib_script(terms: Sequence[Term], space: Space, fields: Sequence[str]) -> str:
    if missing := [field for field in fields if field not in space]:
        raise InputError(f"the space has no field {missing[0]!r}: SMT-LIB needs the type of every field")
    script = Script(space)
    return "\n".join([*script.declarations(fields), f"(assert {script.rule(terms)})", ""])


def symbol_of(name: str) -> str:
    """Write the name of a field as a symbol.

    A reserved name is followed by ``!``. A name that is not a simple symbol is put between bars.
    """
    if re.fullmatch(r"[A-Za-z_][\w.\-]*", name, flags=re.ASCII):
        return f"{name}!" if _RESERVED.fullmatch(name) else name
    if "|" in name or "\\" in name:
        raise InputError(f"the name of the field {name!r} is not allowed in SMT-LIB: rename it")
    return f"|{name}|"


_RESERVED = re.compile(r"let|forall|exists|match|par|as|not|and|or|xor|true|false|abs|mod|div|ite|distinct|_")
_KIND = {"Bool": "bool", "String": "text"}


def _sort(name: str, field: Field) -> str:
    if isinstance(field, Bool | Text):
        return "Bool" if isinstance(field, Bool) else "String"
    if isinstance(field, Int | Float):
        return "Int" if isinstance(field, Int) else f"Float{field.bits}"
    types = set(map(type, field.values))
    sorts = {int: "Int", float: "Float64", str: "String", bool: "Bool"}
    if len(types) > 1 or not types <= set(sorts):
        raise InputError(
            f"{name} is {field}, which has no sort in SMT-LIB: expected only integers, only floats, only text, or only "
            "bools"
        )
    return sorts[types.pop()]


def _compare_listed(symbol: str, op: str, constant: str) -> str:
    """Write a comparison of bools or text."""
    match op:
        case "=":
            return f"(= {symbol} {constant})"
        case "!=":
            return f"(not (= {symbol} {constant}))"
        case "<" | "<=":
            return f"(str.{op} {symbol} {constant})"
    return f"(str.{'<' if op == '>' else '<='} {constant} {symbol})"


def _constant(value: Part) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value >= 0 else f"(- {-value})"
    return _float(value, 64) if isinstance(value, float) else _text(value)


def _float(value: float, bits: int) -> str:
    """Write a float by its bits: sign, exponent, fraction."""
    exponent, fraction = (11, 52) if bits == 64 else (8, 23)
    if math.isnan(value):
        return f"(_ NaN {exponent} {fraction + 1})"
    (whole,) = struct.unpack(*((">Q", struct.pack(">d", value)) if bits == 64 else (">I", struct.pack(">f", value))))
    digits = f"{whole:0{bits}b}"
    return f"(fp #b{digits[0]} #b{digits[1 : 1 + exponent]} #b{digits[1 + exponent :]})"


def _text(value: str) -> str:
    shown = [char if " " <= char <= "~" and char not in '"\\' else f"\\u{{{ord(char):x}}}" for char in value]
    return '"' + "".join(shown) + '"'


def _any(conditions: Sequence[str]) -> str:
    kept = list(dict.fromkeys(conditions))
    return kept[0] if len(kept) == 1 else f"(or {' '.join(kept)})" if kept else "false"


def _all(conditions: Sequence[str]) -> str:
    kept = list(dict.fromkeys(conditions))
    return kept[0] if len(kept) == 1 else f"(and {' '.join(kept)})" if kept else "true"


# Comparing


def _compare(one: SmtTerm, op: str, constant: Number) -> str:
    """Write the comparison of an expression with a constant."""
    if op == "!=":
        return f"(not {_compare(one, '=', constant)})"
    if is_nan(constant):
        found = "false" if one.whole else f"(fp.isNaN {one.text})"
        return _any([found, *(f"(not {guard})" for guard in one.guards)]) if op == "=" else "false"
    if is_negative_zero(constant) and op == "=":
        negative = [f"(fp.isZero {one.text})", f"(fp.isNegative {one.text})"]
        return "false" if one.whole else _all([*one.guards, *negative])
    held = SmtTerm(_constant(constant), isinstance(constant, int), Range(constant, constant))
    return _all([*one.guards, _compare_numbers(one, op, held)])


def _compare_numbers(left: SmtTerm, op: str, right: SmtTerm) -> str:
    """Write a comparison of two numbers. It is exact even if one is an integer and the other a float."""
    if left.whole and right.whole:
        return f"({op} {left.text} {right.text})"
    if not left.whole and not right.whole:
        return f"({_FP[op]} {left.text} {right.text})"
    if exact := _as_double(left) if left.whole else _as_double(right):
        return f"({_FP[op]} {exact if left.whole else left.text} {right.text if left.whole else exact})"
    one, other = (f"(to_real {each.text})" if each.whole else f"(fp.to_real {each.text})" for each in (left, right))
    real = right.text if left.whole else left.text
    beyond = f"(fp.isNegative {real})" if (op[0] == "<") != left.whole else f"(fp.isPositive {real})"
    infinite = _all([f"(fp.isInfinite {real})", beyond]) if op != "=" else "false"
    finite = [f"(not (fp.isInfinite {real}))", f"(not (fp.isNaN {real}))"]
    return _any([infinite, _all([*finite, f"({op} {one} {other})"])])


def _as_double(one: SmtTerm) -> str:
    """Write a constant integer as a double.

    Return an empty text if it is not a constant integer or the double is not exact.
    """
    value = one.range.low
    if value != one.range.high or not isinstance(value, int) or abs(value) > 2**1023 or float(value) != value:
        return ""
    return _constant(float(value))


# Computing


def _compute(quantity: Quantity, parts: list[SmtTerm], found: Range) -> SmtTerm:
    guards = tuple(dict.fromkeys(guard for part in parts for guard in part.guards))
    if quantity.op in INTEGRAL or quantity.op == "wrap":
        if not all(part.whole for part in parts):
            return SmtTerm(_constant(math.nan), False, found)
        return SmtTerm(_bits(quantity, parts), True, found, guards)
    if quantity.op == "len_str":
        if not parts[0].whole:
            return SmtTerm(_constant(math.nan), False, found)
        return SmtTerm(_decimal_length(parts[0].text), True, found, guards)
    if quantity.op == "int":
        return _to_integer(parts[0], found, guards)
    if all(part.whole for part in parts) and quantity.op not in ("/", "sqrt"):
        return _of_integers(quantity, [part.text for part in parts], found, guards)
    return _of_doubles(quantity, parts, found, guards)


def _of_integers(quantity: Quantity, texts: list[str], found: Range, guards: tuple[str, ...]) -> SmtTerm:
    first, last = texts[0], texts[-1]
    match quantity.op:
        case "+" | "-" | "*":
            text = f"({quantity.op} {first} {last})"
        case "%":
            text = f"(mod {first} {last})"  # its result is never negative
            if isinstance(quantity.parts[1], str):
                text = f"(ite (< {last} 0) (- (mod (- {first}) (- {last}))) {text})"
                guards += (f"(not (= {last} 0))",)
        case "rem":
            rest = f"(mod (abs {first}) (abs {last}))"
            text, guards = f"(ite (< {first} 0) (- {rest}) {rest})", (*guards, f"(not (= {last} 0))")
        case "abs":
            text = f"(abs {first})"
        case _:
            text = _extreme("<" if quantity.op == "min" else ">", texts)
    return SmtTerm(text, True, found, guards)


def _extreme(less: str, texts: Sequence[str]) -> str:
    found, *rest = texts
    for text in rest:
        found = f"(ite ({less} {text} {found}) {text} {found})"
    return found


def _of_doubles(quantity: Quantity, parts: list[SmtTerm], found: Range, guards: tuple[str, ...]) -> SmtTerm:
    if quantity.op in ("%", "rem") or (quantity.op in ("min", "max") and any(part.whole for part in parts)):
        raise InputError(f"{quantity} cannot be written in SMT-LIB for floats")
    if quantity.op == "/" and all(part.whole for part in parts):
        one, other = (part.text for part in parts)
        exact = f"({_DOUBLE} RNE (/ (to_real {one}) (to_real {other})))"
        return SmtTerm(exact, False, found, (*guards, f"(not (= {other} 0))"))
    texts = [_double(part) for part in parts]
    match quantity.op:
        case "/":
            text, guards = f"(fp.div RNE {texts[0]} {texts[1]})", (*guards, f"(not (fp.isZero {texts[1]}))")
        case "abs" | "sqrt":
            text = f"({'fp.abs' if quantity.op == 'abs' else 'fp.sqrt RNE'} {texts[0]})"
        case "min" | "max":
            guards += tuple(f"(not (fp.isNaN {text}))" for text in texts)
            text = _extreme("fp.lt" if quantity.op == "min" else "fp.gt", texts)
        case _:
            text = f"({_FP_OF[quantity.op]} {texts[0]} {texts[1]})"
    return SmtTerm(text, False, found, guards)


def _double(part: SmtTerm) -> str:
    if not part.whole:
        return part.text
    return _as_double(part) or f"({_DOUBLE} RNE (to_real {part.text}))"


def _to_integer(part: SmtTerm, found: Range, guards: tuple[str, ...]) -> SmtTerm:
    if part.whole:
        return part
    guards += (f"(not (fp.isInfinite {part.text}))", f"(not (fp.isNaN {part.text}))")
    return SmtTerm(f"(to_int (fp.to_real (fp.roundToIntegral RTZ {part.text})))", True, found, guards)


def _decimal_length(text: str) -> str:
    """Write the length of an integer in decimal notation. ``str.from_int`` writes no negative numbers."""
    return f"(+ (str.len (str.from_int (abs {text}))) (ite (< {text} 0) 1 0))"


def _bits(quantity: Quantity, parts: list[SmtTerm]) -> str:
    """Write an operation on the bits of integers, in two's complement."""
    first, last = parts[0], parts[-1]
    if quantity.op == "wrap":
        _, bits, signed = quantity.parts
        half = 2 ** (bits - 1)
        return f"(- (mod (+ {first.text} {half}) {2 * half}) {half})" if signed else f"(mod {first.text} {2 * half})"
    if quantity.op in ("<<", ">>"):
        return _shift(quantity, first, last)
    if quantity.op == "&" and isinstance(quantity.parts[1], int) and quantity.parts[1] >= 0:
        return _mask(first.text, quantity.parts[1])
    return _use_bit_vectors(quantity, first, last)


def _mask(text: str, mask: int) -> str:
    """Write ``text & mask`` as a sum over the runs of ones in the mask.

    The sum uses divisions and remainders, because solvers handle them better than bit vectors.
    """
    runs = [(run.start(), run.end()) for run in re.finditer("1+", f"{mask:b}"[::-1])]
    found = [f"(* {2**low} (mod (div {text} {2**low}) {2 ** (high - low)}))" for low, high in runs]
    return "0" if not found else found[0] if len(found) == 1 else f"(+ {' '.join(found)})"


def _shift(quantity: Quantity, first: SmtTerm, by: SmtTerm) -> str:
    if by.range.low < 0 or by.range.high - by.range.low >= MAX_SHIFT_VALUES:
        raise InputError(
            f"{quantity} cannot be written in SMT-LIB: it must shift by at most {MAX_SHIFT_VALUES} different values, "
            "none of them negative"
        )
    low, high = int(by.range.low), int(by.range.high)
    operator = "*" if quantity.op == "<<" else "div"
    found = f"({operator} {first.text} {2**high})"
    for count in range(high - 1, low - 1, -1):
        found = f"(ite (= {by.text} {count}) ({operator} {first.text} {2**count}) {found})"
    return found


def _use_bit_vectors(quantity: Quantity, first: SmtTerm, last: SmtTerm) -> str:
    ranges = (first.range, last.range)
    if not all(one.finite for one in ranges):
        raise InputError(f"{quantity} cannot be written in SMT-LIB: it needs integers with bounds")
    width = 1 + max(int(abs(end)).bit_length() for one in ranges for end in (one.low, one.high))
    name = {"&": "bvand", "|": "bvor", "^": "bvxor"}[quantity.op]
    found = f"(bv2nat ({name} ((_ int2bv {width}) {first.text}) ((_ int2bv {width}) {last.text})))"
    return f"(- (mod (+ {found} {2 ** (width - 1)}) {2**width}) {2 ** (width - 1)})"
