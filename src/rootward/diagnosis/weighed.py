"""An explanation from causes and runs: each cause is weighed by the runs inside of it, and what is open is said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rootward.candidate import Configuration
from rootward.diagnosis.beside import left_open, tried
from rootward.diagnosis.diagnosis import Cause, Check, Explanation, claim_of
from rootward.space import Space
from rootward.words import count

Runs = Collection[tuple[Configuration, bool]]
"""What was run, and whether it failed."""


def explained(
    draft: Explanation,
    causes: Sequence[Cause],
    known: Runs,
    space: Space,
    *,
    refuting: Runs,
    unknown: Iterable[str],
    check: Check | None,
    looked: Collection[str] = (),
) -> Explanation:
    """What is known of a failure. ``refuting``: runs that a claim was held against; ``looked``: the fields that the
    rules were learnt on. Where everything was run, nothing is left open."""
    claim, runs = claim_of(causes), [one for one, _ in known]
    against = sum(claim.holds(one) is not fails for one, fails in refuting)
    untrue = [f"It is not true of {count(against, 'run')} of earlier steps."] if against else []
    said = [*unknown, *untrue, *(said for cause in causes for said in cause.open)]
    said += left_open(space, claim, looked, runs)
    return replace(
        draft,
        causes=tuple(_weighed(cause, known) for cause in causes),
        relevant=tuple(name for name in space.names if name in set(claim.fields)),
        seen=tuple(tried(space, claim, runs)) if check is not None else (),
        check=check,
        unknown=() if check is not None and check.whole else tuple(dict.fromkeys(said)),
    )


def _weighed(cause: Cause, known: Runs) -> Cause:
    inside = [fails for one, fails in known if cause.rule.holds(one)]
    return replace(cause, fails=sum(inside), runs=len(inside))
