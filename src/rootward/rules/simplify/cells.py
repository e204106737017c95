"""Cells: a field's domain cut at the constants that a rule mentions, so that a finite algebra is exact.

No atom can tell two values of one cell apart, so one *witness* stands for each: a constant, some value strictly between
two neighbouring constants, NaN, and "anything else". An atom becomes the set of witnesses it accepts, a bit mask; what
it means is asked of the atom itself and defined nowhere else. Where the space says what a field may hold, cells without
a member are dropped, and one with a single member is a constant, too: for an integer, ``x > 3`` and ``x >= 4`` are one
mask, and ``3 < x < 5`` is the mask of ``x = 4``.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain as chained
from itertools import islice, pairwise
from typing import Any, Protocol

from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.constants import is_nan, is_negative_zero, kind, same, value_order
from rootward.space.exceptional_values import at_ordinal, largest, narrow, ordinal
from rootward.space.keys import canonical


class Domain(Protocol):
    """What the algebra asks of a field of the space."""

    @property
    def values(self) -> Sequence[Any]: ...
    @property
    def size(self) -> float: ...
    @property
    def ordered(self) -> bool: ...
    @property
    def whole(self) -> bool: ...
    def contains(self, value: object) -> bool: ...
    def coerce(self, value: object) -> Any: ...


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on an axis: a constant (with two cells if it is a zero whose signs are told apart) or a gap.

    ``chain`` is the kind of values that are in order here, or empty for a place apart: NaN, a bool, anything else.
    ``low`` and ``high`` are the constants around a gap, None at the ends; ``first`` is the lowest bit of ``mask``.
    """

    witnesses: tuple[Any, ...]
    chain: str
    is_point: bool
    low: Any = None
    high: Any = None
    first: int = 0
    mask: int = 0


Members = Callable[[Iterable[Any]], Iterator[Any]]
"""Those of some candidates that a field may hold, as it would hold them."""


class Anything:
    """The witness of all values that a rule does not mention."""


ANYTHING = Anything()


class Axis:
    """One field's cells. ``loose`` keeps "anything else" beside the numbers or text that the field is ordered by."""

    def __init__(self, field: str, atoms: Iterable[Atom], domain: Domain | None = None, *, loose: bool = True) -> None:
        self.field = field
        atoms = sorted(set(atoms))
        self._ordering = [atom for atom in atoms if atom.op in ORDERINGS]
        self.uses_order = bool(self._ordering)
        self.slots = _numbered(_cut(atoms, domain, loose=loose))
        self.slot_at = [slot for slot in self.slots for _ in slot.witnesses]  # by bit
        self.witnesses = [witness for slot in self.slots for witness in slot.witnesses]
        self.full = (1 << len(self.witnesses)) - 1
        self.gaps = sum(slot.mask for slot in self.slots if not slot.is_point)
        self.zeros = next((slot for slot in self.slots if len(slot.witnesses) > 1), None)
        names = dict.fromkeys(slot.chain for slot in self.slots if slot.chain)
        self.chains = [sum(slot.mask for slot in self.slots if slot.chain == name) for name in names]
        self.expressions: dict[int, Any] = {}  # the memo of `express`
        self._masks: dict[Atom, int] = {}

    @cached_property
    def phrases(self) -> dict[int, Atom]:
        """The orderings that the rule itself uses, by what they mean: of ``n > 3`` and ``n >= 4``, the given one."""
        return {self.mask(atom): atom for atom in reversed(self._ordering)}

    @cached_property
    def _near(self) -> dict[Hashable, list[int]]:
        found: dict[Hashable, list[int]] = defaultdict(list)
        for bit, witness in enumerate(self.witnesses):
            found[None if witness is ANYTHING else _near(witness)].append(bit)
        return found

    def mask(self, atom: Atom) -> int:
        """The cells in which the atom holds."""
        if atom not in self._masks:
            self._masks[atom] = self._ordered(atom) if atom.op in ORDERINGS else self._equal(atom)
        return self._masks[atom]

    def _ordered(self, atom: Atom) -> int:
        """Along a chain, an ordering holds up to some place (``<``) or from there on: a binary search finds it."""
        found = 0
        upwards = atom.op[0] == ">"
        for chain in self.chains:
            cells = range((chain & -chain).bit_length() - 1, chain.bit_length())
            before = bisect(cells, False, key=lambda bit: atom.accepts(self.witnesses[bit]) == upwards)
            below = (1 << cells.start + before) - 1
            found |= chain & (~below if upwards else below)
        return found

    def _equal(self, atom: Atom) -> int:
        near = self._near.get(_near(atom.value), ())
        found = sum(1 << bit for bit in near if same(self.witnesses[bit], atom.value))
        return found if atom.op == "=" else self.full & ~found


def _near(value: object) -> Hashable:
    """Equal for values that may be the same."""
    of = kind(value)
    return (of, "NaN" if is_nan(value) else value) if of != "other" else canonical(value)


def _cut(atoms: Sequence[Atom], domain: Domain | None, *, loose: bool) -> list[Slot]:
    """The slots of a field that these atoms are about."""
    constants = [atom.value for atom in atoms]
    ordered = {kind(atom.value) for atom in atoms if atom.op in ORDERINGS}
    if any(map(is_negative_zero, constants)):
        constants.append(0)  # the other zero is then a cell of its own
    if domain is None:
        return _free(constants, ordered, loose)
    if len(domain.values) < domain.size:
        return _within(constants, domain)
    # Text is in alphabetical order for an atom, which is rarely what the order of a list of texts means.
    return _points(domain.values, {"number", "text"} if ordered else {"number"} if domain.ordered else ())


def _numbered(slots: Iterable[Slot]) -> list[Slot]:
    """The slots with their bits: chains first, each in order."""
    found: list[Slot] = []
    bit = 0
    for slot in slots:
        found.append(replace(slot, first=bit, mask=((1 << len(slot.witnesses)) - 1) << bit))
        bit += len(slot.witnesses)
    return found


def _free(constants: Sequence[Any], ordered: set[str], loose: bool) -> list[Slot]:
    """The cells of a field that may hold anything; gaps only between constants that are compared by order."""
    chains = [slot for chain in sorted(ordered) for slot in _chain(constants, chain, iter)]
    rest = [value for value in constants if kind(value) not in ordered]
    nan = [Slot((math.nan,), "", True)] if "number" in ordered else []
    anything = [Slot((ANYTHING,), "", False)] if loose or not ordered else []
    return [*chains, *nan, *_points(rest), *anything]


def _within(constants: Sequence[Any], domain: Domain) -> list[Slot]:
    """The cells of the numbers, or the texts, of a domain too large to list."""

    def members(candidates: Iterable[Any]) -> Iterator[Any]:
        return (domain.coerce(value) for value in candidates if domain.contains(value))

    chain = kind(domain.values[0])
    found = _chain([*constants], chain, members, domain.values)
    if domain.whole:
        found = [replace(slot, is_point=True) if _is_single(slot, members) else slot for slot in found]
    return found + ([Slot((math.nan,), "", True)] if domain.contains(math.nan) else [])


def _is_single(slot: Slot, members: Members) -> bool:
    """Whether it is a gap with one integer."""
    if slot.is_point:
        return False
    (value,) = slot.witnesses
    return not list(_inside(members([value - 1, value + 1]), slot.chain, slot.low, slot.high))


def _points(listed: Iterable[object], in_order: Iterable[str] = ()) -> list[Slot]:
    """A slot for each value, those that ``=`` cannot part together; in chains if their kind is in order."""
    groups: list[list[object]] = []
    for value in sorted(listed, key=value_order):
        if not groups or not same(groups[-1][0], value):
            groups.append([value])
        elif is_negative_zero(groups[-1][-1]) and not is_negative_zero(value):
            groups[-1].append(value)
    slots = [Slot(tuple(group), of if (of := _chain_of(group[0])) in in_order else "", True) for group in groups]
    return sorted(slots, key=lambda slot: (not slot.chain, slot.chain))


def _chain_of(value: object) -> str:
    return kind(value) if kind(value) in ("number", "text") and not is_nan(value) else ""


def _chain(constants: Sequence[Any], chain: str, members: Members, known: Sequence[object] = ()) -> list[Slot]:
    """Points and gaps in ascending order; a point or a gap without a member is left out."""
    ordered = [value for value in constants if _chain_of(value) == chain]
    points = _points(ordered, {chain})
    ends: list[Any] = [None, *(slot.witnesses[0] for slot in points), None]
    between = _number_between if chain == "number" else _text_between
    found: list[Slot] = []
    for index, (low, high) in enumerate(pairwise(ends)):
        inside = _inside(members(chained(between(low, high), known)), chain, low, high)
        found += [Slot((value,), chain, False, low, high) for value in islice(inside, 1)]
        if index < len(points):
            kept = tuple(value for value in points[index].witnesses if _is_member(value, members))
            found += [Slot(kept, chain, True)] if kept else []
    return found


def _inside(candidates: Iterable[Any], chain: str, low: Any, high: Any) -> Iterator[Any]:
    fitting = (value for value in candidates if _chain_of(value) == chain)
    return (value for value in fitting if (low is None or low < value) and (high is None or value < high))


def _is_member(value: object, members: Members) -> bool:
    spellings = [value]
    if isinstance(value, int) and abs(value) <= largest(64):
        spellings.append(float(value))
    elif isinstance(value, float) and value.is_integer() and not is_negative_zero(value):
        spellings.append(int(value))
    return any(same(found, value) for spelling in spellings for found in members([spelling]))


def _number_between(low: float | None, high: float | None) -> Iterator[float]:
    """Numbers among which one lies strictly between, if any integer or any float of 32 or 64 bits does."""
    yield from [-math.inf] * (low is None) + [math.inf] * (high is None) + [0]
    if low is not None and abs(low) != math.inf:
        yield math.floor(low) + 1
    if high is not None and abs(high) != math.inf:
        yield math.ceil(high) - 1
    for width in (64, 32):
        yield from _beside(low, width, 1) + _beside(high, width, -1)


def _beside(end: float | None, width: int, step: int) -> list[float]:
    """The floats of that width next to ``end`` on one side; one of the first four is strictly beyond it."""
    if end is None or end == step * math.inf or (isinstance(end, int) and abs(end) > largest(64)):
        return []
    rank = ordinal(narrow(float(end), width), width)
    edge = ordinal(math.inf, width)
    return [at_ordinal(max(-1 - edge, min(edge, rank + step * far)), width) for far in (0, 1, 2, 3)]


def _text_between(low: str | None, high: str | None) -> Iterator[str]:
    # The first text after ``low`` is ``low`` and a NUL: if that does not fit, nothing does.
    yield "" if low is None else low + "\0"


def bits(number: int) -> Iterator[int]:
    """The members of a set of small integers that is kept as the bits of one, lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
