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
from rootward.diagnosis.conductor import Conductor
from rootward.diagnosis.diagnosis import Cause, Explanation, shortened
from rootward.diagnosis.halfway import Halfway
from rootward.diagnosis.investigation import Investigation
from rootward.diagnosis.strangers import NAMED, NAMELESS
from rootward.diagnosis.view import View
from rootward.rules import Rule
from rootward.search import Answers, Ask
from rootward.searches.causes import METHODS
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.past import Past
from rootward.searches.causes.phases import two_phases
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
    checkpoint: Checkpoint | None = None,
    seeded: bool = False,
) -> Generator[Ask[Any], Answers, Explanation]:
    """The combinations that fail, checked on fresh runs. ``checkpoint``: where the subject has a check."""
    draft = conductor.draft or Explanation()
    universe = _listed(space)
    past = [(dict(one), verdict) for one, verdict in islice(history, REMEMBERED) if verdict is not UNRESOLVED]
    known = {key_of(one): (one, verdict is FAIL) for one, verdict in past}
    seeded = seeded or len({(key_of(one), verdict is FAIL) for one, verdict in past}) > len(known)
    options: dict[str, Any] = {"rate": rate, "never": never, "seed": seed, "seeded": seeded}
    inquiry = Investigation(conductor, universe, view=view, known=known, **options)
    conductor.begin("causes")
    earlier = Past(space, history, never=never, flaky=rate < 1)
    method = partial(METHODS["bayes"], goal="all", seed=seed, rate=rate)
    if checkpoint is None or not earlier.runs.failing:
        search = earlier.told(method)
    else:
        search = two_phases(earlier.pipeline, earlier.runs, checkpoint, method)
    halfway = Halfway(inquiry.view)
    by_causes = partial(_drafted, draft, inquiry)
    found: Causes = yield from conductor.search(search, halfway.view, by_causes)
    yield from halfway.to_the_end(conductor, _unseen(inquiry, found))
    told = f"It fails when {shortened(str(found.rule))}." if found.details else found.headline()
    conductor.end(told, found, complete=found.complete)
    checked = yield from inquiry.checked(by_causes(found))
    if len(inquiry.ways) < 2:
        return checked
    ways = ", ".join(name or NAMELESS for name, _ in inquiry.ways.most_common(NAMED))
    said = f"It failed in {len(inquiry.ways)} ways: {ways}. The earlier runs do not say in which, so any counts."
    return replace(checked, signature=None, seen=(*checked.seen, said))


def _drafted(draft: Explanation, inquiry: Investigation, found: Causes) -> Explanation:
    shown = inquiry.example_of
    causes = [Cause(rule, example) for rule in _rules(found) if (example := shown(rule)) is not None]
    unknown = [] if found.complete else ["The search for the causes has not ended."]
    left = f"{found.unexplained} failing runs are explained by none of these causes."
    unknown += [left] if found.unexplained and found.complete else []
    unknown += [f"{rule} fails the check, but no run to the end failed there." for rule in _unseen(inquiry, found)]
    return replace(draft, causes=tuple(causes), of=found.of, unknown=tuple(unknown))


def _rules(found: Causes) -> list[Rule]:
    return [Rule([cause.conjunction]) for cause in found.details]


def _unseen(inquiry: Investigation, found: Causes) -> list[Rule]:
    """Causes that no run to the end has shown."""
    return [rule for rule in _rules(found) if inquiry.example_of(rule) is None]


def _listed(space: Space) -> Space:
    """The same settings, with the values that were seen and no others."""

    def listed(field: Field) -> Field:
        if isinstance(field, Int | Float):
            return Ordinal(field.values)
        return Choice(field.values) if isinstance(field, Text) else field

    return Space((name, listed(field)) for name, field in space.items())
