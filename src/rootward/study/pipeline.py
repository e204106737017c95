"""``[pipeline]``: which node feeds which, and after which of them the subject has a check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rootward.errors import InputError
from rootward.interfaces.files import read_json
from rootward.searches.causes.checkpoint import Checkpoint, best_checkpoint
from rootward.searches.causes.graph import Graph
from rootward.searches.causes.phases import CHECKPOINT
from rootward.space import Space


@dataclass(frozen=True)
class PipelineGraph:
    """A pipeline that the settings of a study belong to."""

    graph: Graph
    checks: tuple[str, ...] = ()
    """The nodes at which a run ends if its configuration says so, with the verdict of the check there."""

    @classmethod
    def read(cls, path: Path, space: Space) -> PipelineGraph:
        """The graph in a JSON file. InputError if it is none, or has no place for a setting."""
        found = cls(Graph.of(read_json(path)))
        found.checkpoint(space)
        return found

    def checked(self, nodes: tuple[str, ...], space: Space) -> PipelineGraph:
        """The same, with checks after these nodes. InputError if there is no such node."""
        for node in nodes:
            self.graph.check(node)
        if nodes and CHECKPOINT in space:
            raise InputError(f"{CHECKPOINT!r} tells the subject where to end: no setting can be called so")
        return replace(self, checks=nodes)

    def checkpoint(self, space: Space) -> Checkpoint:
        """Where a check helps most: of the nodes that have one, or of all if none has."""
        return best_checkpoint(self.graph, space, possible=self.checks or None)
