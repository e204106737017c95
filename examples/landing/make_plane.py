"""Write plane.schema.json, the fields of a plane, and plane.json, their values when it flared too early.

In parameters.txt, each group of fields begins with a line that has the prefix of their names ({1,2}: one prefix for
each). Below it are the rest of each name, the smallest and the largest value, and the value in plane.json. A value with
a decimal point is a number, any other an integer.
"""

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent


def fields(text):
    """Yield the name of each field, with the text of its range and value."""
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


def parse_field(said):
    """Parse ``0..100:45`` into a schema and a value."""
    bounds, _, value = said.partition(":")
    kind, number = ("number", float) if "." in value else ("integer", int)
    low, high = map(number, bounds.split(".."))
    return {"type": kind, "minimum": low, "maximum": high}, number(value)


def format_object(members, indent):
    """Format a JSON object with one line for each member."""
    lines = (f"{indent}  {json.dumps(name)}: {json.dumps(value)}" for name, value in members.items())
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


if __name__ == "__main__":
    plane = {name: parse_field(said) for name, said in fields((FOLDER / "parameters.txt").read_text(encoding="utf-8"))}
    properties = format_object({name: schema for name, (schema, _) in plane.items()}, "  ")
    schema = f'{{\n  "title": "Plane",\n  "type": "object",\n  "properties": {properties}\n}}\n'
    (FOLDER / "plane.schema.json").write_text(schema, encoding="utf-8")
    values = format_object({name: value for name, (_, value) in plane.items()}, "")
    (FOLDER / "plane.json").write_text(values + "\n", encoding="utf-8")
