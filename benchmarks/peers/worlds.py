"""Robots that get stuck, as reduction problems: the models that each method leaves of a world, and how often the result
fails.

Our worlds are those of ``examples/husky``. The paper's worlds may not be redistributed: they are measured if the
environment variable ``ROOTWARD_WORLDS`` names a folder with them.

A robot can get stuck in more than one place. The failure of a world is the most frequent one in ``RUNS`` runs of the
original; every other counts as a different one. Runs are cached by models and seed, so none is simulated twice in one
process; the methods are charged for them all the same.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import atan2
from pathlib import Path
from typing import Any

from peers import picire_peer
from peers.reducers import reproduced
from rootward.formats.scenes import sdf, trajectory
from rootward.formats.scenes.scene import SceneModel
from rootward.lab.events import BestChanged
from rootward.store.trial import seed_of
from rootward.subjects.world import World
from rootward.verdict import FAIL, OTHER, Outcome

HUSKY = Path(__file__).parents[2] / "examples" / "husky"
RUNS = 40
"""Number of runs that decide the failure of a world, and of fresh runs that measure how often a result fails."""
PUBLISHED = {
    "model2model + failure": {"partition": "model2model", "priority": "failure-proximal"},
    "model2model + trajectory": {"partition": "model2model", "priority": "average-trajectory-proximal"},
    "timeseg + trajectory": {"partition": "timeseg", "priority": "average-trajectory-proximal"},
}
"""The pairs of schemas that the paper evaluates."""
MOST = 200
"""Maximum number of executions of a reduction."""
METHODS = ("auto", *PUBLISHED, "ddmin", "picire", "probdd")
Curve = list[tuple[int, int]]
"""Pairs of executions, and models left after them."""


def _face(x: float, y: float, goal: tuple[float, float]) -> tuple[float, float, float]:
    return x, y, atan2(goal[1] - y, goal[0] - x)


PAPER = {
    "ditch": ("rough_terrain_gap.world", (-3.0, 0.6), (6.75, -0.580357551575), False),
    "rubble": ("rubble_loose11.world", (-3.2, 1.0), (6.0, -5.0), True),
    "friction": ("frictionpatch6.world", (-2.0, 2.3), (1.0, 4.5), False),
}
"""The paper's worlds: file, start of the robot, goal, and True if it has a laser."""


@dataclass(frozen=True)
class Site:
    """A world file and the task of the robot."""

    name: str
    path: Path
    world: World

    @cached_property
    def models(self) -> tuple[SceneModel, ...]:
        return tuple(sdf.read(self.path))


def ours() -> list[Site]:
    spec = importlib.util.spec_from_file_location("husky_example", HUSKY / "husky.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [Site(f"our {name}", HUSKY / f"{name}.sdf", world) for name, world in module.WORLDS.items()]


def papers() -> list[Site]:
    """Return the worlds of the paper that are available."""
    folder = Path(os.environ.get("ROOTWARD_WORLDS", os.devnull))
    return [
        Site(f"paper's {name}", folder / file, World(goal, _face(*start, goal), laser=laser))
        for name, (file, start, goal, laser) in PAPER.items()
        if (folder / file).is_file()
    ]


# Running


@dataclass(frozen=True)
class Ran:
    outcome: Outcome
    seconds: float
    """Processor time."""


@cache
def _folder() -> Path:
    """Return the folder for this process's trajectories, below that of the benchmark."""
    return Path(tempfile.mkdtemp(dir=os.environ.get("ROOTWARD_BENCH_FOLDER")))


@cache
def _site(name: str, path: Path, world: World) -> Site:
    """Return one site for all jobs of a process, so that its models are read once."""
    return Site(name, path, world)


@cache
def _ran(site: Site, kept: tuple[int, ...], seed: int) -> Ran:
    models = _site(site.name, site.path, site.world).models
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing meshes are replaced by stand-ins
        place = _folder() / f"{hash((site, kept, seed)):x}"
        outcome = site.world.simulate((tuple(models[i] for i in kept), place), seed)
    return Ran(outcome, time.process_time() - start)


@dataclass(frozen=True)
class Scenario:
    """A site with the failure of interest."""

    site: Site
    failure: Outcome
    rate: float
    """Share of fresh runs of the original that fail in this way."""
    way: tuple[tuple[float, float, float, float], ...]

    def judged(self, outcome: Outcome) -> Outcome:
        if outcome.verdict is not FAIL:
            return outcome
        alike = self.site.world.alike(outcome, self.failure)
        return replace(outcome, verdict=FAIL if alike else OTHER, signature="stuck there" if alike else "elsewhere")

    def fails(self, kept: Sequence[int], seeds: range) -> float:
        """Return the share of runs with these seeds that fail."""
        runs = (self.judged(_ran(self.site, tuple(kept), seed).outcome) for seed in seeds)
        return sum(run.verdict is FAIL for run in runs) / len(seeds)


CHOOSING, JUDGING = (range(first, first + RUNS) for first in (10**7, 3 * 10**7))
MEASURING = range(2 * 10**7, 2 * 10**7 + 3 * RUNS)
"""Seeds that no search uses. Those for results differ from those for the original, which gets more runs because every
result is compared with it."""


def survey(site: Site) -> Scenario:
    """Find the most frequent failure of the robot, and how often it occurs."""
    everything = tuple(range(len(_site(site.name, site.path, site.world).models)))
    runs = [_ran(site, everything, seed).outcome for seed in CHOOSING]
    failing = [run for run in runs if run.verdict is FAIL]
    common = max(failing, key=lambda one: sum(site.world.alike(other, one) for other in failing))
    way = trajectory.read(Path(common.artifacts["trajectory"]))
    found = Scenario(site, common, 0.0, way)
    return replace(found, rate=found.fails(everything, MEASURING))


class Driven:
    """A scenario as a subject in this process, with the cost of its runs."""

    seeded, inline = True, True

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self.identity, self.simulated, self.seconds = scenario.site.name, 0.0, 0.0
        self.supports: Callable[[Sequence[SceneModel]], frozenset[int]] = scenario.site.world.supports

    def run(self, candidate: Sequence[SceneModel], *, seed: int, place: Path) -> Outcome:
        return self.try_out([model.index for model in candidate], seed)

    def try_out(self, kept: Sequence[int], seed: int) -> Outcome:
        ran = _ran(self._scenario.site, tuple(kept), seed)
        self.simulated += ran.outcome.measures.get("time", 0.0)
        self.seconds += ran.seconds
        return self._scenario.judged(ran.outcome)

    def by_hand(self, candidate: Any, *, seed: int, place: Path) -> str:
        return f"seed {seed}"


# Reducing


@dataclass(frozen=True)
class Job:
    scenario: Scenario
    method: str
    seed: int


@dataclass(frozen=True)
class Reduced:
    """The models that a method left of a world, and its cost."""

    job: Job
    kept: tuple[int, ...]
    names: tuple[str, ...]
    executions: int
    rate: float
    """Share of fresh runs of the result that fail."""
    simulated: float
    seconds: float
    curve: Curve
    claimed: bool = True

    @property
    def share(self) -> float:
        """The ratio of its rate to that of the original."""
        return self.rate / self.job.scenario.rate

    @property
    def gone(self) -> float:
        return 1 - len(self.kept) / self.curve[0][1]


def reduce(job: Job) -> Reduced:
    models = _site(job.scenario.site.name, job.scenario.site.path, job.scenario.site.world).models
    subject, curve = Driven(job.scenario), [(1, len(models))]
    kept, executions, claimed = (_by_picire if job.method == "picire" else _by_us)(job, subject, models, curve)
    curve.append((executions, len(kept)))
    rate = job.scenario.fails(kept, JUDGING)
    names = tuple(models[i].name for i in kept)
    return Reduced(job, kept, names, executions, rate, subject.simulated, subject.seconds, curve, claimed)


def _by_us(job: Job, subject: Driven, models: Sequence[SceneModel], curve: Curve) -> tuple[tuple[int, ...], int, bool]:
    def watch(event: object) -> None:
        if isinstance(event, BestChanged) and len(event.best.selection) != curve[-1][1]:
            curve.append((event.progress.executed, len(event.best.selection)))

    options: dict[str, Any] = {"method": job.method}
    if schemas := PUBLISHED.get(job.method):
        options = {"method": "ddenv", **schemas, "dfk_it": 3, "check": False, "trajectory": job.scenario.way}
    found, wasted = reproduced(models, subject, seed=job.seed, budget=MOST, on_event=watch, **options)
    return found.selection.kept, found.trials + wasted, found.minimal and found.complete


def _by_picire(
    job: Job, subject: Driven, models: Sequence[SceneModel], curve: Curve
) -> tuple[tuple[int, ...], int, bool]:
    whole, wasted = range(len(models)), 0
    while subject.try_out(whole, seed_of(job.seed, "whole", wasted)).verdict is not FAIL:
        wasted += 1
    runs = wasted + 1

    def fails(kept: Sequence[int]) -> bool:
        nonlocal runs
        runs += 1
        failed = subject.try_out(kept, seed_of(job.seed, str(kept), 0)).verdict is FAIL
        if failed:
            curve.append((runs, len(kept)))
        return failed

    found, tests = picire_peer.reduce(len(models), fails)
    return tuple(found), tests + wasted, True
