"""Environments for the cases: one folder for each distinct set of pinned packages.

Packages from PyPI are installed with ``pip --target``, those from npm (``npm:NAME@VERSION``) with ``npm --prefix``. A
folder that was finished has a stamp; an interrupted installation is repeated.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NPM = "npm:"
STAMP = "finished"
DEFAULT = Path(os.environ.get("ROOTWARD_REAL", "~/.cache/rootward-real")).expanduser()
"""The folder of all environments."""
MAX_NAME = 80  # characters of a folder's name; a longer list of pins is replaced by its hash
INTERPRETER = getattr(sys, "_base_executable", sys.executable)
"""The Python that cases run on: not that of a virtual environment, whose packages they would see."""


class NotInstalled(Exception):
    """An environment is missing."""


def name_of(pins: Sequence[str]) -> str:
    """Return the name of the folder for these pins, which depends on the Python that they are installed for."""
    words = "+".join(sorted(pins)).replace(NPM, "npm-").replace("==", "-").replace("/", "-")
    if len(words) > MAX_NAME:
        words = hashlib.sha256(words.encode()).hexdigest()[:16]
    return f"py{sys.version_info[0]}.{sys.version_info[1]}-{words}"


def find(pins: Sequence[str], root: Path | None = None) -> Path | None:
    """Return the folder of a finished environment; None if the case needs no package."""
    if not pins:
        return None
    folder = (root or DEFAULT) / name_of(pins)
    if not (folder / STAMP).is_file():
        raise NotInstalled(f"{', '.join(pins)} not installed in {folder}: run benchmarks/real/install.py")
    return folder


def install(pins: Sequence[str], root: Path | None = None) -> Path | None:
    """Install an environment unless it is finished, and return its folder."""
    try:
        return find(pins, root)
    except NotInstalled:
        folder = (root or DEFAULT) / name_of(pins)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    python = [pin for pin in pins if not pin.startswith(NPM)]
    node = [pin.removeprefix(NPM) for pin in pins if pin.startswith(NPM)]
    if python:
        pip = [INTERPRETER, "-m", "pip", "install", "--quiet", "--no-compile", "--no-warn-conflicts"]
        subprocess.run([*pip, "--target", str(folder), *python], check=True)
    if node:
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save"]
        subprocess.run([*npm, "--prefix", str(folder), *node], check=True)
    (folder / STAMP).write_text("\n".join(sorted(pins)) + "\n")
    return folder
