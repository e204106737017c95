"""``[traces]``: a model of what is required, and recordings of what happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rootward.traces.event import Trace
    from rootward.traces.model import Model
    from rootward.traces.recordings.ecus import Ecus


@dataclass(frozen=True)
class Recordings:
    """Recordings that are held against a model. Each is read when its turn comes."""

    model: Model
    files: tuple[tuple[Path, str], ...]
    """Where each recording is, and what it is called."""
    ecus: Ecus | None = None
    """The ECUs by their addresses; None: the usual ones."""

    def __len__(self) -> int:
        return len(self.files)

    def __iter__(self) -> Iterator[Trace]:
        from rootward.traces.recordings import read_trace

        return (read_trace(path, name=name, ecus=self.ecus) for path, name in self.files)
