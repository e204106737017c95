"""Examine one trace: find its faults, prove, explain and describe each, and test which changes of the model explain
them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

from rootward.traces.fault import Describer, Fault
from rootward.traces.grouping.mutant import SPANNING, Difference, Mutant
from rootward.traces.grouping.mutants import drop_writes, mutants
from rootward.traces.grouping.timing import Timing, make_occasion
from rootward.traces.model.event import REQUEST, Event, Step, Trace
from rootward.traces.model.model import Model
from rootward.traces.proving.claim import find_mentioned
from rootward.traces.proving.explain import Explainer, Root, find_roots
from rootward.traces.proving.proof import Prover
from rootward.traces.running.engine import Engine, States
from rootward.traces.running.part import remember
from rootward.traces.running.replay import Witness, find_witnesses, split_steps

MAX_CACHED_CHANGES = 300
"""Maximum number of changed models in the cache."""
MAX_FAULTS = 20
"""Maximum number of faults looked for in one trace; after that many, the rest tells nothing new."""


class Examiner:
    """Examines traces against one model."""

    def __init__(self, model: Model) -> None:
        self.engine = Engine(model)
        self.prover = Prover(self.engine)
        self._explainer = Explainer(self.engine, self.prover.checker)
        self._describer = Describer(self.engine)
        self.timing = Timing(self.engine)
        self._cached_changes: dict[str, tuple[Engine, Difference]] = {}
        self._successes = Counter[str]()
        self._cached_states: tuple[Trace, tuple[States, ...]] | None = None
        self._cached_steps: tuple[Trace, int, list[Step]] | None = None

    def find_faults(self, trace: Trace) -> list[Fault]:
        """Return the faults of a trace.

        Tries the changes of the model that may explain the first fault. If one of them explains the whole trace, the
        later faults are consequences of the first: they are described, but not explained.
        """
        found = list(islice(find_witnesses(self.engine, trace), MAX_FAULTS))
        if not found:
            return []
        self._cached_states = trace, found[0].reached
        first = self.describe_fault(trace, found[0])
        if len(found) > 1 and self._explains_trace(first, found[0], trace):
            later = (self.describe_fault(trace, one.last, explained=False) for one in found[1:])
            return [first, *(replace(one, consequence=True) for one in later)]
        return [first, *(self.describe_fault(trace, one) for one in found[1:])]

    def _explains_trace(self, fault: Fault, witness: Witness, trace: Trace) -> bool:
        """Return whether a change of the model that may explain the fault explains the whole trace, too.

        Changes that succeeded before are tried first.
        """
        some = [one for one in self.mutants(fault, witness) if one.rank != SPANNING]
        some.sort(key=lambda one: -self._successes[one.name])
        one = next((one for one in some if self.conforms(one, trace)), None)
        if one is not None:
            self._successes[one.name] += 1
        return one is not None

    def describe_fault(self, trace: Trace, witness: Witness, *, explained: bool = True) -> Fault:
        """Describe the fault that a witness shows, with its shortest explanation unless ``explained`` is False."""
        proof = self.prover.prove(witness)
        explanation = self._explainer.explain(proof, witness.reached, 1)[0] if explained else None
        origins = find_roots(self.engine, witness, proof)
        compared = make_occasion(witness.reached[0], explanation) if explanation else None
        _, violated, _ = find_mentioned(proof.conditions[-1])
        last = {root.key: root for root in reversed(origins)}
        missed = {key for key, root in last.items() if self._is_undone(witness, root, ever=root.name in violated)}
        undone = frozenset(root for root in origins if root.key in missed)
        return self._describer.describe(trace, witness, proof, explanation, origins, undone, compared)

    def find_other_explanations(self, trace: Trace, fault: Fault) -> tuple[tuple[int, ...], ...]:
        """Return, for each other explanation of a fault, the events that it keeps."""
        witness = self.find_witness(trace, fault)
        every = self._explainer.explain(self.prover.prove(witness), witness.reached)
        kept = (self._describer.kept_indices(one, witness, fault) for one in every)
        return tuple(one for one in kept if one != fault.kept)

    def find_witness(self, trace: Trace, fault: Fault) -> Witness:
        """Return the witness of a fault of a trace."""
        return next(one for one in find_witnesses(self.engine, trace) if one.end == fault.step)

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
        while not difference.concerns(witness.reached[place], witness.steps[place]):
            place += 1
            if place == len(witness.steps):
                return False
        states = witness.reached[place]
        for step in witness.steps[place:]:
            states = engine.take(states, step)
        return bool(states)

    def mutants(self, fault: Fault, witness: Witness) -> list[Mutant]:
        """Return the changes of the model that may explain a fault, the most specific first."""
        return sorted(dict.fromkeys(mutants(self.engine, fault, witness)), key=lambda one: one.rank)

    def conforms(self, mutant: Mutant, trace: Trace) -> bool:
        """Return whether the whole trace conforms to a changed model."""
        engine, difference = self.change_engine(mutant)
        todo, reached = self._steps(trace, engine.patience), self._replay(trace)
        place = 0
        while place < len(reached) - 1 and not difference.concerns(reached[place], todo[place]):
            place += 1
        states = reached[place]
        for step in todo[place:]:
            states = engine.take(states, step)
            if not states:
                return False
        return True

    def _steps(self, trace: Trace, patience: int) -> list[Step]:
        if self._cached_steps is None or self._cached_steps[0] is not trace or self._cached_steps[1] != patience:
            self._cached_steps = trace, patience, split_steps(trace, patience)
        return self._cached_steps[2]

    def _replay(self, trace: Trace) -> tuple[States, ...]:
        """Return the states before each step up to the first fault. The last trace is cached, because many changes are
        tried on it."""
        if self._cached_states is None or self._cached_states[0] is not trace:
            found = next(find_witnesses(self.engine, trace), None)
            self._cached_states = trace, found.reached if found is not None else (self.engine.begin(0),)
        return self._cached_states[1]

    def change_engine(self, mutant: Mutant) -> tuple[Engine, Difference]:
        """Return the engine of a changed model, and how it differs from that of the model."""
        found = self._cached_changes.get(mutant.name)
        if found is None:
            engine = Engine(mutant.change(self.engine.model), self.engine)
            found = remember(
                self._cached_changes, mutant.name, (engine, Difference(self.engine, engine)), MAX_CACHED_CHANGES
            )
        return found
