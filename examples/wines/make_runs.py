"""Write runs.csv: a history of runs, some of them bad. Needs scikit-learn."""

import csv
import random
from pathlib import Path

import wines

CHOICES = {
    "dataset": ["april.csv", "may.csv", "june.csv", "july.csv"],
    "imputer": ["mean", "median", "most_frequent"],
    "estimator": [*wines.ESTIMATORS],
    "test_size": [0.2, 0.3, 0.4, 0.5],
    "seed": [0, 1, 2],
}
RUNS = 28
FOLDER = Path(__file__).parent

if __name__ == "__main__":
    rng = random.Random(4)
    with (FOLDER / "runs.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["run", *CHOICES, "score"])
        for run in range(1, RUNS + 1):
            settings = {name: rng.choice(values) for name, values in CHOICES.items()}
            table.writerow([run, *settings.values(), f"{wines.score(settings):.2f}"])
