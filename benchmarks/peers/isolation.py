"""Two simpler ways to find the trigger of a failure.

``isolate``: delta debugging between a passing configuration and the failing one finds the differences needed to fail.
It names fields, and only those in which the passing configuration has a value that does not trigger.

``intersect``: mutate at random and collect the values of failing runs. A value that occurs in one triggers; a value
that never occurs in one does not. It cannot know when it is done, so it is told as soon as its answer is exact; without
that it would need more runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rootward as rw
from peers.planted import Coded, Planted
from peers.trees import mutate

BATCH = 250


def isolate(planted: Planted, rng: np.random.Generator) -> tuple[list[str], int]:
    """Return the fields that ddmin keeps, and the number of runs."""
    passing, tried = _passing(planted, rng)

    def subject(kept: list[str]) -> rw.Verdict:
        return planted.subject({**passing, **{name: planted.failing[name] for name in kept}})

    found = rw.reduce(planted.space.names, subject, method="ddmin")
    return found.kept, found.trials + tried


def _passing(planted: Planted, rng: np.random.Generator) -> tuple[dict[str, Any], int]:
    """Return a random configuration that passes, and the number of configurations tried."""
    tried = 0
    while True:
        tried += 1
        drawn = rng.random(len(planted.space))
        listed = zip(planted.space.items(), drawn, strict=True)
        one = {name: field.values[int(share * len(field.values))] for (name, field), share in listed}
        if not planted.subject.triggered(one):
            return one, tried


def intersect(coded: Coded, rng: np.random.Generator, most: int = 20_000) -> int | None:
    """Return the number of runs until the answer is exact; None if ``most`` are not enough."""
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
