"""What a person should know of their model, and how its parts are called in such a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rootward.traces.model import Edge

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Remark:
    severity: Severity
    """An error is certain; a warning may be meant, or may never come to pass."""
    component: str
    where: str
    """The location, or the edge."""
    text: str
    """What is wrong there, and what to do."""

    def __str__(self) -> str:
        return f"{self.severity}: component {self.component}, {self.where}: {self.text}"


def edge_name(edge: Edge) -> str:
    return f"edge {edge.source} -> {edge.target} ({edge.label or edge.on or 'time'})"


def location_name(name: str) -> str:
    return f"location {name}"
