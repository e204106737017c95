"""The kinds of documents and how each is cut into parts: the place to add another kind.

`open_document` decides by the file name extension (and for XML by the root element), unless the user says how to cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rootward.errors import InputError
from rootward.formats.documents.bags import BAG_EXTENSIONS, Bag
from rootward.formats.documents.csv_rows import Rows
from rootward.formats.documents.json_tree import JsonTree
from rootward.formats.documents.messages import Messages
from rootward.formats.documents.parts import CUTS, Pieces
from rootward.formats.documents.xml_tree import XmlTree, read_markup
from rootward.formats.documents.yaml_tree import YamlTree
from rootward.formats.scenes import mjcf, sdf, urdf
from rootward.words import plural


class Document(Protocol):
    """A file cut into parts. ``render`` writes the file with only some of them. A tree also has ``parents``."""

    @property
    def path(self) -> Path: ...
    @property
    def noun(self) -> str:
        """The word for one part of the document, such as ``line``."""

    @property
    def reduced_path(self) -> Path:
        """The default path of the reduced file."""

    def render(self, kept: Sequence[Any], /) -> bytes:
        """Return the file with only the ``kept`` parts."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def open_document(path: str | Path, by: str | None = None, *, timing: str = "keep") -> Document:
    """Open a file as a document: a list of parts that can be removed.

    :param path: the file
    :param by: the kind of part: ``lines``, ``chars``, ``tokens``, ``json``, ``yaml``, ``xml``, ``rows``, ``models`` or
        ``messages``. By default the file name extension decides: worlds and robots (``.sdf``, ``.world``, ``.urdf``,
        ``.mjcf``) are cut into models, ROS bags (also folders) into messages, ``.csv`` into the rows below its header,
        ``.json``, ``.yaml``, ``.yml`` and ``.xml`` into the values or elements of their trees if they have any, and an
        MJCF scene in ``.xml`` into models. Every other file, and one that is not a valid tree or table, is cut into
        lines
    :param timing: ``keep`` or ``close`` the gaps in time that removed messages leave
    """
    path = Path(path)
    if by is not None and by not in _OPENERS:
        raise InputError(f"{path} can be cut by {', '.join(CHOICES)}, not by {by!r}")
    found = _OPENERS[by](path, timing) if by is not None else _open_by_extension(path, timing)
    if timing != "keep" and found.noun != "message":
        raise InputError(f"{path} is cut into {plural(found.noun)}, which have no times: use timing only with messages")
    return found


def is_bag(path: Path) -> bool:
    """Return True if the path is a ROS bag, which only its reader can cut."""
    if path.is_dir():
        return ((path / "metadata.yaml").exists() and any(path.glob("*.db3"))) or any(path.glob("*.mcap"))
    return path.suffix.lower() in BAG_EXTENSIONS


def open_parts(path: Path) -> Document | None:
    """Return the models of a world or robot; None if the file is neither, or cannot be read as one."""
    try:
        return _open_models(path, "keep") if _root_name(path) in ("mujoco", "robot", "sdf", "gazebo", "world") else None
    except InputError:
        return None


def document_to_render(document: Document) -> Document | None:
    """Return the document if its ``render`` is needed to write it. Returns None if it is enough to join the parts."""
    return None if isinstance(document, Pieces) else document


def _open_by_extension(path: Path, timing: str) -> Document:
    if path.is_dir():
        return _open_messages(path, timing)
    by = _EXTENSIONS.get(path.suffix.lower(), "lines")
    if by not in ("json", "yaml", "xml", "rows"):
        return _OPENERS[by](path, timing)
    try:
        found = (
            _open_models(path, timing) if by == "xml" and _root_name(path) == "mujoco" else _OPENERS[by](path, timing)
        )
    except InputError:
        return Pieces(path)
    return found if len(found) else Pieces(path)


def _open_pieces(by: str, path: Path, timing: str) -> Document:
    return Pieces(path, by)


def _open_messages(path: Path, timing: str) -> Document:
    is_bag = path.is_dir() or path.suffix.lower() in BAG_EXTENSIONS
    return Bag(path, timing) if is_bag else Messages(path, timing)


def _open_models(path: Path, timing: str) -> Document:
    readers = {"mujoco": mjcf.read, "robot": urdf.read}
    return readers.get(_root_name(path), sdf.read)(path)


def _root_name(path: Path) -> str:
    """Return the name of the outermost element of an XML file."""
    found = read_markup(path).root.children
    return found[0].name if found else ""


_OPENERS: dict[str, Callable[[Path, str], Document]] = {
    **{by: partial(_open_pieces, by) for by in CUTS},
    "json": lambda path, timing: JsonTree(path),
    "yaml": lambda path, timing: YamlTree(path),
    "xml": lambda path, timing: XmlTree(path),
    "rows": lambda path, timing: Rows(path),
    "models": _open_models,
    "messages": _open_messages,
}
CHOICES = tuple(_OPENERS)
_EXTENSIONS = {
    **dict.fromkeys((".sdf", ".world", ".urdf", ".mjcf"), "models"),
    **dict.fromkeys(BAG_EXTENSIONS, "messages"),
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".xml": "xml",
    ".csv": "rows",
}
