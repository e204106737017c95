"""Where a simulator would find what an SDF file refers to: beside the file, and in the folders of its variables."""

from __future__ import annotations

import os
from pathlib import Path

from rootward.errors import InputError
from rootward.formats import markup

VARIABLES = ("GAZEBO_MODEL_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH")


def folders(world: Path) -> list[Path]:
    """Where models are looked for."""
    home = world.absolute().parent
    beside = [home, home / "models", home.parent, home.parent / "models"]
    return beside + [Path(entry) for name in VARIABLES for entry in os.environ.get(name, "").split(os.pathsep) if entry]


def locate(uri: str, file: Path, places: list[Path]) -> Path | None:
    """The file or folder that ``uri``, which is written in ``file``, stands for, if it is there."""
    scheme, separator, rest = uri.strip().partition("://")
    if not separator:
        scheme, rest = "", scheme
    if scheme not in ("", "file", "model", "package") or not rest:
        return None
    bases = [file.absolute().parent, *places] if scheme in ("", "file") else places
    # os.path, because pathlib raises errors for names that no file can have.
    return next((Path(found) for base in bases if os.path.exists(found := os.path.join(base, rest))), None)


def model_file(place: Path) -> Path | None:
    """The SDF file of a model: the newest one that its ``model.config`` lists, else ``model.sdf``."""
    if not place.is_dir():
        return place
    listed: list[tuple[tuple[int, ...], str]] = []
    for name in ("model.config", "manifest.xml"):
        try:
            config = markup.read(place / name).root.first("model")
        except InputError:
            continue
        listed += [(_version(sdf.get("version")), sdf.words) for sdf in (config.all("sdf") if config else ())]
    names = [name for _, name in sorted(listed, reverse=True)]
    found = (os.path.join(place, name) for name in [*names, "model.sdf"])
    return next((Path(file) for file in found if os.path.isfile(file)), None)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() and len(part) < 9 else 0 for part in text.split("."))
