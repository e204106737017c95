"""``[interface]``: the fields of a study, from an existing description, or from a list of them, one per message."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats import interfaces
from rootward.formats.files import read_bytes, read_json
from rootward.space.space import Space
from rootward.study.tables import InterfaceSection

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
_FIXED_LENGTHS = {"document", "csv"}
"""Descriptions that fix the lengths of their lists."""


def read_interface(table: InterfaceSection, folder: Path) -> Space:
    """Return the space that the ``[interface]`` table describes."""
    given = [kind for kind in KINDS if getattr(table, kind) is not None]
    if len(given) != 1:
        raise InputError(f"expected exactly one of the keys {', '.join(KINDS)}")
    [kind] = given
    said = getattr(table, kind)
    if kind in _FIXED_LENGTHS and table.lengths:
        raise InputError(f"lengths cannot be set with {kind}, which fixes the length of every list: remove lengths")
    options = {} if kind in _FIXED_LENGTHS else {"lengths": table.lengths or None}
    spaces = [_read_description(kind, one, folder, options) for one in (said if isinstance(said, list) else [said])]
    return interfaces.messages(spaces) if isinstance(said, list) else spaces[0]


def _read_description(kind: str, said: Any, folder: Path, options: dict[str, Any]) -> Space:
    if not isinstance(said, str):
        raise InputError(f"{kind}: expected text, got {said!r}")
    if kind in _CLASSES:
        return _CLASSES[kind](import_object(said, folder), **options)
    if kind == "ros":
        own = said.endswith(".msg")  # otherwise, it names a standard ROS type
        return interfaces.from_ros(
            folder / said if own else None, f"study/msg/{Path(said).stem}" if own else said, **options
        )
    return _FILES[kind](folder / said, **options)


def read_configuration(said: str | list[Any], folder: Path, space: Space) -> Mapping[str, Any]:
    """Read a configuration from JSON, either nested or with field names as keys.

    A list of files is read as a sequence of messages.
    """
    documents = [read_json(folder / str(one)) for one in (said if isinstance(said, list) else [said])]
    document = {f"M{i}": one for i, one in enumerate(documents)} if isinstance(said, list) else documents[0]
    if isinstance(document, Mapping) and set(document) == set(space.names):
        return document
    return interfaces.flatten(document)


def make_stand_in(target: str, folder: Path) -> Callable[..., Any] | None:
    """Return a function that looks like ``module:name`` and cannot be called; None if the module must be imported.

    For a dry run, which needs only the name and the parameters: an import can take long, and runs the user's code.
    """
    module, _, name = target.partition(":")
    try:
        code = ast.parse(read_bytes(folder / f"{module.replace('.', '/')}.py"))
    except (InputError, SyntaxError, ValueError):  # the import says what is wrong
        return None
    found = [one for one in code.body if isinstance(one, ast.FunctionDef) and one.name == name]
    names = (one for one in ast.walk(code) if isinstance(one, ast.Name) and one.id == name)
    if len(found) != 1 or found[0].decorator_list or any(isinstance(one.ctx, ast.Store) for one in names):
        return None

    def function(*_: Any, **_named: Any) -> None:
        raise NotImplementedError

    taken = (*found[0].args.args, *found[0].args.kwonlyargs)
    signature = inspect.Signature([inspect.Parameter(one.arg, inspect.Parameter.KEYWORD_ONLY) for one in taken])
    vars(function)["__signature__"] = signature
    function.__name__, function.__qualname__, function.__module__ = name, name, module
    return function


def import_object(target: str, folder: Path) -> Any:
    """Import ``package.module:name``. Modules in ``folder``, beside the study file, take precedence."""
    module, _, name = target.partition(":")
    if not module or not name:
        raise InputError(f'expected "package.module:name", got {target!r}')
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return attrgetter(name)(importlib.import_module(module))
    except ModuleNotFoundError as error:
        raise InputError(
            f"there is no module {error.name!r}, neither in {folder} nor among the installed packages"
        ) from error
    except AttributeError as error:
        raise InputError(f"cannot get {name!r} from {module}: {error}") from error
    except Exception as error:
        raise InputError(f"importing {module} failed with {type(error).__name__}: {error}") from error
