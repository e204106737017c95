"""Boxes: terms as one set of cells per field, and the set algebra of unions of boxes.

A box maps the number of an axis to a mask (`cells`). An axis that a box does not mention is not restricted by it.

Almost everything here reduces to one question: does a union of boxes cover a given box? `is_covered` answers it by
recursion. It restricts every box of the union to the given one. If one of them fills it, the answer is yes; if their
volumes add up to less than its volume, the answer is no. Otherwise it splits the box along one axis into pieces that no
box of the union cuts, and asks the question for each piece. Not all pieces need to be asked: if fewer boxes reach
a piece than another one, and they cover it, then they cover the other piece as well. An axis with only one such hardest
piece is settled without branching.

The question is co-NP-complete, so the recursion can take exponential time. Callers that accept "not proved" as an
answer pass a `StepBudget`. It counts steps, not seconds, so that every machine gives the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Box = dict[int, int]


@dataclass
class StepBudget:
    """The number of steps that may still be taken."""

    steps: int

    @property
    def left(self) -> bool:
        return self.steps >= 0

    def spend(self, steps: int) -> bool:
        """Subtract ``steps`` from the budget. Return True if enough steps were left."""
        self.steps -= steps
        return self.steps >= 0


def identity(box: Box) -> tuple[tuple[int, int], ...]:
    """Return a hashable, sortable name of a box."""
    return tuple(sorted(box.items()))


def is_within(inner: Box, outer: Box, full: Sequence[int]) -> bool:
    """Return True if ``inner`` lies in ``outer``."""
    return all(not inner.get(axis, full[axis]) & ~mask for axis, mask in outer.items())


def _intersect(one: Box, other: Box) -> Box | None:
    """Return the intersection of two boxes; None if it is empty."""
    if len(other) > len(one):
        one, other = other, one
    found = dict(one)
    for axis, mask in other.items():
        if axis in found:
            mask &= found[axis]
            if not mask:
                return None
        found[axis] = mask
    return found


def drop_absorbed(boxes: Iterable[Box], full: Sequence[int]) -> list[Box]:
    """Drop duplicates and boxes that lie in another one. The order of the result depends only on the set of boxes."""
    kept: list[Box] = []
    # A box can lie only in one that restricts no more axes than it does: so wide ones come first.
    for name in sorted({identity(box) for box in boxes}, key=lambda name: (len(name), _bits(name), name)):
        box = dict(name)
        if not any(is_within(box, other, full) for other in kept):
            kept = [other for other in kept if not is_within(other, box, full)] + [box]
    return kept


def _bits(name: tuple[tuple[int, int], ...]) -> int:
    return -sum(mask.bit_count() for _, mask in name)


def is_covered(box: Box, boxes: Sequence[Box], full: Sequence[int], budget: StepBudget | None = None) -> bool:
    """Return True if the union of ``boxes`` covers ``box``.

    With a budget, False may also mean that the budget ran out.
    """
    if budget and not budget.spend(len(boxes)):
        return False
    parts: list[Box] = []
    for other in boxes:
        part = _restrict(other, box, full)
        if part is not None:
            if not part:
                return True
            parts.append(part)
    if len(parts) < 2 or _volume(parts, box, full) < 1 - 1e-9:
        return False
    counts = Counter(axis for part in parts for axis in part)
    if budget and not budget.spend(sum(count * count for count in counts.values()) // 4):
        return False
    hard = {axis: _hardest_pieces(box.get(axis, full[axis]), axis, parts) for axis in sorted(counts)}
    # On an axis with a single hardest piece, that piece decides; all such axes can be settled at once.
    single = {axis: found[0] for axis, found in hard.items() if len(found) == 1}
    if single:
        return is_covered({**box, **single}, parts, full, budget)
    axis = min(hard, key=lambda axis: (len(hard[axis]), -counts[axis], axis))
    return all(is_covered({**box, axis: piece}, parts, full, budget) for piece in hard[axis])


def _hardest_pieces(here: int, axis: int, parts: Sequence[Box]) -> list[int]:
    """Return the pieces along an axis that need a test. Pieces that few parts reach come first.

    Suppose that every part that reaches piece A also reaches piece B. If these parts cover A, they also cover B. So if
    A is tested, B needs no test.
    """
    reached = _split_by_masks(here, (part[axis] for part in parts if axis in part))
    kept: list[tuple[int, int]] = []
    for piece, reach in sorted(reached, key=lambda found: found[1].bit_count()):
        if all(other & ~reach for _, other in kept):
            kept.append((piece, reach))
    return [piece for piece, _ in kept]


def _split_by_masks(whole: int, masks: Iterable[int]) -> list[tuple[int, int]]:
    """Divide ``whole`` into the largest pieces that no mask cuts.

    Return each with the set of masks in which it lies.
    """
    found = [(whole, 0)]
    for index, mask in enumerate(dict.fromkeys(masks)):
        cut: list[tuple[int, int]] = []
        for piece, reach in found:
            inside = piece & mask
            if inside:
                cut.append((inside, reach | 1 << index))
            if inside != piece:
                cut.append((piece ^ inside, reach))
        found = cut
    return found


def _restrict(other: Box, box: Box, full: Sequence[int]) -> Box | None:
    """Restrict ``other`` to ``box``. Return None if the two are disjoint.

    The result has only the axes on which ``other`` does not fill the box.
    """
    found: Box = {}
    for axis, mask in other.items():
        here = box.get(axis, full[axis])
        shared = mask & here
        if not shared:
            return None
        if shared != here:
            found[axis] = shared
    return found


def _volume(parts: Iterable[Box], box: Box, full: Sequence[int]) -> float:
    """Return an upper bound of the share of ``box`` that the parts cover.

    The bound is the sum of the shares of all parts.
    """
    total = 0.0
    for part in parts:
        share = 1.0
        for axis, mask in part.items():
            share *= mask.bit_count() / box.get(axis, full[axis]).bit_count()
        total += share
    return total


def pieces(whole: int, masks: Iterable[int]) -> list[int]:
    """Divide ``whole`` into the largest pieces that no mask cuts."""
    return sorted(piece for piece, _ in _split_by_masks(whole, masks))


def unreached_cells(boxes: Iterable[Box], full: Sequence[int]) -> list[int]:
    """Return, for each axis, the cells that lie in no box that restricts this axis. Often this is the cell of NaN."""
    found = list(full)
    for box in boxes:
        for axis, mask in box.items():
            found[axis] &= ~mask
    return found


def helpers(box: Box, boxes: Iterable[Box], full: Sequence[int], never: Sequence[int], apart: int = 0) -> list[Box]:
    """Return the boxes that can help to cover ``box``, or a box that is wider along up to ``apart`` axes.

    ``never`` are the cells from `unreached_cells`. Suppose that ``box`` contains such a cell. Then only boxes that do
    not restrict the axis of the cell reach the cell. If they cover ``box`` at this cell, they cover it along the whole
    axis.
    """
    return [other for other in boxes if _can_help(other, box, full, never, apart)]


def _can_help(other: Box, box: Box, full: Sequence[int], never: Sequence[int], apart: int) -> bool:
    for axis, mask in other.items():
        here = box.get(axis, full[axis])
        if here & never[axis]:
            return False
        if not here & mask:
            apart -= 1
            if apart < 0:
                return False
    return True


def _subtract(box: Box, other: Box, full: Sequence[int]) -> list[Box]:
    """Return ``box`` without ``other``, as disjoint boxes."""
    if _intersect(box, other) is None:
        return [box]
    found, rest = [], dict(box)
    for axis in sorted(other):
        here = rest.get(axis, full[axis])
        if left := here & ~other[axis]:
            found.append({**rest, axis: left})
        rest[axis] = here & other[axis]
    return found


def complement(boxes: Iterable[Box], full: Sequence[int]) -> list[Box]:
    """Return boxes whose union is everything outside the given boxes."""
    found: list[Box] = [{}]
    for box in boxes:
        found = drop_absorbed((left for piece in found for left in _subtract(piece, box, full)), full)
    return found


def consensus(one: Box, other: Box, full: Sequence[int]) -> list[Box]:
    """Return the widest boxes that lie in the union of two boxes, but in neither of them.

    Such a box is the union of the two along one axis, and their intersection along all other axes.
    """
    if (shared := _intersect(one, other)) is not None:
        apart = sorted({*one, *other})
    else:
        apart = [axis for axis in one if axis in other and not one[axis] & other[axis]]
        if len(apart) > 1:
            return []
        axis = apart[0]
        shared = _intersect({k: v for k, v in one.items() if k != axis}, {k: v for k, v in other.items() if k != axis})
    assert shared is not None
    return [_join(shared, axis, one, other, full) for axis in apart]


def _join(shared: Box, axis: int, one: Box, other: Box, full: Sequence[int]) -> Box:
    joined = one.get(axis, full[axis]) | other.get(axis, full[axis])
    rest = {k: mask for k, mask in shared.items() if k != axis}
    return rest if joined == full[axis] else {**rest, axis: joined}


def primes(boxes: Iterable[Box], full: Sequence[int], limit: int) -> list[Box] | None:
    """Return all maximal boxes in the union of the boxes, found by iterated consensus.

    Returns None if there are ever more than ``limit`` boxes.
    """
    kept = drop_absorbed(boxes, full)
    done: set[tuple[object, object]] = set()
    while True:
        fresh = [pair for pair in _pairs(kept) if pair not in done]
        if not fresh:
            return kept
        done.update(fresh)
        found = [box for one, other in fresh for box in consensus(dict(one), dict(other), full)]
        kept = drop_absorbed([*kept, *found], full)
        if len(kept) > limit:
            return None


def _pairs(boxes: Sequence[Box]) -> list[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]]:
    names = sorted(map(identity, boxes))
    return [(one, other) for index, one in enumerate(names) for other in names[index + 1 :]]
