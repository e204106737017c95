"""One run: the robot drives until it is clear how that ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import atan2, dist
from typing import Any

import numpy as np

from rootward.formats.scenes.scene import Model
from rootward.subjects.world import husky
from rootward.subjects.world.assembly import STEP, Assembly
from rootward.subjects.world.pilot import REACH, Noise, Pilot, Senses, View, scan

STEPS = 5
"""Of the simulation, between two commands of the pilot."""
TICK = STEPS * STEP
RECORD = 5
"""Of the pilot's commands, between two points of the trajectory; and the laser looks as often."""
MOVED = 0.25
"""Metres within which a robot counts as standing still."""
ABYSS = 1.0
"""Metres below everything at which a robot has fallen out of the world."""
FAR = 1e4
"""Metres that no robot gets to in a simulation that is sound."""


@dataclass(frozen=True)
class Course:
    """What the robot is to do, and with what: the settings of a `World`, which explains them."""

    goal: tuple[float, float]
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    timeout: float = 45.0
    laser: bool = False
    speed: float = 0.8
    stuck: float = 6.0
    arrived: float = 0.4
    tolerance: float = 0.33
    failure: tuple[float, float] | None = None
    load: float = 0.0
    noise: Noise = field(default_factory=Noise)


@dataclass
class Journey:
    """How a run went: ``end`` is ``arrived``, ``stuck``, ``timeout``, ``fell`` or ``broken``."""

    end: str
    trajectory: list[tuple[float, float, float, float]] = field(default_factory=list)
    sensed: dict[int, float] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)


class Drive:
    """The state of one run."""

    def __init__(self, world: Course, models: Sequence[Model], assembly: Assembly, seed: int) -> None:
        import mujoco

        self.world, self.models, self.assembly = world, models, assembly
        self.data = mujoco.MjData(assembly.physics)
        self.robot = self.data.body("robot")
        self.pilot, self.senses = Pilot(world.goal, world.speed), Senses(world.noise, seed)
        self.contacts = Contacts(assembly)
        self.journey = Journey("timeout")
        self.view: View | None = None
        boxes = np.array([model.box for model in models])
        self.low, self.high = boxes[:, 0, :2], boxes[:, 1, :2]
        self.abyss = float(boxes[:, 0, 2].min()) - ABYSS
        mujoco.mj_kinematics(assembly.physics, self.data)

    def run(self, watch: Callable[[Any], None] = lambda data: None) -> Journey:
        """Drive until the verdict is decided; ``watch`` gets to see the state before each move."""
        for tick in range(round(self.world.timeout / TICK)):
            watch(self.data)
            if end := self._ended(tick):
                self.journey.end = end
                break
            self._move()
        self._record()
        self.journey.levels = self.contacts.levels(self.models)
        return self.journey

    def _ended(self, tick: int) -> str | None:
        """How it ended, if it did. Now and then it is also the time to look around."""
        x, y, z = self.robot.xpos.tolist()
        if not abs(x) + abs(y) + abs(z) < FAR:  # neither is a number that is none
            return "broken"
        if dist((x, y), self.world.goal) <= self.world.arrived:
            return "arrived"
        if z < self.abyss:
            return "fell"
        if tick % RECORD == 0:
            self._record()
            self._sense(x, y)
            if self._still():
                return "stuck"
        return None

    def _move(self) -> None:
        import mujoco

        x, y, _ = self.robot.xpos.tolist()
        ahead = self.robot.xmat
        belief = self.senses.reading(x, y, atan2(ahead[3], ahead[0]))
        self.data.ctrl[:] = self.senses.driven(husky.wheels(*self.pilot.command(*belief, self.view)))
        mujoco.mj_step(self.assembly.physics, self.data, nstep=STEPS)
        self.contacts.look(self.data)

    def _record(self) -> None:
        x, y, z = self.robot.xpos.tolist()
        self.journey.trajectory.append((round(self.data.time, 3), x, y, z))

    def _still(self) -> bool:
        """Whether the robot has not left a small circle for as long as a stuck robot is given."""
        count = round(self.world.stuck / (TICK * RECORD))
        path = self.journey.trajectory[-count - 1 :]
        return len(path) > count and all(dist(point[1:3], path[-1][1:3]) < MOVED for point in path)

    def _sense(self, x: float, y: float) -> None:
        """What is near, and what the laser meets."""
        away = np.maximum(np.maximum(self.low - (x, y), (x, y) - self.high), 0.0)
        near = np.flatnonzero((away**2).sum(axis=1) < REACH**2).tolist()
        if self.world.laser:
            ranges, met = scan(self.assembly.physics, self.data)
            self.view = View(ranges)
            near += set(self.assembly.owners[met].tolist())
        for place in near:
            self.journey.sensed.setdefault(place, self.data.time)


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
