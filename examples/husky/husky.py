"""Which models of a world make the robot fail? ``python examples/husky/husky.py ditch`` (or ``rubble``, ``friction``).

Needs ``pip install "rootward[sim]"``. Into the current folder go ``ditch.reduced.sdf``, which opens in Gazebo,
``ditch.html``, a page with maps and pictures, and ``.rootward``, from which the same command goes on after Ctrl-C.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import rootward as rw
from rootward.formats import sdf
from rootward.formats.scene import Model
from rootward.progress import shown
from rootward.searches.reduction.reduction import Reduction
from rootward.subjects.world import World, film

HERE = Path(__file__).parent
WORLDS = {
    "ditch": World(start=(-5.0, 0.0, 0.0), goal=(5.0, 0.0)),
    "rubble": World(start=(-5.0, 0.15, 0.0), goal=(6.0, 0.15), laser=True),
    "friction": World(start=(-4.0, 0.0, 0.0), goal=(4.0, 0.0)),
}
SEEDS = 40
"""How many runs are looked at for one that fails, to take pictures of it."""


def main(name: str) -> None:
    scene, world = sdf.read(HERE / f"{name}.sdf"), WORLDS[name]
    with shown() as show:
        found = rw.reduce(scene, world, jobs=2, store=".rootward/rootward.db", on_event=show, name=name)
    print(found)
    print(found.cost())
    reduced, report = Path(scene.reduced.name), Path(f"{name}.html")
    reduced.write_bytes(scene.render(found.kept))
    strips = (strip(world, models, found) for models in (scene, found.kept))
    replace(found, pictures=tuple(filter(None, strips))).report(report)
    print(f"The reduced world is {reduced}, the report is {report}.")


def strip(world: World, models: Sequence[Model], found: Reduction[Model]) -> str | None:
    """Pictures of a run that fails as found, side by side, for a page; None if none does, or nothing can be drawn."""
    if not found.way:  # the search did not get far enough to see one
        return None
    _, x, y, _ = found.way[-1]
    failure = rw.Outcome(rw.Verdict.FAIL, found.signature, {"x": x, "y": y})
    runs = ((seed, world.simulate((tuple(models), None), seed)) for seed in range(SEEDS))
    seed = next((seed for seed, run in runs if world.alike(run, failure)), None)
    drawn = None if seed is None else film.frames(world, models, seed)
    return None if drawn is None else f"data:image/png;base64,{b64encode(drawn).decode()}"


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in WORLDS:
        sys.exit(f"usage: python husky.py {'|'.join(WORLDS)}")
    main(sys.argv[1])
