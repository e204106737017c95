"""Which document a file is, and how it is cut: the place to add another kind.

`open_document` looks at the ending (and, of XML, at the root element) unless the user says by what to cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rootward.errors import InputError
from rootward.formats.documents.bags import BAGS, Bag
from rootward.formats.documents.csv_rows import Rows
from rootward.formats.documents.json_tree import JsonTree
from rootward.formats.documents.messages import Messages
from rootward.formats.documents.parts import CUTS, Pieces
from rootward.formats.documents.xml_tree import XmlTree, read_markup
from rootward.formats.documents.yaml_tree import YamlTree
from rootward.formats.scenes import mjcf, sdf, urdf


class Document(Protocol):
    """A file cut into parts, from some of which it can be put together again. A tree has ``parents``, too."""

    @property
    def path(self) -> Path: ...
    @property
    def noun(self) -> str:
        """What one of its parts is called."""

    @property
    def reduced(self) -> Path:
        """Where the reduced file goes unless the user says."""

    def render(self, kept: Sequence[Any], /) -> bytes:
        """The file with these parts only."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def open_document(path: str | Path, by: str | None = None, *, timing: str = "keep") -> Document:
    """Open a file as a document: a list of parts that can be left out.

    :param path: the file
    :param by: what it is cut into: ``lines``, ``chars``, ``tokens``, ``json``, ``yaml``, ``xml``, ``rows``, ``models``
        or ``messages``. Unless given, the ending says it: worlds and robots (``.sdf``, ``.world``, ``.urdf``,
        ``.mjcf``) are cut into models, ROS bags (also folders) into messages, ``.csv`` into the rows below its header,
        and ``.json``, ``.yaml``, ``.yml`` and ``.xml`` into the values or elements of their trees if they have any, an
        MJCF scene in ``.xml`` into models; everything else, and what cannot be read as a tree or a table, into lines
    :param timing: the gaps that removed messages leave: ``keep`` or ``close`` them
    """
    path = Path(path)
    if by is not None and by not in _OPENERS:
        raise InputError(f"{path} can be cut by {', '.join(CHOICES)}, not {by!r}")
    found = _OPENERS[by](path, timing) if by is not None else _by_ending(path, timing)
    if timing != "keep" and found.noun != "message":
        raise InputError(f"{path} is cut into {found.noun}s, which have no times: timing is for messages")
    return found


def framed(document: Document) -> Document | None:
    """The document, if it takes more than joining its parts to make a file of them."""
    return None if isinstance(document, Pieces) else document


def _by_ending(path: Path, timing: str) -> Document:
    if path.is_dir():
        return _messages(path, timing)
    by = _ENDINGS.get(path.suffix.lower(), "lines")
    if by not in ("json", "yaml", "xml", "rows"):
        return _OPENERS[by](path, timing)
    try:
        found = _models(path, timing) if by == "xml" and _root(path) == "mujoco" else _OPENERS[by](path, timing)
    except InputError:
        return Pieces(path)
    return found if len(found) else Pieces(path)


def _pieces(by: str, path: Path, timing: str) -> Document:
    return Pieces(path, by)


def _messages(path: Path, timing: str) -> Document:
    is_bag = path.is_dir() or path.suffix.lower() in BAGS
    return Bag(path, timing) if is_bag else Messages(path, timing)


def _models(path: Path, timing: str) -> Document:
    readers = {"mujoco": mjcf.read, "robot": urdf.read}
    return readers.get(_root(path), sdf.read)(path)


def _root(path: Path) -> str:
    """The name of the outermost element."""
    found = read_markup(path).root.children
    return found[0].name if found else ""


_OPENERS: dict[str, Callable[[Path, str], Document]] = {
    **{by: partial(_pieces, by) for by in CUTS},
    "json": lambda path, timing: JsonTree(path),
    "yaml": lambda path, timing: YamlTree(path),
    "xml": lambda path, timing: XmlTree(path),
    "rows": lambda path, timing: Rows(path),
    "models": _models,
    "messages": _messages,
}
CHOICES = tuple(_OPENERS)
_ENDINGS = {
    **dict.fromkeys((".sdf", ".world", ".urdf", ".mjcf"), "models"),
    **dict.fromkeys(BAGS, "messages"),
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".xml": "xml",
    ".csv": "rows",
}
