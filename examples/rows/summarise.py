"""The nightly job: the share of good ratings, and the largest price difference. A failure names no product."""

from __future__ import annotations

import csv
import math
import sys

POINTS = {"good": 1.0, "bad": 0.0}


def main(path: str) -> None:
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ratings = [float(row["ratings"] or math.nan) for row in rows]
    points = [POINTS.get(row["verdict"], math.nan) for row in rows]
    good = sum(count * point for count, point in zip(ratings, points, strict=True)) / sum(ratings)
    apart = max(abs(float(row["paid"]) / float(row["list_price"]) - 1) for row in rows)
    if not (0 <= good <= 1 and apart < 0.5):
        sys.exit(f"implausible: {good:.0%} good, prices {apart:.0%} apart")
    print(f"{good:.0%} good, prices {apart:.0%} apart")


if __name__ == "__main__":
    main(sys.argv[1])
