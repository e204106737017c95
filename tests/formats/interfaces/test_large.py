"""Large interfaces: 10,000 fields in well under a second, because equal declarations share one field.

The limit is far above what is measured (0.03 to 0.5 s), for a machine may be busy: it catches a cost per field that
grows with the dictionaries or with the number of fields.
"""

import dataclasses
import subprocess
import sys
import time
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from pydantic import Field, create_model

import rootward.formats.interfaces as interfaces

pytestmark = pytest.mark.rest
MANY, LIMIT = 10_000, 15.0
KINDS = [int, float, str, bool, int | None]


def built(make):
    start = time.process_time()
    space = make()
    assert time.process_time() - start < LIMIT
    assert len(space) == MANY
    return space


def record(members):
    # Without methods, for it takes Python seconds to write an __init__ of 10,000 arguments.
    return dataclasses.make_dataclass("Record", members, init=False, repr=False, eq=False)


def inner(count):
    return record([(f"f{n}", KINDS[n % len(KINDS)]) for n in range(count)])


def test_dataclasses():
    large = inner(MANY)
    space = built(lambda: interfaces.from_dataclass(large))
    assert len({id(field) for _, field in space.items()}) == len(KINDS)
    nested = record([("rows", list[inner(100)])])  # type: ignore[misc]
    built(lambda: interfaces.from_dataclass(nested, lengths={"rows": MANY // 100}))


def test_different_defaults():
    cls = record([(f"f{n}", int, dataclasses.field(default=7 * n)) for n in range(MANY)])
    built(lambda: interfaces.from_dataclass(cls))


def test_pydantic():
    few: dict[str, Any] = {f"f{n}": (KINDS[n % 4], Field(ge=0) if n % 4 < 2 else ...) for n in range(100)}
    small = create_model("Small", **few)
    many: dict[str, Any] = {f"g{n}": (small, ...) for n in range(MANY // 100)}
    model = create_model("Large", **many)
    built(lambda: interfaces.from_pydantic(model))


def test_json_schema():
    kinds = [{"type": "integer", "minimum": 0}, {"type": "number"}, {"type": ["string", "null"]}, {"enum": ["a", "b"]}]
    schema = {"properties": {f"f{n}": kinds[n % 4] for n in range(MANY)}}
    space = built(lambda: interfaces.from_json_schema(schema))
    assert len({id(field) for _, field in space.items()}) == len(kinds)


def test_protobuf():
    file = descriptor_pb2.FileDescriptorProto(name="large.proto", syntax="proto3")
    small, large = file.message_type.add(name="Small"), file.message_type.add(name="Large")
    for n in range(100):
        small.field.add(name=f"f{n}", number=n + 1, type=[1, 3, 8, 9][n % 4], label=1)
    for n in range(MANY // 100):
        large.field.add(name=f"g{n}", number=n + 1, type=11, type_name=".Small", label=1)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    built(lambda: interfaces.from_protobuf(pool.FindMessageTypeByName("Large")))


def test_ros():
    # One definition of so many lines would measure the parser of rosbags (75 us a line).
    definition = f"geometry_msgs/Point[] points\nint8[{MANY - 3000}] more"
    built(lambda: interfaces.from_ros(definition, "p/msg/M", lengths={"points": 1000}))


def test_csv(tmp_path):
    path = tmp_path / "large.csv"
    row = ",".join(str([7 * n, 0.7 * n, f"x{n}", "true"][n % 4]) for n in range(MANY))
    path.write_text("\n".join([",".join(f"c{n}" for n in range(MANY)), row, row]))
    built(lambda: interfaces.from_csv(path))


def test_documents():
    document = [{"i": 7 * n, "f": 0.7 * n, "t": f"x{n}", "b": True} for n in range(MANY // 4)]
    space = built(lambda: interfaces.from_document(document))
    flat = built(lambda: interfaces.flatten(document))
    assert space.check(flat) == flat
    start = time.process_time()
    assert interfaces.nest(flat) == document
    assert time.process_time() - start < LIMIT


def test_messages():
    message = interfaces.from_dataclass(inner(100))
    built(lambda: interfaces.messages([message] * (MANY // 100)))


def test_the_package_imports_nothing_heavy():
    code = "import sys, rootward.formats.interfaces; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "rootward.formats.interfaces" in loaded
    assert not {"pydantic", "google.protobuf", "rosbags", "numpy"} & set(loaded)


def test_the_public_names():
    assert interfaces.__all__ == sorted(interfaces.__all__)
    assert all(callable(getattr(interfaces, name)) for name in interfaces.__all__)
