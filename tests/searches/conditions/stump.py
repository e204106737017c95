"""A search that is as simple as can be: one comparison of one field, the best for some random runs.

It stands in for the real ones where a test is about what surrounds a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rootward.rules import Atom, Rule
from rootward.search.ask import Ask, Search
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.space.candidate import Configuration
from rootward.space.space import Space
from rootward.verdict import FAIL, UNRESOLVED

ASKED: list[dict[str, Any]] = []
"""The options of each search that was made."""


def stump(
    space: Space,
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Sequence[str] | None = None,
    seed: int = 0,
    verify: int | None = None,
) -> Search[Configuration, RuleFinding]:
    ASKED.append({"failing": failing, "fields": fields, "seed": seed, "verify": verify})
    return _search(space, failing, fields, seed)


def _search(space: Space, failing: Any, fields: Any, seed: int) -> Search[Configuration, RuleFinding]:
    rng = np.random.default_rng(seed)
    seen: list[tuple[dict[str, Any], bool]] = []
    unjudged = 0
    for _ in range(5):
        batch = [failing] if failing and not seen else []
        batch += [space.sample(rng) for _ in range(6)]
        if fields is not None:
            batch = [{**failing, **{name: one[name] for name in fields}} for one in batch]
        answers = yield Ask(batch, best=_finding(space, seen, unjudged))
        verdicts = [outcome.verdict for outcome in answers if outcome is not None]
        unjudged += verdicts.count(UNRESOLVED)
        pairs = zip(batch, verdicts, strict=True)
        seen += [(one, verdict is FAIL) for one, verdict in pairs if verdict is not UNRESOLVED]
    return _finding(space, seen, unjudged)


def _finding(space: Space, seen: list[tuple[dict[str, Any], bool]], unjudged: int) -> RuleFinding:
    fails = sum(failed for _, failed in seen)
    return RuleFinding(
        rule=max(_rules(seen), key=lambda rule: sum(rule.holds(one) == failed for one, failed in seen)),
        of=len(space),
        fails=fails,
        passes=len(seen) - fails,
        unjudged=unjudged,
    )


def _rules(seen: list[tuple[dict[str, Any], bool]]) -> Iterator[Rule]:
    yield from (Rule.never(), Rule.always())
    for one, _ in seen:
        for name, value in one.items():
            ordered = isinstance(value, int | float) and not isinstance(value, bool)
            for op in ("=", ">=", "<=") if ordered else ("=",):
                yield Rule([[Atom(name, op, value)]])
