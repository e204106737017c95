"""Numbers as fields: an interval, the exceptional values in it, and the symmetric-log axis.

Failures occur at human scale and at exceptional values, and rarely elsewhere. So one sample in eight is an exceptional
value. The others are drawn on two scales. In a short interval: uniformly, and uniformly on the compressed axis. In
a long one: uniformly on that axis and, mostly, on that axis compressed once more; the first alone would put half of all
64-bit floats beyond 1e154.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rootward.errors import InputError
from rootward.space import compression as axis
from rootward.space import exceptional_values as dictionary
from rootward.space.fields import MISFIT, Kind, Scale, show
from rootward.space.keys import canonical
from rootward.space.values import scalar, to_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_EVEN_INTEGERS = 256  # an interval of at most this many integers is sampled uniformly
_TOLERANCE = Fraction(1, 10**9)  # in steps: a multiple of a step that was computed may be slightly off
MAX_HUMAN_PLACE = 21.0  # intervals up to this place on the axis, about a million, are at human scale
MAX_EVEN_PLACE = 65.0  # up to here are 64-bit integers; uniform samples of longer intervals would all be astronomical


class _Number(Kind):
    """The base class of integers and floats. ``span`` holds the finite ends of the compressed axis."""

    ordered: ClassVar[bool] = True
    span: tuple[float, float]
    listed: bool
    """True if the values to try were given, and do not come from the dictionary."""

    def compress(self, member: Any) -> float:
        """Return the place of a member on the symmetric-log axis; NaN and infinities stay unchanged."""
        return axis.compress(float(member))

    def compress_many(self, members: Any) -> NDArray[np.float64]:
        """Compress each member, with the same result as ``compress`` to the last bit."""
        return axis.compress_many(members)

    def sample(self, rng: np.random.Generator) -> Any:
        """Return a random member. It is sometimes an exceptional value, but mostly a value at human scale."""
        if rng.random() < 1 / 8:
            return self.values[int(rng.integers(len(self.values)))]
        human = rng.random() < (1 / 2 if self._is_short else 3 / 4)
        return self.at(float(rng.random()), scale="human" if human else "broad")

    def at(self, share: float, *, scale: Scale) -> Any:
        """Return the member at the fraction ``share`` of the way from one end to the other, measured on ``scale``."""
        low, high = self.span
        if scale == "broad":
            return self.decompress(low + (high - low) * share)
        even = self._is_short or (scale == "even" and self._within(MAX_EVEN_PLACE))
        there, back = (axis.decompress, axis.compress) if even else (axis.compress, axis.decompress)
        return self.decompress(back(there(low) + (there(high) - there(low)) * share))

    @property
    def _is_short(self) -> bool:
        return self._within(MAX_HUMAN_PLACE)

    def _within(self, distance: float) -> bool:
        low, high = self.span
        return low >= -distance and high <= distance

    def _try(self, given: Iterable[object] | None, default: tuple[object, ...]) -> None:
        """Set ``values`` in ascending order.

        These are the values in ``given``, after a check. If ``given`` is None, these are the values in ``default``.
        """
        self.__dict__["listed"] = given is not None
        if given is None:
            self.__dict__["values"] = default
            return
        members = [self.coerce(value, "values") for value in given]
        if not members:
            raise InputError("a field needs at least one value, but none is given")
        if len(set(map(canonical, members))) < len(members):
            raise InputError(f"a value is given twice in {show(members)}")
        self.__dict__.update(values=tuple(sorted(members, key=dictionary.order)))


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Int(_Number):
    """The integers ``lo..hi``, by default all machine integers with ``bits`` bits (1 to 64).

    Compressing and decompressing is exact up to ``2**48`` and at both ends; elsewhere the relative error is at most
    ``2**-47``.
    """

    whole: ClassVar[bool] = True
    values: tuple[int, ...]
    lo: int
    hi: int
    bits: int
    signed: bool

    def __init__(
        self,
        lo: int | None = None,
        hi: int | None = None,
        bits: int = 32,
        signed: bool = True,
        values: Iterable[int] | None = None,
    ) -> None:
        if not 1 <= _integer("bits", bits) <= 64:
            raise InputError(f"bits = {bits}: expected 1 to 64")
        least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        lo = least if lo is None else _integer("lo", lo)
        hi = most if hi is None else _integer("hi", hi)
        _refuse_empty(lo, hi)
        if not least <= lo <= hi <= most:
            width = f"{'signed' if signed else 'unsigned'} integers of {bits} bits"
            raise InputError(f"{lo}..{hi} does not fit in {width} ({least}..{most}): give bits= and signed=")
        span = axis.compress(float(lo)), axis.compress(float(hi))
        self.__dict__.update(lo=lo, hi=hi, bits=int(bits), signed=bool(signed), span=span)
        self._try(values, dictionary.integers(lo, hi))

    @property
    def size(self) -> int:
        return self.hi - self.lo + 1

    def fit(self, value: object) -> Any:
        if type(value) is not int:
            value = scalar(value)
            if isinstance(value, bool) or not isinstance(value, int):
                return MISFIT
            value = int(value)
        return value if self.lo <= value <= self.hi else MISFIT

    def middle(self, low: int, high: int) -> int:
        """Return the member halfway between ``low`` and ``high``.

        If no member is between them, return one of the two.
        """
        return (low + high) // 2

    def decompress(self, place: float) -> int:
        """Return the member nearest to the value at ``place``."""
        low, high = self.span
        if math.isnan(place):
            raise InputError(f"NaN is not a place on the axis of {self}")
        if place >= high:
            return self.hi
        return self.lo if place <= low else round(axis.decompress(place))

    def decompress_many(self, places: Any) -> NDArray[Any]:
        """Decompress each place; return 64-bit integers."""
        import numpy as np

        given = np.asarray(places, dtype=np.float64)
        if np.isnan(given).any():
            raise InputError(f"NaN is not a place on the axis of {self}")
        low, high = self.span
        members = np.full(given.shape, self.lo, np.int64 if self.hi < 2**63 else np.uint64)
        inner = (given > low) & (given < high)
        members[given >= high] = self.hi
        members[inner] = np.rint(axis.decompress_many(given[inner])).astype(members.dtype)
        return members

    def sample(self, rng: np.random.Generator) -> int:
        """Return a random member.

        If there are few members, all are equally likely. Otherwise, the result is sometimes an exceptional value, but
        mostly a value at human scale.
        """
        return self.lo + int(rng.integers(self.size)) if self.size <= MAX_EVEN_INTEGERS else int(super().sample(rng))

    def at(self, share: float, *, scale: Scale) -> int:
        """Return the member at the fraction ``share`` of the way from one end to the other.

        A small interval has only the even scale.
        """
        return (
            self.lo + int(self.size * share) if self.size <= MAX_EVEN_INTEGERS else int(super().at(share, scale=scale))
        )

    def to_dict(self) -> dict[str, Any]:
        bounds = {"lo": to_json(self.lo), "hi": to_json(self.hi), "bits": self.bits, "signed": self.signed}
        default = self.values == dictionary.integers(self.lo, self.hi)
        return {"kind": "Int", **bounds, "values": None if default else [to_json(value) for value in self.values]}

    def __str__(self) -> str:
        full = self.size == 1 << self.bits
        return f"integer ({'' if self.signed else 'u'}int{self.bits})" if full else f"integer {self.lo}..{self.hi}"


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Float(_Number):
    """The floats ``lo..hi`` of 32 or 64 bits. An integer stands for the float with the same value.

    NaN is a member only if there is no bound, because NaN satisfies no bound. An infinity is a member unless a bound
    excludes it. With 32 bits, every value and every bound is rounded to the nearest 32-bit float. Compressing and
    decompressing is exact for 32 bits; for 64 bits, the relative error is at most ``2**-43``.

    With ``step``, only multiples of the step are members. Use it for a quantity of which more digits are of no
    interest. Then both bounds must be given; they are moved inwards to multiples.
    """

    values: tuple[float, ...]
    lo: float | None
    hi: float | None
    bits: Literal[32, 64]
    step: float | None

    def __init__(
        self,
        lo: float | None = None,
        hi: float | None = None,
        bits: int = 64,
        values: Iterable[float] | None = None,
        step: float | None = None,
    ) -> None:
        if bits not in (32, 64):
            raise InputError(f"bits = {show(bits)}: expected 32 or 64")
        lo, hi = _bound("lo", lo, bits), _bound("hi", hi, bits)
        self.__dict__.update(lo=lo, hi=hi, bits=int(bits), step=step)
        if step is not None:
            self._refuse_step(step)
            self.__dict__.update(lo=self.multiple(self.steps[0]), hi=self.multiple(self.steps[1]))
        bottom, top = self._ends
        _refuse_empty(bottom, top)
        self.__dict__.update(span=(axis.compress(bottom), axis.compress(top)))
        self._try(values, self._dictionary)

    def _refuse_step(self, step: object) -> None:
        if isinstance(step, bool) or not isinstance(step, int | float) or not (step > 0 and math.isfinite(step)):
            raise InputError(f"step = {show(step)}: expected a number above 0")
        if self.lo is None or self.hi is None or not math.isfinite(self.hi - self.lo):
            raise InputError(f"step = {step}: give lo and hi as well")
        largest = max(abs(self.lo), abs(self.hi))
        if self.bits == 32 or step < largest * 2.0**-40:
            raise InputError(f"step = {step}: too fine for floats of {self.bits} bits up to {largest}")
        if self.steps[0] > self.steps[1]:
            raise InputError(f"step = {step}: no multiple of it lies between {self.lo} and {self.hi}")

    @property
    def _dictionary(self) -> tuple[float, ...]:
        """The exceptional values. For a field with steps, these are the members nearest to the exceptional values."""
        found = dictionary.floats(self.lo, self.hi, self.bits)
        return found if self.step is None else tuple(dict.fromkeys(map(self.nearest, found)))

    @cached_property
    def _unit(self) -> Fraction:
        """The step as it is written: 0.01 is exactly a hundredth here, not the float nearest to it."""
        return Fraction(repr(self.step))

    @cached_property
    def steps(self) -> tuple[int, int]:
        """The number of steps from 0 to the first member, and from 0 to the last one. Only for a field with steps."""
        assert self.lo is not None
        assert self.hi is not None
        first, last = (Fraction(end) / self._unit for end in (self.lo, self.hi))
        return math.ceil(first - _TOLERANCE), math.floor(last + _TOLERANCE)

    def multiple(self, steps: int) -> float:
        """Return this multiple of the step."""
        return float(steps * self._unit)

    def steps_to(self, value: float) -> int:
        """Return the number of steps from 0 to the member nearest to a finite number."""
        first, last = self.steps
        return min(max(round(Fraction(value) / self._unit), first), last)

    def nearest(self, value: float) -> float:
        """Return the member nearest to a finite number."""
        return value if self.step is None else self.multiple(self.steps_to(value))

    @property
    def _ends(self) -> tuple[float, float]:
        """The finite ends of the interval."""
        most = dictionary.largest(self.bits)
        return -most if self.lo is None else max(self.lo, -most), most if self.hi is None else min(self.hi, most)

    @property
    def size(self) -> int:
        """The number of members. The two zeros count as two members, all NaNs as one."""
        if self.step is not None:
            return self.steps[1] - self.steps[0] + 1
        bottom = -math.inf if self.lo is None else self.lo or -0.0
        top = math.inf if self.hi is None else self.hi or 0.0
        count = dictionary.ordinal(top, self.bits) - dictionary.ordinal(bottom, self.bits) + 1
        return count + (self.lo is None and self.hi is None)

    def fit(self, value: object) -> Any:
        member = _real(value, self.bits)
        if member is MISFIT or (member != member and (self.lo is not None or self.hi is not None)):
            return MISFIT
        below = self.lo is not None and member < self.lo
        above = self.hi is not None and member > self.hi
        if below or above:
            return MISFIT
        return member if self.step is None else self._fit_step(member, self.step)

    def _fit_step(self, value: float, step: float) -> Any:
        """Return the multiple of the step that the value stands for. Return MISFIT if there is none."""
        near = self.nearest(value)
        return near if abs(near - value) <= _TOLERANCE * step else MISFIT

    def middle(self, low: float, high: float) -> float:
        """Return the member halfway between ``low`` and ``high``.

        If no member is between them, return one of the two.
        """
        return self.nearest(dictionary.narrow(low / 2 + high / 2, self.bits))

    def decompress(self, place: float) -> float:
        """Return the member nearest to the value at ``place``.

        If ``place`` is NaN or infinite, it must itself be a member.
        """
        if not math.isfinite(place):
            return float(self.coerce(place))
        (low, high), (bottom, top) = self.span, self._ends
        if place > high or place == high != 0:  # at an end, the end itself; but zero is exact, and keeps its sign
            return top
        if place < low or place == low != 0:
            return bottom
        return self.nearest(dictionary.narrow(axis.decompress(place), self.bits))

    def decompress_many(self, places: Any) -> NDArray[Any]:
        """Decompress each place; return 64-bit floats."""
        import numpy as np

        given = np.asarray(places, dtype=np.float64)
        for special in np.unique(given[~np.isfinite(given)]):
            self.coerce(special)
        (low, high), (bottom, top) = self.span, self._ends
        members = axis.decompress_many(given)
        finite = np.isfinite(given)
        members[finite & ((given > high) | ((given == high) & (high != 0)))] = top
        members[finite & ((given < low) | ((given == low) & (low != 0)))] = bottom
        if self.step is not None:
            members = np.array([self.nearest(float(member)) for member in members.flat]).reshape(given.shape)
        return members if self.bits == 64 else members.astype(np.float32).astype(np.float64)

    def to_dict(self) -> dict[str, Any]:
        values = None if self.values == self._dictionary else [to_json(value) for value in self.values]
        bounds = {"lo": to_json(self.lo), "hi": to_json(self.hi), "bits": self.bits}
        return {"kind": "Float", **bounds, "values": values, **({} if self.step is None else {"step": self.step})}

    def __str__(self) -> str:
        if self.lo is None and self.hi is None:
            return f"number (float{self.bits})"
        if self.lo is None or self.hi is None:
            return f"number <= {self.hi}" if self.lo is None else f"number >= {self.lo}"
        return f"number {self.lo}..{self.hi}{'' if self.step is None else f' in steps of {self.step}'}"


def _real(value: object, bits: int) -> Any:
    """Return the float with ``bits`` bits that a number stands for.

    Returns MISFIT if the value is not a number, or is too large.
    """
    if type(value) is not float:
        value = scalar(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return MISFIT
        try:
            value = float(value)
        except OverflowError:
            return MISFIT
    narrowed = dictionary.narrow(value, bits)
    return MISFIT if math.isinf(narrowed) and not math.isinf(value) else narrowed


def _bound(name: str, value: object, bits: int) -> float | None:
    bound = None if value is None else _real(value, bits)
    if bound is MISFIT or bound != bound:
        raise InputError(f"{name} = {show(value)}: expected a number that fits in a float of {bits} bits, or None")
    return bound


def _integer(name: str, value: object) -> int:
    found = scalar(value)
    if isinstance(found, bool) or not isinstance(found, int):
        raise InputError(f"{name} = {show(value)} ({type(value).__name__}): expected an integer")
    return int(found)


def _refuse_empty(lo: float, hi: float) -> None:
    if lo > hi:
        raise InputError(f"lo = {lo} is above hi = {hi}: nothing lies between them")
