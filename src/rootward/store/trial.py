"""A trial: one run of the subject on one candidate; one row in the store.

Its key is (subject, candidate, attempt). Attempts are numbered per candidate. The seed of an attempt is derived from
its key instead of drawn, so that a run replays exactly, whatever the order in which its trials finish.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rootward.space.keys import digest
from rootward.verdict import Outcome

Name = tuple[str, int]
"""The identity of a trial of a given subject: the candidate's key and the number of the attempt."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial: still to be run, or with an outcome."""

    candidate: object
    key: str
    attempt: int
    seed: int
    outcome: Outcome | None = None
    seconds: float = 0.0
    tries: int = 1
    """Number of times it was started: 2 if the first worker died, or was killed, or the machine was in trouble."""

    @property
    def name(self) -> Name:
        return self.key, self.attempt

    @property
    def bare(self) -> Trial:
        """The trial without its candidate, which may be large; the key identifies it."""
        return Trial(None, self.key, self.attempt, self.seed, self.outcome, self.seconds, self.tries)

    def finish(self, outcome: Outcome, seconds: float) -> Trial:
        return Trial(self.candidate, self.key, self.attempt, self.seed, outcome, seconds, self.tries)


def replay_key(key: str, failing: str) -> str:
    """Return the key of a candidate when it is run with a seed of the failing candidate.

    ``key`` and ``failing`` are the keys of the two candidates. The result depends on both.
    """
    return key if key == failing else digest(f"replay {key} {failing}".encode())


def seed_of(seed: int, key: str, attempt: int) -> int:
    """Return the seed of one attempt.

    It is independent of the seeds of other attempts, and below 2**31 so that any program accepts it.
    """
    text = f"{seed}/{key}/{attempt}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1
