"""A world as a subject: a robot drives to a goal through the models that are kept."""

from __future__ import annotations

import hashlib
import warnings
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata, util
from math import dist, isfinite
from pathlib import Path

from rootward.errors import InputError, MissingExtra
from rootward.formats.files import replace_file
from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import SceneModel
from rootward.subjects.function import Function
from rootward.subjects.world.assembly import assemble, complete_model, describe_guess
from rootward.subjects.world.drive import Course, Drive
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Outcome


@dataclass(frozen=True)
class World(Course):
    """A robot that drives from ``start`` (x, y, yaw) to ``goal`` (x, y), in metres and radians.

    A run passes if the robot comes within ``arrived`` metres of the goal in ``timeout`` simulated seconds. It fails
    with the signature ``stuck`` (no progress for ``stuck`` seconds), ``timeout`` or ``fell`` (out of the world).
    ``tolerance``: maximum distance between the final positions of two runs with the same failure. ``failure``: the
    final position of the failure of interest; by default, that of the first failing run. ``load``: the height in metres
    of a box on the robot's back; the robot without it is 0.39 m high.

    Actors and other models that move as scripted are kinematic: they push the robot, and nothing stops them.
    """

    seeded = True
    inline = False

    def __post_init__(self) -> None:
        for name in ("timeout", "speed", "stuck", "arrived", "tolerance"):
            if not (getattr(self, name) > 0 and isfinite(getattr(self, name))):
                raise InputError(f"{name} must be a positive number, got {getattr(self, name)!r}")
        if not (self.load >= 0 and isfinite(self.load)):
            raise InputError(f"load must be a height of at least 0, got {self.load!r}")
        if util.find_spec("mujoco") is None:
            raise MissingExtra("a simulated world", "sim")

    @cached_property
    def identity(self) -> str:
        """The settings, a digest of the simulation's code, and the version of MuJoCo."""
        code = hashlib.blake2b(digest_size=8)
        for path in sorted(Path(__file__).parent.glob("*.py")):
            code.update(path.read_bytes())
        return f"{self!r} {code.hexdigest()} mujoco {metadata.version('mujoco')}"

    def __call__(self, models: Sequence[SceneModel], *, seed: int = 0) -> Outcome:
        """Simulate one run in this process."""
        return self.simulate((tuple(models), None), seed)

    def run(self, candidate: Sequence[SceneModel], *, seed: int, place: Path) -> Outcome:
        """Simulate once, in this thread's worker process.

        In this process, MuJoCo would block the lab's other threads.
        """
        for doubt in filter(None, map(describe_guess, candidate)):
            warnings.warn(doubt, stacklevel=2)
        return self._worker.run((tuple(candidate), place), seed=seed, place=place)

    @cached_property
    def _worker(self) -> Function:
        return Function(self.simulate, isolated=True)

    def simulate(self, candidate: tuple[tuple[SceneModel, ...], Path | None], seed: int) -> Outcome:
        """Simulate once, in this process.

        ``candidate`` is a pair of the models and a folder or None. The trajectory of a failing run is written to the
        folder.
        """
        models, place = tuple(map(complete_model, candidate[0])), candidate[1]
        try:
            assembly = assemble(models, self.start, self.load)
        except ValueError as error:
            return Outcome(UNRESOLVED, detail=f"the scene cannot be simulated: {' '.join(str(error).split())}")
        if assembly is None:
            return Outcome(UNRESOLVED, detail="the robot has nothing to stand on")
        journey = Drive(self, models, assembly, seed).run()
        if journey.end == "broken":
            return Outcome(UNRESOLVED, detail="the simulation became unstable")
        time, x, y, z = journey.trajectory[-1]
        measures = {"x": x, "y": y, "z": z, "time": time}
        measures |= {f"contact:{models[i].name}": float(level) for i, level in sorted(journey.levels.items())}
        measures |= {f"sensed:{models[i].name}": when for i, when in sorted(journey.sensed.items()) if i >= 0}
        if journey.end == "arrived":
            return Outcome(PASS, measures=measures, detail=f"at the goal after {time:.1f} s")
        artifacts = {} if place is None else {"trajectory": str(_write(place, journey.trajectory))}
        detail = f"{journey.end} at ({x:.2f}, {y:.2f}) after {time:.1f} s"
        elsewhere = self.failure is not None and dist(self.failure, (x, y)) > self.tolerance
        return Outcome(OTHER if elsewhere else FAIL, journey.end, measures, artifacts, detail)

    def alike(self, outcome: Outcome, reference: Outcome) -> bool:
        """Return True if two runs fail in the same way: the robot ends at the same place on the map.

        The height of the robot does not count. In a ditch, the height depends on what else lies in it.
        """
        if outcome.verdict is not FAIL or reference.verdict is not FAIL:
            return False
        if (outcome.signature == "fell") is not (reference.signature == "fell"):
            return False
        here, there = ([run.measures[axis] for axis in "xy"] for run in (outcome, reference))
        return dist(here, there) <= self.tolerance

    def supports(self, models: Sequence[SceneModel]) -> frozenset[int]:
        """Return the indices of the models under the start position.

        If all of them are missing, the robot cannot stand.
        """
        return frozenset(model.index for model in map(complete_model, models) if _covers(model, *self.start[:2]))

    def picture(self, models: Sequence[SceneModel], *, seed: int, marked: Sequence[SceneModel] = ()) -> str | None:
        """Draw a run as a strip of pictures for a page. Return None if the machine cannot draw.

        ``marked`` are the models to show in red.
        """
        from rootward.subjects.world.film import frames

        drawn = frames(self, models, seed, marked=marked)
        return None if drawn is None else f"data:image/png;base64,{b64encode(drawn).decode()}"

    def by_hand(self, candidate: Sequence[SceneModel], *, seed: int, place: Path) -> str:
        return f"{self!r}.run(models, seed={seed}, place=...) on {len(candidate)} models"


def _covers(model: SceneModel, x: float, y: float) -> bool:
    if isinstance(model, MovingModel):
        return False
    if any(shape.kind == "plane" for shape in model.shapes):
        return True  # in the simulators, a plane is infinite
    low, high = model.box
    return bool(model.shapes) and low[0] <= x <= high[0] and low[1] <= y <= high[1]


def _write(place: Path, trajectory: Sequence[tuple[float, float, float, float]]) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    path = place / "trajectory.csv"
    with replace_file(path) as file:
        file.write(b"t,x,y,z\n")
        file.writelines(b"%.1f,%.4f,%.4f,%.4f\n" % point for point in trajectory)
    return path
