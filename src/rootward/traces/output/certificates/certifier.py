"""Create certificates: one file for each fault of a trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rootward.formats.files import replace_file
from rootward.traces.examine import MAX_FAULTS
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.certificate import (
    AFTER,
    AT,
    BEFORE,
    KEPT,
    LEFT_OUT,
    TIME,
    Certificate,
    Passage,
    certificate_text,
)
from rootward.traces.output.certificates.departure import Examination, InvalidCertificate
from rootward.traces.output.certificates.model_data import store_model
from rootward.traces.proving.explain import Explainer, FaultExplanation
from rootward.traces.proving.infix import Piece
from rootward.traces.proving.proof import Proof, Prover
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import Witness, find_witnesses


class Certifier:
    """Creates certificates for one model."""

    def __init__(self, model: Model) -> None:
        self._engine = Engine(model)
        self._prover = Prover(self._engine)
        self._explainer = Explainer(self._engine, self._prover.checker)
        self._examination = Examination(self._engine, self._prover.checker)
        self._stored = store_model(model)

    def write(self, trace: Trace, folder: Path, name: str) -> int:
        """Write a file for each fault of a trace, if the fault has a valid certificate. Return the number of files."""
        written = 0
        for number, witness in enumerate(islice(find_witnesses(self._engine, trace), MAX_FAULTS), 1):
            one = next(self.certificates(trace, witness), None)
            if one is not None:
                with replace_file(folder / f"{name}.{number}.json") as file:
                    file.write(certificate_text(one, self._stored).encode())
                written += 1
        return written

    def certificates(self, trace: Trace, witness: Witness) -> Iterator[Certificate]:
        """Yield a certificate for each valid explanation of a witness.

        The shortest explanation comes first. The explanation that keeps every step comes last.
        """
        proof = self._prover.prove(witness)
        events, departs = _cut(trace, witness)
        end = (trace.end if trace.end is not None else _time(events)) if departs == AFTER else None
        explanations = self._explainer.explain(proof, witness.reached)
        for parts in (*(_passages(one, witness.first) for one in explanations), _keep_all(proof, witness.first)):
            one = Certificate(self._engine.model, trace.name, events, departs, end, proof.conditions, parts)
            try:
                self._examination.departure(one)
            except InvalidCertificate:
                continue
            yield one


def _cut(trace: Trace, witness: Witness) -> tuple[tuple[Event, ...], str]:
    """Return the messages up to the end of a witness, and the place of the fault.

    The fault is at, before or after the last of these messages.
    """
    before = (witness.first + len(witness.steps)) // 2
    if isinstance(witness.steps[-1], Event):
        return trace.events[:before], AT
    return (trace.events, AFTER) if before == len(trace.events) else (trace.events[: before + 1], BEFORE)


def _time(events: tuple[Event, ...]) -> int:
    return events[-1].time if events else 0


def _passages(one: FaultExplanation, first: int) -> tuple[Passage, ...]:
    return tuple(Passage(piece.first, _passage_kind(piece), first + piece.places[1]) for piece in one.pieces)


def _passage_kind(piece: Piece) -> str:
    at, until = piece.places
    return LEFT_OUT if piece.step is None else KEPT if until == at + 1 else TIME


def _keep_all(proof: Proof, first: int) -> tuple[Passage, ...]:
    """Return the explanation that keeps every step. It explains little, but it is valid if the proof is valid."""
    return tuple(Passage(before, KEPT, first + until) for until, before in enumerate(proof.conditions, 1))
