"""Files of an earlier diagnosis in the same folder whose failure did not show this time.

A failure that was mended leaves its reproducer and its regression test behind. These are worth more than before: the
test guards the repair. So a later diagnosis never removes them. It lists them among its artifacts, which also marks
them as files of Rootward, and gives its own files other names.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rootward.diagnosis.handover.handover import BESIDE
from rootward.explanation.diagnosis import TEST, Artifact, Diagnosis
from rootward.explanation.facts import Gap, NoLongerShown
from rootward.report.folder import DATA


@dataclass(frozen=True)
class EarlierFiles:
    """The files that stay, and the failures that they are about."""

    artifacts: tuple[Artifact, ...] = ()
    facts: tuple[NoLongerShown, ...] = ()
    """One fact for each failure that an earlier diagnosis explained and this one did not meet."""

    @property
    def names(self) -> set[str]:
        """The names of the files."""
        return {artifact.name for artifact in self.artifacts}

    def free_stems(self, stem: str, joint: str) -> Iterator[str]:
        """Yield names without suffix that none of the files has: ``stem``, then ``stem`` with 2, 3, ... after it."""
        taken = {Path(name).stem.removesuffix(BESIDE) for name in self.names}
        for number in itertools.count(1):
            numbered = stem if number == 1 else f"{stem}{joint}{number}"
            if numbered not in taken:
                yield numbered


def find_earlier_files(diagnosis: Diagnosis, folder: Path) -> EarlierFiles:
    """Return the files in the folder that are about failures which this diagnosis did not meet."""
    shown = {one.signature for one in diagnosis.explanations if Gap.NOT_REPRODUCED not in one.unknown}
    kept: list[Artifact] = []
    for artifact in _read_artifacts(folder):
        if lost := tuple(signature for signature in artifact.kept if signature not in shown):
            kept.append(replace(artifact, kept=lost))
    signatures = dict.fromkeys(signature for artifact in kept for signature in artifact.kept)
    facts = [
        NoLongerShown(signature, tuple(artifact.name for artifact in kept if signature in artifact.kept))
        for signature in signatures
    ]
    return EarlierFiles(tuple(kept), tuple(facts))


def _read_artifacts(folder: Path) -> Iterator[Artifact]:
    """Yield the files that the diagnosis in this folder wrote or kept, each with the failures that it is about."""
    try:
        told = json.loads((folder / DATA).read_bytes())
        signatures = [one["signature"] for one in told["explanations"]]
        for one in told["artifacts"]:
            path = folder / one["name"]
            if one["name"] == path.name and path.is_file():
                about = one["kept"] or (signatures if one["kind"] == TEST else [signatures[one["failure"] - 1]])
                command = one["command"]
                yield Artifact(one["kind"], path.name, path.read_bytes(), command, failure=0, kept=tuple(about))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return  # there is no diagnosis, or not one that this version can read
