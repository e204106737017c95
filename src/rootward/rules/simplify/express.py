"""Find the fewest atoms for a set of cells: ``x in {1, 2}``, ``0 <= x < 10``, ``x != 5``.

There are two forms. Either all values but a few, with ``!=`` for each of them; or ranges and single values, found by
walking along each chain from left to right. The walk is always inside or outside of a range. A bound, a value listed
outside of a range, and a value excluded inside of one cost one atom each. The cheapest walk is a shortest path, so the
result has as few atoms as any disjunction of such comparisons can have. The state changes only where the set begins or
ends, so the time depends on the number of its pieces, not of its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rootward.rules.atoms import Atom
from rootward.rules.constants import is_negative_zero
from rootward.rules.simplify.cells import CellAxis, Slot, bits
from rootward.rules.terms import Conjunction

Alternatives = tuple[Conjunction, ...]


class Spelling(NamedTuple):
    """A way to express a set of cells.

    It has a price in atoms, and steps. The steps are a linked list with the last step first.
    """

    price: int
    steps: Any = None


class SlotSegment(NamedTuple):
    """Neighbouring slots that are all in the set or all outside of it.

    A zero of which only one sign is in the set is a segment, too.
    """

    first: Slot
    last: Slot
    cells: int


def shortest_alternatives(axis: CellAxis, mask: int) -> Alternatives | None:
    """Return the shortest disjunction of conjunctions that holds in exactly the cells of ``mask``.

    Returns None if there is none.
    """
    found = _shortest(axis, mask)
    return None if found is None else tuple(_to_conjunctions(axis, found.steps))


def cost(axis: CellAxis, mask: int) -> int | None:
    """Return the number of atoms needed to express the cells of ``mask``; None if atoms cannot express them."""
    found = _shortest(axis, mask)
    return None if found is None else found.price


def _shortest(axis: CellAxis, mask: int) -> Spelling | None:
    if mask not in axis.expressions:
        axis.expressions[mask] = _find_shortest(axis, mask)
    found: Spelling | None = axis.expressions[mask]
    return found


def _find_shortest(axis: CellAxis, mask: int) -> Spelling | None:
    begun = _step(Spelling(0), "begin", None, 0)
    if mask == axis.full:
        return begun
    listed = _step(Spelling(0), "=", mask, _price(axis, mask))
    excluding = _step(begun, "!=", axis.full & ~mask, _price(axis, axis.full & ~mask))
    ranges = _ranges(axis, mask)
    preferred = (listed, ranges, excluding) if axis.uses_order else (listed, excluding, ranges)
    return _best(*preferred)


def _price(axis: CellAxis, cells: int) -> int | None:
    """Return the number of atoms with ``=`` (or with ``!=``) that name exactly these cells.

    Returns None if one of the cells is a gap, not a constant.
    """
    if cells & axis.gaps:
        return None
    price = cells.bit_count()
    if axis.zeros is not None and (inside := cells & axis.zeros.mask):
        # "= 0" names both zeros and "= -0.0" one; the positive one alone takes two atoms.
        price += -1 if inside == axis.zeros.mask else inside != 1 << axis.zeros.first
    return price


def _best(*choices: Spelling | None) -> Spelling | None:
    """Return the cheapest choice. Of equally cheap choices, the first is returned."""
    known = [choice for choice in choices if choice is not None]
    return min(known, key=lambda choice: choice.price, default=None)


def _step(choice: Spelling | None, what: str, about: Slot | int | None, price: int | None = 1) -> Spelling | None:
    if choice is None or price is None:
        return None
    return Spelling(choice.price + price, (choice.steps, what, about)) if about or what == "begin" else choice


def _ranges(axis: CellAxis, mask: int) -> Spelling | None:
    """Express the cells by ranges and values, one chain after another. Values that are in no chain come last."""
    found: Spelling | None = Spelling(0)
    apart = axis.full
    for chain in axis.chains:
        apart &= ~chain
        found = _walk(axis, found, list(_segments(axis, chain, mask)), mask, alone=chain == axis.full)
    return _step(found, "=", apart & mask, _price(axis, apart & mask))


def _segments(axis: CellAxis, chain: int, mask: int) -> Iterator[SlotSegment]:
    cuts = set(bits((mask ^ mask >> 1) & chain & chain >> 1))
    if axis.zeros is not None and axis.zeros.first in cuts:
        cuts ^= {axis.zeros.first}
        cuts |= {axis.zeros.first - 1, axis.zeros.first + 1}
    low, end = (chain & -chain).bit_length() - 1, chain.bit_length() - 1
    # A whole chain, if there are other cells, needs a bound somewhere: "x < 5 or x >= 5".
    cuts |= {axis.slot_at[low].mask.bit_length() - 1} if not cuts and chain != axis.full else set()
    for high in sorted({cut for cut in cuts if low <= cut < end} | {end}):
        yield SlotSegment(axis.slot_at[low], axis.slot_at[high], (1 << high + 1) - (1 << low))
        low = high + 1


def _walk(
    axis: CellAxis, start: Spelling | None, path: Sequence[SlotSegment], mask: int, *, alone: bool
) -> Spelling | None:
    """Find the cheapest walk along one chain.

    A range without any bound would also hold in the cells outside of the chain, so it is allowed only if ``alone``.
    """
    outside, free = start, _step(start, "begin", None, 0)
    bounded = _step(start, "from", path[0].first) if path[0].first.is_point else None
    for index, segment in enumerate(path):
        if index:
            before = path[index - 1].last
            left = _best(_step(free, "to", before), _step(bounded, "to", before))
            outside, bounded = _best(outside, left), _best(bounded, _step(_best(outside, left), "from", segment.first))
        listed, omitted = segment.cells & mask, segment.cells & ~mask
        outside = _step(outside, "=", listed, _price(axis, listed))
        free, bounded = (_step(inside, "!=", omitted, _price(axis, omitted)) for inside in (free, bounded))
    end = path[-1].last
    return _best(outside, bounded, free if alone else None, _step(free, "to", end) if end.is_point else None)


def _to_conjunctions(axis: CellAxis, steps: Any) -> list[Conjunction]:
    """Convert the steps to conjunctions."""
    ordered = []
    while steps is not None:
        steps, what, about = steps
        ordered.append((what, about))
    apart: list[Conjunction] = []
    ranges: list[list[Atom]] = []
    for what, about in reversed(ordered):
        match what:
            case "begin":
                ranges.append([])
            case "from":
                ranges.append([_lower(axis, about)])
            case "to":
                ranges[-1].append(_upper(axis, about))
            case "=":
                apart += _equal(axis, about)
            case "!=":
                out, again = _unequal(axis, about)
                ranges[-1] += out
                apart += again
    return [*map(Conjunction, ranges), *apart]


def _lower(axis: CellAxis, slot: Slot) -> Atom:
    above = _chain(axis, slot) & -(1 << slot.first)
    if above in axis.phrases:
        return axis.phrases[above]
    return Atom(axis.field, ">=", _bound_value(slot)) if slot.is_point else Atom(axis.field, ">", slot.low)


def _upper(axis: CellAxis, slot: Slot) -> Atom:
    below = _chain(axis, slot) & ((1 << slot.mask.bit_length()) - 1)
    if below in axis.phrases:
        return axis.phrases[below]
    return Atom(axis.field, "<=", _bound_value(slot)) if slot.is_point else Atom(axis.field, "<", slot.high)


def _chain(axis: CellAxis, slot: Slot) -> int:
    return next(chain for chain in axis.chains if chain & slot.mask)


def _bound_value(slot: Slot) -> Any:
    value = slot.witnesses[-1]
    return 0.0 if is_negative_zero(value) else value


def _equal(axis: CellAxis, cells: int) -> list[Conjunction]:
    """Return a conjunction with ``=`` for each point."""
    named = [(slot, cells & slot.mask) for slot in axis.slots if cells & slot.mask]
    return [Conjunction(_equal_atoms(axis.field, slot, inside)) for slot, inside in named]


def _equal_atoms(field: str, slot: Slot, inside: int) -> list[Atom]:
    first, last = slot.witnesses[0], slot.witnesses[-1]
    if inside == slot.mask:
        return [Atom(field, "=", last)]
    if inside == 1 << slot.first:
        return [Atom(field, "=", first)]
    return [Atom(field, "=", last), Atom(field, "!=", first)]


def _unequal(axis: CellAxis, cells: int) -> tuple[list[Atom], list[Conjunction]]:
    """Return an atom with ``!=`` for each point, and conjunctions that must be added to them.

    ``!= 0`` excludes both zeros. So if only the positive zero is to be excluded, the negative one is added again.
    """
    out: list[Atom] = []
    again: list[Conjunction] = []
    for slot in axis.slots:
        if inside := cells & slot.mask:
            only_negative = inside != slot.mask and inside == 1 << slot.first
            out.append(Atom(axis.field, "!=", slot.witnesses[0 if only_negative else -1]))
            if inside != slot.mask and not only_negative:
                again.append(Conjunction([Atom(axis.field, "=", slot.witnesses[0])]))
    return out, again
