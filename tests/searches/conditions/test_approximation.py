"""The approximate rule of runs without a simple condition."""

from __future__ import annotations

import numpy as np

import rootward as rw
from rootward.searches.conditions.approximation import approximate_rule


def test_runs_with_a_text_that_is_not_listed_are_left_out() -> None:
    space = rw.Space({"s": rw.Text(["a", "b"]), "t": rw.Text(["x", "y"])})
    texts = [(s, t) for s in ("a", "b", "strange") for t in ("x", "y", "a")]
    runs = [({"s": s, "t": t}, s == "b") for s, t in texts] * 5
    rule = approximate_rule(space, ["s", "t"], {"s": "b", "t": "x"}, runs, np.random.default_rng(0))
    assert [rule.holds({"s": s, "t": "x"}) for s in ("a", "b")] == [False, True]
