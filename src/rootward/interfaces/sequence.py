"""Sequences of messages: their fields side by side, which is how HPSL (section II) makes a stream one input.

The name of a field says which message it is in: ``M0.InitialMode``, ``M1.BrakeApplied``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rootward.errors import InputError
from rootward.fields import show
from rootward.interfaces.paths import join
from rootward.space import Space


def messages(spaces: Iterable[Space] | Mapping[str, Space]) -> Space:
    """One space of all the fields: those of the n-th message below ``Mn``, or below the names that a mapping gives."""
    named = dict(spaces) if isinstance(spaces, Mapping) else {f"M{place}": space for place, space in enumerate(spaces)}
    for name, space in named.items():
        if not isinstance(space, Space):
            raise InputError(f"message {name!r} is {show(space)} ({type(space).__name__}): expected a Space")
    if not named:
        raise InputError("no messages: give at least one space")
    return Space((join(name, path), field) for name, space in named.items() for path, field in space.items())
