"""Integrators with a fixed step are unstable if the step is too long for the frequency of the spring.

Close to the border, the motion grows too slowly to be noticed within 2,000 steps. So points within 1% of the border are
left out.
"""

import random

from real.points import Point

SOURCE = "MuJoCo documentation, Numerical integration; stability of the semi-implicit Euler and the Runge-Kutta methods"
PACKAGES = ["mujoco==3.2.7", "numpy==1.26.4"]
KIND = "simulator"
CONDITION = "stiffness * timestep**2 > 4 * mass; with integrator = RK4: > 8 * mass"
MARGIN = 0.01


def ratio(config: Point) -> float:
    """Return 1 at the border, more where it is unstable."""
    limit = 8 if config["integrator"] == "RK4" else 4
    return float(config["stiffness"] * config["timestep"] ** 2 / (limit * config["mass"]))


def fails(config: Point) -> bool:
    return ratio(config) > 1


def decides(config: Point) -> bool:
    return abs(ratio(config) - 1) > MARGIN


def points(rng: random.Random) -> list[Point]:
    found = []
    while len(found) < 6000:
        point = {
            "stiffness": rng.choice((10 ** rng.uniform(0, 5), rng.uniform(1, 100_000))),
            "mass": 10 ** rng.uniform(-1, 1),
            "timestep": 10 ** rng.uniform(-3, -1),
            "integrator": rng.choice(("Euler", "implicit", "implicitfast", "RK4")),
            "start": rng.uniform(0.01, 0.5),
        }
        if len(found) % 2:  # close to the border
            point["stiffness"] *= (1 + rng.choice((-1, 1)) * 10 ** rng.uniform(-2, -1)) / ratio(point)
        if 1 <= point["stiffness"] <= 100_000 and decides(point):
            found.append(point)
    return found
