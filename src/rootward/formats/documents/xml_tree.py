"""XML as a tree: every element but the outermost is a part. Attributes and text stay with the element they are in.

Parsers give values but forget the bytes, and refuse what simulators read every day: a bare ``&``, ``--`` in a comment,
two roots, an attribute without quotes. So the scanner here (`Markup`, `Node`) looks at nothing but tags and says where
the elements begin and end, so that some can be cut out and every other byte stays. It expands no entity and follows no
reference: a hostile file costs no more than its length. What no simulator could read (a tag that does not end, an
element that is closed by another's tag) is refused with its line.
"""

from __future__ import annotations

import codecs
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.parts import shown
from rootward.formats.documents.tree import Growth, Plain, Tree

LARGEST = 256 << 20
"""Bytes of a file."""
DEEPEST = 200
MOST = 1_000_000
"""Tags and comments of a file."""

_BEGIN = re.compile(r"<(?=[A-Za-z_:/!?]|[^\x00-\x7f])")  # any other "<" is a character of the text
# Possessive, so that a tag without an end costs its length only.
_TAG = re.compile(r"""<(/?)([^\s<>/!?="'&]++)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
_ATTRIBUTE = re.compile(r"""(?<![^\s=<>"'/])([^\s=<>"'/]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_SUBSET = re.compile(r"""(?:[^\]"'<]++|"[^"]*+"|'[^']*+'|<!--.*?-->|<(?!!--))*+\]""", re.DOTALL)
_DOCTYPE = re.compile(r"""(?:[^\[>"']++|"[^"]*+"|'[^']*+')*+""")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""")
_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


@dataclass(slots=True, eq=False)
class Node:
    """An element: it begins at ``start`` and ends before ``stop``; its content lies between ``inner`` and ``close``."""

    markup: Markup
    name: str
    start: int
    inner: int
    close: int = -1
    stop: int = -1
    children: list[Node] = field(default_factory=list)

    @property
    def attributes(self) -> dict[str, str]:
        head = self.markup.text[self.start : self.inner]
        found = _ATTRIBUTE.finditer(head, 1 + len(self.name))
        return {m[1]: self.markup.value(next(filter(None, m.groups()[1:]), "")) for m in found}

    def get(self, attribute: str, default: str = "") -> str:
        return self.attributes.get(attribute, default)

    @property
    def words(self) -> str:
        """The text of an element without children."""
        return "" if self.children else self.markup.value(self.markup.text[self.inner : self.close]).strip()

    def all(self, *names: str) -> Iterator[Node]:
        """The children of these names, in order."""
        return (child for child in self.children if child.name in names)

    def first(self, *path: str) -> Node | None:
        """The first child of the first name, its first child of the next, and so on."""
        node: Node | None = self
        for name in path:
            node = next(node.all(name), None) if node is not None else None
        return node

    def text_of(self, *path: str) -> str:
        node = self.first(*path)
        return node.words if node is not None else ""

    @property
    def line(self) -> int:
        return self.markup.line(self.start)


@dataclass(slots=True, eq=False)
class Markup:
    """A file as text in which positions are exact.

    A file in an encoding that extends ASCII is held as one character per byte; ``value`` gives the characters that are
    meant. A file of wide characters (UTF-16, UTF-32) is held as what it means.
    """

    path: Path
    text: str
    codec: str
    charset: str
    root: Node = field(init=False)
    """What the elements at the top lie in."""

    def __post_init__(self) -> None:
        self.root = _scan(self)

    def value(self, piece: str) -> str:
        """What a piece of the text says: without comments, with its character references replaced."""
        plain = piece if "<" not in piece else _HIDDEN.sub(lambda m: (m[1] or "").replace("&", "&amp;"), piece)
        if not plain.isascii() and self.codec == "latin-1":
            plain = plain.encode("latin-1").decode(self.charset, "replace")
        return _REFERENCE.sub(_character, plain) if "&" in plain else plain

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def error(self, place: int, reason: str) -> InputError:
        return InputError(f"{self.path}, line {self.line(place)}: {reason}")

    def around(self, node: Node) -> tuple[int, int]:
        """What to cut so that the element is gone and leaves no empty line.

        The blanks before it go, too, unless something follows it on its line.
        """
        text, start, stop = self.text, node.start, node.stop
        after = stop
        while after < len(text) and text[after] in " \t\r":
            after += 1
        if after < len(text) and text[after] != "\n":
            return start, stop
        while start and text[start - 1] in " \t\r\n":
            start -= 1
        return start, stop


def read_markup(path: Path) -> Markup:
    """Scan a file.

    Raises InputError if it cannot be read, is not text, or has tags that do not fit each other.
    """
    return parse_markup(path, _read_bytes(path))


def parse_markup(path: Path, data: bytes) -> Markup:
    """Scan what a file holds; InputError as by ``read``."""
    codec = next((codec for mark, codec in _WIDE if data.startswith(mark)), "latin-1")
    if codec == "latin-1" and b"\0" in data:
        raise InputError(f"{path} is not XML: it holds NUL bytes")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not {codec.upper()}, as its first bytes say: {error.reason}") from error
    return Markup(path, text, codec, _charset(data))


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{path} is not a file")
        if status.st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 20} MB")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _charset(data: bytes) -> str:
    """The encoding that the file declares, if Python knows it and it extends ASCII."""
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8))
    name = declared[1].decode() if declared else "utf-8"
    try:
        return name if b"<".decode(name) == "<" else "utf-8"
    except (LookupError, UnicodeError):
        return "utf-8"


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else reference[0]


def _scan(markup: Markup) -> Node:
    text, at = markup.text, 0
    root = Node(markup, "", 0, 0, len(text), len(text))
    stack = [root]
    for _ in range(MOST):
        begin = _BEGIN.search(text, at)
        if begin is None:
            return _whole(stack)
        tag = _TAG.match(text, begin.start())
        if tag is None:
            at = _skipped(markup, begin.start())
            continue
        if tag[1]:
            _close(markup, stack, tag)
        else:
            _open(markup, stack, tag)
        at = tag.end()
    raise InputError(f"{markup.path} has more than {MOST:,} tags and comments")


def _whole(stack: list[Node]) -> Node:
    if len(stack) > 1:
        node = stack[-1]
        raise node.markup.error(node.start, f"<{node.name}> is never closed: the file may be cut off")
    return stack[0]


def _open(markup: Markup, stack: list[Node], tag: re.Match[str]) -> None:
    node = Node(markup, tag[2], tag.start(), tag.end())
    stack[-1].children.append(node)
    if tag[3].endswith("/"):
        node.close = node.stop = node.inner
    elif len(stack) > DEEPEST:
        raise markup.error(node.start, f"elements nest deeper than {DEEPEST}")
    else:
        stack.append(node)


def _close(markup: Markup, stack: list[Node], tag: re.Match[str]) -> None:
    node, name = stack[-1], tag[2]
    if len(stack) == 1 or node.name != name:
        opened = f"<{node.name}> of line {node.line} is open" if len(stack) > 1 else "nothing is open"
        raise markup.error(tag.start(), f"</{name}> does not fit: {opened}")
    node.close, node.stop = tag.span()
    stack.pop()


def _skipped(markup: Markup, at: int) -> int:
    """The end of what begins at ``at`` and is no tag: a comment or a declaration."""
    text = markup.text
    for opening, ending in _ENDS.items():
        if text.startswith(opening, at):
            end = text.find(ending, at + len(opening))
            if end < 0:
                raise markup.error(at, f"{opening} has no {ending}")
            return end + len(ending)
    if text.startswith("<!", at):
        return _declaration(markup, at)
    raise markup.error(at, "a tag does not end")


def _declaration(markup: Markup, at: int) -> int:
    """The end of ``<!DOCTYPE ... [ ... ]>``."""
    text = markup.text
    head = _DOCTYPE.match(text, at + 2)
    end = head.end() if head else at
    if text.startswith("[", end):
        subset = _SUBSET.match(text, end + 1)
        end = text.find(">", subset.end()) if subset else -1
    if end < 0 or not text.startswith(">", end):
        raise markup.error(at, "a <! declaration does not end")
    return end + 1


class XmlTree(Tree):
    """The elements of an XML file; InputError if it is none.

    The scanner is tolerant: what simulators and browsers read every day need not be well-formed. But every element has
    to be closed, so HTML is taken only if it is written that way.
    """

    def __init__(self, path: Path) -> None:
        markup = read_markup(path)
        if not markup.root.children:
            raise InputError(f"{path} is not XML: it has no element")
        super().__init__(path, "element", markup.text, markup.codec, _grown(markup))


def _grown(markup: Markup) -> Growth:
    growth = Growth(collections={None: Plain()})
    for outermost, name in _named(markup.root, ""):
        _below(markup, outermost, None, name, growth)
    return growth


def _below(markup: Markup, node: Node, parent: int | None, path: str, growth: Growth) -> None:
    """Add the elements in this one; the scanner has limited their depth."""
    for child, name in _named(node, path):
        part = growth.add(parent, shown(name), 0)
        growth.spans[part] = markup.around(child)
        growth.collections[part] = Plain()
        _below(markup, child, part, name, growth)


def _named(node: Node, path: str) -> Iterator[tuple[Node, str]]:
    """The elements in this one, each with its path: ``/sdf/world/model[2]`` for the second of its name."""
    total, seen = Counter(child.name for child in node.children), Counter[str]()
    for child in node.children:
        seen[child.name] += 1
        yield child, f"{path}/{child.name}" + (f"[{seen[child.name]}]" if total[child.name] > 1 else "")
