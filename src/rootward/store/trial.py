"""A trial: one run of the subject on one candidate. One row in the store.

Its key is (subject, candidate, attempt). Attempts are numbered per candidate and each has a seed of its own, derived
and not drawn, so that a run replays exactly whatever the order in which its trials finish.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rootward.space.keys import digest
from rootward.verdict import Outcome

Name = tuple[str, int]
"""A trial of a given subject: the candidate's key and the number of the attempt."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial to be run, or, with an outcome, one that was."""

    candidate: object
    key: str
    attempt: int
    seed: int
    outcome: Outcome | None = None
    seconds: float = 0.0
    tries: int = 1
    """How often it was started: 2 if the first worker died."""

    @property
    def name(self) -> Name:
        return self.key, self.attempt

    @property
    def bare(self) -> Trial:
        """The trial without its candidate, which may be large: its key is enough to remember it by."""
        return Trial(None, self.key, self.attempt, self.seed, self.outcome, self.seconds, self.tries)

    def done(self, outcome: Outcome, seconds: float) -> Trial:
        return Trial(self.candidate, self.key, self.attempt, self.seed, outcome, seconds, self.tries)


def replayed(key: str, failing: str) -> str:
    """The key of a candidate that is run with a seed of the failing one: what was replayed is part of what was run."""
    return key if key == failing else digest(f"replay {key} {failing}".encode())


def seed_of(seed: int, key: str, attempt: int) -> int:
    """The seed of one attempt: independent of all others, below 2**31 so that any program can take it."""
    text = f"{seed}/{key}/{attempt}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1
