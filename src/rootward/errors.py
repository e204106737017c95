"""The exceptions that Rootward raises on purpose.

::

    RootwardError
    ├── InputError          wrong input: the message says what is expected
    │   ├── StudyError      ... in a study file, with its line
    │   └── SubjectError    ... in a subject: it returned a bare bool, its predicate raised, its command cannot start
    ├── NotReproduced       the failing candidate passed when it was run
    ├── MissingExtra        an optional dependency is not installed: the message says what to type
    ├── StoreError          the store cannot be opened, or stays unreachable
    ├── MachineTrouble      the machine could not run a trial: no space, no file handles, no memory
    └── Unresolved          raised *by a subject*: this candidate cannot be judged
"""

from __future__ import annotations

import errno
import os

_REMEDIES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or use fewer --jobs",
    errno.ENFILE: "close other programs, or use fewer --jobs",
    errno.ENOMEM: "close other programs, or use fewer --jobs",
    errno.EAGAIN: "close other programs, or use fewer --jobs",
    errno.EFBIG: "raise the limit of the size of files (ulimit -f)",
    errno.EIO: "check the disk",
    errno.ECONNRESET: "find out what kills processes of Rootward",
    errno.EPIPE: "find out what kills processes of Rootward",
}
"""Advice for trouble that may pass, by the number of the error."""


class RootwardError(Exception):
    """The base class of Rootward's own exceptions."""


class InputError(RootwardError, ValueError):
    """The input is wrong; the message says what is expected."""


class StudyError(InputError):
    """There is a mistake in a study file; the message names the line."""


class SubjectError(InputError):
    """A subject cannot be judged at all.

    It returned something that is not a verdict, its predicate raised an exception, or its command cannot be started.
    """


class NotReproduced(RootwardError):
    """The failing candidate did not fail when it was run.

    ``passes``: the number of its runs, if all of them passed; otherwise 0.
    """

    def __init__(self, message: str = "", passes: int = 0) -> None:
        super().__init__(message)
        self.passes = passes


class MissingExtra(RootwardError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f'{purpose} needs an optional package: pip install "rootward[{extra}]"')


class StoreError(RootwardError):
    """The store cannot be opened, or stays unreachable."""


class MachineTrouble(RootwardError):
    """The machine could not run a trial, so nothing is known about its candidate; the message says what to do.

    ``may_pass``: True if the same trial may succeed later, without help.
    """

    def __init__(self, message: str = "", may_pass: bool = True) -> None:
        super().__init__(message)
        self.may_pass = may_pass

    def __reduce__(self) -> tuple[type, tuple[str, bool]]:
        return type(self), (str(self), self.may_pass)


def trouble_of(error: OSError) -> MachineTrouble:
    """Return an error of the machine as a sentence that says what to do."""
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    what = f"{where}{error.strerror or error}"
    if isinstance(error, FileNotFoundError):
        return MachineTrouble(f"{what}: something removed files of a running trial")
    remedy = _REMEDIES.get(error.errno or 0)
    return MachineTrouble(f"{what}: {remedy}" if remedy else what, may_pass=remedy is not None)


def lacks_thread(error: BaseException) -> bool:
    """Return True if an error says that the machine cannot start a thread. Python has no class of its own for it."""
    return "start new thread" in str(error)


def no_thread() -> MachineTrouble:
    return MachineTrouble("no thread can be started: close other programs, or use fewer --jobs")


class Unresolved(RootwardError):
    """Raised by a subject to say that the candidate cannot be judged."""
