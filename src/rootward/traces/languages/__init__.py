"""Reading models: from YAML files, from Python, and from the formats of UPPAAL and ODX.

A YAML file (`nodes`) and a `Draft` become the same tree, which `document` compiles: names and constants first, then the
components, either written out (`components`) or generated from a declaration of UDS services (`uds`, `service`,
`messages`). `expressions` parses conditions and values. An ODX file is turned into such a declaration, too (`odx`). An
UPPAAL file already is a network of automata and has its own reader (`uppaal`, `uppaal_language`). One model needs no
file: what ISO 14229-1 requires of any ECU (`iso14229`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rootward.errors import InputError
from rootward.traces.languages.document import Draft, compile_model
from rootward.traces.languages.iso14229 import NAME as ISO14229
from rootward.traces.languages.iso14229 import iso14229
from rootward.traces.languages.messages import FUNCTIONS
from rootward.traces.languages.nodes import from_python, read_yaml
from rootward.traces.languages.odx import odx_services
from rootward.traces.languages.uds import ecus
from rootward.traces.languages.uppaal import read_uppaal
from rootward.traces.model.model import Model

if TYPE_CHECKING:
    from rootward.traces.recordings.talk import Ecus

__all__ = [
    "FUNCTIONS",
    "ISO14229",
    "MODEL_ENDINGS",
    "Draft",
    "load_ecus",
    "load_model",
    "odx_services",
    "open_model",
    "read_uppaal",
]

ODX = (".odx", ".pdx", ".odx-d")
YAML = (".yaml", ".yml")
MODEL_ENDINGS = (*YAML, ".xml", *ODX)
"""The endings of the names of model files."""


def load_model(path: str | Path, **params: object) -> Model:
    """Read a model from a YAML file: ``load_model("uds.yaml", S3="500ms")``.

    The name ``iso14229`` stands for the model of any ECU that follows ISO 14229-1. Raises InputError, with file and
    line, if the model is not valid.

    :param path: the file, or ``iso14229``
    :param params: values for parameters of the model, instead of those in the file
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"expected the path of a model file, not {path!r:.60}")
    if str(path) == ISO14229:
        return iso14229(**params)
    return compile_model(read_yaml(path), params)


def load_ecus(path: str | Path) -> dict[str, tuple[int, int]]:
    """Return the ECUs that a model file names, with the CAN identifiers of their requests and responses."""
    return ecus(read_yaml(path))


def open_model(file: Path, params: Mapping[str, object], variant: str | None = None) -> tuple[Model, Ecus]:
    """Read a model file of any format; return the model and the ECUs that it names.

    ``params`` replace parameters of the model; ``variant`` chooses one ECU variant of an ODX file.
    """
    if str(file) == ISO14229 and variant is None:
        return iso14229(**params), {}
    ending = file.suffix.lower()
    if variant is not None and ending not in ODX:
        raise InputError(f"{file}: only ODX models have variants; leave the variant out")
    if ending == ".xml":
        if params:
            raise InputError(f"{file}: UPPAAL models have no parameters; only YAML and ODX models do")
        return read_uppaal(file), {}
    if ending in ODX:
        return compile_model(from_python(odx_services(file, variant), str(file)), params), {}
    if ending not in YAML:
        raise InputError(
            f"{file}: unknown kind of model file; expected .yaml or .yml, .xml (UPPAAL), or .odx or .pdx (ODX)"
        )
    return load_model(file, **params), load_ecus(file)
