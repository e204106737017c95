"""The files that ``rootward triage`` writes on request: a page, a folder, test results, annotated traces, proofs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError

if TYPE_CHECKING:
    from rootward.cli.triage_recordings import TraceReader
    from rootward.traces.triage import Triage


@dataclass(frozen=True)
class Targets:
    """The files and folders that the user asked for."""

    report: Path | None
    out: Path | None
    junit: Path | None
    annotate: Path | None
    certificates: Path | None

    @property
    def _files(self) -> list[Path]:
        return [file for file in (self.report, self.junit) if file is not None]

    def check(self, originals: Sequence[Path]) -> None:
        """Raise InputError unless every target can be written, and none would overwrite an input."""
        from rootward.formats.files import check_target
        from rootward.report.files import check_report
        from rootward.report.folder import check_folder

        if self.out is not None:
            check_folder(self.out)
        known = {_real(path): path for path in originals}
        for place, file in enumerate(self._files):
            check_target(file)
            if _real(file) in known:
                raise InputError(f"{file} is one of the inputs and would be overwritten: name another file")
            if _real(file) in map(_real, self._files[:place]):
                raise InputError(f"{file} is named for two outputs: name another file for one of them")
        if self.report is not None:
            check_report(self.report)
        for folder, ending in ((self.annotate, ".asc"), (self.certificates, ".json")):
            if folder is not None:
                if folder.exists() and not folder.is_dir():
                    raise InputError(f"{folder} is not a folder")
                for path, said in known.items():
                    if path.parent == _real(folder) and path.suffix.lower() == ending:
                        raise InputError(
                            f"{folder} contains the input {said}, which could be overwritten: name another folder"
                        )
                folder.mkdir(parents=True, exist_ok=True)

    def write(self, finding: Triage, reader: TraceReader) -> tuple[list[str], list[str]]:
        """Write everything that the user asked for.

        Returns two lists: one sentence for each target that was written, and one for each that failed.
        """
        notes: list[str] = []
        failed: list[str] = []
        for target, write in self._writers(finding, reader):
            try:
                notes.append(write(target))
            except OSError as error:
                failed.append(f"{target} cannot be written: {error.strerror or error}")
            except InputError as error:
                failed.append(f"{target} cannot be written: {error}")
        return notes, failed

    def _writers(self, finding: Triage, reader: TraceReader) -> Iterator[tuple[Path, Callable[[Path], str]]]:
        if self.report is not None:
            yield self.report, partial(_write_report, finding)
        if self.out is not None:
            yield self.out, partial(_save, finding)
        if self.junit is not None:
            yield self.junit, partial(_write_junit, finding, reader)
        if self.annotate is not None:
            yield self.annotate, partial(_write_folder, partial(_annotate, finding, reader), ".asc")
        if self.certificates is not None:
            yield self.certificates, partial(_write_folder, partial(_certify, finding, reader), ".json")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _write_report(finding: Triage, path: Path) -> str:
    finding.report(path)
    return f"The report is {path}."


def _save(finding: Triage, folder: Path) -> str:
    finding.save(folder)
    return f"The finding is saved in {folder}."


def _write_junit(finding: Triage, reader: TraceReader, path: Path) -> str:
    from rootward.traces.output.junit import write_junit

    write_junit(finding, reader.names, path)
    return f"The test results are {path}."


def _write_folder(write: Callable[[Path], str], ending: str, folder: Path) -> str:
    """Call ``write`` with the folder, and return the sentence that it returns.

    If the folder holds older files with this ending, their number is added.
    """
    from rootward.words import count

    def list_files() -> set[tuple[str, int]]:
        return {(path.name, path.stat().st_ino) for path in folder.iterdir() if path.suffix == ending}

    before = list_files()
    said = write(folder)
    old = len(before & list_files())  # a file that was replaced has another inode
    return f"{said} It also holds {count(old, 'older file')}." if old else said


class _FileNames:
    """Makes a different file name for each trace."""

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


def _annotate(finding: Triage, reader: TraceReader, folder: Path) -> str:
    from rootward.traces.output.annotation import annotate, remarks
    from rootward.traces.output.words import cause
    from rootward.words import count

    causes = {id(fault): f"{cause(one)} [{one.id}]" for one in finding.classes for fault in one.faults}
    names, written, skipped = _FileNames(), 0, 0
    for trace, faults in reader.reread_failing(finding):
        said = remarks(trace, [(fault, causes.get(id(fault), "a consequence of the above")) for fault in faults])
        done = annotate(trace, said, folder / f"{names(trace.name).removesuffix('.asc')}.asc")
        written, skipped = written + done, skipped + (not done)
    left = (
        f" {count(skipped, 'trace')} without CAN frames {'was' if skipped == 1 else 'were'} left out."
        if skipped
        else ""
    )
    return f"{count(written, 'annotated trace')} in {folder}.{left}"


def _certify(finding: Triage, reader: TraceReader, folder: Path) -> str:
    from rootward.traces.output.certificates.certifier import Certifier
    from rootward.words import count

    certifier, names = Certifier(reader.model), _FileNames()
    written = sum(certifier.write(trace, folder, names(trace.name)) for trace, _ in reader.reread_failing(finding))
    left = len(finding.faults) - written
    without = f"; {count(left, 'fault')} without one, because the checker did not accept the proof" if left > 0 else ""
    return f"{count(written, 'certificate')} in {folder}{without}."
