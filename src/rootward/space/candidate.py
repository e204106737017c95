"""Candidates, which a search proposes to run: a configuration, elements of a list (kept or altered), or a text.

A search handles thousands of candidates, so a selection contains only positions and shares its list. Three things are
derived when they are needed: what the subject gets (``realise``), the name of the candidate in the memo (``key_of``),
and what the store keeps (``to_json``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from rootward.space.keys import canonical, digest, key

E = TypeVar("E")
Configuration = Mapping[str, Any]


class Elements(Generic[E]):
    """The list that is being reduced. ``noun`` is the word for one of its elements: element, line, message.

    ``pinned`` elements are in every selection. ``parents`` turns the list into a tree: it gives, for each element, the
    position of the element that contains it, or None. A parent must come before its children. If an element is left
    out, so is everything in it.
    """

    def __init__(
        self,
        items: Iterable[E],
        noun: str = "element",
        *,
        pinned: Iterable[int] = (),
        parents: Sequence[int | None] | None = None,
        passages: Callable[[Collection[int]], Iterable[tuple[str, bool]]] | None = None,
    ) -> None:
        """``passages`` is a function of the kept positions.

        It returns the original text in pieces. Each piece is paired with True if it is kept, else False.
        """
        self.items: tuple[E, ...] = tuple(items)
        self.noun = noun
        self.passages = passages
        self.parents = None if parents is None else tuple(parents)
        self.pinned = frozenset(self._with_ancestors(pinned))

    def _with_ancestors(self, chosen: Iterable[int]) -> Iterator[int]:
        for i in chosen:
            place: int | None = i
            while place is not None:
                yield place
                place = self.parents[place] if self.parents else None

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def keys(self) -> list[bytes]:
        """One short key per element.

        The key of a selection joins them, so that the elements need not be encoded again.
        """
        return [bytes.fromhex(key(item)) for item in self.items]

    @cached_property
    def flat(self) -> bool:
        """True if no element has a type that a subject could change in place, such as a list."""
        return _CHANGEABLE.isdisjoint(map(type, self.items))

    @property
    def all(self) -> Selection[E]:
        return Selection(self, range(len(self.items)))

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The positions of the elements that may be left out."""
        return tuple(i for i in range(len(self.items)) if i not in self.pinned)

    @cached_property
    def depths(self) -> list[int]:
        """For each element, the number of elements that contain it; 0 in a plain list."""
        depths: list[int] = []
        for parent in self.parents or [None] * len(self.items):
            depths.append(0 if parent is None else depths[parent] + 1)
        return depths

    def pick(self, kept: Iterable[int]) -> Selection[E]:
        """Select the elements at these positions and the pinned ones.

        Elements whose parent is not selected are left out.
        """
        chosen = sorted(self.pinned.union(kept))
        if self.parents is None:
            return Selection(self, chosen)
        there: set[int | None] = {None}
        for i in chosen:  # parents come first
            if self.parents[i] in there:
                there.add(i)
        return Selection(self, [i for i in chosen if i in there])


class Selection(Generic[E]):
    """Kept elements, by position, in the original order. Immutable."""

    __slots__ = ("elements", "kept")

    def __init__(self, elements: Elements[E], kept: Iterable[int]) -> None:
        """``kept`` must be ascending; ``Elements.pick`` takes any order."""
        self.elements = elements
        self.kept: tuple[int, ...] = tuple(kept)

    def __len__(self) -> int:
        return len(self.kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selection) or self.kept != other.kept:
            return False
        return self.elements is other.elements or self.elements.keys == other.elements.keys

    def __hash__(self) -> int:
        return hash(self.kept)

    def __repr__(self) -> str:
        return f"Selection({ranges(self.kept)} of {len(self.elements)})"

    @property
    def items(self) -> list[E]:
        return list(map(self.elements.items.__getitem__, self.kept))

    @property
    def free(self) -> list[int]:
        """The kept positions that may be left out."""
        pinned = self.elements.pinned
        return [i for i in self.kept if i not in pinned] if pinned else list(self.kept)

    def without(self, dropped: Iterable[int]) -> Selection[E]:
        gone = set(dropped)
        return self.elements.pick([i for i in self.kept if i not in gone])


class Altered(Generic[E]):
    """Kept elements in which some values are changed, described by a configuration of fields. Immutable.

    ``items`` are passed to the subject. ``order`` lists their names if they are not in the original order.
    """

    __slots__ = ("configuration", "items", "order")

    def __init__(self, configuration: Configuration, items: Sequence[E], order: tuple[str, ...] = ()) -> None:
        self.configuration, self.items, self.order = configuration, tuple(items), tuple(order)

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Altered) and key_of(self) == key_of(other)

    def __hash__(self) -> int:
        return hash(key_of(self))

    def __repr__(self) -> str:
        return f"Altered({self.told!r})"

    @property
    def told(self) -> dict[str, Any]:
        """The configuration. The order is included under a name that no field has."""
        name = ORDER
        while name in self.configuration:
            name = f"({name})"
        return {**self.configuration, **({name: list(self.order)} if self.order else {})}


Piece = tuple[int, int] | bytes
"""A span of an original, or other bytes."""
MAX_TOLD_PIECES = 500
"""Maximum number of spans that the store keeps of one content: thousands of trials of a large file would fill it."""


class Version:
    """A changed version of a document, described by what is left of the original. Immutable.

    ``pieces`` are spans of the original, which has ``of`` bytes, and bytes that stand in place of something longer.
    ``convert`` turns the bytes of a version into what the subject gets.
    """

    __slots__ = ("convert", "data", "key", "of", "pieces")

    def __init__(
        self, data: bytes, pieces: Iterable[Piece], of: int, convert: Callable[[bytes], Any] = lambda data: data
    ) -> None:
        self.data, self.pieces, self.of, self.convert = data, tuple(pieces), of, convert
        self.key = digest(b"content" + data)

    def __len__(self) -> int:
        return len(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Version({len(self.data)} bytes)"

    @property
    def told(self) -> dict[str, Any]:
        """The spans, in the form of a selection of bytes; only their number if there are many."""
        spans = [piece for piece in self.pieces if isinstance(piece, tuple) and piece[0] < piece[1]]
        if len(spans) > MAX_TOLD_PIECES:
            spans = [(0, sum(end - start for start, end in spans))]
        kept = ",".join(str(start) if end == start + 1 else f"{start}-{end - 1}" for start, end in spans)
        return {"kept": kept, "of": self.of}


ORDER = "(order)"


class Origin:
    """A configuration from which variations differ in some fields.

    Fields are numbered from 0, in the origin's order.
    """

    def __init__(self, values: Configuration) -> None:
        self.values = dict(values)
        self.names = tuple(self.values)
        self.heads = [canonical(name) for name in self.names]
        places = sorted(range(len(self.names)), key=self.heads.__getitem__)
        self.pairs = [self.heads[i] + canonical(self.values[self.names[i]]) for i in places]
        """Encoded names and values, in the order in which the key of a mapping encodes them. They can be sorted by name
        alone, because no name's encoding is the beginning of another's."""
        self.ranks = [0] * len(places)
        for rank, i in enumerate(places):
            self.ranks[i] = rank


class Variation(Mapping[str, Any]):
    """A configuration, stored as its differences from an `Origin`: ``(field, value, canonical(value))`` each.

    It behaves like the full mapping. A search may vary 20,000 fields, so the mapping is built only for candidates that
    are run. Every candidate needs its key; the key is computed without encoding every value again.
    """

    __slots__ = ("_whole", "changes", "origin")

    def __init__(self, origin: Origin, changes: Sequence[tuple[int, Any, bytes]]) -> None:
        self.origin, self.changes = origin, changes
        self._whole: dict[str, Any] | None = None

    @property
    def whole(self) -> dict[str, Any]:
        if self._whole is None:
            names = self.origin.names
            self._whole = {**self.origin.values, **{names[i]: value for i, value, _ in self.changes}}
        return self._whole

    @property
    def key(self) -> str:
        """The same as ``key(self.whole)``."""
        pairs, heads, ranks = self.origin.pairs.copy(), self.origin.heads, self.origin.ranks
        for i, _, encoded in self.changes:
            pairs[ranks[i]] = heads[i] + encoded
        return digest(b"m%d:%b" % (len(pairs), b"".join(pairs)))

    def __getitem__(self, name: str) -> Any:
        return self.whole[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.origin.names)

    def __len__(self) -> int:
        return len(self.origin.names)

    def __repr__(self) -> str:
        return f"Variation({self.whole!r})"


def key_of(candidate: object) -> str:
    """Return the name of a candidate.

    Two candidates have the same name exactly if a subject cannot distinguish them.
    """
    if isinstance(candidate, Variation):
        return candidate.key
    if isinstance(candidate, Version):
        return candidate.key
    if isinstance(candidate, Selection):
        keys = candidate.elements.keys
        return digest(b"selection" + b"".join(map(keys.__getitem__, candidate.kept)))
    if isinstance(candidate, Altered):  # with unchanged values, it has the key of the selection
        return digest(b"selection" + b"".join(bytes.fromhex(key(item)) for item in candidate.items))
    return key(candidate)


def realise(candidate: object) -> Any:
    """Return the value that the subject gets for a candidate.

    It is a copy, so a subject that changes the value does not change the candidate.
    """
    if isinstance(candidate, Selection):
        return candidate.items if candidate.elements.flat else [_copy(item) for item in candidate.items]
    if isinstance(candidate, Altered):
        return [_copy(item) for item in candidate.items]
    if isinstance(candidate, Version):
        return candidate.convert(candidate.data)
    if isinstance(candidate, Variation):
        candidate = candidate.whole
    if isinstance(candidate, Mapping):
        flat = _CHANGEABLE.isdisjoint(map(type, candidate.values()))
        return dict(candidate) if flat else {name: _copy(value) for name, value in candidate.items()}
    return _copy(candidate)


_CHANGEABLE = frozenset((list, dict, set, bytearray, tuple))


def _copy(value: Any) -> Any:
    """Copy collections recursively. Other objects stay the same: a subject may compare them by identity."""
    kind = type(value)
    if kind not in _CHANGEABLE:
        return value
    if kind is dict:
        return {name: _copy(part) for name, part in value.items()}
    return kind(map(_copy, value)) if kind in (list, tuple) else kind(value)


def to_json(candidate: object) -> str:
    """Return the candidate in the form in which the store keeps it.

    A configuration is written in full, and a selection by its positions. Any other candidate is written by its
    attribute ``told`` if it has one, else as JSON or text.
    """
    if isinstance(candidate, Selection):
        return json.dumps({"kept": ranges(candidate.kept), "of": len(candidate.elements)})
    if (told := getattr(candidate, "told", None)) is not None:
        return dump(told)
    return dump(candidate.whole if isinstance(candidate, Variation) else candidate)


def dump(value: object) -> str:
    """Write plain values as JSON. Floats that JSON lacks are written as most readers accept them: NaN, Infinity."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=canonical)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if callable(item := getattr(value, "item", None)) and getattr(value, "ndim", None) == 0:
        return item()
    return str(value)


_ENCODER = json.JSONEncoder(default=_plain)


def ranges(positions: Sequence[int]) -> str:
    """Write positions as ranges: ``0-4,7`` for 0, 1, 2, 3, 4, 7."""
    parts: list[str] = []
    start = previous = None
    for i in [*positions, None]:
        if start is not None and previous is not None and i != previous + 1:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
            start = i
        elif start is None:
            start = i
        previous = i
    return ",".join(parts)


def positions(text: str) -> list[int]:
    """Read positions that ``ranges`` wrote."""
    ends = [part.split("-") for part in text.split(",") if part]
    return [place for end in ends for place in range(int(end[0]), int(end[-1]) + 1)]
