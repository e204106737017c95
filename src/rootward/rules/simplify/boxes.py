"""Boxes: a term as one set of cells per field, and the set algebra of their unions.

A box maps the number of an axis to a mask; an axis that is not mentioned is not restricted. Almost everything rests on
one question, whether a union of boxes covers a box, answered by restricting the union to the box and splitting the box
along an axis, into the fewest pieces that decide it. The question is co-NP-complete, so those who can live with "not
known to be" give a `Budget` of steps; steps are counted, not seconds, so that every machine gives the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Box = dict[int, int]


@dataclass
class Budget:
    """Steps that may still be taken."""

    steps: int

    @property
    def left(self) -> bool:
        return self.steps >= 0

    def spend(self, steps: int) -> bool:
        """Whether there was enough left."""
        self.steps -= steps
        return self.steps >= 0


def identity(box: Box) -> tuple[tuple[int, int], ...]:
    """A hashable, sortable name of a box."""
    return tuple(sorted(box.items()))


def within(inner: Box, outer: Box, full: Sequence[int]) -> bool:
    """Whether one box lies in another."""
    return all(not inner.get(axis, full[axis]) & ~mask for axis, mask in outer.items())


def meet(one: Box, other: Box) -> Box | None:
    """The box of what two have in common; None if that is nothing."""
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


def absorbed(boxes: Iterable[Box], full: Sequence[int]) -> list[Box]:
    """Without duplicates and without boxes that lie in another one; in an order that depends on the boxes alone."""
    kept: list[Box] = []
    # A box can only lie in one that restricts no more axes: wide ones first.
    for name in sorted({identity(box) for box in boxes}, key=lambda name: (len(name), _bits(name), name)):
        box = dict(name)
        if not any(within(box, other, full) for other in kept):
            kept = [other for other in kept if not within(other, box, full)] + [box]
    return kept


def _bits(name: tuple[tuple[int, int], ...]) -> int:
    return -sum(mask.bit_count() for _, mask in name)


def covered(box: Box, boxes: Sequence[Box], full: Sequence[int], budget: Budget | None = None) -> bool:
    """Whether the union of ``boxes`` covers ``box``; with a budget, False may also mean that it ran out."""
    if budget and not budget.spend(len(boxes)):
        return False
    parts: list[Box] = []
    for other in boxes:
        part = _restricted(other, box, full)
        if part is not None:
            if not part:
                return True
            parts.append(part)
    if len(parts) < 2 or _volume(parts, box, full) < 1 - 1e-9:
        return False
    counts = Counter(axis for part in parts for axis in part)
    if budget and not budget.spend(sum(count * count for count in counts.values()) // 4):
        return False
    hard = {axis: _hardest(box.get(axis, full[axis]), axis, parts) for axis in sorted(counts)}
    # Where one piece is hardest, it alone decides; all such axes can be settled at once.
    single = {axis: found[0] for axis, found in hard.items() if len(found) == 1}
    if single:
        return covered({**box, **single}, parts, full, budget)
    axis = min(hard, key=lambda axis: (len(hard[axis]), -counts[axis], axis))
    return all(covered({**box, axis: piece}, parts, full, budget) for piece in hard[axis])


def _hardest(here: int, axis: int, parts: Sequence[Box]) -> list[int]:
    """The pieces along an axis that need testing, most likely uncovered first.

    Whatever covers a piece covers all pieces that the same parts reach, and more: only the least reached can fail.
    """
    reached = _reached(here, (part[axis] for part in parts if axis in part))
    kept: list[tuple[int, int]] = []
    for piece, reach in sorted(reached, key=lambda found: found[1].bit_count()):
        if all(other & ~reach for _, other in kept):
            kept.append((piece, reach))
    return [piece for piece, _ in kept]


def _reached(whole: int, masks: Iterable[int]) -> list[tuple[int, int]]:
    """The pieces of ``whole``, each with the set of masks that it lies in."""
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


def _restricted(other: Box, box: Box, full: Sequence[int]) -> Box | None:
    """``other`` inside ``box``: only the axes on which it does not fill the box; None if they are apart."""
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
    """How much of the box the parts could cover at most, were they apart from each other."""
    total = 0.0
    for part in parts:
        share = 1.0
        for axis, mask in part.items():
            share *= mask.bit_count() / box.get(axis, full[axis]).bit_count()
        total += share
    return total


def pieces(whole: int, masks: Iterable[int]) -> list[int]:
    """``whole`` cut into the largest parts that no mask cuts through."""
    return sorted(piece for piece, _ in _reached(whole, masks))


def unreached(boxes: Iterable[Box], full: Sequence[int]) -> list[int]:
    """The cells of each axis that lie in no box that restricts the axis: NaN, often."""
    found = list(full)
    for box in boxes:
        for axis, mask in box.items():
            found[axis] &= ~mask
    return found


def helpers(box: Box, boxes: Iterable[Box], full: Sequence[int], never: Sequence[int], apart: int = 0) -> list[Box]:
    """The boxes that can help to cover ``box``, or one that is wider along ``apart`` axes.

    ``never`` are the cells that are `unreached`. Where the box has such a cell, only boxes that do not restrict the
    axis reach it, and if they cover the box there they cover it everywhere.
    """
    return [other for other in boxes if _helps(other, box, full, never, apart)]


def _helps(other: Box, box: Box, full: Sequence[int], never: Sequence[int], apart: int) -> bool:
    for axis, mask in other.items():
        here = box.get(axis, full[axis])
        if here & never[axis]:
            return False
        if not here & mask:
            apart -= 1
            if apart < 0:
                return False
    return True


def without(box: Box, other: Box, full: Sequence[int]) -> list[Box]:
    """What is left of ``box`` outside of ``other``, as boxes apart from each other."""
    if meet(box, other) is None:
        return [box]
    found, rest = [], dict(box)
    for axis in sorted(other):
        here = rest.get(axis, full[axis])
        if left := here & ~other[axis]:
            found.append({**rest, axis: left})
        rest[axis] = here & other[axis]
    return found


def complement(boxes: Iterable[Box], full: Sequence[int]) -> list[Box]:
    """Everything that no box covers."""
    found: list[Box] = [{}]
    for box in boxes:
        found = absorbed((left for piece in found for left in without(piece, box, full)), full)
    return found


def consensus(one: Box, other: Box, full: Sequence[int]) -> list[Box]:
    """The widest boxes in the union of two that lie in neither: joined along one axis, met along all others."""
    if (shared := meet(one, other)) is not None:
        apart = sorted({*one, *other})
    else:
        apart = [axis for axis in one if axis in other and not one[axis] & other[axis]]
        if len(apart) > 1:
            return []
        axis = apart[0]
        shared = meet({k: v for k, v in one.items() if k != axis}, {k: v for k, v in other.items() if k != axis})
    assert shared is not None
    return [_joined(shared, axis, one, other, full) for axis in apart]


def _joined(shared: Box, axis: int, one: Box, other: Box, full: Sequence[int]) -> Box:
    joined = one.get(axis, full[axis]) | other.get(axis, full[axis])
    rest = {k: mask for k, mask in shared.items() if k != axis}
    return rest if joined == full[axis] else {**rest, axis: joined}


def primes(boxes: Iterable[Box], full: Sequence[int], limit: int) -> list[Box] | None:
    """All maximal boxes in the union, by iterated consensus; None if there are more than ``limit`` on the way."""
    kept = absorbed(boxes, full)
    done: set[tuple[object, object]] = set()
    while True:
        fresh = [pair for pair in _pairs(kept) if pair not in done]
        if not fresh:
            return kept
        done.update(fresh)
        found = [box for one, other in fresh for box in consensus(dict(one), dict(other), full)]
        kept = absorbed([*kept, *found], full)
        if len(kept) > limit:
            return None


def _pairs(boxes: Sequence[Box]) -> list[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]]:
    names = sorted(map(identity, boxes))
    return [(one, other) for index, one in enumerate(names) for other in names[index + 1 :]]
