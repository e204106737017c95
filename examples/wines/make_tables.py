"""Write april.csv to july.csv: the wines of scikit-learn, measured four times. Needs scikit-learn.

About a seventh of the values could not be measured, and their cells are empty. In June a new device measured six of the
wines, and wrote -999 where it could not measure.
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine

MONTHS = ("april", "may", "june", "july")
FOLDER = Path(__file__).parent


def measure(month, values, gaps):
    """Return the cells of a month: values with a small random error, empty where there are gaps."""
    rng = np.random.default_rng(MONTHS.index(month))
    cells = values * (1 + 0.01 * rng.standard_normal(values.shape))
    texts = np.where(gaps, "", np.char.mod("%.4g", cells))
    if month == "june":
        wines = np.sort(rng.choice(len(values), 6, replace=False))
        texts[wines] = np.where(rng.random((6, values.shape[1])) < 0.5, "-999", texts[wines])
    return texts


if __name__ == "__main__":
    data = load_wine()
    gaps = np.random.default_rng(42).random(data.data.shape) < 0.15
    for month in MONTHS:
        with (FOLDER / f"{month}.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["wine", *(name.replace("/", "_") for name in data.feature_names), "kind"])
            for number, (cells, kind) in enumerate(zip(measure(month, data.data, gaps), data.target, strict=True), 1):
                table.writerow([f"W{number:03}", *cells, kind])
