"""Protocol buffers: every type has its width, and a configuration builds a message."""

import sys
from collections.abc import Sequence

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory, struct_pb2, timestamp_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

import rootward as rw
from rootward.errors import InputError, MissingExtra
from rootward.formats.interfaces import from_protobuf, nest

SCALARS = {
    "double": rw.Float(),
    "float": rw.Float(bits=32),
    "int32": rw.Int(),
    "int64": rw.Int(bits=64),
    "uint32": rw.Int(signed=False),
    "uint64": rw.Int(bits=64, signed=False),
    "sint32": rw.Int(),
    "sint64": rw.Int(bits=64),
    "fixed32": rw.Int(signed=False),
    "fixed64": rw.Int(bits=64, signed=False),
    "sfixed32": rw.Int(),
    "sfixed64": rw.Int(bits=64),
    "bool": rw.Bool(),
    "string": rw.Text([text for text in rw.Text().values if "\udcff" not in text]),
    "bytes": rw.Choice([text.encode("utf-8", "surrogateescape") for text in rw.Text().values]),
}


def add(message, name, kind, label=Proto.LABEL_OPTIONAL, **options):
    return message.field.add(name=name, number=len(message.field) + 1, type=kind, label=label, **options)


def file(syntax):
    made = descriptor_pb2.FileDescriptorProto(name=f"{syntax}.proto", syntax=syntax, package="t")
    gear = made.enum_type.add(name="Gear")
    gear.options.allow_alias = True
    for name, number in [("P", 0), ("R", 1), ("REVERSE", 1), ("D", 7)]:
        gear.value.add(name=name, number=number)
    inner = made.message_type.add(name="Inner")
    add(inner, "n", Proto.TYPE_INT32)
    return made


@pytest.fixture(scope="module")
def types():
    pool = descriptor_pool.DescriptorPool()
    made = file("proto3")
    scalars = made.message_type.add(name="Scalars")
    for name in SCALARS:
        add(scalars, f"a_{name}", getattr(Proto, f"TYPE_{name.upper()}"))
    outer = made.message_type.add(name="Outer")
    add(outer, "gear", Proto.TYPE_ENUM, type_name=".t.Gear")
    add(outer, "inner", Proto.TYPE_MESSAGE, type_name=".t.Inner")
    add(outer, "numbers", Proto.TYPE_INT32, Proto.LABEL_REPEATED)
    add(outer, "inners", Proto.TYPE_MESSAGE, Proto.LABEL_REPEATED, type_name=".t.Inner")
    for name, key in [("by_name", Proto.TYPE_STRING), ("by_flag", Proto.TYPE_BOOL)]:
        entry = outer.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        entry.options.map_entry = True
        add(entry, "key", key)
        add(entry, "value", Proto.TYPE_MESSAGE, type_name=".t.Inner")
        add(outer, name, Proto.TYPE_MESSAGE, Proto.LABEL_REPEATED, type_name=f".t.Outer.{entry.name}")
    choice = made.message_type.add(name="Choice")
    choice.oneof_decl.add(name="payload")
    choice.oneof_decl.add(name="_maybe")
    add(choice, "before", Proto.TYPE_BOOL)
    add(choice, "flag", Proto.TYPE_BOOL, oneof_index=0)
    add(choice, "inner", Proto.TYPE_MESSAGE, type_name=".t.Inner", oneof_index=0)
    add(choice, "maybe", Proto.TYPE_BOOL, oneof_index=1, proto3_optional=True)
    tree = made.message_type.add(name="Tree")
    add(tree, "below", Proto.TYPE_MESSAGE, Proto.LABEL_REPEATED, type_name=".t.Tree")
    made.message_type.add(name="Empty")
    pool.Add(made)
    return lambda name: pool.FindMessageTypeByName(f"t.{name}")


LENGTHS: dict[str, int | Sequence[str]] = {"numbers": 2, "inners": 1, "by_name": ["k"], "by_flag": 2}


def test_every_scalar_type(types):
    space = from_protobuf(types("Scalars"))
    assert dict(space.items()) == {f"a_{name}": field for name, field in SCALARS.items()}


def test_a_message_holds_whatever_is_tried(types):
    message = message_factory.GetMessageClass(types("Scalars"))
    space = from_protobuf(message)
    assert space == from_protobuf(types("Scalars"))
    for name in space:
        for value in space.values(name):
            message(**nest({name: value})).SerializeToString()


def test_nested_names(types):
    space = from_protobuf(types("Outer"), lengths=LENGTHS)
    expected = ["gear", "inner.n", "numbers[0]", "numbers[1]", "inners[0].n", "by_name.k.n"]
    assert list(space.names) == [*expected, "by_flag.false.n", "by_flag.true.n"]


def test_constructors_and_json_take_the_same_configuration(types):
    message = message_factory.GetMessageClass(types("Outer"))
    space = from_protobuf(message, lengths=LENGTHS | {"by_flag": 0})
    nested = nest({name: space.values(name)[-1] for name in space})
    assert json_format.ParseDict(nested, message()) == message(**nested)


def test_enumerations_are_names(types):
    assert from_protobuf(types("Outer"), lengths=LENGTHS)["gear"] == rw.Choice(["P", "R", "D"])


def test_a_oneof_is_a_field_that_says_which(types):
    space = from_protobuf(types("Choice"))
    assert space.names == ("before", "payload", "flag", "inner.n", "maybe")
    assert space["payload"] == rw.Choice(["flag", "inner"])


def test_defaults_of_proto2_are_tried():
    made = file("proto2")
    message = made.message_type.add(name="Old")
    add(message, "n", Proto.TYPE_INT32, default_value="77")
    add(message, "must", Proto.TYPE_STRING, Proto.LABEL_REQUIRED, default_value="own")
    add(message, "raw", Proto.TYPE_BYTES, default_value="own")
    add(message, "gear", Proto.TYPE_ENUM, type_name=".t.Gear", default_value="D")
    add(message, "plain", Proto.TYPE_INT32)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(made)
    space = from_protobuf(pool.FindMessageTypeByName("t.Old"))
    assert 77 in space.values("n")
    assert "own" in space.values("must")
    assert b"own" in space.values("raw")
    assert space["plain"] == rw.Int()


def test_well_known_types():
    space = from_protobuf(timestamp_pb2.Timestamp)
    assert dict(space.items()) == {"seconds": rw.Int(bits=64), "nanos": rw.Int()}
    assert dict(from_protobuf(timestamp_pb2.Timestamp.DESCRIPTOR).items()) == dict(space.items())
    with pytest.raises(InputError, match=r"fields\[\*\]\.struct_value: the message google\.protobuf\.Struct contains"):
        from_protobuf(struct_pb2.Struct)


def test_a_message_without_fields(types):
    assert from_protobuf(types("Empty")).values("") == ({},)


@pytest.mark.parametrize(
    ("name", "lengths", "message"),
    [
        ("Outer", {}, r"numbers is a list of variable length.*lengths={'numbers': 3}"),
        (
            "Outer",
            LENGTHS | {"by_name": None},
            "lengths: by_name is a map: give its keys as a list of strings, not None",
        ),
        ("Outer", LENGTHS | {"by_flag": 3}, "lengths: by_flag = 3: this map has only the keys false, true"),
        ("Outer", LENGTHS | {"by_flag": ["yes"]}, "lengths: by_flag has no key 'yes'; the keys are false, true"),
        ("Tree", {"below": 1}, r"below\[\*\]: the message t\.Tree contains itself, so it has no fixed set of fields"),
    ],
)
def test_mistakes(types, name, lengths, message):
    with pytest.raises(InputError, match=message):
        from_protobuf(types(name), lengths=lengths)


@pytest.mark.parametrize("given", [5, rw.Int, Proto.TYPE_BOOL, None])
def test_what_is_no_message(given):
    with pytest.raises(InputError, match="from_protobuf needs a message class or its Descriptor, not"):
        from_protobuf(given)


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "google.protobuf.descriptor", None)
    with pytest.raises(
        MissingExtra, match=r'a protobuf message needs an optional package: pip install "rootward\[interfaces\]"'
    ):
        from_protobuf(timestamp_pb2.Timestamp)
