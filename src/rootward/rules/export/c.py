"""Write rules as C expressions that hold for exactly the same values. They need ``<math.h>``, ``<stdint.h>`` and
``<string.h>``.

A rule computes with integers of any size and with doubles; C's integers are limited. So every integer expression is
computed in ``int64_t``, or in ``__int128`` if its range in the space requires it, and every float in ``double``. If
neither is exact, the rule is rejected. An expression has *guards*: conditions without which it is undefined. Without
a space, all numbers are treated as doubles. The compiler must follow IEEE 754: no ``-ffast-math``, no contraction.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rootward.errors import InputError
from rootward.rules.arithmetic import Number
from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.constants import doubles_around, is_nan, is_negative_zero, kind
from rootward.rules.derivation import expand_or_refuse
from rootward.rules.quantity import Part, Quantity
from rootward.rules.ranges import Range, field_of, range_of
from rootward.rules.terms import Literal, Term
from rootward.space.fields import Bool, Text
from rootward.space.numeric_fields import Float, Int

if TYPE_CHECKING:
    from rootward.space.space import Field, Space

MAX_EXACT_INTEGER = 2**53
"""All integers up to this one are exact as doubles."""
_WIDTHS = {"int64_t": 63, "__int128": 127}
_LITERAL = re.compile(r"-?\d+(LL|ULL)?")
_C_OPERATOR = {"=": "==", "!=": "!=", **{op: op for op in ORDERINGS}}


@dataclass(frozen=True)
class CExpression:
    """A C expression. ``type`` is an integer type or double; ``integral`` marks a double whose value is an integer."""

    text: str
    type: str
    range: Range
    guards: tuple[str, ...] = ()
    integral: bool = False
    name: str = ""  # the name of a field, without the cast


class CSource:
    """Writes rules over a space as C."""

    def __init__(self, space: Space | None, fields: Iterable[str]) -> None:
        self.space = space
        self.names = _identifiers(fields)

    def rule(self, terms: Sequence[Term]) -> str:
        if not terms:
            return "0"
        return _either([self._term(term) for term in terms])

    def _term(self, term: Term) -> str:
        return _all([self._literal(literal) for literal in term])

    def _literal(self, literal: Literal) -> str:
        return _either([_all([self.atom(atom) for atom in one]) for one in literal.alternatives])

    def atom(self, atom: Atom) -> str:
        """Write the condition that is true where the atom holds."""
        if isinstance(atom.field, Quantity):
            if atom.field.is_derived:
                return self.atom(Atom(expand_or_refuse(atom.field, "C"), atom.op, atom.value))
            if atom.field.is_comparison:
                holds = self.predicate(atom.field) if atom.field.is_predicate else self.comparison(atom.field)
                return holds if atom.value is (atom.op == "=") else f"!({holds})"
            return _compare(self.number(atom.field), atom.op, atom.value)
        return self._field_atom(atom, self.names[atom.field])

    def _field_atom(self, atom: Atom, name: str) -> str:
        field = field_of(atom.field, self.space)
        of = kind(atom.value)
        if field is not None and of != _kind_of(field, atom.field):
            return "1" if atom.op == "!=" else "0"
        if of == "bool":
            return name if atom.value is (atom.op == "=") else f"!{name}"
        if of == "text":
            return f"strcmp({name}, {_text(atom.value)}) {_C_OPERATOR[atom.op]} 0"
        if of == "other":
            raise InputError(f"{atom} cannot be written in C: expected numbers, text and bools")
        return _compare(self._bare(atom.field), atom.op, atom.value)

    def _bare(self, field: str) -> CExpression:
        """Return a field without a cast. It needs no cast if it is compared directly with a constant in its range."""
        found = range_of(field, self.space)
        return CExpression(self.names[field], "int64_t" if found.whole else "double", found)

    def _leaf(self, field: str, found: Range) -> CExpression:
        of, name = _type(found, field) if found.whole else "double", self.names[field]
        held = field_of(field, self.space)
        is_double = isinstance(held, Float) and held.bits == 64
        return CExpression(name if is_double else f"({of}){name}", of, found, name=name)

    def predicate(self, quantity: Quantity) -> str:
        """Write a predicate. Text is UTF-8 without NUL, so only whole parts of a text can be compared."""
        first, other = quantity.parts
        name = self.names[first]
        if isinstance(other, str):
            return self._same_fields(first, other)
        if quantity.op == "any" and other.text.isascii() and "\0" not in other.text:
            return f"strpbrk({name}, {_text(other.text)}) != NULL"
        if "\0" in other.text or quantity.op not in ("contains", "starts", "ends"):
            raise InputError(f"{quantity} cannot be written in C")
        constant, size = _text(other.text), len(other.text.encode("utf-8", "surrogatepass"))
        if quantity.op == "contains":
            return f"strstr({name}, {constant}) != NULL"
        if quantity.op == "starts":
            return f"strncmp({name}, {constant}, {size}) == 0"
        end = f"strcmp({name} + strlen({name}) - {size}, {constant}) == 0"
        return f"(strlen({name}) >= {size} && {end})"

    def _same_fields(self, first: str, other: str) -> str:
        fields = [field_of(name, self.space) for name in (first, other)]
        kinds = {_kind_of(field, name) for field, name in zip(fields, (first, other), strict=True) if field is not None}
        if None in fields or len(kinds) > 1:
            raise InputError(f"{first} = {other} cannot be written in C: it needs a space, and fields of the same kind")
        one, two = self.names[first], self.names[other]
        return f"strcmp({one}, {two}) == 0" if kinds == {"text"} else f"{one} == {two}"

    def comparison(self, quantity: Quantity) -> str:
        left, right = (self.number(part) for part in quantity.parts)
        guards = (*left.guards, *right.guards)
        one, other = _comparable(left, right)
        if quantity.op == "!=":
            return f"!({_all([*guards, f'{one} == {other}'])})" if guards else f"{one} != {other}"
        return _all([*guards, f"{one} {quantity.op} {other}"])

    def number(self, part: Part) -> CExpression:
        """Write a part of a quantity, in parentheses if it needs them."""
        found = range_of(part, self.space)
        if not isinstance(part, str):
            return CExpression(_number(part), _type(found, part) if found.whole else "double", found)
        if not isinstance(part, Quantity):
            return self._leaf(part, found)
        if not part.fields:
            return self.number(part.of({}))
        if part.op == "len":
            raise InputError(f"{part} cannot be written in C: a text in C has bytes, and a character may have several")
        return _compute(part, [self.number(one) for one in part.parts if not isinstance(one, bool)], found)


def c_expression(terms: Sequence[Term], space: Space | None, fields: Iterable[str]) -> str:
    return CSource(space, fields).rule(terms)


def _identifiers(fields: Iterable[str]) -> dict[str, str]:
    """Return a C identifier for each field.

    It is the name of the field, with underscores in place of characters that C does not allow.
    """
    found: dict[str, str] = {}
    for field in fields:
        name = re.sub(r"\W", "_", field, flags=re.ASCII)
        found[field] = f"_{name}" if not name or name[0].isdigit() or _KEYWORDS.fullmatch(name) else name
    if len(set(found.values())) < len(found):
        raise InputError(f"two of the fields {', '.join(sorted(found))} have the same name in C: rename one")
    return found


_KEYWORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|"
    "bool|true|false|asm|typeof|INFINITY|NAN|isnan|isinf|fabs|fmod|fmin|fmax|abs|labs|llabs|strcmp|strlen|strncmp|strpbrk|strstr|trunc"
)


def _kind_of(field: Field, name: str) -> str:
    """Return the kind of the values of a field."""
    if isinstance(field, Int | Float):
        return "number"
    if isinstance(field, Bool | Text):
        return "bool" if isinstance(field, Bool) else "text"
    kinds = set(map(kind, field.values))
    if len(kinds) > 1 or "other" in kinds:
        raise InputError(
            f"{name} is {field}, which cannot be written in C: expected only numbers, only text, or only bools"
        )
    return kinds.pop()


def _compare(one: CExpression, op: str, constant: Number) -> str:
    """Write the comparison of an expression with a constant."""
    if op == "!=":
        return (
            f"!({_compare(one, '=', constant)})" if one.guards or _is_special(constant) else _plain(one, op, constant)
        )
    if is_nan(constant):
        found = f"isnan({one.text})" if one.type == "double" else "0"
        return _either([found, *(f"!({guard})" for guard in one.guards)]) if op == "=" else "0"
    if is_negative_zero(constant) and op == "=":
        return _all([*one.guards, f"{one.text} == 0", f"signbit({one.text})"]) if one.type == "double" else "0"
    return _all([*one.guards, _plain(one, op, constant)])


def _is_special(constant: object) -> bool:
    return is_nan(constant) or is_negative_zero(constant)


def _plain(one: CExpression, op: str, constant: Number) -> str:
    """Write a comparison without guards.

    If the type of the expression cannot represent the constant, a neighbour of the constant is used instead.
    """
    below, above = _integers(constant) if one.range.whole and not one.integral else doubles_around(constant)
    if below != above:
        if op in ("=", "!="):
            return "0" if op == "=" else "1"
        op = op[0] + "="
    limit = below if op[0] == "<" else above
    if one.range.whole and not one.integral and not one.range.low <= limit <= one.range.high:
        beyond = (limit > one.range.high) == (op[0] == "<")
        return "1" if op == "!=" or (op != "=" and beyond) else "0"
    return f"{one.text} {_C_OPERATOR[op]} {_number(limit)}"


def _integers(constant: Number) -> tuple[Number, Number]:
    if isinstance(constant, float) and math.isinf(constant):
        return constant, constant
    return math.floor(constant), math.ceil(constant)


def _number(value: Number) -> str:
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
        return repr(value)
    if -(2**31) < value < 2**31:
        return str(value)
    if -(2**63) < value < 2**63:
        return f"{value}LL"
    if 0 < value < 2**64:
        return f"{value}ULL"
    high, low = divmod(value, 2**62)
    return f"((__int128){_number(high)} * {2**62}LL + {low}LL)"


def _text(value: str) -> str:
    if not value.isascii() or not value.isprintable():
        return '"' + "".join(f"\\{byte:03o}" for byte in value.encode("utf-8", "surrogatepass")) + '"'
    return json.dumps(value)


def _type(found: Range, what: object) -> str:
    """Return the integer type that can represent a range."""
    for name, bits in _WIDTHS.items():
        if found.within(-(2**bits), 2**bits - 1):
            return name
    raise InputError(f"{what} cannot be written in C: it can be an integer of more than 128 bits")


def _comparable(left: CExpression, right: CExpression) -> tuple[str, str]:
    """Cast both expressions to a type in which their comparison is exact."""
    if left.type != "double" and right.type != "double":
        if any(one.text.endswith("ULL") for one in (left, right)):  # it would make a negative number unsigned
            return _cast(left, "__int128"), _cast(right, "__int128")
        return left.text, right.text
    for one in (left, right):
        if one.type != "double" and not one.range.within(-(2**64), 2**64):
            raise InputError(
                f"the comparison of {one.text} with a float cannot be written in C: it needs more than 64 bits"
            )
    wide = any(
        one.type != "double" and not one.range.within(-MAX_EXACT_INTEGER, MAX_EXACT_INTEGER) for one in (left, right)
    )
    of = "long double" if wide else "double"
    return _cast(left, of), _cast(right, of)


def _cast(one: CExpression, of: str) -> str:
    if _LITERAL.fullmatch(one.text):
        return repr(float(one.range.low)) if of == "double" and one.type != of else one.text
    return one.text if one.type == of else f"({of}){one.name or one.text}"


def _either(conditions: Sequence[str]) -> str:
    kept = [one for one in dict.fromkeys(conditions) if one != "0"]
    if "1" in kept:
        return "1"
    return " || ".join(f"({one})" if "&&" in one and len(kept) > 1 else one for one in kept) or "0"


def _all(conditions: Sequence[str]) -> str:
    kept = [one for one in dict.fromkeys(conditions) if one != "1"]
    if "0" in kept:
        return "0"
    return " && ".join(f"({one})" if "||" in one and len(kept) > 1 else one for one in kept) or "1"


# Computing


def _compute(quantity: Quantity, parts: list[CExpression], found: Range) -> CExpression:
    guards = tuple(dict.fromkeys(guard for part in parts for guard in part.guards))
    if any(part.integral for part in parts) and quantity.op != "wrap":
        raise InputError(f"{quantity} cannot be written in C: it needs integers without a bound")
    if quantity.op == "len_str":
        return _decimal_length(quantity, parts[0], found, guards)
    if quantity.op == "int":
        return _to_integer(quantity, parts[0], found, guards)
    if quantity.op == "wrap":
        return _wrap(quantity, parts[0], found, guards)
    if quantity.op in ("&", "|", "^", "<<", ">>") and any(part.type == "double" for part in parts):
        raise InputError(f"{quantity} cannot be written in C for floats, or without a space: it needs integers")
    if found.whole and all(part.type != "double" for part in parts):
        return _of_integers(quantity, parts, found, guards)
    return _of_doubles(quantity, parts, found, guards)


def _of_integers(quantity: Quantity, parts: list[CExpression], found: Range, guards: tuple[str, ...]) -> CExpression:
    names = {part.type for part in parts} | {_type(found, quantity)}
    of = "__int128" if "__int128" in names else "int64_t"
    texts = [_cast(part, of) for part in parts]
    first, last = texts[0], texts[-1]
    match quantity.op:
        case "+" | "-" | "*" | "&" | "|" | "^":
            text = f"({first} {quantity.op} {last})"
        case "%":
            text = f"(({first} % {last} + {last}) % {last})"
            guards += _not_zero(parts[1], last)
        case "rem":
            text = f"({first} % {last})"
            guards += _not_zero(parts[1], last)
        case "<<":
            text = f"({first} * (({of})1 << {last}))"
        case ">>":
            most = _WIDTHS[of]
            text = (
                f"({first} >> {last})" if parts[1].range.high <= most else f"({first} >> {_minimum(last, str(most))})"
            )
        case "abs":
            text = f"({first} < 0 ? -{first} : {first})"
        case _:
            text = _extreme(quantity.op, texts)
    return CExpression(text, of, found, guards)


def _not_zero(divisor: CExpression, text: str) -> tuple[str, ...]:
    return (f"{text} != 0",) if divisor.range.low <= 0 <= divisor.range.high else ()


def _minimum(one: str, other: str) -> str:
    return f"({one} < {other} ? {one} : {other})"


def _extreme(op: str, texts: Sequence[str]) -> str:
    found, *rest = texts
    for text in rest:
        found = f"({text} {'<' if op == 'min' else '>'} {found} ? {text} : {found})"
    return found


def _of_doubles(quantity: Quantity, parts: list[CExpression], found: Range, guards: tuple[str, ...]) -> CExpression:
    if quantity.op in ("/", "min", "max"):
        _refuse_inexact(quantity, parts)
    texts = [_cast(part, "double") for part in parts]
    first, last = texts[0], texts[-1]
    match quantity.op:
        case "/":
            guards += _not_zero(parts[1], last)
            text = f"({first} / {last})"
        case "%":
            if parts[1].range.low < 0:
                raise InputError(f"{quantity} cannot be written in C for floats: {last} may be negative")
            guards += _not_zero(parts[1], last)
            text = f"(fmod({first}, {last}) + (fmod({first}, {last}) < 0 ? {last} : 0.0))"
        case "rem":
            guards += _not_zero(parts[1], last)
            text = f"fmod({first}, {last})"
        case "abs" | "sqrt":
            text = f"{'fabs' if quantity.op == 'abs' else 'sqrt'}({first})"
        case "min" | "max":
            guards += tuple(f"!isnan({text})" for text, part in zip(texts, parts, strict=True) if part.range.undefined)
            text = _extreme(quantity.op, texts)
        case _:
            text = f"({first} {quantity.op} {last})"
    return CExpression(text, "double", found, guards)


def _refuse_inexact(quantity: Quantity, parts: Iterable[CExpression]) -> None:
    if any(part.type != "double" and not part.range.within(-MAX_EXACT_INTEGER, MAX_EXACT_INTEGER) for part in parts):
        raise InputError(f"{quantity} is not exact in C: it needs integers beyond 2**53 as doubles")


def _to_integer(quantity: Quantity, part: CExpression, found: Range, guards: tuple[str, ...]) -> CExpression:
    if part.type != "double":
        return part
    guards += () if part.range.finite and not part.range.undefined else (f"isfinite({part.text})",)
    if found.within(-(2**127), 2**127 - 1):
        of = _type(found, quantity)
        return CExpression(f"({of}){part.text}", of, found, guards)
    return CExpression(f"trunc({part.text})", "double", found, guards, integral=True)


def _decimal_length(quantity: Quantity, part: CExpression, found: Range, guards: tuple[str, ...]) -> CExpression:
    """Write the length of an integer in decimal notation: 1, plus 1 for each power of ten and the sign."""
    if part.type == "double" or not part.range.finite:
        raise InputError(f"{quantity} cannot be written in C for floats, or without a space: it needs integers")
    powers = [10**power for power in range(1, int(found.high))]
    steps = [f"({part.text} >= {_number(power)})" for power in powers if power <= part.range.high]
    steps += [f"({part.text} <= {_number(-power)})" for power in powers if -power >= part.range.low]
    steps += [f"({part.text} < 0)"] if part.range.low < 0 else []
    return CExpression(f"({' + '.join(['(int64_t)1', *steps])})", "int64_t", found, guards)


def _wrap(quantity: Quantity, part: CExpression, found: Range, guards: tuple[str, ...]) -> CExpression:
    _, bits, signed = quantity.parts
    if part.integral and bits < 63:
        held = Range(-(2**bits), 2**bits, whole=True, undefined=False)
        part = CExpression(f"(int64_t)fmod({part.text}, {float(2**bits)!r})", "int64_t", held)
    if part.type == "double" or bits > 126:
        raise InputError(f"{quantity} cannot be written in C: it needs an integer, and at most 126 bits")
    of = part.type if bits < _WIDTHS[part.type] else "__int128"
    if bits in (8, 16, 32, 64):
        return CExpression(f"({of})({'' if signed else 'u'}int{bits}_t){part.text}", of, found, guards)
    kept = f"({_cast(part, of)} & ((({of})1 << {bits}) - 1))"
    text = f"(({kept} ^ (({of})1 << {bits - 1})) - (({of})1 << {bits - 1}))" if signed else kept
    return CExpression(text, of, found, guards)
