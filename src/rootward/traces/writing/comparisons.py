"""What two operands make: a sum of constants, or a comparison, which is a guard or known at once."""

from __future__ import annotations

from dataclasses import dataclass

from rootward.traces.guard import FALSE, TRUE, Bound, Const, Guard, Param, Term, Test, Value, Var, compare
from rootward.traces.writing.tokens import Span

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Clock:
    name: str


Operand = Term | Clock | Span


def microseconds(value: int | Span) -> int:
    """A plain number means milliseconds."""
    return value.microseconds if isinstance(value, Span) else value * 1000


def added(first: Operand, sign: int, second: Operand) -> Operand:
    values = [one.value if isinstance(one, Const) else one for one in (first, second)]
    if any(not isinstance(one, int | Span) for one in values):
        raise ValueError("only numbers and spans of time can be added")
    if all(isinstance(one, int) for one in values):
        return Const(values[0] + sign * values[1])  # type: ignore[operator]
    ends = [microseconds(one) for one in values]  # type: ignore[arg-type]
    return Span(ends[0] + sign * ends[1])


def member(left: Operand, op: str, values: tuple[Value, ...]) -> Guard:
    if isinstance(left, Clock | Span):
        raise ValueError("a time is compared with < <= > >= = !=, not with a list")
    if isinstance(left, Const):
        return TRUE if compare(left.value, op, values) else FALSE
    return ((Test(left, op, values),),)


def compared(left: Operand, op: str, right: Operand) -> Guard:
    if isinstance(right, Clock) or (isinstance(left, Const | Span) and not isinstance(right, Const | Span)):
        left, op, right = right, _TURNED[op], left
    if isinstance(left, Clock):
        return _bounded(left.name, op, right)
    if isinstance(left, Const | Span) and isinstance(right, Const | Span):
        return TRUE if _known(left, op, right) else FALSE
    if isinstance(left, Span) or not isinstance(right, Const | Var | Param):
        raise ValueError("a span of time is compared with a clock only")
    return ((Test(left, op, right),),)


def _known(left: Const | Span, op: str, right: Const | Span) -> bool:
    values = [one.value if isinstance(one, Const) else one for one in (left, right)]
    if any(isinstance(one, Span) for one in values):
        values = [one if isinstance(one, str) else microseconds(one) for one in values]
    return compare(values[0], op, values[1])  # type: ignore[arg-type]


def _bounded(clock: str, op: str, right: Operand) -> Guard:
    value = right.value if isinstance(right, Const) else right
    if not isinstance(value, int | Span):
        said = getattr(right, "name", value)
        raise ValueError(f"the clock {clock} is compared with a span of time such as 50ms, not with {said}")
    limit = microseconds(value)
    if op == "=":
        return ((Bound(clock, "<=", limit), Bound(clock, ">=", limit)),)
    if op == "!=":
        return ((Bound(clock, "<", limit),), (Bound(clock, ">", limit),))
    return ((Bound(clock, op, limit),),)
