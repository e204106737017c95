"""What the declaration of UDS is compiled with, and to."""

from __future__ import annotations

from dataclasses import dataclass, field

from rootward.traces.guard import Value
from rootward.traces.model import Component, Unknown
from rootward.traces.writing.expressions import Scope

MOST = 50_000
"""Edges of a model."""


@dataclass
class Made:
    components: list[Component] = field(default_factory=list)
    variables: dict[str, Value] = field(default_factory=dict)
    clocks: dict[str, int | Unknown] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """What all services have in common."""

    scope: Scope
    ecu: str
    """A name, or nothing: any."""
    p2: int
    """How long a response may take, in microseconds."""
    pending: int
    """How long it may take after NRC 78."""
