"""What any method has to pay to find a planted product set, whatever its idea."""

from __future__ import annotations

import math

from peers.planted import Planted


def information(planted: Planted) -> float:
    """Bits that tell this product set from the others with as many relevant fields; a run that passes or fails tells
    one at most. A relevant field has ``2 ** (n - 1) - 1`` possible sets: any that hold its value in the failing
    configuration, but all."""
    n, k = len(planted.space), len(planted.sets)
    which = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)
    return which + sum(math.log2(2 ** (len(planted.space.values(name)) - 1) - 1) for name in planted.sets)


def certificate(planted: Planted) -> int:
    """Runs without which the answer is not proved, even for someone who guessed it.

    A value is shown not to trigger only by a run that passes, and by that run only if it is alone in it; a run that
    fails shows at most one further triggering value of each field.
    """
    sizes = {name: len(field.values) for name, field in planted.space.items()}
    stopping = sum(sizes[name] - len(values) for name, values in planted.sets.items())
    triggering = {**sizes, **{name: len(values) for name, values in planted.sets.items()}}
    return stopping + max(triggering.values()) - 1
