"""What a function does, as far as that can be seen: its code, and the plain values that it closes over.

Trials are remembered under it, so it must be the same in every process and change when the function does. What the
function itself changes while it runs (a counter, a list of its calls) is no part of what it *is*, and is left out.
Global variables and called functions of other modules are not looked at: after such a change, start over.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from rootward.keys import canonical
from rootward.verdict import Verdict

_CHANGING = {
    *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft"),
    *("put", "remove", "reverse", "setdefault", "sort", "update", "write"),
}


def fingerprint(function: Callable[..., Any]) -> str:
    """16 hexadecimal digits."""
    hasher = hashlib.blake2b(digest_size=8)
    _feed(hasher, function, {})
    return hasher.hexdigest()


def _feed(hasher: Any, value: Any, seen: dict[int, tuple[int, Any]]) -> None:
    if _plain(value):
        hasher.update(canonical(value))
        return
    if id(value) in seen:
        hasher.update(b"again %d" % seen[id(value)][0])
        return
    seen[id(value)] = len(seen), value  # held, so that nothing else gets the same id meanwhile
    for part in _parts(hasher, value):
        _feed(hasher, part, seen)


def _parts(hasher: Any, value: Any) -> Iterable[Any]:
    """What a value consists of; what it is besides goes into the hash at once."""
    if isinstance(value, FunctionType):
        return _of_function(value)
    if isinstance(value, CodeType):
        hasher.update(value.co_code + " ".join((*value.co_names, *value.co_varnames)).encode())
        return value.co_consts
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, Verdict):
        return [value.name]
    if isinstance(value, MethodType):
        return value.__func__, value.__self__
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    hasher.update(f"{type(value).__module__}.{type(value).__qualname__}".encode())
    return _of_object(value)


def _of_function(function: FunctionType) -> list[Any]:
    changed = _changed_by(function.__code__)
    held: list[Any] = [
        function.__code__,
        *(function.__defaults__ or ()),
        *sorted((function.__kwdefaults__ or {}).items()),
    ]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        held.append(name)
        if name not in changed and _filled(cell):
            held.append(cell.cell_contents)
    return held


def _of_object(value: Any) -> list[Any]:
    """What tells an object from others of its kind. Of one that is not called itself, only what is plain: the rest
    (locks, loggers, connections) says nothing about what it does."""
    if isinstance(value, type | ModuleType):
        return []
    if callable(raw := getattr(value, "tobytes", None)):  # NumPy's numbers and arrays
        return [str(getattr(value, "dtype", "")), str(getattr(value, "shape", "")), raw()]
    if is_dataclass(value):
        held = [(field.name, getattr(value, field.name)) for field in fields(value)]
    else:
        held = sorted(getattr(value, "__dict__", {}).items())
    if not callable(value):
        return held if is_dataclass(value) else [pair for pair in held if _plain(pair[1])]
    methods = {name: method for name, method in vars(type(value)).items() if isinstance(method, FunctionType)}
    used = [method.__code__ for name, method in methods.items() if name not in ("__init__", "__post_init__")]
    changed = set().union(*map(_changed_by, used))
    call = inspect.getattr_static(type(value), "__call__", None)
    return [call, *((name, part) for name, part in held if name not in changed)]


def _changed_by(code: CodeType) -> set[str]:
    """The names of the variables and attributes that the code rebinds or changes in place."""
    changed: set[str] = set()
    loaded: set[str] = set()
    stores = False
    last = ""
    for instruction in dis.get_instructions(code):
        operation, name = instruction.opname, instruction.argval
        if operation in ("STORE_DEREF", "DELETE_DEREF", "STORE_ATTR", "DELETE_ATTR"):
            changed.add(name)
        elif operation in ("LOAD_METHOD", "LOAD_ATTR") and name in _CHANGING and last:
            changed.add(last)
        stores |= operation in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE")
        last = name if operation in ("LOAD_DEREF", "LOAD_ATTR") else ""
        loaded |= {last} - {""}
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return changed.union(loaded if stores else (), *map(_changed_by, inner))


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _plain(value: Any) -> bool:
    """Data whose encoding does not depend on the process."""
    if isinstance(value, dict):
        return all(_plain(k) and _plain(v) for k, v in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_plain, value))
    return isinstance(value, bool | int | float | str | bytes | None)
