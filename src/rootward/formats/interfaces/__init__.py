"""Build spaces from the interface descriptions that engineers already have.

Each reader turns one kind of description into a shape (`shapes`: records, lists, maps, fields), which is then unrolled
into fields. Field names are paths (`paths`), so that ``nest`` turns a configuration into a document of the described
form, and ``flatten`` does the reverse. A description that a space cannot express raises an InputError with the place.

The argument ``lengths`` gives the length of each list of variable length and the keys of each map, by path, where
``[*]`` stands for any index: ``lengths={"points": 3, "points[*].tags": 2, "limits": ["left", "right"]}``. Optional
members are always present. Where a scalar may be null, None is one of the values to try, and the field then accepts
only listed values.
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
