"""What ``rootward triage`` writes besides its answer: a page, data, test results, remarks, proofs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.cli.recordings import Reader
    from rootward.traces.model import Model
    from rootward.traces.triage import Triage


@dataclass(frozen=True)
class Targets:
    """What is to be written besides the answer."""

    report: Path | None
    json: str | None
    junit: Path | None
    annotate: Path | None
    certificates: Path | None

    def check(self) -> None:
        from rootward.formats.files import check_target

        for file in (self.report, self.junit, None if self.json in (None, "-") else Path(str(self.json))):
            if file is not None:
                check_target(file)
        for folder in (self.annotate, self.certificates):
            if folder is not None:
                if folder.exists() and not folder.is_dir():
                    raise InputError(f"{folder} is not a folder")
                folder.mkdir(parents=True, exist_ok=True)

    def write(self, finding: Triage, model: Model, reader: Reader) -> list[str]:
        """What was written, in sentences."""
        seen = f"{finding.traces:,} of {len(reader.files):,} traces"
        notes = [] if finding.complete else [f"Interrupted: this is what was found in {seen}."]
        if self.report is not None:
            notes.append(_write_report(finding, self.report))
        if self.json is not None:
            notes += _write_json(finding, self.json)
        if self.junit is not None:
            from rootward.traces.output.junit import write_junit

            write_junit(finding, reader.names, reader.unread, self.junit)
            notes.append(f"The test results are {self.junit}.")
        if self.annotate is not None:
            notes.append(_annotate(finding, reader, self.annotate))
        if self.certificates is not None:
            notes.append(_certify(finding, model, reader, self.certificates))
        return notes


def _write_report(finding: Triage, path: Path) -> str:
    from rootward.report.html import page

    path.write_text(page(finding.to_dict(), path.parent), encoding="utf-8")
    return f"The report is {path}."


def _write_json(finding: Triage, target: str) -> list[str]:
    import json

    text = json.dumps(finding.to_dict(), indent=2)
    if target == "-":
        print(text)
        return []
    Path(target).write_text(f"{text}\n", encoding="utf-8")
    return [f"The data are {target}."]


class _FileNames:
    """A file name for each trace, no two the same."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def __call__(self, trace: str) -> str:
        plain = re.sub(r"[^\w.-]", "_", trace).lstrip(".")[:100] or "trace"
        name, number = plain, 1
        while name in self._used:
            number += 1
            name = f"{plain}-{number}"
        self._used.add(name)
        return name


def _annotate(finding: Triage, reader: Reader, folder: Path) -> str:
    from rootward.progress import count
    from rootward.traces.output.annotated import annotate, remarks
    from rootward.traces.output.text import cause

    causes = {id(fault): f"{cause(one)} [{one.id}]" for one in finding.classes for fault in one.faults}
    names, written, skipped = _FileNames(), 0, 0
    for trace, faults in reader.again(finding):
        said = remarks(trace, [(fault, causes.get(id(fault), "a consequence of the above")) for fault in faults])
        done = annotate(trace, said, folder / f"{names(trace.name).removesuffix('.asc')}.asc")
        written, skipped = written + done, skipped + (not done)
    left = f" {count(skipped, 'trace')} without CAN frames left out." if skipped else ""
    return f"{count(written, 'trace')} with remarks in {folder}.{left}"


def _certify(finding: Triage, model: Model, reader: Reader, folder: Path) -> str:
    from rootward.progress import count
    from rootward.traces.output.certificate import Certifier

    certifier, names = Certifier(model), _FileNames()
    written = sum(certifier.write(trace, folder, names(trace.name)) for trace, _ in reader.again(finding))
    left = len(finding.faults) - written
    without = f"; {count(left, 'fault')} without, as the checker did not accept the proof" if left > 0 else ""
    return f"{count(written, 'certificate')} in {folder}{without}."
