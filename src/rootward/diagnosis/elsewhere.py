"""The search for failures that no known cause explains: where it looks, and what came out, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from rootward.candidate import Configuration
from rootward.rules import Rule
from rootward.search import Search
from rootward.searches.exploration import METHODS
from rootward.searches.exploration.failures import Failures
from rootward.space import Space
from rootward.words import count

RUNS = 48
"""How many runs outside of what is known look for another cause."""


def searched(
    space: Space, claim: Rule, calm: Sequence[Configuration], *, never: Rule | None, seed: int
) -> Search[Configuration, Failures]:
    """From runs that passed, to anything that the claim does not explain; the first failure ends it."""
    most = len(calm) + RUNS
    found: Search[Configuration, Failures] = METHODS["stages"](
        space, nominal=calm, never=never, outside=claim, most=most, enough=0, seed=seed
    )
    return found


def told(found: Failures, calm: Sequence[Configuration]) -> str:
    """What came out of it."""
    if found.failures:
        return "It fails elsewhere, too."
    if runs := max(0, found.runs - len(calm)):
        return f"It did not fail elsewhere in {count(runs, 'run')}."
    none = "Nothing was run elsewhere"
    return f"{none}: nothing to run was found there." if found.complete else f"{none}: no budget was left for it."
