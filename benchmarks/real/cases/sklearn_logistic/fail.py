"""Train a classifier."""

import json
import sys
import warnings

import numpy
from sklearn.linear_model import LogisticRegression


def run(config: dict) -> None:
    features = numpy.random.RandomState(0).normal(size=(30, 4))
    model = LogisticRegression(
        penalty=None if config["penalty"] == "none" else config["penalty"],
        l1_ratio=None if config["l1_ratio"] == "none" else float(config["l1_ratio"]),
        solver=config["solver"],
        dual=config["dual"],
        multi_class=config["multi_class"],
        fit_intercept=config["fit_intercept"],
        random_state=0,
        max_iter=20,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(features, numpy.arange(30) % 3)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
