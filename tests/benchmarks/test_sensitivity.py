"""The measurement of how much the numbers of a search matter changes them where they are used, and only meanwhile."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PLACE = Path(__file__).resolve().parents[2] / "tools" / "sensitivity.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sensitivity", PLACE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("value", "half", "twice"),
    [(4, 2, 8), (1, 1, 2), (0.1, 0.05, 0.2), (0.9, 0.95, 0.8), (0.6, 0.8, 0.5), (3.0, 1.5, 6)],
)
def test_a_number_is_halved_and_doubled(tool: ModuleType, value: float, half: float, twice: float) -> None:
    assert tool.scaled(value, 0.5) == pytest.approx(half)
    assert tool.scaled(value, 2.0) == pytest.approx(twice)


def test_the_search_uses_the_changed_number_and_then_the_old_one(tool: ModuleType) -> None:
    tuning, sieve = (
        importlib.import_module(f"rootward.searches.reduction.{name}") for name in ("sieve_tuning", "sieve")
    )
    before = tuning.TUNING
    with tool.tuned(before, max_pair_distance=1):
        assert sieve.TUNING.max_pair_distance == 1
        assert sieve.TUNING.certain == before.certain
    assert sieve.TUNING is before is tuning.TUNING


def test_every_family_has_numbers_and_problems_that_are_solved(tool: ModuleType) -> None:
    for place, make in tool.FAMILIES.values():
        assert importlib.import_module(place).TUNING
        assert next(iter(make(1)))
    runs, wrong = tool.measure(list(tool.rows(1)))
    assert runs > 0
    assert wrong == 0
