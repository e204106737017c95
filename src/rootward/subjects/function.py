"""A Python function as a subject.

It returns an ``Outcome`` or a ``Verdict``, or returns None (PASS), or raises (FAIL, with the exception as signature).
Inline it is just called: fast, closures and notebooks welcome. Isolated it runs in a worker process, where a time-out,
a segmentation fault or a full memory ends one trial and not the lab.
"""

from __future__ import annotations

import hashlib
import inspect
import site
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from rootward.candidate import dump
from rootward.errors import InputError, SubjectError, Unresolved
from rootward.keys import canonical
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome, Verdict


@dataclass(frozen=True)
class Function:
    """``function(candidate)``, or ``function(candidate, seed=...)`` if it has a parameter of that name.

    ``timeout`` (seconds) and ``memory`` (bytes) put it into a worker process, and so does a lab with more than one job.
    """

    function: Callable[..., Any]
    timeout: float | None = None
    memory: int | None = None
    isolated: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"a subject is a function of one candidate, not {self.function!r}")

    @property
    def inline(self) -> bool:
        return not (self.isolated or self.timeout or self.memory)

    @cached_property
    def seeded(self) -> bool:
        try:
            return "seed" in inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return False

    @cached_property
    def identity(self) -> str:
        return f"function {_name(self.function)} {_fingerprint(self.function)}"

    def isolate(self) -> Function:
        """The same function, in worker processes."""
        return replace(self, isolated=True)

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        if self.inline:
            return self.call(candidate, seed)
        from rootward.subjects.worker import call_in_worker

        return call_in_worker(self, candidate, seed)

    def call(self, candidate: Any, seed: int) -> Outcome:
        """Run here and now."""
        try:
            said = self.function(candidate, seed=seed) if self.seeded else self.function(candidate)
        except Unresolved as error:
            return Outcome(UNRESOLVED, detail=str(error))
        except SubjectError:
            raise
        except (Exception, SystemExit) as error:
            return Outcome(FAIL, signature=signature(error), detail=_one_line(error))
        return outcome_of(said, _name(self.function))

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        argument = dump(candidate)
        if len(argument) > 500:
            argument = argument[:500] + "..."
        return f"{_name(self.function)}({argument}{f', seed={seed}' if self.seeded else ''})"


def fails_when(predicate: Callable[..., Any]) -> Callable[..., Verdict]:
    """A subject from a predicate: True means FAIL."""
    return _Judged(predicate, FAIL, PASS)


def passes_when(predicate: Callable[..., Any]) -> Callable[..., Verdict]:
    """A subject from a predicate: True means PASS."""
    return _Judged(predicate, PASS, FAIL)


class _Judged:
    def __init__(self, predicate: Callable[..., Any], when_true: Verdict, when_false: Verdict) -> None:
        self.predicate, self.when_true, self.when_false = predicate, when_true, when_false
        self.__wrapped__ = predicate

    def __call__(self, candidate: Any, **seed: int) -> Verdict:
        said = self.predicate(candidate, **seed)
        if _is_bool(said):
            return self.when_true if said else self.when_false
        raise SubjectError(f"{_name(self.predicate)} must return True or False here, not {said!r}")


def _is_bool(said: object) -> bool:
    """Python's own, or NumPy's under its old or its new name."""
    return isinstance(said, bool) or type(said).__name__ in ("bool_", "bool")


def outcome_of(said: object, name: str) -> Outcome:
    """What a subject's return value means."""
    if isinstance(said, Outcome):
        return said
    if isinstance(said, Verdict):
        return Outcome(said)
    if said is None:
        return Outcome(PASS)
    if _is_bool(said):
        raise SubjectError(
            f"{name} returned {said}, and that could mean either: say which with rw.fails_when({name}) "
            f"(True means FAIL) or rw.passes_when({name}) (True means PASS)"
        )
    raise SubjectError(
        f"{name} returned {said!r:.200}; a subject returns rw.Outcome, rw.Verdict or None (PASS), or raises (FAIL)"
    )


def signature(error: BaseException) -> str:
    """The type of the exception and the innermost frame of the user's own code."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
    kind = type(error).__name__
    if isinstance(error, SystemExit):
        kind = f"SystemExit({error.code})"
    return f"{kind} in {own[-1].name} ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else kind


_HERE = str(Path(__file__).parent.parent)
_PATHS = [*site.getsitepackages(), site.getusersitepackages(), *map(sysconfig.get_path, ("stdlib", "platstdlib"))]
_LIBRARIES = (*sorted(set(_PATHS)), "<frozen")


def _is_own(filename: str) -> bool:
    return not filename.startswith((_HERE, *_LIBRARIES))


def _one_line(error: BaseException) -> str:
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # the user's own __str__
        lines = []
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines else type(error).__name__


def _name(function: Callable[..., Any]) -> str:
    inner = inspect.unwrap(function)
    return str(getattr(inner, "__qualname__", None) or getattr(inner, "__name__", None) or type(inner).__qualname__)


def _fingerprint(function: Callable[..., Any]) -> str:
    """A digest of what the function does, as far as that can be seen: its code and the plain values it closes over."""
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
    if isinstance(value, FunctionType):
        _feed(hasher, value.__code__, seen)
        cells = [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)]
        for part in [*cells, *(value.__defaults__ or ()), *sorted((value.__kwdefaults__ or {}).items())]:
            _feed(hasher, part, seen)
    elif isinstance(value, CodeType):
        hasher.update(value.co_code + " ".join((*value.co_names, *value.co_varnames)).encode())
        for constant in value.co_consts:
            _feed(hasher, constant, seen)
    elif isinstance(value, list | tuple | dict):
        for part in value.items() if isinstance(value, dict) else value:
            _feed(hasher, part, seen)
    elif isinstance(value, Verdict):
        hasher.update(value.name.encode())
    elif isinstance(value, MethodType):
        for part in (value.__func__, value.__self__):
            _feed(hasher, part, seen)
    elif isinstance(value, partial):
        for part in (value.func, value.args, value.keywords):
            _feed(hasher, part, seen)
    else:
        hasher.update(f"{type(value).__module__}.{type(value).__qualname__}".encode())
        for part in _state(value):
            _feed(hasher, part, seen)


def _state(value: Any) -> list[Any]:
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
    if callable(value):
        return [inspect.getattr_static(type(value), "__call__", None), *held]
    return held if is_dataclass(value) else [pair for pair in held if _plain(pair[1])]


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
