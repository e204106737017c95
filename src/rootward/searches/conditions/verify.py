"""Check the rule of a search: measure its accuracy on fresh runs, and notice if every configuration was run.

Fresh runs are configurations that the search never ran. Half of them are configurations that the rule predicts to fail,
half ones that it predicts to pass, as far as both can be found. Some are random, others mix the values of known failing
and passing runs: in a large space, random configurations rarely fail, and known runs lie near the boundary, where a
wrong rule shows. The search runs unchanged; its questions and answers are only recorded.
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
from rootward.verdict import FAIL, PASS, UNRESOLVED, Outcome, Verdict

if TYPE_CHECKING:
    import numpy as np

DRAWS_PER_RUN = 100
"""Maximum number of configurations drawn per fresh run: it may take many draws to find one with the rarer prediction.
The effect was not measured."""


def verify_rule(
    search: Search[Configuration, RuleFinding],
    space: Space,
    failing: Mapping[str, Any] | None,
    *,
    fields: Sequence[str] | None,
    seed: int,
    runs: int,
) -> Search[Configuration, RuleFinding]:
    """Run the search, then measure the balanced accuracy of its rule on at most ``runs`` fresh runs."""
    import numpy as np

    known: list[tuple[Configuration, Verdict]] = []
    found = yield from _record_runs(search, known)
    if not runs or not found.found:
        return found
    seen = {key_of(one): (one, verdict is FAIL) for one, verdict in known}
    fields = list(space) if fields is None else fields
    drawn = _draw(space, failing, fields, list(seen.values()), np.random.default_rng([seed, 0x7E57]))
    fresh: Sequence[Configuration] = both_sides(
        islice(drawn, runs * DRAWS_PER_RUN), found.rule.holds, runs, key=key_of, known=seen
    )
    outcomes = yield from all_of(fresh, best=found, note=f"checking the rule on {len(fresh)} fresh runs")
    return measure_rule(found, fresh, outcomes)


def prove_rule(search: Search[Configuration, RuleFinding], space: Space) -> Search[Configuration, RuleFinding]:
    """Run the search, and mark its rule as proved if every configuration was run and agrees with it."""
    runs: list[tuple[Configuration, Verdict]] = []
    found = yield from _record_runs(search, runs)
    if not found.found or found.gave_up or len({key_of(one) for one, _ in runs}) < space.size:
        return found
    agrees = all(verdict is (FAIL if found.rule.holds(one) else PASS) for one, verdict in runs)
    return replace(found, whole=int(space.size), open=()) if agrees else found


def _record_runs(
    search: Search[Configuration, RuleFinding], runs: list[tuple[Configuration, Verdict]]
) -> Search[Configuration, RuleFinding]:
    """Run the search, and add each run and its verdict to ``runs``."""

    def overhear(ask: Ask[Configuration]) -> Generator[Ask[Configuration], Answers, Answers]:
        answers = yield ask
        for asked, outcome in zip(ask.candidates, answers, strict=True):
            if outcome is not None:
                runs.append((asked.candidate if isinstance(asked, Replay) else asked, outcome.verdict))
        return answers

    return (yield from relay(search, overhear))


def measure_rule(found: RuleFinding, fresh: Sequence[Configuration], outcomes: Sequence[Outcome]) -> RuleFinding:
    """Return the finding with its accuracy on the fresh runs."""
    verdicts = [(one, outcome.verdict) for one, outcome in zip(fresh, outcomes, strict=True)]
    score = found.rule.score(verdicts)
    failed = score.hits + score.misses
    return replace(
        found,
        accuracy=score.balanced_accuracy,
        verified=score.trials,
        fails=found.fails + failed,
        passes=found.passes + score.trials - failed,
        unjudged=found.unjudged + sum(verdict is UNRESOLVED for _, verdict in verdicts),
    )


def _draw(
    space: Space,
    failing: Mapping[str, Any] | None,
    fields: Sequence[str],
    known: Sequence[tuple[Configuration, bool]],
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Yield configurations without end, of four kinds in turn.

    The kinds are: a random configuration, a variation of a known failing run, a variation of a known passing run, and a
    variation of ``failing``.
    """
    values = [one for one, _ in known]
    kinds = ([one for one, failed in known if failed is fails] for fails in (True, False))
    starts: list[Sequence[Configuration]] = [kind for kind in (*kinds, [failing] if failing else []) if kind]

    def other(name: str) -> Any:
        """Return a value from a known run or, equally often, a random one."""
        return values[int(rng.integers(len(values)))][name] if rng.random() < 0.5 else space[name].sample(rng)

    while True:
        yield _order_fields(space, {**(failing or {}), **{name: space[name].sample(rng) for name in fields}})
        for kind in starts:
            one = kind[int(rng.integers(len(kind)))]
            yield _order_fields(space, {**one, **{name: other(name) for name in fields if rng.random() < 0.5}})


def _order_fields(space: Space, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in space}
