"""The reduced file of ``rootward reduce``: the smallest version known to fail, and all earlier ones."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from rootward.cli.options import DEFAULT_STORE
from rootward.errors import InputError
from rootward.formats.documents.syntax import lacks_parser
from rootward.formats.files import check_target, replace_file
from rootward.formats.ownership import LOCK, hold
from rootward.formats.steps import Steps
from rootward.space.candidate import Version
from rootward.space.keys import key


class ReducedFile:
    """Writes the smallest failing file so far, and keeps earlier ones, except of folders, in a folder of steps."""

    def __init__(self, elements: Any, reduced: Path | None, subject: str) -> None:
        self.cleanup = contextlib.ExitStack()
        self._document = elements
        self._written: Any = None
        self.path: Path | None = None
        if hasattr(elements, "path"):
            self.path = _check_target(reduced or elements.reduced_path, elements.path)
            if self.path.exists() and os.path.samefile(self.path, elements.path):
                raise InputError(f"{self.path} is the input, which is never changed: name another file with --reduced")
            run = key([str(elements.path.absolute()), str(self.path.absolute()), subject])[:8]
            self.steps = Steps(Path(DEFAULT_STORE).parent / "steps" / f"{elements.path.name}-{run}")
        elif reduced is not None:
            raise InputError("--reduced is for files only, but this study lists its elements")

    def __call__(self, best: Any) -> None:
        """Write the finding ``best`` to the file, if it is new.

        The whole input is written only at the end of the search, because before that it may not have been run yet.
        """
        version = best.content if hasattr(best, "content") else best.selection
        is_whole = version == best.original if hasattr(best, "content") else len(version) == len(version.elements)
        if self.path is None or version == self._written or (is_whole and not best.complete):
            return
        folder = self.steps.folder
        if self._written is None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            self.cleanup.enter_context(hold(folder / LOCK))
        name = f"{len(version):05}-left{self.path.suffix}"
        if isinstance(version, Version):
            self._write_version(version, name)
        else:
            self._write_bytes(self._document.render(version.items), name)
        self._written = version

    def _write_version(self, version: Version, name: str) -> None:
        """Write a version of a file, folder or archive."""
        assert self.path is not None
        file = getattr(self._document, "file", self._document)
        if file.bundle is None:
            self._write_bytes(version.data, name)
            return
        with tempfile.TemporaryDirectory(dir=self.steps.folder) as folder:
            made = Path(folder) / self.path.name
            file.write(version.convert(version.data), made)
            if made.is_dir():
                _replace_folder(made, self.path)
            else:
                self._write_bytes(made.read_bytes(), name)

    def _write_bytes(self, content: bytes, name: str) -> None:
        assert self.path is not None
        self.steps.write(name, content)
        with replace_file(self.path) as file:
            file.write(content)

    def describe(self, finding: Any) -> str:
        """Return a line that says where the files are. It is empty if no file was written."""
        if self._written is None:
            return ""
        if self.path is not None and self.path.is_dir():
            return f"The reduced folder is {self.path}."
        hint = ""
        file = getattr(self._document, "file", None)
        if file is not None and file.damage:
            hint = f"\n{file.damage}. So it was reduced like any other data."
        elif file is not None and file.bundle is None and lacks_parser(language := file.language):
            hint = f'\nTo reduce {language} with fewer runs, install its parser: pip install "rootward[code]".'
        return f"The reduced file is {self.path}. Intermediate files are in {self.steps.folder.parent}.{hint}"


def _check_target(target: Path, source: Path) -> Path:
    """Return the path if the result can be written there: a folder if the source is one, otherwise a file."""
    if not source.is_dir() or target.suffix == ".mcap":  # a ROS 2 bag is a folder, and is written as one file
        return check_target(target)
    if target.exists() and not _mark_of(target).exists():
        raise InputError(
            f"{target} exists, and nothing here shows that rootward wrote it: remove it, or name another one with "
            "--reduced"
        )
    if source.resolve() in target.resolve().parents:
        raise InputError(f"{target} is inside of {source}: name a folder outside of it with --reduced")
    return target


def _mark_of(target: Path) -> Path:
    """Return the file that marks a folder as written by ``rootward reduce``, so that it may be replaced."""
    return Path(DEFAULT_STORE).parent / "reduced" / key(str(target.absolute()))


def _replace_folder(made: Path, target: Path) -> None:
    """Put a folder in the place of another one, which is removed afterwards."""
    mark = _mark_of(target)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text(f"{target.absolute()}\n")
    old = made.with_name(f"{made.name}.old")
    if target.exists():
        shutil.move(target, old)
    shutil.move(made, target)
    shutil.rmtree(old, ignore_errors=True)
