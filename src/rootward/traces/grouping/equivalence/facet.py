"""Where a set of instants ends: of the bounds of the zones that it is made of, those that are its own.

A bound of one zone does not matter to the set if what lies behind it is in the others. What lies just on a bound is
too thin to count: so the bounds that are left do not depend on how the set was cut into zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rootward.traces.running.zone import FREE, Name, Zone, add, at_most, less_than

PARTS = 200
"""A bound is kept if what lies behind it falls into more parts than this."""

Pair = tuple[Name, Name]


@lru_cache(maxsize=2000)
def needed(zone: Zone) -> tuple[Pair, ...]:
    """The bounds of a zone that do not follow from others."""
    names = zone.names
    bound = {(x, y): zone.bound(x, y) for x in names for y in names}
    place = {name: k for k, name in enumerate(names)}
    tied = {(x, y) for x, y in bound if x != y and bound[x, y] >> 1 == -(bound[y, x] >> 1)}

    def through(x: Name, z: Name, y: Name) -> bool:
        """Of instants that are the same but for a constant, the first speaks for the others."""
        if z in (x, y) or ((x, z) in tied and place[x] < place[z]) or ((z, y) in tied and place[y] < place[z]):
            return False
        one, two = bound[x, z], bound[z, y]
        return one < FREE and two < FREE and add(one, two) <= bound[x, y]

    finite = [(x, y) for x, y in bound if x != y and bound[x, y] < FREE]
    return tuple((x, y) for x, y in finite if not any(through(x, z, y) for z in names))


def thin(zone: Zone) -> bool:
    """Whether two of its instants are the same but for a constant."""
    return any(_same(zone, x, y) for k, x in enumerate(zone.names) for y in zone.names[:k])


def ends(zone: Zone, pair: Pair, others: Sequence[Zone]) -> bool:
    """Whether the set that a zone and others make up ends at a bound of the zone; a thin zone ends at all of them."""
    x, y = pair
    limit = zone.bound(x, y) >> 1
    beyond = [one for one in others if one.bound(x, y) >> 1 > limit and one.bound(y, x) >> 1 >= -limit]
    if not beyond or thin(zone):
        return True
    side = _side(zone, pair)
    parts = [side] if side is not None else []
    for other in beyond:
        limits = [(one, other.bound(*one) >> 1) for one in needed(other) if set(one) != {x, y}]
        parts = [rest for part in parts for rest in _outside(part, limits)]
        if len(parts) > PARTS:
            return True
    return bool(parts)


def _same(zone: Zone, x: Name, y: Name) -> bool:
    one, two = zone.bound(x, y), zone.bound(y, x)
    return one < FREE and two < FREE and one >> 1 == -(two >> 1)


def _side(zone: Zone, pair: Pair) -> Zone | None:
    """The side of a zone that a bound makes, without its rim; None if it is thinner than a side."""
    x, y = pair
    names = zone.names
    whole = Zone(names, tuple(tuple(min(FREE, zone.bound(a, b) | 1) for b in names) for a in names))
    side = whole.bounded(y, x, at_most(-(zone.bound(x, y) >> 1)))
    assert side is not None, "a bound that is needed is reached"
    if any(_same(side, a, b) for k, a in enumerate(names) for b in names[:k] if {a, b} != {x, y}):
        return None
    rows = (tuple(side.bound(a, b) & ~(a != b and {a, b} != {x, y}) for b in names) for a in names)
    return Zone(names, tuple(rows))


def _outside(part: Zone, limits: Iterable[tuple[Pair, int]]) -> Iterator[Zone]:
    """What is left of a part without what is within all limits."""
    for (x, y), limit in limits:
        rest = part.bounded(y, x, less_than(-limit))
        if rest is not None:
            yield rest
        inside = part.bounded(x, y, less_than(limit))
        if inside is None:
            return
        part = inside
