"""One missed failure of a flaky subject must not spoil a simple rule."""

import hashlib
from typing import Any

import rootward as rw
from rootward.rules import Atom, Rule, Term
from rootward.searches.conditions.chance_passes import pivotal_passes

SPACE = rw.Space(
    {"speed": rw.Int(0, 200), "gear": rw.Choice("PRND"), "load": rw.Float(0, 1), "title": rw.Text(), "on": rw.Bool()}
)
FAILING = {"speed": 120, "gear": "R", "load": 0.5, "title": "hello", "on": True}
RATE = 0.6


def draw(configuration: Any, seed: int) -> float:
    """Return a number from 0 to 1 that depends on the configuration and the seed alone."""
    text = repr((sorted(configuration.items()), seed, 1))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


def fast(configuration: Any, seed: int) -> rw.Outcome | None:
    fails = configuration["speed"] > 80 and draw(configuration, seed) < RATE
    return rw.Outcome(rw.Verdict.FAIL, "boom") if fails else None


def test_a_pass_by_chance_is_found_and_corrected() -> None:
    """With this seed, one configuration that should fail passes seven times in a row."""
    found = rw.rule(SPACE, fast, FAILING, flaky=RATE, seed=1)
    assert str(found.rule) == "speed > 80"


def test_a_run_that_a_literal_alone_excludes_is_pivotal() -> None:
    rule = Rule.of_terms([Term.of([Atom("speed", ">", 80), Atom("gear", "!=", "P")])])
    slow = [{**FAILING, "speed": speed} for speed in (10, 50, 80)]
    parked = {**FAILING, "gear": "P"}
    both = {**FAILING, "gear": "P", "speed": 3}
    assert pivotal_passes(SPACE, rule, [*slow, parked, both]) == [parked]
    assert pivotal_passes(SPACE, rule, slow) == []
