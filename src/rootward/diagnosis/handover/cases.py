"""What a regression test runs: inputs that failed, and inputs next to them that passed.

Each cause gives the example that failed because of it, and runs on either side of its border: whoever mends the fault
must neither miss it nor shift it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rootward.candidate import key_of
from rootward.diagnosis.diagnosis import Cause, Diagnosis, Explanation
from rootward.errors import InputError
from rootward.rules import Rule
from rootward.searches.conditions.rule_finding import Edge, RuleFinding
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.patch import PatchedSettings

EDGES = 3
"""So many places at the border of a cause are tried again."""


@dataclass(frozen=True)
class Case:
    """One input, and what it did."""

    name: str
    candidate: Any
    fails: bool
    failure: int
    """Which of the failures it shows, or is next to, counted from 1."""


def cases(diagnosis: Diagnosis) -> list[Case]:
    """Those of every cause, each input once."""
    found: dict[str, Case] = {}
    for number, explanation in enumerate(diagnosis.explanations, 1):
        edges = [
            edge for step in diagnosis.steps if isinstance(step.finding, RuleFinding) for edge in step.finding.edges
        ]
        for name, candidate, fails in _of(explanation, edges):
            several = f"failure-{number}-{name}" if len(diagnosis.explanations) > 1 else name
            found.setdefault(key_of(candidate), Case(several, candidate, fails, number))
    return list(found.values())


def _of(explanation: Explanation, edges: list[Edge]) -> Iterator[tuple[str, Any, bool]]:
    if explanation.failing is not None:
        yield "smallest", explanation.failing, True
    beside = explanation.settings
    for detail in explanation.details:
        if isinstance(detail, BadRows) and detail.passes:
            patch = detail.patch
            yield "repaired", patch if beside is None else PatchedSettings(beside, patch), False
    show = explanation.show
    for number, cause in enumerate(explanation.causes, 1):
        yield f"cause-{number}", show(cause.example), True
        for place, edge in enumerate(_at_border(cause, explanation.rule, edges), 1):
            yield f"cause-{number}-border-{place}", show({**cause.example, **edge.fails}), True
            yield f"beside-cause-{number}-{place}", show({**cause.example, **edge.passes}), False


def _at_border(cause: Cause, whole: Rule, edges: list[Edge]) -> list[Edge]:
    """Runs that show where the cause begins, and agree with the explanation."""
    own = [edge for edge in edges if _holds(cause.rule, edge.fails) and _holds(whole, edge.passes) is False]
    chosen: list[Edge] = []
    known, changed = {key_of(cause.example)}, set[tuple[str, ...]]()
    while own and len(chosen) < EDGES:  # each says something that the others do not, as far as possible
        best = min(own, key=lambda edge: (edge.changed in changed, _key(cause, edge) in known))
        own.remove(best)
        chosen.append(best)
        known.add(_key(cause, best))
        changed.add(best.changed)
    return chosen


def _key(cause: Cause, edge: Edge) -> str:
    return key_of({**cause.example, **edge.fails})


def _holds(rule: Rule, configuration: Mapping[str, Any]) -> bool | None:
    """None if the configuration does not say."""
    try:
        return rule.holds(configuration)
    except InputError:
        return None
