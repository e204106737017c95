"""A model in a file of whatever kind: YAML, UPPAAL or ODX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rootward.errors import InputError
from rootward.traces.model import Model
from rootward.traces.recordings.ecus import Ecus

ODX = (".odx", ".pdx", ".odx-d")


def open_model(file: Path, params: Mapping[str, object], variant: str | None = None) -> tuple[Model, Ecus]:
    """The model, with these parameters instead of its own, and the ECUs that it names."""
    ending = file.suffix.lower()
    if variant is not None and ending not in ODX:
        raise InputError(f"{file} has no variants: only models in ODX have")
    if ending == ".xml":
        from rootward.traces.imports import read_uppaal

        if params:
            raise InputError(f"{file} has no parameters: only models in YAML and ODX have")
        return read_uppaal(file), {}
    if ending in ODX:
        from rootward.traces.imports import odx_services
        from rootward.traces.writing.document import compile_model
        from rootward.traces.writing.nodes import plain

        return compile_model(plain(odx_services(file, variant), str(file)), params), {}
    if ending not in (".yaml", ".yml"):
        raise InputError(f"{file} is no model: expected .yaml or .yml, UPPAAL's .xml, or .odx or .pdx")
    from rootward.traces.writing import load_ecus, load_model

    return load_model(file, **params), load_ecus(file)
