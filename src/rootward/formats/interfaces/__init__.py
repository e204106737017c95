"""Spaces from the interface descriptions that engineers already have.

Each reader turns one kind of description into a shape (`shapes`: records, lists, maps, fields), which is then unrolled
into fields. Nested names follow one syntax (`paths`), so that ``nest`` gives a configuration the form of the described
document, and ``flatten`` takes it away again. What a space cannot say is an InputError that names the place.

Lists of any length and maps with any keys get theirs from the argument ``lengths``, by the name of their place, where
``[*]`` stands for any index: ``lengths={"points": 3, "points[*].tags": 2, "limits": ["left", "right"]}``. Whatever may
be absent is present; None is a value to try where a scalar may be null, and then only listed values are members.
"""

from rootward.formats.documents.paths import flatten, nest
from rootward.formats.interfaces.classes import from_dataclass, from_pydantic
from rootward.formats.interfaces.json_schema import from_json_schema
from rootward.formats.interfaces.protobuf import from_protobuf
from rootward.formats.interfaces.ros import from_ros
from rootward.formats.interfaces.samples import from_csv, from_document
from rootward.formats.interfaces.shapes import messages

__all__ = [
    "flatten",
    "from_csv",
    "from_dataclass",
    "from_document",
    "from_json_schema",
    "from_protobuf",
    "from_pydantic",
    "from_ros",
    "messages",
    "nest",
]
