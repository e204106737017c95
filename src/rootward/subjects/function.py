"""A Python function as a subject.

It returns an ``Outcome`` or a ``Verdict``, or returns None (PASS), or raises (FAIL, with the exception as signature).
A predicate (``fails_when``, ``passes_when``) only returns True or False: if it raises, the study is wrong.
Inline, it is simply called: this is fast, and works with closures and in notebooks. Isolated, it runs in a worker
process, where a time-out, a segmentation fault or exhausted memory ends one trial and not the lab.
"""

from __future__ import annotations

import inspect
import site
import sys
import sysconfig
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rootward.errors import InputError, MachineTrouble, SubjectError, Unresolved
from rootward.space.candidate import dump
from rootward.space.keys import key
from rootward.subjects import Subject, check_limits, machine
from rootward.subjects.fingerprint import fingerprint, global_names
from rootward.subjects.local_files import CommandFolders, digest_of, find_local_files
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome, Verdict

MAX_ARGUMENT_LENGTH = 500
"""Maximum length of a candidate in a message, in characters."""


@dataclass(frozen=True)
class Function:
    """A subject that calls ``function(candidate)``.

    If the function has a parameter ``seed``, it calls ``function(candidate, seed=...)``. The function runs in a worker
    process if ``timeout`` (seconds) or ``memory`` (bytes) is given, or if the lab has more than one job.
    """

    function: Callable[..., Any]
    timeout: float | None = None
    memory: int | None = None
    isolated: bool = False

    def __post_init__(self) -> None:
        check_limits(self.timeout, self.memory)
        if not callable(self.function):
            raise InputError(f"a subject must be a function of one candidate, got {self.function!r}")

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
        """The name of the function, a digest of its code, and a digest of the local modules that it uses."""
        modules = [digest_of(file) for file in _local_modules(self.function)]
        return f"function {_name(self.function)} {fingerprint(self.function)}{key(modules)[:8] if modules else ''}"

    def isolate(self) -> Function:
        """Return the same function, to be run in worker processes."""
        return replace(self, isolated=True)

    def run(self, candidate: Any, *, seed: int, place: Path) -> Outcome:
        if self.inline:
            return self.call(candidate, seed)
        from rootward.subjects.worker import call_in_worker

        return call_in_worker(self, candidate, seed)

    def call(self, candidate: Any, seed: int) -> Outcome:
        """Call the function in this process."""
        try:
            said = self.function(candidate, seed=seed) if self.seeded else self.function(candidate)
        except Unresolved as error:
            return Outcome(UNRESOLVED, detail=str(error))
        except (SubjectError, MachineTrouble):
            raise
        except (Exception, SystemExit) as error:
            failure = Outcome(FAIL, signature=signature(error), detail=one_line(error))
            cause = error.with_traceback(None)
        else:
            return outcome_of(said, _name(self.function))
        # only here are the frames of the function gone, with the files that they held open
        if machine.is_to_blame_for(cause):
            raise MachineTrouble(failure.detail)
        return failure

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return f"{_name(self.function)}({_short_argument(candidate)}{f', seed={seed}' if self.seeded else ''})"


def _local_modules(function: Callable[..., Any]) -> list[Path]:
    """Return the files of the modules that a function uses, if they are in its folder or below."""
    inner = inspect.unwrap(function)
    code, names = getattr(inner, "__code__", None), getattr(inner, "__globals__", {})
    if code is None or not _is_own(code.co_filename):
        return []
    home, here = Path(code.co_filename).absolute(), str(Path(code.co_filename).absolute().parent)
    files = []
    for name in sorted(global_names(code) & names.keys()):
        value = names[name]
        module = value if inspect.ismodule(value) else sys.modules.get(getattr(value, "__module__", None) or "")
        file = getattr(module, "__file__", None) or ""
        if file.startswith(here) and _is_own(file) and Path(file) != home:
            files.append(file)
    return find_local_files(files, CommandFolders(home.parent)) if files else []


def as_subject(subject: Subject | Callable[..., Any], *, isolate: bool) -> Subject:
    """Return ``subject`` as a subject. A plain callable is wrapped; a subject is returned unchanged.

    ``isolate``: use worker processes if possible.
    """
    if not isinstance(subject, Subject):
        subject = Function(subject)
    isolated: Callable[[], Subject] | None = getattr(subject, "isolate", None) if isolate else None
    return subject if isolated is None else isolated()


def fails_when(predicate: Callable[..., Any]) -> Callable[..., Verdict]:
    """Turn a predicate into a subject: True means FAIL.

    An exception in the predicate is not the failure: it ends the search with a SubjectError.
    """
    return _Judged(predicate, FAIL, PASS)


def passes_when(predicate: Callable[..., Any]) -> Callable[..., Verdict]:
    """Turn a predicate into a subject: True means PASS.

    An exception in the predicate is not the failure: it ends the search with a SubjectError.
    """
    return _Judged(predicate, PASS, FAIL)


class _Judged:
    def __init__(self, predicate: Callable[..., Any], when_true: Verdict, when_false: Verdict) -> None:
        self.predicate, self.when_true, self.when_false = predicate, when_true, when_false
        self.__wrapped__ = predicate

    def __call__(self, candidate: Any, **seed: int) -> Verdict:
        try:
            said = self.predicate(candidate, **seed)
        except (Unresolved, SubjectError):
            raise
        except (Exception, SystemExit) as error:
            raise SubjectError(_describe_predicate_error(self.predicate, candidate, error)) from error
        if _is_bool(said):
            return self.when_true if said else self.when_false
        raise SubjectError(f"{_name(self.predicate)} must return True or False here, not {said!r}")


def _describe_predicate_error(predicate: Callable[..., Any], candidate: Any, error: BaseException) -> str:
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
    place = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return (
        f"the predicate {_name(predicate)} raised {one_line(error)}{place}, so this candidate was not judged: "
        f"{_short_argument(candidate)}\nIf the exception is the failure, give the function itself as the subject, "
        "without rw.fails_when or rw.passes_when. If the candidate cannot be judged, raise rw.Unresolved."
    )


def _is_bool(said: object) -> bool:
    """Return True for a bool of Python or NumPy. NumPy's type has an old and a new name."""
    return isinstance(said, bool) or type(said).__name__ in ("bool_", "bool")


# Most subjects return only a verdict, perhaps a million times; so these outcomes are shared.
_PLAIN = {verdict: Outcome(verdict) for verdict in Verdict}


def outcome_of(said: object, name: str) -> Outcome:
    """Convert the return value of a subject to an outcome."""
    if isinstance(said, Outcome) and isinstance(said.verdict, Verdict):
        name_of_failure: Any = said.signature
        if name_of_failure is None or isinstance(name_of_failure, str):
            return said
        return replace(said, signature=str(name_of_failure))  # as the store will return it
    if isinstance(said, Verdict):
        return _PLAIN[said]
    if said is None:
        return _PLAIN[PASS]
    if _is_bool(said):
        raise SubjectError(
            f"{name} returned {said}, which could mean PASS or FAIL: use rw.fails_when({name}) (True means FAIL) or "
            f"rw.passes_when({name}) (True means PASS)"
        )
    raise SubjectError(
        f"{name} returned {said!r:.200}; a subject must return rw.Outcome, rw.Verdict or None (PASS), or raise (FAIL)"
    )


def signature(error: BaseException) -> str:
    """Return the type of the exception and the innermost frame of the user's own code."""
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


def one_line(error: BaseException) -> str:
    """Return the type of the exception and the first line of its message."""
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # the user's own __str__
        lines = []
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines else type(error).__name__


def _short_argument(candidate: Any) -> str:
    argument = dump(candidate)
    return argument if len(argument) <= MAX_ARGUMENT_LENGTH else f"{argument[:MAX_ARGUMENT_LENGTH]}..."


def _name(function: Callable[..., Any]) -> str:
    inner = inspect.unwrap(function)
    return str(getattr(inner, "__qualname__", None) or getattr(inner, "__name__", None) or type(inner).__qualname__)
