"""XML as a tree: every element but the outermost is a part. Attributes and text stay with the element they are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rootward.errors import InputError
from rootward.formats.markup import Markup, Node, read
from rootward.formats.parts import shown
from rootward.formats.tree import Growth, Plain, Tree


class XmlTree(Tree):
    """The elements of an XML file; InputError if it is none.

    The scanner is tolerant: what simulators and browsers read every day need not be well-formed. But every element has
    to be closed, so HTML is taken only if it is written that way.
    """

    def __init__(self, path: Path) -> None:
        markup = read(path)
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
