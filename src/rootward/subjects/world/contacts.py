"""Who touched whom during a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rootward.formats.scene import Model
from rootward.subjects.world.assembly import Assembly


class Contacts:
    """Pairs of models (-1: the robot) that were seen in contact."""

    def __init__(self, assembly: Assembly) -> None:
        self._owners, self._width = assembly.owners + 1, len(assembly.owners) + 2
        self._codes: set[int] = set()

    def look(self, data: Any) -> None:
        if data.ncon:
            touching = self._owners[data.contact.geom]
            self._codes.update((touching[:, 0] * self._width + touching[:, 1]).tolist())

    def levels(self, models: Sequence[Model]) -> dict[int, int]:
        """By place: 1 for what the robot touched, 2 for what touched that, and so on.

        It does not go on through what is fixed: all that lies on the same ground would touch.
        """
        levels, edge = {-1: 0}, [-1]
        beside = self._neighbours()
        while edge:
            movable = [place for place in edge if place < 0 or not models[place].static]
            found = sorted({other for place in movable for other in beside.get(place, ())} - levels.keys())
            levels |= dict.fromkeys(found, levels[edge[0]] + 1)
            edge = found
        del levels[-1]
        return levels

    def _neighbours(self) -> dict[int, set[int]]:
        beside: dict[int, set[int]] = {}
        for code in self._codes:
            a, b = code // self._width - 1, code % self._width - 1
            beside.setdefault(a, set()).add(b)
            beside.setdefault(b, set()).add(a)
        return beside
