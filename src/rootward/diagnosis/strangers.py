"""Failures that were met while another one was being explained: how often each, and what showed it first.

They are told apart by their names. One without a name may be any of several, so nobody can go after it; nor after one
that only other candidates than configurations have shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rootward.verdict import Outcome
from rootward.words import count

NAMELESS = "without a name"
NAMED = 3
"""So many that are not explained are named."""
HOW = "To have one of these explained, give an input that fails in this way as the failing one."


@dataclass(frozen=True)
class Stranger:
    """The first run that failed in a way."""

    candidate: Any
    outcome: Outcome


class Strangers:
    """Those of one diagnosis."""

    def __init__(self) -> None:
        self._runs: Counter[str] = Counter()
        self._first: dict[str, Stranger] = {}

    def meet(self, candidate: Any, outcome: Outcome) -> None:
        """A run failed in another way. They are met in the order of the questions, whatever the width."""
        self._runs[outcome.signature or NAMELESS] += 1
        if outcome.signature and isinstance(candidate, Mapping):
            self._first.setdefault(outcome.signature, Stranger(candidate, outcome))

    def waiting(self, explained: Collection[str | None]) -> list[Stranger]:
        """Those that can be explained and are not, the most frequent first."""
        names = (name for name, _ in self._runs.most_common())
        return [self._first[name] for name in names if name in self._first and name not in explained]

    def notes(self, explained: Collection[str | None], *, ended: bool) -> list[str]:
        """What to say of those that are not explained; how to go on, if the diagnosis has ``ended`` without them."""
        told = {name or NAMELESS for name in explained}
        left = [(name, runs) for name, runs in self._runs.most_common() if name not in told][:NAMED]
        said = [f"{count(runs, 'run')} failed in another way, which is not explained: {name}." for name, runs in left]
        return [*said, HOW] if said and ended else said
