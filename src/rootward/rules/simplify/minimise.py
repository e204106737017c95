"""Find the shortest rule with the same meaning: Quine-McCluskey over sets of cells, as BugDoc asks for, with intervals.

A rule is a union of boxes (`boxes`); its length is the number of atoms that `express` needs for their sides. To
minimise it is to find boxes with the same union and the fewest atoms, and among those the fewest boxes.

**Small rules are minimised exactly**, in three steps. First, find all primes: the maximal boxes inside the union. Every
box of a shortest rule lies inside one of them. Second, list the candidates. In the textbook method the primes are
enough. Here a box inside a prime may take fewer atoms than the prime (``x <= 5`` takes one, ``x <= 5 or x = 7`` two),
so for each side the smaller sets of cells that are cheaper are candidates as well. Third, choose the cheapest set of
candidates that covers the union: a weighted set cover, solved by branch and bound. Its rows are combinations of cells.
To keep them few, neighbouring cells that no side of the rule's boxes separates are one group: if a box treated two such
cells differently, the cheaper treatment could be copied to the other cell.

**Larger rules are improved** by ESPRESSO's loop: merge boxes that differ along one axis, widen boxes, drop boxes that
the others cover, narrow boxes where that saves atoms. The loop ends when a round saves nothing, or when the budget for
coverage tests is spent; the best union so far is the result. To add a step, write a method that returns boxes with the
same union and no larger weight, and spends from the budget, and call it in `_improve`.

The limits below are counts, not times, so every machine returns the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod

from rootward.rules.simplify.boxes import (
    Box,
    StepBudget,
    drop_absorbed,
    helpers,
    identity,
    is_covered,
    pieces,
    primes,
    unreached_cells,
)
from rootward.rules.simplify.cells import CellAxis, bits
from rootward.rules.simplify.express import cost

# The exact method is used only within these limits:
MAX_ROWS = 2048  # combinations of groups of cells
MAX_PRIMES = 64  # maximal boxes
MAX_CANDIDATES = 1000  # boxes to choose from
MAX_GROUPS = 8  # groups of cells on one side of one box
MAX_STEPS = 4000  # steps of the set cover search

MAX_COVERAGE_STEPS = 300_000  # steps of the coverage test for larger rules
ATOM_WEIGHT = 1 << 20  # weight of an atom, where a term weighs 1: among the shortest rules, the one with fewest terms


class Minimiser:
    """Minimises unions of boxes on the axes of one rule."""

    def __init__(self, axes: Sequence[CellAxis]) -> None:
        self.axes = axes
        self.full = [axis.full for axis in axes]

    def minimise(self, boxes: Iterable[Box]) -> list[Box]:
        """Return boxes with the same union that take as few atoms as were found.

        For small rules, this is the minimum.
        """
        start = drop_absorbed(boxes, self.full)
        found = self._minimise_exactly(start) or self._improve(start)
        # Among equally short rules, prefer less overlap: "x <= 5 or (x > 5 and y)", not "... or (x >= 5 and y)".
        return self._narrow_all(found, StepBudget(MAX_COVERAGE_STEPS // 4), gain=0)

    def weight(self, boxes: Iterable[Box]) -> float:
        """Return the weight of a union of boxes. It is infinite if atoms cannot express a box.

        Atoms count first; the number of terms decides between equal numbers of atoms.
        """
        return sum(self._weight(box) for box in boxes)

    def _weight(self, box: Box) -> float:
        found = [cost(self.axes[axis], mask) for axis, mask in box.items()]
        return 1 + ATOM_WEIGHT * sum(float("inf") if one is None else one for one in found)

    # The exact method

    def _minimise_exactly(self, boxes: list[Box]) -> list[Box] | None:
        """Return the shortest union; None if the rule is too large for the exact method."""
        parted = self._group_cells(boxes)
        if prod(map(len, parted.values())) > MAX_ROWS:
            return None
        maximal = primes(boxes, self.full, MAX_PRIMES)
        candidates = None if maximal is None else self._candidates(maximal, parted)
        if candidates is None:
            return None
        rows = _Rows(parted)
        columns = [Column(rows.of(box), int(self._weight(box))) for box in candidates]
        union = 0
        for box in boxes:
            union |= rows.of(box)
        chosen = find_cheapest_cover(columns, union, MAX_STEPS)
        return None if chosen is None else [candidates[index] for index in chosen]

    def _group_cells(self, boxes: Sequence[Box]) -> dict[int, list[int]]:
        """Return, for each axis that a box restricts, groups of its cells.

        They are the largest that need not be split.
        """
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
        """Return every box that a shortest rule may need; None if there are too many."""
        found: dict[tuple[tuple[int, int], ...], Box] = {}
        for box in maximal:
            choices = [self._sides(axis, mask, parted[axis]) for axis, mask in sorted(box.items())]
            if any(side is None for side in choices) or prod(len(side or ()) for side in choices) > MAX_CANDIDATES:
                return None
            for sides in product(*(side or () for side in choices)):
                smaller = dict(zip(sorted(box), sides, strict=True))
                found[identity(smaller)] = smaller
            if len(found) > MAX_CANDIDATES:
                return None
        return [found[name] for name in sorted(found)]

    def _sides(self, axis: int, mask: int, groups: Sequence[int]) -> list[int] | None:
        """Return the mask and its useful subsets; None if there are too many groups.

        A subset is useful if it takes fewer atoms than every larger set that contains it.
        """
        inside = [group for group in groups if group & mask]
        if len(inside) > MAX_GROUPS:
            return None
        found = [(mask, cost(self.axes[axis], mask))]
        for part in _subsets(inside):
            price = cost(self.axes[axis], part)
            if price is not None and all(part & ~other or p is None or p > price for other, p in found):
                found.append((part, price))
        return [side for side, price in found if price is not None]

    # The method for larger rules

    def _improve(self, boxes: list[Box]) -> list[Box]:
        """Return boxes with the same union and at most the same weight. This is the method for larger rules."""
        budget = StepBudget(MAX_COVERAGE_STEPS)
        best, weight = boxes, self.weight(boxes)
        current = boxes
        while budget.left:
            current = self._narrow_all(
                self._drop_covered(self._widen_all(self._merge(current), budget), budget), budget
            )
            if self.weight(current) >= weight:
                return best
            best, weight = current, self.weight(current)
        return best

    def _merge(self, boxes: list[Box]) -> list[Box]:
        """Merge boxes that differ along one axis only."""
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
                return drop_absorbed(found, self.full)

    def _with(self, box: Box, axis: int, mask: int) -> Box:
        rest = {k: other for k, other in box.items() if k != axis}
        return rest if mask == self.full[axis] else {**rest, axis: mask}

    def _widen_all(self, boxes: list[Box], budget: StepBudget) -> list[Box]:
        """Widen each box as far as possible, costliest first. The union stays the same, and no box becomes costlier."""
        found = {identity(box): box for box in boxes}
        never = unreached_cells(boxes, self.full)
        for box in self._sort_by_cost(boxes):
            if identity(box) not in found or not budget.spend(len(boxes)):
                continue
            wider = self._widen(box, boxes, never, budget)
            if wider != box:
                kept = drop_absorbed([*found.values(), wider], self.full)
                found = {identity(other): other for other in kept}
        return list(found.values())

    def _widen(self, box: Box, boxes: list[Box], never: list[int], budget: StepBudget) -> Box:
        reaching = helpers(box, boxes, self.full, never, apart=1)
        for axis in sorted(box, key=lambda axis: (-(cost(self.axes[axis], box[axis]) or 0), axis)):
            near = [other for other in reaching if other.get(axis, self.full[axis]) & ~box[axis]]
            for mask in self._wider_masks(axis, box[axis], near):
                added = mask & ~box[axis]
                if not added or not budget.left or not is_covered({**box, axis: added}, near, self.full, budget):
                    continue
                if self._weight(self._with(box, axis, mask)) <= self._weight(box):
                    box = {**box, axis: mask}
            box = self._with(box, axis, box[axis])
        return box

    def _wider_masks(self, axis: int, mask: int, near: list[Box]) -> list[int]:
        """Return the wider masks to try, widest first: the whole axis, and unions with the masks of nearby boxes."""
        joined = {mask | other.get(axis, self.full[axis]) for other in near} | ({self.full[axis]} if near else set())
        return sorted(joined, key=lambda wider: (-wider.bit_count(), wider))

    def _drop_covered(self, boxes: list[Box], budget: StepBudget) -> list[Box]:
        """Drop boxes that the remaining boxes cover. The costliest boxes are tried first."""
        found = boxes
        never = unreached_cells(boxes, self.full)
        for box in self._sort_by_cost(boxes):
            others = [other for other in found if other is not box]
            if budget.spend(len(others)) and is_covered(box, helpers(box, others, self.full, never), self.full, budget):
                found = others
        return found

    def _narrow_all(self, boxes: list[Box], budget: StepBudget, *, gain: int = 1) -> list[Box]:
        """Reduce each box to the part that no other box covers, if this saves at least ``gain`` atoms."""
        found = list(boxes)
        never = unreached_cells(boxes, self.full)
        for index in range(len(found)):
            if not budget.spend(len(found)):
                break
            near = helpers(found[index], found[:index] + found[index + 1 :], self.full, never)
            for axis in sorted(found[index]) if near else ():
                found[index] = self._narrow(found[index], axis, near, budget, gain)
        return found

    def _narrow(self, box: Box, axis: int, near: list[Box], budget: StepBudget, gain: int) -> Box:
        spare = 0
        if not budget.spend(len(near) ** 2 // 4):
            return box
        for piece in pieces(box[axis], [other[axis] for other in near if axis in other]):
            if is_covered({**box, axis: piece}, near, self.full, budget):
                spare |= piece
        narrower = {**box, axis: box[axis] & ~spare}
        good = spare and narrower[axis] and self._weight(narrower) <= self._weight(box) - gain * ATOM_WEIGHT
        return narrower if good else box

    def _sort_by_cost(self, boxes: Iterable[Box]) -> list[Box]:
        return sorted(boxes, key=lambda box: (-self._weight(box), identity(box)))


class _Rows:
    """Represents boxes as bit sets of rows. A row is a combination of groups of cells, one of each axis."""

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
    """Yield the unions of some but not all of the parts. Unions of many parts come first."""
    for size in range(len(parts) - 1, 0, -1):
        for chosen in combinations(parts, size):
            yield sum(chosen)


# The cheapest set of columns that covers all rows, by branch and bound on bit sets. Rows and columns that cannot matter
# are removed first. The lower bound is the sum of the cheapest columns over rows that have no column in common.


@dataclass(frozen=True, slots=True)
class Column:
    """A candidate of the set cover: the bit set of the rows that it covers, and its weight."""

    rows: int
    weight: int


def find_cheapest_cover(columns: Sequence[Column], rows: int, steps: int) -> tuple[int, ...] | None:
    """Return the indices of the columns of a cheapest cover of ``rows``.

    Returns None if no cover is proved to be cheapest within ``steps`` steps.
    """
    kept = _drop_dominated_columns(columns)
    by_row = {row: [index for index in kept if columns[index].rows >> row & 1] for row in bits(rows)}
    hard = _drop_dominated_rows(by_row)
    search = _CoverSearch(columns, steps, by_row={row: by_row[row] for row in hard})
    search.run(sum(1 << row for row in hard), 0, ())
    return None if search.steps < 0 else search.chosen


@dataclass
class _CoverSearch:
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


def _drop_dominated_columns(columns: Sequence[Column]) -> list[int]:
    """Return the indices of the columns that are not dominated, cheap ones first.

    A column is dominated if another column covers at least the same rows and costs no more.
    """
    kept: list[int] = []
    by_weight = sorted(range(len(columns)), key=lambda i: (columns[i].weight, -columns[i].rows.bit_count(), i))
    for index in by_weight:
        rows = columns[index].rows
        if all(rows & ~columns[other].rows for other in kept):
            kept.append(index)
    return kept


def _drop_dominated_rows(by_row: dict[int, list[int]]) -> list[int]:
    """Return the rows that are hardest to cover. A cover of these rows also covers all other rows.

    Row A is dropped if there is a row B whose columns are a subset of the columns of A.
    """
    sets = {row: frozenset(found) for row, found in by_row.items()}
    distinct = {found: row for row, found in reversed(sets.items())}
    kept: list[frozenset[int]] = []
    for found in sorted(distinct, key=lambda found: (len(found), distinct[found])):
        if not any(other <= found for other in kept):
            kept.append(found)
    return sorted(distinct[found] for found in kept)
