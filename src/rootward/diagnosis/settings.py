"""From earlier runs to the combinations of settings that fail: what was run before is where the search begins.

The universe is what the runs have shown: a setting has the values that it had in some run. So fresh runs, too, combine
these values, and no others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from rootward.candidate import key_of
from rootward.diagnosis.conductor import Conductor, View
from rootward.diagnosis.diagnosis import Cause, Explanation, shortened
from rootward.diagnosis.investigation import Investigation, often_enough
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.searches.causes import METHODS
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.past import Past
from rootward.space import Choice, Field, Float, Int, Ordinal, Space, Text
from rootward.verdict import FAIL, UNRESOLVED, Verdict

REMEMBERED = 10_000
"""So many of the earlier runs are looked at for examples."""


def explained(
    conductor: Conductor,
    space: Space,
    history: Iterable[tuple[Mapping[str, Any], Verdict]],
    *,
    view: View,
    rate: float,
    never: Rule | None,
    seed: int,
) -> Generator[Ask[Any], Answers, Explanation]:
    """The combinations that fail, checked on fresh runs."""
    draft = conductor.draft or Explanation()
    universe = _listed(space)
    past = [(dict(one), verdict) for one, verdict in islice(history, REMEMBERED) if verdict is not UNRESOLVED]
    known = {key_of(one): (one, verdict is FAIL) for one, verdict in past}
    inquiry = Investigation(conductor, universe, view=view, rate=rate, never=never, seed=seed, known=known)
    conductor.begin("causes")
    search = Past(space, history, never=never, flaky=rate < 1).told(
        partial(METHODS["bayes"], goal="all", seed=seed, rate=rate)
    )
    by_causes = partial(_drafted, draft, inquiry)
    found: Causes = yield from conductor.search(search, replace(inquiry.view, repeat=often_enough(rate)), by_causes)
    told = f"It fails when {shortened(str(found.rule))}." if found.details else str(found).partition("\n")[0]
    conductor.end(told, found, complete=found.complete)
    claimed = by_causes(found)
    return (yield from inquiry.checked(claimed))


def _drafted(draft: Explanation, inquiry: Investigation, found: Causes) -> Explanation:
    shown = inquiry.example_of
    rules = [Rule([cause.conjunction]) for cause in found.details]
    causes = [Cause(rule, example) for rule in rules if (example := shown(rule)) is not None]
    unknown = [] if found.complete else ["The search for the causes has not ended."]
    left = f"{found.unexplained} failing runs are explained by none of these causes."
    unknown += [left] if found.unexplained and found.complete else []
    return replace(draft, causes=tuple(causes), of=found.of, unknown=tuple(unknown))


def _listed(space: Space) -> Space:
    """The same settings, with the values that were seen and no others."""

    def listed(field: Field) -> Field:
        if isinstance(field, Int | Float):
            return Ordinal(field.values)
        return Choice(field.values) if isinstance(field, Text) else field

    return Space((name, listed(field)) for name, field in space.items())
