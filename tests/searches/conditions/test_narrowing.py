"""With more than a dozen fields, those that matter are found first, and the condition is learnt on them."""

from __future__ import annotations

from typing import Any

import rootward as rw
from rootward.searches.conditions.narrowing import MAX_FIELDS

KINDS = [rw.Int(0, 1000), rw.Float(0, 100), rw.Bool(), rw.Choice("abcd"), rw.Int(-5, 5)]
WIDE = rw.Space({f"f{i}": KINDS[i % len(KINDS)] for i in range(67)})
FAILING = {name: field.values[-1] for name, field in WIDE.items()} | {"f18": "a", "f30": 700}


def fails(configuration: Any) -> bool:
    return bool(configuration["f30"] > 384 and configuration["f18"] in "ac")


def test_67_fields_end_in_an_answer() -> None:
    found = rw.rule(WIDE, rw.fails_when(fails), FAILING)
    assert str(found.rule) == "f30 > 384 and f18 in {a, c}"
    assert found.unknown == ()
    assert found.trials < 300
    assert found.accuracy.value == 1.0
    assert found.verified >= 20


def test_all_fields_vary_in_the_fresh_runs() -> None:
    found = rw.rule(WIDE, rw.fails_when(fails), FAILING, flaky=False)  # so that the fresh runs are the last ones
    assert found.evidence is not None
    rows = [row["candidate"] for row in found.evidence.trials()]
    assert all(len({repr(row[name]) for row in rows[-found.verified :]}) > 1 for name in WIDE)


def test_a_budget_ends_it_with_what_is_known() -> None:
    found = rw.rule(WIDE, rw.fails_when(fails), FAILING, trials=20)
    assert not found.complete
    assert "which of the 67 fields matter" in str(found)


def test_few_fields_are_examined_at_once() -> None:
    few = WIDE.restrict(WIDE.names[:MAX_FIELDS])
    start = {name: FAILING[name] for name in few} | {"f0": 900}
    found = rw.rule(few, rw.fails_when(lambda one: one["f0"] > 384), start, trials=10)
    assert "fields matter" not in str(found)
    only = ["f30", "f18"]
    chosen = rw.rule(WIDE, rw.fails_when(fails), FAILING, fields=only)
    assert str(chosen.rule) == "f30 > 384 and f18 in {a, c}"
