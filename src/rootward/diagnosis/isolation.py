"""Which difference matters: between a configuration that fails and one that does not, the smallest one that decides.

Both are given, and so are the fields in which they may be made alike. Halving the difference from the failing side
finds one field after another that stops the failure (the isolation of delta debugging): about log2(n) questions each.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from rootward.keys import canonical
from rootward.verdict import FAIL, Outcome

MOST = 4
"""So many fields at most are singled out at a time: the rule will tell more."""


def isolated(
    failing: Mapping[str, Any], passing: Mapping[str, Any], fields: Sequence[str]
) -> Generator[Mapping[str, Any], Outcome, list[str]]:
    """Fields that together stop the failure if they take the values of ``passing``; yields what it wants to know."""
    differ = [name for name in fields if canonical(failing[name]) != canonical(passing[name])]
    guilty: list[str] = []
    while differ and len(guilty) < MOST:
        # With all of `differ` changed it does not fail; with those of `low` only, it does.
        low, high = 0, len(differ)
        while high - low > 1:
            middle = (low + high) // 2
            changed = {name: passing[name] for name in [*differ[:middle], *guilty]}
            outcome = yield {**failing, **changed}
            if outcome.verdict is FAIL:
                low = middle
            else:
                high = middle
        guilty.append(differ[high - 1])
        outcome = yield {**failing, **{name: passing[name] for name in guilty}}
        if outcome.verdict is not FAIL:
            break
        differ = differ[: high - 1]
    return guilty
