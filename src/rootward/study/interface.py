"""``[interface]``: the fields of a study from a description that exists already; several are a sequence of messages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats import interfaces
from rootward.formats.files import read_json
from rootward.space.space import Space
from rootward.study.tables import Interface

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


def described(table: Interface, folder: Path) -> Space:
    """The space that the table describes."""
    given = [kind for kind in KINDS if getattr(table, kind) is not None]
    if len(given) != 1:
        raise InputError(f"expected exactly one of {', '.join(KINDS)}")
    [kind] = given
    said = getattr(table, kind)
    if kind in _FIXED and table.lengths:
        raise InputError(f"a {kind} says how long its lists are: lengths have no place here")
    options = {} if kind in _FIXED else {"lengths": table.lengths or None}
    spaces = [_one(kind, one, folder, options) for one in (said if isinstance(said, list) else [said])]
    return interfaces.messages(spaces) if isinstance(said, list) else spaces[0]


def _one(kind: str, said: Any, folder: Path, options: dict[str, Any]) -> Space:
    if not isinstance(said, str):
        raise InputError(f"{kind}: expected text, got {said!r}")
    if kind in _CLASSES:
        return _CLASSES[kind](import_object(said, folder), **options)
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


def import_object(target: str, folder: Path) -> Any:
    """What ``package.module:name`` stands for in Python, looked for beside the study file first."""
    module, _, name = target.partition(":")
    if not module or not name:
        raise InputError(f'expected text such as "package.module:name", got {target!r}')
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return attrgetter(name)(importlib.import_module(module))
    except ModuleNotFoundError as error:
        beside = f" (it is looked for in {folder} and where Python finds packages)"
        raise InputError(f"there is no module {error.name!r}{beside}") from error
    except AttributeError as error:
        raise InputError(f"{module} cannot give {name!r}: {error}") from error
    except Exception as error:
        raise InputError(f"importing {module} raises {type(error).__name__}: {error}") from error
