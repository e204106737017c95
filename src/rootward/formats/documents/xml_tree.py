"""XML as a tree: every element but the outermost is a part. Attributes and text stay with their element.

An XML parser returns values without their byte positions, and refuses what simulators accept every day: a bare ``&``,
``--`` in a comment, two roots, an attribute without quotes. The scanner here (`Markup`, `XmlElement`) looks only at
tags and records where elements begin and end, so that some can be cut out while every other byte stays. It expands no
entities and follows no references, so the time for a hostile file is linear in its length. A file that no simulator
could read (a tag without an end, mismatched tags) is refused with the line number.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.documents.parts import shorten
from rootward.formats.documents.tree import Growth, PlainItems, Tree
from rootward.formats.files import read_bytes

MAX_DEPTH = 200
"""Maximum nesting depth of elements."""
MAX_TAGS = 1_000_000
"""Maximum number of tags and comments in a file."""

_BEGIN = re.compile(r"<(?=[A-Za-z_:/!?]|[^\x00-\x7f])")  # any other "<" is a character of the text
# Possessive quantifiers, so that a tag without an end takes linear time.
_TAG = re.compile(r"""<(/?)([^\s<>/!?="'&]++)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
_ATTRIBUTE = re.compile(r"""(?<![^\s=<>"'/])([^\s=<>"'/]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_SUBSET = re.compile(r"""(?:[^\]"'<]++|"[^"]*+"|'[^']*+'|<!--.*?-->|<(?!!--))*+\]""", re.DOTALL)
_DOCTYPE = re.compile(r"""(?:[^\[>"']++|"[^"]*+"|'[^']*+')*+""")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""")
_ENCODING_MARKS = (
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
class XmlElement:
    """An element: its text is ``[start:stop]`` of the file, its content ``[inner:close]``."""

    markup: Markup
    name: str
    start: int
    inner: int
    close: int = -1
    stop: int = -1
    children: list[XmlElement] = field(default_factory=list)

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

    def all(self, *names: str) -> Iterator[XmlElement]:
        """Return the children with these names, in order."""
        return (child for child in self.children if child.name in names)

    def first(self, *path: str) -> XmlElement | None:
        """Follow a path of names, at each step to the first child with that name.

        Returns None if a step finds no child.
        """
        node: XmlElement | None = self
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

    A file in an encoding that extends ASCII is held as one character per byte, and ``value`` decodes pieces of it. A
    file in UTF-16 or UTF-32 is held decoded.
    """

    path: Path
    text: str
    codec: str
    charset: str
    root: XmlElement = field(init=False)
    """A node without a name, around the top-level elements."""

    def __post_init__(self) -> None:
        self.root = _scan(self)

    def value(self, piece: str) -> str:
        """Return a piece of the text, decoded. Comments are removed and character references replaced."""
        plain = piece if "<" not in piece else _HIDDEN.sub(lambda m: (m[1] or "").replace("&", "&amp;"), piece)
        if not plain.isascii() and self.codec == "latin-1":
            plain = plain.encode("latin-1").decode(self.charset, "replace")
        return _REFERENCE.sub(_character, plain) if "&" in plain else plain

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def error(self, place: int, reason: str) -> InputError:
        return InputError(f"{self.path}, line {self.line(place)}: {reason}")

    def removal_span(self, node: XmlElement) -> tuple[int, int]:
        """Return the span to cut so that the element is gone and leaves no empty line.

        It includes the whitespace before the element, unless something follows on the same line.
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
    return parse_markup(path, read_bytes(path))


def parse_markup(path: Path, data: bytes) -> Markup:
    """Scan the bytes of a file; InputError as in ``read_markup``."""
    codec = next((codec for mark, codec in _ENCODING_MARKS if data.startswith(mark)), "latin-1")
    if codec == "latin-1" and b"\0" in data:
        raise InputError(f"{path} is not XML: it contains NUL bytes")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} starts like {codec.upper()} text but cannot be decoded: {error.reason}") from error
    return Markup(path, text, codec, _charset(data))


def _charset(data: bytes) -> str:
    """Return the encoding that the file declares.

    Returns UTF-8 if the file declares none, or if Python does not know the encoding or it does not extend ASCII.
    """
    declared = _DECLARED.match(data.removeprefix(codecs.BOM_UTF8))
    name = declared[1].decode() if declared else "utf-8"
    try:
        return name if b"<".decode(name) == "<" else "utf-8"
    except (LookupError, UnicodeError):
        return "utf-8"


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return _CHARACTERS[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else reference[0]


def _scan(markup: Markup) -> XmlElement:
    text, at = markup.text, 0
    root = XmlElement(markup, "", 0, 0, len(text), len(text))
    stack = [root]
    for _ in range(MAX_TAGS):
        begin = _BEGIN.search(text, at)
        if begin is None:
            return _check_closed(stack)
        tag = _TAG.match(text, begin.start())
        if tag is None:
            at = _skip(markup, begin.start())
            continue
        if tag[1]:
            _close(markup, stack, tag)
        else:
            _open(markup, stack, tag)
        at = tag.end()
    raise InputError(f"{markup.path} has more than {MAX_TAGS:,} tags and comments, the limit for XML")


def _check_closed(stack: list[XmlElement]) -> XmlElement:
    if len(stack) > 1:
        node = stack[-1]
        raise node.markup.error(node.start, f"<{node.name}> is never closed: the file may be cut off")
    return stack[0]


def _open(markup: Markup, stack: list[XmlElement], tag: re.Match[str]) -> None:
    node = XmlElement(markup, tag[2], tag.start(), tag.end())
    stack[-1].children.append(node)
    if tag[3].endswith("/"):
        node.close = node.stop = node.inner
    elif len(stack) > MAX_DEPTH:
        raise markup.error(node.start, f"elements are nested more than {MAX_DEPTH} levels deep")
    else:
        stack.append(node)


def _close(markup: Markup, stack: list[XmlElement], tag: re.Match[str]) -> None:
    node, name = stack[-1], tag[2]
    if len(stack) == 1 or node.name != name:
        opened = f"<{node.name}> of line {node.line} is still open" if len(stack) > 1 else "no element is open"
        raise markup.error(tag.start(), f"</{name}> does not match: {opened}")
    node.close, node.stop = tag.span()
    stack.pop()


def _skip(markup: Markup, at: int) -> int:
    """Return the end of the comment or declaration that begins at ``at``."""
    text = markup.text
    for opening, ending in _ENDS.items():
        if text.startswith(opening, at):
            end = text.find(ending, at + len(opening))
            if end < 0:
                raise markup.error(at, f"{opening} is never closed: {ending} is missing")
            return end + len(ending)
    if text.startswith("<!", at):
        return _skip_declaration(markup, at)
    raise markup.error(at, "a tag is never closed: > is missing")


def _skip_declaration(markup: Markup, at: int) -> int:
    """Return the end of ``<!DOCTYPE ... [ ... ]>``."""
    text = markup.text
    head = _DOCTYPE.match(text, at + 2)
    end = head.end() if head else at
    if text.startswith("[", end):
        subset = _SUBSET.match(text, end + 1)
        end = text.find(">", subset.end()) if subset else -1
    if end < 0 or not text.startswith(">", end):
        raise markup.error(at, "a <! declaration is never closed")
    return end + 1


class XmlTree(Tree):
    """The elements of an XML file. Raises InputError if the file is not XML.

    The scanner is tolerant, because files that simulators and browsers accept need not be well-formed. But every
    element must be closed. HTML is accepted only if all its elements are closed.
    """

    def __init__(self, path: Path) -> None:
        markup = read_markup(path)
        if not markup.root.children:
            raise InputError(f"{path} is not XML: it has no element")
        super().__init__(path, "element", markup.text, markup.codec, _build_tree(markup))


def _build_tree(markup: Markup) -> Growth:
    growth = Growth(collections={None: PlainItems()})
    for outermost, name in _children_with_paths(markup.root, ""):
        _add_children(markup, outermost, None, name, growth)
    return growth


def _add_children(markup: Markup, node: XmlElement, parent: int | None, path: str, growth: Growth) -> None:
    """Add the elements inside ``node`` to ``growth``. The scanner has limited their depth."""
    for child, name in _children_with_paths(node, path):
        part = growth.add(parent, shorten(name), 0)
        growth.spans[part] = markup.removal_span(child)
        growth.collections[part] = PlainItems()
        _add_children(markup, child, part, name, growth)


def _children_with_paths(node: XmlElement, path: str) -> Iterator[tuple[XmlElement, str]]:
    """Yield the child elements with their paths.

    For example, ``/sdf/world/model[2]`` is the second child of the world with the name ``model``.
    """
    total, seen = Counter(child.name for child in node.children), Counter[str]()
    for child in node.children:
        seen[child.name] += 1
        yield child, f"{path}/{child.name}" + (f"[{seen[child.name]}]" if total[child.name] > 1 else "")
