"""The table [interface] of a study: fields from what describes them already."""

import json
import sys
from pathlib import Path

import pytest

from rootward import StudyError
from rootward.study import Study, load_study
from rootward.subjects.command import Command

CLASSES = """
from dataclasses import dataclass
from pydantic import BaseModel

@dataclass
class Wheel:
    on: bool
    rpm: int

class Car(BaseModel):
    wheels: list[bool]
    name: str = "x"
"""
SCHEMA = {"type": "object", "properties": {"on": {"type": "boolean"}, "n": {"type": "integer", "maximum": 5}}}


def study(folder: Path, interface: str, *, failing: str = "", fields: str = "") -> Study:
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    (folder / "sample.json").write_text('{"a": {"b": [1, true]}, "c": "x"}')
    (folder / "flat.json").write_text('{"on": true, "n": 3}')
    (folder / "table.csv").write_text("max-speed:float,on:bool\n")
    (folder / "Lamp.msg").write_text("bool on\nfloat32[2] level\n")
    (folder / "descriptions_of_cars.py").write_text(CLASSES)
    text = f'{failing}\n[subject]\ncommand = ["./run", "{{config}}"]\n[interface]\n{interface}\n{fields}'
    path = folder / "study.toml"
    path.write_text(text)
    sys.modules.pop("descriptions_of_cars", None)
    return load_study(path)


@pytest.mark.parametrize(
    ("interface", "names"),
    [
        ('json_schema = "schema.json"', ["on", "n"]),
        ('document = "sample.json"', ["a.b[0]", "a.b[1]", "c"]),
        ('csv = "table.csv"', ["max-speed", "on"]),
        ('ros = "Lamp.msg"', ["on", "level[0]", "level[1]"]),
        ('ros = "geometry_msgs/msg/Vector3"', ["x", "y", "z"]),
        ('dataclass = "descriptions_of_cars:Wheel"', ["on", "rpm"]),
        ('pydantic = "descriptions_of_cars:Car"\nlengths = { wheels = 2 }', ["wheels[0]", "wheels[1]", "name"]),
        ('dataclass = ["descriptions_of_cars:Wheel", "descriptions_of_cars:Wheel"]', None),
    ],
)
def test_each_kind(tmp_path, interface, names):
    expected = names or ["M0.on", "M0.rpm", "M1.on", "M1.rpm"]
    assert list(study(tmp_path, interface).space.names) == expected


def test_fields_win_over_the_interface(tmp_path):
    found = study(tmp_path, 'json_schema = "schema.json"', fields='[fields]\nn = { type = "int", values = [1, 2] }')
    assert found.space.values("n") == (1, 2)
    assert list(found.space.names) == ["on", "n"]


def test_a_sample_is_what_fails_unless_something_else_is_said_to(tmp_path):
    found = study(tmp_path, 'document = "sample.json"')
    assert found.failing == {"a.b[0]": 1, "a.b[1]": True, "c": "x"}
    (tmp_path / "other.json").write_text('{"a": {"b": [2, false]}, "c": "y"}')
    found = study(tmp_path, 'document = "sample.json"', failing='failing = "other.json"')
    assert found.failing == {"a.b[0]": 2, "a.b[1]": False, "c": "y"}


def test_a_failing_file_may_go_by_the_names_of_the_fields(tmp_path):
    (tmp_path / "row.json").write_text('{"max-speed": 1.5, "on": true}')
    found = study(tmp_path, 'csv = "table.csv"', failing='failing = "row.json"')
    assert found.failing == {"max-speed": 1.5, "on": True}
    assert isinstance(found.subject, Command)
    assert not found.subject.nested


def test_a_command_gets_the_document(tmp_path):
    subject = study(tmp_path, 'json_schema = "schema.json"').subject
    assert isinstance(subject, Command)
    assert subject.nested


@pytest.mark.parametrize(
    ("interface", "failing", "message"),
    [
        ("lengths = {}", "", "interface: expected exactly one of the keys json_schema, document, csv, ros"),
        ('csv = "table.csv"\ndocument = "sample.json"', "", "expected exactly one of"),
        ('csv = "missing.csv"', "", "missing.csv"),
        ('csv = "table.csv"\nlengths = { a = 1 }', "", "lengths cannot be set with csv"),
        ("json_schema = 3", "", "interface.json_schema: expected the path of a file"),
        ("json_schema = [3]", "", "json_schema: expected text, got 3"),
        ('jsonschema = "x"', "", "unknown key; did you mean 'json_schema'?"),
        ('dataclass = "descriptions_of_cars:Weel"', "", "cannot get 'Weel' from descriptions_of_cars"),
        ('json_schema = "schema.json"', 'failing = "missing.json"', "failing: "),
        ('json_schema = "schema.json"', 'failing = "sample.json"', "missing fields 'on', 'n'"),
    ],
)
def test_mistakes_are_reported_where_they_stand(tmp_path, interface, failing, message):
    with pytest.raises(StudyError) as error:
        study(tmp_path, interface, failing=failing)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'study.toml'}:")
