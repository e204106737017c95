"""Write runs.csv: a history of runs, some of them bad. Needs scikit-learn."""

import csv
import random
from pathlib import Path

import pipeline

CHOICES = {
    "dataset": [*pipeline.DATASETS],
    "imputer": [*pipeline.IMPUTERS],
    "scaler": [*pipeline.SCALERS],
    "estimator": [*pipeline.ESTIMATORS],
    "test_size": [*pipeline.TEST_SIZES],
}
RUNS = 24


def score(settings):
    """Return the score as text, as in the log of a run; empty if the run crashed."""
    try:
        return f"{pipeline.score(settings):.2f}"
    except ValueError:
        return ""


if __name__ == "__main__":
    rng = random.Random(2)
    with Path(__file__).with_name("runs.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["run", *CHOICES, "score"])
        for run in range(1, RUNS + 1):
            settings = {name: rng.choice(values) for name, values in CHOICES.items()}
            table.writerow([run, *settings.values(), score(settings)])
