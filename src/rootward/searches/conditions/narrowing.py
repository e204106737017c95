"""Learn a condition on the few fields that matter, if there are many.

The search by boundaries varies all of its fields at once, and with dozens of them the comparisons that fit by chance
outnumber the runs. So the fields that matter are found first, by a search of another family that the caller passes in.
The condition is learnt on these, while the other fields keep their value in the failing configuration. At the end, the
rule is checked on fresh runs in which all fields vary: a field that was overlooked shows there.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rootward.rules import Quantity, Rule
from rootward.search.ask import Answers, Ask, Search
from rootward.search.relay import relay
from rootward.search.repeat import Once
from rootward.searches.conditions.boundaries.boundaries import boundaries
from rootward.searches.conditions.boundaries.tuning import TUNING
from rootward.searches.conditions.facts import FieldsUnknown
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.verify import verify_rule
from rootward.space.candidate import Configuration
from rootward.space.space import Space

MAX_FIELDS = 12
"""Maximum number of fields on which a condition is learnt at once."""


class RelevantFields(Protocol):
    """The result of a search for the fields that matter."""

    @property
    def fields(self) -> Sequence[str]: ...
    @property
    def rule(self) -> Rule: ...


def learn_on_relevant(
    find: Search[Configuration, Any],
    space: Space,
    failing: Mapping[str, Any],
    *,
    fields: Sequence[str],
    seed: int,
    verify: int | None,
    derived: Sequence[Quantity] = (),
) -> Search[Configuration, RuleFinding]:
    """Find the fields that matter, learn the condition on them, and check it on fresh runs in which all fields vary.

    ``find``: the search for the fields that matter; it decides by itself how often to run a configuration.
    ``fields``: all fields that may change. ``verify``: number of fresh runs; None: as many as ``boundaries``.
    ``derived``: quantities that the condition may use, if all of their fields matter.
    """

    def so_far(best: RelevantFields | None) -> RuleFinding:
        rule = Rule.never() if best is None else best.rule
        return RuleFinding(rule=rule, of=len(space), unknown=(FieldsUnknown(len(fields)),))

    def ask(question: Ask[Configuration]) -> Generator[Ask[Configuration], Answers, Answers]:
        return (yield replace(question, best=so_far(question.best), repeat=question.repeat or Once()))

    found: RelevantFields = yield from relay(find, ask)
    known = set(found.fields or fields)
    usable = [one for one in derived if known.issuperset(one.fields)]
    learn = boundaries(space, failing, fields=found.fields or fields, seed=seed, derived=usable)
    runs = TUNING.fresh_runs if verify is None else verify
    return (yield from verify_rule(learn, space, failing, fields=fields, seed=seed, runs=runs))
