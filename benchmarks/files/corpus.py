"""The corpus: one folder per case, below ``design`` or ``held_out``. README.md describes the format."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from real import environments

HERE = Path(__file__).parent
DESIGN, HELD_OUT = "design", "held_out"
HALVES = (DESIGN, HELD_OUT)


@dataclass(frozen=True)
class Case:
    """A failing file and its property."""

    folder: Path
    kind: str
    property: str
    source: str
    licence: str
    packages: tuple[str, ...] = ()
    """Pins that the property imports or runs: ``name==version`` of PyPI, ``npm:name@version``."""
    programs: tuple[str, ...] = ()
    """Programs that the property runs, of Debian packages."""
    timeout: float = 20.0
    """Seconds after which an execution cannot be judged."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def half(self) -> str:
        return self.folder.parent.name

    @property
    def judge(self) -> Path:
        return self.folder / "property.py"

    @cached_property
    def input(self) -> Path:
        [path] = (self.folder / "input").iterdir()
        return path

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in files_of(self.input))

    @cached_property
    def fingerprint(self) -> str:
        """Digest of the input, of the property and of the packages that it needs."""
        digest = hashlib.sha256("\0".join(self.packages).encode())
        for path in [self.judge, *files_of(self.input)]:
            digest.update(b"\0" + path.relative_to(self.folder).as_posix().encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()[:16]

    @property
    def missing(self) -> str:
        """Return what is not installed, or an empty text."""
        programs = [name for name in self.programs if shutil.which(name) is None]
        try:
            self.environment  # noqa: B018
        except environments.NotInstalled as error:
            return str(error).replace("benchmarks/real/", "benchmarks/files/")
        return f"not installed: {', '.join(programs)}" if programs else ""

    @property
    def environment(self) -> Path | None:
        return environments.find(sorted(self.packages))


def files_of(path: Path) -> list[Path]:
    """Return the file itself, or all files of a folder."""
    return sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


def cases(names: Iterable[str] = (), halves: Sequence[str] = HALVES) -> list[Case]:
    """Return the cases of these halves in alphabetical order, or only those with one of these names."""
    wanted = set(names)
    found = [_load(path.parent) for half in halves for path in sorted((HERE / half).glob("*/case.toml"))]
    if unknown := wanted - {case.name for case in found}:
        raise SystemExit(f"unknown case: {', '.join(sorted(unknown))}")
    return [case for case in found if not wanted or case.name in wanted]


def _load(folder: Path) -> Case:
    content = tomllib.loads((folder / "case.toml").read_text())
    lists = {key: tuple(content.pop(key, ())) for key in ("packages", "programs")}
    return Case(folder, **content, **lists)
