"""Everything Rootward raises on purpose.

::

    RootwardError
    ├── InputError          what the user gave does not fit: the message says what is expected
    │   ├── StudyError      ... in a study file, with its line
    │   └── SubjectError    ... in what a subject returned (a bare bool, for instance)
    ├── NotReproduced       the failing candidate does not fail when it is run again
    ├── MissingExtra        an optional dependency is not installed: the message says what to type
    ├── StoreError          the store cannot be opened, or stays unreachable
    └── Unresolved          raised *by a subject*: this candidate cannot be judged
"""

from __future__ import annotations


class RootwardError(Exception):
    """The root of the tree: catch this to catch all of them."""


class InputError(RootwardError, ValueError):
    """What the user gave does not fit; the message says what is expected."""


class StudyError(InputError):
    """A study file does not fit; the message points at the line."""


class SubjectError(InputError):
    """A subject returned something that is not a verdict."""


class NotReproduced(RootwardError):
    """The failing candidate does not fail when it is run again."""


class MissingExtra(RootwardError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f'{purpose} needs an extra: pip install "rootward[{extra}]"')


class StoreError(RootwardError):
    """The store cannot be opened, or stays unreachable."""


class Unresolved(RootwardError):
    """Raised by a subject to say that the candidate cannot be judged."""
