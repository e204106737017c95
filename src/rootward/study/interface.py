"""``[interface]``: the fields of a study from a description that exists already; several are a sequence of messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rootward import interfaces
from rootward.errors import InputError
from rootward.interfaces.files import read_json
from rootward.space import Space
from rootward.study.tables import Interface

Imported = Callable[[str, Path], Any]
"""What ``package.module:name`` stands for, looked for beside the study file first."""
_FILES: dict[str, Callable[..., Space]] = {
    "json_schema": interfaces.from_json_schema,
    "document": interfaces.from_document,
    "csv": interfaces.from_csv,
}
_CLASSES: dict[str, Callable[..., Space]] = {
    "protobuf": interfaces.from_protobuf,
    "dataclass": interfaces.from_dataclass,
    "pydantic": interfaces.from_pydantic,
}
KINDS = (*_FILES, "ros", *_CLASSES)
_FIXED = {"document", "csv"}
"""What says how long its lists are."""


def described(table: Interface, folder: Path, imported: Imported) -> Space:
    """The space that the table describes."""
    given = [kind for kind in KINDS if getattr(table, kind) is not None]
    if len(given) != 1:
        raise InputError(f"expected exactly one of {', '.join(KINDS)}")
    [kind] = given
    said = getattr(table, kind)
    if kind in _FIXED and table.lengths:
        raise InputError(f"a {kind} says how long its lists are: lengths have no place here")
    options = {} if kind in _FIXED else {"lengths": table.lengths or None}
    spaces = [_one(kind, one, folder, imported, options) for one in (said if isinstance(said, list) else [said])]
    return interfaces.messages(spaces) if isinstance(said, list) else spaces[0]


def _one(kind: str, said: Any, folder: Path, imported: Imported, options: dict[str, Any]) -> Space:
    if not isinstance(said, str):
        raise InputError(f"{kind}: expected text, got {said!r}")
    if kind in _CLASSES:
        return _CLASSES[kind](imported(said, folder), **options)
    if kind == "ros":
        own = said.endswith(".msg")  # else the name of a type that every ROS has
        return interfaces.from_ros(
            folder / said if own else None, f"study/msg/{Path(said).stem}" if own else said, **options
        )
    return _FILES[kind](folder / said, **options)


def read_configuration(said: str | list[Any], folder: Path, space: Space) -> Mapping[str, Any]:
    """A configuration from a JSON file, as a document or by the names of the fields; several are messages."""
    documents = [read_json(folder / str(one)) for one in (said if isinstance(said, list) else [said])]
    document = {f"M{i}": one for i, one in enumerate(documents)} if isinstance(said, list) else documents[0]
    if isinstance(document, Mapping) and set(document) == set(space.names):
        return document
    return interfaces.flatten(document)
