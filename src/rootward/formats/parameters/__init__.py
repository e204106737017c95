"""From the elements that matter to the values inside of them.

``reduce`` says which elements of a failing input matter; here these get fields, so that the searches for values and
conditions can go on: HPSL (Figure 4) names them ``M0.InitialMode``. Elements of plain lists, messages, rows of a table,
values of a JSON document and models of an SDF world have fields. Lines, characters and tokens, YAML and XML, bags,
URDF and MJCF have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rootward.formats.documents import Document
from rootward.formats.json_tree import JsonTree
from rootward.formats.messages import Messages
from rootward.formats.parameters import items, json_values, lines, models
from rootward.formats.parameters.parameters import Content, Parameters
from rootward.formats.parts import Part
from rootward.formats.rows import Rows
from rootward.formats.scene import Model
from rootward.formats.scene_file import SceneFile

__all__ = ["Content", "Parameters", "parameters"]


def parameters(elements: Sequence[Any] | Document, kept: Sequence[int]) -> Parameters | None:
    """The values inside of the kept elements, given by their positions; None if nothing in them could vary."""
    if isinstance(elements, Messages):
        return lines.messages(elements, kept)
    if isinstance(elements, Rows):
        return lines.rows(elements, kept)
    if isinstance(elements, JsonTree):
        return json_values.read(elements, kept)
    if isinstance(elements, SceneFile):
        return models.read(elements, kept)
    if not isinstance(elements, Sequence) or any(isinstance(elements[i], Part | Model) for i in kept):
        return None
    return items.read(elements, kept)
