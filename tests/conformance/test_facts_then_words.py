"""Facts, then words: searches and diagnoses hold facts, and only the report turns them into sentences.

A sentence is a text that ends with a full stop. In the rooms that find things out there is none but in docstrings and
errors; and no field of a finding holds one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from tests.conformance.diagnosis_cases import CHARACTERS

SOURCE = Path(rw.__file__).parent
ROOMS = ("searches", "search", "explanation", "diagnosis")
WRITERS = (SOURCE / "diagnosis" / "handover",)
"""They write files for people: scripts and tests, which begin with a docstring."""
FREE = ("evidence", "failing", "selection", "patch", "tables", "example")
"""Fields of findings that hold what the user gave, not what was found."""


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """The texts in a module that end with a full stop, with their lines."""
    tree = ast.parse(source)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    raised = (node for node in ast.walk(tree) if isinstance(node, ast.Raise))
    said |= {id(part) for node in raised for part in ast.walk(node)}
    said |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        last = node.values[-1] if isinstance(node, ast.JoinedStr) and node.values else node
        if id(node) not in said and isinstance(last, ast.Constant) and isinstance(last.value, str):
            whole = " " in last.value or isinstance(node, ast.JoinedStr)
            if whole and last.value.rstrip().endswith("."):
                yield last.lineno, last.value


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_is_made_where_facts_are_found(room: str) -> None:
    files = [path for path in (SOURCE / room).rglob("*.py") if not any(one in path.parents for one in WRITERS)]
    assert files
    found = [f"{path}:{line}: {text}" for path in files for line, text in sentences(path.read_text("utf-8"))]
    assert found == []


def texts(value: Any) -> Iterator[str]:
    """The texts that the fields of a finding hold, and those of whatever these are made of."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.values() for text in texts(one))
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        yield from (text for one in value for text in texts(one))
    elif is_dataclass(value) and not isinstance(value, type):
        own = (getattr(value, field.name) for field in fields(value) if field.name not in FREE)
        yield from (text for one in own for text in texts(one))


@pytest.mark.parametrize("character", ["few fields", "earlier runs", "lines", "a table", "flaky"])
def test_no_sentence_is_held_by_what_was_found(character: str) -> None:
    found = rw.diagnose(CHARACTERS[character].study)
    held = list(texts(found))
    assert held
    assert [text for text in held if " " in text and text.endswith(".")] == []


@pytest.mark.parametrize(
    ("source", "number"),
    [
        ('notes = ("It was given up.",)', 1),
        ('notes = f"It was given up: {why}."', 1),
        ('def f():\n    """A docstring."""\n    return "It fails when " + x', 0),
        ('raise InputError(f"{name} is no field: give one that is.")', 0),
        ('path = "..", "a.b"', 0),
    ],
)
def test_a_sentence_is_recognised(source: str, number: int) -> None:
    assert len(list(sentences(source))) == number
