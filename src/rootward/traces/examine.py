"""Examine one trace: find its faults, prove, explain and describe each, and test which changes of the model explain
them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from rootward.traces.fault import Describer, Fault
from rootward.traces.grouping.mutant import SPANNING, Difference, Mutant
from rootward.traces.grouping.mutants import drop_writes, mutants
from rootward.traces.grouping.timing import Timing, make_occasion
from rootward.traces.limits import LimitReached, Limits, Work
from rootward.traces.model.event import REQUEST, Event, Step, Trace
from rootward.traces.model.model import Model
from rootward.traces.proving.claim import find_mentioned
from rootward.traces.proving.explain import Explainer, Root, find_roots, keep_everything
from rootward.traces.proving.proof import Prover
from rootward.traces.running.engine import Engine, TooManyStates
from rootward.traces.running.part import remember
from rootward.traces.running.replay import Stretch, Witness, find_stretches, split_steps

MAX_CACHED_CHANGES = 300
"""Maximum number of changed models in the cache."""
MAX_CACHED_MESSAGES = 100_000
"""Maximum number of messages in the traces whose replays are cached."""
MAX_FAULTS = 20
"""Maximum number of faults looked for in one trace; after that many, the rest tells nothing new."""


class _Replay(NamedTuple):
    """The stretches of a trace, or only the first of them."""

    trace: Trace
    stretches: Sequence[Stretch]
    is_whole: bool


class Examiner:
    """Examines traces against one model."""

    def __init__(self, model: Model, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._work = Work(self._limits)
        self.engine = Engine(model, rounds=self._limits.states)
        self.prover = Prover(self.engine, self._work)
        self._explainer = Explainer(self.engine, self.prover.checker)
        self._describer = Describer(self.engine)
        self.timing = Timing(self.engine)
        self._cached_changes: dict[str, tuple[Engine, Difference]] = {}
        self._successes = Counter[str]()
        self._cached_replays: dict[int, _Replay] = {}
        self._cached_messages = 0
        self.uncompared: set[str] = set()
        """The names of the changed models that reach too many states."""

    def find_faults(self, trace: Trace) -> list[Fault]:
        """Return the faults of a trace.

        Tries the changes of the model that may explain the first fault. If one of them explains the whole trace, the
        later faults are consequences of the first: they are described, but not explained.
        """
        self._work.begin_trace()
        found = self._find_witnesses(trace)
        if not found:
            return []
        first = self.describe_fault(trace, found[0])
        if len(found) > 1 and not first.cut and self._explains_trace(first, found[0], trace):
            later = (self.describe_fault(trace, one.last, explained=False) for one in found[1:])
            return [first, *(replace(one, consequence=True) for one in later)]
        return [first, *(self.describe_fault(trace, one) for one in found[1:])]

    def _explains_trace(self, fault: Fault, witness: Witness, trace: Trace) -> bool:
        """Return whether a change of the model that may explain the fault explains the whole trace, too.

        Changes that succeeded before are tried first.
        """
        some = [one for one in self.mutants(fault, witness) if one.rank != SPANNING]
        some.sort(key=lambda one: -self._successes[one.name])
        for one in some:
            if self._work.is_over():
                return False
            if self.conforms(one, trace):
                self._successes[one.name] += 1
                return True
        return False

    def describe_fault(self, trace: Trace, witness: Witness, *, explained: bool = True) -> Fault:
        """Describe the fault that a witness shows, with its shortest explanation unless ``explained`` is False."""
        proof = self.prover.prove(witness)
        explanation, compared = None, None
        if explained and not proof.cut:
            try:
                explanation = self._explainer.explain(proof, witness.reached, 1)[0]
                compared = make_occasion(witness.reached[0], explanation)
            except LimitReached as reached:
                proof = replace(proof, cut=str(reached))
        if explained and proof.cut:
            explanation = keep_everything(proof)
        causal = explained and not proof.cut and self.engine.model.causal
        origins = find_roots(self.engine, witness, proof) if causal else ()
        _, violated, _ = find_mentioned(proof.conditions[-1])
        last = {root.key: root for root in reversed(origins)}
        missed = {key for key, root in last.items() if self._is_undone(witness, root, ever=root.name in violated)}
        undone = frozenset(root for root in origins if root.key in missed)
        return self._describer.describe(trace, witness, proof, explanation, origins, undone, compared)

    def find_other_explanations(self, trace: Trace, fault: Fault) -> tuple[tuple[int, ...], ...]:
        """Return, for each other explanation of a fault, the events that it keeps."""
        if fault.cut:
            return ()
        self._work.begin_trace()
        witness = self.find_witness(trace, fault)
        try:
            every = self._explainer.explain(self.prover.prove(witness), witness.reached)
        except LimitReached:
            return ()
        kept = (self._describer.kept_indices(one, witness, fault) for one in every)
        return tuple(one for one in kept if one != fault.kept)

    def find_witness(self, trace: Trace, fault: Fault) -> Witness:
        """Return the witness of a fault of a trace."""
        return next(one for one in self._find_witnesses(trace) if one.end == fault.step)

    def _is_undone(self, witness: Witness, root: Root, *, ever: bool) -> bool:
        """Return whether the last step is allowed if the model omits the write of a root.

        The model is changed from the step of that write on. With ``ever``, changing it from the beginning of the
        witness is tried as well.
        """
        mutant = next(drop_writes(self.engine.model, root), None) if root.component else None
        if mutant is None:
            return False
        place = root.step - witness.first
        return self._is_allowed(mutant, witness, place) or (ever and self._is_allowed(mutant, witness, 0))

    def allows_fault(self, mutant: Mutant, fault: Fault, witness: Witness) -> bool:
        """Return whether the step of a fault is allowed if the model is changed only shortly before: from the last
        request on, or from where a variable on which the fault relies was last written."""
        asked = (
            place for place, step in enumerate(witness.steps[:-1]) if isinstance(step, Event) and step.kind == REQUEST
        )
        written = {root.step - witness.first for root in fault.roots if root.component}
        places = sorted({max(asked, default=0), *(place for place in written if place >= 0)}, reverse=True)
        return any(self._is_allowed(mutant, witness, place) for place in places)

    def _is_allowed(self, mutant: Mutant, witness: Witness, place: int) -> bool:
        """Return whether the last step is allowed if the model is changed from step ``place`` on."""
        engine, difference = self.change_engine(mutant)
        return self._run_changed(mutant, engine, difference.places(witness), witness, witness.steps, place)

    def mutants(self, fault: Fault, witness: Witness) -> list[Mutant]:
        """Return the changes of the model that may explain a fault, the most specific first."""
        if not self.engine.model.causal:
            return []
        return sorted(dict.fromkeys(mutants(self.engine, fault, witness)), key=lambda one: one.rank)

    def conforms(self, mutant: Mutant, trace: Trace) -> bool:
        """Return whether the whole trace conforms to a changed model."""
        engine, difference = self.change_engine(mutant)
        begin = self.find_beginning(trace)
        concerned = difference.places(begin)
        todo: Sequence[Step] = split_steps(trace, engine.patience)
        if len(begin.reached) > len(begin.steps) and todo[-1:] != list(begin.steps[-1:]):
            concerned = sorted({*concerned, len(begin.steps) - 1})  # another final wait
        return self._run_changed(mutant, engine, concerned, begin, todo, 0)

    def _run_changed(
        self, mutant: Mutant, engine: Engine, concerned: Sequence[int], known: Stretch, todo: Sequence[Step], place: int
    ) -> bool:
        try:
            return _run_changed(engine, concerned, known, todo, place)
        except TooManyStates:
            self.uncompared.add(mutant.name)
            return False

    def find_cut(self, trace: Trace) -> str:
        """Return up to where a trace was judged, and why not further; empty if it was judged to its end."""
        last = self._replay(trace)[-1]
        place = last.first + len(last.steps)
        return f"judged only up to message {place // 2} of {len(trace.events)}: {last.cut}" if last.cut else ""

    def _find_witnesses(self, trace: Trace) -> list[Witness]:
        """Return the witnesses of the faults of a trace."""
        return [one for one in self._replay(trace) if isinstance(one, Witness)]

    def find_beginning(self, trace: Trace) -> Stretch:
        """Return the first stretch of a trace."""
        return self._replay(trace, is_whole=False)[0]

    def remember_beginning(self, trace: Trace, beginning: Stretch) -> None:
        """Remember the first stretch of a trace that another examiner replayed."""
        if id(trace) not in self._cached_replays:
            self._remember_replay(_Replay(trace, [beginning], False))

    def _replay(self, trace: Trace, *, is_whole: bool = True) -> Sequence[Stretch]:
        """Return the stretches of a trace. They are cached, because many changes are tried on a trace."""
        known = self._cached_replays.pop(id(trace), None)
        if known is not None:
            self._cached_messages -= len(trace.events)
        if known is None or is_whole > known.is_whole:
            stretches = list(islice(find_stretches(self.engine, trace, self._work), MAX_FAULTS))
            known = _Replay(trace, stretches, True)
        self._remember_replay(known)
        return known.stretches

    def _remember_replay(self, replay: _Replay) -> None:
        self._cached_replays[id(replay.trace)] = replay
        self._cached_messages += len(replay.trace.events)
        while self._cached_messages > MAX_CACHED_MESSAGES and len(self._cached_replays) > 1:
            oldest = self._cached_replays.pop(next(iter(self._cached_replays)))
            self._cached_messages -= len(oldest.trace.events)

    def change_engine(self, mutant: Mutant) -> tuple[Engine, Difference]:
        """Return the engine of a changed model, and how it differs from that of the model."""
        found = self._cached_changes.get(mutant.name)
        if found is None:
            engine = Engine(mutant.change(self.engine.model), self.engine, self._limits.states)
            found = remember(
                self._cached_changes, mutant.name, (engine, Difference(self.engine, engine)), MAX_CACHED_CHANGES
            )
        return found


def _run_changed(engine: Engine, concerned: Sequence[int], known: Stretch, todo: Sequence[Step], place: int) -> bool:
    """Return whether all steps from ``place`` on are possible in a changed model.

    :param engine: the engine of the changed model
    :param concerned: the places of ``known`` where it may differ from the model
    :param known: what the model does in these steps, up to the first one that it does not allow; while the changed
        model does the same, nothing has to be run
    """
    states = known.reached[place]
    last = len(known.reached) - 1
    while place < len(todo):
        if place < last and states == known.reached[place]:
            number = bisect_left(concerned, place)
            place = min(concerned[number], last) if number < len(concerned) else last
            states = known.reached[place]
            if place == len(todo):
                break
        states = engine.take(states, todo[place])
        if not states:
            return False
        place += 1
    return True
