"""The files that runs leave on the disk, and their removal: the work of ``rootward runs clean``.

Two kinds of files are told apart. *Leftovers* of killed processes are of no use: the output of trials that never ended,
temporary folders, half-written files. They go at once. *Kept* files are there to be looked at: the output and the input
of stored trials, the steps of reductions, the files of dry runs. They go when they are old, and the oldest of them when
they take too much room. What a stored finding names stays, and so does everything that a living process may be using.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rootward.errors import StoreError
from rootward.formats.files import TEMPORARY_NAME
from rootward.formats.ownership import LOCK, PREFIX, is_held, is_kept
from rootward.lab.site import LOCK_ENDING, TRIALS
from rootward.store.rows import RunRecord
from rootward.store.store import Store
from rootward.subjects.process import kill_remains

_SESSION = re.compile(r"(\d+)-([0-9a-f]{8})")
_PLACE = re.compile(r"([0-9a-f]+)-(\d+)(?:\.txt|\.json)?")


@dataclass(frozen=True)
class Leftover:
    """Something that may be removed, as a whole."""

    path: Path
    bytes: int
    changed: float
    killed: bool
    """True if a killed process left it behind."""


@dataclass
class Removal:
    """The result of a cleaning: the bytes that were removed, and those that stay."""

    processes: int = 0
    """Number of processes that were ended."""

    killed: int = 0
    """Bytes of leftovers."""
    kept: int = 0
    """Bytes of files that may be removed later."""
    old: int = 0
    """Bytes of files that were too old, or too much."""
    items: list[Path] = field(default_factory=list)


def clean(
    folders: Iterable[Path], *, older: float, keep: int, is_alive: Callable[[RunRecord], bool], here: Path
) -> Removal:
    """Remove leftovers, kept files older than ``older`` seconds, and the oldest ones beyond ``keep`` bytes.

    Processes of trials whose lab and guardian were killed are leftovers, too.

    :param folders: the folders of stores
    :param is_alive: tells whether a run is going on, for sessions whose processes cannot be asked
    :param here: the folder in which reduced files and reports are written
    """
    removal, limit = Removal(processes=kill_remains()), time.time() - older
    found = [item for folder in dict.fromkeys(folders) for item in _find_in(folder, is_alive)]
    found += [*_find_temporary(), *_find_half_written(here)]
    kept = 0
    for item in sorted(found, key=lambda item: item.changed, reverse=True):
        room = kept + item.bytes <= keep
        if not item.killed and item.changed > limit and room:
            kept += item.bytes
        elif _remove(item.path):
            removal.items.append(item.path)
            removal.killed += item.bytes if item.killed else 0
            removal.old += 0 if item.killed else item.bytes
    removal.kept = kept
    for folder in folders:
        _remove_empty(folder)
    return removal


def _find_in(folder: Path, is_alive: Callable[[RunRecord], bool]) -> Iterator[Leftover]:
    """Yield what may be removed in the folder of a store."""
    sessions = [path for path in _list(folder / TRIALS) if path.is_dir() and _SESSION.fullmatch(path.name)]
    known = _Known(folder, is_alive)  # after the folders are listed: a run is stored before its folder is made
    for session in sessions:
        if (alive := _is_session_alive(session, known)) is True:
            continue
        for path in _list(session):
            place = _PLACE.fullmatch(path.name)
            if place and f"{session.name}/{place[1]}-{place[2]}" in known.named:
                continue
            stored = place and (place[1], int(place[2])) in known.trials
            yield _item(path, killed=alive is False and not stored)
    for lock in _list(folder / TRIALS):
        if lock.name.endswith(LOCK_ENDING) and is_held(lock) is False:
            yield _item(lock, killed=True)
    for steps in _list(folder / "steps"):
        if not is_held(steps / LOCK):
            yield _item(steps, killed=False)
    yield from (_item(path, killed=False) for path in _list(folder / "dry-run"))
    for written in (folder, *_list(folder / "steps")):
        yield from _find_half_written(written)


def _is_session_alive(session: Path, known: _Known) -> bool | None:
    """Return True if a session is going on, False if it was killed, and None if it has ended or is not known."""
    match = _SESSION.fullmatch(session.name)
    assert match is not None
    held = is_held(session.parent / f"{match[2]}{LOCK_ENDING}")
    return held if held is not None else int(match[1]) in known.alive or None


def _find_temporary() -> Iterator[Leftover]:
    """Yield temporary folders of this user whose process has ended."""
    for path in _list(Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            ours = path.name.startswith(PREFIX) and not path.is_symlink() and path.stat().st_uid == os.geteuid()
            if ours and is_held(path / LOCK) is False:
                yield _item(path, killed=not is_kept(path))


def _find_half_written(folder: Path) -> Iterator[Leftover]:
    """Yield files that a process had not yet finished writing when it was killed."""
    for path in _list(folder):
        if TEMPORARY_NAME.fullmatch(path.name) and path.is_file() and is_held(path) is False:
            yield _item(path, killed=True)


class _Known:
    """The knowledge of all stores in a folder, which keep the files of their trials in the same place."""

    def __init__(self, folder: Path, is_alive: Callable[[RunRecord], bool]) -> None:
        self.alive: set[int] = set()
        self.trials: set[tuple[str, int]] = set()
        """The names of all trials."""
        self.named: set[str] = set()
        """The places of trials that findings name: ``RUN-SESSION/KEY-ATTEMPT``."""
        for path in _list(folder):
            if path.is_file() and _is_store(path):
                with Store(path) as store:
                    self.alive |= {record.id for record in store.runs() if is_alive(record)}
                    self.trials |= store.trial_names()
                    for text in store.finding_texts():
                        self.named.update(re.findall(r"\d+-[0-9a-f]{8}/[0-9a-f]+-\d+", text))


def _is_store(path: Path) -> bool:
    with open(path, "rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            return False
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            found = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'rootward_meta'").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"nothing was removed, because {path} cannot be read: {error}") from error
    return bool(found[0])


def _list(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _item(path: Path, *, killed: bool) -> Leftover:
    size, changed = 0, 0.0
    for file in [path, *path.rglob("*")] if path.is_dir() and not path.is_symlink() else [path]:
        with contextlib.suppress(OSError):  # somebody else may be removing it
            found = file.lstat()
            size, changed = size + found.st_size, max(changed, found.st_mtime)
    return Leftover(path, size, changed, killed)


def _remove(path: Path) -> bool:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError:
        return False
    return True


def _remove_empty(folder: Path) -> None:
    for path in (*_list(folder / TRIALS), folder / TRIALS, folder / "steps", folder / "dry-run"):
        with contextlib.suppress(OSError):
            path.rmdir()
