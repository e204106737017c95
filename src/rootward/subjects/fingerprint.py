"""The fingerprint of a function: a digest of its code, and of the code and the values that it uses from its module.

Trials are stored under it, so it must be the same in every process and change when the function does. In doubt it
changes: an unnecessary trial is cheaper than a wrong answer. Values that the function itself changes while it runs (a
counter, a list of its calls) are not part of its identity, and are left out. Code in other modules is not included
here: ``function`` adds the files of local modules.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from rootward.space.keys import canonical
from rootward.verdict import Verdict

_CHANGING = {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "put", "setdefault", "update"}
_LOADS = {"LOAD_DEREF", "LOAD_GLOBAL", "LOAD_ATTR", "LOAD_NAME"}
_REBINDS = {f"{verb}_{what}" for verb in ("STORE", "DELETE") for what in ("DEREF", "GLOBAL", "ATTR")}


def fingerprint(function: Callable[..., Any]) -> str:
    """Return the fingerprint of a function as 16 hexadecimal digits."""
    hasher = hashlib.blake2b(digest_size=8)
    _feed(hasher, function, {})
    return hasher.hexdigest()


def _feed(hasher: Any, value: Any, seen: dict[int, tuple[int, Any]]) -> None:
    if _is_plain(value):
        hasher.update(canonical(value))
        return
    if id(value) in seen:
        hasher.update(b"again %d" % seen[id(value)][0])
        return
    seen[id(value)] = len(seen), value  # keeps a reference, so that no other object gets the same id
    for part in _parts(hasher, value):
        _feed(hasher, part, seen)


def _parts(hasher: Any, value: Any) -> Iterable[Any]:
    """Return the parts of a value, for the caller to hash. Anything else that identifies the value is hashed here."""
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
    code = function.__code__
    held: list[Any] = [code, *(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    names = {name: cell.cell_contents for name, cell in cells if _has_contents(cell)}
    module = function.__globals__
    names |= {name: module[name] for name in sorted(global_names(code)) if _belongs(module.get(name), module)}
    changed = _changed_by(code)
    return held + [(name, value) for name, value in names.items() if name not in changed]


def global_names(code: CodeType) -> set[str]:
    """Return the names that the code and the functions inside of it may take from their module."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(global_names, inner))


def _belongs(value: Any, module: dict[str, Any]) -> bool:
    """Return True if a global belongs to the module.

    It does if it is plain data, or a function or class defined there.
    """
    if isinstance(value, FunctionType):
        return value.__globals__ is module
    if isinstance(value, type):
        return value.__module__ == module.get("__name__")
    return value is not None and _is_plain(value)


def _of_object(value: Any) -> list[Any]:
    """Return the things that distinguish an object from others of its type.

    Objects of the standard library (locks, loggers, connections) are left out, because they do not determine the
    behaviour of a function.
    """
    if isinstance(value, ModuleType):
        return []
    if isinstance(value, type):
        return [(value.__qualname__, _methods(value))]
    if callable(raw := getattr(value, "tobytes", None)):  # NumPy's numbers and arrays
        return [str(getattr(value, "dtype", "")), str(getattr(value, "shape", "")), raw()]
    if type(value).__module__.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return []
    methods = _methods(type(value))
    used = [method.__code__ for name, method in methods.items() if name not in ("__init__", "__post_init__")]
    changed = set().union(*map(_changed_by, used))
    if is_dataclass(value):
        held = [(field.name, getattr(value, field.name)) for field in fields(value)]
    else:
        held = sorted(getattr(value, "__dict__", {}).items())
    return [methods, *((name, part) for name, part in held if name not in changed)]


def _methods(kind: type) -> dict[str, FunctionType]:
    """Return the functions of a class, including inherited ones."""
    found = {name: part for base in reversed(kind.__mro__) for name, part in vars(base).items()}
    return {name: part for name, part in sorted(found.items()) if isinstance(part, FunctionType)}


def _changed_by(code: CodeType) -> set[str]:
    """Return the names of the variables and attributes that the code rebinds or changes in place."""
    changed: set[str] = set()
    steps = list(dis.get_instructions(code))
    for step, after, then in zip(steps, steps[1:], [*steps[2:], None], strict=False):
        if step.opname in _REBINDS or (
            step.opname in _LOADS
            and (
                (after.opname in ("LOAD_METHOD", "LOAD_ATTR") and after.argval in _CHANGING)  # x.append(...)
                or (then is not None and then.opname in ("STORE_SUBSCR", "DELETE_SUBSCR"))  # x[k] = ...
                or (then is not None and then.opname == "COPY" and after.opname.startswith("LOAD"))  # x[k] += ...
            )
        ):
            changed.add(step.argval)
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return changed.union(*map(_changed_by, inner))


def _has_contents(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _is_plain(value: Any) -> bool:
    """Return True for data whose encoding does not depend on the process."""
    if isinstance(value, dict):
        return all(_is_plain(k) and _is_plain(v) for k, v in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | float | str | bytes | None)
