"""Zones: sets of instants of which only the differences are bounded.

When nothing is certain about a clock except that it was reset "at most 50 ms after the request", the engine cannot keep
one number for it. It keeps a zone: for every two instants, an upper bound of their difference. (Timed automata call
this a difference bound matrix.) Each instant is a dimension with a name. The origin, instant 0, is a dimension too, so
an absolute bound such as ``reset <= 30`` is the difference ``reset - origin <= 30``. A lower bound of ``a - b`` is an
upper bound of ``b - a``.

A bound is encoded as one integer: twice the limit, plus 1 if the limit itself is allowed. So ``< 5`` is 10 and ``<= 5``
is 11: a smaller number is a tighter bound, and `add_bounds` adds them almost like integers.

A zone is never empty and is always in its tightest form: no bound could be lowered by combining two others. That
makes comparing (`within`) and dropping dimensions (`without`) simple. `restrict`, which adds a bound, restores the
tightest form with one pass over the table and returns None where nothing is left. A new operation has to keep both
properties.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

ORIGIN = "origin"
UNBOUNDED = 1 << 200
"""The bound of a difference that has none."""

Name = Hashable


def at_most(limit: int) -> int:
    return 2 * limit + 1


def less_than(limit: int) -> int:
    return 2 * limit


def negate_bound(bound: int) -> int:
    """Negate a bound: return the bound of ``b - a`` that holds exactly where the given bound of ``a - b`` does not."""
    return less_than(-(bound >> 1)) if bound & 1 else at_most(-(bound >> 1))


def add_bounds(one: int, two: int) -> int:
    """Return the bound of a sum.

    Its limit is the sum of the two limits. The limit itself is allowed if both bounds allow theirs.
    """
    if one >= UNBOUNDED or two >= UNBOUNDED:
        return UNBOUNDED
    return one + two - ((one | two) & 1)


class Zone:
    """A conjunction of bounds, never empty, immutable."""

    __slots__ = ("_bounds", "_hash", "names")

    def __init__(self, names: tuple[Name, ...] = (ORIGIN,), bounds: tuple[tuple[int, ...], ...] = ((1,),)) -> None:
        self.names, self._bounds = names, bounds
        self._hash = hash((names, bounds))

    @classmethod
    def unknown(cls, names: Iterable[Name], bound: int) -> Zone:
        """Return a zone of these dimensions with one upper bound for all of them, and nothing else known."""
        some = tuple(names)
        rows = (
            tuple(1 if i == j else bound if j == 0 else UNBOUNDED for j in range(len(some) + 1))
            for i in range(len(some) + 1)
        )
        return cls((ORIGIN, *some), tuple(rows)).sort_names()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Zone)
            and self._hash == other._hash
            and self._bounds == other._bounds
            and (self.names == other.names)
        )

    def __hash__(self) -> int:
        return self._hash

    def bound(self, one: Name, two: Name) -> int:
        """Return the upper bound of ``one - two``."""
        return self._bounds[self.names.index(one)][self.names.index(two)]

    def with_name(self, name: Name) -> Zone:
        """Return the zone with one more dimension, about which nothing is known."""
        rows = [(*row, UNBOUNDED) for row in self._bounds]
        return Zone((*self.names, name), (*rows, (*(UNBOUNDED for _ in self.names), 1)))

    def without(self, names: Iterable[Name]) -> Zone:
        """Return the zone without these dimensions; the bounds of the others stay."""
        gone = set(names)
        left = [place for place, name in enumerate(self.names) if name not in gone]
        rows = tuple([tuple([self._bounds[i][j] for j in left]) for i in left])
        return Zone(tuple([self.names[i] for i in left]), rows)

    def sort_names(self) -> Zone:
        """Return the same zone with the origin first and the other dimensions sorted by name."""
        order = sorted(range(len(self.names)), key=lambda place: (self.names[place] != ORIGIN, str(self.names[place])))
        if order == list(range(len(order))):
            return self
        rows = tuple(tuple(self._bounds[i][j] for j in order) for i in order)
        return Zone(tuple(self.names[i] for i in order), rows)

    def shift(self, span: int) -> Zone:
        """Return the zone with every instant moved later by a span."""
        origin = self.names.index(ORIGIN)
        rows = tuple(
            tuple(add_bounds(bound, at_most(span * ((j == origin) - (i == origin)))) for j, bound in enumerate(row))
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def allow_later(self, name: Name) -> Zone:
        """Return the zone in which this instant may be later than before, by any span."""
        p = self.names.index(name)
        rows = tuple(
            tuple(UNBOUNDED if i == p and j != p else bound for j, bound in enumerate(row))
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def allow_earlier(self, name: Name, after: Iterable[Name]) -> Zone:
        """Return the zone in which this instant may be earlier than before, by any span, but not before any of
        ``after``."""
        p, first = self.names.index(name), [self.names.index(one) for one in after]
        rows = tuple(
            tuple(
                min((row[k] for k in first), default=UNBOUNDED) if j == p and i != p else bound
                for j, bound in enumerate(row)
            )
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def restrict(self, one: Name, two: Name, bound: int) -> Zone | None:
        """Return the part in which ``one - two`` has this bound, or None if that is empty."""
        i, j = self.names.index(one), self.names.index(two)
        old = self._bounds
        if bound >= old[i][j]:
            return self
        if add_bounds(bound, old[j][i]) < 1:
            return None
        rows = [self._tighten_row(row, add_bounds(row[i], bound), old[j]) for row in old]
        return Zone(self.names, tuple(rows))

    @staticmethod
    def _tighten_row(row: tuple[int, ...], to: int, onward: tuple[int, ...]) -> tuple[int, ...]:
        """Return the row with each bound lowered to the bound of a detour, if that is tighter.

        The detour goes to another dimension and from there onward. Its bound is the sum of ``to`` and the bound in
        ``onward``.
        """
        if to >= UNBOUNDED:
            return row
        sums = [UNBOUNDED if more >= UNBOUNDED else to + more - ((to | more) & 1) for more in onward]
        return tuple([was if was <= new else new for was, new in zip(row, sums, strict=True)])

    def hull(self, other: Zone) -> Zone:
        """Return the smallest zone that contains both; they must have the same dimensions in the same order."""
        rows = (tuple(map(max, one, two)) for one, two in zip(self._bounds, other._bounds, strict=True))
        return Zone(self.names, tuple(rows))

    def moment(self, name: Name) -> int | None:
        """Return the instant of a dimension if only one is possible, else None."""
        high, low = self.bound(name, ORIGIN), self.bound(ORIGIN, name)
        return (high - 1) // 2 if high < UNBOUNDED and low < UNBOUNDED and high + low == 2 and high & 1 else None

    def within(self, other: Zone) -> bool:
        """Return whether this zone lies inside another one with the same dimensions."""
        return self.names == other.names and all(
            a <= b for one, two in zip(self._bounds, other._bounds, strict=True) for a, b in zip(one, two, strict=True)
        )
