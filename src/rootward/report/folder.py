"""Save a finding as a folder: a page to read, the finding as data, and its trials as a table.

Only files that Rootward has written are overwritten. Each file is replaced as a whole, so that a reader never sees half
of one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.files import read_bytes, replace_file
from rootward.formats.tables import trials as trial_files
from rootward.report import files
from rootward.report.data import document, run_of
from rootward.report.table import columns_of, trials_of
from rootward.search.finding import Finding

PAGE, DATA, TRIALS, ISSUE = "page.html", "finding.json", "trials.csv", "issue.md"


def save(finding: Finding, folder: str | Path) -> Path:
    """Write the finding into the folder, creating it if necessary, and return the folder."""
    folder = Path(folder)
    before = claim_folder(folder, [])
    written = write_files(finding, folder)
    for name in before.intersection((TRIALS, ISSUE)).difference(written):
        (folder / name).unlink(missing_ok=True)  # left over from the previous finding
    return folder


def write_files(finding: Finding, folder: Path, *, issue: bool = False) -> list[str]:
    """Write the files that every finding has, and the text of an issue if ``issue``.

    Returns the names of the files, the page first.
    """
    told = document([run_of(finding)])
    texts = {PAGE: files.render(told, ".html", folder)}
    if issue:
        texts[ISSUE] = files.render(told, ".md")
    write_data(finding, folder)
    for name, text in texts.items():
        with replace_file(folder / name) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    return [*texts, DATA, *_write_trials(finding, folder / TRIALS)]


def write_data(finding: Finding, folder: Path) -> None:
    """Write the finding as data.

    This file marks the folder as written by Rootward, and also the files that the finding names.
    """
    with replace_file(folder / DATA) as file:
        file.write(f"{json.dumps(finding.to_dict(), indent=1, allow_nan=False)}\n".encode())


def _write_trials(finding: Finding, path: Path) -> list[str]:
    try:
        rows = trials_of(finding)
    except InputError:
        return []
    names = columns_of(rows)
    trial_files.write(lambda: [{name: row.get(name) for name in names} for row in rows], path)
    return [path.name]


def check_folder(folder: Path) -> None:
    """Raise InputError if a finding could not be saved in the folder. This is checked before anything is run."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    if folder.exists() and any(folder.iterdir()) and _own_files(folder) is None:
        raise InputError(f"{folder} holds other files: name an empty folder, or one that does not exist yet")


def claim_folder(folder: Path, names: Collection[str]) -> set[str]:
    """Create the folder if necessary, and return the names of Rootward's files that it already holds.

    Raises InputError if the folder, or a file in it with one of ``names``, was not written by Rootward.
    """
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    there, ours = {path.name for path in folder.iterdir()}, _own_files(folder) or set()
    if foreign := sorted(there.intersection(names) - ours):
        raise InputError(
            f"{folder / foreign[0]} already exists and was not written by Rootward: move it, or name another folder"
        )
    return ours & there


def _own_files(folder: Path) -> set[str] | None:
    """Return the names of the files that belong to the finding in a folder; None if there is no finding."""
    try:
        told: Mapping[str, Any] = json.loads(read_bytes(folder / DATA))
        if not (isinstance(told["finding"], str) and isinstance(told["explanation"], str)):
            return None
        named = {str(one["name"]) for one in told.get("artifacts", [])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    issue = {ISSUE} if told["finding"] == "diagnosis" else set[str]()
    return {PAGE, DATA, TRIALS, *issue, *(name for name in named if name and Path(name).name == name)}
