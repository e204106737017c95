"""The structure of a text: its nodes, as nested spans, and how many mistakes a change would make in it.

Program text, markup and data are parsed with tree-sitter (the extra ``code``), which knows almost every language and
never gives up on a mistake. Where it is missing or does not know the language, lines, indentation and brackets give a
coarser tree (`OutlineGrammar`). Both become one table of nodes, in the order in which they begin, so whoever walks it
need not know where it came from.

A long leaf, such as a comment or a string, gets nodes for its lines and words, too.

``mistakes_after`` is what makes a search on structure cheap: it says without any run whether a change leaves a text
with more mistakes than before. The parser is incremental, so that this takes about a millisecond in a large file. It
is exact about whether there are mistakes; their number in a broken text is the parser's estimate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

Edit = tuple[int, int, bytes]
"""Start, end and replacement, in the bytes of a document."""

MEMBER = "member"
"""The kind of the node of a member of a bundle. It can be removed, but its header cannot be changed."""
MAX_CHUNKS = 4096
"""Maximum number of chunks of a text that is too large to be parsed."""
MIN_SPLIT_LEAF = 12
"""A leaf with at least this many bytes is divided into lines and words."""
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_WORD = re.compile(rb"[0-9]+(?:\.[0-9]+)?|[A-Za-z0-9_\x80-\xff]+|[ \t]+|[\r\n]+|.", re.DOTALL)
_OPEN, _CLOSE = b"([{", {b")"[0]: b"("[0], b"]"[0]: b"["[0], b"}"[0]: b"{"[0]}


class Grammar(Protocol):
    """Parses texts of one language."""

    name: str

    def parse(self, data: bytes) -> Parsed: ...


class Parsed(Protocol):
    """A parsed text."""

    mistakes: int
    """Number of places that the grammar does not allow."""

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        """Yield start, end, kind, field in its parent, depth, and whether it has a name, a parent before its nodes."""

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        """Return the number of mistakes in ``data``, which is this text with ``edits``."""


class TextSection(NamedTuple):
    """A file in the text: the only one, or a member of a bundle."""

    start: int
    content: int
    """The start of the content, behind the header of a member."""
    end: int
    name: str
    parsed: Parsed


class Syntax:
    """The nodes of a text, numbered in the order in which they begin. Node 0 is the whole text."""

    def __init__(self, data: bytes, sections: Sequence[TextSection]) -> None:
        self.data, self.sections = data, sections
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.kinds: list[str] = []
        self.fields: list[str] = []
        self.depths: list[int] = []
        self.named: list[bool] = []
        self.parents: list[int] = []
        self.after: list[int] = []
        """For each node, the number of the first node behind it that is not inside of it."""
        self._open: list[int] = []
        self._add(0, len(data), "document", "", 0, True)
        for start, content, end, name, parsed in sections:
            base = 1
            if content > start:
                self._add(start, end, MEMBER, _ending(name), 1, True)
                base = 2
            for first, last, kind, field, depth, named in parsed.nodes():
                if last > first:
                    self._add(content + first, content + last, kind, field, base + depth, named)
        while self._open:
            self._close()
        self.previous, self.next = self._find_neighbours()

    def __len__(self) -> int:
        return len(self.starts)

    def _add(self, start: int, end: int, kind: str, field: str, depth: int, named: bool) -> None:
        while len(self._open) > depth:
            self._close()
        number = len(self.starts)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.fields.append(field)
        self.depths.append(depth)
        self.named.append(named)
        self.parents.append(self._open[-1] if self._open else -1)
        self.after.append(number + 1)
        self._open.append(number)

    def _close(self) -> None:
        number = self._open.pop()
        if number == len(self.starts) - 1:
            self._split_leaf(number)
        self.after[number] = len(self.starts)

    def _split_leaf(self, leaf: int) -> None:
        """Give a long leaf nodes for its lines and words."""
        start, end, depth = self.starts[leaf], self.ends[leaf], self.depths[leaf]
        if leaf == 0 or self.kinds[leaf] == MEMBER or end - start < MIN_SPLIT_LEAF:
            return
        line = leaf
        for first, last, level in _pieces(self.data, start, end):
            number = len(self.starts)
            self.starts.append(first)
            self.ends.append(last)
            self.kinds.append(("line", "word")[level])
            self.fields.append(self.kinds[leaf])
            self.depths.append(depth + 1 + level)
            self.named.append(True)
            self.parents.append(line if level else leaf)
            self.after.append(number + 1)
            if level:
                self.after[line] = number + 1
            else:
                line = number

    def _find_neighbours(self) -> tuple[list[int], list[int]]:
        """Return, for each node, the nodes before and behind it in the same parent; -1 if there is none."""
        before, behind = [-1] * len(self.starts), [-1] * len(self.starts)
        last_child: dict[int, int] = {}
        for node, parent in enumerate(self.parents):
            previous = last_child.get(parent, -1)
            before[node] = previous
            if previous >= 0:
                behind[previous] = node
            last_child[parent] = node
        return before, behind

    def children(self, node: int) -> Iterator[int]:
        child, end = node + 1, self.after[node]
        while child < end:
            yield child
            child = self.after[child]

    def text(self, node: int) -> bytes:
        return self.data[self.starts[node] : self.ends[node]]

    def slot(self, node: int) -> tuple[str, str, str]:
        """Return the kind of its parent, its field there, and its kind: nodes that agree in these are alike."""
        parent = self.parents[node]
        return (self.kinds[parent] if parent >= 0 else "", self.fields[node], self.kinds[node])

    def first_from(self, place: int) -> int:
        """Return the first node that begins at ``place`` or later."""
        low, high = 0, len(self.starts)
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] < place:
                low = middle + 1
            else:
                high = middle
        return low

    @cached_property
    def mistakes(self) -> int:
        return sum(parsed.mistakes for *_, parsed in self.sections)

    def mistakes_after(self, edits: Sequence[Edit]) -> int:
        """Return the number of mistakes that the text has with these edits. They must be sorted and not overlap."""
        total, at = 0, 0
        for section in self.sections:
            start, content, end, _, parsed = section
            inside = []
            while at < len(edits) and (edits[at][0] < end or section is self.sections[-1]):
                inside.append(edits[at])
                if edits[at][1] > end:  # it goes on in the next member
                    break
                at += 1
            if not inside:
                total += parsed.mistakes
            elif not (inside[0][0] <= start < content):  # else the member is removed
                moved = [(first - content, min(last, end) - content, new) for first, last, new in inside]
                total += parsed.mistakes_after(apply_edits(self.data[content:end], moved), moved)
        return total


def _ending(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2]


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the data with the edits applied. They must be sorted and not overlap."""
    pieces, at = [], 0
    for start, end, new in edits:
        pieces += [data[at:start], new]
        at = end
    return b"".join([*pieces, data[at:]])


def _pieces(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield the lines (level 0) of a span, each followed by its words (level 1)."""
    lines = [(start + m.start(), start + m.end()) for m in _LINE.finditer(data[start:end])]
    several = len(lines) > 1
    for first, last in lines:
        if several:
            yield first, last, 0
        words = list(_WORD.finditer(data[first:last]))
        if len(words) > 1:
            for m in words:
                yield first + m.start(), first + m.end(), 1 if several else 0


# Parsed by tree-sitter


class TreeSitterGrammar:
    def __init__(self, name: str, parser: Any) -> None:
        self.name, self.parser = name, parser

    def parse(self, data: bytes) -> TreeSitterParsed:
        return TreeSitterParsed(self.parser, data)


class TreeSitterParsed:
    MAX_INCREMENTAL = 40
    """With more edits than this, the text is parsed from its beginning."""

    def __init__(self, parser: Any, data: bytes) -> None:
        self._parser, self._data = parser, data
        self._tree = parser.parse(data)
        self._breaks: list[int] | None = None
        self.mistakes = _count_mistakes(self._tree.root_node)

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        cursor, depth = self._tree.walk(), 0
        while True:
            node = cursor.node
            yield node.start_byte, node.end_byte, node.type, cursor.field_name or "", depth, node.is_named
            if cursor.goto_first_child():
                depth += 1
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                depth -= 1

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        if len(edits) > self.MAX_INCREMENTAL:
            return _count_mistakes(self._parser.parse(data).root_node)
        tree = self._tree.copy() if hasattr(self._tree, "copy") else None
        if tree is None:
            return _count_mistakes(self._parser.parse(data).root_node)
        for start, end, new in reversed(edits):
            begin = self._point(start)
            rows = new.count(b"\n")
            column = len(new) - new.rfind(b"\n") - 1 if rows else begin[1] + len(new)
            tree.edit(start, end, start + len(new), begin, self._point(end), (begin[0] + rows, column))
        return _count_mistakes(self._parser.parse(data, tree).root_node)

    def _point(self, place: int) -> tuple[int, int]:
        if self._breaks is None:
            self._breaks = [m.end() for m in re.finditer(rb"\n", self._data)]
        row = bisect_right(self._breaks, place)
        return row, place - (self._breaks[row - 1] if row else 0)


def _count_mistakes(node: Any) -> int:
    """Count the nodes that are errors or missing. Only branches that contain one are visited."""
    if not node.has_error:
        return 0
    count, waiting = 0, [node]
    while waiting:
        one = waiting.pop()
        if one.is_error or one.is_missing:
            count += 1
        waiting += [child for child in one.children if child.has_error or child.is_missing]
    return count


# Tables


class TableGrammar:
    """A header and rows, with the fields of each.

    A row with another number of fields than the header is a mistake, and so are rows without the header.
    """

    name = "csv"

    def parse(self, data: bytes) -> TableParsed:
        return TableParsed(data)


class TableParsed:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._rows = list(_rows(data))
        self.mistakes = _count_ragged(self._rows)

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        yield 0, len(self._data), "table", "", 0, True
        for number, (start, end, fields) in enumerate(self._rows):
            yield start, end, "row" if number else "header", "", 1, True
            for place, (first, last) in enumerate(fields):
                if place:
                    yield first - 1, first, ",", "", 2, False
                yield first, last, "field", str(place), 2, True

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        header = self._rows[0][1] if self._rows else 0
        without_header = bool(data) and any(start == 0 and end >= header for start, end, _ in edits)
        return _count_ragged(list(_rows(data))) + without_header


_ROW = re.compile(rb'(?:"(?:[^"]|"")*+"|[^"\n])*+(?:\n|$)')
_FIELD = re.compile(rb'(?:"(?:[^"]|"")*+"|[^",\t;])*+')


def _rows(data: bytes) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yield the start and the end of each row, and of its fields."""
    at = 0
    while at < len(data):
        found = _ROW.match(data, at)
        end = found.end() if found and found.end() > at else len(data)
        stop = end - len(data[at:end]) + len(data[at:end].rstrip(b"\r\n"))
        fields, place = [], at
        while True:
            last = _FIELD.match(data, place, stop)
            fields.append((place, last.end() if last else stop))
            if fields[-1][1] >= stop:
                break
            place = fields[-1][1] + 1
        yield at, end, fields
        at = end


def _count_ragged(rows: Sequence[tuple[int, int, list[tuple[int, int]]]]) -> int:
    """Count the rows that have not as many fields as the first one."""
    return sum(len(fields) != len(rows[0][2]) for _, _, fields in rows[1:])


# Without a parser


class OutlineGrammar:
    """Lines, nested by indentation, with brackets and words inside of them."""

    name = "text"

    def parse(self, data: bytes) -> OutlineParsed:
        return OutlineParsed(data)


class OutlineParsed:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pairs, self.mistakes = _match_brackets(data)

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        spans = [*_blocks(self._data), *((start, end, "brackets") for start, end in self._pairs)]
        spans.sort(key=lambda span: (span[0], -span[1]))
        yield 0, len(self._data), "text", "", 0, True
        open_ends: list[int] = []
        for start, end, kind in spans:
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            if open_ends and open_ends[-1] < end:  # it crosses the border of another
                continue
            open_ends.append(end)
            yield start, end, kind, "", len(open_ends), True

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        return _match_brackets(data)[1]


_BRACKET = re.compile(rb"[()\[\]{}]")


def _match_brackets(data: bytes) -> tuple[list[tuple[int, int]], int]:
    """Return the spans of matching brackets, and the number of brackets that have no partner."""
    pairs, waiting, lone = [], list[int](), 0
    for m in _BRACKET.finditer(data):
        place = m.start()
        partner = _CLOSE.get(data[place])
        if partner is None:
            waiting.append(place)
        elif waiting and data[waiting[-1]] == partner:
            pairs.append((waiting.pop(), place + 1))
        else:
            lone += 1
    return pairs, lone + len(waiting)


def _blocks(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield each paragraph, and each line with the deeper lines below it."""
    lines = [(m.start(), m.end()) for m in _LINE.finditer(data)]
    waiting: list[tuple[int, int]] = []  # indentation and start
    begin: int | None = None
    end = 0
    for first, last in lines:
        line = data[first:last]
        if not line.strip():
            if begin is not None:
                yield begin, end, "paragraph"
            begin = None
            continue
        begin = first if begin is None else begin
        deep = len(line) - len(line.lstrip())
        while waiting and waiting[-1][0] >= deep:
            yield waiting.pop()[1], end, "block"
        waiting.append((deep, first))
        end = last
        yield first, last, "line"
    for _, first in waiting:
        yield first, end, "block"
    if begin is not None:
        yield begin, end, "paragraph"


class BytesGrammar:
    """Data that is no text: it has no structure."""

    name = "bytes"

    def parse(self, data: bytes) -> BytesParsed:
        return BytesParsed(data)


class BytesParsed:
    mistakes = 0

    def __init__(self, data: bytes) -> None:
        self._data = data

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        yield 0, len(self._data), "bytes", "", 0, True

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        return 0


class ChunksParsed:
    """A large text as a list of chunks that end with a line, if it has lines."""

    mistakes = 0

    def __init__(self, data: bytes) -> None:
        self._data = data

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        yield 0, len(self._data), "chunks", "", 0, True
        size, start = max(1, len(self._data) // MAX_CHUNKS), 0
        while start < len(self._data):
            line_end = self._data.find(b"\n", start + size - 1, start + 2 * size) + 1
            end = line_end or min(len(self._data), start + size)
            yield start, end, "chunk", "", 1, True
            start = end

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        return 0


class CharactersParsed:
    """A text as a list of characters; a byte that is not part of one, or of binary data, stands alone."""

    mistakes = 0

    def __init__(self, data: bytes, language: str) -> None:
        self._data, self._character = data, _BYTE if language == "bytes" else _CHARACTER

    def nodes(self) -> Iterator[tuple[int, int, str, str, int, bool]]:
        yield 0, len(self._data), "characters", "", 0, True
        for m in self._character.finditer(self._data):
            yield m.start(), m.end(), "character", "", 1, True

    def mistakes_after(self, data: bytes, edits: Sequence[Edit]) -> int:
        return 0


_CHARACTER = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}|.", re.DOTALL)
_BYTE = re.compile(rb".", re.DOTALL)


_BUILT_IN: dict[str, Grammar] = {"bytes": BytesGrammar(), "csv": TableGrammar(), "text": OutlineGrammar()}


def lacks_parser(language: str) -> bool:
    """Return True if a language could be parsed, but the extra ``code`` is not installed."""
    return language not in _BUILT_IN and grammar(language) is _BUILT_IN["text"]


@lru_cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language; the outline if tree-sitter does not know it or is not installed."""
    if language in _BUILT_IN:
        return _BUILT_IN[language]
    try:
        from tree_sitter_language_pack import get_parser
    except ImportError:
        return _BUILT_IN["text"]
    try:
        return TreeSitterGrammar(language, get_parser(language))  # type: ignore[arg-type]
    except LookupError:
        return _BUILT_IN["text"]
