"""Cells: the domain of a field, divided at the constants that a rule mentions, so that a finite algebra is exact.

No atom of the rule can distinguish two values in the same cell. So one value, its *witness*, represents each cell. The
cells are: each constant; each gap between two neighbouring constants, if the field is compared by order; NaN; and
"anything else". For ``x < 3 or x = 5`` the witnesses could be 0, 3, 4, 5, 6, NaN and "anything else".

A set of cells is a bit mask. The mask of an atom is the set of witnesses that it accepts; the atom itself is asked, so
the meaning of a comparison is defined in one place only (`rootward.rules.atoms`). From here on, ``and``, ``or`` and
``not`` of conditions on one field are operations on integers.

If the space gives the domain of the field, cells without a member of the domain are dropped, and a gap with a single
member is treated as a constant: for an integer, ``x > 3`` and ``x >= 4`` have the same mask, and ``3 < x < 5`` has the
mask of ``x = 4``. The members of a gap are not enumerated. `_number_between` proposes a few values, among which one
lies in the gap if any integer or float does.

Slots group the cells: a slot is a constant or a gap. Slots whose values can be ordered form *chains*, and a range is
a run of neighbouring slots of one chain.
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
    """The interface that the algebra needs from a field of the space."""

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
    """A constant or a gap on an axis. A zero whose signs are distinguished is one slot with two cells.

    ``chain`` is the kind of the values if they have an order. It is empty for NaN, bools and other values without an
    order. ``low`` and ``high`` are the constants around a gap; None at an end of the axis. ``first`` is the lowest bit
    of ``mask``.
    """

    witnesses: tuple[Any, ...]
    chain: str
    is_point: bool
    low: Any = None
    high: Any = None
    first: int = 0
    mask: int = 0


Members = Callable[[Iterable[Any]], Iterator[Any]]
"""Selects the candidates that belong to a field's domain, converted to its type."""


class Anything:
    """A witness that stands for all values that a rule does not mention."""


ANYTHING = Anything()


class CellAxis:
    """The cells of one field. If ``loose``, a field that is compared by order also has the cell "anything else"."""

    def __init__(self, field: str, atoms: Iterable[Atom], domain: Domain | None = None, *, loose: bool = True) -> None:
        self.field = field
        atoms = sorted(set(atoms))
        self._ordering = [atom for atom in atoms if atom.op in ORDERINGS]
        self.uses_order = bool(self._ordering)
        self.slots = _number_slots(_make_slots(atoms, domain, loose=loose))
        self.slot_at = [slot for slot in self.slots for _ in slot.witnesses]  # the slot of each bit
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
        """The orderings that the rule itself uses, by their masks.

        They keep ``n > 3`` from being rewritten as ``n >= 4``.
        """
        return {self.mask(atom): atom for atom in reversed(self._ordering)}

    @cached_property
    def _lookup_key(self) -> dict[Hashable, list[int]]:
        found: dict[Hashable, list[int]] = defaultdict(list)
        for bit, witness in enumerate(self.witnesses):
            found[None if witness is ANYTHING else _lookup_key(witness)].append(bit)
        return found

    def mask(self, atom: Atom) -> int:
        """Return the cells in which the atom holds."""
        if atom not in self._masks:
            self._masks[atom] = self._ordering_mask(atom) if atom.op in ORDERINGS else self._equality_mask(atom)
        return self._masks[atom]

    def _ordering_mask(self, atom: Atom) -> int:
        """Return the mask of the cells in which an ordering holds.

        Along a chain, ``<`` holds up to some slot, and ``>`` holds from some slot on. A binary search finds this slot.
        """
        found = 0
        upwards = atom.op[0] == ">"
        for chain in self.chains:
            cells = range((chain & -chain).bit_length() - 1, chain.bit_length())
            before = bisect(cells, False, key=lambda bit: atom.accepts(self.witnesses[bit]) == upwards)
            below = (1 << cells.start + before) - 1
            found |= chain & (~below if upwards else below)
        return found

    def _equality_mask(self, atom: Atom) -> int:
        near = self._lookup_key.get(_lookup_key(atom.value), ())
        found = sum(1 << bit for bit in near if same(self.witnesses[bit], atom.value))
        return found if atom.op == "=" else self.full & ~found


def _lookup_key(value: object) -> Hashable:
    """Return a key to look up a value. All values that ``=`` may treat as the same have the same key."""
    of = kind(value)
    return (of, "NaN" if is_nan(value) else value) if of != "other" else canonical(value)


def _make_slots(atoms: Sequence[Atom], domain: Domain | None, *, loose: bool) -> list[Slot]:
    """Return the slots of the field of these atoms."""
    constants = [atom.value for atom in atoms]
    ordered = {kind(atom.value) for atom in atoms if atom.op in ORDERINGS}
    if any(map(is_negative_zero, constants)):
        constants.append(0)  # so that the positive zero has its own cell
    if domain is None:
        return _unrestricted_slots(constants, ordered, loose)
    if len(domain.values) < domain.size:
        return _domain_slots(constants, domain)
    # Atoms order text alphabetically, which is rarely the order that a list of texts stands for.
    return _point_slots(domain.values, {"number", "text"} if ordered else {"number"} if domain.ordered else ())


def _number_slots(slots: Iterable[Slot]) -> list[Slot]:
    """Assign bits to the slots."""
    found: list[Slot] = []
    bit = 0
    for slot in slots:
        found.append(replace(slot, first=bit, mask=((1 << len(slot.witnesses)) - 1) << bit))
        bit += len(slot.witnesses)
    return found


def _unrestricted_slots(constants: Sequence[Any], ordered: set[str], loose: bool) -> list[Slot]:
    """Return the slots of a field without a domain.

    There are gaps only between constants that are compared by order.
    """
    chains = [slot for chain in sorted(ordered) for slot in _chain_slots(constants, chain, iter)]
    rest = [value for value in constants if kind(value) not in ordered]
    nan = [Slot((math.nan,), "", True)] if "number" in ordered else []
    anything = [Slot((ANYTHING,), "", False)] if loose or not ordered else []
    return [*chains, *nan, *_point_slots(rest), *anything]


def _domain_slots(constants: Sequence[Any], domain: Domain) -> list[Slot]:
    """Return the slots of a domain of numbers or texts that is too large to list."""

    def members(candidates: Iterable[Any]) -> Iterator[Any]:
        return (domain.coerce(value) for value in candidates if domain.contains(value))

    chain = kind(domain.values[0])
    found = _chain_slots([*constants], chain, members, domain.values)
    if domain.whole:
        found = [replace(slot, is_point=True) if _is_single(slot, members) else slot for slot in found]
    return found + ([Slot((math.nan,), "", True)] if domain.contains(math.nan) else [])


def _is_single(slot: Slot, members: Members) -> bool:
    """Return True if the slot is a gap that contains exactly one integer."""
    if slot.is_point:
        return False
    (value,) = slot.witnesses
    return not list(_inside(members([value - 1, value + 1]), slot.chain, slot.low, slot.high))


def _point_slots(listed: Iterable[object], in_order: Iterable[str] = ()) -> list[Slot]:
    """Return a slot for each value. Values that ``=`` cannot distinguish share a slot.

    The kinds of values in ``in_order`` form chains.
    """
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


def _chain_slots(constants: Sequence[Any], chain: str, members: Members, known: Sequence[object] = ()) -> list[Slot]:
    """Return the points and gaps of a chain in ascending order. Those that have no member are left out."""
    ordered = [value for value in constants if _chain_of(value) == chain]
    points = _point_slots(ordered, {chain})
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
    """Yield candidates for a number strictly between ``low`` and ``high``.

    If an integer, a 32-bit float or a 64-bit float lies between them, at least one of the candidates does.
    """
    yield from [-math.inf] * (low is None) + [math.inf] * (high is None) + [0]
    if low is not None and abs(low) != math.inf:
        yield math.floor(low) + 1
    if high is not None and abs(high) != math.inf:
        yield math.ceil(high) - 1
    for width in (64, 32):
        yield from _nearby_floats(low, width, 1) + _nearby_floats(high, width, -1)


def _nearby_floats(end: float | None, width: int, step: int) -> list[float]:
    """Return four floats with ``width`` bits next to ``end``, on the side to which ``step`` points.

    At least one of them is strictly beyond ``end``. The result is empty if ``end`` is None or no float is beyond it.
    """
    if end is None or end == step * math.inf or (isinstance(end, int) and abs(end) > largest(64)):
        return []
    rank = ordinal(narrow(float(end), width), width)
    edge = ordinal(math.inf, width)
    return [at_ordinal(max(-1 - edge, min(edge, rank + step * far)), width) for far in (0, 1, 2, 3)]


def _text_between(low: str | None, high: str | None) -> Iterator[str]:
    # The first text after ``low`` is ``low`` and a NUL: if that is not in the gap, no text is.
    yield "" if low is None else low + "\0"


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are set in a number, lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
