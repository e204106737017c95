"""Files of an earlier diagnosis in the same folder whose failure did not show this time, or has changed.

A failure that was mended leaves its reproducer and its regression test behind. These are worth more than before: the
test guards the repair. So a later diagnosis never removes them. It lists them among its artifacts, which also marks
them as files of Rootward, and gives its own files other names. The same holds if the failure shows under another
condition, because the earlier test has inputs that the new one lacks, and if somebody has edited the files. What a
diagnosis left behind that was ended early is replaced.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rootward.diagnosis.handover.handover import BESIDE
from rootward.diagnosis.handover.regression import run_test
from rootward.explanation.diagnosis import TEST, Artifact, Diagnosis
from rootward.explanation.facts import ChangedSince, Gap, NoLongerShown, RegressionRun, SeemsMended
from rootward.formats.files import read_bytes
from rootward.report.folder import DATA
from rootward.study import Study

EDITED = "edited"
"""Stands for the condition of files that somebody has edited."""


@dataclass(frozen=True)
class EarlierFiles:
    """The files that stay, and the failures that they are about."""

    artifacts: tuple[Artifact, ...] = ()
    facts: tuple[NoLongerShown | ChangedSince, ...] = ()
    """One fact for each failure of these files."""

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
    """Return the files in the folder that are not about the failures of this diagnosis, under the same conditions."""
    shown: defaultdict[str | None, set[str | None]] = defaultdict(set)
    for one in diagnosis.explanations:
        if Gap.NOT_REPRODUCED not in one.unknown:
            shown[one.signature] |= {None, _condition(one.to_dict())}
    kept: list[Artifact] = []
    for artifact in _read_artifacts(folder):
        about = zip(artifact.kept, artifact.conditions, strict=True)
        if lost := [(signature, condition) for signature, condition in about if condition not in shown[signature]]:
            signatures, conditions = zip(*lost, strict=True)
            kept.append(replace(artifact, kept=signatures, conditions=conditions))
    facts = [
        (ChangedSince if shown[signature] else NoLongerShown)(
            signature, tuple(artifact.name for artifact in kept if signature in artifact.kept)
        )
        for signature in dict.fromkeys(signature for artifact in kept for signature in artifact.kept)
    ]
    return EarlierFiles(tuple(kept), tuple(facts))


def describe_mended(study: Study, folder: Path, passes: int) -> Diagnosis | None:
    """Return the diagnosis for a failing input that passes now; ``passes``: the number of its runs.

    Returns None if there is no earlier diagnosis in the folder, or if a regression test of it still fails: then the
    input is another one, and the earlier diagnosis is still right.
    """
    if not (folder / DATA).is_file():
        return None
    mended = Diagnosis(study=study.name, trials=passes, asked=1)
    tests = [run_test(one, folder) for one in find_earlier_files(mended, folder).artifacts if one.kind == TEST]
    ran = {one.name: one.tried for one in tests if isinstance(one.tried, RegressionRun)}
    if any(tried.failed for tried in ran.values()):
        return None
    return replace(mended, notes=(SeemsMended(tuple(ran)),))


def _read_artifacts(folder: Path) -> Iterator[Artifact]:
    """Yield the files that the diagnosis in this folder wrote or kept, each with the failures that it is about."""
    try:
        told = json.loads(read_bytes(folder / DATA))
        explained = [(one["signature"], _condition(one) if told["complete"] else None) for one in told["explanations"]]
        for one in told["artifacts"]:
            path = folder / one["name"]
            if one["name"] == path.name and path.is_file():
                content = read_bytes(path)
                about = list(zip(one["kept"], one.get("conditions") or itertools.repeat(None), strict=False))
                about = about or (explained if one["kind"] == TEST else [explained[one["failure"] - 1]])
                signatures, conditions = zip(*about, strict=True)
                if len(content) != one["bytes"] or (one["text"] and content != one["text"].encode()):
                    conditions = (EDITED,) * len(signatures)
                yield Artifact(
                    one["kind"], path.name, content, one["command"], failure=0, kept=signatures, conditions=conditions
                )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return  # there is no diagnosis, or not one that this version can read


def _condition(explanation: Mapping[str, Any]) -> str:
    """Return a text that differs if the condition of a failure does, or the elements that it needs."""
    causes, kept = explanation["causes"], explanation["kept"] or []
    return json.dumps([[cause["text"] for cause in causes], [row["element"] for row in kept]])
