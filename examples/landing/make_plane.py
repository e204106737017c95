"""Make plane.schema.json, the fields of a plane, and plane.json, what they were when it flared too early.

In parameters.txt, each group of fields has a line with how their names begin ({1,2}: each of these), and below it the
rest of each name, the least and the largest value, and the value in plane.json. One with a point is a number, any other
an integer.
"""

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent


def fields(text):
    """Each field's name, and its range and value as they are written."""
    starts = []
    for line in text.splitlines():
        if not line.startswith(" "):
            head, _, rest = line.partition("{")
            inside, _, tail = rest.partition("}")
            starts = [head + one + tail for one in inside.split(",")]
            continue
        for member in line.split():
            name, said = re.fullmatch(r"(\w*)=(.*)", member).groups()
            yield from ((start + name, said) for start in starts)


def described(said):
    """``0..100:45`` as a schema and a value."""
    bounds, _, value = said.partition(":")
    kind, number = ("number", float) if "." in value else ("integer", int)
    low, high = map(number, bounds.split(".."))
    return {"type": kind, "minimum": low, "maximum": high}, number(value)


def written(members, indent):
    """A JSON object with a line for each member."""
    lines = (f"{indent}  {json.dumps(name)}: {json.dumps(value)}" for name, value in members.items())
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


if __name__ == "__main__":
    plane = {name: described(said) for name, said in fields((FOLDER / "parameters.txt").read_text(encoding="utf-8"))}
    properties = written({name: schema for name, (schema, _) in plane.items()}, "  ")
    schema = f'{{\n  "title": "Plane",\n  "type": "object",\n  "properties": {properties}\n}}\n'
    (FOLDER / "plane.schema.json").write_text(schema, encoding="utf-8")
    values = written({name: value for name, (_, value) in plane.items()}, "")
    (FOLDER / "plane.json").write_text(values + "\n", encoding="utf-8")
