"""The published schema: documents of all kinds fulfil it, broken ones do not."""

import copy
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from rootward.report.data import document

from .samples import everything, hostile, made

SCHEMA = json.loads((files("rootward.report") / "schema.json").read_text())
VALID = jsonschema.Draft202012Validator(SCHEMA)
KINDS = set(SCHEMA["$defs"]["finding"]["properties"]["finding"]["enum"])


def faults(data: dict[str, Any]) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in VALID.iter_errors(json.loads(json.dumps(data)))]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_documents_of_all_kinds_fulfil_it() -> None:
    assert {run["finding"]["finding"] for run in everything()["runs"]} == KINDS
    assert faults(everything()) == []
    assert faults(document(hostile())) == []
    assert faults(made(20)) == []


BREAKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another format": lambda it: it.update(format="other"),
    "a later version": lambda it: it.update(version=2),
    "no runs": lambda it: it.pop("runs"),
    "an unknown kind": lambda it: it["runs"][0]["finding"].update(finding="guess"),
    "no explanation": lambda it: it["runs"][0]["finding"].pop("explanation"),
    "an answer of another kind": lambda it: it["runs"][0]["finding"].update(finding="triage"),
    "a place that is a text": lambda it: it["runs"][0]["trials"]["columns"]["verdict"]["index"].append("1"),
    "an unknown verdict": lambda it: it["runs"][0]["trials"]["columns"]["verdict"]["values"].append("MAYBE"),
    "a value of no kind": lambda it: it["runs"][0]["trials"]["fixed"].update(x={"float": "nan", "int": "0x1"}),
    "no seed": lambda it: it["runs"][0]["reproduce"].pop("seed"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_broken_ones_do_not(name: str) -> None:
    broken = copy.deepcopy({**everything(), "runs": everything()["runs"][:1]})
    assert not faults(broken)
    BREAKS[name](broken)
    assert faults(broken)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_has_members_of_its_own(kind: str) -> None:
    run = next(run for run in everything()["runs"] if run["finding"]["finding"] == kind)
    for member in SCHEMA["$defs"][kind]["required"]:
        kept = {name: value for name, value in run["finding"].items() if name != member}
        assert faults({**everything(), "runs": [{**run, "finding": kept, "trials": None}]}), member
