"""Which messages make it a fault: what a proof can do without is left out (section 4).

Of all ways to leave something out, those that keep the fewest messages are explanations, and so are others that keep
none of the messages that one of these leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from rootward.traces.event import Event
from rootward.traces.proving.check import Checker
from rootward.traces.proving.piece import Piece
from rootward.traces.proving.proof import Proof
from rootward.traces.proving.ways import MOST, Ways
from rootward.traces.running.engine import Engine, States


@dataclass(frozen=True)
class Explanation:
    pieces: tuple[Piece, ...]

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps of the witness whose messages matter."""
        return tuple(piece.places[0] for piece in self.pieces if isinstance(piece.step, Event))

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(piece.step for piece in self.pieces if isinstance(piece.step, Event))


class Explainer:
    """Explains faults of one model."""

    def __init__(self, engine: Engine, checker: Checker) -> None:
        self._engine, self._checker = engine, checker

    def explanations(self, proof: Proof, reached: Sequence[States], most: int = MOST) -> list[Explanation]:
        """So many at most, the shortest first; ``reached``: the states before each step. If only one is asked for, it
        is the one that leaves out as much as it can at each place, which is nearly always the shortest."""
        ways = Ways(self._engine, self._checker, proof, reached)
        found: dict[tuple[int, ...], Explanation] = {}
        for legs in ways.every():
            one = Explanation(tuple(chain.from_iterable(legs)))
            if not any(set(other) <= set(one.kept) for other in found):
                pieces = ways.joined(one.pieces)
                if pieces is not None and ways.fails(pieces):
                    found[one.kept] = Explanation(pieces)
                    if most == 1:
                        break
        if not found:
            return [Explanation(ways.whole())]
        kept = sorted(found, key=len)
        least = [one for one in kept if not any(set(other) < set(one) for other in kept)]
        return [found[one] for one in least[:most]]
