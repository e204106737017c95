"""Everything about one trace: its faults, each proved, explained and described. Traces are examined one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rootward.traces.claim import Apart, Condition
from rootward.traces.engine import Engine
from rootward.traces.event import Event, Trace
from rootward.traces.explain import Explainer, Explanation
from rootward.traces.fault import Describer, Fault
from rootward.traces.model import Model
from rootward.traces.mutate import Mutant, mutants, unwritten
from rootward.traces.proof import Proof, Prover
from rootward.traces.replay import Witness, witnesses
from rootward.traces.roots import Root, roots

FAULTS = 20
"""After so many faults, the rest of a trace tells nothing new."""
CLAIMS = 20_000
"""So many claims are remembered."""


class Examiner:
    """Examines traces against one model."""

    def __init__(self, model: Model) -> None:
        self.engine = Engine(model)
        self.prover = Prover(self.engine)
        self._explainer = Explainer(self.engine, self.prover.checker)
        self._describer = Describer(self.engine)
        self._mutated: dict[str, Engine] = {}

    def faults(self, trace: Trace) -> list[Fault]:
        """The faults of a trace; those that the change of the model for the first one explains are its consequences."""
        found = []
        first: Witness | None = None
        for witness in witnesses(self.engine, trace):
            found.append(self.fault(trace, witness)[0])
            first = first or witness
            if len(found) == FAULTS:
                break
        if (
            first is not None
            and len(found) > 1
            and any(self.conforms(one, trace) for one in self.mutants(found[0], first))
        ):
            found[1:] = [replace(one, consequence=True) for one in found[1:]]
        return found

    def fault(
        self, trace: Trace, witness: Witness, *, explained: bool = True
    ) -> tuple[Fault, Proof, list[Explanation]]:
        """What a witness shows; without explanations, if they are not asked for."""
        proof = self.prover.prove(witness)
        explanations = self._explainer.explanations(proof, witness.reached) if explained else []
        origins = roots(self.engine, witness, proof)
        exact = self._exact(explanations[0]) if explanations else ""
        if len(self.prover.bounds) > CLAIMS:
            self.prover.bounds.clear()
        undone = frozenset(root for root in origins if self._undone(witness, root))
        found = self._describer.fault(trace, witness, proof, explanations, origins, undone, exact)
        return found, proof, explanations

    def _undone(self, witness: Witness, root: Root) -> bool:
        """Whether the last step is allowed if, from a write on, nothing is written there."""
        mutant = next(unwritten(self.engine.model, root), None) if root.component else None
        if mutant is None:
            return False
        engine, place = self._changed(mutant), root.step - witness.first
        states = witness.reached[place]
        for step in witness.steps[place:]:
            states = engine.take(states, step)
        return bool(states)

    def mutants(self, fault: Fault, witness: Witness) -> list[Mutant]:
        """Changes of the model that may explain a fault, the most specific first."""
        return sorted(dict.fromkeys(mutants(self.engine, fault, witness)), key=lambda one: one.rank)

    def conforms(self, mutant: Mutant, trace: Trace) -> bool:
        """Whether a trace conforms to the changed model as a whole."""
        return next(witnesses(self._changed(mutant), trace), None) is None

    def _changed(self, mutant: Mutant) -> Engine:
        if mutant.name not in self._mutated:
            self._mutated[mutant.name] = Engine(mutant.change(self.engine.model), self.engine)
        return self._mutated[mutant.name]

    def _exact(self, one: Explanation) -> str:
        """The events of an explanation, and the comparisons of clocks that the proof relies on between them."""
        words = []
        for piece in one.pieces:
            words += sorted(self._bounds(piece.first))
            if isinstance(piece.step, Event):
                words.append(piece.step.text)
        return "; ".join(words)

    def _bounds(self, condition: Condition) -> Iterator[str]:
        for claim in (claim for case in condition for claim in case if isinstance(claim, Apart)):
            if claim in self.prover.bounds:
                yield str(self.prover.bounds[claim])
