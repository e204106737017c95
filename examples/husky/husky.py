"""Find the models that make the robot fail: ``python examples/husky/husky.py ditch``.

The other worlds are ``rubble``, ``friction`` and ``hall``.

Needs ``pip install "rootward[sim]"``. Writes into the current folder: ``ditch.reduced.sdf``, which opens in Gazebo;
``ditch.html``, a page with maps and pictures; and ``.rootward``, with which the same command continues after Ctrl-C.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rootward as rw
from rootward.diagnosis.handover.bundle import add_pictures
from rootward.formats.scenes import sdf
from rootward.report.progress import show_progress
from rootward.subjects.world import World

HERE = Path(__file__).parent
WORLDS = {
    "ditch": World(start=(-5.0, 0.0, 0.0), goal=(5.0, 0.0)),
    "rubble": World(start=(-5.0, 0.15, 0.0), goal=(6.0, 0.15), laser=True),
    "friction": World(start=(-4.0, 0.0, 0.0), goal=(4.0, 0.0)),
    "hall": World(start=(-8.0, 0.0, 0.0), goal=(7.5, 0.0), laser=True, tolerance=1.0),
}


def main(name: str) -> None:
    scene, world = sdf.read(HERE / f"{name}.sdf"), WORLDS[name]
    with show_progress() as show:
        found = rw.reduce(scene, world, jobs=2, store=".rootward/rootward.db", on_event=show, name=name)
    print(found)
    print(found.cost())
    reduced, report = Path(scene.reduced_path.name), Path(f"{name}.html")
    reduced.write_bytes(scene.render(found.kept))
    add_pictures(found, world, found.evidence.trials() if found.evidence else ()).report(report)
    print(f"The reduced world is {reduced}, the report is {report}.")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in WORLDS:
        sys.exit(f"usage: python husky.py {'|'.join(WORLDS)}")
    main(sys.argv[1])
