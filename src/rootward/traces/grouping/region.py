"""Clocks and instants from which something can be survived: a zone, and facts about unknown data.

A clock is a dimension by its name, the instant of its last reset; an instant by its number, as they come one after the
other. The zone has only those of which more is said: any other clock was reset before now, any other instant is
somewhere between those around it.

A set of instants is made of several zones. It ends at those of their bounds that are its own (`ends`): a bound of one
zone does not matter to the set if what lies behind it is in the others. What lies just on a bound is too thin to count:
so the bounds that are left do not depend on how the set was cut into zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rootward.traces.model.guard import Bound
from rootward.traces.running.unknown_values import Facts, possible
from rootward.traces.running.unknown_values import opposite as contrary
from rootward.traces.running.zone import FREE, Name, Zone, add, at_most, less_than, opposite

PARTS = 200
"""A bound is kept if what lies behind it falls into more parts than this."""

Pair = tuple[Name, Name]


class Region(NamedTuple):
    facts: Facts
    zone: Zone
    now: int
    """The present instant; the others come later."""

    @classmethod
    def whole(cls, now: int) -> Region:
        """Everything."""
        return cls(frozenset(), Zone((now,), ((1,),)), now)

    def tells(self, other: Region) -> bool:
        """Whether its facts imply those of another one."""
        return _implied(self.facts, other.facts)

    def within(self, other: Region) -> bool:
        """Whether all of it lies in another one at the same instant."""
        if not set(other.zone.names) <= set(self.zone.names) or not self.tells(other):
            return False
        more = set(self.zone.names).difference(other.zone.names)
        return (self.zone.without(more) if more else self.zone).within(other.zone)

    def under(self, atoms: Iterable[Bound]) -> Region | None:
        """The part in which bounds of clocks hold now."""
        zone: Zone | None = self.zone
        for atom in atoms:
            if zone is not None:
                strict = less_than if atom.op in ("<", ">") else at_most
                zone = _known(zone, atom.clock, self.now)
                if atom.op in ("<", "<="):
                    zone = zone.bounded(self.now, atom.clock, strict(atom.limit))
                else:
                    zone = zone.bounded(atom.clock, self.now, strict(-atom.limit))
        return None if zone is None else self._replace(zone=zone)

    def before_reset(self, clocks: Iterable[str]) -> Region | None:
        """From where it is reached if clocks begin anew."""
        known = [clock for clock in clocks if clock in self.zone.names]
        zone: Zone | None = self.zone
        for clock in known:
            zone = zone and zone.bounded(self.now, clock, at_most(0))
        return None if zone is None else self._replace(zone=zone.without(known))

    def at_end(self) -> Region:
        """The same at the end of a time: a new instant, which is the present one, and is where the last one was."""
        now = self.now - 1
        zone = self.zone.with_name(now).bounded(now, self.now, at_most(0))
        zone = zone and zone.bounded(self.now, now, at_most(0))
        assert zone is not None, "a new dimension can be anything"
        return self._replace(zone=zone, now=now)

    def earlier(self) -> Region:
        """From where it is reached by waiting for any span."""
        clocks = [name for name in self.zone.names if isinstance(name, str)]
        return self._replace(zone=self.zone.earlier(self.now, clocks))

    def tidy(self, end: int | None = None) -> Region:
        """Without what nothing is said of, in order. While time passes, its end is kept: now may become earlier yet."""
        zone = self.zone
        for name in zone.names:
            if name not in (self.now, end) and _idle(zone, name, self.now):
                zone = zone.without([name])
        return self._replace(zone=zone.ordered())

    def joined(self, other: Region) -> Region | None:
        """Both of them as one region; None if that would be more."""
        if not self.tells(other) or not other.tells(self):
            facts = _either(self.facts, other.facts) if self.zone == other.zone else None
            return None if facts is None else self._replace(facts=facts)
        one, two = self.over(other.zone.names).ordered(), other.over(self.zone.names).ordered()
        hull = one.hull(two)
        for x, y in needed(one):
            bound = one.bound(x, y)
            if bound < hull.bound(x, y):
                rest = hull.bounded(y, x, opposite(bound))
                if rest is not None and not rest.within(two):
                    return None
        return self._replace(zone=hull).tidy()

    def over(self, names: Iterable[Name]) -> Zone:
        """The zone with more dimensions."""
        zone = self.zone
        for name in names:
            zone = _known(zone, name, self.now)
        return zone


def _implied(facts: Facts, others: Facts) -> bool:
    """Whether facts imply others. A text is in no order, so the opposite of an order proves nothing."""
    return others <= facts or all(
        one in facts or (one[1] in ("=", "!=") and not possible(facts | {contrary(one)})) for one in others
    )


def _either(one: Facts, two: Facts) -> Facts | None:
    """What is true just if the ones or the others are; None if there is no such."""
    for some, others in ((one, two), (two, one)):
        for each in sorted((each for each in some if each[1] in ("=", "!=")), key=repr):
            rest, other = some - {each}, contrary(each)
            if other in others and _implied(others, rest) and _implied(rest | {other}, others):
                return rest
    return None


def _known(zone: Zone, name: Name, now: int) -> Zone:
    """With a clock, or an instant, as a dimension."""
    if name in zone.names:
        return zone
    last, after = _around(zone, name, now)
    new = zone.with_name(name)
    pairs = [(name, now)] if isinstance(name, str) else [(last, name), *([(name, after)] if after is not None else [])]
    for one, two in pairs:
        bounded = new.bounded(one, two, at_most(0))
        assert bounded is not None, "a new dimension can be anything"
        new = bounded
    return new


def _idle(zone: Zone, name: Name, now: int) -> bool:
    """Whether nothing is said of a clock, or of an instant."""
    last, after = _around(zone, name, now)
    return all(
        zone.bound(name, other) == (FREE if after is None else zone.bound(after, other))
        and zone.bound(other, name) == (FREE if last is None else zone.bound(other, last))
        for other in zone.names
        if other != name
    )


def _around(zone: Zone, name: Name, now: int) -> tuple[Name | None, Name | None]:
    """What comes before it and after it."""
    if not isinstance(name, int):
        return None, now
    instants = [one for one in zone.names if isinstance(one, int)]
    return max(one for one in instants if one < name), min((one for one in instants if one > name), default=None)


# Where a set of zones ends


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

    def bound(a: Name, b: Name) -> int:
        return side.bound(a, b) if a == b or {a, b} == {x, y} else side.bound(a, b) & ~1

    return Zone(names, tuple(tuple(bound(a, b) for b in names) for a in names))


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
