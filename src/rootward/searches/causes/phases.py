"""A search for causes in two phases, with a check inside the pipeline (BugDoc, section 6).

First come the parameters that can be seen only through the checkpoint, with its check as the verdict: these runs end
there, and nothing after it matters. Then they are fixed to values that pass there, and the others are searched, with
the verdict of the end. What makes the second phase valid is the *isolation property*: where the check passes, whether
the end fails does not depend on the exclusive parameters. So what was run with other values of theirs counts, too,
wherever the check is known to pass; and two such runs that contradict each other show that the check does not isolate.

A candidate of the first phase is a configuration with one more entry, ``checkpoint``, the name of the node: the subject
runs as far as that node and says what its check says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.rules import Conjunction, Rule
from rootward.search.ask import Answers, Ask, Lazily, Replay, Search, has_failed
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
"""The entry that tells the subject where to end."""
MAX_FAILING = 8
"""Maximum number of failing runs of the history that are run at the checkpoint and, with passing values there, at the
end. Not measured."""

Asking = Ask[Configuration]
Row = tuple[Configuration, Verdict | bool]
"""A run of the past."""
Method = Callable[[Pipeline, Runs], Search[Configuration, Causes]]
"""Any search for causes, its options given."""


def two_phases(
    pipeline: Pipeline, runs: Runs, checkpoint: Checkpoint, method: Method, *, checked: Runs | None = None
) -> Search[Configuration, Causes]:
    """The causes that the check shows, and then those that only the end shows.

    ``runs``: what is known of the end; ``checked``: what is known of the check. First of all, known failures are looked
    at in each phase; one in which none of them fails is left out.
    """
    _fit(pipeline, checkpoint)
    if not runs.failing:
        raise InputError("no failing run is known: there is nothing to explain")
    base = (runs.passing or runs.failing)[0]
    first = _Phase(pipeline, checkpoint.exclusive, base, {CHECKPOINT: checkpoint.node})
    shared, upstream = _places(pipeline, checkpoint.row.shared), _places(pipeline, checkpoint.row.params)
    for one, failed in _judged(checked):
        if _at(one, shared) == _at(base, shared):
            first.add(first.own(one), failed)
    yield from first.look([*runs.failing, base])
    yield from first.search(method, Phase(str(checkpoint.node)))
    if not first.passing:
        first.notes.append(Remark.CHECK_NEVER_PASSED)
        return replace(first.best(), complete=False)
    if first.found is not None and first.found.goal == "one" and first.found.causes:
        return first.best()

    fixed = first.whole(_most_common(first, runs))
    second = _Phase(pipeline, checkpoint.others, fixed, {}, first)
    passed = {_at(first.whole(one), upstream) for one in first.passing}
    passed |= {_at(one, upstream) for one, failed in _judged(checked) if not failed}
    yield from second.take([one for one in _judged(runs) if _at(one[0], upstream) in passed])
    yield from second.look([*(one for one in runs.failing if not first.runs.failed(first.own(one))), base])
    if not second.runs.failing:
        yield from second.look([*runs.failing, base])
    values = pipeline.configuration(fixed)
    yield from second.search(method, Phase(None, tuple((name, values[name]) for name in first.pipeline.names)))
    second.remark(checkpoint.row.shared)
    return second.best()


def parted(history: History, node: str | None) -> tuple[list[Row], list[Row]]:
    """What a history says of the end, and what it says of the check at the node: rows with that ``checkpoint``."""
    ends: list[Row] = []
    checks: list[Row] = []
    for configuration, verdict in history:
        if CHECKPOINT not in configuration:
            ends.append((configuration, verdict))
        elif configuration[CHECKPOINT] == node:
            checks.append(({name: value for name, value in configuration.items() if name != CHECKPOINT}, verdict))
    return ends, checks


class _Phase:
    """The search for the causes among some parameters, while the others keep the values of ``base``."""

    def __init__(
        self,
        pipeline: Pipeline,
        names: tuple[str, ...],
        base: Instance,
        mark: Mapping[str, Any],
        before: _Phase | None = None,
    ) -> None:
        self._base, self._before, self._of = base, before, len(pipeline)
        self.places = _places(pipeline, names)
        values = pipeline.configuration(base)
        self.frame = {name: values[name] for name in pipeline.names if name not in set(names)} | dict(mark)
        self.pipeline = _part(pipeline, names, self.frame)
        self.runs = Runs(self.pipeline)
        self.passing: dict[Instance, None] = {}
        """The values that are known to pass, in the order in which they were seen to."""
        self.found: Causes | None = None
        self.notes: list[Fact] = []

    def own(self, instance: Instance) -> Instance:
        """What an instance of all parameters has of these."""
        return _at(instance, self.places)

    def whole(self, own: Instance) -> Instance:
        """The instance of all parameters that these values stand for here."""
        mine = dict(zip(self.places, own, strict=True))
        return tuple(mine.get(i, place) for i, place in enumerate(self._base))

    def add(self, own: Instance, failed: bool) -> None:
        self.runs.add(own, failed)
        if not failed:
            self.passing.setdefault(own)

    def take(self, judged: Iterable[tuple[Instance, bool]]) -> Generator[Asking, Answers, None]:
        """Believe runs with other values than those of the base, too, unless something speaks against it.

        They must not contradict each other, and one that failed must fail with the values of the base.
        """
        mine: dict[Instance, bool] = {}
        others: dict[Instance, bool] = {}
        isolates = True
        for one, failed in judged:
            own = self.own(one)
            isolates &= mine.get(own, failed) == others.get(own, failed) == failed
            (mine if self.whole(own) == one else others)[own] = failed
        for own, failed in mine.items():
            self.add(own, failed)
        failing = [own for own, failed in others.items() if failed and own not in self.runs]
        if isolates and failing and not self.runs.failing:
            yield from self._ask(failing[:1])
            isolates = self.runs.failed(failing[0]) is not False
        if isolates:
            for own in [own for own in others if own not in self.runs]:
                self.add(own, others[own])
        else:
            self.notes.append(Remark.CHECK_DOES_NOT_ISOLATE)

    def look(self, instances: Sequence[Instance]) -> Generator[Asking, Answers, None]:
        """Run what nothing is known of: the first few, and the last one unless something is known to pass."""
        own = list(dict.fromkeys(map(self.own, instances[:-1])))[:MAX_FAILING]
        own += [] if self.passing or self.own(instances[-1]) in own else [self.own(instances[-1])]
        yield from self._ask(own)

    def _ask(self, own: Sequence[Instance]) -> Generator[Asking, Answers, None]:
        if may := [one for one in own if one not in self.runs and self.pipeline.allows(one)]:
            candidates = [self._widened(self.pipeline.configuration(one)) for one in may]
            answers = yield Ask(candidates, best=self.best(), note="looking at runs of the history")
            self._hear(may, answers)

    def search(self, method: Method, here: Phase) -> Generator[Asking, Answers, None]:
        """Search, if there is something to explain and something to compare it with."""
        if not self.runs.failing:
            self.notes.append(replace(here, failed=False))
        elif not self.runs.passing:
            self.notes.append(replace(here, passed=False))
        else:
            self.found = yield from relay(method(self.pipeline, self.runs.copy()), self._ask_widened)
            self.notes.append(replace(here, causes=tuple(self.found.causes)))

    def remark(self, shared: Iterable[str]) -> None:
        """Say which causes are shown for the fixed values alone: the check itself depends on what they name."""
        named = {name for cause in (self.found.causes if self.found else ()) for name in cause.fields}
        if both := sorted(named.intersection(shared)):
            self.notes.append(OnlyForFixed(tuple(both)))

    def best(self) -> Causes:
        """What this phase and the one before have found so far."""
        mine = self.found or Causes()
        mine = replace(mine, notes=(*mine.notes, *self.notes), of=self._of, history=None)  # it is of a part only
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

    def _ask_widened(self, ask: Asking) -> Generator[Asking, Answers, Answers]:
        """Ask for whole configurations."""
        self.found = cast(Causes | None, ask.best)
        asked = ask.candidates
        answers = yield replace(
            ask, candidates=self._all_widened(asked), ahead=map(self._widened, ask.ahead), best=self.best()
        )
        self._hear([self._instance(one) for one in asked], answers)
        return answers

    def _all_widened(self, asked: Sequence[Any]) -> Sequence[Any]:
        return Lazily(len(asked), lambda at: self._widened(asked[at]))

    def _widened(self, candidate: Configuration | Replay[Configuration]) -> Any:
        if isinstance(candidate, Replay):
            return replace(candidate, candidate=self._widened(candidate.candidate))
        return {**self.frame, **candidate}

    def _instance(self, candidate: Configuration | Replay[Configuration]) -> Instance | None:
        return self.pipeline.encode(candidate.candidate if isinstance(candidate, Replay) else candidate)

    def _hear(self, asked: Iterable[Instance | None], answers: Answers) -> None:
        for own, outcome in zip(asked, answers, strict=True):
            if own is None or outcome is None or (fails := has_failed(outcome)) is None:
                continue
            self.runs.add(own, fails)
            if outcome.verdict is PASS:
                self.passing.setdefault(own)


def _fit(pipeline: Pipeline, checkpoint: Checkpoint) -> None:
    if CHECKPOINT in pipeline.names:
        raise InputError(f"{CHECKPOINT!r} tells the subject where to end: no parameter can be called so")
    for name in sorted({*pipeline.names} ^ {*checkpoint.params}):
        knows = "the checkpoint" if name in pipeline.names else "the space"
        raise InputError(f"{knows} does not know the parameter {name!r}: both need the same parameters")
    if not checkpoint.exclusive or not checkpoint.others:
        raise InputError(
            f"{checkpoint.node!r} does not part the parameters in two: a check helps elsewhere, or nowhere"
        )


def _part(pipeline: Pipeline, names: Iterable[str], frame: Mapping[str, Any]) -> Pipeline:
    """The pipeline of these parameters, the others being fixed; values have the places that they have in the whole."""
    cost, seen = pipeline.cost, dict(zip(pipeline.names, pipeline.values, strict=True))
    return Pipeline(
        pipeline.space.restrict(names),
        seen,
        never=None if pipeline.never is None else _left_of(pipeline.never, frame),
        cost=None if cost is None else lambda own: cost({**frame, **own}),
    )


def _left_of(rule: Rule, frame: Mapping[str, Any]) -> Rule:
    """What a rule says of other fields, given these."""
    open_ = [one for one in rule.conjunctions if all(a.accepts(frame[a.field]) for a in one if a.field in frame)]
    return Rule(Conjunction(atom for atom in one if atom.field not in frame) for one in open_)


def _most_common(first: _Phase, runs: Runs) -> Instance:
    """Of the values that pass, those that most runs have: they need not be made anew."""
    counts = Counter(first.own(one) for one, _ in _judged(runs))
    return max(first.passing, key=lambda own: counts[own])


def _judged(runs: Runs | None) -> list[tuple[Instance, bool]]:
    return [] if runs is None else [(one, True) for one in runs.failing] + [(one, False) for one in runs.passing]


def _places(pipeline: Pipeline, names: Iterable[str]) -> list[int]:
    own = set(names)
    return [place for place, name in enumerate(pipeline.names) if name in own]


def _at(instance: Instance, places: Iterable[int]) -> Instance:
    return tuple(instance[place] for place in places)
