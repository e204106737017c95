"""Does the order of what is left matter? Neighbours are exchanged, a pair at a time.

If it fails no longer when two neighbours change places, the first has to come before the second. If no such exchange
stops it, they are taken back to front once, to be sure.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from typing import Any

from rootward.search import Answers, Ask
from rootward.verdict import FAIL, Outcome

MOST = 8
"""The order of more elements than this is not looked into."""

Verdicts = Callable[[list[Any]], Generator[Ask[Any], Answers, list[Outcome | None]]]


def ordered(names: Sequence[str], run: Verdicts) -> Generator[Ask[Any], Answers, list[str]]:
    """What is known about their order, in sentences; ``run`` gives the outcomes of orders, as positions."""
    if not 2 <= len(names) <= MOST:
        return []
    places = list(range(len(names)))
    swapped = [(*places[:i], i + 1, i, *places[i + 2 :]) for i in places[:-1]]
    outcomes = yield from run(swapped)
    needed = [outcome is None or outcome.verdict is not FAIL for outcome in outcomes]
    if not any(needed):
        [reverse] = yield from run([tuple(reversed(places))])
        if reverse is not None and reverse.verdict is FAIL:
            return [f"The order of {_listed(names)} does not matter."]
        if len(names) == 3:  # only the outer two have changed places in no other order
            return [f"{names[0]} has to come before {names[-1]}, though neighbours may change places."]
        return [f"The order of {_listed(names)} matters, though any two neighbours may change places."]
    return [
        _before(one, other) if must else f"{one} and {other} may change places."
        for (one, other), must in zip(pairwise(names), needed, strict=True)
    ]


def _before(one: str, other: str) -> str:
    return f"{one} has to come before {other}."


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
