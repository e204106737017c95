"""Two simpler ways to learn what triggers a failure.

``isolate``: delta debugging between a passing configuration and the failing one. Which of their differences are needed
to fail? It names fields, and only those in which the passing configuration has a value that does not trigger.

``intersect``: mutate at random and keep what a failing run had: a value seen in one triggers, one never seen in any
does not. It never knows when it is done. Here it is told, at the first moment it has the exact answer, which is less
than it would need by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rootward as rw
from peers.planted import Coded, Planted
from peers.trees import mutate

BATCH = 250


def isolate(planted: Planted, rng: np.random.Generator) -> tuple[list[str], int]:
    """The fields that ddmin keeps, and how many runs it took."""
    passing, tried = _passing(planted, rng)

    def subject(kept: list[str]) -> rw.Verdict:
        return planted.subject({**passing, **{name: planted.failing[name] for name in kept}})

    found = rw.reduce(planted.space.names, subject, method="ddmin")
    return found.kept, found.trials + tried


def _passing(planted: Planted, rng: np.random.Generator) -> tuple[dict[str, Any], int]:
    """A random configuration that passes, and how many were tried."""
    tried = 0
    while True:
        tried += 1
        drawn = rng.random(len(planted.space))
        listed = zip(planted.space.items(), drawn, strict=True)
        one = {name: field.values[int(share * len(field.values))] for (name, field), share in listed}
        if not planted.subject.triggered(one):
            return one, tried


def intersect(coded: Coded, rng: np.random.Generator, most: int = 20_000) -> int | None:
    """How many runs until the answer is exact; None if ``most`` are not enough."""
    width = int(coded.sizes.max())
    places = np.arange(width)
    missing = (places < coded.sizes[:, None]) & (places != coded.failing[:, None])
    for i, triggers in coded.triggering.items():
        missing[i, : len(triggers)] &= triggers
    for tried in range(0, most, BATCH):
        batch = mutate(coded, rng, BATCH)
        for row in np.flatnonzero(batch.fails):
            missing.ravel()[batch.cells[row]] = False
            if not missing.any():
                return tried + int(row) + 1
    return None
