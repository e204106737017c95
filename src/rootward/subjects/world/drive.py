"""One run: the robot drives until the outcome is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import atan2, dist
from typing import Any

import numpy as np

from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import SceneModel
from rootward.subjects.world import husky
from rootward.subjects.world.assembly import STEP, Assembly
from rootward.subjects.world.pilot import REACH, LaserView, Pilot, Senses, SensorNoise, scan

STEPS = 5
"""Steps of the simulation between two commands of the pilot."""
TICK = STEPS * STEP
RECORD = 5
"""Commands of the pilot between two points of the trajectory, and between two scans of the laser."""
MOVED = 0.25
"""Metres: a robot that moved less than this counts as standing still."""
ABYSS = 1.0
"""Metres: a robot that is this far below everything else has fallen out of the world."""
MAX_DISTANCE = 1e4
"""Metres: a robot that is further away than this shows that the simulation has become unstable."""


@dataclass(frozen=True)
class Course:
    """The settings of a run: the robot's task and equipment. See `World` for the meaning of each setting."""

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
    noise: SensorNoise = field(default_factory=SensorNoise)


@dataclass
class Journey:
    """The record of a run. ``end`` is ``arrived``, ``stuck``, ``timeout``, ``fell`` or ``broken``."""

    end: str
    trajectory: list[tuple[float, float, float, float]] = field(default_factory=list)
    sensed: dict[int, float] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)


class Drive:
    """The state of one run."""

    def __init__(self, world: Course, models: Sequence[SceneModel], assembly: Assembly, seed: int) -> None:
        import mujoco

        self.world, self.models, self.assembly = world, models, assembly
        self.data = mujoco.MjData(assembly.physics)
        self.robot = self.data.body("robot")
        self.pilot, self.senses = Pilot(world.goal, world.speed), Senses(world.noise, seed)
        self.contacts = Contacts(assembly)
        self.journey = Journey("timeout")
        self.view: LaserView | None = None
        boxes = np.array([model.box for model in models])
        self.low, self.high = boxes[:, 0, :2], boxes[:, 1, :2]
        self.moving = [(place, model) for place, model in enumerate(models) if isinstance(model, MovingModel)]
        self.abyss = float(boxes[:, 0, 2].min()) - ABYSS
        mujoco.mj_kinematics(assembly.physics, self.data)

    def run(self, watch: Callable[[Any], None] = lambda data: None) -> Journey:
        """Drive until the outcome is decided.

        Before each move, ``watch`` is called with the state of the simulation.
        """
        for tick in range(round(self.world.timeout / TICK)):
            watch(self.data)
            if end := self._find_end(tick):
                self.journey.end = end
                break
            self._move()
        self._record()
        self.journey.levels = self.contacts.levels(self.models)
        return self.journey

    def _find_end(self, tick: int) -> str | None:
        """Return the way in which the run ended, or None if it goes on.

        Every few ticks, also call `_record` and `_sense`.
        """
        x, y, z = self.robot.xpos.tolist()
        if not abs(x) + abs(y) + abs(z) < MAX_DISTANCE:  # also true if a coordinate is NaN
            return "broken"
        if dist((x, y), self.world.goal) <= self.world.arrived:
            return "arrived"
        if z < self.abyss:
            return "fell"
        if tick % RECORD == 0:
            self._record()
            self._sense(x, y)
            if self._is_still():
                return "stuck"
        return None

    def _move(self) -> None:
        import mujoco

        x, y, _ = self.robot.xpos.tolist()
        ahead = self.robot.xmat
        belief = self.senses.reading(x, y, atan2(ahead[3], ahead[0]))
        self.data.ctrl[:] = self.senses.drive(husky.wheels(*self.pilot.command(*belief, self.view)))
        if self.assembly.motions:
            for _ in range(STEPS):
                self.assembly.move(self.data, self.data.time)
                mujoco.mj_step(self.assembly.physics, self.data)
        else:
            mujoco.mj_step(self.assembly.physics, self.data, nstep=STEPS)
        self.contacts.look(self.data)

    def _record(self) -> None:
        x, y, z = self.robot.xpos.tolist()
        self.journey.trajectory.append((round(self.data.time, 3), x, y, z))

    def _is_still(self) -> bool:
        """Return True if the robot has stayed in a small circle for ``stuck`` seconds."""
        count = round(self.world.stuck / (TICK * RECORD))
        path = self.journey.trajectory[-count - 1 :]
        return len(path) > count and all(dist(point[1:3], path[-1][1:3]) < MOVED for point in path)

    def _sense(self, x: float, y: float) -> None:
        """Note the models that are near the robot, and the models that its laser hits."""
        for place, model in self.moving:
            low, high = model.at(self.data.time).box
            self.low[place], self.high[place] = low[:2], high[:2]
        away = np.maximum(np.maximum(self.low - (x, y), (x, y) - self.high), 0.0)
        near = np.flatnonzero((away**2).sum(axis=1) < REACH**2).tolist()
        if self.world.laser:
            ranges, met = scan(self.assembly.physics, self.data)
            self.view = LaserView(ranges)
            near += set(self.assembly.owners[met].tolist())
        for place in near:
            self.journey.sensed.setdefault(place, self.data.time)


class Contacts:
    """Pairs of models that were in contact. The robot has the index -1."""

    def __init__(self, assembly: Assembly) -> None:
        self._owners, self._width = assembly.owners + 1, len(assembly.owners) + 2
        self._codes: set[int] = set()

    def look(self, data: Any) -> None:
        if data.ncon:
            touching = self._owners[data.contact.geom]
            self._codes.update((touching[:, 0] * self._width + touching[:, 1]).tolist())

    def levels(self, models: Sequence[SceneModel]) -> dict[int, int]:
        """Return the level of each model by its index.

        Models that the robot touched have level 1, models that touched those have level 2, and so on. Contacts of fixed
        models are not followed, because otherwise everything on the same ground would be connected.
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
