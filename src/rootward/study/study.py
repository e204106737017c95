"""The contents of a study file, ready for a verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.rules import Rule
from rootward.rules.derivation import Definition
from rootward.space.space import Space
from rootward.subjects import Subject

if TYPE_CHECKING:
    from rootward.formats.tables.history import HistoryTable
    from rootward.study.history import StoredRuns
    from rootward.study.sections import DataVersions, PipelineGraph, Recordings


@dataclass(frozen=True)
class Study:
    """The contents of a study file, ready for a verb: ``rw.reduce(study.elements, study.subject, **study.lab)``."""

    name: str
    path: Path
    subject: Subject
    space: Space | None = None
    failing: Mapping[str, Any] | None = None
    nominal: Sequence[Mapping[str, Any]] = ()
    """Configurations that should pass."""
    elements: Sequence[Any] | None = None
    keep: tuple[str, ...] = ()
    """Names or patterns of elements that are never removed."""
    history: HistoryTable | StoredRuns | None = None
    pipeline: PipelineGraph | None = None
    data: DataVersions | None = None
    traces: Recordings | None = None
    """Recordings; in such a study nothing can be run, and the subject raises an error if it is."""
    derived: Mapping[str, Definition] = field(default_factory=dict)
    """Quantities that a condition may use like fields, by name."""
    constraints: Rule | None = None
    """Configurations where this rule holds are never run."""
    lab: Mapping[str, Any] = field(default_factory=dict)
