"""JSON Schema as a space: the keywords that define which values a document may hold.

Every property is present, required or not. Numbers are finite, as in JSON. Keywords that only describe (``title``,
``format``) are ignored. A keyword that restricts the values in a way that fields cannot express raises an InputError,
because a space without it would try documents that the schema forbids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rootward.errors import InputError
from rootward.formats.documents.paths import Step, child, display_path
from rootward.formats.files import read_json
from rootward.formats.interfaces import kinds
from rootward.formats.interfaces.kinds import NumberBounds, add_values, locate_errors
from rootward.formats.interfaces.shapes import Lengths, RecordShape, RowShape, Shape, TableShape, build, listing
from rootward.space.fields import show
from rootward.space.space import Field, Space

Schema = Mapping[str, Any]

_INEXPRESSIBLE = [
    *("allOf", "not", "if", "contains", "multipleOf", "maxProperties", "propertyNames"),
    *("dependencies", "dependentSchemas", "$dynamicRef", "$recursiveRef"),
]
_DESCRIBING = {
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "format",
}


def from_json_schema(schema: Schema | str | Path, *, lengths: Lengths | None = None) -> Space:
    """Build the space of the documents that a JSON Schema (a mapping, or the path of a file) allows.

    Supported are ``type`` (also a list of types), ``enum``, ``const``, the four bounds of numbers, lengths and pattern
    of strings, ``properties``, arrays, local ``$ref``, and ``oneOf`` or ``anyOf`` of scalars. The length of an array is
    that of ``minItems`` and ``maxItems`` if they are equal, else that of ``prefixItems``, else given by ``lengths``,
    which also gives the keys of maps (objects with ``additionalProperties`` only). Integers have 64 bits. ``default``
    and ``examples``, also of whole objects, are among the values to try.
    """
    root = read_json(schema) if isinstance(schema, str | Path) else schema
    return build(_SchemaReader(root).read(root, "", ()), lengths)


class _SchemaReader:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._known: dict[str, Shape] = {}
        self._active: list[str] = []

    def read(self, schema: Any, path: str, nominal: Sequence[Any]) -> Shape:
        """Turn a schema into a shape. ``nominal`` holds known valid values at ``path``."""
        if not isinstance(schema, Mapping):
            raise InputError(f"{display_path(path)}: expected a schema that describes the values, got {show(schema)}")
        nominal = [*nominal, *_examples(schema)]
        schema = _without_all_of(schema, path)
        if "$ref" in schema:
            return self._reference(schema, path, nominal)
        for keyword in _INEXPRESSIBLE:
            if keyword in schema:
                raise InputError(f"{display_path(path)}: {keyword} is not supported: fields cannot express it")
        for keyword, read in _READERS.items():
            if keyword in schema:
                return read(self, schema, path, nominal)
        raise InputError(f"{display_path(path)}: the schema needs a type, enum or const")

    def _reference(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        name = schema["$ref"]
        if name in self._active:
            raise InputError(f"{display_path(path)}: {name} contains itself, so it has no fixed set of fields")
        beside = {keyword: value for keyword, value in schema.items() if keyword not in _DESCRIBING | {"$ref"}}
        if beside or nominal:
            return self._target(name, beside, path, nominal)
        if name not in self._known:
            self._known[name] = self._target(name, {}, path, ())
        return self._known[name]

    def _target(self, name: Any, beside: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        self._active.append(name)
        target = _resolve(self._root, name, path)
        shape = self.read(_merge(target, beside, path) if beside else target, path, nominal)
        self._active.pop()
        return shape

    def enum(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not isinstance(values, list):
            raise InputError(f"{display_path(path)}: enum must be a list of values, not {show(values)}")
        with locate_errors(path):
            field = kinds.choice(values)
        return add_values(field, nominal, path)

    def any_of(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        options = schema["anyOf"] if "anyOf" in schema else schema["oneOf"]
        if not (isinstance(options, list) and options):
            raise InputError(f"{display_path(path)}: anyOf and oneOf must be lists of schemas, not {show(options)}")
        beside = {name: schema[name] for name in schema.keys() - {"anyOf", "oneOf"} - _DESCRIBING if name != "$defs"}
        return self._either([_merge(option, beside, path) for option in options], path, nominal)

    def read_typed(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        name = schema["type"]
        if isinstance(name, list) and name:
            beside = {keyword: schema[keyword] for keyword in schema.keys() - {"default", "examples"}}
            return self._either([{**beside, "type": each} for each in name], path, nominal)
        if not (isinstance(name, str) and name in _TYPES):
            raise InputError(f"{display_path(path)}: unknown type {show(name)}; the types are {', '.join(_TYPES)}")
        return _TYPES[name](self, schema, path, nominal)

    def _either(self, options: Sequence[Any], path: str, nominal: Sequence[Any]) -> Shape:
        shapes = [self.read(option, path, nominal if len(options) == 1 else ()) for option in options]
        fields = [shape for shape in shapes if isinstance(shape, Field)]
        if len(fields) == len(shapes):
            return kinds.merge_fields(fields, nominal, path)
        (present, *others) = [option for option, shape in zip(options, shapes, strict=True) if shape != kinds.NULL]
        if others:
            raise InputError(
                f"{display_path(path)}: a choice between an object or array and something else has no fixed set of "
                "fields: keep one of them"
            )
        return self.read(present, path, nominal)

    def object(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        properties, more = schema.get("properties"), schema.get("additionalProperties")
        if properties is None and isinstance(more, Mapping):
            return TableShape(self.read(more, f"{path}[*]", ()))
        if not isinstance(properties, Mapping):
            raise InputError(f"{display_path(path)}: an object without properties has no fixed set of fields")
        if unknown := [name for name in schema.get("required", ()) if name not in properties]:
            raise InputError(f"{display_path(path)}: {unknown[0]!r} is required but not described in properties")
        return RecordShape({name: self._below(schema, path, name, nominal) for name, schema in properties.items()})

    def array(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        first, rest = _items(schema)
        least, most = _count(schema, "minItems", path), _count(schema, "maxItems", path)
        if schema.get("uniqueItems") and most != 1:
            raise InputError(f"{display_path(path)}: uniqueItems is not supported: fields cannot express it")
        if not first and (most is None or least != most):
            return listing(self.read(rest, f"{path}[*]", ()), least or 0, most)
        length = most if most is not None and least == most else len(first)
        items = [*first[:length], *[rest] * (length - len(first))]
        return RowShape([self._below(item, path, index, nominal) for index, item in enumerate(items)])

    def _below(self, schema: Any, path: str, step: Step, nominal: Sequence[Any]) -> Shape:
        return self.read(schema, child(path, step), [value for whole in nominal for value in _at(whole, step)])

    def scalar(self, schema: Schema, path: str, nominal: Sequence[Any]) -> Shape:
        with locate_errors(path):
            field = _SCALARS[schema["type"]](schema, nominal)
        whole = schema["type"] == "integer"  # JSON has one kind of number: 3.0 is an integer
        return add_values(field, [int(value) if whole and _is_integral(value) else value for value in nominal], path)


_Read = Callable[[_SchemaReader, Schema, str, Sequence[Any]], Shape]
_READERS: dict[str, _Read] = {
    **dict.fromkeys(("enum", "const"), _SchemaReader.enum),
    **dict.fromkeys(("anyOf", "oneOf"), _SchemaReader.any_of),
    "type": _SchemaReader.read_typed,
    **dict.fromkeys(("properties", "additionalProperties"), _SchemaReader.object),
    **dict.fromkeys(("prefixItems", "items"), _SchemaReader.array),
}
_TYPES: dict[str, _Read] = {
    **dict.fromkeys(("boolean", "integer", "number", "string", "null"), _SchemaReader.scalar),
    "object": _SchemaReader.object,
    "array": _SchemaReader.array,
}


def _text(schema: Schema, nominal: Sequence[Any]) -> Field:
    least, most, pattern = _count(schema, "minLength", ""), _count(schema, "maxLength", ""), schema.get("pattern")
    examples = [value for value in nominal if isinstance(value, str)] if pattern is not None else []
    return kinds.text(least or 0, most, pattern, examples)


_SCALARS: dict[str, Callable[[Schema, Sequence[Any]], Field]] = {
    "boolean": lambda schema, nominal: kinds.machine_field("bool"),
    "integer": lambda schema, nominal: kinds.integer(_bounds(schema)),
    "number": lambda schema, nominal: kinds.number(_bounds(schema), finite=True),
    "string": _text,
    "null": lambda schema, nominal: kinds.NULL,
}


def _bounds(schema: Schema) -> NumberBounds:
    given = [schema.get(name) for name in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")]
    for low, exclusive in ((0, 1), (2, 3)):
        if isinstance(given[exclusive], bool):  # draft 4: True makes minimum or maximum exclusive
            given[exclusive], given[low] = (given[low], None) if given[exclusive] else (None, given[low])
    for bound in given:
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | float)):
            raise InputError(f"a bound must be a number, not {show(bound)}")
    return NumberBounds(*given)


def _count(schema: Schema, keyword: str, path: str) -> int | None:
    count = schema.get(keyword)
    if count is None or (_is_integral(count) and count >= 0):
        return None if count is None else int(count)
    raise InputError(f"{display_path(path)}: {keyword} must be an integer from 0, not {show(count)}")


def _is_integral(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0


def _items(schema: Schema) -> tuple[Sequence[Any], Any]:
    """Return the schemas of the first items, and the schema of all further items.

    Before draft 2020-12, ``items`` held the schemas of the first items.
    """
    items = schema.get("items")
    return (items, schema.get("additionalItems")) if isinstance(items, list) else (schema.get("prefixItems", ()), items)


def _examples(schema: Schema) -> list[Any]:
    """Return the default and the examples of a schema."""
    examples = schema.get("examples", ())
    return [*([schema["default"]] if "default" in schema else []), *(examples if isinstance(examples, list) else ())]


def _at(whole: Any, step: Step) -> list[Any]:
    if isinstance(step, int):
        return [whole[step]] if isinstance(whole, list) and step < len(whole) else []
    return [whole[step]] if isinstance(whole, Mapping) and step in whole else []


def _without_all_of(schema: Schema, path: str) -> Schema:
    """Return the schema without ``allOf``, if that holds a single schema.

    The single schema is merged into the other keywords.
    """
    options = schema.get("allOf")
    if not (isinstance(options, list) and len(options) == 1 and isinstance(options[0], Mapping)):
        return schema
    return _merge(options[0], {name: schema[name] for name in schema.keys() - {"allOf"} - _DESCRIBING}, path)


def _merge(schema: Any, beside: Schema, path: str) -> Schema:
    if not isinstance(schema, Mapping):
        raise InputError(f"{display_path(path)}: {show(schema)} is not a schema")
    for keyword in beside.keys() & schema.keys() - _DESCRIBING:
        if beside[keyword] != schema[keyword]:
            raise InputError(f"{display_path(path)}: {keyword} is given twice, with different values")
    return {**schema, **beside}


def _resolve(root: Any, name: Any, path: str) -> Any:
    """Return the target of a local reference such as ``#/$defs/point``."""
    if not (isinstance(name, str) and (name == "#" or name.startswith("#/"))):
        raise InputError(f"{display_path(path)}: the reference {show(name)} must have the form #/$defs/NAME")
    found = root
    for part in name.split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        step = int(key) if isinstance(found, list) and key.isdecimal() else key
        if not (below := _at(found, step)):
            raise InputError(f"{display_path(path)}: the reference {name} points to nothing in the schema")
        (found,) = below
    return found
