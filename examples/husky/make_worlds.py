"""Write the worlds: ``python examples/husky/make_worlds.py`` (needs ``rootward[sim]``, to let the rubble settle).

Three of them follow the scenarios of the paper on delta debugging of robot environments (ddenv); the others are ours.
Positions are drawn with fixed seeds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

HERE = Path(__file__).parent
Vector = tuple[float, ...]

HEAD = """<?xml version="1.0"?>
<sdf version="1.6">
  <world name="{name}">
    <light name="sun" type="directional">
      <cast_shadows>true</cast_shadows>
      <pose>0 0 10 0 0 0</pose>
      <diffuse>0.8 0.8 0.8 1</diffuse>
      <specular>0.2 0.2 0.2 1</specular>
      <direction>-0.5 0.1 -0.9</direction>
    </light>
    <physics name="default" type="ode">
      <max_step_size>0.001</max_step_size>
      <real_time_factor>1</real_time_factor>
    </physics>
"""


@dataclass(frozen=True)
class Part:
    """A box (three lengths) or a cylinder (radius, height)."""

    size: Vector
    at: Vector = (0.0, 0.0, 0.0)
    turned: Vector = (0.0, 0.0, 0.0)

    @property
    def geometry(self) -> str:
        if len(self.size) == 3:
            return f"<box><size>{text(self.size)}</size></box>"
        return f"<cylinder><radius>{self.size[0]:g}</radius><length>{self.size[1]:g}</length></cylinder>"


@dataclass(frozen=True)
class Thing:
    """One model of a world. Without a mass it is static. With a script, of times and poses, it is an actor."""

    name: str
    parts: Sequence[Part]
    pose: Vector
    colour: Vector = (0.5, 0.5, 0.5)
    friction: float = 1.0
    mass: float | None = None
    script: Sequence[tuple[float, Vector]] = ()
    loop: bool = False

    @property
    def sdf(self) -> str:
        inside = "".join(self._part(i, part) for i, part in enumerate(self.parts))
        if self.script:
            return (
                f'    <actor name="{self.name}">\n      <link name="link">\n{inside}      </link>\n'
                f"{self._script()}    </actor>\n"
            )
        return (
            f'    <model name="{self.name}">\n      <static>{"true" if self.mass is None else "false"}</static>\n'
            f"      <pose>{text(self.pose)}</pose>\n"
            f'      <link name="link">\n{self._inertial()}{inside}      </link>\n    </model>\n'
        )

    def _part(self, i: int, part: Part) -> str:
        placed = f"<pose>{text((*part.at, *part.turned))}</pose><geometry>{part.geometry}</geometry>"
        return (
            f'        <collision name="collision_{i}">{placed}<surface><friction><ode><mu>{self.friction:g}</mu>'
            f"<mu2>{self.friction:g}</mu2></ode></friction></surface></collision>\n"
            f'        <visual name="visual_{i}">{placed}<material><ambient>{text(self.colour)} 1</ambient>'
            f"<diffuse>{text(self.colour)} 1</diffuse></material></visual>\n"
        )

    def _script(self) -> str:
        waypoints = "".join(
            f"          <waypoint><time>{time:g}</time><pose>{text(pose)}</pose></waypoint>\n"
            for time, pose in self.script
        )
        return (
            f"      <script>\n        <loop>{str(self.loop).lower()}</loop>\n"
            f'        <trajectory id="0" type="drive" tension="1">\n{waypoints}        </trajectory>\n      </script>\n'
        )

    def _inertial(self) -> str:
        """The inertia of a box as large as the first part."""
        if self.mass is None:
            return ""
        x, y, z = (length * length * self.mass / 12 for length in self.parts[0].size)
        moments = f"<ixx>{y + z:.5f}</ixx><iyy>{x + z:.5f}</iyy><izz>{x + y:.5f}</izz>"
        return f"        <inertial><mass>{self.mass:g}</mass><inertia>{moments}</inertia></inertial>\n"


def text(numbers: Iterable[float]) -> str:
    return " ".join(f"{round(number, 4):g}" for number in numbers)


def write(name: str, things: Sequence[Thing]) -> None:
    body = "".join(thing.sdf for thing in things)
    (HERE / f"{name}.sdf").write_text(f"{HEAD.format(name=name)}{body}  </world>\n</sdf>\n")


# Ditch: two planes with a gap of 1 m between them, 2 m deep, and patches of rough terrain on both. Two of the patches
# lie across the gap.

ASPHALT, EARTH, WOOD, STONE = (0.25, 0.25, 0.27), (0.45, 0.36, 0.25), (0.75, 0.6, 0.4), (0.6, 0.6, 0.6)


def ditch() -> list[Thing]:
    rng = random.Random(7)
    things = [
        Thing("ground", [Part((60, 60, 0.2))], (0, 0, -2.1, 0, 0, 0), EARTH),
        Thing("asphalt_west", [Part((10, 16, 2))], (-5.5, 0, -1, 0, 0, 0), ASPHALT),
        Thing("asphalt_east", [Part((10, 16, 2))], (5.5, 0, -1, 0, 0, 0), ASPHALT),
    ]
    spots = [(0.0, 0.07), (0.0, 0.67)]
    for side in (-1, 1):
        spots += [(side * (1.35 + 1.3 * column), 0.62 * row - 1.8) for column in range(3) for row in range(7)][:19]
    for i, (x, y) in enumerate(spots):
        shift = (0.0, 0.0) if i < 2 else (rng.uniform(-0.1, 0.1), rng.uniform(-0.08, 0.08))
        things.append(Thing(f"terrain_{i}", _rough(rng), (x + shift[0], y + shift[1], 0, 0, 0, 0), EARTH))
    return things


def _rough(rng: random.Random) -> list[Part]:
    """A thin slab with bars on it."""
    bars = [
        Part((rng.uniform(0.15, 0.3), rng.uniform(0.15, 0.28), height), (x, y, 0.02 + height / 2))
        for x in (-0.4, 0.0, 0.4)
        for y in (-0.15, 0.15)
        for height in [rng.uniform(0.01, 0.04)]
    ]
    return [Part((1.27, 0.6, 0.02), (0, 0, 0.01)), *bars]


# Rubble: boards on both sides of a narrow path, and in the path two cinder blocks, each with two boards on it.


def rubble() -> list[Thing]:
    rng = random.Random(3)
    things = [Thing("asphalt", [Part((20, 20, 0.1))], (0, 0, 0, 0, 0, 0), ASPHALT)]
    for i, (x, y) in enumerate([(-0.6, 0.1), (1.2, 0.65)]):
        across = math.pi / 2 + rng.uniform(-0.1, 0.1)
        things.append(Thing(f"cinder_block_{i}", _cinder(), (x, y, 0.151, 0, 0, across), STONE, mass=10))
        things.append(_board(f"board_{i}_before", (x - 0.4, y, 0.07, 0, 0, across + 0.1)))
        things.append(_board(f"board_{i}_above", (x, y + 0.1, 0.271, 0, 0, across)))
    for i in range(29):
        side = 1 if i % 2 else -1
        x, y = rng.uniform(-2.2, 2.2), 0.15 + side * rng.uniform(1.0, 1.9)
        pose = (x, y, 0.2 + 0.12 * (i // 4), 0, 0, rng.gauss(0, 0.6))
        things.append(_board(f"board_{i}", pose))
    return settle(things)


def _board(name: str, pose: Vector) -> Thing:
    return Thing(name, [Part((1.22, 0.089, 0.038))], pose, WOOD, friction=0.9, mass=1.4)


def _cinder() -> list[Part]:
    """A cinder block: two long sides and three short ones."""
    sides = [Part((0.4, 0.035, 0.2), (0, y, 0)) for y in (-0.083, 0.083)]
    return sides + [Part((0.035, 0.13, 0.2), (x, 0, 0)) for x in (-0.18, 0.0, 0.18)]


def settle(things: list[Thing]) -> list[Thing]:
    """Return the same things with their poses after they have come to rest."""
    import mujoco

    from rootward.formats.scenes import sdf
    from rootward.subjects.world.assembly import assemble

    path = HERE / ".settling.sdf"
    write(".settling", things)
    assembly = assemble(tuple(sdf.read(path)), (-8.0, -8.0, 0.0))
    path.unlink()
    assert assembly is not None
    data = mujoco.MjData(assembly.physics)
    mujoco.mj_step(assembly.physics, data, nstep=8000)
    poses = iter(data.qpos[:-11].reshape(-1, 7).tolist())
    return [thing if thing.mass is None else replace(thing, pose=_pose(next(poses))) for thing in things]


def _pose(state: Sequence[float]) -> Vector:
    """Convert a position and a quaternion to x, y, z, roll, pitch, yaw."""
    x, y, z, a, b, c, d = state
    roll = math.atan2(2 * (a * b + c * d), 1 - 2 * (b * b + c * c))
    pitch = math.asin(max(-1.0, min(1.0, 2 * (a * c - d * b))))
    return x, y, z, roll, pitch, math.atan2(2 * (a * d + b * c), 1 - 2 * (c * c + d * d))


# Friction: a field of patches, some of them slippery, and barrels with a narrow gap between two of them.


def friction() -> list[Thing]:
    rng = random.Random(5)
    things = [Thing("asphalt", [Part((20, 20, 0.2))], (0, 0, -0.1, 0, 0, 0), ASPHALT, friction=100)]
    for i in range(16):
        x, y = 2 * (i % 4) - 4, 2 * (i // 4) - 3
        slippery = (i % 4 + i // 4) % 2 == 0
        colour, grip = ((0.2, 0.6, 0.2), 0.4) if slippery else ((0.7, 0.2, 0.2), 1000.0)
        things.append(Thing(f"patch_{i}", [Part((1.98, 1.98, 0.01))], (x, y, 0.005, 0, 0, 0), colour, friction=grip))
    opening = 0.70 + 2 * 0.285
    places = [(1.5, side * (opening / 2 + 0.62 * k) - 0.26) for side in (1, -1) for k in range(4)]
    for i, (x, y) in enumerate(places):
        x += 0.0 if i % 4 == 0 else rng.uniform(-0.1, 0.1)
        things.append(Thing(f"barrel_{i}", [Part((0.285, 1.19))], (x, y, 0.605, 0, 0, 0), (0.9, 0.4, 0.1)))
    return things


# Gap: a yard with a beam above a cable ramp. The robot can pass the beam and the ramp, but not both at once.

STEEL, OIL, PLASTIC = (0.35, 0.4, 0.45), (0.1, 0.1, 0.15), (0.9, 0.4, 0.1)
YELLOW = (0.85, 0.7, 0.1)


def gap() -> list[Thing]:
    rng = random.Random(11)
    return [
        Thing("asphalt", [Part((24, 16, 0.2))], (0, 0, -0.1, 0, 0, 0), ASPHALT),
        *_gate("beam", 1.1, 0.95),
        Thing("ramp", _ramp(), (0.8, 0, 0, 0, 0, 0), YELLOW),
        *_gate("pipe", -1.6, 1.25),
        Thing("duct", [Part((0.3, 3, 0.06))], (-2.6, 0, 0, 0, 0, 0), STEEL),
        *(Thing(f"oil_{i}", [Part((0.5, 0.012))], (*at, 0, 0, 0, 0), OIL, friction=0.4) for i, at in enumerate(SPILLS)),
        *(_barrel(f"barrel_{i}", at) for i, at in enumerate(BARRELS)),
        *(_crate(rng, i) for i in range(16)),
    ]


SPILLS = [(-3.4, 0.2), (-0.7, -0.1), (2.6, 0.1)]
BARRELS = [(-2.1, 1.0), (-0.9, -1.1), (2.4, -0.95), (3.2, 0.9), (-3.9, -1.2), (0.1, 1.7)]


def _ramp() -> list[Part]:
    """A ramp that goes up, level and down again; its top is 0.2 m above its origin."""
    slope, run, height, thick = 0.15, 1.4, 0.2, 0.04
    middle = (1.4 / 2 + run / 2 * math.cos(slope), height - run / 2 * math.sin(slope) - thick / 2)
    sides = [Part((run, 2.6, thick), (side * middle[0], 0, middle[1]), (0, side * slope, 0)) for side in (-1, 1)]
    return [Part((1.42, 2.6, thick), (0, 0, height - thick / 2)), *sides]


def _gate(name: str, x: float, bottom: float) -> list[Thing]:
    """A bar across the path, and the two posts that hold it."""
    posts = [(f"{name}_post_{side}", y) for side, y in (("left", 1.75), ("right", -1.75))]
    return [
        Thing(name, [Part((0.16, 3.5, 0.2))], (x, 0, bottom + 0.1, 0, 0, 0), STEEL, friction=0.5),
        *(Thing(post, [Part((0.08, bottom))], (x, y, bottom / 2, 0, 0, 0), STEEL) for post, y in posts),
    ]


def _barrel(name: str, at: Vector) -> Thing:
    return Thing(name, [Part((0.285, 1.19))], (*at, 0.605, 0, 0, 0), PLASTIC)


def _crate(rng: random.Random, i: int, deep: float = 2.3) -> Thing:
    """One of the crates that stand in rows on both sides of the path, ``deep`` metres from it."""
    size, x = rng.uniform(0.5, 0.8), 0.95 * (i // 2) - 3.4 + rng.uniform(-0.1, 0.1)
    y = rng.uniform(deep, deep + 0.3) * (1 if i % 2 else -1)
    return Thing(f"crate_{i}", [Part((size, size, size))], (x, y, size / 2, 0, 0, rng.gauss(0, 0.2)), WOOD)


# Hall: a corridor with a door at its end, and carts that drive through the hall. One of them drives slowly ahead of the
# robot, which cannot overtake it, and the door closes before both are there.


def hall() -> list[Thing]:
    rng = random.Random(17)
    return [
        Thing("floor", [Part((22, 14, 0.2))], (0, 0, -0.1, 0, 0, 0), STONE),
        Thing("walls", _walls(), (0, 0, 0, 0, 0, 0), STONE),
        *(_cart(f"cart_{i}", points, loop=loop) for i, (points, loop) in enumerate(ROUTES)),
        *(_door(f"door_{i}", *where) for i, where in enumerate(DOORS)),
        *(_barrel(f"barrel_{i}", at) for i, at in enumerate(STANDING)),
        *(_crate(rng, i, deep=4.0) for i in range(8)),
    ]


def _walls() -> list[Part]:
    """A wall with a corridor in it, a bay on the left of the corridor, and a doorway at its end."""
    walls = [
        ((0.1, 5.9), (-2.95, 4.05)),
        ((0.1, 5.9), (-2.95, -4.05)),
        ((5.6, 0.1), (-0.2, -1.05)),
        ((3.1, 0.1), (-1.45, 1.05)),
        ((1.1, 0.1), (2.05, 1.05)),
        ((0.1, 1.2), (0.05, 1.7)),
        ((0.1, 1.2), (1.55, 1.7)),
        ((1.6, 0.1), (0.8, 2.35)),
        ((0.1, 0.4), (2.65, 0.9)),
        ((0.1, 0.4), (2.65, -0.9)),
    ]
    return [Part((*size, 0.8), (*at, 0.4)) for size, at in walls]


ROUTES: list[tuple[list[Vector], bool]] = [
    # time, x, y
    ([(0, -5.2, 0.1), (1, -5.2, 0.1), (4, -5.2, 3)], False),  # in the way, until it leaves
    ([(0, -1, 0), (8, 9, 0)], False),  # far ahead of the robot, and faster
    ([(0, -3.9, -3.2), (2.6, -3.4, -0.6), (3.2, -2.8, 0), (15, 0.8, 0), (17, 0.8, 1.6)], False),  # slowly, into the bay
    ([(0, 0.8, -2), (9, -2, -2), (18, 0.8, -2)], True),  # beside the corridor, to and fro
    ([(0, 3.9, 2.5), (3, 3.9, 0), (6, 3.9, -2.5), (12, 3.9, 2.5)], False),  # behind the door
    ([(0, -6.5, -3.5), (11, -6.5, -3.5), (15, -6.5, 3.5)], False),  # where the robot has been
    ([(0, 6, -3), (5, 6, 3), (10, 6, -3)], True),
    ([(0, 2, 3.4), (7, -2, 3.4), (14, 2, 3.4)], True),
]
DOORS = [(15.5, 2.78, 0.0), (3.0, 2.78, 4.5), (9.0, -3.2, -4.5)]
"""When each door begins to close, and where."""
STANDING = [(-4.2, 1.9), (-4.0, -1.7), (4.8, 1.2), (4.6, -1.6), (-7.6, 1.6), (0.2, -3.0)]


def _cart(name: str, points: Sequence[Vector], *, loop: bool) -> Thing:
    script = [(time, (x, y, 0, 0, 0, 0)) for time, x, y in points]
    return Thing(name, [Part((0.9, 0.9, 0.7), (0, 0, 0.4))], script[0][1], PLASTIC, script=script, loop=loop)


def _door(name: str, start: float, x: float, y: float) -> Thing:
    """A door that is open at first and closes within a second and a half."""
    shut, wide = (x, y, 0, 0, 0, 0), (x, y + 1.6, 0, 0, 0, 0)
    panel = [Part((0.1, 1.5, 0.9), (0, 0, 0.5))]
    return Thing(name, panel, wide, STEEL, script=[(0, wide), (start, wide), (start + 1.5, shut)])


if __name__ == "__main__":
    for make in (ditch, rubble, friction, gap, hall):
        write(make.__name__, make())
