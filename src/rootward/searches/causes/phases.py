"""A search for causes in two phases, with a check inside the pipeline (BugDoc, section 6).

A check at a node splits the parameters in two: the *exclusive* ones, which reach the end of the pipeline only through
that node, and the others. Searching one after the other is much cheaper than searching all combinations.

1. The exclusive parameters, with the check as the verdict. These runs stop at the checkpoint, and nothing after it
   matters. The other parameters keep the values of one known run.
2. The other parameters, with the verdict of the end. The exclusive ones are fixed to values that pass the check.

The second phase is valid because of the *isolation property*: where the check passes, the verdict of the end does not
depend on the exclusive parameters. So known runs with other exclusive values count, too, if the check is known to pass
for them. If two such runs contradict each other, the check does not isolate: the finding says so, and only runs with
the fixed values are used.

Each phase is an ordinary search for causes (any method) over its own parameters. The phase turns the questions of the
search into whole configurations and its answers back. A phase in which no known failure fails, or nothing passes, is
skipped with a note. A candidate of the first phase is a configuration with one more entry, ``checkpoint``, the name of
the node: the subject runs as far as that node and returns the verdict of its check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.rules import Conjunction, Rule
from rootward.search.ask import Answers, Ask, LazyCandidates, Replay, Search, has_failed
from rootward.search.design import Instance
from rootward.search.relay import relay
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.facts import OnlyForFixed, Phase, Remark
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import History, Runs
from rootward.space.candidate import Configuration
from rootward.verdict import PASS, Verdict

CHECKPOINT = "checkpoint"
"""The entry of a configuration that tells the subject where to stop."""
MAX_FAILING = 8
"""Maximum number of failing runs of the history to run at the checkpoint and, with values that pass there, at the end.
Not measured."""

Asking = Ask[Configuration]
Row = tuple[Configuration, Verdict | bool]
"""An earlier run: a configuration and its verdict."""
Method = Callable[[Pipeline, Runs], Search[Configuration, Causes]]
"""Any search for causes with its options already given."""


def two_phases(
    pipeline: Pipeline, runs: Runs, checkpoint: Checkpoint, method: Method, *, checked: Runs | None = None
) -> Search[Configuration, Causes]:
    """Find the causes that the check shows, then the causes that only the end shows.

    ``runs``: the known verdicts of the end. ``checked``: the known verdicts of the check. Each phase first runs some
    known failures. It is skipped if none of them fails in this phase.
    """
    _check_fit(pipeline, checkpoint)
    if not runs.failing:
        raise InputError("no failing run is known, so there is nothing to explain: give a history with a failing run")
    base = (runs.passing or runs.failing)[0]
    first = _Phase(pipeline, checkpoint.exclusive, base, {CHECKPOINT: checkpoint.node})
    shared, upstream = _find_places(pipeline, checkpoint.row.shared), _find_places(pipeline, checkpoint.row.params)
    for one, failed in _list_verdicts(checked):
        if _pick(one, shared) == _pick(base, shared):
            first.add(first.select_own(one), failed)
    yield from first.run_unknown([*runs.failing, base])
    yield from first.search(method, Phase(str(checkpoint.node)))
    if not first.passing:
        first.notes.append(Remark.CHECK_NEVER_PASSED)
        return replace(first.best(), complete=False)
    if first.found is not None and first.found.goal == "one" and first.found.causes:
        return first.best()

    fixed = first.complete_instance(_choose_fixed(first, runs))
    second = _Phase(pipeline, checkpoint.others, fixed, {}, first)
    passed = {_pick(first.complete_instance(one), upstream) for one in first.passing}
    passed |= {_pick(one, upstream) for one, failed in _list_verdicts(checked) if not failed}
    yield from second.add_known([one for one in _list_verdicts(runs) if _pick(one[0], upstream) in passed])
    yield from second.run_unknown(
        [*(one for one in runs.failing if not first.runs.has_failed(first.select_own(one))), base]
    )
    if not second.runs.failing:
        yield from second.run_unknown([*runs.failing, base])
    values = pipeline.configuration(fixed)
    yield from second.search(method, Phase(None, tuple((name, values[name]) for name in first.pipeline.names)))
    second.remark(checkpoint.row.shared)
    return second.best()


def split_history(history: History, node: str | None) -> tuple[list[Row], list[Row]]:
    """Split a history into runs to the end and runs to the check at ``node``.

    Runs to the check have an entry ``checkpoint``.
    """
    ends: list[Row] = []
    checks: list[Row] = []
    for configuration, verdict in history:
        if CHECKPOINT not in configuration:
            ends.append((configuration, verdict))
        elif configuration[CHECKPOINT] == node:
            checks.append(({name: value for name, value in configuration.items() if name != CHECKPOINT}, verdict))
    return ends, checks


class _Phase:
    """The search for causes among the parameters ``names``. All other parameters keep the values of ``base``."""

    def __init__(
        self,
        pipeline: Pipeline,
        names: tuple[str, ...],
        base: Instance,
        mark: Mapping[str, Any],
        before: _Phase | None = None,
    ) -> None:
        self._base, self._before, self._of = base, before, len(pipeline)
        self.places = _find_places(pipeline, names)
        values = pipeline.configuration(base)
        self.frame = {name: values[name] for name in pipeline.names if name not in set(names)} | dict(mark)
        self.pipeline = _restrict_pipeline(pipeline, names, self.frame)
        self.runs = Runs(self.pipeline)
        self.passing: dict[Instance, None] = {}
        """Values of this phase's parameters that are known to pass, in the order of their runs."""
        self.found: Causes | None = None
        self.notes: list[Fact] = []

    def select_own(self, instance: Instance) -> Instance:
        """Return the part of an instance that belongs to this phase: the values of its parameters."""
        return _pick(instance, self.places)

    def complete_instance(self, own: Instance) -> Instance:
        """Return the whole instance for the values ``own`` of this phase's parameters.

        All other parameters have the values of the base.
        """
        mine = dict(zip(self.places, own, strict=True))
        return tuple(mine.get(i, place) for i, place in enumerate(self._base))

    def add(self, own: Instance, failed: bool) -> None:
        self.runs.add(own, failed)
        if not failed:
            self.passing.setdefault(own)

    def add_known(self, judged: Iterable[tuple[Instance, bool]]) -> Generator[Asking, Answers, None]:
        """Add known runs to the runs of this phase.

        Runs in which other parameters differ from the base are added only if the check isolates. It isolates if known
        runs with the same values of this phase's parameters have the same verdict, and if a failing one also fails with
        the values of the base. If it does not isolate, a note is added.
        """
        mine: dict[Instance, bool] = {}
        others: dict[Instance, bool] = {}
        isolates = True
        for one, failed in judged:
            own = self.select_own(one)
            isolates &= mine.get(own, failed) == others.get(own, failed) == failed
            (mine if self.complete_instance(own) == one else others)[own] = failed
        for own, failed in mine.items():
            self.add(own, failed)
        failing = [own for own, failed in others.items() if failed and own not in self.runs]
        if isolates and failing and not self.runs.failing:
            yield from self._ask(failing[:1])
            isolates = self.runs.has_failed(failing[0]) is not False
        if isolates:
            for own in [own for own in others if own not in self.runs]:
                self.add(own, others[own])
        else:
            self.notes.append(Remark.CHECK_DOES_NOT_ISOLATE)

    def run_unknown(self, instances: Sequence[Instance]) -> Generator[Asking, Answers, None]:
        """Run the first few instances that are not known.

        The last instance is run only if nothing is known to pass.
        """
        own = list(dict.fromkeys(map(self.select_own, instances[:-1])))[:MAX_FAILING]
        own += [] if self.passing or self.select_own(instances[-1]) in own else [self.select_own(instances[-1])]
        yield from self._ask(own)

    def _ask(self, own: Sequence[Instance]) -> Generator[Asking, Answers, None]:
        if may := [one for one in own if one not in self.runs and self.pipeline.allows(one)]:
            candidates = [self._widen(self.pipeline.configuration(one)) for one in may]
            answers = yield Ask(candidates, best=self.best(), note="running combinations from the history")
            self._record(may, answers)

    def search(self, method: Method, here: Phase) -> Generator[Asking, Answers, None]:
        """Search if both a failing and a passing run are known; otherwise add a note."""
        if not self.runs.failing:
            self.notes.append(replace(here, failed=False))
        elif not self.runs.passing:
            self.notes.append(replace(here, passed=False))
        else:
            self.found = yield from relay(method(self.pipeline, self.runs.copy()), self._ask_whole)
            self.notes.append(replace(here, causes=tuple(self.found.causes)))

    def remark(self, shared: Iterable[str]) -> None:
        """Note the settings that a cause names although the check depends on them, too.

        A cause that names such a setting is shown only for the fixed values.
        """
        named = {name for cause in (self.found.causes if self.found else ()) for name in cause.fields}
        if both := sorted(named.intersection(shared)):
            self.notes.append(OnlyForFixed(tuple(both)))

    def best(self) -> Causes:
        """Return the findings of this phase and of the phase before it, if there was one."""
        mine = self.found or Causes()
        mine = replace(mine, notes=(*mine.notes, *self.notes), of=self._of, history=None)  # of some parameters only
        if self._before is None:
            return mine
        its = self._before.best()
        return replace(
            its if self.found is None else mine,
            details=its.details + mine.details,
            complete=its.complete and mine.complete,
            failing=its.failing + mine.failing,
            unexplained=its.unexplained + mine.unexplained,
            passing=its.passing + mine.passing,
            guarantee=its.guarantee + mine.guarantee,
            notes=its.notes + mine.notes,
        )

    def _ask_whole(self, ask: Asking) -> Generator[Asking, Answers, Answers]:
        """Ask for whole configurations, and record the answers."""
        self.found = cast(Causes | None, ask.best)
        asked = ask.candidates
        answers = yield replace(
            ask, candidates=self._widen_all(asked), ahead=map(self._widen, ask.ahead), best=self.best()
        )
        self._record([self._instance(one) for one in asked], answers)
        return answers

    def _widen_all(self, asked: Sequence[Any]) -> Sequence[Any]:
        return LazyCandidates(len(asked), lambda at: self._widen(asked[at]))

    def _widen(self, candidate: Configuration | Replay[Configuration]) -> Any:
        if isinstance(candidate, Replay):
            return replace(candidate, candidate=self._widen(candidate.candidate))
        return {**self.frame, **candidate}

    def _instance(self, candidate: Configuration | Replay[Configuration]) -> Instance | None:
        return self.pipeline.encode(candidate.candidate if isinstance(candidate, Replay) else candidate)

    def _record(self, asked: Iterable[Instance | None], answers: Answers) -> None:
        for own, outcome in zip(asked, answers, strict=True):
            if own is None or outcome is None or (fails := has_failed(outcome)) is None:
                continue
            self.runs.add(own, fails)
            if outcome.verdict is PASS:
                self.passing.setdefault(own)


def _check_fit(pipeline: Pipeline, checkpoint: Checkpoint) -> None:
    if CHECKPOINT in pipeline.names:
        raise InputError(
            f"{CHECKPOINT!r} tells the subject where to stop, so no parameter can have this name: rename the parameter"
        )
    for name in sorted({*pipeline.names} ^ {*checkpoint.params}):
        missing = "the checkpoint" if name in pipeline.names else "the space"
        raise InputError(f"{missing} does not have the parameter {name!r}: both need the same parameters")
    if not checkpoint.exclusive or not checkpoint.others:
        raise InputError(
            f"a check at {checkpoint.node!r} does not split the parameters in two: choose another node, or use no check"
        )


def _restrict_pipeline(pipeline: Pipeline, names: Iterable[str], frame: Mapping[str, Any]) -> Pipeline:
    """Return the pipeline of the parameters ``names``, with all others fixed to the values in ``frame``.

    Values keep the places that they have in the whole pipeline.
    """
    cost, seen = pipeline.cost, dict(zip(pipeline.names, pipeline.values, strict=True))
    return Pipeline(
        pipeline.space.restrict(names),
        seen,
        never=None if pipeline.never is None else _restrict_rule(pipeline.never, frame),
        cost=None if cost is None else lambda own: cost({**frame, **own}),
    )


def _restrict_rule(rule: Rule, frame: Mapping[str, Any]) -> Rule:
    """Return the part of a rule that is still open after the fields of ``frame`` are fixed to their values."""
    open_ = [one for one in rule.conjunctions if all(a.accepts(frame[a.field]) for a in one if a.field in frame)]
    return Rule(Conjunction(atom for atom in one if atom.field not in frame) for one in open_)


def _choose_fixed(first: _Phase, runs: Runs) -> Instance:
    """Return the values for the first phase's parameters that are kept in the second phase.

    These are the passing values that occur in most known runs, because such runs need not be repeated.
    """
    counts = Counter(first.select_own(one) for one, _ in _list_verdicts(runs))
    return max(first.passing, key=lambda own: counts[own])


def _list_verdicts(runs: Runs | None) -> list[tuple[Instance, bool]]:
    return [] if runs is None else [(one, True) for one in runs.failing] + [(one, False) for one in runs.passing]


def _find_places(pipeline: Pipeline, names: Iterable[str]) -> list[int]:
    own = set(names)
    return [place for place, name in enumerate(pipeline.names) if name in own]


def _pick(instance: Instance, places: Iterable[int]) -> Instance:
    return tuple(instance[place] for place in places)
