"""JSON Schema: the space holds what the schema allows; what it cannot say is named."""

import json
import math

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.interfaces import from_json_schema, nest
from rootward.space.exceptional_values import largest

TOP = largest(64)
TEXTS = [text for text in rw.Text().values if "\udcff" not in text]
FINITE = rw.Float(-TOP, TOP)


def one(schema, **options):
    """The only field of a schema."""
    (field,) = dict(from_json_schema({"properties": {"x": schema}}, **options).items()).values()
    return field


def refused(schema, **options):
    with pytest.raises(InputError) as caught:
        from_json_schema({"properties": {"x": schema}, "$defs": DEFS}, **options)
    return str(caught.value)


DEFS = {
    "small": {"type": "integer", "minimum": 0, "maximum": 5},
    "tree": {"type": "object", "properties": {"below": {"$ref": "#/$defs/tree"}}},
    "a/b~c d": {"type": "boolean"},
}


@pytest.mark.parametrize(
    ("schema", "field"),
    [
        ({"type": "boolean"}, rw.Bool()),
        ({"type": "integer"}, rw.Int(bits=64)),
        ({"type": "integer", "minimum": 0, "maximum": 10}, rw.Int(0, 10)),
        ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, rw.Int(1, 9)),
        ({"type": "integer", "minimum": 0.5, "maximum": 9.5}, rw.Int(1, 9)),
        ({"type": "integer", "exclusiveMinimum": 0.5, "exclusiveMaximum": 9.5}, rw.Int(1, 9)),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 9}, rw.Int(1, 9)),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": False, "maximum": 9}, rw.Int(0, 9)),
        ({"type": "integer", "maximum": 2**64 - 1, "minimum": 0}, rw.Int(bits=64, signed=False)),
        ({"type": "integer", "minimum": -(2**40)}, rw.Int(-(2**40), bits=64)),
        ({"type": "number"}, FINITE),
        ({"type": "number", "minimum": 0}, rw.Float(0, TOP)),
        ({"type": "number", "minimum": 0, "maximum": 1}, rw.Float(0, 1)),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
         rw.Float(math.nextafter(0, 1), math.nextafter(1, 0))),
        ({"type": "number", "minimum": 2**53 + 1, "maximum": 2**53 + 3}, rw.Float(2**53 + 2, 2**53 + 2)),
        ({"type": "string"}, rw.Text(TEXTS)),
        ({"type": "string", "maxLength": 1}, rw.Text([*(t for t in TEXTS if len(t) <= 1)])),
        ({"type": "string", "minLength": 70000, "maxLength": 70000}, rw.Text(["a" * 70000])),
        ({"type": "string", "pattern": "^[0-9]+$"}, rw.Text(["0", "1", "9" * 40])),
        ({"type": "null"}, rw.Choice([None])),
        ({"type": ["boolean", "null"]}, rw.Choice([False, True, None])),
        ({"type": ["integer"], "minimum": 0, "maximum": 3}, rw.Int(0, 3)),
        ({"enum": ["a", 1, None, [1], {"b": 2}]}, rw.Choice(["a", 1, None, [1], {"b": 2}])),
        ({"type": "string", "enum": ["P", "R"]}, rw.Choice(["P", "R"])),
        ({"const": 3}, rw.Choice([3])),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, rw.Choice([False, True, None])),
        ({"oneOf": [{"const": "a"}, {"type": "integer", "minimum": 1, "maximum": 2}]}, rw.Choice(["a", 1, 2])),
        ({"type": "integer", "anyOf": [{"maximum": 1}], "minimum": 0}, rw.Int(0, 1)),
        ({"allOf": [{"type": "integer", "maximum": 1}], "minimum": 0, "title": "T"}, rw.Int(0, 1)),
    ],
)  # fmt: skip
def test_scalars(schema, field):
    assert one(schema) == field


def test_nested_names():
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"properties": {"x.y": {"type": "boolean"}}},
            "fixed": {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2},
            "tuple": {"prefixItems": [{"type": "boolean"}, {"const": 1}]},
            "old": {"type": "array", "items": [{"type": "boolean"}, {"const": 1}]},
            "more": {"prefixItems": [{"const": 1}], "items": {"type": "boolean"}, "minItems": 3, "maxItems": 3},
            "less": {"prefixItems": [{"const": 1}, {"const": 2}], "minItems": 1, "maxItems": 1},
            "any": {"type": "array", "items": {"properties": {"z": {"type": "boolean"}}}},
            "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
        },
    }
    space = from_json_schema(schema, lengths={"any": 2, "map": ["k"]})
    assert list(space.names) == [
        'a["x.y"]',
        "fixed[0]",
        "fixed[1]",
        "tuple[0]",
        "tuple[1]",
        "old[0]",
        "old[1]",
        "more[0]",
        "more[1]",
        "more[2]",
        "less[0]",
        "any[0].z",
        "any[1].z",
        "map.k",
    ]
    assert nest({name: space.values(name)[0] for name in space})["more"] == [1, False, False]


def test_the_top_level_may_be_anything():
    assert from_json_schema({"type": "boolean"}) == rw.Space({"": rw.Bool()})
    assert from_json_schema({"items": {"type": "boolean"}}, lengths={"": 2}).names == ("[0]", "[1]")


def test_lengths_stay_within_the_bounds():
    schema = {"type": "array", "items": {"type": "boolean"}, "minItems": 1}
    assert refused(schema, lengths={"x": 0}) == "lengths: x = 0: this list must have 1 or more items"


def test_references():
    schema = {
        "$defs": DEFS,
        "properties": {
            "a": {"$ref": "#/$defs/small"},
            "b": {"$ref": "#/$defs/small", "description": "beside"},
            "c": {"$ref": "#/$defs/a~1b~0c%20d"},
            "d": {"$ref": "#/properties/a"},
            "e": {"allOf": [{"$ref": "#/$defs/small"}], "default": 3},
            "f": {"type": "array", "items": {"$ref": "#/$defs/small"}, "minItems": 1, "maxItems": 1},
        },
    }
    space = from_json_schema(schema)
    for name in ("a", "b", "d", "e", "f[0]"):
        assert space[name] == rw.Int(0, 5)
    assert space["a"] is space["b"]
    assert space["c"] == rw.Bool()


def test_defaults_and_examples_are_tried():
    assert {7, 77, 777} <= set(one({"type": "integer", "default": 7, "examples": [77, 777.0]}).values)
    assert all(type(value) is int for value in one({"type": "integer", "examples": [777.0]}).values)
    assert "own" in one({"type": "string", "default": "own"}).values
    assert one({"type": "string", "pattern": "^v[0-9]$", "examples": ["v1"]}).values == ("v1",)
    assert 77 in one({"type": ["integer", "null"], "default": 77}).values
    assert one({"enum": [1, 2], "default": 2}) == rw.Choice([1, 2])
    assert one({"type": "number", "default": 1}) == FINITE


def test_examples_of_whole_objects_are_tried_place_by_place():
    schema = {
        "properties": {
            "a": {"properties": {"n": {"type": "integer"}}, "default": {"n": 71}},
            "b": {"prefixItems": [{"type": "integer"}, {"type": "integer"}]},
            "c": {"$ref": "#/properties/a"},
            "d": {"anyOf": [{"$ref": "#/properties/a"}, {"type": "null"}], "default": None},
        },
        "examples": [{"a": {"n": 72}, "b": [73, 74], "d": {"n": 75}}, {"b": [76]}],
    }
    space = from_json_schema(schema)
    assert {71, 72} <= set(space.values("a.n"))
    assert {73, 76} <= set(space.values("b[0]"))
    assert 74 in space.values("b[1]")
    assert 71 in space.values("c.n")
    assert 72 not in space.values("c.n")
    assert 75 in space.values("d.n")


def test_an_optional_object_is_present():
    schema = {"type": ["object", "null"], "properties": {"y": {"type": "boolean"}}}
    assert from_json_schema({"properties": {"x": schema}}).names == ("x.y",)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (True, "x: expected a schema that describes the values, got True"),
        ({}, "x: the schema needs a type, enum or const"),
        ({"type": "float"},
         "x: unknown type 'float'; the types are boolean, integer, number, string, null, object, array"),
        ({"type": []}, "x: unknown type []; the types are boolean, integer, number, string, null, object, array"),
        ({"type": "object"}, "x: an object without properties has no fixed set of fields"),
        ({"properties": {}, "required": ["z"]}, "x: 'z' is required but not described in properties"),
        ({"type": "array"}, "x[*]: expected a schema that describes the values, got None"),
        ({"type": "array", "items": {"type": "boolean"}},
         "x is a list of variable length, but a space needs a fixed set of fields: give its length, lengths={'x': 3}"),
        ({"items": {"type": "boolean"}, "minItems": -1}, "x: minItems must be an integer from 0, not -1"),
        ({"items": {"type": "boolean"}, "minItems": 2, "maxItems": 2, "uniqueItems": True},
         "x: uniqueItems is not supported: fields cannot express it"),
        ({"type": "integer", "multipleOf": 2}, "x: multipleOf is not supported: fields cannot express it"),
        ({"type": "integer", "not": {}}, "x: not is not supported: fields cannot express it"),
        ({"allOf": [{"type": "integer"}, {"maximum": 2}]},
         "x: allOf is not supported: fields cannot express it"),
        ({"type": "integer", "minimum": 5, "maximum": 4}, "x: lo = 5 is above hi = 4: nothing lies between them"),
        ({"type": "number", "minimum": 10**400},
         "x: the bound 100000000000000000...0000000000000000000 is too large for a float"),
        ({"type": "integer", "minimum": "5"}, "x: a bound must be a number, not '5'"),
        ({"type": "string", "pattern": "("},
         "x: the pattern '(' is not a valid regular expression: missing ), unterminated subpattern at position 0"),
        ({"enum": []}, "x: a field needs at least one value, but none is given"),
        ({"enum": 5}, "x: enum must be a list of values, not 5"),
        ({"anyOf": []}, "x: anyOf and oneOf must be lists of schemas, not []"),
        ({"anyOf": [True]}, "x: True is not a schema"),
        ({"anyOf": [{"properties": {}}, {"type": "integer"}]},
         "x: a choice between an object or array and something else has no fixed set of fields: keep one of them"),
        ({"type": "integer", "maximum": 4, "default": 5}, "x = 5 (int): expected integer -9223372036854775808..4"),
        ({"$ref": "#/$defs/tree"}, "x.below: #/$defs/tree contains itself, so it has no fixed set of fields"),
        ({"$ref": "#"}, "x.x: # contains itself, so it has no fixed set of fields"),
        ({"$ref": "#/$defs/none"}, "x: the reference #/$defs/none points to nothing in the schema"),
        ({"$ref": "other.json"}, "x: the reference 'other.json' must have the form #/$defs/NAME"),
        ({"$ref": "#/$defs/small", "minimum": 3}, "x: minimum is given twice, with different values"),
        ({"properties": {"y": {"prefixItems": [{"type": "?"}]}}},
         "x.y[0]: unknown type '?'; the types are boolean, integer, number, string, null, object, array"),
    ],
)  # fmt: skip
def test_what_cannot_be_mapped(schema, message):
    assert refused(schema) == message


@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_a_file(tmp_path, kind):
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"properties": {"x": {"type": "boolean"}}}))
    assert from_json_schema(kind(path)) == rw.Space({"x": rw.Bool()})
