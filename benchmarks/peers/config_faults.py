"""Real configuration faults: the macros of a C file, each defined or not, and the condition of its fault."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import rootward as rw
from peers.pipelines import PipelineCase

FAULTS = Path(__file__).parents[1] / "data" / "config_faults.json"


@cache
def _read() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FAULTS.read_text())
    return found


def count() -> int:
    return len(_read())


def name(number: int) -> str:
    return str(_read()[number]["id"])


def size(number: int) -> int:
    """Return the number of parameters of a fault."""
    return len(_read()[number]["params"])


def case(number: int) -> PipelineCase:
    """Return a fault as a pipeline of Boolean parameters; True is ``y`` in the data."""
    fault = _read()[number]
    truth = [
        rw.Conjunction(rw.Atom(macro, "=" if op == "==" else op, value == "y") for macro, op, value in line)
        for line in fault["truth"]
    ]
    return PipelineCase(rw.Space({macro: rw.Bool() for macro in fault["params"]}), tuple(truth))
