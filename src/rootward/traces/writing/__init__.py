"""How a model is written: a YAML file, or the same in Python. Both become one tree, and one compiler reads it."""

from __future__ import annotations

import os
from pathlib import Path

from rootward.errors import InputError
from rootward.traces.model import Model
from rootward.traces.writing.document import compile_model
from rootward.traces.writing.draft import Draft
from rootward.traces.writing.ecus import ecus
from rootward.traces.writing.functions import FUNCTIONS
from rootward.traces.writing.nodes import read

__all__ = ["FUNCTIONS", "Draft", "load_ecus", "load_model"]


def load_model(path: str | Path, **params: object) -> Model:
    """The model in a YAML file, with these parameters instead of its own: ``load_model("uds.yaml", S3="500ms")``.

    InputError, with the line, for whatever does not fit.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"expected the path of a model file, not {path!r:.60}")
    return compile_model(read(path), params)


def load_ecus(path: str | Path) -> dict[str, tuple[int, int]]:
    """The ECUs that a model file names, with the CAN identifiers of their requests and responses."""
    return ecus(read(path))
