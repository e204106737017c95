"""Each solver supports only some penalties, the dual formulation or several classes at once."""

import random

from real.points import Point, grid

SOURCE = "scikit-learn 1.3 documentation, LogisticRegression: solver, penalty, dual, l1_ratio, multi_class"
PACKAGES = ["numpy==1.26.4", "scikit-learn==1.3.2", "scipy==1.11.4"]
KIND = "options"
SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
CONDITION = (
    "penalty = l1 and solver is neither liblinear nor saga; or penalty = elasticnet, and solver is not saga or "
    "l1_ratio is none; or penalty is none and solver = liblinear; or dual, unless solver = liblinear and penalty = l2; "
    "or multi_class = multinomial and solver is liblinear or newton-cholesky"
)


def fails(config: Point) -> bool:
    solver, penalty = config["solver"], config["penalty"]
    supported = {
        "none": solver != "liblinear",
        "l1": solver in ("liblinear", "saga"),
        "l2": True,
        "elasticnet": solver == "saga" and config["l1_ratio"] != "none",
    }
    if not supported[penalty] or (config["dual"] and (solver, penalty) != ("liblinear", "l2")):
        return True
    return config["multi_class"] == "multinomial" and solver in ("liblinear", "newton-cholesky")


def points(rng: random.Random) -> list[Point]:
    return grid(
        solver=SOLVERS,
        penalty=("none", "l1", "l2", "elasticnet"),
        l1_ratio=("none", "0.5"),
        dual=(False, True),
        multi_class=("auto", "ovr", "multinomial"),
        fit_intercept=(False, True),
    )
