"""Certificates: a fault as something that anybody can check again, without the recording and without trust.

A certificate has two chains: the recording up to the fault, and what its explanation keeps of it; and the whole model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rootward.formats.files import replacing
from rootward.traces.check import Checker
from rootward.traces.claim import Apart, At, Claim, Condition
from rootward.traces.event import Event, Step, Trace
from rootward.traces.examine import FAULTS, Examiner
from rootward.traces.explain import Explanation, moment
from rootward.traces.fault import Fault
from rootward.traces.model import Model
from rootward.traces.output.chain import Chain, Gap, Link, first_wrong
from rootward.traces.output.stored import stored, stored_atom
from rootward.traces.proof import Proof
from rootward.traces.replay import Witness, witnesses

VERSION = 1


@dataclass(frozen=True)
class Certificate:
    trace: str
    index: int
    """The message at which the fault shows."""
    kind: str
    recording: Chain
    """All of the recording up to the fault, from its beginning or from an earlier fault on."""
    explanation: Chain
    """What is relevant of it: a fault of its own."""
    assumed: bool
    """Whether the first condition is taken for granted: it holds after an earlier fault, not at the beginning."""


class Certifier:
    """Makes certificates about one model."""

    def __init__(self, model: Model) -> None:
        self._examiner = Examiner(model)
        self._model = json.dumps(stored(model))

    def write(self, trace: Trace, folder: Path, name: str) -> int:
        """One file for each fault of a trace; how many. Only what the checker accepts is written."""
        written = 0
        for number, witness in enumerate(witnesses(self._examiner.engine, trace), 1):
            found = certificate(*self._examiner.fault(trace, witness), witness)
            if found is not None and rejected(self._examiner.prover.checker, found) is None:
                with replacing(folder / f"{name}.{number}.json") as file:
                    file.write(self.text(found).encode("utf-8", "backslashreplace"))
                written += 1
            if number == FAULTS:
                break
        return written

    def text(self, one: Certificate) -> str:
        conditions: dict[Condition, int] = {}
        for link in (*one.recording, *one.explanation):
            conditions.setdefault(link.before, len(conditions))
        head = {
            "rootward": "certificate",
            "version": VERSION,
            "trace": one.trace,
            "index": one.index,
            "kind": one.kind,
            "assumed": one.assumed,
            "conditions": [_stored_condition(condition) for condition in conditions],
            "recording": [[conditions[link.before], _stored_step(link.step)] for link in one.recording],
            "explanation": [[conditions[link.before], _stored_step(link.step)] for link in one.explanation],
        }
        return f'{json.dumps(head)[:-1]}, "model": {self._model}}}\n'


def certificate(
    fault: Fault, proof: Proof, explanations: Sequence[Explanation], witness: Witness
) -> Certificate | None:
    """The certificate of the shortest explanation; None if the proof was not accepted."""
    if not proof.checked or not explanations:
        return None
    last = len(proof.steps) - 1
    kept = []
    for piece in explanations[0].pieces:
        start, end = (moment(proof.steps[min(place, last)]) for place in piece.places)
        kept.append(Link(piece.first, Gap(start, end) if piece.step is None else piece.step))
    assumed = witness.first > 0
    if assumed and isinstance(kept[0].step, Gap):  # what holds after it is taken for granted instead
        del kept[0]
    whole = tuple(map(Link, proof.conditions, proof.steps))
    return Certificate(fault.trace, fault.index, fault.kind, whole, tuple(kept), assumed)


def rejected(checker: Checker, one: Certificate) -> tuple[Chain, int] | None:
    """A chain that does not hold, and the number of its first wrong step, from 1; 0: its beginning. None: both hold."""
    for chain in (one.recording, one.explanation):
        false = first_wrong(checker, chain, one.assumed)
        if false is not None:
            return chain, false
    return None


def _stored_step(step: Step | Gap) -> dict[str, Any]:
    if isinstance(step, Event):
        return {"event": [step.time, step.kind, step.ecu, step.operation, step.payload, step.line]}
    return {"left out" if isinstance(step, Gap) else "wait": [step.start, step.end]}


def _stored_condition(one: Condition) -> list[Any]:
    return [sorted((_stored_claim(claim) for claim in case), key=repr) for case in sorted(one, key=repr)]


def _stored_claim(claim: Claim) -> list[Any]:
    if isinstance(claim, At):
        return ["at", claim.component, claim.location]
    if isinstance(claim, Apart):
        return ["apart", claim.late, claim.early, claim.bound]
    return stored_atom(claim)
