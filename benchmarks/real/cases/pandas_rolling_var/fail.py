"""Compute the rolling variance of a series with an outlier; it should be right to 1%."""

import json
import statistics
import sys

import pandas


class WrongVariance(Exception):
    """A variance is not that of its window."""


def run(config: dict) -> None:
    series = [float(i + 1) for i in range(config["length"])]
    if config["position"] < config["length"]:
        series[config["position"]] = config["outlier"]
    window = config["window"]
    result = pandas.Series(series).rolling(window).var()
    for end in range(window, config["length"] + 1):
        right = statistics.variance(series[end - window : end])
        if abs(result[end - 1] - right) > 0.01 * right:
            raise WrongVariance(f"{result[end - 1]} instead of {right}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
