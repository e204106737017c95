"""Find the combinations of settings that fail, starting from earlier runs (``searches/causes``).

A setting has only the values that it had in some earlier run, so fresh runs combine these values and no others. The
signatures of earlier failures are not known, so any failure counts.

If the graph of the pipeline is known, it shows where a check inside of it helps most (``place_check``). Runs that end
at that check have its verdict, which says nothing about the end of the pipeline. So a cause that only the check has
shown must be confirmed: a run to the end with the same settings must fail, too (``_CheckRuns``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from rootward.diagnosis.claim import Claim, UnsteadyFailure
from rootward.diagnosis.questions import Routine, StepView, ask, expected_rate, run_search
from rootward.diagnosis.state import MAX_NAMED_FAILURES, DiagnosisState, History
from rootward.diagnosis.steps.other_failures import find_failures
from rootward.diagnosis.steps.verify import verify
from rootward.diagnosis.tuning import TUNING
from rootward.explanation.diagnosis import Explanation, FailureCause
from rootward.explanation.facts import Condition, CutShort, Gap, OnlyAtCheck, Result, SeveralWays, Unexplained
from rootward.facts import Fact
from rootward.rules import Estimate, Rule
from rootward.search.ask import Ask
from rootward.searches.causes import METHODS
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.history import KnownRuns
from rootward.searches.causes.phases import CHECKPOINT, two_phases
from rootward.searches.exploration.failures import Failures
from rootward.space.candidate import Configuration, key_of
from rootward.space.space import Choice, Field, Float, Int, Ordinal, Space, Text
from rootward.verdict import FAIL, UNRESOLVED, Outcome


def place_check(state: DiagnosisState) -> Checkpoint | None:
    """Return the node of the pipeline after which a check helps most. Nothing is run to find it.

    Returns None if there is no such node, or if the subject has no checks.
    """
    pipeline, space = state.study.pipeline, state.study.space
    if pipeline is None or space is None or "instrument" not in state.plan:
        return None
    state.begin("instrument")
    found = pipeline.checkpoint(space)
    used = bool(pipeline.checks) and found.node is not None
    state.end([Result.FOUND, *([Result.CHECK_USED] if used else [])], found)
    return found if used else None


def with_failures(state: DiagnosisState) -> Routine[tuple[History, tuple[Fact, ...]]]:
    """Return the earlier runs, and facts about what they leave open.

    If none of the earlier runs failed, look for failures now and add them to the runs.
    """
    if any(verdict is FAIL for _, verdict in state.history):
        return state.history, ()
    found = (yield from find_failures(state)) if "find" in state.plan else Failures()
    return [*((dict(one.configuration), FAIL) for one in found.failures), *state.history], (Gap.NO_FAILURE_BEFORE,)


def explain_settings(
    state: DiagnosisState,
    history: History,
    unknown: tuple[Fact, ...],
    checkpoint: Checkpoint | None,
    failing: Mapping[str, Any],
    view: StepView,
    rate: Estimate,
) -> Routine[Explanation]:
    """Find the combinations of settings that fail, and check them on fresh runs.

    ``unknown``: facts about what the earlier runs leave open. ``checkpoint``: the place of the subject's check.
    """
    space, draft, often = state.study.space, state.draft or Explanation(), expected_rate(rate)
    assert space is not None
    earlier = islice(history, TUNING.remembered_runs)
    past = [(dict(one), verdict) for one, verdict in earlier if verdict is not UNRESOLVED]
    runs = {key_of(one): (one, verdict is FAIL) for one, verdict in past}
    claim = Claim(
        _list_values(space),
        view=replace(view, reference=None),
        rate=often,
        never=state.study.constraints,
        seed=state.seed,
        runs=runs,
        seeded=state.subject.seeded or len({(key_of(one), verdict is FAIL) for one, verdict in past}) > len(runs),
    )
    found = yield from _find_causes(state, claim, history, checkpoint, draft)
    claim.draft = _make_draft(draft, claim, found)
    claim.causes, claim.unknown = list(claim.draft.causes), list(claim.draft.unknown)
    try:
        yield from verify(state, claim)
    except UnsteadyFailure:
        claim.unknown.append(Gap.FLAKY)
    checked = claim.explanation()
    if len(claim.ways) > 1:
        ways = SeveralWays(len(claim.ways), tuple(name for name, _ in claim.ways.most_common(MAX_NAMED_FAILURES)))
        checked = replace(checked, signature=None, seen=(*checked.seen, ways))
    return replace(checked, unknown=(*checked.unknown, *unknown))


def _find_causes(
    state: DiagnosisState, claim: Claim, history: History, checkpoint: Checkpoint | None, draft: Explanation
) -> Routine[Causes]:
    """Search for the causes, starting from the earlier runs."""
    assert state.study.space is not None
    state.begin("causes")
    earlier = KnownRuns(state.study.space, history, never=claim.never, flaky=claim.rate < 1)
    method = partial(METHODS["bayes"], goal="all", seed=claim.seed, rate=claim.rate)
    if checkpoint is None or not earlier.runs.failing:
        search = earlier.search_with_history(method)
    else:
        search = two_phases(earlier.pipeline, earlier.runs, checkpoint, method)
    runs = _CheckRuns(claim.view)
    found: Causes = yield from run_search(state, search, runs.view, partial(_make_draft, draft, claim))
    yield from runs.run_to_the_end(state, _find_unseen(claim, found))
    state.end([Condition(found.rule) if found.details else Result.FOUND], found, complete=found.complete)
    return found


def _make_draft(draft: Explanation, claim: Claim, found: Causes) -> Explanation:
    causes = [
        FailureCause(rule, example) for rule in _rules_of(found) if (example := claim.example_of(rule)) is not None
    ]
    unknown: list[Fact] = [] if found.complete else [CutShort("causes")]
    unknown += [Unexplained(found.unexplained)] if found.unexplained and found.complete else []
    unknown += [OnlyAtCheck(rule) for rule in _find_unseen(claim, found)]
    return replace(draft, causes=tuple(causes), of=found.of, unknown=tuple(unknown))


def _rules_of(found: Causes) -> list[Rule]:
    return [Rule([cause.conjunction]) for cause in found.details]


def _find_unseen(claim: Claim, found: Causes) -> list[Rule]:
    """Return the rules of those causes that were not shown by any run to the end."""
    return [rule for rule in _rules_of(found) if claim.example_of(rule) is None]


def _list_values(space: Space) -> Space:
    """Return the same settings, restricted to the values that were seen."""

    def list_field(field: Field) -> Field:
        if isinstance(field, Int | Float):
            return Ordinal(field.values)
        return Choice(field.values) if isinstance(field, Text) else field

    return Space((name, list_field(field)) for name, field in space.items())


class _CheckRuns:
    """Separates runs to a check inside of the pipeline from runs to the end."""

    def __init__(self, view: StepView) -> None:
        """``view``: the view that gets the runs to the end."""
        self._view = view
        self._failing: list[Configuration] = []
        """The settings that failed at the check."""

    @property
    def view(self) -> StepView:
        """The given view, except that it does not get the runs to the check."""
        return replace(self._view, on_answer=self._record_run)

    def _record_run(self, key: str, configuration: Configuration, outcome: Outcome) -> None:
        if CHECKPOINT not in configuration:
            self._view.on_answer(key, configuration, outcome)
        elif outcome.verdict is FAIL:
            self._failing.append({name: value for name, value in configuration.items() if name != CHECKPOINT})

    def run_to_the_end(self, state: DiagnosisState, rules: Iterable[Rule]) -> Routine[None]:
        """Run configurations to the end that failed at the check, one for each rule.

        The rule holds for its configuration. A rule without such a configuration is left out.
        """
        shown = (next((one for one in self._failing if rule.holds(one)), None) for rule in rules)
        if runs := [one for one in shown if one is not None]:
            yield from ask(state, Ask(runs, note="does a run to the end fail, too?"), self._view)
