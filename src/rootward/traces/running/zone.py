"""Sets of instants that are known only relative to each other: difference bounds, always in their tightest form.

A zone has a few dimensions with names and, for each two of them, an upper bound of their difference. The origin, whose
instant is 0, is a dimension as well, so that absolute bounds need no words of their own. A bound is a number: twice the
limit, plus one if the limit itself is allowed; so bounds are compared, and nearly added, like numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

ORIGIN = "origin"
FREE = 1 << 200
"""No bound."""

Name = Hashable


def at_most(limit: int) -> int:
    return 2 * limit + 1


def less_than(limit: int) -> int:
    return 2 * limit


def opposite(bound: int) -> int:
    """Of the difference the other way round, if a bound does not hold."""
    return less_than(-(bound >> 1)) if bound & 1 else at_most(-(bound >> 1))


def add(one: int, two: int) -> int:
    """The bound of a sum: the limits add up, and it is allowed if both are."""
    if one >= FREE or two >= FREE:
        return FREE
    return one + two - ((one | two) & 1)


class Zone:
    """A conjunction of bounds, never empty. It does not change."""

    __slots__ = ("_bounds", "_hash", "names")

    def __init__(self, names: tuple[Name, ...] = (ORIGIN,), bounds: tuple[tuple[int, ...], ...] = ((1,),)) -> None:
        self.names, self._bounds = names, bounds
        self._hash = hash((names, bounds))

    @classmethod
    def unknown(cls, names: Iterable[Name], bound: int) -> Zone:
        """Some dimensions of which only an upper bound is known."""
        some = tuple(names)
        rows = (
            tuple(1 if i == j else bound if j == 0 else FREE for j in range(len(some) + 1))
            for i in range(len(some) + 1)
        )
        return cls((ORIGIN, *some), tuple(rows)).ordered()

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
        """The most that ``one - two`` can be."""
        return self._bounds[self.names.index(one)][self.names.index(two)]

    def with_name(self, name: Name) -> Zone:
        """With one more dimension, of which nothing is known."""
        rows = [(*row, FREE) for row in self._bounds]
        return Zone((*self.names, name), (*rows, (*(FREE for _ in self.names), 1)))

    def without(self, names: Iterable[Name]) -> Zone:
        """What is known of the others."""
        gone = set(names)
        left = [place for place, name in enumerate(self.names) if name not in gone]
        rows = tuple([tuple([self._bounds[i][j] for j in left]) for i in left])
        return Zone(tuple([self.names[i] for i in left]), rows)

    def ordered(self) -> Zone:
        """The same, with its dimensions in the order of their names."""
        order = sorted(range(len(self.names)), key=lambda place: (self.names[place] != ORIGIN, str(self.names[place])))
        if order == list(range(len(order))):
            return self
        rows = tuple(tuple(self._bounds[i][j] for j in order) for i in order)
        return Zone(tuple(self.names[i] for i in order), rows)

    def later(self, span: int) -> Zone:
        """The same if everything happened later."""
        origin = self.names.index(ORIGIN)
        rows = tuple(
            tuple(add(bound, at_most(span * ((j == origin) - (i == origin)))) for j, bound in enumerate(row))
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def loosened(self, name: Name) -> Zone:
        """With this one later than it is, by any span."""
        p = self.names.index(name)
        rows = tuple(
            tuple(FREE if i == p and j != p else bound for j, bound in enumerate(row))
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def earlier(self, name: Name, after: Iterable[Name]) -> Zone:
        """With this one earlier than it is, by any span, but after those that it is after anyhow."""
        p, first = self.names.index(name), [self.names.index(one) for one in after]
        rows = tuple(
            tuple(
                min((row[k] for k in first), default=FREE) if j == p and i != p else bound
                for j, bound in enumerate(row)
            )
            for i, row in enumerate(self._bounds)
        )
        return Zone(self.names, rows)

    def bounded(self, one: Name, two: Name, bound: int) -> Zone | None:
        """With ``one - two`` bounded; None if that leaves nothing."""
        i, j = self.names.index(one), self.names.index(two)
        old = self._bounds
        if bound >= old[i][j]:
            return self
        if add(bound, old[j][i]) < 1:
            return None
        rows = [self._nearer(row, add(row[i], bound), old[j]) for row in old]
        return Zone(self.names, tuple(rows))

    @staticmethod
    def _nearer(row: tuple[int, ...], to: int, onward: tuple[int, ...]) -> tuple[int, ...]:
        """The bounds of one dimension, if there is also a way over another one: so far, and then onward."""
        if to >= FREE:
            return row
        sums = [FREE if more >= FREE else to + more - ((to | more) & 1) for more in onward]
        return tuple([was if was <= new else new for was, new in zip(row, sums, strict=True)])

    def hull(self, other: Zone) -> Zone:
        """The smallest zone around both of them; they have the same dimensions."""
        rows = (tuple(map(max, one, two)) for one, two in zip(self._bounds, other._bounds, strict=True))
        return Zone(self.names, tuple(rows))

    def moment(self, name: Name) -> int | None:
        """The instant of a dimension, if only one is possible."""
        high, low = self.bound(name, ORIGIN), self.bound(ORIGIN, name)
        return (high - 1) // 2 if high < FREE and low < FREE and high + low == 2 and high & 1 else None

    def within(self, other: Zone) -> bool:
        """Whether all of it lies in another one with the same dimensions."""
        return self.names == other.names and all(
            a <= b for one, two in zip(self._bounds, other._bounds, strict=True) for a, b in zip(one, two, strict=True)
        )
