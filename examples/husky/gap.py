"""The robot of gap.toml: it carries a box through a yard, on its back.

``HUSKY_LOAD=0.3`` gives it a lower box, in metres: with that one, it fits.
"""

import os

import rootward as rw

robot = rw.World(
    start=(-5.0, 0.0, 0.0),
    goal=(5.0, 0.0),
    laser=True,
    load=float(os.environ.get("HUSKY_LOAD", "0.395")),
    tolerance=1.0,
)
