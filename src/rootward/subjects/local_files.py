"""The local files that a command uses: the programs and data files that it names, and what these import and open.

Stored trials answer for a command only as long as the command would still do the same. Its text does not show that: a
mended ``lib.py``, imported by the ``check.py`` that the command names, makes another system of it. So the contents of
all these files are part of the identity of a command.

The files are found without running anything. Starting from the words of the command, `find_local_files` follows

* the ``import`` statements of Python files, to modules in the folder of the script, in the working folder, in its
  folder ``src``, and in ``PYTHONPATH``;
* calls such as ``open("limits.json")`` in Python files, if the name is a literal and the file is not written;
* the names of further scripts in shell scripts.

Everything else is invisible here: names that are computed at run time, modules installed elsewhere, the files of
programs in other languages. The user lists such files (``files``). In doubt a file counts: an unnecessary run is
cheaper than a stale answer. A file that the command writes would change the identity with every run, so a word that
looks like the name of an output does not count.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rootward.formats.files import open_file

MAX_FILES = 1000
"""Maximum number of files that are followed, so that a command starts quickly."""
MAX_HASHED_BYTES = 1 << 26
"""A larger file is identified by its size and the time of its last change instead of its content."""
SCRIPT_ENDINGS = {".bash", ".jar", ".jl", ".js", ".lua", ".mjs", ".php", ".pl", ".py", ".r", ".rb", ".sh", ".ts"}
OUTPUT_ENDINGS = {".log", ".out", ".tmp"}
OUTPUT_OPTION = re.compile(r"-o|--?(out|log|report|save|write|dump)[\w-]*|\d?>>?")
"""Words that are followed by the name of an output."""
READING = re.compile(r"(open|read|load)(_|$)|(from|parse)_?(file|csv|json|toml|yaml)$")
"""Names of functions that read the file named by their argument."""
_WRITING_MODE = re.compile(r"[rtb]*[wax+][rwaxtb+]*")
_SHELL_WORD = re.compile(r"[\w./+-]+")
_PYTHON = re.compile(r"(.*/)?python[\d.]*")


@dataclass(frozen=True)
class CommandFolders:
    """The folders in which the files of a command are looked for."""

    folder: Path
    """The working folder of the command."""
    python_path: tuple[Path, ...] = ()
    """The folders of ``PYTHONPATH``."""

    @classmethod
    def of(cls, folder: Path, environment: Mapping[str, str]) -> CommandFolders:
        entries = environment.get("PYTHONPATH", "").split(os.pathsep)
        return cls(folder, tuple(folder / entry for entry in entries if entry))

    def folders_of_modules(self, file: Path) -> list[Path]:
        """Return the folders in which a Python file may find the modules that it imports."""
        return [file.parent, self.folder, self.folder / "src", *self.python_path]


def find_local_files(words: Sequence[str], where: CommandFolders, further: Iterable[str] = ()) -> list[Path]:
    """Return the files that a command uses, as far as they can be seen. ``further``: names or patterns of others."""
    waiting = list(_named_files(words, where))
    found: dict[Path, None] = {}
    while waiting and len(found) < MAX_FILES:
        file = waiting.pop(0)
        if file not in found:
            found[file] = None
            waiting += _used_by(file, where)
    for pattern in further:
        found |= dict.fromkeys(sorted(_matching(where.folder, pattern)))
    return list(found)


def digest_of(file: Path) -> str:
    """Return a digest of a file's content, empty if the file cannot be read."""
    try:
        if (known := file.stat()).st_size > MAX_HASHED_BYTES:
            return f"{known.st_size} bytes of {known.st_mtime_ns}"
        with open_file(file) as opened:
            return hashlib.file_digest(opened, "blake2b").hexdigest()
    except (OSError, ValueError):
        return ""


def _matching(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield the files that a name or a pattern such as ``data/*.csv`` stands for; of a folder, all files."""
    whole = Path(pattern)
    base, relative = (Path(whole.anchor), whole.relative_to(whole.anchor)) if whole.is_absolute() else (folder, whole)
    for path in base.glob(str(relative)) if relative.parts else [base]:
        yield from (inner for inner in path.rglob("*") if inner.is_file()) if path.is_dir() else [path]


def _named_files(words: Sequence[str], where: CommandFolders) -> Iterator[Path]:
    """Yield the files that the words of a command name."""
    for before, word in dict.fromkeys(zip(["", *words], words, strict=False)):  # each program is looked for once
        if before == "-m" and re.fullmatch(r"[\w.]+", word):
            yield from _module_files(word, [where.folder, where.folder / "src", *where.python_path])
        elif before == "-c" and any(map(_PYTHON.fullmatch, words)):
            yield from _used_by_code(word, where.folder / "-c", where)
        elif program := shutil.which(word) if "/" not in word else None:
            yield Path(program)
        elif not (OUTPUT_OPTION.fullmatch(before) or Path(word).suffix in OUTPUT_ENDINGS):
            yield from _existing(where.folder, word)


def _existing(folder: Path, name: str) -> Iterator[Path]:
    try:
        if name and (path := folder / name).is_file():
            yield path
    except (OSError, ValueError):  # a name that is too long, or contains a NUL character
        return


def _used_by(file: Path, where: CommandFolders) -> Iterator[Path]:
    """Yield the files that a script uses directly."""
    start = _first_line(file)
    if file.suffix in (".py", ".pyw") or (start.startswith(b"#!") and b"python" in start):
        yield from _used_by_code(_text(file), file, where)
    elif file.suffix in (".sh", ".bash") or re.match(rb"#!.*\b(ba|da|z|k)?sh\b", start):
        for word in dict.fromkeys(_SHELL_WORD.findall(_text(file))):
            if Path(word).suffix in SCRIPT_ENDINGS:
                yield from _existing(where.folder, word)
                yield from _existing(file.parent, word)


def _used_by_code(code: str, file: Path, where: CommandFolders) -> Iterator[Path]:
    """Yield the local modules that Python code imports, and the files that it opens by a literal name."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the code belongs to the user, who sees its warnings when it is run
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return
    folders = where.folders_of_modules(file)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_files(alias.name, folders)
        elif isinstance(node, ast.ImportFrom):
            yield from _imported_from(node, file, folders)
        elif isinstance(node, ast.Call):
            for module in _names_imported(node):
                yield from _module_files(module, folders)
            for name in _names_read(node):
                yield from _existing(where.folder, name)
                yield from _existing(file.parent, name)


def _names_imported(call: ast.Call) -> list[str]:
    """Return the module that ``import_module("lib")`` or ``__import__("lib")`` imports by a literal name, if any."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    literals = [one.value for one in call.args[:1] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return literals if name in ("import_module", "__import__") else []


def _imported_from(node: ast.ImportFrom, file: Path, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of ``from MODULE import NAMES``. A name may be a module itself."""
    if node.level:
        package = file.parent
        for _ in range(node.level - 1):
            package = package.parent
        folders = [package]
    module = node.module or ""
    yield from _module_files(module, folders)
    for alias in node.names:
        yield from _module_files(f"{module}.{alias.name}" if module else alias.name, folders)


def _module_files(module: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of a module: its own, and those of the packages that contain it."""
    parts = [part for part in module.split(".") if part]
    for folder in folders:
        for length in range(1, len(parts) + 1):
            base = folder.joinpath(*parts[:length])
            yield from (path for path in (base / "__init__.py", base.with_name(base.name + ".py")) if path.is_file())
        if parts:
            main = folder.joinpath(*parts, "__main__.py")
            yield from [main] if main.is_file() else []


def _names_read(call: ast.Call) -> list[str]:
    """Return the literal names of files that a call reads: ``open("a.csv")``, ``Path("a.csv").read_text()``."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if not READING.match(name):
        return []
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if any(_WRITING_MODE.fullmatch(text) for text in texts):
        return []
    inner = ast.walk(function.value) if isinstance(function, ast.Attribute) else ()
    return texts + [one.value for one in inner if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _first_line(file: Path) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.readline(200)
    except OSError:
        return b""


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
