"""The shortest rule that says the same: Quine-McCluskey over sets of cells, as BugDoc asks for, with intervals.

Small rules are minimised exactly. Every shortest rule is made of boxes inside maximal ones (primes); a smaller box is
worth considering only where it takes fewer atoms, so those are enumerated and the cheapest cover is found. Two
neighbouring cells that no mask of the rule parts need not be parted: whichever of the two a box treats more cheaply
can be copied to the other. Larger rules are improved by steps that never make them longer (merge, widen, drop, narrow)
until none applies: ESPRESSO's loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod

from rootward.rules.simplify.boxes import Box, Budget, absorbed, covered, helpers, identity, pieces, primes, unreached
from rootward.rules.simplify.cells import Axis, bits
from rootward.rules.simplify.express import cost

ROWS = 2048  # the exact method is used up to so many combinations of cells ...
PRIMES = 64  # ... so many maximal boxes ...
CANDIDATES = 1000  # ... so many boxes to choose from ...
PARTS = 8  # ... so many parted cells on one side of one box ...
STEPS = 4000  # ... and so many steps of its search.
EFFORT = 300_000  # steps of the coverage test that the method for larger rules may take
ATOM = 1 << 20  # the weight of an atom, where a term weighs 1: among the shortest rules, fewest terms


class Minimiser:
    """The axes of one rule, and what boxes on them cost."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        self.axes = axes
        self.full = [axis.full for axis in axes]

    def minimise(self, boxes: Iterable[Box]) -> list[Box]:
        """Boxes with the same union and as few atoms as could be found; the fewest if the rule is small."""
        start = absorbed(boxes, self.full)
        found = self._exact(start) or self._improved(start)
        # Between equals, terms that overlap less: "x <= 5 or (x > 5 and y)" rather than "... or (x >= 5 and y)".
        return self._narrowed(found, Budget(EFFORT // 4), gain=0)

    def weight(self, boxes: Iterable[Box]) -> float:
        """Atoms first, then terms; infinite for what no atoms can say."""
        return sum(self._weight(box) for box in boxes)

    def _weight(self, box: Box) -> float:
        found = [cost(self.axes[axis], mask) for axis, mask in box.items()]
        return 1 + ATOM * sum(float("inf") if one is None else one for one in found)

    # The exact method

    def _exact(self, boxes: list[Box]) -> list[Box] | None:
        """The shortest union; None if the rule is too large."""
        parted = self._parted(boxes)
        if prod(map(len, parted.values())) > ROWS:
            return None
        maximal = primes(boxes, self.full, PRIMES)
        candidates = None if maximal is None else self._candidates(maximal, parted)
        if candidates is None:
            return None
        rows = _Rows(parted)
        columns = [Column(rows.of(box), int(self._weight(box))) for box in candidates]
        union = 0
        for box in boxes:
            union |= rows.of(box)
        chosen = cheapest(columns, union, STEPS)
        return None if chosen is None else [candidates[index] for index in chosen]

    def _parted(self, boxes: Sequence[Box]) -> dict[int, list[int]]:
        """For each axis that matters, its cells in the largest groups that need not be parted."""
        axes = sorted({axis for box in boxes for axis in box})
        return {axis: self._groups(axis, {box[axis] for box in boxes if axis in box}) for axis in axes}

    def _groups(self, axis: int, masks: Iterable[int]) -> list[int]:
        alike = pieces(self.full[axis], sorted(masks))
        found: list[int] = []
        apart = 0
        last: tuple[str, int] | None = None
        for slot in self.axes[axis].slots:
            for bit in bits(slot.mask):
                if not slot.chain:
                    apart |= 1 << bit
                    continue
                group = (slot.chain, next(index for index, piece in enumerate(alike) if piece >> bit & 1))
                if group == last:
                    found[-1] |= 1 << bit
                else:
                    found.append(1 << bit)
                last = group
        return found + [piece & apart for piece in alike if piece & apart]

    def _candidates(self, maximal: Iterable[Box], parted: dict[int, list[int]]) -> list[Box] | None:
        """Every box that a shortest rule may need; None if there are too many."""
        found: dict[tuple[tuple[int, int], ...], Box] = {}
        for box in maximal:
            choices = [self._sides(axis, mask, parted[axis]) for axis, mask in sorted(box.items())]
            if any(side is None for side in choices) or prod(len(side or ()) for side in choices) > CANDIDATES:
                return None
            for sides in product(*(side or () for side in choices)):
                smaller = dict(zip(sorted(box), sides, strict=True))
                found[identity(smaller)] = smaller
            if len(found) > CANDIDATES:
                return None
        return [found[name] for name in sorted(found)]

    def _sides(self, axis: int, mask: int, groups: Sequence[int]) -> list[int] | None:
        """The mask, and the parts of it that take fewer atoms and lie in no other that takes as few."""
        inside = [group for group in groups if group & mask]
        if len(inside) > PARTS:
            return None
        found = [(mask, cost(self.axes[axis], mask))]
        for part in _subsets(inside):
            price = cost(self.axes[axis], part)
            if price is not None and all(part & ~other or p is None or p > price for other, p in found):
                found.append((part, price))
        return [side for side, price in found if price is not None]

    # The method for larger rules

    def _improved(self, boxes: list[Box]) -> list[Box]:
        """A union at most as costly; as good as the steps below can make it."""
        budget = Budget(EFFORT)
        best, weight = boxes, self.weight(boxes)
        current = boxes
        while budget.left:
            current = self._narrowed(self._needed(self._widened(self._merged(current), budget), budget), budget)
            if self.weight(current) >= weight:
                return best
            best, weight = current, self.weight(current)
        return best

    def _merged(self, boxes: list[Box]) -> list[Box]:
        """Boxes that differ along one axis only, made one."""
        found = boxes
        while True:
            before = len(found)
            for axis in range(len(self.axes)):
                groups: dict[tuple[tuple[int, int], ...], int] = {}
                for box in found:
                    rest = identity({k: mask for k, mask in box.items() if k != axis})
                    groups[rest] = groups.get(rest, 0) | box.get(axis, self.full[axis])
                found = [self._with(dict(rest), axis, mask) for rest, mask in groups.items()]
            if len(found) == before:
                return absorbed(found, self.full)

    def _with(self, box: Box, axis: int, mask: int) -> Box:
        rest = {k: other for k, other in box.items() if k != axis}
        return rest if mask == self.full[axis] else {**rest, axis: mask}

    def _widened(self, boxes: list[Box], budget: Budget) -> list[Box]:
        """Each box, costliest first, made as wide as the union allows without costing more."""
        found = {identity(box): box for box in boxes}
        never = unreached(boxes, self.full)
        for box in self._costliest(boxes):
            if identity(box) not in found or not budget.spend(len(boxes)):
                continue
            wider = self._widest(box, boxes, never, budget)
            if wider != box:
                kept = absorbed([*found.values(), wider], self.full)
                found = {identity(other): other for other in kept}
        return list(found.values())

    def _widest(self, box: Box, boxes: list[Box], never: list[int], budget: Budget) -> Box:
        reaching = helpers(box, boxes, self.full, never, apart=1)
        for axis in sorted(box, key=lambda axis: (-(cost(self.axes[axis], box[axis]) or 0), axis)):
            near = [other for other in reaching if other.get(axis, self.full[axis]) & ~box[axis]]
            for mask in self._wider(axis, box[axis], near):
                added = mask & ~box[axis]
                if not added or not budget.left or not covered({**box, axis: added}, near, self.full, budget):
                    continue
                if self._weight(self._with(box, axis, mask)) <= self._weight(box):
                    box = {**box, axis: mask}
            box = self._with(box, axis, box[axis])
        return box

    def _wider(self, axis: int, mask: int, near: list[Box]) -> list[int]:
        """The whole axis, then what boxes nearby have along it, widest first."""
        joined = {mask | other.get(axis, self.full[axis]) for other in near} | ({self.full[axis]} if near else set())
        return sorted(joined, key=lambda wider: (-wider.bit_count(), wider))

    def _needed(self, boxes: list[Box], budget: Budget) -> list[Box]:
        """Without boxes, costliest first, that the others cover."""
        found = boxes
        never = unreached(boxes, self.full)
        for box in self._costliest(boxes):
            others = [other for other in found if other is not box]
            if budget.spend(len(others)) and covered(box, helpers(box, others, self.full, never), self.full, budget):
                found = others
        return found

    def _narrowed(self, boxes: list[Box], budget: Budget, *, gain: int = 1) -> list[Box]:
        """Each box reduced to what the others do not cover, where that gains so many atoms."""
        found = list(boxes)
        never = unreached(boxes, self.full)
        for index in range(len(found)):
            if not budget.spend(len(found)):
                break
            near = helpers(found[index], found[:index] + found[index + 1 :], self.full, never)
            for axis in sorted(found[index]) if near else ():
                found[index] = self._narrower(found[index], axis, near, budget, gain)
        return found

    def _narrower(self, box: Box, axis: int, near: list[Box], budget: Budget, gain: int) -> Box:
        spare = 0
        if not budget.spend(len(near) ** 2 // 4):
            return box
        for piece in pieces(box[axis], [other[axis] for other in near if axis in other]):
            if covered({**box, axis: piece}, near, self.full, budget):
                spare |= piece
        narrower = {**box, axis: box[axis] & ~spare}
        good = spare and narrower[axis] and self._weight(narrower) <= self._weight(box) - gain * ATOM
        return narrower if good else box

    def _costliest(self, boxes: Iterable[Box]) -> list[Box]:
        return sorted(boxes, key=lambda box: (-self._weight(box), identity(box)))


class _Rows:
    """Boxes as bit sets of the combinations of parted cells."""

    def __init__(self, parted: dict[int, list[int]]) -> None:
        self.count = prod(map(len, parted.values()))
        self.by_group = {(axis, group): 0 for axis, groups in parted.items() for group in groups}
        for row, groups in enumerate(product(*parted.values())):
            for axis, group in zip(parted, groups, strict=True):
                self.by_group[axis, group] |= 1 << row

    def of(self, box: Box) -> int:
        found = (1 << self.count) - 1
        for axis, mask in box.items():
            side = 0
            for (of, group), rows in self.by_group.items():
                if of == axis and group & mask:
                    side |= rows
            found &= side
        return found


def _subsets(parts: Sequence[int]) -> Iterator[int]:
    """The unions of some but not all of the parts, largest first."""
    for size in range(len(parts) - 1, 0, -1):
        for chosen in combinations(parts, size):
            yield sum(chosen)


# The cheapest set of columns that covers all rows: branch and bound on bit sets. Rows and columns that cannot matter
# are removed first; the bound adds up the cheapest columns of rows that share none.


@dataclass(frozen=True, slots=True)
class Column:
    """``rows`` is a bit set."""

    rows: int
    weight: int


def cheapest(columns: Sequence[Column], rows: int, steps: int) -> tuple[int, ...] | None:
    """The indices of a cheapest cover of ``rows``; None if that cannot be proven within so many steps."""
    kept = _useful(columns)
    by_row = {row: [index for index in kept if columns[index].rows >> row & 1] for row in bits(rows)}
    hard = _hard(by_row)
    search = _Search(columns, steps, by_row={row: by_row[row] for row in hard})
    search.run(sum(1 << row for row in hard), 0, ())
    return None if search.steps < 0 else search.chosen


@dataclass
class _Search:
    columns: Sequence[Column]
    steps: int
    weight: float = float("inf")
    chosen: tuple[int, ...] | None = None
    by_row: dict[int, list[int]] = field(default_factory=dict)

    def run(self, rows: int, weight: int, chosen: tuple[int, ...]) -> None:
        self.steps -= 1
        if self.steps < 0 or weight + self._bound(rows) >= self.weight:
            return
        if not rows:
            self.weight, self.chosen = weight, chosen
            return
        hardest = min(bits(rows), key=lambda row: (len(self.by_row[row]), row))
        for index in self.by_row[hardest]:
            column = self.columns[index]
            self.run(rows & ~column.rows, weight + column.weight, (*chosen, index))

    def _bound(self, rows: int) -> int:
        total = 0
        for row in sorted(bits(rows), key=lambda row: (len(self.by_row[row]), row)):
            if rows >> row & 1:
                total += min(self.columns[index].weight for index in self.by_row[row])
                for index in self.by_row[row]:
                    rows &= ~self.columns[index].rows
        return total


def _useful(columns: Sequence[Column]) -> list[int]:
    """The columns, cheap ones first, of which no other covers as much for as little."""
    kept: list[int] = []
    by_weight = sorted(range(len(columns)), key=lambda i: (columns[i].weight, -columns[i].rows.bit_count(), i))
    for index in by_weight:
        rows = columns[index].rows
        if all(rows & ~columns[other].rows for other in kept):
            kept.append(index)
    return kept


def _hard(by_row: dict[int, list[int]]) -> list[int]:
    """The rows of which no other is covered by a subset of the same columns."""
    sets = {row: frozenset(found) for row, found in by_row.items()}
    distinct = {found: row for row, found in reversed(sets.items())}
    kept: list[frozenset[int]] = []
    for found in sorted(distinct, key=lambda found: (len(found), distinct[found])):
        if not any(other <= found for other in kept):
            kept.append(found)
    return sorted(distinct[found] for found in kept)
