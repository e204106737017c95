"""From a set of cells back to the fewest atoms that say it: ``x in {1, 2}``, ``0 <= x < 10``, ``x != 5``.

Either all values but a few (``!=`` for each of them), or chain by chain a walk from left to right that is inside or
outside of a range, where a bound, a value listed outside of a range and a value left out inside of one cost an atom
each. The walk is a shortest path, so the result has as few atoms as any disjunction of such comparisons can have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from rootward.rules.atoms import Atom, Conjunction, is_negative_zero
from rootward.rules.cells import Axis, Slot


class _Path(NamedTuple):
    """A walk so far: what it costs, the ranges that are closed, and the one that is open, if any."""

    cost: int
    closed: tuple[Conjunction, ...]
    open: Conjunction | None


def alternatives(axis: Axis, mask: int) -> tuple[Conjunction, ...] | None:
    """The shortest disjunction of conjunctions on this field that holds in exactly these cells; None if none does."""
    if mask not in axis.expressions:
        axis.expressions[mask] = _shortest(axis, mask)
    return axis.expressions[mask]


def _shortest(axis: Axis, mask: int) -> tuple[Conjunction, ...] | None:
    if mask == axis.full:
        return (Conjunction(),)
    found = [_listed(axis, mask), _excluding(axis, mask), _ranges(axis, mask)]
    if axis.uses_order:
        found[1:] = found[:0:-1]
    possible = [choice for choice in found if choice is not None]
    return min(possible, key=_length, default=None)  # the first of the shortest


def cost(axis: Axis, mask: int) -> int | None:
    """How many atoms that takes."""
    found = alternatives(axis, mask)
    return None if found is None else _length(found)


def _length(choice: Iterable[Conjunction]) -> int:
    return sum(map(len, choice))


def _listed(axis: Axis, mask: int) -> tuple[Conjunction, ...] | None:
    """``=`` for every cell."""
    parts = [_equal(axis.field, slot, mask) for slot in axis.slots]
    return None if None in parts else tuple(one for part in parts if part for one in part)


def _excluding(axis: Axis, mask: int) -> tuple[Conjunction, ...] | None:
    """``!=`` for every cell that is not meant."""
    parts = [_unequal(axis.field, slot, mask) for slot in axis.slots]
    if None in parts:
        return None
    known = [part for part in parts if part]
    return (Conjunction(atom for out, _ in known for atom in out), *(one for _, again in known for one in again))


def _equal(field: str, slot: Slot, mask: int) -> tuple[Conjunction, ...] | None:
    """What adds the slot's cells in ``mask``; None for a gap, which no ``=`` can name."""
    if not (inside := slot.mask & mask):
        return ()
    if not slot.is_point:
        return None
    if inside == slot.mask:
        return (Conjunction([Atom(field, "=", slot.witnesses[-1])]),)
    negative = Atom(field, "=", slot.witnesses[0])
    if inside == 1 << slot.first:
        return (Conjunction([negative]),)
    return (Conjunction([Atom(field, "=", slot.witnesses[1]), Atom(field, "!=", slot.witnesses[0])]),)


def _unequal(field: str, slot: Slot, mask: int) -> tuple[tuple[Atom, ...], tuple[Conjunction, ...]] | None:
    """What leaves out the slot's cells not in ``mask``, and what has to be added again; None for a gap."""
    if slot.mask & ~mask == 0:
        return (), ()
    if not slot.is_point:
        return None
    whole = Atom(field, "!=", slot.witnesses[-1])
    if not slot.mask & mask:
        return (whole,), ()
    if mask >> slot.first & 1:
        return (whole,), (Conjunction([Atom(field, "=", slot.witnesses[0])]),)
    return (Atom(field, "!=", slot.witnesses[0]),), ()


def _ranges(axis: Axis, mask: int) -> tuple[Conjunction, ...] | None:
    """Ranges and values, chain by chain."""
    found: list[Conjunction] = []
    for chain, slots in groupby(axis.slots, key=lambda slot: slot.chain):
        group = list(slots)
        alone = len(group) == len(axis.slots)
        if chain:
            part = _walk(axis.field, group, mask, alone)
        else:
            parts = [_equal(axis.field, slot, mask) for slot in group]
            part = None if None in parts else tuple(one for some in parts if some for one in some)
        if part is None:
            return None
        found += part
    return tuple(found)


def _walk(field: str, slots: Sequence[Slot], mask: int, alone: bool) -> tuple[Conjunction, ...] | None:
    """The cheapest way along one chain. A range without any bound would also say "of this kind", unless ``alone``."""
    outside: _Path | None = _Path(0, (), None)
    inside: _Path | None = _Path(0, (), Conjunction())
    bounded: _Path | None = None
    before: Slot | None = None
    for slot in slots:
        if before is not None:
            leaving = [_close(path, _upper(field, before)) for path in (inside, bounded)]
            starting = [_open(path, _lower(field, slot)) for path in (outside, *leaving)]
            outside, bounded = _best(outside, *leaving), _best(bounded, *starting)
        elif slot.is_point:
            bounded = _open(outside, _lower(field, slot))
        outside = _skip(field, outside, slot, mask)
        inside, bounded = (_take(field, path, slot, mask) for path in (inside, bounded))
        before = slot
    assert before is not None
    last = _close(inside, _upper(field, before)) if before.is_point else None
    whole = _close(inside) if alone else None
    best = _best(outside, _close(bounded), whole, last)
    return best.closed if best else None


def _lower(field: str, slot: Slot) -> Atom:
    return Atom(field, ">=", _shown(slot)) if slot.is_point else Atom(field, ">", slot.low)


def _upper(field: str, slot: Slot) -> Atom:
    return Atom(field, "<=", _shown(slot)) if slot.is_point else Atom(field, "<", slot.high)


def _shown(slot: Slot) -> object:
    value = slot.witnesses[-1]
    return 0.0 if is_negative_zero(value) else value


def _best(*paths: _Path | None) -> _Path | None:
    known = [path for path in paths if path is not None]
    return min(known, key=lambda path: (path.cost, len(path.closed)), default=None)


def _open(path: _Path | None, lower: Atom) -> _Path | None:
    return path and _Path(path.cost + 1, path.closed, Conjunction([lower]))


def _close(path: _Path | None, *upper: Atom) -> _Path | None:
    if path is None or path.open is None:
        return None
    return _Path(path.cost + len(upper), (*path.closed, Conjunction((*path.open, *upper))), None)


def _skip(field: str, path: _Path | None, slot: Slot, mask: int) -> _Path | None:
    """Passing the slot outside of a range: what of it is meant has to be listed."""
    if path is None or (added := _equal(field, slot, mask)) is None:
        return None
    return _Path(path.cost + _length(added), path.closed + added, None)


def _take(field: str, path: _Path | None, slot: Slot, mask: int) -> _Path | None:
    """Passing the slot inside of a range: what of it is not meant has to be left out."""
    if path is None or path.open is None or (found := _unequal(field, slot, mask)) is None:
        return None
    out, again = found
    cost = path.cost + len(out) + _length(again)
    return _Path(cost, path.closed + again, Conjunction((*path.open, *out)))
