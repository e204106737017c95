"""Which combinations of settings fail? What was run before is where the search begins (``searches/causes``).

The universe is what the runs have shown: a setting has the values that it had in some run. So fresh runs, too, combine
these values, and no others. What the earlier runs failed of is not known, so any failure counts.

If the graph of the pipeline is known, it says where a check inside of it helps most (``place_check``). Runs that end at
that check say what the check says, and nothing of the end. A cause that only the check has shown is no cause yet: a run
to the end, with the same settings, has to fail, too (``Halfway``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from rootward.diagnosis.claim import Claim, Unsteady
from rootward.diagnosis.questions import Doing, View, ask, expected, run_search
from rootward.diagnosis.state import NAMED, History, State
from rootward.diagnosis.steps.other_failures import find_failures
from rootward.diagnosis.steps.verify import verify
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Cause, Explanation
from rootward.explanation.facts import Condition, Gap, OnlyAtCheck, Result, SeveralWays, Unended, Unexplained
from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.search.ask import Ask
from rootward.searches.causes import METHODS
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.history import Past
from rootward.searches.causes.phases import CHECKPOINT, two_phases
from rootward.searches.exploration.failures import Failures
from rootward.space.candidate import Configuration, key_of
from rootward.space.space import Choice, Field, Float, Int, Ordinal, Space, Text
from rootward.verdict import FAIL, UNRESOLVED, Outcome


def place_check(state: State) -> Checkpoint | None:
    """Where a check helps most, if the subject has one there: a step that runs nothing."""
    pipeline, space = state.study.pipeline, state.study.space
    if pipeline is None or space is None or "instrument" not in state.plan:
        return None
    state.begin("instrument")
    found = pipeline.checkpoint(space)
    used = bool(pipeline.checks) and found.node is not None
    state.end([Result.FOUND, *([Result.CHECK_USED] if used else [])], found)
    return found if used else None


def with_failures(state: State) -> Doing[tuple[History, tuple[Fact, ...]]]:
    """The earlier runs; if none of them failed, with failures that are looked for now, and what that leaves open."""
    if any(verdict is FAIL for _, verdict in state.history):
        return state.history, ()
    found = (yield from find_failures(state)) if "find" in state.plan else Failures()
    return [*((dict(one.configuration), FAIL) for one in found.failures), *state.history], (Gap.NO_FAILURE_BEFORE,)


def explain_settings(
    state: State,
    history: History,
    unknown: tuple[Fact, ...],
    checkpoint: Checkpoint | None,
    failing: Mapping[str, Any],
    view: View,
    rate: Estimate,
) -> Doing[Explanation]:
    """The combinations that fail, checked on fresh runs.

    ``unknown``: what the earlier runs leave open. ``checkpoint``: where the subject has a check.
    """
    space, draft, often = state.study.space, state.draft or Explanation(), expected(rate)
    assert space is not None
    earlier = islice(history, TUNING.remembered_runs)
    past = [(dict(one), verdict) for one, verdict in earlier if verdict is not UNRESOLVED]
    runs = {key_of(one): (one, verdict is FAIL) for one, verdict in past}
    claim = Claim(
        _listed(space),
        view=replace(view, reference=None),
        rate=often,
        never=state.study.constraints,
        seed=state.seed,
        runs=runs,
        seeded=state.subject.seeded or len({(key_of(one), verdict is FAIL) for one, verdict in past}) > len(runs),
    )
    found = yield from _find_causes(state, claim, history, checkpoint, draft)
    claim.draft = _drafted(draft, claim, found)
    claim.causes, claim.unknown = list(claim.draft.causes), list(claim.draft.unknown)
    try:
        yield from verify(state, claim)
    except Unsteady:
        claim.unknown.append(Gap.FLAKY)
    checked = claim.explanation()
    if len(claim.ways) > 1:
        ways = SeveralWays(len(claim.ways), tuple(name for name, _ in claim.ways.most_common(NAMED)))
        checked = replace(checked, signature=None, seen=(*checked.seen, ways))
    return replace(checked, unknown=(*checked.unknown, *unknown))


def _find_causes(
    state: State, claim: Claim, history: History, checkpoint: Checkpoint | None, draft: Explanation
) -> Doing[Causes]:
    """Search for the causes, from earlier runs on."""
    assert state.study.space is not None
    state.begin("causes")
    earlier = Past(state.study.space, history, never=claim.never, flaky=claim.rate < 1)
    method = partial(METHODS["bayes"], goal="all", seed=claim.seed, rate=claim.rate)
    if checkpoint is None or not earlier.runs.failing:
        search = earlier.told(method)
    else:
        search = two_phases(earlier.pipeline, earlier.runs, checkpoint, method)
    halfway = Halfway(claim.view)
    found: Causes = yield from run_search(state, search, halfway.view, partial(_drafted, draft, claim))
    yield from halfway.to_the_end(state, _unseen(claim, found))
    state.end([Condition(found.rule) if found.details else Result.FOUND], found, complete=found.complete)
    return found


def _drafted(draft: Explanation, claim: Claim, found: Causes) -> Explanation:
    shown = claim.example_of
    causes = [Cause(rule, example) for rule in _rules(found) if (example := shown(rule)) is not None]
    unknown: list[Fact] = [] if found.complete else [Unended("causes")]
    unknown += [Unexplained(found.unexplained)] if found.unexplained and found.complete else []
    unknown += [OnlyAtCheck(rule) for rule in _unseen(claim, found)]
    return replace(draft, causes=tuple(causes), of=found.of, unknown=tuple(unknown))


def _rules(found: Causes) -> list[Rule]:
    return [Rule([cause.conjunction]) for cause in found.details]


def _unseen(claim: Claim, found: Causes) -> list[Rule]:
    """Causes that no run to the end has shown."""
    return [rule for rule in _rules(found) if claim.example_of(rule) is None]


def _listed(space: Space) -> Space:
    """The same settings, with the values that were seen and no others."""

    def listed(field: Field) -> Field:
        if isinstance(field, Int | Float):
            return Ordinal(field.values)
        return Choice(field.values) if isinstance(field, Text) else field

    return Space((name, listed(field)) for name, field in space.items())


class Halfway:
    """Keeps runs to a check inside of the pipeline apart from those to the end."""

    def __init__(self, view: View) -> None:
        """``view``: hears of runs to the end."""
        self._view = view
        self._failing: list[Configuration] = []
        """What failed at the check."""

    @property
    def view(self) -> View:
        """The same view, which hears of no runs to the check."""
        return replace(self._view, heard=self._hear)

    def _hear(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        if CHECKPOINT not in configuration:
            self._view.heard(key, configuration, outcome)
        elif outcome.verdict is FAIL:
            self._failing.append({name: value for name, value in configuration.items() if name != CHECKPOINT})

    def to_the_end(self, state: State, rules: Iterable[Rule]) -> Doing[None]:
        """Run to the end what failed at the check, for each of these rules that it shows."""
        shown = (next((one for one in self._failing if rule.holds(one)), None) for rule in rules)
        if runs := [one for one in shown if one is not None]:
            yield from ask(state, Ask(runs, note="does the end fail, too?"), self._view)
