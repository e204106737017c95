"""Random networks with the certificates of their faults, and whether these are true, by trying everything."""

from functools import cache

import rootward as rw
from rootward.traces.model.event import Event, Trace, Wait
from rootward.traces.output.certificates.certificate import KEPT, LEFT_OUT, Certificate
from rootward.traces.output.certificates.certifier import Certifier
from rootward.traces.proving.infix import start_of
from rootward.traces.running.replay import Witness, find_witnesses

from ..reference.brute import Brute
from ..reference.networks import networks

FINE = 6
"""Ticks to a microsecond where two of them may be too few."""


@cache
def certified(seed: int) -> tuple[rw.Model, list[tuple[Trace, Witness, Certificate]]]:
    """Every fault of the traces of a random network, with its certificate."""
    model, some = networks(seed, 3, 2)
    certifier = Certifier(model)
    return model, [
        (trace, witness, next(certifier.certificates(trace, witness)))
        for trace in some
        for witness in find_witnesses(certifier._engine, trace)
    ]


def really_impossible(one: Certificate) -> bool:
    """Whether the explanation can be followed up to its last step, and not further, by trying everything: to leave out
    something with its time is to do nothing. What follows an earlier fault cannot be tried."""
    return any(_stuck_at_the_end(one, Brute(one.model, grain)) for grain in (2, FINE))


def _stuck_at_the_end(one: Certificate, brute: Brute) -> bool:
    steps = one.steps(Certifier(one.model)._engine.patience)
    if len(one.proof) < len(steps):
        return True
    states, at = brute.begin(frozenset(brute._carried(one.recording))), 0
    for _, how, until in one.explanation:
        if not states:
            return False
        step = steps[at]
        if isinstance(step, Event) and how == KEPT:
            states = brute.step(states, step)
        elif how != LEFT_OUT:
            end = step.end if isinstance(step, Wait) and how == KEPT else start_of(steps[until])
            states = brute.wait(states, end - start_of(step))
        at = until
    return not states and at == len(steps)
