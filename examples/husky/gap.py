"""The robot of gap.toml, which carries a box on its back through a yard.

``HUSKY_LOAD=0.3`` sets the height of the box in metres: with this lower box, the robot fits.
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
