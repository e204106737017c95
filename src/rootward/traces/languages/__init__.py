"""How a model is written: as a YAML file, in Python, or in the formats of UPPAAL and ODX.

A YAML file (`nodes`) and a `Draft` become one tree, which `document` compiles: names and constants first, then the
components, written out (`components`) or made from a declaration of UDS services (`uds`, `service`, `messages`).
Conditions and values are read by `expressions`. What an ODX file says becomes such a declaration, too (`odx`); an
UPPAAL file is a network already and is read on its own (`uppaal`, `uppaal_language`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError
from rootward.traces.languages.document import Draft, compile_model
from rootward.traces.languages.messages import FUNCTIONS
from rootward.traces.languages.nodes import plain, read
from rootward.traces.languages.odx import odx_services
from rootward.traces.languages.uds import ecus
from rootward.traces.languages.uppaal import read_uppaal
from rootward.traces.model.model import Model

if TYPE_CHECKING:
    from rootward.traces.recordings.talk import Ecus

__all__ = ["FUNCTIONS", "Draft", "load_ecus", "load_model", "odx_services", "open_model", "read_uppaal"]

ODX = (".odx", ".pdx", ".odx-d")


def load_model(path: str | Path, **params: object) -> Model:
    """Read a model from a YAML file: ``load_model("uds.yaml", S3="500ms")``.

    InputError, with the line, for whatever does not fit.

    :param path: the file
    :param params: parameters of the model, in place of its own
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"expected the path of a model file, not {path!r:.60}")
    return compile_model(read(path), params)


def load_ecus(path: str | Path) -> dict[str, tuple[int, int]]:
    """The ECUs that a model file names, with the CAN identifiers of their requests and responses."""
    return ecus(read(path))


def open_model(file: Path, params: Mapping[str, object], variant: str | None = None) -> tuple[Model, Ecus]:
    """The model in a file of any kind, with these parameters instead of its own, and the ECUs that it names."""
    ending = file.suffix.lower()
    if variant is not None and ending not in ODX:
        raise InputError(f"{file} has no variants: only models in ODX have")
    if ending == ".xml":
        if params:
            raise InputError(f"{file} has no parameters: only models in YAML and ODX have")
        return read_uppaal(file), {}
    if ending in ODX:
        return compile_model(plain(odx_services(file, variant), str(file)), params), {}
    if ending not in (".yaml", ".yml"):
        raise InputError(f"{file} is no model: expected .yaml or .yml, UPPAAL's .xml, or .odx or .pdx")
    return load_model(file, **params), load_ecus(file)
