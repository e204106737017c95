"""Turn the values inside the elements that matter into fields.

``reduce`` finds which elements of a failing input matter. Here their contents become fields, named as in HPSL (Figure
4: ``M0.InitialMode``), so that the searches for values and conditions can continue. Elements of plain lists, messages,
rows of a table, values of a JSON document and models of an SDF world have fields. Lines, characters and tokens, YAML
and XML, bags, URDF and MJCF have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rootward.formats.documents.csv_rows import Rows
from rootward.formats.documents.json_tree import JsonTree
from rootward.formats.documents.messages import Messages
from rootward.formats.documents.parts import Part
from rootward.formats.documents.registry import Document
from rootward.formats.parameters import items, models, texts
from rootward.formats.parameters.parameters import Content, Parameters
from rootward.formats.scenes.scene import SceneModel
from rootward.formats.scenes.scene_file import SceneFile

__all__ = ["Content", "Parameters", "parameters"]


def parameters(elements: Sequence[Any] | Document, kept: Sequence[int]) -> Parameters | None:
    """Return the values inside the kept elements. Returns None if none of them can vary.

    ``kept`` holds the positions of the kept elements.
    """
    if isinstance(elements, Messages):
        return texts.of_messages(elements, kept)
    if isinstance(elements, Rows):
        return texts.of_rows(elements, kept)
    if isinstance(elements, JsonTree):
        return texts.of_json(elements, kept)
    if isinstance(elements, SceneFile):
        return models.read(elements, kept)
    if not isinstance(elements, Sequence) or any(isinstance(elements[i], Part | SceneModel) for i in kept):
        return None
    return items.read(elements, kept)
