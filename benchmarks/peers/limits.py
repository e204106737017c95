"""Lower bounds on the runs needed to find a planted product set."""

from __future__ import annotations

import math

from peers.planted import Planted


def information(planted: Planted) -> float:
    """Return the bits needed to identify this product set among those with as many relevant fields; a run yields at
    most one bit. A relevant field has ``2 ** (n - 1) - 1`` possible sets: every proper subset of its n values that
    contains the value of the failing configuration."""
    n, k = len(planted.space), len(planted.sets)
    which = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
    return which + sum(math.log2(2 ** (len(planted.space.values(name)) - 1) - 1) for name in planted.sets)


def certificate(planted: Planted) -> int:
    """Return the number of runs needed to prove the answer, even if it was guessed.

    Only a passing run shows that a value does not trigger, and only if no other such value is in it. A failing run
    shows at most one further triggering value of each field.
    """
    sizes = {name: len(field.values) for name, field in planted.space.items()}
    stopping = sum(sizes[name] - len(values) for name, values in planted.sets.items())
    triggering = {**sizes, **{name: len(values) for name, values in planted.sets.items()}}
    return stopping + max(triggering.values()) - 1
