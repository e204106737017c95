"""Regions: sets of clock readings and instants from which a sequence of events can be survived.

A region is a zone with facts about unknown data, seen from one present instant. A template treats the instants of
events as symbols, so they are dimensions of the zone, named by their numbers in the order of time. A clock is a
dimension named by the clock: the instant of its last reset. To keep zones small, only dimensions with something to say
are present. A clock that is absent was reset at any time before now; an instant that is absent lies anywhere between
its neighbours.

A set of survivors consists of several regions, and the same set can be cut into regions in many ways. The constraints
of a template must not depend on the cut, so only the bounds at which the *set* ends count: a bound of one zone is
ignored if everything just behind it lies in the other zones (`is_end`). Points exactly on a bound are ignored in that
comparison, because a set that thin can change with the cut. The test removes the other zones, one after the other, from
the side of the zone at that bound; if something is left, the set ends there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rootward.traces.model.guard import Bound
from rootward.traces.running.unknown_values import Facts, is_satisfiable
from rootward.traces.running.unknown_values import negate_fact as contrary
from rootward.traces.running.zone import UNBOUNDED, Name, Zone, add_bounds, at_most, less_than, negate_bound

MAX_PARTS = 200
"""Maximum number of parts into which `is_end` divides the side of a zone; with more, the bound counts as an end."""

Pair = tuple[Name, Name]


class Region(NamedTuple):
    """A zone over clocks and instants, with facts about unknown data."""

    facts: Facts
    zone: Zone
    now: int
    """The present instant; all other instants come later."""

    @classmethod
    def whole(cls, now: int) -> Region:
        """Return the region without any restriction."""
        return cls(frozenset(), Zone((now,), ((1,),)), now)

    def implies_facts(self, other: Region) -> bool:
        """Return whether the facts of this region imply the facts of ``other``."""
        return _implies_all(self.facts, other.facts)

    def within(self, other: Region) -> bool:
        """Return whether this region lies inside another one with the same present instant."""
        if not set(other.zone.names) <= set(self.zone.names) or not self.implies_facts(other):
            return False
        more = set(self.zone.names).difference(other.zone.names)
        return (self.zone.without(more) if more else self.zone).within(other.zone)

    def restrict(self, atoms: Iterable[Bound]) -> Region | None:
        """Return the part in which bounds of clocks hold now, or None if there is none."""
        zone: Zone | None = self.zone
        for atom in atoms:
            if zone is not None:
                strict = less_than if atom.op in ("<", ">") else at_most
                zone = _add_dimension(zone, atom.clock, self.now)
                if atom.op in ("<", "<="):
                    zone = zone.restrict(self.now, atom.clock, strict(atom.limit))
                else:
                    zone = zone.restrict(atom.clock, self.now, strict(-atom.limit))
        return None if zone is None else self._replace(zone=zone)

    def before_reset(self, clocks: Iterable[str]) -> Region | None:
        """Return the region from which resetting ``clocks`` leads into this one.

        Returns None if there is no such region.
        """
        known = [clock for clock in clocks if clock in self.zone.names]
        zone: Zone | None = self.zone
        for clock in known:
            zone = zone and zone.restrict(self.now, clock, at_most(0))
        return None if zone is None else self._replace(zone=zone.without(known))

    def at_end(self) -> Region:
        """Return the same region at the end of a wait. A new instant, the start of the wait, becomes the present one;
        it begins equal to the old present instant."""
        now = self.now - 1
        zone = self.zone.with_name(now).restrict(now, self.now, at_most(0))
        zone = zone and zone.restrict(self.now, now, at_most(0))
        assert zone is not None, "a new dimension can be anything"
        return self._replace(zone=zone, now=now)

    def allow_earlier(self) -> Region:
        """Return the region from which this one is reached by waiting for any span."""
        clocks = [name for name in self.zone.names if isinstance(name, str)]
        return self._replace(zone=self.zone.allow_earlier(self.now, clocks))

    def tidy(self, end: int | None = None) -> Region:
        """Drop the dimensions that are not constrained, and sort the others. ``end``: the end of a wait that is being
        followed backwards; that instant is kept, since the present one may still become earlier."""
        zone = self.zone
        for name in zone.names:
            if name not in (self.now, end) and _is_unconstrained(zone, name, self.now):
                zone = zone.without([name])
        return self._replace(zone=zone.sort_names())

    def join(self, other: Region) -> Region | None:
        """Return the union with another region if it is a region, else None."""
        if not self.implies_facts(other) or not other.implies_facts(self):
            facts = _join_facts(self.facts, other.facts) if self.zone == other.zone else None
            return None if facts is None else self._replace(facts=facts)
        one, two = (
            self.add_dimensions(other.zone.names).sort_names(),
            other.add_dimensions(self.zone.names).sort_names(),
        )
        hull = one.hull(two)
        for x, y in find_needed_bounds(one):
            bound = one.bound(x, y)
            if bound < hull.bound(x, y):
                rest = hull.restrict(y, x, negate_bound(bound))
                if rest is not None and not rest.within(two):
                    return None
        return self._replace(zone=hull).tidy()

    def add_dimensions(self, names: Iterable[Name]) -> Zone:
        """Return the zone with these dimensions added."""
        zone = self.zone
        for name in names:
            zone = _add_dimension(zone, name, self.now)
        return zone


def _implies_all(facts: Facts, others: Facts) -> bool:
    """Return whether facts imply others. Texts have no order, so refuting the opposite of an order proves nothing."""
    return others <= facts or all(
        one in facts or (one[1] in ("=", "!=") and not is_satisfiable(facts | {contrary(one)})) for one in others
    )


def _join_facts(one: Facts, two: Facts) -> Facts | None:
    """Return facts that are true exactly where one of the two sets of facts is; None if no such facts are found."""
    for some, others in ((one, two), (two, one)):
        for each in sorted((each for each in some if each[1] in ("=", "!=")), key=repr):
            rest, other = some - {each}, contrary(each)
            if other in others and _implies_all(others, rest) and _implies_all(rest | {other}, others):
                return rest
    return None


def _add_dimension(zone: Zone, name: Name, now: int) -> Zone:
    """Add a clock or an instant as a dimension, unless the zone already has it."""
    if name in zone.names:
        return zone
    last, after = _neighbours(zone, name, now)
    new = zone.with_name(name)
    pairs = [(name, now)] if isinstance(name, str) else [(last, name), *([(name, after)] if after is not None else [])]
    for one, two in pairs:
        bounded = new.restrict(one, two, at_most(0))
        assert bounded is not None, "a new dimension can be anything"
        new = bounded
    return new


def _is_unconstrained(zone: Zone, name: Name, now: int) -> bool:
    """Return whether nothing is said about a clock or an instant, except its order among its neighbours."""
    last, after = _neighbours(zone, name, now)
    return all(
        zone.bound(name, other) == (UNBOUNDED if after is None else zone.bound(after, other))
        and zone.bound(other, name) == (UNBOUNDED if last is None else zone.bound(other, last))
        for other in zone.names
        if other != name
    )


def _neighbours(zone: Zone, name: Name, now: int) -> tuple[Name | None, Name | None]:
    """Return the dimensions directly before and after this one in time; None where there is none."""
    if not isinstance(name, int):
        return None, now
    instants = [one for one in zone.names if isinstance(one, int)]
    return max(one for one in instants if one < name), min((one for one in instants if one > name), default=None)


# The bounds at which a union of zones ends


@lru_cache(maxsize=2000)
def find_needed_bounds(zone: Zone) -> tuple[Pair, ...]:
    """Return the bounds of a zone that do not follow from others."""
    names = zone.names
    bound = {(x, y): zone.bound(x, y) for x in names for y in names}
    place = {name: k for k, name in enumerate(names)}
    tied = {(x, y) for x, y in bound if x != y and bound[x, y] >> 1 == -(bound[y, x] >> 1)}

    def through(x: Name, z: Name, y: Name) -> bool:
        """Return whether the bound of ``x - y`` follows from those of ``x - z`` and ``z - y``.

        If ``z`` has a fixed difference to ``x`` or ``y``, it counts only if it comes earlier in the zone.
        """
        if z in (x, y) or ((x, z) in tied and place[x] < place[z]) or ((z, y) in tied and place[y] < place[z]):
            return False
        one, two = bound[x, z], bound[z, y]
        return one < UNBOUNDED and two < UNBOUNDED and add_bounds(one, two) <= bound[x, y]

    finite = [(x, y) for x, y in bound if x != y and bound[x, y] < UNBOUNDED]
    return tuple((x, y) for x, y in finite if not any(through(x, z, y) for z in names))


def is_thin(zone: Zone) -> bool:
    """Return whether two instants of the zone have a fixed difference."""
    return any(_has_fixed_difference(zone, x, y) for k, x in enumerate(zone.names) for y in zone.names[:k])


def is_end(zone: Zone, pair: Pair, others: Sequence[Zone]) -> bool:
    """Return whether the union of a zone and others ends at this bound of the zone. A thin zone ends at all its
    bounds."""
    x, y = pair
    limit = zone.bound(x, y) >> 1
    beyond = [one for one in others if one.bound(x, y) >> 1 > limit and one.bound(y, x) >> 1 >= -limit]
    if not beyond or is_thin(zone):
        return True
    side = _side_at_bound(zone, pair)
    parts = [side] if side is not None else []
    for other in beyond:
        limits = [(one, other.bound(*one) >> 1) for one in find_needed_bounds(other) if set(one) != {x, y}]
        parts = [rest for part in parts for rest in _subtract(part, limits)]
        if len(parts) > MAX_PARTS:
            return True
    return bool(parts)


def _has_fixed_difference(zone: Zone, x: Name, y: Name) -> bool:
    """Return whether two instants have a fixed difference."""
    one, two = zone.bound(x, y), zone.bound(y, x)
    return one < UNBOUNDED and two < UNBOUNDED and one >> 1 == -(two >> 1)


def _side_at_bound(zone: Zone, pair: Pair) -> Zone | None:
    """Return the side of a zone at a bound: the points exactly on this bound and on no other.

    Returns None if another difference is fixed on that bound, too, because the points are then thinner than a side.
    """
    x, y = pair
    names = zone.names
    whole = Zone(names, tuple(tuple(min(UNBOUNDED, zone.bound(a, b) | 1) for b in names) for a in names))
    side = whole.restrict(y, x, at_most(-(zone.bound(x, y) >> 1)))
    assert side is not None, "a bound that is needed is reached"
    if any(_has_fixed_difference(side, a, b) for k, a in enumerate(names) for b in names[:k] if {a, b} != {x, y}):
        return None

    def bound(a: Name, b: Name) -> int:
        return side.bound(a, b) if a == b or {a, b} == {x, y} else side.bound(a, b) & ~1

    return Zone(names, tuple(tuple(bound(a, b) for b in names) for a in names))


def _subtract(part: Zone, limits: Iterable[tuple[Pair, int]]) -> Iterator[Zone]:
    """Yield the parts of a zone that remain when everything within all limits is removed.

    Points on a limit are dropped, too.
    """
    for (x, y), limit in limits:
        rest = part.restrict(y, x, less_than(-limit))
        if rest is not None:
            yield rest
        inside = part.restrict(x, y, less_than(limit))
        if inside is None:
            return
        part = inside
