"""A draft of a file: its current text with its structure, and the changes that a pass proposes.

A change says for some nodes that they are removed, or which text takes their place. ``TextDraft.edits`` turns it into
edits of the text: a removed item of a list takes a separator with it, and what stood alone in its lines takes them.

Which nodes can be removed is learned: the nodes of a *slot* (same kind of parent, field and kind) are alike, so a few
of them are tried on the parser, which costs no run. `SlotKnowledge` remembers the answers for all drafts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rootward.formats.documents.syntax import MEMBER, Edit, Syntax, apply_edits

Change = dict[int, bytes | None]
"""Node -> the text that takes its place; None if it is removed."""
Slot = tuple[str, str, str]

SAMPLES = 3
"""Number of nodes of a slot that are tried on the parser; one without a new mistake is enough."""
_SEPARATORS = frozenset((b",", b";", b"|", b"||", b"&&", b"and", b"or", b"&", b"+", b"-", b"*", b"/", b"=", b":"))
_BLANKS = b" \t"


class SlotKnowledge:
    """Facts learned about slots: whether their nodes can be left out, and which texts fit in their place."""

    def __init__(self) -> None:
        self.removable: dict[Slot, bool] = {}
        self.fits: dict[tuple[Slot, bytes], bool] = {}
        self.kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
        """The kinds of nodes that were seen in a place (kind of parent, field)."""


class TextDraft:
    """The current text and its structure. Immutable."""

    def __init__(self, syntax: Syntax, knowledge: SlotKnowledge, *, exact: bool = False) -> None:
        """``exact``: a removed node takes neither a separator nor lines or blanks with it."""
        self.syntax, self.knowledge, self.exact = syntax, knowledge, exact
        self.data = syntax.data

    def __len__(self) -> int:
        return len(self.data)

    # Changes

    def apply(self, change: Mapping[int, bytes | None]) -> bytes:
        return apply_edits(self.data, self.edits(change))

    def edits(self, change: Mapping[int, bytes | None]) -> list[Edit]:
        """Return the edits of a change, sorted. A node inside of another changed node is ignored."""
        syntax = self.syntax
        found: list[Edit] = []
        behind = -1
        removed: list[int] = []
        for node in sorted(change):
            if node < behind:
                continue
            behind = syntax.after[node]
            if (new := change[node]) is None:
                removed.append(node)
            else:
                found += _replace(self.data, syntax.starts[node], syntax.ends[node], new)
        found += self._cuts(removed)
        return _merge(found)

    def _cuts(self, removed: Sequence[int]) -> Iterator[Edit]:
        """Return the edits that remove these nodes: neighbours in one, each with a separator."""
        syntax = self.syntax
        gone = set(removed)
        for node in removed:
            if self._run_before(node, gone):
                continue
            last = self._run_end(node, gone)
            start, end = syntax.starts[node], syntax.ends[last]
            before, behind = self._separator(syntax.previous[node]), self._separator(syntax.next[last])
            if self._separator(node) or self._separator(last):  # the change says itself which separator goes
                before = behind = False
            if behind:
                end = syntax.ends[syntax.next[last]]
                end = _skip(self.data, end, _BLANKS) if before or not self._alone(start, end) else end
            elif before:
                start = syntax.starts[syntax.previous[node]]
            yield (*self._with_lines(start, end), b"")

    def _separator(self, node: int) -> bool:
        return not self.exact and node >= 0 and not self.syntax.named[node] and self.syntax.text(node) in _SEPARATORS

    def _run_before(self, node: int, gone: set[int]) -> bool:
        """Return True if the node belongs to a run of removed siblings that begins before it."""
        previous = self.syntax.previous[node]
        if previous in gone:
            return True
        return self._separator(previous) and self.syntax.previous[previous] in gone

    def _run_end(self, node: int, gone: set[int]) -> int:
        syntax = self.syntax
        while True:
            behind = syntax.next[node]
            if behind not in gone and self._separator(behind):
                behind = syntax.next[behind]
            if behind not in gone:
                return node
            node = behind

    def _alone(self, start: int, end: int) -> bool:
        line = self.data.rfind(b"\n", 0, start) + 1
        stop = _skip(self.data, end, _BLANKS)
        return not self.data[line:start].strip(_BLANKS) and self.data[stop : stop + 1] in (b"", b"\n", b"\r")

    def _with_lines(self, start: int, end: int) -> tuple[int, int]:
        """Extend a span that stands alone in its lines to these lines, and any other by the blanks behind it."""
        if self.exact:
            return start, end
        low, high = self._member(start)[0], self._member(max(start, end - 1))[1]
        line = max(low, self.data.rfind(b"\n", 0, start) + 1)
        stop = _skip(self.data, end, _BLANKS)
        if not self.data[line:start].strip(_BLANKS):
            if self.data[stop : stop + 2] == b"\r\n":
                return line, min(high, stop + 2)
            if self.data[stop : stop + 1] in (b"", b"\n") or stop >= high:
                return line, min(high, stop + 1)
        if self.data[start - 1 : start].isspace():
            return start, min(high, stop)
        return start, end

    def _member(self, place: int) -> tuple[int, int]:
        sections = self.syntax.sections
        at = bisect_right(sections, place, key=lambda section: section.start) - 1
        if at < 0:
            return 0, len(self.data)
        return (sections[at].content if place >= sections[at].content else sections[at].start), sections[at].end

    # What can be changed

    @cached_property
    def slots(self) -> dict[Slot, list[int]]:
        """The nodes of each slot."""
        found = defaultdict(list)
        for node in range(1, len(self.syntax)):
            found[self.syntax.slot(node)].append(node)
        return dict(found)

    @cached_property
    def replaceable(self) -> dict[Slot, list[int]]:
        """The nodes of each slot whose text may be replaced, the slots with the most bytes first."""
        slots = [(slot, nodes) for slot, nodes in self.slots.items() if slot[2] != MEMBER]
        return dict(sorted(slots, key=lambda item: -self.size(item[1])))

    def is_removable(self, node: int) -> bool:
        """Return True if a node of this slot can be left out without a new mistake."""
        slot = self.syntax.slot(node)
        known = self.knowledge.removable.get(slot)
        if known is None:
            known = not self._separator(node) and self._try_samples(slot, None)
            self.knowledge.removable[slot] = known
        return known

    def fits(self, slot: Slot, text: bytes) -> bool:
        """Return True if this text can take the place of a node of the slot without a new mistake."""
        known = self.knowledge.fits.get((slot, text))
        if known is None:
            known = self.knowledge.fits[slot, text] = self._try_samples(slot, text)
        return known

    def _try_samples(self, slot: Slot, text: bytes | None) -> bool:
        nodes = self.slots.get(slot, [])
        chosen = {nodes[0], nodes[len(nodes) // 2], nodes[-1]} if nodes else set[int]()
        return any(self.adds_no_mistake({node: text}) for node in sorted(chosen))

    def adds_no_mistake(self, change: Mapping[int, bytes | None]) -> bool:
        return self.syntax.mistakes_after(self.edits(change)) <= self.syntax.mistakes

    def removable_inside(self, start: int, end: int, taken: Mapping[int, bytes | None]) -> list[int]:
        """Return the largest removable nodes that lie in the span and are not changed yet."""
        syntax = self.syntax
        found = []
        node, count = max(1, syntax.first_from(start)), len(syntax)
        while node < count and syntax.starts[node] < end:
            if node in taken:
                node = syntax.after[node]
            elif syntax.ends[node] <= end and self.is_removable(node):
                found.append(node)
                node = syntax.after[node]
            else:
                node += 1
        return found

    def snap(self, place: int, limit: int) -> int:
        """Return the start of the largest node of at most ``limit`` bytes around a place, or the place itself.

        A leaf is never divided, so that a scan tries it alone.
        """
        syntax = self.syntax
        node = syntax.first_from(place) - 1
        found = place
        while node > 0:
            if syntax.starts[node] < place < syntax.ends[node]:
                is_leaf = syntax.after[node] == node + 1
                if not is_leaf and syntax.ends[node] - syntax.starts[node] > limit:
                    break
                found = syntax.starts[node]
            node = syntax.parents[node]
        return found

    def size(self, nodes: Iterable[int]) -> int:
        return sum(self.syntax.ends[node] - self.syntax.starts[node] for node in nodes)


def _replace(data: bytes, start: int, end: int, new: bytes) -> list[Edit]:
    """Return edits that replace a span. What is a part of it is kept, so that it is known where it comes from."""
    place = data.find(new, start, end)
    if place < 0 or not new:
        return [(start, end, new)]
    return [edit for edit in ((start, place, b""), (place + len(new), end, b"")) if edit[0] < edit[1]]


def _skip(data: bytes, place: int, what: bytes) -> int:
    while place < len(data) and data[place] in what:
        place += 1
    return place


def _merge(edits: list[Edit]) -> list[Edit]:
    """Sort edits, and unite those that overlap."""
    edits.sort(key=lambda edit: edit[:2])
    merged: list[Edit] = []
    for start, end, new in edits:
        if merged and start < merged[-1][1]:
            first, last, before = merged[-1]
            merged[-1] = (first, max(last, end), before + new)
        elif merged and start == merged[-1][1] and not new and not merged[-1][2]:
            merged[-1] = (merged[-1][0], end, b"")
        else:
            merged.append((start, end, new))
    return merged


IDENTIFIER = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")
