"""An explanation from causes and runs: each cause is weighed by the runs inside of it, and what is open is said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rootward.candidate import Configuration
from rootward.diagnosis.diagnosis import Cause, Check, Explanation
from rootward.rules import Rule
from rootward.words import count

Runs = Collection[tuple[Configuration, bool]]
"""What was run, and whether it failed."""


def claim_of(causes: Iterable[Cause]) -> Rule:
    """It fails where one of the causes holds."""
    return Rule.of_terms(term for cause in causes for term in cause.rule.terms)


def explained(
    draft: Explanation,
    causes: Sequence[Cause],
    known: Runs,
    *,
    names: Iterable[str],
    refuting: Runs,
    unknown: Iterable[str],
    check: Check | None,
) -> Explanation:
    """What is known of a failure. ``names``: all fields, in their order; ``refuting``: runs that a claim was held
    against. Where everything was run, nothing is left open."""
    claim = claim_of(causes)
    against = sum(claim.holds(one) is not fails for one, fails in refuting)
    untrue = [f"It is not true of {count(against, 'run')} of earlier steps."] if against else []
    said = [*unknown, *untrue, *(said for cause in causes for said in cause.open)]
    return replace(
        draft,
        causes=tuple(_weighed(cause, known) for cause in causes),
        relevant=tuple(name for name in names if name in set(claim.fields)),
        check=check,
        unknown=() if check is not None and check.whole else tuple(dict.fromkeys(said)),
    )


def _weighed(cause: Cause, known: Runs) -> Cause:
    inside = [fails for one, fails in known if cause.rule.holds(one)]
    return replace(cause, fails=sum(inside), runs=len(inside))
