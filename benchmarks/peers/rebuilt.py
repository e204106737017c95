"""Pipelines modelled on BugDoc's Table 7: parameters and causes as described in the paper, the rest invented."""

from __future__ import annotations

import rootward as rw
from peers.pipelines import PipelineCase


def polygamy() -> PipelineCase:
    """Data Polygamy: 2 Boolean, 3 categorical and 7 numerical parameters, and the paper's four causes R.1 to R.4."""
    fields: dict[str, rw.Bool | rw.Choice | rw.Float | rw.Int] = {
        "aggregate": rw.Bool(),
        "clean": rw.Bool(),
        "spatial": rw.Choice(["city", "grid", "zip"]),
        "temporal": rw.Choice(["hour", "day", "week", "month"]),
        "test": rw.Choice([f"test{letter}" for letter in "abcdefghij"]),
        "percentage": rw.Float(-100, 100, values=[-50.0, -10.0, -1.0, 0.0, 10.0, 25.0, 50.0, 51.0, 75.0, 100.0]),
        "diff": rw.Float(-200, 200, values=[-100.0, -20.0, -1.0, 0.0, 20.0, 50.0, 100.0, 101.0, 150.0, 200.0]),
    }
    fields |= {f"n{number}": rw.Int(0, 7, values=range(8)) for number in range(1, 6)}
    below, above = rw.Atom("percentage", "<", 0.0), rw.Atom("percentage", ">", 50.0)
    rest = rw.Atom("percentage", ">=", 0.0)
    outside = [rw.Atom("diff", "<", 0.0), rw.Atom("diff", ">", 100.0)]
    return PipelineCase(
        rw.Space(fields), tuple(map(rw.Conjunction, ([below], [above], *([one, rest] for one in outside))))
    )


def gan() -> PipelineCase:
    """Training of adversarial networks: 6 parameters of 5 values; some losses do not go with some numbers of steps."""
    fields: dict[str, rw.Choice | rw.Float | rw.Int] = {
        "loss": rw.Choice(["hinge", "wasserstein", "logistic", "squares", "relativistic"]),
        "steps": rw.Int(1, 5, values=range(1, 6)),
        "rate_d": rw.Float(0, 1, values=[0.00005, 0.0001, 0.0002, 0.0004, 0.001]),
        "rate_g": rw.Float(0, 1, values=[0.00005, 0.0001, 0.0002, 0.0004, 0.001]),
        "batch": rw.Int(16, 256, bits=16, values=[16, 32, 64, 128, 256]),
        "norm": rw.Choice(["none", "batch", "layer", "spectral", "instance"]),
    }
    mismatched = [("wasserstein", "<=", 2), ("logistic", ">", 3), ("squares", "=", 5)]
    causes = (rw.Conjunction([rw.Atom("loss", "=", loss), rw.Atom("steps", *bound)]) for loss, *bound in mismatched)
    return PipelineCase(rw.Space(fields), tuple(causes))
