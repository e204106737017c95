"""Find where the output of a sensor that saturates is zero."""

import json
import sys

import numpy
from scipy.optimize import newton


def run(config: dict) -> None:
    gain, root = config["gain"], config["root"]

    def output(x: float) -> float:
        return numpy.arctan(gain * (x - root))

    def slope(x: float) -> float:
        return gain / (1 + (gain * (x - root)) ** 2)

    def curvature(x: float) -> float:
        u = gain * (x - root)
        return -2 * gain**2 * u / (1 + u**2) ** 2

    second = curvature if config["method"] == "halley" else None
    with numpy.errstate(all="ignore"):
        newton(output, config["start"], slope, tol=config["tolerance"], fprime2=second)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
