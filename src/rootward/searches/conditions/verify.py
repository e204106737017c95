"""A rule is measured on runs that it was not made from.

Half of the fresh runs are made where the rule says that it fails, half where it says that it passes, as far as such
configurations are met. They are random ones, and mixtures of known runs, failing and passing ones alike: in a wide
space failures are rare, and what was seen lies near the border. The search itself is left as it is; what it asks is
only overheard.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from rootward.search.ask import Answers, Ask, Replay, Search, all_of
from rootward.search.refutation import both_sides
from rootward.search.relay import relay
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.space.candidate import Configuration, key_of
from rootward.space.space import Space
from rootward.verdict import FAIL, UNRESOLVED, Outcome

if TYPE_CHECKING:
    import numpy as np

DRAWS_PER_RUN = 100
"""Configurations drawn for each fresh run that is wanted; those of the rarer kind are hard to meet. Not measured."""


def verified(
    search: Search[Configuration, RuleFinding],
    space: Space,
    failing: Mapping[str, Any] | None,
    *,
    fields: Sequence[str] | None,
    seed: int,
    runs: int,
) -> Search[Configuration, RuleFinding]:
    """The search, and then at most ``runs`` fresh runs that measure the balanced accuracy of its rule."""
    import numpy as np

    seen: dict[str, tuple[Configuration, bool]] = {}

    def overhear(ask: Ask[Configuration]) -> Generator[Ask[Configuration], Answers, Answers]:
        answers = yield ask
        for asked, outcome in zip(ask.candidates, answers, strict=True):
            if outcome is not None:
                one = asked.candidate if isinstance(asked, Replay) else asked
                seen[key_of(one)] = one, outcome.verdict is FAIL
        return answers

    found = yield from relay(search, overhear)
    if not runs or not found.found:
        return found
    fields = list(space) if fields is None else fields
    drawn = _drawn(space, failing, fields, list(seen.values()), np.random.default_rng([seed, 0x7E57]))
    fresh: Sequence[Configuration] = both_sides(
        islice(drawn, runs * DRAWS_PER_RUN), found.rule.holds, runs, key=key_of, known=seen
    )
    outcomes = yield from all_of(fresh, best=found, note=f"is it true? {len(fresh)} fresh runs")
    return measured(found, fresh, outcomes)


def measured(found: RuleFinding, fresh: Sequence[Configuration], outcomes: Sequence[Outcome]) -> RuleFinding:
    """The finding with what fresh runs tell about it."""
    told = [(one, outcome.verdict) for one, outcome in zip(fresh, outcomes, strict=True)]
    score = found.rule.score(told)
    failed = score.hits + score.misses
    return replace(
        found,
        accuracy=score.balanced_accuracy,
        verified=score.trials,
        fails=found.fails + failed,
        passes=found.passes + score.trials - failed,
        unjudged=found.unjudged + sum(verdict is UNRESOLVED for _, verdict in told),
    )


def _drawn(
    space: Space,
    failing: Mapping[str, Any] | None,
    fields: Sequence[str],
    known: Sequence[tuple[Configuration, bool]],
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Without end: in turn, any configuration, and a change of one that failed, of one that did not, and of the one
    that the user knows."""
    values = [one for one, _ in known]
    kinds = ([one for one, failed in known if failed is fails] for fails in (True, False))
    starts: list[Sequence[Configuration]] = [kind for kind in (*kinds, [failing] if failing else []) if kind]

    def other(name: str) -> Any:
        """A value of another run, or any."""
        return values[int(rng.integers(len(values)))][name] if rng.random() < 0.5 else space[name].sample(rng)

    while True:
        yield _ordered(space, {**(failing or {}), **{name: space[name].sample(rng) for name in fields}})
        for kind in starts:
            one = kind[int(rng.integers(len(kind)))]
            yield _ordered(space, {**one, **{name: other(name) for name in fields if rng.random() < 0.5}})


def _ordered(space: Space, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in space}
