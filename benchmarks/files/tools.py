"""The reducers: their commands with default options and one job, and their versions.

The programs of peers are searched in the path, then in the virtual environments below the folder that the environment
variable ``ROOTWARD_REDUCERS`` names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from files.corpus import Case

C_FAMILY = ("C", "C++")
"""Kinds for which C-Vise and C-Reduce run their passes for C."""
REDUCERS = Path(os.environ.get("ROOTWARD_REDUCERS", "~/.cache/rootward-reducers")).expanduser()
GRAMMARS = Path(os.environ.get("ROOTWARD_GRAMMARS", REDUCERS / "grammars"))
"""ANTLR grammars for picireny, in the layout of antlr/grammars-v4."""
ANTLR = os.environ.get("ROOTWARD_ANTLR", "")
"""The jar of ANTLR for picireny, which otherwise downloads it."""


@dataclass(frozen=True)
class Run:
    """A reduction in its own folder, which holds a copy of the input and the two scripts."""

    case: Case
    folder: Path
    file: str
    """Name of the copy of the input."""
    fails: Path
    """Exit code 0: the property does not hold. Takes the path of a candidate."""
    interesting: Path
    """Exit code 0: the property holds. Without a path, the candidate has the input's name in the current folder."""
    seconds: float
    """Timeout of an execution."""


@dataclass(frozen=True)
class Tool:
    command: Callable[[Run], list[str] | None]
    """Return None if the tool cannot reduce this input."""
    program: str = ""
    """The peer's program; empty for our own methods."""
    version_option: str = "--version"

    @property
    def is_ours(self) -> bool:
        return not self.program

    @property
    def path(self) -> str | None:
        return sys.executable if self.is_ours else find_program(self.program)


@cache
def find_program(name: str) -> str | None:
    """Return the path of a program, first of one that was installed for this purpose."""
    folders = [str(path) for path in sorted(REDUCERS.glob("*/bin"))]
    return shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)


@cache
def version_of(name: str) -> str | None:
    """Return the version of a peer's program, or None if it is not installed."""
    tool = TOOLS[name]
    if (path := tool.path) is None:
        return None
    done = subprocess.run([path, tool.version_option], capture_output=True, text=True)
    found = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else "unknown"


def _ours(*options: str) -> Callable[[Run], list[str]]:
    def command(run: Run) -> list[str]:
        return [sys.executable, "-m", "rootward", "reduce", run.file, *options, "--", str(run.fails), "{file}"]

    return command


def _shrinkray(run: Run) -> list[str]:
    """Without its language model, which it would download."""
    options = ["--parallelism", "1", "--ui", "basic", "--no-llm", "--timeout", str(run.seconds)]
    return ["shrinkray", *options, str(run.interesting), run.file]


def _c_reducer(program: str) -> Callable[[Run], list[str] | None]:
    """C-Vise and C-Reduce have the same options. They reduce several files, but none in a folder.

    Outside of C, C-Vise has the passes of C-Reduce, so only one of them is measured.
    """

    def command(run: Run) -> list[str] | None:
        if run.case.input.is_dir() or (program == "creduce" and run.case.kind not in C_FAMILY):
            return None
        options = [] if run.case.kind in C_FAMILY else ["--not-c"]
        return [program, "--n", "1", "--timeout", str(round(run.seconds)), *options, str(run.interesting), run.file]

    return command


def _picire(run: Run) -> list[str] | None:
    if run.case.input.is_dir():
        return None
    return ["picire", "--quiet", "--input", run.file, "--test", str(run.interesting), "--out", "picire"]


STARTS: Mapping[str, tuple[list[str], str]] = {
    "CSS": (["css3/css3Lexer.g4", "css3/css3Parser.g4"], "stylesheet"),
    "CSV": (["csv/CSV.g4"], "csvFile"),
    "GeoJSON": (["json/JSON.g4"], "json"),
    "HTML": (["html/HTMLLexer.g4", "html/HTMLParser.g4"], "htmlDocument"),
    "JSON": (["json/JSON.g4"], "json"),
    "MJCF": (["xml/XMLLexer.g4", "xml/XMLParser.g4"], "document"),
    "SDF": (["xml/XMLLexer.g4", "xml/XMLParser.g4"], "document"),
    "SVG": (["xml/XMLLexer.g4", "xml/XMLParser.g4"], "document"),
    "XML": (["xml/XMLLexer.g4", "xml/XMLParser.g4"], "document"),
    "notebook": (["json/JSON.g4"], "json"),
}
"""Grammars and start rules for picireny, by kind; those of C and C++ need code besides the grammar."""


def _picireny(run: Run) -> list[str] | None:
    grammars, start = STARTS.get(run.case.kind, ([], ""))
    paths = [str(GRAMMARS / name) for name in grammars]
    if not paths or run.case.input.is_dir() or not all(map(os.path.isfile, paths)):
        return None
    options = ["--grammar", *paths, "--start", start, *(["--antlr", ANTLR] if ANTLR else [])]
    files = ["--input", run.file, "--test", str(run.interesting), "--out", "picireny"]
    return ["picireny", "--quiet", *options, *files]


TOOLS: Mapping[str, Tool] = {
    "ours": Tool(_ours()),
    "ddmin": Tool(_ours("--by", "lines", "--method", "ddmin")),
    "probdd": Tool(_ours("--by", "lines", "--method", "probdd")),
    "shrinkray": Tool(_shrinkray, "shrinkray"),
    "cvise": Tool(_c_reducer("cvise"), "cvise"),
    "creduce": Tool(_c_reducer("creduce"), "creduce", "--help"),
    "picire": Tool(_picire, "picire"),
    "picireny": Tool(_picireny, "picireny"),
}
