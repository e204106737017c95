"""The passes over a draft: each proposes lists of changes that make the text smaller.

A pass is a function of a draft and a grain (the number of bytes worth a run). It yields pairs: a name, under which its
success is remembered, and a list of changes with the bytes that each saves.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from rootward.formats.documents.syntax import MEMBER
from rootward.searches.reduction.files.draft import Change, TextDraft

Proposal = tuple[tuple[object, ...], list[tuple[Change, int]]]
Pass = Callable[[TextDraft, int], Iterator[Proposal]]

BRACKETS = {b"{}": b"{}", b"()": b"()", b"[]": b"[]"}
SHORT_TEXTS = (b"0", b"1", b'""', b"''", b"x", b"{}", b"[]", b"()", b";", b"pass", b"true")
FREE_HOIST_GRAIN = 8
"""Grain at which a node may be replaced by any node inside of it, also by one that was never seen in such a place."""
MAX_DECOMPRESSED_BYTES = 1 << 24
"""Maximum number of bytes that are read from compressed data."""
MAX_TEXTS = 4
"""Number of replacements tried for each slot."""
_NAME = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")


class Statistics:
    """The success of one kind of proposal so far."""

    def __init__(self) -> None:
        self.tries, self.hits, self.share = 0, 0, 1.0

    def add(self, share: float) -> None:
        self.tries, self.hits, self.share = self.tries + 1, self.hits + (share > 0), (self.share + share) / 2

    @property
    def expected_share(self) -> float:
        """The share of its bytes that the next proposal is expected to save."""
        return (self.hits + 1) / (self.tries + 2) * max(self.share, 0.05)


def nested_lists(draft: TextDraft) -> Iterator[list[tuple[Change, int]]]:
    """Go down from the whole text into the largest child, and yield the removals of the items of each list there."""
    syntax, node = draft.syntax, 0
    while children := list(syntax.children(node)):
        removable = [child for child in children if draft.is_removable(child)]
        if len(removable) > 1 and 2 * draft.size(removable) > syntax.ends[node] - syntax.starts[node]:
            yield [({child: None}, _gain(draft, child)) for child in removable]
        node = max(children, key=lambda child: syntax.ends[child] - syntax.starts[child])


def _gain(draft: TextDraft, node: int, new: bytes = b"") -> int:
    return draft.syntax.ends[node] - draft.syntax.starts[node] - len(new)


def drop_comments(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    nodes = [i for i in range(1, len(draft.syntax)) if "comment" in draft.syntax.kinds[i].lower()]
    nodes = draft_outermost(draft, nodes)
    if nodes:
        yield ("comments",), [({node: None}, _gain(draft, node)) for node in nodes]


def draft_outermost(draft: TextDraft, nodes: list[int]) -> list[int]:
    found, behind = [], -1
    for node in nodes:
        if node >= behind:
            found.append(node)
            behind = draft.syntax.after[node]
    return found


def empty_bodies(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Empty blocks, brackets and suites, by depth."""
    syntax = draft.syntax
    levels: dict[int, list[tuple[Change, int]]] = defaultdict(list)
    for node in range(1, len(syntax)):
        size = syntax.ends[node] - syntax.starts[node]
        if size < max(grain // 16, 6) or syntax.kinds[node] == MEMBER:
            continue
        new = _empty_text(draft, node)
        if new is not None and size > len(new):
            levels[syntax.depths[node]].append(({node: new}, size - len(new)))
    for depth in sorted(levels):
        yield ("bodies", depth), levels[depth]


def _empty_text(draft: TextDraft, node: int) -> bytes | None:
    syntax = draft.syntax
    ends = (
        syntax.data[syntax.starts[node] : syntax.starts[node] + 1]
        + syntax.data[syntax.ends[node] - 1 : syntax.ends[node]]
    )
    if ends in BRACKETS and syntax.after[node] > node + 1:
        new = BRACKETS[ends]
        return new if draft.fits(syntax.slot(node), new) else None
    if syntax.kinds[node] == "block" and draft.fits(syntax.slot(node), b"pass"):
        return b"pass"
    return None


def drop_nodes(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Leave out nodes, by depth."""
    syntax = draft.syntax
    levels: dict[int, list[int]] = defaultdict(list)
    for node in range(1, len(syntax)):
        if draft.is_removable(node):
            levels[syntax.depths[node]].append(node)
    for depth in sorted(levels):
        yield ("drop", depth), [({node: None}, _gain(draft, node)) for node in levels[depth]]


def drop_columns(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Leave out columns of a table: the fields of one place in all rows, each with a separator."""
    syntax = draft.syntax
    columns: dict[int, list[int]] = defaultdict(list)
    for row in range(1, len(syntax)):
        if syntax.kinds[row] not in ("header", "row"):
            continue
        place = 0
        for child in syntax.children(row):
            if not syntax.named[child]:
                place += 1
                if place == 1:
                    columns[0].append(child)
            columns[place].append(child)
    if len(columns) > 1:
        yield ("columns",), [(dict.fromkeys(nodes), draft.size(nodes)) for nodes in columns.values()]


def replace_nodes(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Replace nodes by the shortest text that fits in their place, slot by slot."""
    syntax = draft.syntax
    shortest: dict[str, Counter[bytes]] = defaultdict(Counter)
    for node in range(1, len(syntax)):
        size = syntax.ends[node] - syntax.starts[node]
        if size <= 12:
            shortest[syntax.kinds[node]][syntax.text(node)] += 1
    for slot, nodes in draft.replaceable.items():
        if draft.size(nodes) < grain:
            break
        own = sorted(shortest[slot[2]], key=lambda text: (len(text), -shortest[slot[2]][text], text))[:2]
        tried = 0
        for new in sorted({*own, *SHORT_TEXTS}, key=lambda text: (len(text), text)):
            chosen = [node for node in draft_outermost(draft, nodes) if _gain(draft, node, new) > 0]
            if not chosen or not draft.fits(slot, new):
                continue
            yield ("replace", slot, new), [({node: new}, _gain(draft, node, new)) for node in chosen]
            tried += 1
            if tried == MAX_TEXTS:
                break


def hoist_nodes(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Replace nodes by something inside of them that stands in such a place elsewhere; at a small grain, anything."""
    syntax = draft.syntax
    places: dict[tuple[str, str], set[str]] = draft.knowledge.kinds
    for slot in draft.slots:
        places[slot[:2]].add(slot[2])
    for slot, nodes in draft.replaceable.items():
        if draft.size(nodes) < grain:
            break
        kinds = places[slot[:2]]
        by_kind: dict[str, list[tuple[Change, int]]] = defaultdict(list)
        for node in nodes:
            for kind, text in _unwrap(draft, node):
                by_kind[f"all {kind}"].append(({node: text}, _gain(draft, node, text)))
            seen: set[str] = set()
            for inner in range(node + 1, syntax.after[node]):
                kind = syntax.kinds[inner]
                if (kind in kinds or grain <= FREE_HOIST_GRAIN) and syntax.named[inner] and kind not in seen:
                    text = syntax.text(inner)
                    if len(text) < syntax.ends[node] - syntax.starts[node]:
                        seen.add(kind)
                        by_kind[kind].append(({node: text}, _gain(draft, node, text)))
        for kind, changes in by_kind.items():
            yield ("hoist", slot, kind), changes


def _unwrap(draft: TextDraft, node: int) -> Iterator[tuple[str, bytes]]:
    """Yield the text from the first to the last child of a kind, without what stands before and after them."""
    syntax = draft.syntax
    ends: dict[str, tuple[int, int]] = {}
    for child in syntax.children(node):
        if syntax.named[child]:
            first, _ = ends.get(syntax.kinds[child], (child, child))
            ends[syntax.kinds[child]] = (first, child)
    for kind, (first, last) in ends.items():
        text = syntax.data[syntax.starts[first] : syntax.ends[last]]
        if first != last and len(text) < syntax.ends[node] - syntax.starts[node]:
            yield kind, text


def lower_values(draft: TextDraft, start: int, end: int, low: int) -> list[tuple[Change, int]]:
    """Set each digit in this span to ``low``, which is a digit, or each byte if it is none; the first one last."""
    syntax, new = draft.syntax, bytes([low])
    found: list[tuple[Change, int]] = []
    for node in range(syntax.first_from(start), len(syntax)):
        if syntax.starts[node] >= end:
            break
        text = syntax.text(node)
        if len(text) == 1 and new < text and (text.isdigit() or not new.isdigit()):
            found.append(({node: new}, 1))
    return found[::-1]


def simplify_compressed(text: bytes, language: str) -> Iterator[bytes]:
    """Replace a zlib stream by shorter ones: its first half, zeros, half as many zeros."""
    if language != "bytes":
        return
    try:
        content = zlib.decompressobj().decompress(text, MAX_DECOMPRESSED_BYTES)
    except zlib.error:
        return
    half = len(content) // 2
    for new in (bytes(len(content)), bytes(half), content[:half], content):
        if (shorter := zlib.compress(new, 9)) != text:
            yield shorter


def shorten_names(draft: TextDraft, grain: int) -> Iterator[Proposal]:
    """Give each identifier a name of one letter, everywhere."""
    syntax = draft.syntax
    used: dict[bytes, list[int]] = defaultdict(list)
    for node in range(1, len(syntax)):
        if syntax.after[node] == node + 1 and syntax.named[node] and _NAME.fullmatch(syntax.text(node)):
            used[syntax.text(node)].append(node)
    letters = [bytes([c]) for c in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"]
    free = [letter for letter in letters if letter not in used]
    changes: list[tuple[Change, int]] = []
    for name, nodes in sorted(used.items(), key=lambda item: -len(item[0]) * len(item[1])):
        if len(name) > 1 and free:
            letter = free.pop(0)
            changes.append((dict.fromkeys(nodes, letter), (len(name) - 1) * len(nodes)))
    if changes:
        yield ("names",), changes
