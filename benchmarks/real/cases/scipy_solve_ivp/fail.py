"""Simulate a reaction that feeds itself: y' = rate * y**2."""

import json
import sys
import warnings

import scipy.integrate

warnings.simplefilter("ignore")


class StoppedEarly(Exception):
    """The end of the simulation was not reached."""


def run(config: dict) -> None:
    rate = config["rate"]
    result = scipy.integrate.solve_ivp(
        lambda time, y: rate * y**2,
        (0, config["duration"]),
        [config["start"]],
        method=config["method"],
        rtol=config["rtol"],
    )
    if not result.success:
        raise StoppedEarly(result.message)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
